"""An answer found by look-up: its passages are quoted whole, no section is searched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.evidence import (
    Evidence,
    MatchMode,
    QueryTrace,
    Round,
    SearchHit,
    SectionEvidence,
)
from ancremed_desktop.domain.identifiers import Silo, TopicClass
from ancremed_desktop.domain.plans import PlanMode, RetrievalPlan, SubQuery


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectAnswer:
    """What was found for a question. ``message``: French, said above it. ``shows``: whether a
    paragraph of its passages is wanted. ``nothing``: French, what to say when there are none.
    """

    plan: RetrievalPlan
    evidence: Evidence
    message: str
    shows: Callable[[str], bool] = bool
    nothing: str = "Aucun de vos documents ne contient ce qui est demandé."


@dataclass(frozen=True, slots=True, kw_only=True)
class LookUp:
    """Where one section was looked up. ``done``: French, what was consulted."""

    section: str
    silo: Silo
    topic: TopicClass
    done: str

    def answer(
        self,
        plan: RetrievalPlan,
        label: str,
        passages: Sequence[Passage],
        message: str,
        shows: Callable[[str], bool] = bool,
        nothing: str = "",
    ) -> DirectAnswer:
        """``passages`` as the whole answer to a question planned as ``plan`` about ``label``.

        ``nothing`` is needed where ``passages`` may be empty.
        """
        trace = QueryTrace(
            section=self.section,
            query=label,
            silo=self.silo,
            mode=MatchMode.RANKED,
            hits=len(passages),
            fresh=len(passages),
        )
        hits = tuple(SearchHit(passage=p, score=1.0) for p in passages)
        return DirectAnswer(
            plan=replace(
                plan,
                mode=PlanMode.TARGETED,
                primary_class=self.topic,
                secondary_class=None,
                sections=(self.section,),
                sub_queries=(SubQuery(section=self.section, query=label, silo=self.silo),),
                silos=(self.silo,),
            ),
            evidence=Evidence(
                sections=(SectionEvidence(section=self.section, hits=hits, covered=bool(hits)),),
                rounds=(Round(number=1, queries=(trace,), uncovered=()),),
                stop_reason=self.done,
            ),
            message=message,
            shows=shows,
            nothing=nothing,
        )
