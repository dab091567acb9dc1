"""What forbids the class of a drug in the disease asked, where nothing names the drug there."""

from __future__ import annotations

import re
from dataclasses import replace

from ancremed_desktop.domain.plans import Concept, Question, RetrievalPlan
from ancremed_desktop.domain.spans import DraftAssertion, Narrative
from ancremed_desktop.pipeline.case import forbids
from ancremed_desktop.pipeline.drafts import Draft, Tools
from ancremed_desktop.pipeline.drug_classes import class_named, classes_in
from ancremed_desktop.pipeline.set_aside import narrowed, quoted
from ancremed_desktop.text.french import NBSP
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import words

FORBIDDING = (
    "contre-indications", "première intention", "traitement", "conduite à tenir", "alternatives",
)  # fmt: skip
"""Where a source on a disease says what is not given for it."""

_OF_THE_CARD = re.compile(r"\bpar cette fiche\b")


def of_its_class(question: Question, plan: RetrievalPlan, tools: Tools) -> Draft | None:
    """The draft of what forbids the class of a drug in the disease asked, if anything does."""
    widened = _widened(question, plan)
    if widened is None:
        return None
    wider, notice = widened
    found = tools.search(wider)
    spans = tuple(
        s
        for s in tools.generate(wider, found)
        if isinstance(s, Narrative)
        or (isinstance(s, DraftAssertion) and _forbids_the_class(s.text, wider))
    )
    said = {s.section for s in spans if isinstance(s, DraftAssertion)}
    if not said:
        return None
    kept = tuple(s for s in wider.sections if s in said)
    return Draft(
        plan=replace(wider, sections=kept),
        evidence=replace(found, sections=tuple(s for s in found.sections if s.section in said)),
        spans=tuple(s for s in spans if s.section in said),
        notice=notice,
    )


def _widened(question: Question, plan: RetrievalPlan) -> tuple[RetrievalPlan, str] | None:
    """(the plan of what is said of the drug’s class in the disease, what is said of it in French);
    ``None`` where no drug of a known class is asked in a disease that a source is about.
    """
    drugs = [c for c in plan.subject.concepts if c.mandatory and not c.exact]
    others = [c for c in plan.subject.concepts if c not in drugs]
    if len(drugs) != 1 or not others or not any(c.identifiers for c in others):
        return None
    drug = drugs[0]
    classes = frozenset[str]().union(*(classes_in(p) for p in drug.phrases))
    if drug.classes or not classes or plan.subject.pairs or plan.subject.unknown_words:
        return None
    wider = replace(drug, classes=classes, identifiers=())
    kept: tuple[Concept, ...] = (*others, wider)
    notice = (
        f"Aucun extrait ne nomme {quoted([drug], question.text)} dans le cas de "
        f"{quoted(others, question.text)}{NBSP}: ce qui suit porte sur une classe dont il fait "
        "partie."
    )
    return narrowed(plan, kept, FORBIDDING), notice


def _forbids_the_class(text: str, plan: RetrievalPlan) -> bool:
    """Whether a sentence forbids the class itself, not another drug of it (« le valproate est
    évité »), in the disease, not in a card (« ne sont pas données par cette fiche »).
    """
    classes = frozenset[str]().union(*(c.classes for c in plan.subject.concepts if c.mandatory))
    named = (class_named(word) for word in words(text))
    return (
        forbids(text)
        and not _OF_THE_CARD.search(fold(text))
        and any(not classes.isdisjoint(found) for found in named)
    )
