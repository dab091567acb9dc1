"""What goes wrong under a drug (« hémorragie sous apixaban », « INR 7 sous warfarine »): what is to
be done comes first, then what undoes and what forbids the drug; never how it is usually given.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from ancremed_desktop.domain.documents import Source
from ancremed_desktop.domain.identifiers import Silo, TopicClass
from ancremed_desktop.domain.plans import (
    Concept,
    PlanMode,
    Qualifier,
    Question,
    Range,
    RetrievalPlan,
    Subject,
)
from ancremed_desktop.pipeline.asked_sections import OPTIONAL, REQUIRED
from ancremed_desktop.pipeline.bearing import is_disease
from ancremed_desktop.pipeline.cards import of_cards
from ancremed_desktop.pipeline.case import forbids
from ancremed_desktop.pipeline.drug_classes import classes_in, narrowest_named, narrowest_said
from ancremed_desktop.pipeline.holding import holds
from ancremed_desktop.pipeline.population import RESTRICTING, groups
from ancremed_desktop.pipeline.set_aside import as_typed, narrowed
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.settings.paths import RESOURCES
from ancremed_desktop.text.french import NBSP
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.sentences import sentence_spans
from ancremed_desktop.text.words import content_words, stem

_AT_ONCE = "gestes immédiats"
_TO_DO = (_AT_ONCE, "antidote", "traitement", "orientation", "suivi", "reconnaissance")
_BY_VALUE = ("antidote", _AT_ONCE, "traitement", "orientation", "suivi", "reconnaissance")
"""Where a value is asked, the lines that go by it first."""
_OF_THE_DRUG = (
    "antidote", "contre-indications", "surveillance", "effets indésirables", "posologie",
)  # fmt: skip
"""Of the doses only when to stop is shown (``draft``)."""
_EMERGENCY = TopicClass.EMERGENCY
_WHAT_TO_DO = frozenset(
    {"antidote", "conduite à tenir", *REQUIRED[_EMERGENCY], *OPTIONAL[_EMERGENCY]}
)
"""Sections whose asking leaves the question one of what is to be done."""
_DENIED = r"(?<!\bsans )(?<!\bpas de )(?<!\bpas d.)(?<!\bni )(?<!absence de )(?<!absence d.)"
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
    r"\b(?:sous|ss|traitee?s? par|due?s? (?:a|au|aux|a la)|liee?s? (?:a|au|aux)|induite?s? par)\b"
)
_NEAR = r"[^.;?]{0,30}?"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    said: re.Pattern[str]
    called: tuple[str, ...]
    classes: frozenset[str]
    general: bool
    beyond: tuple[str, float, str, str]
    """(analysis, limit beyond which it tells the same, class of drugs, words said otherwise)."""

    def is_beyond(
        self, values: Iterable[tuple[str, Range]], drugs: Sequence[Concept], folded: str
    ) -> bool:
        analysis, limit, by, unless = self.beyond
        return (
            any(name == analysis and low > limit for name, (low, _high) in values)
            and any(by in _classes(d) for d in drugs)
            and not re.search(unless, folded)
        )

    def as_told(self, typed: str) -> Concept:
        return Concept(phrases=tuple(dict.fromkeys((typed, *map(fold, self.called)))))

    def is_done_by(self, drugs: Sequence[Concept]) -> bool:
        return "*" in self.classes or any(self.classes & _classes(d) for d in drugs)


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
    rest = _of_drugs(plan, drugs, harm) if drugs else None
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
    return any(_classes(d) & narrowest_named(title) or holds(title, d) for d in drugs)


def bars(text: str, drugs: Iterable[Concept]) -> bool:
    """Whether a sentence forbids something to who takes one of some drugs, or one of its class."""
    return forbids(text) and any(
        holds(text, d) or _classes(d) & narrowest_said(text) for d in drugs
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
        if _names_kind(concept) and (_classes(concept) or narrowest_named(concept.phrases[0])):
            cards = (p for p in of_cards([concept], index) if p.section == _AT_ONCE)
            if found := next((p for p in cards if not p.superseded), None):
                return _concept(found.source_identifier, found.origin_title)
    return None


def _kind_beside(folded: str, card: Concept) -> Concept | None:
    """What went wrong beside what a card is named by (« INR 12, hémorragie »)."""
    for kind in _kinds():
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
    folded = fold(question.text)
    under = any(_is_under(folded, d) for d in drugs)
    for kind in _kinds():
        match = kind.said.search(folded)
        if match and (under or kind.is_done_by(drugs)):
            return kind.as_told(match[0]), _card_of(kind, drugs, index)
        if kind.is_beyond(plan.subject.values, drugs, folded):
            return Concept(phrases=tuple(map(fold, kind.called))), _card_of(kind, drugs, index)
    valued = {fold(c.replacement) for c in question.corrections if c.kind == "value"}
    for concept in plan.subject.concepts:
        if concept in drugs or not (under or not valued.isdisjoint(concept.phrases)):
            continue
        card = _card_of_disease(concept, plan.subject, index)
        if card and (under or not any(_treats(d, card, index) for d in drugs)):
            return concept, card
    others = [c for c in plan.subject.concepts if c not in drugs]
    whole = plan.mode is PlanMode.COMPLETE and not plan.pointed
    known = any(p.section in _OF_THE_DRUG for p in of_cards(drugs, index))
    if under and whole and known and len(others) == 1 and _happens(others[0]):
        return others[0], None
    return None


def _card_of_disease(concept: Concept, subject: Subject, index: PassageIndex) -> Concept | None:
    """The cards that say what to do at once of a disease, the same whatever drug is taken: those
    of the exact form asked (« ST- ») and of the patients asked, where there are such.
    """
    found = {
        p.source_identifier: p.origin_title
        for p in of_cards([concept], index)
        if p.section == _AT_ONCE and not p.superseded
    }
    for exact in (c.identifiers for c in subject.concepts if c.exact and c.identifiers):
        found = {i: title for i, title in found.items() if i in exact} or found
    asked = subject.populations & RESTRICTING
    fitting = {i: title for i, title in found.items() if groups(title) & RESTRICTING == asked}
    fitting = fitting or {
        i: title for i, title in found.items() if groups(title) & RESTRICTING <= asked
    }
    found = fitting or found
    if not found:
        return None
    return Concept(phrases=tuple(map(fold, found.values())), identifiers=tuple(found))


def _happens(concept: Concept) -> bool:
    """Whether a concept is what may befall a patient under a drug, rather than what it is for."""
    return is_disease(concept) or any(map(_HAPPENS.search, concept.phrases[:2]))


def _names_kind(concept: Concept) -> bool:
    return any(kind.said.search(concept.phrases[0]) for kind in _kinds())


def _is_drug(concept: Concept) -> bool:
    return not concept.exact and (concept.mandatory or bool(_classes(concept)))


def _classes(concept: Concept) -> frozenset[str]:
    return frozenset().union(concept.classes, *(classes_in(p) for p in concept.phrases[:3]))


def _is_under(folded: str, drug: Concept) -> bool:
    return any(re.search(rf"{_UNDER}{_NEAR}\b{re.escape(p)}\b", folded) for p in drug.phrases[:2])


def _card_of(kind: _Kind, drugs: Sequence[Concept], index: PassageIndex) -> Concept | None:
    """The card of an emergency named by what went wrong and the drug or its class; failing that
    one named by what went wrong alone.
    """
    general: Concept | None = None
    for source, name in _cards(kind, index):
        left = " ".join(w for w in content_words(name) if not kind.said.fullmatch(w))
        if any(narrowest_named(name) & _classes(d) or (left and holds(left, d)) for d in drugs):
            return _concept(source.source_identifier, source.title)
        if kind.general and not left and general is None:
            general = _concept(source.source_identifier, source.title)
    return general


def _cards(kind: _Kind, index: PassageIndex) -> Iterator[tuple[Source, str]]:
    for source in index.sources(Silo.FICHES.value):
        names = [n for n in source.names if kind.said.search(fold(n))]
        if names and not source.superseded and _says_what_to_do(source.source_identifier, index):
            yield from ((source, name) for name in names)


def _says_what_to_do(identifier: str, index: PassageIndex) -> bool:
    return any(p.section == _AT_ONCE for p in index.passages_of(identifier))


def _concept(identifier: str, title: str) -> Concept:
    return Concept(phrases=(fold(title),), identifiers=(identifier,))


def _treats(drug: Concept, card: Concept, index: PassageIndex) -> bool:
    """Whether the card gives the drug: « glucagon hypoglycémie » asks how."""
    passages = (p for i in card.identifiers for p in index.passages_of(i))
    care = (p.text for p in passages if p.section in _TO_DO[:3])
    said = (text[start:end] for text in care for start, end in sentence_spans(text))
    gives = any(holds(s, drug) and not forbids(s) for s in said)
    return gives and not holds(card.phrases[0], drug)


def _of_card(
    plan: RetrievalPlan, card: Concept, harm: Concept, index: PassageIndex
) -> RetrievalPlan:
    held = {p.section for i in card.identifiers for p in index.passages_of(i) if not p.superseded}
    ordered = _BY_VALUE if any(name == "INR" for name, _ in plan.subject.values) else _TO_DO
    sections = tuple(s for s in ordered if s in held)
    found = _plan(plan, _EMERGENCY, card, sections, () if harm == card else (harm,))
    present = (Qualifier(stem=stem(p), absent=False) for p in harm.phrases if " " not in p)
    qualifiers = tuple(dict.fromkeys((*found.subject.qualifiers, *present)))
    return replace(found, subject=replace(found.subject, qualifiers=qualifiers))


def _of_drugs(plan: RetrievalPlan, drugs: Sequence[Concept], harm: Concept) -> RetrievalPlan:
    either = replace(
        drugs[0],
        phrases=tuple(p for d in drugs for p in d.phrases),
        identifiers=tuple(i for d in drugs for i in d.identifiers),
        mandatory=True,
    )
    return _plan(plan, TopicClass.PHARMACOLOGY, either, _OF_THE_DRUG, (harm,))


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


@lru_cache(1)
def _kinds() -> tuple[_Kind, ...]:
    entries = tomllib.loads((RESOURCES / "lexicons" / "harms.toml").read_text("utf-8"))
    return tuple(
        _Kind(
            said=re.compile(rf"{_DENIED}\b(?:{entry['said']})\b"),
            called=tuple(entry["called"]),
            classes=frozenset(entry["classes"]),
            general=entry["general"],
            beyond=tuple(entry.get("beyond", ("", 0.0, "", ""))),
        )
        for entry in entries.values()
    )
