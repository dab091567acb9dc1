"""Quotes whole passages: half an article reads as the whole of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.identifiers import PassageKind, Silo
from ancremed_desktop.domain.spans import Abstention, DraftAssertion, DraftSpan
from ancremed_desktop.pipeline.direct_answer import DirectAnswer
from ancremed_desktop.text.announcing import forbids, overrules
from ancremed_desktop.text.articles import label_of
from ancremed_desktop.text.lists import MAX_STATEMENT, Run, is_omitted, runs

_MIN_QUOTE_WORDS = 6
_Range = tuple[int, int]


def quote_whole(own: DirectAnswer) -> tuple[DraftSpan, ...]:
    """Every wanted paragraph of the passages found, word for word, in order.

    Left out: items whose lead-in is not shown, and what stands under a heading that forbids when
    neither it nor the heading is in the quote.
    """
    drafts: list[DraftSpan] = []
    for section in own.evidence.sections:
        if not section.hits:
            drafts.append(Abstention(section=section.section, reason=own.nothing))
        before: Passage | None = None
        for hit in section.hits:
            passage = hit.passage
            drafts += [
                DraftAssertion(
                    section=section.section,
                    text=passage.text[start:end],
                    exact_source_quote=passage.text[start:end],
                    source_urn=passage.urn,
                    subject_entity_id=passage.source_identifier,
                    confidence_score=1.0,
                )
                for start, end in _quotes(passage, follows=_goes_on(before, passage))
                if own.shows(passage.text[start:end])
            ]
            before = passage
    return tuple(drafts)


def _goes_on(before: Passage | None, passage: Passage) -> bool:
    """Whether a passage goes on in the numbered text of the one just shown."""
    return (
        before is not None
        and before.source_key == passage.source_key
        and before.chunk_index + 1 == passage.chunk_index
        and bool(label_of(passage.urn))
        and label_of(before.urn) == label_of(passage.urn)
    )


def _quotes(passage: Passage, *, follows: bool) -> Iterator[_Range]:
    """Paragraphs, each with the list it opens; a short one joins the next. An entry of the
    interactions thesaurus is quoted whole.
    """
    if passage.kind is PassageKind.INTERACTION:
        yield 0, len(passage.text)
        return
    numbered = bool(label_of(passage.urn))
    own = passage.silo is Silo.LOCAL
    hidden = own and overrules(passage.heading) and not follows
    waiting: _Range | None = None
    for run in _runs(passage):
        said = forbids(passage.text[run.start : run.end])
        orphan = not (run.introduced or follows) or is_omitted(run, passage.text)
        if orphan or (hidden and not said):
            waiting = None
            continue
        for position, piece in enumerate(_cut(run, whole=numbered)):
            if waiting is not None and position == 0 and piece[1] - waiting[0] <= MAX_STATEMENT:
                waiting = (waiting[0], piece[1])
            else:
                yield from filter(None, (waiting,))
                waiting = piece
            if len(passage.text[slice(*waiting)].split()) >= _MIN_QUOTE_WORDS:
                yield waiting
                waiting = None
    if waiting is not None:
        yield waiting


def _runs(passage: Passage) -> tuple[Run, ...]:
    if passage.kind is PassageKind.PROSE:
        return runs(passage.text, passage.heading)
    rows = re.finditer(r"[^\n]+", passage.text)
    return tuple(Run(parts=(row.span(),), alone=True) for row in rows)


def _cut(run: Run, *, whole: bool) -> list[_Range]:
    """A run as quotes of at most 1,800 characters, cut between its parts.

    Of a long list the beginning alone, unless it is shown ``whole``, piece after piece.
    """
    pieces: list[_Range] = []
    for left, right in run.parts:
        if pieces and right - pieces[-1][0] <= MAX_STATEMENT:
            pieces[-1] = (pieces[-1][0], right)
        else:
            pieces.append((left, right))
    if whole or run.alone:
        return pieces
    return [] if run.whole and pieces[1:] else pieces[:1]
