"""Passages to read beside an answer, or where nothing answers: named, never quoted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from ancremed_desktop.domain.answers import Answer, AnswerStatus
from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.identifiers import PassageKind
from ancremed_desktop.domain.plans import PlanMode, Subject
from ancremed_desktop.domain.spans import VerifiedAssertion
from ancremed_desktop.pipeline.cards import of_cards
from ancremed_desktop.pipeline.holding import holds
from ancremed_desktop.pipeline.lexicon import PlanningLexicon
from ancremed_desktop.pipeline.meaning import MeaningSearch
from ancremed_desktop.pipeline.retrieve import ranked_hits, ranked_request
from ancremed_desktop.ports import PassageIndex

_Place = tuple[str, str, int | None]
_SHOWN = frozenset({AnswerStatus.ANSWER, AnswerStatus.ABSTENTION, AnswerStatus.REFUSED})
_AT_ONCE = "gestes immédiats"
_TREATED = frozenset({_AT_ONCE, "traitement", "première intention"})
"""Sections that only cards of diseases have, beside those of drugs."""
_MOST = 3
_BESIDE = 1
_REFUSED = 0.75
"""The same for a question held to be of no medicine: 99 off-corpus questions of 100 are below."""
_LABELS = "CIM10-"
"""Labels of the ICD name diseases and say nothing of them."""
_LOOKED_AT = 6
_COVERAGE = 0.6
"""Share of the words of a question, by rarity, below which a passage has nothing to do with it:
on the tuning half 96 off-corpus questions of 100 have no passage above it and 93 answerable ones
of 100 have one (``evaluate offcorpus``)."""


def nearby(
    answer: Answer, index: PassageIndex, lexicon: PlanningLexicon, meaning: MeaningSearch
) -> tuple[Passage, ...]:
    """Passages the answer does not quote: three where it quotes nothing clinical, else one.

    Those of a card on what the question names come first, then those that hold most of its words.
    Of a question with a word nothing holds, the card of its disease alone, an emergency's where it
    says what to do at once: the rest may be about something else (« AVC » in an animal, an invented
    drug). None for a whole topic or a calculation.
    """
    question, subject = answer.question, answer.plan.subject
    quoted = [s.anchored.passage for s in answer.spans if isinstance(s, VerifiedAssertion)]
    clinical = [p for p in quoted if p.kind is not PassageKind.OBJECTIVE]
    if answer.status not in _SHOWN or answer.calculations:
        return ()
    if clinical and answer.plan.mode is PlanMode.COMPLETE:
        return ()
    request = ranked_request(question, index, lexicon, limit=_LOOKED_AT)
    hits = ranked_hits(question, request, index, meaning)
    least = _REFUSED if answer.status is AnswerStatus.REFUSED else _COVERAGE
    held = [h.passage for h in hits if h.coverage >= least and _is_of_it(h.passage, subject)]
    named = list(of_cards(subject.concepts, index))
    keys = {p.source_key for p in named}
    found = [p for p in held if p.source_key in keys]
    if subject.vital and not clinical:
        found = [*(p for p in named if p.section == _AT_ONCE), *found, *named]
    elif subject.unknown_words and not clinical:
        treated = {p.source_key for p in named if p.section in _TREATED}
        found += (p for p in named if p.source_key in treated and not _is_of_drug(p))
    if not subject.unknown_words:
        found += held if clinical else [*held, *named]
    shown = {_place(p) for p in quoted}
    current = (p for p in found if not p.superseded)
    return tuple(islice(_others(current, shown), _BESIDE if clinical else _MOST))


def _is_of_it(passage: Passage, subject: Subject) -> bool:
    """Whether a passage says something, and of what the question names if it names anything."""
    if passage.source_identifier.startswith(_LABELS):
        return False
    text = f"{passage.origin_title} {passage.heading} {passage.text}"
    return not subject.concepts or any(holds(text, c) for c in subject.concepts)


def _others(passages: Iterable[Passage], shown: set[_Place]) -> Iterator[Passage]:
    """One passage of each page and heading of a source not yet shown."""
    for passage in passages:
        if (place := _place(passage)) not in shown:
            shown.add(place)
            yield passage


def _is_of_drug(card: Passage) -> bool:
    return card.source_identifier.isdecimal()


def _place(passage: Passage) -> _Place:
    """Objectives of one item of the EDN count once: their heading does not tell them apart."""
    listed = passage.kind is PassageKind.OBJECTIVE
    return passage.source_key, "" if listed else passage.heading, passage.page_number
