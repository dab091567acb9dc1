"""What the EDN programme asks to know of a subject: facts about the programme, and said so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.identifiers import PROGRAMME, PassageKind, Silo, TopicClass
from ancremed_desktop.domain.plans import Concept, PlanMode, Question, RetrievalPlan
from ancremed_desktop.pipeline.direct_answer import DirectAnswer, LookUp
from ancremed_desktop.pipeline.holding import holds
from ancremed_desktop.pipeline.set_aside import quoted
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.french import NBSP
from ancremed_desktop.text.normalise import fold

ASKED = "Voici ce que le programme de l’EDN demande de savoir : ce n’est pas la réponse clinique."
NEAREST = (
    "Voici les objectifs du programme de l’EDN les plus proches de la question : ce n’est pas la "
    "réponse clinique."
)
INSTEAD = (
    "Le corpus indexé ne contient pas la réponse. Le programme de l’EDN, lui, demande de savoir :"
)
MAX_ITEMS = 3
LEAST_COVERAGE = 0.5
"""Share of the words of a question, by rarity, that an objective near to it holds."""
_EDN = LookUp(
    section=PROGRAMME,
    silo=Silo.EDN,
    topic=TopicClass.DEFINITION,
    done="Programme de l’EDN consulté.",
)
_TAUGHT = frozenset({TopicClass.DEFINITION, TopicClass.SEMIOLOGY, TopicClass.ANATOMY})
_ITEM = re.compile(r"EDN-\d{3}")
_ABOUT_PROGRAMME = re.compile(
    r"\bquels? (?:est |sont )?(?:l.|les )?items?\b|^items? (?!\d)"
    r"|\bitems? (?:edn|ecn|du programme)\b|\bmatieres?\b.*\bitems?\b"
    r"|\b(?:edn|ecni?|r2c)\b|\b(?:du|au) programme\b(?! d)"
    r"|\bobjectifs? (?:sur|attendus?|pedagogiques?|d.apprentissage|de connaissances?)\b"
    r"|\bobjectifs? (?:de l.|des? )items?\b"
    r"|\brang [abc]\b|\brang\W*$|\bquel rang\b|\bnumeros? (?:d.|de l.)?items?\b"
    r"|\bitems?(?: n[o°]?)?\W*$|\ble programme\b(?! d)"
)
_NUMBERED = re.compile(r"\bitems? (?:n[o°]? ?)?\d")
_RANK = re.compile(r"\brang ([abc])\b")
_ANY_RANK = re.compile(r"\brang (?:a ?(?:ou|/) ?b|b ?(?:ou|/) ?a)\b")
"""« rang A ou B ? » asks which."""
_TO_KNOW = re.compile(r"\b(?:faut[- ]il|doit[- ]on|a) (?:savoir|connaitre)\b")
_SAID = frozenset(
    "programme attendu attendus connaissance connaissances matiere matieres rattache numero "
    "numeros objectif objectifs".split()
)
"""Words that ask about the programme, not about a subject."""
_ABOUT_WORDS = re.compile(
    r"\b(?:programmes?|numeros?|items?|n[o°]|rang|objectifs?|quels?|parlent?|edn|ecni?|r2c)\b"
)


def asked(question: Question, plan: RetrievalPlan, index: PassageIndex) -> DirectAnswer | None:
    """The objectives of the items a question about the programme names, else ``None``."""
    if not _ABOUT_PROGRAMME.search(fold(question.text)):
        return None
    whole = tuple(_objectives(plan, index))
    if whole:
        return _answer(question, plan, whole, ASKED)
    return _answer(question, plan, _nearest(plan, index), NEAREST)


def _nearest(plan: RetrievalPlan, index: PassageIndex) -> tuple[Passage, ...]:
    """The objectives that hold most of the question, of the item of the first: « valve mécanique »
    is « prothèses vasculaires » there.
    """
    if plan.search is None:
        return ()
    query = _ABOUT_WORDS.sub(" ", plan.search.query)
    hits = index.search(replace(plan.search, query=query, silos=(Silo.EDN,)))
    found = [
        h.passage
        for h in hits
        if h.passage.kind is PassageKind.OBJECTIVE
        and h.coverage >= LEAST_COVERAGE
        and not h.passage.superseded
        and any(holds(f"{h.passage.origin_title} {h.passage.text}", c) for c in _wanted(plan))
    ]
    return tuple(p for p in found if p.source_identifier == found[0].source_identifier)


def _of_ranks(text: str, ranks: frozenset[str]) -> bool:
    """Whether a paragraph is of one of these ranks; what an item is called has none and stays."""
    own = set(_RANK.findall(fold(text)))
    return not (ranks and own) or bool(own & ranks)


def instead(question: Question, plan: RetrievalPlan, index: PassageIndex) -> DirectAnswer | None:
    """Where the corpus has no answer to a question of study: what the programme asks on the very
    point, or in the whole of an item named by its number, else ``None``. A question of care is
    not answered so.
    """
    folded = fold(question.text)
    whole = bool(_TO_KNOW.search(folded) or _NUMBERED.search(folded))
    if plan.search is None or not (whole or plan.primary_class in _TAUGHT):
        return None
    sections = plan.search.sections
    is_open = whole and (not sections or plan.mode is PlanMode.COMPLETE)
    found = tuple(
        p
        for p in _objectives(plan, index)
        if p.section in sections or is_open or _names_the_point(p, plan)
    )
    return _answer(question, plan, found, INSTEAD)


def _objectives(plan: RetrievalPlan, index: PassageIndex) -> Iterator[Passage]:
    """Objectives of the items named, or else of those whose title holds the whole subject."""
    items = [i for c in plan.subject.concepts for i in c.identifiers if _ITEM.fullmatch(i)]
    if not items and plan.search is not None:
        request = replace(plan.search, silos=(Silo.EDN,))
        ranked = [h.passage for h in index.search(request)]
        items = [p.source_identifier for p in ranked if _holds_all(p, plan)]
    for item in tuple(dict.fromkeys(items))[:MAX_ITEMS]:
        for passage in index.passages_of(item):
            if passage.kind is PassageKind.OBJECTIVE and not passage.superseded:
                yield passage


def _wanted(plan: RetrievalPlan) -> list[Concept]:
    """What a question names beside the programme itself."""
    return [c for c in plan.subject.concepts if not _SAID.issuperset(c.phrases[:1])]


def _holds_all(passage: Passage, plan: RetrievalPlan) -> bool:
    wanted = _wanted(plan)
    text = f"{passage.origin_title} {passage.text}"
    return (
        passage.kind is PassageKind.OBJECTIVE
        and bool(wanted)
        and all(holds(text, c) for c in wanted)
    )


def _names_the_point(passage: Passage, plan: RetrievalPlan) -> bool:
    """Whether a passage holds the whole subject, and more of it than its title does."""
    in_title = all(holds(passage.origin_title, c) for c in plan.subject.concepts)
    return not in_title and _holds_all(passage, plan)


def _strangers(
    question: Question, plan: RetrievalPlan, passages: tuple[Passage, ...]
) -> list[Concept]:
    """What a question names beside the number of an item that nothing of the item speaks of."""
    if not _NUMBERED.search(fold(question.text)):
        return []
    texts = [f"{p.origin_title} {p.text}" for p in passages]
    return [
        c
        for c in _wanted(plan)
        if not any(map(_ITEM.fullmatch, c.identifiers)) and not any(holds(t, c) for t in texts)
    ]


def _answer(
    question: Question, plan: RetrievalPlan, passages: tuple[Passage, ...], message: str
) -> DirectAnswer | None:
    if not passages:
        return None
    folded = fold(question.text)
    ranks = frozenset(() if _ANY_RANK.search(folded) else _RANK.findall(folded))
    if ranks:
        letters = " et ".join(sorted(r.upper() for r in ranks))
        message = f"{message} Seuls les objectifs de rang {letters} sont montrés."
    if strangers := _strangers(question, plan, passages):
        message = (
            f"Aucun objectif de cet item ne parle de {quoted(strangers, question.text)}{NBSP}: "
            f"vérifiez le numéro de l’item. {message}"
        )
    label = plan.subject.label
    return _EDN.answer(plan, label, passages, message, partial(_of_ranks, ranks=ranks))
