"""What forbids the class of a drug in the disease asked, where nothing names the drug there."""

from __future__ import annotations

from dataclasses import replace

from ancremed_desktop.domain.plans import Concept, Question, RetrievalPlan
from ancremed_desktop.pipeline.drug_classes import classes_in
from ancremed_desktop.pipeline.set_aside import narrowed, quoted
from ancremed_desktop.text.french import NBSP

FORBIDDING = (
    "contre-indications", "première intention", "traitement", "conduite à tenir", "alternatives",
)  # fmt: skip
"""Where a source on a disease says what is not given for it."""


def of_its_class(question: Question, plan: RetrievalPlan) -> tuple[RetrievalPlan, str] | None:
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
