"""What may be quoted of a passage: sentences, rows, lists behind what announces them."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.identifiers import SAFETY, PassageKind
from ancremed_desktop.text.announcing import forbids, leads, overrules
from ancremed_desktop.text.list_marks import is_item
from ancremed_desktop.text.lists import Statement, statements
from ancremed_desktop.text.markers import unquotable_spans
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import content_words

_CACHED_TEXTS = 1_024
_MIN_CONTENT_WORDS = 3
_LEGEND = re.compile(r"\s*(?:[A-ZÉ0-9]{2,8}|Sources?|Note|Légende)\s?: ")
_REFERENCE = re.compile(
    r"https?://|www\.|\bdoi\b|\bet al\b|\b(?:19|20)\d\d\s?[;:]\s?\d|ISBN|_{4,}|\.{6,}"
    r"|\b(?:of|the|and|with|for|from|in)\b.*\b(?:of|the|and|with|to|risk|patients with)\b",
    re.I,
)
"""Bibliography, tables of contents, titles in English."""
_ASKS = re.compile(r"\?[»”)\s]*$")
ENDED = re.compile(r"[.!?…»)]\s*(?:\[[\d, -]+\])?\s*$")
"""How a sentence ends: no title does, nor what breaks off."""

LEANS = re.compile(
    r"(?:cela|ceci|ce|cet|cette|ces|dans c\w+|il en|elles?|ils|celui|celle|ceux|leurs?)\b"
)
"""A sentence that begins so leans on the one before it and cannot be quoted alone."""

_LONGEST_JOINED = 600
"""Characters of sentences quoted together because they lean on one another."""


def units(passage: Passage, section: str) -> list[Statement]:
    """What is worth quoting for a section: sentences, and lists behind what announces them.

    Items whose lead-in is not in the passage stand under its heading, unless they open a page:
    then it may be overleaf. Under a heading that forbids, only what says so itself is taken,
    or what is filed under the section asked, whose name says it.
    """
    forbidden = overrules(passage.heading) and passage.section != section
    opens_page = passage.page_number is not None and passage.char_start == 0
    is_table = passage.kind is PassageKind.TABLE
    found = [
        unit
        for unit in _quoted_alone(passage.text, passage.heading, is_table=is_table)
        if (unit.introduced or not opens_page)
        and not (forbidden and not forbids(passage.text[unit.start : unit.end]))
    ]
    return found if section in SAFETY else [_finished(passage, unit) for unit in found]


@lru_cache(maxsize=_CACHED_TEXTS)
def _quoted_alone(text: str, heading: str, *, is_table: bool) -> tuple[Statement, ...]:
    """What may be quoted of a text for any section; the same passage is read for each."""
    refused = unquotable_spans(text, heading)
    found: list[Statement] = []
    for unit in _rows(text) if is_table else statements(text, heading):
        if any(start < unit.end and end > unit.start for start, end, _why in refused):
            continue  # the gate would refuse it, and it would stand for an answer until then
        said = text[unit.start : unit.end]
        if leads(said) or _ASKS.search(said) or len(content_words(said)) < _MIN_CONTENT_WORDS:
            continue  # « Vous êtes allergique à : » says much with its items, nothing without
        opening = said.partition("\n")[0] + " "
        if not (_REFERENCE.search(opening) or _LEGEND.match(opening)):
            found.append(unit)
    return tuple(found) if is_table else _with_antecedents(text, found)


def _with_antecedents(text: str, found: list[Statement]) -> tuple[Statement, ...]:
    """Sentences; those that lean on the one before (« Ils sont autorisés… ») together with it."""
    whole: list[Statement] = []
    for unit in found:
        joined = _joined(text, whole[-1], unit) if whole else None
        whole.append(joined or unit)
    return tuple(whole)


def _joined(text: str, before: Statement, unit: Statement) -> Statement | None:
    """A leaning sentence with what stands right before it, when that stands alone."""
    if any(s.lead > s.start or len(s.parts) > 1 for s in (before, unit)):
        return None
    first = text[before.start : before.end]
    if not LEANS.match(fold(text[unit.start : unit.end])) or LEANS.match(fold(first)):
        return None
    between = text[before.end : unit.start]
    if between.strip() or "\n" in between or is_item(first) or not ENDED.search(first):
        return None
    if unit.end - before.start > _LONGEST_JOINED:
        return None
    return replace(before, end=unit.end, parts=((before.start, unit.end),))


def _finished(passage: Passage, unit: Statement) -> Statement:
    """A list without the last items when its passage breaks off in the midst of them."""
    kept = list(unit.parts)
    if unit.whole or not unit.introduced or unit.end < len(passage.text.rstrip()):
        return unit
    while kept and not ENDED.search(passage.text[kept[-1][0] : kept[-1][1]]):
        kept.pop()
    if not kept or kept[-1][1] <= unit.lead:
        return unit
    return replace(unit, end=kept[-1][1], parts=tuple(kept))


def rows_or_statements(passage: Passage) -> tuple[Statement, ...]:
    """The rows of a table; of any other text its statements."""
    if passage.kind is PassageKind.TABLE:
        return _rows(passage.text)
    return statements(passage.text, passage.heading)


def _rows(text: str) -> tuple[Statement, ...]:
    """Rows of a table: each is one statement with its headings."""
    # Of some tables a single line end stands between rows: the gate quotes those as one sentence.
    rows = [r.span() for r in re.finditer(r"[^\n]+(?:\n(?!\n)[^\n]+)*", text)]
    return tuple(
        Statement(start=s, end=e, introduced=True, lead=s, parts=((s, e),)) for s, e in rows
    )
