"""What the cards of a question say of a value it gives (« K 3,0 », « TA 85/50 »): what they forbid
there stands before the answer, whatever else was found.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.evidence import SearchHit, SectionEvidence
from ancremed_desktop.domain.plans import Question, RetrievalPlan, Subject
from ancremed_desktop.domain.spans import Abstention, DraftAssertion, Narrative
from ancremed_desktop.pipeline.bearing import DOSE, names_drug
from ancremed_desktop.pipeline.cards import of_cards
from ancremed_desktop.pipeline.case import Bearing, bearing, holds_value
from ancremed_desktop.pipeline.drafts import Draft
from ancremed_desktop.pipeline.generate import quoted_as
from ancremed_desktop.pipeline.holding import holds
from ancremed_desktop.pipeline.plain_values import plain_values
from ancremed_desktop.pipeline.population import Fit, fit, groups
from ancremed_desktop.pipeline.silences import silent_on
from ancremed_desktop.pipeline.told_values import low_signs
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.sentences import sentence_spans

_DOSES = "posologie"
_RULES = ("contre-indications", "gestes immédiats", "traitement", _DOSES)
"""Sections of a card of which a sentence may be the rule for a value, in the order shown."""


def with_rules_of_value(
    draft: Draft, question: Question, plan: RetrievalPlan, index: PassageIndex
) -> Draft:
    """A draft after what the cards named by its question forbid at the values given, and what they
    say where a vital sign is low; as it is where they say nothing, or it says it already.
    """
    found = list(_rules(question, plan.subject, index))
    if not found:
        return draft
    told = {fold(d.text) for d, _passage in found}
    sections = tuple(s for s in _RULES if any(d.section == s for d, _passage in found))
    hits = tuple(
        SectionEvidence(
            section=s,
            hits=tuple(SearchHit(passage=p, score=0.0) for d, p in found if d.section == s),
            covered=True,
        )
        for s in sections
    )
    lead = sections if names_drug(plan.subject) else ()  # what is done at once stays first
    asked = plan.subject.populations
    spoken = {
        s: asked & groups(" ".join(d.text for d, _p in found if d.section == s)) for s in sections
    }
    others = (
        s
        for s in draft.spans
        if not (isinstance(s, DraftAssertion) and fold(s.text) in told)
        and not (isinstance(s, Abstention) and s.section in sections)
        and not (
            isinstance(s, Narrative)
            and s in silent_on(spoken.get(s.section, frozenset()), s.section)
        )
    )
    return replace(
        draft,
        plan=replace(
            draft.plan, sections=tuple(dict.fromkeys((*lead, *draft.plan.sections, *sections)))
        ),
        evidence=replace(draft.evidence, sections=(*hits, *draft.evidence.sections)),
        spans=(*(d for d, _passage in found), *others),
    )


def _rules(
    question: Question, subject: Subject, index: PassageIndex
) -> Iterator[tuple[DraftAssertion, Passage]]:
    low = low_signs(plain_values(question.raw))
    if not (low or subject.values) or subject.unknown_words:
        return
    asked = subject.populations
    drugs = [c for c in subject.concepts if c.mandatory and not c.exact]
    seen: set[str] = set()
    for passage in of_cards(subject.concepts, index):
        if passage.superseded or passage.section not in _RULES:
            continue
        title = f"{passage.origin_title} {passage.heading}"
        own = any(holds(title, c) for c in drugs)
        for start, end in sentence_spans(passage.text):
            text = passage.text[start:end]
            met = any(pattern.search(fold(text)) for pattern in low)
            barred = holds_value(text, subject) and bearing(text, subject) is Bearing.FORBIDS
            if barred and names_drug(subject):
                barred = own or any(holds(text, c) for c in drugs)
            other = fit(groups(text), groups(title), asked, dosing=True) is Fit.OTHER
            dosed = passage.section == _DOSES and DOSE.search(fold(text))
            if (met or barred) and not (other or dosed) and fold(text) not in seen:
                seen.add(fold(text))
                yield quoted_as(passage.section, passage, text), passage
