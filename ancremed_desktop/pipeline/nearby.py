"""Passages to read where nothing answers: named with their page, never quoted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.plans import Question, Subject
from ancremed_desktop.pipeline.cards import of_cards
from ancremed_desktop.pipeline.lexicon import PlanningLexicon
from ancremed_desktop.pipeline.meaning import MeaningSearch
from ancremed_desktop.pipeline.retrieve import ranked_hits, ranked_request
from ancremed_desktop.ports import PassageIndex

_MOST = 3
_LOOKED_AT = 6
_COVERAGE = 0.6
"""Share of the words of a question, by rarity, below which a passage has nothing to do with it:
on the tuning half 96 off-corpus questions of 100 have no passage above it and 93 answerable ones
of 100 have one (``evaluate offcorpus``)."""


def nearby(
    question: Question,
    subject: Subject,
    index: PassageIndex,
    lexicon: PlanningLexicon,
    meaning: MeaningSearch,
) -> tuple[Passage, ...]:
    """Up to three passages: those of a card on what the question names, then those that hold most
    of its words. Of a question with a word nothing holds, an emergency's card alone: the rest may
    be about something else (« AVC » in an animal, an invented drug).
    """
    request = ranked_request(question, index, lexicon, limit=_LOOKED_AT)
    hits = ranked_hits(question, request, index, meaning)
    held = [h.passage for h in hits if h.coverage >= _COVERAGE and not h.passage.superseded]
    named = [p for p in of_cards(subject.concepts, index) if not p.superseded]
    keys = {p.source_key for p in named}
    found = [p for p in held if p.source_key in keys]
    if subject.vital:
        found += named
    if not subject.unknown_words:
        found += held
    return tuple(_once(found))[:_MOST]


def _once(passages: Iterable[Passage]) -> Iterator[Passage]:
    """One passage of each page and heading of a source."""
    seen: set[tuple[str, str, int | None]] = set()
    for passage in passages:
        place = (passage.source_key, passage.heading, passage.page_number)
        if place not in seen:
            seen.add(place)
            yield passage
