"""Questions that a drug's administrative record answers: what it contains, costs, needs."""

from __future__ import annotations

import re
from dataclasses import replace

from ancremed_desktop.domain.identifiers import SECTIONS
from ancremed_desktop.domain.plans import PlanMode, RetrievalPlan, Subject
from ancremed_desktop.pipeline.lexicon import PlanningLexicon
from ancremed_desktop.pipeline.relevance import RECORD_SECTIONS

_CONTENT = "composition et présentations"
_OTHERWISE = frozenset({"indication", "fonction", "structure"})
"""Sections whose words a record shares (« quelle molécule », « voie », « forme »); no dose."""
_IDENTITY = re.compile(
    r"\b(?:formes?(?: pharmaceutiques?)?|voies?|laboratoires?|titulaires?|exploitants?|"
    r"code (?:cis|cip\w*|atc)|specialite)\b"
)


def asked_records(
    folded: str, subject: Subject, named: tuple[str, ...], lexicon: PlanningLexicon
) -> tuple[str, ...]:
    """Sections of the record of a product that a question asks for, none if it asks for more.

    Only of a drug of the register: « quelle molécule ? » of a disease is another question.
    """
    if not any(c.mandatory and any(i.isdecimal() for i in c.identifiers) for c in subject.concepts):
        return ()
    if any(s not in _OTHERWISE and s not in RECORD_SECTIONS for s in named):
        return ()
    asked = {
        name
        for name in RECORD_SECTIONS
        for pattern in (lexicon.sections[name].ask, lexicon.sections[name].find)
        if pattern is not None and pattern.search(folded)
    }
    if _IDENTITY.search(folded) or (not asked and not named and _is_code(subject)):
        asked.add(_CONTENT)
    return tuple(s for s in SECTIONS if s in asked)


def instead(plan: RetrievalPlan) -> RetrievalPlan | None:
    """The plan of a bare drug that no section answers, with the sections of its record beside
    those that found nothing; ``None`` for any other question.
    """
    concepts = plan.subject.concepts
    bare = plan.mode is PlanMode.COMPLETE and not plan.pointed and len(concepts) == 1
    if not (bare and any(i.isdecimal() for i in concepts[0].identifiers)):
        return None
    sections = (*plan.sections, *(s for s in SECTIONS if s in RECORD_SECTIONS))
    return replace(plan, sections=tuple(dict.fromkeys(sections)))


def _is_code(subject: Subject) -> bool:
    return all(c.phrases[0].isdecimal() for c in subject.concepts)
