"""What a drug bars of the care of an emergency: it stands before all that is to be done."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from ancremed_desktop.domain.plans import Concept
from ancremed_desktop.domain.spans import DraftAssertion, DraftSpan
from ancremed_desktop.pipeline.bearing import DOSE
from ancremed_desktop.pipeline.case import WITH, forbids
from ancremed_desktop.pipeline.drafts import Draft
from ancremed_desktop.pipeline.harm import bars, is_of_the_drug, is_told_by_kind
from ancremed_desktop.pipeline.holding import holds, starts_a_word
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import content_words, holds_word, stems

_FIRST = 99
"""A line about its section stays above it."""
_BARRED = "contre-indications"
_HOW = frozenset(
    {"intraveineux", "intraveineuse", "orale", "oral", "voie", "adulte", "enfant", "dose", "autre"}
)
"""Words of any dose."""


def barred_by_the_drug(card: Draft, of_drug: Draft) -> tuple[DraftAssertion, ...]:
    """Sentences that forbid, to who takes the drug, something of the care of a card of something
    else, and those of the drug’s own sources that forbid it with what the card doses.
    """
    drugs = of_drug.plan.subject.concepts
    titles = {h.passage.urn: h.passage.origin_title for s in card.evidence.sections for h in s.hits}
    told = [
        s
        for s in _assertions(card)
        if bars(s.text, drugs) and not is_of_the_drug(titles[s.source_urn], drugs)
    ]
    return (*told, *(s for s in _assertions(of_drug) if _is_with_what_is_dosed(s.text, card)))


def _is_with_what_is_dosed(text: str, card: Draft) -> bool:
    folded = fold(text)
    with_it = WITH.search(folded)
    if with_it is None or not forbids(text):
        return False
    dosed = stems(s.text for s in _assertions(card) if DOSE.search(fold(s.text)))
    return any(holds_word(dosed, w) for w in content_words(with_it["what"]) if w not in _HOW)


def raised(draft: Draft, barred: Collection[DraftAssertion]) -> Draft:
    """A draft with some of its sentences before all others, as what is forbidden."""
    first = [replace(s, section=_BARRED) for s in barred]
    left = [s for s in draft.spans if s not in barred]
    kept = {s.section for s in left}
    sections = tuple(s for s in draft.plan.sections if s != _BARRED and s in kept)
    return replace(
        draft,
        plan=replace(draft.plan, sections=(_BARRED, *sections)),
        spans=(*first, *left),
    )


def of_use_there(of_drug: Draft, card: Draft) -> Draft:
    """What the sources of a drug say, of its contraindications those alone that bear on a disease
    told: whether to start the drug is not asked.
    """
    told = of_drug.plan.subject.beside
    if any(map(is_told_by_kind, told)):
        return of_drug

    def is_of_use(span: DraftSpan) -> bool:
        if not isinstance(span, DraftAssertion) or span.section != _BARRED:
            return True
        return any(holds(span.text, c) for c in told) or _is_with_what_is_dosed(span.text, card)

    spans = tuple(filter(is_of_use, of_drug.spans))
    said = {s.section for s in spans}
    plan = of_drug.plan
    kept = tuple(s for s in plan.sections if s != _BARRED or s in said)
    return replace(of_drug, plan=replace(plan, sections=kept), spans=spans)


def of_the_case_told(card: Draft) -> Draft:
    """What is to be done, what names the case as it is told before the rest of its section."""
    told = [c for c in card.plan.subject.beside if is_told_by_kind(c)]
    return replace(card, spans=tuple(sorted(card.spans, key=lambda s: -_named(s, told))))


def _named(span: DraftSpan, told: Iterable[Concept]) -> int:
    """How many words of one of the wordings of what is told a sentence holds."""
    if not isinstance(span, DraftAssertion):
        return _FIRST
    folded = fold(span.text)
    counts = (
        sum(starts_a_word(folded, w) for w in content_words(p)) for c in told for p in c.phrases
    )
    return max(counts, default=0)


def _assertions(draft: Draft) -> Iterator[DraftAssertion]:
    return (s for s in draft.spans if isinstance(s, DraftAssertion))
