"""Quotes whole passages: half an article reads as the whole of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ancremed_desktop.domain.evidence import Evidence
from ancremed_desktop.domain.spans import Abstention, DraftAssertion, DraftSpan
from ancremed_desktop.text.sentences import sentence_spans

_MAX_QUOTE = 1800
"""Characters of one quote; the gate takes 2,000."""
_MIN_QUOTE_WORDS = 6
_ITEM = re.compile(r"\s*(?:[-–—•·*▪●]|\d{1,2}[.)°]|[a-z]\))\s")


def quote_whole(evidence: Evidence) -> tuple[DraftSpan, ...]:
    """Every paragraph of the passages found, word for word, in order."""
    drafts: list[DraftSpan] = []
    for section in evidence.sections:
        if not section.hits:
            reason = "Aucun de vos documents ne contient ce qui est demandé."
            drafts.append(Abstention(section=section.section, reason=reason))
        for hit in section.hits:
            passage = hit.passage
            drafts += [
                DraftAssertion(
                    section=section.section,
                    text=text,
                    exact_source_quote=text,
                    source_urn=passage.urn,
                    subject_entity_id=passage.source_identifier,
                    confidence_score=1.0,
                )
                for text in _paragraphs(passage.text)
            ]
    return tuple(drafts)


def _paragraphs(text: str) -> Iterator[str]:
    """Paragraphs, each with the list it opens; a short one joins the next."""
    start = 0
    for end, following in _ends(text):
        piece = text[start:end]
        leads = piece.rstrip().endswith(":") or _ITEM.match(following)
        short = len(piece.split()) < _MIN_QUOTE_WORDS
        if following and (leads or short) and len(piece) < _MAX_QUOTE // 2:
            continue
        if piece.strip():
            yield from _cut(piece)
        start = end


def _ends(text: str) -> Iterator[tuple[int, str]]:
    """(end of a paragraph, what follows it)."""
    for match in re.finditer(r"\n\n|\Z", text):
        yield match.start(), text[match.end() :]


def _cut(piece: str) -> Iterator[str]:
    """A piece as quotes of at most 1,800 characters, cut between sentences."""
    start = end = None
    for left, right in sentence_spans(piece):
        if start is not None and right - start > _MAX_QUOTE:
            yield piece[start:end]
            start = left
        start = left if start is None else start
        end = right
    if start is not None:
        yield piece[start:end]
