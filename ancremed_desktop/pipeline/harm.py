"""What goes wrong under a drug (« hémorragie sous apixaban », « INR 7 sous warfarine »): what is to
be done comes first, then what undoes and what forbids the drug; never how it is usually given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ancremed_desktop.domain.identifiers import Silo, TopicClass
from ancremed_desktop.domain.plans import (
    Concept,
    PlanMode,
    Qualifier,
    Question,
    RetrievalPlan,
    Subject,
)
from ancremed_desktop.pipeline.asked_sections import OPTIONAL, REQUIRED
from ancremed_desktop.pipeline.bearing import is_disease
from ancremed_desktop.pipeline.cards import of_cards
from ancremed_desktop.pipeline.case import forbids
from ancremed_desktop.pipeline.drug_classes import (
    kinds_said,
    narrowest_named,
    narrowest_said,
    wider_kinds,
)
from ancremed_desktop.pipeline.harm_cards import (
    AT_ONCE,
    as_one,
    cards_of_disease,
    cards_of_kind,
    joined,
)
from ancremed_desktop.pipeline.harm_kinds import (
    POISONING,
    Kind,
    classes_of,
    feared,
    kind_done,
    kind_named,
    kinds,
)
from ancremed_desktop.pipeline.holding import holds
from ancremed_desktop.pipeline.set_aside import as_typed, narrowed
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.french import NBSP
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.sentences import sentence_spans
from ancremed_desktop.text.words import content_words, stem

_ANTIDOTE = "antidote"
_CONDUCT = ("conduite à tenir",)
_REST = ("traitement", *_CONDUCT, "orientation", "suivi", "reconnaissance")
_TO_DO = (AT_ONCE, _ANTIDOTE, *_REST)
_BY_VALUE = (_ANTIDOTE, AT_ONCE, *_REST)
"""Where a value is asked, the lines that go by it first."""
_GIVEN = frozenset({AT_ONCE, _ANTIDOTE, "traitement", *_CONDUCT})
_OF_THE_DRUG = (
    _ANTIDOTE, "contre-indications", "surveillance", "effets indésirables", "posologie",
)  # fmt: skip
"""Of the doses only when to stop is shown (``draft``)."""
_EMERGENCY = TopicClass.EMERGENCY
_WHAT_TO_DO = frozenset(
    {"antidote", "conduite à tenir", *REQUIRED[_EMERGENCY], *OPTIONAL[_EMERGENCY]}
)
"""Sections whose asking leaves the question one of what is to be done."""
_NOT_NOW = re.compile(
    r"\brisques?\b|\bpreven\w*|\beviter\b|\bscores?\b|\bantecedents?\b|\batcd\b|\bposologi\w*"
    r"|\bposo\b|\bdoses?\b(?! toxique)|\bfrequen\w*|\bpourquoi\b|\bmecanismes?\b|\bcible\b"
)
"""What asks of something else than what is to be done now."""
_HAPPENS = re.compile(
    r"(?:oedeme|lyse|penie|convulsions?|allergies?|eruptions?|malaises?|coma|toux|chutes?)\b"
)
_TOGETHER = re.compile(r"\binteract\w*|\bassoci\w*|\bcompatib\w*")
_UNDER = (
    r"\b(?:sous|ss|traitee?s? par|pren(?:d|ait|ant)|due?s? (?:a|au|aux|a la)"
    r"|liee?s? (?:a|au|aux)|induite?s? par)\b"
)
_NEAR = r"[^.;?]{0,30}?"


def plan_of_harm(
    question: Question, plan: RetrievalPlan, index: PassageIndex
) -> RetrievalPlan | None:
    """The plan of what is to be done, with that of the drug beside it; ``None`` where a question
    tells of nothing that went wrong under a drug.
    """
    folded = fold(question.text)
    if plan.search is None or _asks_otherwise(plan, folded) or _NOT_NOW.search(folded):
        return None
    known = _card_named(plan.subject.concepts, index)
    drugs = [c for c in plan.subject.concepts if _is_drug(c) and not _names_kind(c)]
    beside = _kind_beside(folded, known) if known else None
    told = (beside or known, known) if known else _told(question, plan, drugs, index)
    if told is None:
        return None
    harm, card = told
    rest = _of_drugs(plan, drugs, harm, index) if drugs else None
    under = ", ".join(f"«{NBSP}{as_typed(d.phrases[0], question.text)}{NBSP}»" for d in drugs)
    if card is None:
        named = f"«{NBSP}{as_typed(harm.phrases[0], question.text)}{NBSP}»"
        notice = (
            f"L’index n’a pas de conduite à tenir pour {named} sous {under}{NBSP}: ce qui suit est "
            "ce que disent les sources de ce médicament, sans ses doses habituelles. En cas de "
            "danger, appelez le 15 ou demandez un avis spécialisé."
        )
        return replace(rest, notice=notice) if rest else None
    titles = [next(iter(index.passages_of(i))).origin_title for i in card.identifiers]
    named = " et ".join(f"«{NBSP}{title}{NBSP}»" for title in titles)
    notice = f"Conduite à tenir d’après {'les fiches' if len(titles) > 1 else 'la fiche'} {named}."
    if drugs and not any(is_of_the_drug(title, drugs) for title in titles):
        verb = "portent" if len(titles) > 1 else "porte"
        notice = (
            f"{notice[:-1]}, qui ne {verb} pas sur {under} en particulier{NBSP}: vérifiez que ce "
            "médicament ne contre-indique rien de ce qui suit."
        )
    return replace(_of_card(plan, card, harm, index), beside=rest, notice=notice)


def is_of_the_drug(title: str, drugs: Iterable[Concept]) -> bool:
    """Whether a title names one of some drugs or the narrowest class of one."""
    return any(classes_of(d) & narrowest_named(title) or holds(title, d) for d in drugs)


def bars(text: str, drugs: Iterable[Concept]) -> bool:
    """Whether a sentence forbids something to who takes one of some drugs, or one of its class."""
    return forbids(text) and names_taken(text, drugs)


def names_taken(text: str, drugs: Iterable[Concept]) -> bool:
    """Whether a sentence names one of some drugs, or its class."""
    return any(
        holds(text, d)
        or classes_of(d) & narrowest_said(text)
        or not wider_kinds(classes_of(d)).isdisjoint(kinds_said(text))
        for d in drugs
    )


def is_told_by_kind(harm: Concept) -> bool:
    """Whether what went wrong is of a kind that drugs do (bleeding), rather than a disease."""
    return _names_kind(harm)


def _asks_otherwise(plan: RetrievalPlan, folded: str) -> bool:
    """Whether sections are asked that say nothing of what to do; of two drugs named together the
    interactions are shown unasked.
    """
    asked = set(plan.sections)
    if plan.subject.pairs and not _TOGETHER.search(folded):
        asked.discard("interactions")
    return plan.mode is PlanMode.TARGETED and not asked <= _WHAT_TO_DO


def _card_named(concepts: Iterable[Concept], index: PassageIndex) -> Concept | None:
    """The concept that names the card of an emergency of a drug (« surdosage en paracétamol »)."""
    for concept in concepts:
        if _names_kind(concept) and (classes_of(concept) or narrowest_named(concept.phrases[0])):
            cards = (p for p in of_cards([concept], index) if p.section == AT_ONCE)
            if found := next((p for p in cards if not p.superseded), None):
                return as_one({found.source_identifier: found.origin_title})
    return None


def _kind_beside(folded: str, card: Concept) -> Concept | None:
    """What went wrong beside what a card is named by (« INR 12, hémorragie »)."""
    for kind in kinds():
        match = kind.said.search(folded)
        if match and not kind.said.search(card.phrases[0]):
            return kind.as_told(match[0])
    return None


def _told(
    question: Question, plan: RetrievalPlan, drugs: Sequence[Concept], index: PassageIndex
) -> tuple[Concept, Concept | None] | None:
    """(what went wrong, the concept of the card that says what to do, if any)."""
    if not drugs:
        return None
    subject = plan.subject
    folded = fold(question.text)
    under = any(_is_under(folded, d) for d in drugs)
    others = [c for c in subject.concepts if c not in drugs]
    for kind in kinds():
        match = kind.said.search(folded)
        if match and (under or kind.is_done_by(drugs)):
            own = _own_cards(kind, others, subject, index)
            if own and (kind.name == POISONING or not kind.is_done_by(drugs)):
                return own  # « intoxication au CO sous apixaban » is no overdose of it
            of_kind = cards_of_kind(kind, drugs, subject, index)
            return kind.as_told(match[0]), joined(of_kind, own[1] if own else None)
        if kind.is_beyond(subject.values, drugs, folded):
            told = Concept(phrases=tuple(map(fold, kind.called)))
            return told, cards_of_kind(kind, drugs, subject, index)
    valued = {fold(c.replacement) for c in question.corrections if c.kind == "value"}
    named = [c for c in others if under or not valued.isdisjoint(c.phrases)]
    for sections in ((AT_ONCE,), _CONDUCT) if under else ((AT_ONCE,),):
        for concept in named:
            card = cards_of_disease(concept, subject, index, sections)
            acute = under and sections is not _CONDUCT
            if card and (acute or not any(_treats(d, card, index) for d in drugs)):
                return concept, card
    whole = plan.mode is PlanMode.COMPLETE and not plan.pointed
    known = any(p.section in _OF_THE_DRUG for p in of_cards(drugs, index))
    if under and whole and known and len(others) == 1 and _happens(others[0]):
        return others[0], None
    return None


def _own_cards(
    kind: Kind, others: Iterable[Concept], subject: Subject, index: PassageIndex
) -> tuple[Concept, Concept] | None:
    """(what went wrong, its cards) where it is named more narrowly than by its kind (« hémorragie
    digestive »).
    """
    for concept in others:
        named = (w for p in concept.phrases if kind.said.search(p) for w in content_words(p))
        if all(kind.said.fullmatch(w) for w in named):
            continue
        if card := cards_of_disease(concept, subject, index):
            return concept, card
    return None


def _happens(concept: Concept) -> bool:
    """Whether a concept is what may befall a patient under a drug, rather than what it is for."""
    return is_disease(concept) or any(map(_HAPPENS.search, concept.phrases[:2]))


def _names_kind(concept: Concept) -> bool:
    return kind_named(concept) is not None


def _is_drug(concept: Concept) -> bool:
    return not concept.exact and (concept.mandatory or bool(classes_of(concept)))


def _is_under(folded: str, drug: Concept) -> bool:
    return any(re.search(rf"{_UNDER}{_NEAR}\b{re.escape(p)}\b", folded) for p in drug.phrases[:2])


def _treats(drug: Concept, card: Concept, index: PassageIndex) -> bool:
    """Whether the card gives the drug: « glucagon hypoglycémie » asks how."""
    passages = (p for i in card.identifiers for p in index.passages_of(i))
    care = (p.text for p in passages if p.section in _GIVEN)
    said = (text[start:end] for text in care for start, end in sentence_spans(text))
    gives = any(holds(s, drug) and not forbids(s) for s in said)
    return gives and not holds(card.phrases[0], drug)


def _of_card(
    plan: RetrievalPlan, card: Concept, harm: Concept, index: PassageIndex
) -> RetrievalPlan:
    held = {p.section for i in card.identifiers for p in index.passages_of(i) if not p.superseded}
    kind = kind_named(harm)
    if kind is not None and feared(kind) is not None:
        held.discard(_ANTIDOTE)
    ordered = _BY_VALUE if any(name == "INR" for name, _ in plan.subject.values) else _TO_DO
    sections = tuple(s for s in ordered if s in held)
    found = _plan(plan, _EMERGENCY, card, sections, () if harm == card else (harm,))
    present = (Qualifier(stem=stem(p), absent=False) for p in harm.phrases if " " not in p)
    qualifiers = tuple(dict.fromkeys((*found.subject.qualifiers, *present)))
    return replace(found, subject=replace(found.subject, qualifiers=qualifiers))


def _of_drugs(
    plan: RetrievalPlan, drugs: Sequence[Concept], harm: Concept, index: PassageIndex
) -> RetrievalPlan:
    either = replace(
        drugs[0],
        phrases=tuple(p for d in drugs for p in d.phrases),
        identifiers=tuple(i for d in drugs for i in d.identifiers),
        mandatory=True,
    )
    undone = _is_undone(harm, drugs, index)
    sections = tuple(s for s in _OF_THE_DRUG if undone or s != _ANTIDOTE)
    return _plan(plan, TopicClass.PHARMACOLOGY, either, sections, (harm,))


def _is_undone(harm: Concept, drugs: Sequence[Concept], index: PassageIndex) -> bool:
    """Whether what undoes a drug is of use: it bled, or too much was taken, or what befell is told
    of as a sign of that (« une bradycardie sous digoxine fait suspecter un surdosage »); of a fall,
    or of a disease, it is not.
    """
    kind = kind_done(harm, drugs)
    if kind is not None:
        return feared(kind) is None
    poison = next(k for k in kinds() if k.name == POISONING)
    told = (p.text[a:b] for p in of_cards(drugs, index) for a, b in sentence_spans(p.text))
    return any(holds(s, harm) and poison.said.search(fold(s)) for s in told)


def _plan(
    plan: RetrievalPlan,
    topic: TopicClass,
    concept: Concept,
    sections: tuple[str, ...],
    beside: tuple[Concept, ...] = (),
) -> RetrievalPlan:
    found = narrowed(plan, (concept,), sections)
    subject = replace(found.subject, unknown_words=(), pairs=(), spare=(), beside=beside)
    return replace(
        found,
        primary_class=topic,
        secondary_class=None,
        subject=subject,
        silos=tuple(s for s in Silo if s is not Silo.FORMULAS),
        search=replace(found.search, silos=()) if found.search else None,
    )
