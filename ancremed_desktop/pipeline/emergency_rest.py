"""An emergency asked with a word nothing answers: the word is named, and the rest of the question
answered where it is a whole question by itself.

Only a drug, what a drug is asked by (« débit », « ampoule ») or a misspelt word of medicine may be
left aside: of an animal, a sport or an invented drug (« AVC chez le chien ») the rest is no answer.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.domain.plans import Concept, Question, RetrievalPlan
from ancremed_desktop.domain.spans import DraftAssertion, Narrative
from ancremed_desktop.pipeline.cards import of_cards
from ancremed_desktop.pipeline.drafts import Draft, Tools
from ancremed_desktop.pipeline.french_words import is_specialised
from ancremed_desktop.pipeline.own_lines import drugs_of
from ancremed_desktop.pipeline.population import WEIGHT
from ancremed_desktop.pipeline.routes import is_route
from ancremed_desktop.pipeline.set_aside import as_typed
from ancremed_desktop.pipeline.whose import gives_amount
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.french import NBSP
from ancremed_desktop.text.normalise import fold, unfolded_range
from ancremed_desktop.text.words import content_words

_DOSES = "posologie"
_AT_ONCE = "gestes immédiats"
_TO_DO = frozenset({_AT_ONCE, "antidote", "traitement", "orientation"})
_DOSED_BY = re.compile(
    r"(?:debit|vitesse|rythme|intervalle|delai|duree|frequence|volume|quantite|palier|dilution"
    r"|preparation|reconstitution|administration|injection|perfusion|bolus|titration|ampoule"
    r"|flacon|seringue|stylo|poche|kit|comprime|sirop|protocole|schema)s?|pse|dilue\w*|prepare\w*"
)
"""What a dose is asked by, folded: « insuline débit », « Glucagen kit »."""


class _Kind(Enum):
    """What a word that nothing holds may be without being the point of the question."""

    DOSING = auto()
    DRUG = auto()
    MISSPELT = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest:
    """A question less what nothing answers. ``dropped``: that, as typed and quoted, with the
    spellings offered; ``drug``: whether a drug is in it; ``dosed``: whether a dose is asked.
    ``meant``: folded names of the drugs offered.
    """

    question: Question
    plan: RetrievalPlan
    dropped: str
    drug: bool
    dosed: bool
    meant: tuple[str, ...]

    def withholds(self, text: str) -> bool:
        """Whether a sentence gives a dose that may be read as that of the drug left aside."""
        folded = fold(text)
        other = self.drug and self.dosed and gives_amount(text)
        return other and not any(name in folded for name in self.meant)


def rests(question: Question, plan: RetrievalPlan, tools: Tools) -> Iterator[Rest]:
    """What is left of a question on a disease that has a card, the most of it first; nothing where
    one of the unknown words may be its very point. Known drugs are left aside in an emergency only.
    """
    subject = plan.subject
    kinds = {w: _kind(w, question, tools) for w in subject.unknown_words}
    if not (subject.vital or kinds) or not all(kinds.values()):
        return
    unknown = {fold(w) for w in kinds}
    known = [c for c in subject.concepts if c.phrases[0] not in unknown and not c.exact]
    dosing = [w for w, kind in kinds.items() if kind is _Kind.DOSING]
    dosing += [as_typed(c.phrases[0], question.text) for c in known if _asks_dose(c)]
    drugs = [
        as_typed(c.phrases[0], question.text)
        for c in drugs_of(known)
        if not _is_emergency(c, tools.index)
    ]
    if dosing and not kinds.keys() - set(dosing):
        yield from _less(question, dosing, dosing, tools, drug=False)
    if kinds:
        yield from _less(question, kinds, dosing, tools, drug=_Kind.DRUG in kinds.values())
    if drugs and subject.vital:
        yield from _less(question, (*kinds, *drugs), dosing, tools, drug=True)


def answered(rest: Rest, draft: Draft) -> Draft | None:
    """The draft of a rest with what is said of it; ``None`` where no card says what to do at once.

    Less a drug it holds what cards of diseases say alone, and no dose of another drug as that asked
    (choc septique noradrénaline dose: 200 mg of hydrocortisone).
    """
    passages = {h.passage.urn: h.passage for s in draft.evidence.sections for h in s.hits}
    cards = {urn: p for urn, p in passages.items() if _is_card_of_disease(p)}
    said = [
        s
        for s in draft.spans
        if isinstance(s, DraftAssertion)
        and not (rest.drug and s.source_urn not in cards)
        and not rest.withholds(s.text)
    ]
    led = [cards[s.source_urn] for s in said if s.source_urn in cards]
    if not led or not (rest.plan.subject.vital or any(p.section == _AT_ONCE for p in led)):
        return None
    sections = {s.section for s in said}
    told = _notice(rest, dict.fromkeys(p.origin_title for p in led))
    return replace(
        draft,
        plan=replace(draft.plan, sections=tuple(s for s in draft.plan.sections if s in sections)),
        spans=tuple(
            s
            for s in draft.spans
            if s in said or (isinstance(s, Narrative) and s.section in sections)
        ),
        notice=" ".join(filter(None, (told, draft.notice))),
    )


def _notice(rest: Rest, cards: Collection[str]) -> str:
    """What is said above: the words left aside, and which cards answer the rest."""
    point = "ne donne la dose demandée pour" if rest.drug and rest.dosed else "ne répond sur"
    nothing = f"Aucun extrait {point} {rest.dropped}{NBSP}: "
    if rest.dosed and not rest.drug:
        return f"{nothing}la question a été lue comme une question sur la dose."
    titles = " et ".join(f"«{NBSP}{title}{NBSP}»" for title in cards)
    source = f"{'la fiche' if len(cards) == 1 else 'les fiches'} {titles}"
    doses = ""
    if rest.drug:
        doses = f"{NBSP}; chaque dose y est celle du médicament que l’extrait nomme"
    if rest.drug and rest.dosed:
        doses = f"{NBSP}; les doses d’autres médicaments n’y sont pas montrées"
    return f"{nothing}ce qui suit répond au reste de la question d’après {source}{doses}."


def _less(
    question: Question, words: Iterable[str], dosing: Sequence[str], tools: Tools, *, drug: bool
) -> Iterator[Rest]:
    """The question less some words and what asks a dose of them, if a card is on it still.

    ``dosing``: words a dose is asked by; alone they are read as such.
    """
    gone = tuple(dict.fromkeys((*words, *dosing)))
    text = question.text
    for word in gone:
        text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", " ", text)
    undosed = _without_dose(text, tools)
    dosed = bool(dosing) or undosed != text
    if drug:
        text = undosed
    elif len(gone) == len(set(dosing)):
        text += " dose"
    left = replace(question, text=" ".join(text.split()))
    if not content_words(text):
        return
    plan = tools.replan(left)
    if not _has_card(plan.subject.concepts, tools.index) or plan.subject.unknown_words:
        return
    if drug and _AT_ONCE in plan.sections:
        plan = replace(plan, sections=tuple(s for s in plan.sections if s in _TO_DO))
    named = [w for w in gone if not (drug and w in dosing)]
    offered = [offer for word in named for offer in _offers(word, question)]
    yield Rest(
        question=left,
        plan=plan,
        dropped=", ".join(_with_offer(word, question) for word in named),
        drug=drug,
        dosed=dosed,
        meant=tuple(n for o in offered for n in (fold(o), *_substances(o, tools))),
    )


def _without_dose(text: str, tools: Tools) -> str:
    """A text less the words and the weight that ask a dose: that of the drug named is not in it."""
    mask = tools.lexicon.sections[_DOSES].masks
    for pattern in filter(None, (mask, WEIGHT)):
        for match in reversed([*pattern.finditer(fold(text))]):
            start, end = unfolded_range(text, *match.span())
            text = f"{text[:start]} {text[end:]}"
    return text


def _has_card(concepts: Iterable[Concept], index: PassageIndex) -> bool:
    """Whether a disease, or an emergency, among what a question names has a card."""
    return any(_is_card_of_disease(p) for p in of_cards(concepts, index))


def _is_card_of_disease(passage: Passage) -> bool:
    return passage.silo is Silo.FICHES and not passage.source_identifier.isdecimal()


def _with_offer(word: str, question: Question) -> str:
    offers = _offers(word, question)
    meant = " ou ".join(f"«{NBSP}{o}{NBSP}»" for o in offers)
    return f"«{NBSP}{word}{NBSP}»" + (f" (vouliez-vous dire {meant}{NBSP}?)" if offers else "")


def _offers(word: str, question: Question) -> list[str]:
    return [
        c.replacement
        for c in question.corrections
        if c.kind == "typo" and not c.certain and c.original == word
    ]


def _substances(name: str, tools: Tools) -> list[str]:
    """Folded substances a brand stands for, none of any other name."""
    dci = tools.lexicon.brands.get(fold(name))
    return [fold(part).strip() for part in dci.split("+")] if dci else []


def _kind(word: str, question: Question, tools: Tools) -> _Kind | None:
    """Why a word nothing holds may be left aside; ``None`` where it may not.

    A name near that of a drug is taken for a drug, so that no dose is shown as that asked.
    """
    key = fold(word)
    if _DOSED_BY.fullmatch(key) or is_route(key):
        return _Kind.DOSING
    offers = _offers(word, question)
    if any(_names_drug(name, tools) for name in (word, *offers)):
        return _Kind.DRUG
    medical = any(is_specialised(o, tools.index, fewest=1) for o in offers)
    return _Kind.MISSPELT if medical else None


def _names_drug(word: str, tools: Tools) -> bool:
    lexicon, key = tools.lexicon, fold(word)
    named = key in lexicon.drug_names or key in lexicon.drug_labels
    return named or any(m.is_drug_or_class for m in tools.index.mentions(word))


def _asks_dose(concept: Concept) -> bool:
    first = concept.phrases[0]
    return not concept.mandatory and (_DOSED_BY.fullmatch(first) is not None or is_route(first))


def _is_emergency(concept: Concept, index: PassageIndex) -> bool:
    """Whether what is done at once is done about a concept: an overdose of a drug is no drug."""
    return any(p.section == _AT_ONCE for p in of_cards((concept,), index))
