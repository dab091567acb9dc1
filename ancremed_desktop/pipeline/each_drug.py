"""« HPP ocytocine sulprostone dose »: several drugs of one disease, each answered for itself."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from ancremed_desktop.domain.plans import RetrievalPlan
from ancremed_desktop.domain.spans import Abstention, DraftAssertion
from ancremed_desktop.pipeline.drafts import Draft, Tools, after
from ancremed_desktop.pipeline.own_lines import drugs_of
from ancremed_desktop.pipeline.set_aside import narrowed
from ancremed_desktop.text.french import NBSP

_MOST = 4


def drug_by_drug(plan: RetrievalPlan, tools: Tools) -> Draft | None:
    """What is said of each drug asked in one disease, with those of which nothing is."""
    drafts, silent = [], []
    for one in _of_each_drug(plan):
        found = tools.search(one)
        spans = tuple(s for s in tools.generate(one, found) if not isinstance(s, Abstention))
        if any(isinstance(s, DraftAssertion) for s in spans):
            said = {s.section for s in spans if isinstance(s, DraftAssertion)}
            told = replace(one, sections=tuple(s for s in one.sections if s in said))
            drafts.append(Draft(plan=told, evidence=found, spans=spans))
        else:
            silent.append(one.subject.concepts[-1].phrases[0])
    if not drafts:
        return None
    whole = reduce(after, drafts)
    names = ", ".join(f"«{NBSP}{name}{NBSP}»" for name in silent)
    return replace(whole, notice=f"Aucun extrait ne répond sur {names}." if silent else "")


def _of_each_drug(plan: RetrievalPlan) -> tuple[RetrievalPlan, ...]:
    """A plan for each drug of a question with all that it is asked in; empty where the disease is
    not named, or the drugs are asked about together.
    """
    drugs = drugs_of(plan.subject.concepts)
    disease = tuple(c for c in plan.subject.concepts if c not in drugs)
    asked = any(c.identifiers for c in disease)
    if not (1 < len(drugs) <= _MOST and asked) or plan.subject.pairs or plan.subject.unknown_words:
        return ()
    return tuple(narrowed(plan, (*disease, drug), plan.sections) for drug in drugs)
