"""« Différence entre asthme et BPCO »: what the sources say of each, where none compares them."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import reduce

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.evidence import Evidence
from ancremed_desktop.domain.identifiers import SECTIONS
from ancremed_desktop.domain.plans import Question, RetrievalPlan
from ancremed_desktop.domain.spans import Abstention, DraftAssertion
from ancremed_desktop.pipeline.drafts import Draft, Tools, after
from ancremed_desktop.pipeline.holding import holds
from ancremed_desktop.pipeline.nothing_new import NOT_FOUND
from ancremed_desktop.pipeline.set_aside import narrowed
from ancremed_desktop.text.french import NBSP
from ancremed_desktop.text.normalise import fold

_COMPARES = re.compile(r"\bdifferences?\b|\bdifferenci(?:e|er|ent)\b|\bvs\b|\bversus\b|\bcompar\w+")
_TELLING = frozenset(
    {"définition", "classification", "signes", "paraclinique", "diagnostics différentiels",
     "reconnaissance"}
)  # fmt: skip
"""What tells one disease from another; doses of two drugs side by side would read as equal."""
_MOST = 2
_NOT_COMPARED = (
    f"Aucun extrait ne les compare{NBSP}: voici, rubrique par rubrique, ce que les sources disent "
    "de chacun."
)


def side_by_side(question: Question, plan: RetrievalPlan, tools: Tools) -> Draft | None:
    """What is said of each disease a question compares, as filed; ``None`` if one says nothing."""
    plans = compared(question, plan)
    drafts = []
    for one in plans:
        found = _about_it(tools.search(one), one)
        spans = tuple(s for s in tools.generate(one, found) if isinstance(s, DraftAssertion))
        said = {s.section for s in spans}
        told = replace(one, sections=tuple(s for s in one.sections if s in said))
        drafts.append(Draft(plan=told, evidence=found, spans=spans))
    if not drafts or not all(d.spans for d in drafts):
        return None
    whole = reduce(after, drafts)
    lacking = tuple(s for s in plan.sections if s not in (*_TELLING, *whole.plan.sections))
    absent = tuple(Abstention(section=s, reason=NOT_FOUND) for s in lacking)
    told = replace(whole.plan, sections=(*whole.plan.sections, *lacking))
    return replace(
        whole,
        plan=told,
        spans=(*whole.spans, *absent),
        notice=_NOT_COMPARED if len(plans) > 1 else whole.notice,
    )


def compared(question: Question, plan: RetrievalPlan) -> tuple[RetrievalPlan, ...]:
    """A plan for each disease a question compares; of one whose name says both (« paralysie faciale
    centrale et périphérique ») a single one. Empty for any other question.
    """
    concepts = plan.subject.concepts
    named = all(c.identifiers and not c.mandatory and not c.exact for c in concepts)
    if not (_COMPARES.search(fold(question.text)) and named and 0 < len(concepts) <= _MOST):
        return ()
    sections = tuple(s for s in SECTIONS if s in _TELLING or s in plan.sections)
    return tuple(narrowed(plan, (c,), sections) for c in concepts)


def _about_it(evidence: Evidence, plan: RetrievalPlan) -> Evidence:
    """Evidence less the sources whose title is about something else, and what is filed elsewhere:
    « un asthme » under the classification of allergies does not classify asthma.
    """

    def is_about(passage: Passage) -> bool:
        title = f"{passage.origin_title} {passage.heading}"
        return all(
            passage.source_identifier in c.identifiers or holds(title, c)
            for c in plan.subject.concepts
        )

    return replace(
        evidence,
        sections=tuple(
            replace(
                s,
                hits=tuple(
                    h for h in s.hits if h.passage.section == s.section and is_about(h.passage)
                ),
            )
            for s in evidence.sections
        ),
    )
