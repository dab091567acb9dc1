"""What a question is about: its subject words, their alternatives, the entities they name."""

from __future__ import annotations

import re

from ancremed_desktop.domain.plans import Question, Subject
from ancremed_desktop.pipeline.lexicon import PlanningLexicon
from ancremed_desktop.pipeline.understand import expansions_in_context, find_acronym
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import STOP_WORDS, content_words

_WORD = re.compile(r"[^\W_]+(?:[-+][^\W_]+)*\+?")
_MEASURE = re.compile(
    r"\b\d+(?:[.,]\d+)?\s*(?:kg|g|mg|µg|cm|m|mm|ml|l|ans|sa|[µmn]?mol/l|[mµ]?g/d?l)\b"
)
_INFINITIVE = re.compile(r"[a-z]{3}(?:er|ir|re)$")
_GENERIC = frozenset(
    """
    adulte adultes enfant enfants femme femmes homme hommes patient patients patiente sujet
    sujets personne personnes age agee ages ans mois jours semaines heures risque cas quels
    prise charge conduite tenir cat pec faire urgence recommandation recommandations reco
    recos recommande actuelle strategie medicament medicaments molecule molecules devant
    difference differences cours role score calcul calcule combien quelle frequence premieres
    immediate immediat signe signes question item edn chapitre resume savoir connaitre
    possible france
    """.split()
)


def find_subject(question: Question, index: PassageIndex, lexicon: PlanningLexicon) -> Subject:
    """Subject of a question. Words of sections and classes are not part of it.

    A word out of the vocabulary with no alternative is reported in ``unknown_words``.
    """
    masked = _mask_cues(_MEASURE.sub(_blank, fold(question.text)), lexicon)
    concepts: list[tuple[str, ...]] = []
    unknown: list[str] = []
    for word in _subject_words(question.text, masked):
        alternatives = _alternatives(word, question.text, lexicon)
        known = [a for a in alternatives if _is_known(a, index)]
        if not known and _INFINITIVE.search(fold(word)):
            continue  # what is done to the subject, not the subject
        if not known:
            unknown.append(word)
        concepts.append(tuple(dict.fromkeys((fold(word), *alternatives))))
    mentions = index.mentions(question.text)
    entities = tuple(dict.fromkeys(i for m in mentions for i in m.identifiers))
    label = " ".join(c[0] for c in concepts)
    return Subject(
        label=label,
        words=tuple(c[0] for c in concepts),
        entity_ids=entities[:200],
        unknown_words=tuple(unknown),
        concepts=tuple(concepts),
    )


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _mask_cues(folded: str, lexicon: PlanningLexicon) -> str:
    for section in lexicon.sections.values():
        if section.ask is not None:
            folded = section.ask.sub(_blank, folded)
    return folded


def _subject_words(text: str, masked: str) -> list[str]:
    kept = set(content_words(masked))
    found: list[str] = []
    for match in _WORD.finditer(text):
        word = fold(match[0])
        pieces = {word, *word.split("-")}
        if pieces - {word} and all(p in STOP_WORDS for p in word.split("-")):
            continue
        if word in STOP_WORDS or word in _GENERIC or word.isdecimal() or len(word) < 2:
            continue
        if pieces & kept and match[0] not in found and not re.fullmatch(r"\d+\S{0,4}", word):
            found.append(match[0])
    return found


def _alternatives(word: str, text: str, lexicon: PlanningLexicon) -> tuple[str, ...]:
    key = fold(word)
    found: list[str] = [key]
    acronym = find_acronym(word, lexicon.acronyms)
    if acronym is not None:
        found += [fold(e) for e in expansions_in_context(acronym, text)]
    if key in lexicon.brands:
        found.append(fold(lexicon.brands[key]))
    found += [fold(s) for s in lexicon.synonyms.get(key, ())]
    return tuple(dict.fromkeys(found))


def _is_known(phrase: str, index: PassageIndex) -> bool:
    parts = content_words(phrase)
    return bool(parts) and all(
        index.document_frequency(p) or all(index.document_frequency(q) for q in p.split("-"))
        for p in parts
    )
