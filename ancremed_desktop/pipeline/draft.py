"""From what was found to a draft: the sections, the sentences that answer a point, or what may
stand instead of them when the corpus has nothing to say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ancremed_desktop.domain.evidence import Evidence
from ancremed_desktop.domain.plans import Question, RetrievalPlan
from ancremed_desktop.domain.spans import DraftAssertion, DraftSpan
from ancremed_desktop.pipeline import programme, records
from ancremed_desktop.pipeline.best_answer import best_answer, nothing_on_the_point
from ancremed_desktop.pipeline.direct_answer import DirectAnswer
from ancremed_desktop.pipeline.lexicon import SectionCues
from ancremed_desktop.pipeline.own_documents import extracts
from ancremed_desktop.pipeline.whole_quotes import quote_whole
from ancremed_desktop.ports import PassageIndex


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What drafts are made with; ``search`` and ``generate`` are of the question under way."""

    index: PassageIndex
    sections: Mapping[str, SectionCues]
    search: Callable[[RetrievalPlan], Evidence]
    generate: Callable[[RetrievalPlan, Evidence], tuple[DraftSpan, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """Spans with the plan and the evidence they are made from. ``own``: found by look-up."""

    plan: RetrievalPlan
    evidence: Evidence
    spans: tuple[DraftSpan, ...]
    own: DirectAnswer | None = None


def make_draft(question: Question, plan: RetrievalPlan, evidence: Evidence, tools: Tools) -> Draft:
    """The draft of a question of which nothing was looked up.

    Raises:
        Cancelled: the user stopped.

    """
    spans = tools.generate(plan, evidence)
    said = any(isinstance(d, DraftAssertion) for d in spans)
    if not said and (own := extracts(question, tools.index, every_word=True)):
        return looked_up(own)
    best = best_answer(plan, evidence, spans, tools.index, tools.sections, tools.generate)
    if best is not None:
        return Draft(plan=best.plan, evidence=best.evidence, spans=best.drafts)
    nothing = nothing_on_the_point(plan, evidence)
    if nothing is not None and said and (own := extracts(question, tools.index, every_word=True)):
        return looked_up(own)
    if (nothing or not said) and (own := programme.instead(question, plan, tools.index)):
        return looked_up(own)
    if nothing is not None:
        return Draft(plan=nothing.plan, evidence=nothing.evidence, spans=nothing.drafts)
    if not said and (record := records.instead(plan)):
        found = tools.search(record)
        return Draft(plan=record, evidence=found, spans=tools.generate(record, found))
    return Draft(plan=plan, evidence=evidence, spans=spans)


def looked_up(own: DirectAnswer) -> Draft:
    """The draft of what was looked up: its passages whole."""
    return Draft(plan=own.plan, evidence=own.evidence, spans=quote_whole(own.evidence), own=own)
