"""A draft: spans with the plan and the evidence they are made from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ancremed_desktop.domain.evidence import Evidence, SectionEvidence
from ancremed_desktop.domain.plans import Question, RetrievalPlan
from ancremed_desktop.domain.spans import DraftSpan
from ancremed_desktop.pipeline.direct_answer import DirectAnswer
from ancremed_desktop.pipeline.lexicon import PlanningLexicon
from ancremed_desktop.ports import PassageIndex


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What drafts are made with; ``search`` and ``generate`` are of the question under way.
    ``replan``: the plan of another one.
    """

    index: PassageIndex
    lexicon: PlanningLexicon
    search: Callable[[RetrievalPlan], Evidence]
    generate: Callable[[RetrievalPlan, Evidence], tuple[DraftSpan, ...]]
    replan: Callable[[Question], RetrievalPlan]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """Spans with the plan and the evidence they are made from. ``own``: found by look-up.
    ``notice``: French, what of the question they do not answer.
    """

    plan: RetrievalPlan
    evidence: Evidence
    spans: tuple[DraftSpan, ...]
    own: DirectAnswer | None = None
    notice: str = ""


def after(first: Draft, second: Draft) -> Draft:
    """Two drafts, one after the other; a section of both stands where the first has it."""
    plan, evidence = first.plan, first.evidence
    sections = tuple(dict.fromkeys((*plan.sections, *second.plan.sections)))
    queries = (*plan.sub_queries, *second.plan.sub_queries)
    hits = {
        s: tuple(
            h
            for e in (evidence, second.evidence)
            for x in e.sections
            if x.section == s
            for h in x.hits
        )
        for s in sections
    }
    return replace(
        first,
        plan=replace(plan, sections=sections, sub_queries=queries),
        evidence=replace(
            evidence,
            sections=tuple(
                SectionEvidence(section=s, hits=found, covered=bool(found))
                for s, found in hits.items()
            ),
            rounds=(*evidence.rounds, *second.evidence.rounds),
        ),
        spans=(*first.spans, *second.spans),
    )
