"""What a drug bars of the care of an emergency: it stands before all that is to be done."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.plans import Concept
from ancremed_desktop.domain.spans import DraftAssertion, DraftSpan, Narrative
from ancremed_desktop.pipeline.bearing import DOSE
from ancremed_desktop.pipeline.cards import of_cards
from ancremed_desktop.pipeline.case import WITH, forbids
from ancremed_desktop.pipeline.drafts import Draft
from ancremed_desktop.pipeline.drug_classes import classes_in, narrowest_said
from ancremed_desktop.pipeline.generate import quoted_as
from ancremed_desktop.pipeline.harm import bars, is_of_the_drug, is_told_by_kind
from ancremed_desktop.pipeline.harm_kinds import feared, kind_done, kind_named
from ancremed_desktop.pipeline.holding import holds, starts_a_word
from ancremed_desktop.pipeline.patients import first_of_all
from ancremed_desktop.pipeline.population import Fit, fit, groups
from ancremed_desktop.pipeline.units import units
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import content_words, holds_word, stems

_FIRST = 99
"""A line about its section stays above it."""
_BARRED = "contre-indications"
_HOW = frozenset(
    {"intraveineux", "intraveineuse", "orale", "oral", "voie", "adulte", "enfant", "dose", "autre"}
)
"""Words of any dose."""
_UNLESS = re.compile(r"\b(?:sauf|hors|excepte|hormis|chez|en cas|dans|pendant|lors)\b")
"""Ends what a drug is not given with."""
_UNTOLD = "Ce que les fiches font devant {what} n’est pas montré\u00a0: la question n’en dit pas."


def barred_by_the_drug(card: Draft, of_drug: Draft) -> tuple[DraftAssertion, ...]:
    """Sentences that forbid, to who takes the drug, something of the care of a card of something
    else, and those of the drug’s own sources that forbid it with what the card gives.
    """
    drugs = of_drug.plan.subject.concepts
    titles = {h.passage.urn: h.passage.origin_title for s in card.evidence.sections for h in s.hits}
    told = [
        s
        for s in _assertions(card)
        if bars(s.text, drugs) and not is_of_the_drug(titles[s.source_urn], drugs)
    ]
    if not any(not is_of_the_drug(title, drugs) for title in titles.values()):
        return tuple(told)  # « le nom de l’anticoagulant est noté » gives none
    harms = [c for c in of_drug.plan.subject.beside if kind_done(c, drugs) is None]
    return (*told, *(s for s in _assertions(of_drug) if _is_barred_there(s, harms, card)))


def _is_barred_there(span: DraftAssertion, harms: Iterable[Concept], card: Draft) -> bool:
    """Whether a sentence of a drug’s sources forbids it in a disease told (« la metformine est
    contre-indiquée… infarctus récent »), or with something that the card gives.
    """
    named = span.section == _BARRED and forbids(span.text)
    return _is_with_what_is_given(span.text, card) or (
        named and any(holds(span.text, c) for c in harms)
    )


def with_all_that_is_barred(card: Draft, of_drug: Draft, index: PassageIndex) -> Draft:
    """What is to be done, after what its cards forbid to who takes the drug in sections that are
    not shown (« la ponction lombaire est contre-indiquée en cas d’anticoagulant efficace »).
    """
    drugs, asked = of_drug.plan.subject.concepts, card.plan.subject.populations
    shown = {s.text for s in _assertions(card)}
    quotes: list[DraftAssertion] = []
    passages: list[Passage] = []
    for passage in of_cards(card.plan.subject.concepts, index):
        title = f"{passage.origin_title} {passage.heading}"
        if passage.superseded or is_of_the_drug(title, drugs):
            continue
        for unit in units(passage, passage.section):
            text = passage.text[unit.start : unit.end]
            other = fit(groups(text), groups(title), asked, dosing=True) is Fit.OTHER
            if text not in shown and bars(text, drugs) and not other:
                quotes.append(quoted_as(_BARRED, passage, text))
                passages.append(passage)
    return first_of_all(card, quotes, passages) if quotes else card


def _is_with_what_is_given(text: str, card: Draft) -> bool:
    """Whether a sentence forbids a drug together with something that a card doses, or with a class
    (« un autre anticoagulant ») of which it gives a member.
    """
    with_it = WITH.search(fold(text))
    if with_it is None or not forbids(text):
        return False
    what = _UNLESS.split(with_it["what"])[0]
    given = [s.text for s in _assertions(card) if not forbids(s.text)]
    dosed = stems(t for t in given if DOSE.search(fold(t)))
    if any(holds_word(dosed, w) for w in content_words(what) if w not in _HOW):
        return True
    named = narrowest_said(what)
    return any(named & classes_in(t) for t in given)


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
    """What the sources of a drug say, of its contraindications those alone that bear on what went
    wrong: whether to start the drug is not asked.
    """
    told = of_drug.plan.subject.beside

    def is_of_use(span: DraftSpan) -> bool:
        if not isinstance(span, DraftAssertion) or span.section != _BARRED:
            return True
        return any(holds(span.text, c) for c in told) or _is_with_what_is_given(span.text, card)

    spans = tuple(filter(is_of_use, of_drug.spans))
    said = {s.section for s in spans}
    plan = of_drug.plan
    kept = tuple(s for s in plan.sections if s != _BARRED or s in said)
    return replace(of_drug, plan=replace(plan, sections=kept), spans=spans)


def of_the_case_told(card: Draft) -> Draft:
    """What is to be done, what names the case as it is told before the rest of its section; what is
    done of something feared that is not told (bleeding, of a fall) left out.
    """
    told = [c for c in card.plan.subject.beside if is_told_by_kind(c)]
    left = _without_the_feared(card, told)
    return replace(left, spans=tuple(sorted(left.spans, key=lambda s: -_named(s, told))))


def _without_the_feared(card: Draft, told: Iterable[Concept]) -> Draft:
    for harm in told:
        kind = kind_named(harm)
        worse = feared(kind) if kind else None
        if kind is None or worse is None:
            continue
        kept = [
            s
            for s in card.spans
            if not isinstance(s, DraftAssertion)
            or kind.said.search(fold(s.text))
            or not worse.said.search(fold(s.text))
        ]
        if len(kept) < len(card.spans):
            said = _UNTOLD.format(what=f"une {worse.called[0]}")
            left = {s.section for s in kept if isinstance(s, DraftAssertion)}
            sections = tuple(s for s in card.plan.sections if s in left)
            first = Narrative(text=said, section=next(iter(sections), card.plan.sections[0]))
            return replace(card, plan=replace(card.plan, sections=sections), spans=(first, *kept))
    return card


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
