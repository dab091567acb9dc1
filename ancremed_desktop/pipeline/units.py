"""What may be quoted of a passage: sentences, rows, lists behind what announces them."""

from __future__ import annotations

import re
from dataclasses import replace

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.identifiers import SAFETY, PassageKind
from ancremed_desktop.text.announcing import forbids, leads, overrules
from ancremed_desktop.text.lists import Statement, statements
from ancremed_desktop.text.markers import unquotable_spans
from ancremed_desktop.text.words import content_words

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


def units(passage: Passage, section: str) -> list[Statement]:
    """What is worth quoting for a section: sentences, and lists behind what announces them.

    Items whose lead-in is not in the passage stand under its heading, unless they open a page:
    then it may be overleaf. Under a heading that forbids, only what says so itself is taken,
    or what is filed under the section asked, whose name says it.
    """
    found: list[Statement] = []
    forbidden = overrules(passage.heading) and passage.section != section
    refused = unquotable_spans(passage.text, passage.heading)
    for unit in rows_or_statements(passage):
        text = passage.text[unit.start : unit.end]
        if any(start < unit.end and end > unit.start for start, end, _why in refused):
            continue  # the gate would refuse it, and it would stand for an answer until then
        if not unit.introduced and passage.page_number is not None and passage.char_start == 0:
            continue
        if forbidden and not forbids(text):
            continue
        if leads(text) or _ASKS.search(text) or len(content_words(text)) < _MIN_CONTENT_WORDS:
            continue  # « Vous êtes allergique à : » says much with its items, nothing without
        opening = text.partition("\n")[0] + " "
        if not (_REFERENCE.search(opening) or _LEGEND.match(opening)):
            found.append(unit if section in SAFETY else _finished(passage, unit))
    return found


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
    if passage.kind is not PassageKind.TABLE:
        return statements(passage.text, passage.heading)
    # Of some tables a single line end stands between rows: the gate quotes those as one sentence.
    rows = [r.span() for r in re.finditer(r"[^\n]+(?:\n(?!\n)[^\n]+)*", passage.text)]
    return tuple(  # a row is one statement with its headings
        Statement(start=s, end=e, introduced=True, lead=s, parts=((s, e),)) for s, e in rows
    )
