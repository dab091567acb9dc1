"""Verified spans of an answer as cards that Anki imports (https://docs.ankiweb.net/importing)."""

from __future__ import annotations

from html import escape

from ancremed_desktop.domain.answers import Answer
from ancremed_desktop.domain.documents import Source
from ancremed_desktop.domain.identifiers import SourceStatus
from ancremed_desktop.domain.spans import VerifiedAssertion
from ancremed_desktop.services.answer_blocks import section_of
from ancremed_desktop.services.calculation_text import NOTICE
from ancremed_desktop.services.export import (
    nested_list,
    places,
    quote_lines,
    source_words,
)
from ancremed_desktop.text.french import french_date

_HEAD = ("#separator:tab", "#html:true", "#columns:Recto\tVerso\tSources", "#tags:AncreMed")


def answer_to_anki(answer: Answer) -> str:
    """One card for each section that was found: question and section, then quotes and sources.

    Nothing but verified spans goes in. The text is a file of tab-separated fields, empty of cards
    when the answer has none.
    """
    sources = {source.key: source for source in answer.sources}
    found = [span for span in answer.spans if isinstance(span, VerifiedAssertion)]
    lines = list(_HEAD)
    for section in dict.fromkeys(map(section_of, found)):
        own = [span for span in found if section_of(span) == section]
        front = (
            f"{_field(answer.question.raw)}<br><b>{_field(section[:1].upper() + section[1:])}</b>"
        )
        back = "".join(_quote(span) for span in own)
        cited = dict.fromkeys(_cited(span, sources) for span in own)
        lines.append("\t".join((front, f"<ul>{back}</ul>", "<br>".join((*cited, _field(NOTICE))))))
    return "\n".join(lines) + "\n"


def _quote(span: VerifiedAssertion) -> str:
    first, *items = quote_lines(span)
    quoted = "" if span.verbatim else f"<br><i>{_field(source_words(span))}</i>"
    return f"<li>{_field(first)}{nested_list(items, _field)}{quoted}</li>"


def _cited(span: VerifiedAssertion, sources: dict[str, Source]) -> str:
    passage = span.anchored.passage
    source = sources.get(passage.source_key)
    title = source.title if source else passage.origin_title
    date = (source.regulatory_date if source else "") or passage.regulatory_date
    day = french_date(date) or "sans date"
    parts = [title, *([source.publisher] if source else []), day, *places(passage)]
    if source is not None and source.status is SourceStatus.DRAFT:
        parts.append(source.status.value)
    return _field(", ".join(part for part in parts if part))


def _field(text: str) -> str:
    """Escaped, on one line and without tabs: what ends a field or a card would break the file."""
    return escape(" ".join(text.split()))
