"""A question that nothing answers whole, asked again without one of its words, which is said."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from ancremed_desktop.domain.identifiers import SAFETY, SECTIONS, TopicClass
from ancremed_desktop.domain.plans import (
    Concept,
    PlanMode,
    Question,
    RetrievalPlan,
    Subject,
    SubQuery,
)
from ancremed_desktop.pipeline.bearing import is_disease
from ancremed_desktop.pipeline.cards import of_cards
from ancremed_desktop.pipeline.french_words import is_specialised
from ancremed_desktop.pipeline.laboratory import value_names
from ancremed_desktop.pipeline.population import EXPECTING
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.french import NBSP
from ancremed_desktop.text.normalise import fold, unfolded_range

_PATIENT = re.compile(
    r"(?:(?:femmes?|patientes?) )?(?:enceintes?|gravides?|allaitantes?)|grossesses?|parturientes?"
)
"""Whom a question is about."""
_OF_MEDICINE = 2.8
"""Least logarithm of how much commoner than in everyday French the word set aside is in the corpus:
« permis » 1.9, « voyage » 0.5, « chien » below 0; « retard » 3.3, « spécialisé » 4.6.
"""
DANGERS = "contre-indications"
"""What a drug forbids is shown whatever it is asked beside: the reader finds the case or not."""
_ASKED_OF_A_DRUG = SAFETY | {"effets indésirables"}
_OF_A_DISEASE = frozenset(
    {"gestes immédiats", "traitement", "reconnaissance", "orientation", "signes", "paraclinique",
     "gravité", "conduite à tenir", "dépistage et prévention", "cadre réglementaire", "suivi",
     "critères diagnostiques", "première intention"}
)  # fmt: skip
_AT_ONCE = "gestes immédiats"
_MAX_CONCEPTS = 3
_ASIDE_OF_A_DRUG = 2
_TWO = 2


def without_one(
    question: Question, plan: RetrievalPlan, index: PassageIndex
) -> tuple[RetrievalPlan, str] | None:
    """(the plan without one word, what is said of it in French); ``None`` where the word may be
    the very point: a point or a whole topic of a disease, a dose, a word of another trade.
    """
    subject = plan.subject
    if subject.unknown_words or subject.pairs or plan.search is None:
        return None
    if len(subject.concepts) == len(_drugs(subject)) == _TWO:
        return _each(question, plan)
    if not 1 < len(subject.concepts) <= _MAX_CONCEPTS:
        return None
    drugs = _drugs(subject)
    spare = [c for c in subject.concepts if _is_spare(c, of_a_drug=bool(drugs), index=index)]
    if not 1 <= len(spare) <= (_ASIDE_OF_A_DRUG if drugs else 1):
        return None
    if drugs:
        asked = plan.sections if plan.mode is PlanMode.TARGETED else ()
        sections = tuple(
            s for s in SECTIONS if s == DANGERS or (s in asked and s in _ASKED_OF_A_DRUG)
        )
    elif plan.mode is PlanMode.TARGETED or plan.primary_class is TopicClass.EMERGENCY:
        sections = tuple(s for s in plan.sections if s in _OF_A_DISEASE)
    else:
        sections = ()
    kept = tuple(c for c in subject.concepts if c not in spare)
    if not sections or not any(c.identifiers for c in kept):
        return None
    return narrowed(plan, kept, sections), (
        f"Aucun extrait ne répond sur {quoted(spare, question.text)}{NBSP}: ce qui suit porte sur "
        f"{quoted(kept, question.text)} et n’en dit rien."
    )


def of_an_emergency(subject: Subject) -> Subject:
    """The subject of an emergency: whom it is about is no word its card must hold."""
    kept = tuple(c for c in subject.concepts if not _PATIENT.fullmatch(c.phrases[0]))
    if not kept or not EXPECTING & subject.populations:
        kept = subject.concepts
    words = tuple(c.phrases[0] for c in kept if not c.exact)
    return replace(
        subject,
        label=" ".join(words),
        words=words,
        entity_ids=tuple(dict.fromkeys(i for c in kept for i in c.identifiers)),
        concepts=kept,
        vital=True,
    )


def dangers_alone(plan: RetrievalPlan, *, unasked: bool) -> RetrievalPlan | None:
    """The plan of what a drug forbids, whatever it is asked beside (« colchicine goutte »).

    ``None`` where no drug is named, nothing beside it, or its dangers are not in the plan, unless
    they are shown ``unasked``.
    """
    drugs = tuple(_drugs(plan.subject))
    beside = len(drugs) < len(plan.subject.concepts)
    wanted = unasked or DANGERS in plan.sections
    if not (drugs and beside and wanted) or plan.subject.pairs:
        return None
    return narrowed(plan, drugs, (DANGERS,))


def _drugs(subject: Subject) -> list[Concept]:
    return [c for c in subject.concepts if c.mandatory and c.identifiers and not c.exact]


def _each(question: Question, plan: RetrievalPlan) -> tuple[RetrievalPlan, str]:
    """What each of two drugs forbids, where nothing speaks of both and no thesaurus is indexed."""
    one, other = plan.subject.concepts
    either = replace(
        one,
        phrases=(*one.phrases, *other.phrases),
        identifiers=(*one.identifiers, *other.identifiers),
    )
    names = " et ".join(quoted([c], question.text) for c in (one, other))
    return narrowed(plan, (either,), (DANGERS, "interactions")), (
        f"Aucun extrait ne parle de {names} ensemble{NBSP}: ce qui suit porte sur chacun et ne "
        "permet pas de conclure sur leur association."
    )


def quoted(concepts: Iterable[Concept], text: str) -> str:
    """Concepts between French quotes, as a text writes them."""
    return ", ".join(f"«{NBSP}{as_typed(c.phrases[0], text)}{NBSP}»" for c in concepts)


def as_typed(folded: str, text: str) -> str:
    """A folded wording as a text writes it; as it is where the text does not."""
    at = fold(text).find(folded)
    return text[slice(*unfolded_range(text, at, at + len(folded)))] if at >= 0 else folded


def spare_concepts(subject: Subject, index: PassageIndex) -> tuple[str, ...]:
    """First wordings of what the card of an emergency need not speak of: what must be done first
    is shown whole, and it is said what it does not speak of.
    """
    unknown = {fold(w) for w in subject.unknown_words}
    found = [
        c
        for c in subject.concepts
        if _is_spare(c, of_a_drug=True, index=index)
        and (c.phrases[0] in value_names() or not is_disease(c))
        and not any(p.section == _AT_ONCE for p in of_cards([c], index))  # it is the emergency
    ]
    return tuple(c.phrases[0] for c in found if c.phrases[0] not in unknown)


def _is_spare(concept: Concept, *, of_a_drug: bool, index: PassageIndex) -> bool:
    """Whether an answer without a concept may be shown: no drug, no exact word, of medicine; of a
    disease no other disease.
    """
    if concept.mandatory or concept.exact:
        return False
    last = (phrase.rpartition(" ")[2] for phrase in concept.phrases)  # « ECG » is written out
    if not any(is_specialised(word, index, _OF_MEDICINE, fewest=1) for word in last):
        return False
    return of_a_drug or not (concept.identifiers or is_disease(concept))


def narrowed(
    plan: RetrievalPlan, kept: tuple[Concept, ...], sections: tuple[str, ...]
) -> RetrievalPlan:
    """A plan of some concepts and sections alone, both named by the question."""
    words = tuple(c.phrases[0] for c in kept if not c.exact)
    entities = tuple(dict.fromkeys(i for c in kept for i in c.identifiers))
    subject = replace(
        plan.subject, label=" ".join(words), words=words, entity_ids=entities, concepts=kept
    )
    query = " ".join(words)
    return replace(
        plan,
        mode=PlanMode.TARGETED,
        sections=sections,
        subject=subject,
        sub_queries=tuple(SubQuery(section=s, query=f"{query} {s}") for s in sections),
        search=replace(plan.search, query=query) if plan.search else None,
        pointed=False,
    )
