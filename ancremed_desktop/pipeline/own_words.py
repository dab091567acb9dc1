"""What a passage of the user's documents must hold to answer a question.

Words are looked for in the passage, its title and its headings, by family (« déclarer »,
« déclaration »), by what they stand for (acronyms, lay words, classes of drugs) and by the initials
a document writes out (« RAI », « recherche d’anticorps irréguliers »).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.identifiers import PassageKind
from ancremed_desktop.domain.plans import Concept, Figure, Question, Subject
from ancremed_desktop.pipeline.case import Bearing, bearing
from ancremed_desktop.pipeline.filler import says_nothing
from ancremed_desktop.pipeline.holding import holds
from ancremed_desktop.pipeline.one_sense import of_one_sense, spans_of_one_sense
from ancremed_desktop.pipeline.point import gives
from ancremed_desktop.pipeline.population import Fit, fit, groups
from ancremed_desktop.pipeline.verbs import is_verb
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.derivation import root
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.sentences import sentence_spans
from ancremed_desktop.text.words import INVERTED, content_words, stem, words

_FEW = 3
_AT_LEAST = 2
"""Words a passage must hold of a question that has several, verbs included."""
_ASKING = frozenset(
    "prevoit prevoient prevu prevue dit disent lois loi texte textes article articles document "
    "documents regle regles faut combien temps soit moment reste lorsque cat protocole pec".split()
)
"""Words of a question about a text that the text itself need not hold; « CAT » is its kind."""
_ASKED_SO = re.compile(r"\bconduite a tenir\b|\bprises? en charge\b|\bprendre en charge\b")
_OF_FIGURE = frozenset(
    "delai delais duree durees frequence rythme intervalle validite seuil seuils taux taille "
    "calibre debit debits vitesse quantite volume nombre valeur valeurs age objectif objectifs "
    "cible cibles maximal maximale maximum max minimal minimale minimum dose doses dosage poso "
    "posologie posologies".split()
)
"""Words for the figure asked, which the sentence that gives it need not repeat."""
_OTHER_NAMES = {
    "posologie": frozenset("dose doses dosage posologie posologies".split()),
    "surveillance": frozenset("suivi surveillance controle".split()),
    "contre-indications": frozenset("ci contre-indication contre-indications".split()),
}
"""Words of a question for what a section is called: « dose » asks for what stands under
« Posologie »."""
_TELEPHONE = frozenset("numero numeros telephone tel poste bip dect".split())
"""Words for what one calls: any of them is asked and told by any other."""
_INFINITIVE = re.compile(r"(?:[a-z]{3}(?:er|ir|oir)|[a-z]{2}(?:dre|tre|ire))$")
_OF_VERB = re.compile(r"([a-z]{4,}?)(?:er|e|es|ee|ees|ent|era|eront|ant|ations?|ements?)$")
"""« déclarer », « déclare », « déclarée » and « déclaration »: a closed list of endings."""
_SAME_PATIENTS = frozenset({"grossesse", "fonction hépatique"})
"""Groups of patients of which every wording is as good as another (« cirrhose »,
« cirrhotique »); a child is not an infant.
"""
_ACRONYM = re.compile(r"[A-Z]{3,6}")
_FIGURES = re.compile(r"\d+(?:[.,]\d+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A folded word of a question. ``concepts``: what may stand for it. ``acronym``: as typed in
    capitals, or empty. ``spare``: a verb, or a word no question is about.
    """

    word: str
    concepts: tuple[Concept, ...] = ()
    acronym: str = ""
    spare: bool = False


def wanted_words(question: Question, subject: Subject, index: PassageIndex) -> tuple[Wanted, ...]:
    """What a passage must hold of a question about a subject, in the order asked."""
    plain = _ASKED_SO.sub(" ", INVERTED.sub("", fold(question.text)))
    senses = [
        (frozenset(content_words(said)), Concept(phrases=others))
        for said in (*spans_of_one_sense(plain), *content_words(plain))
        if (others := of_one_sense(said, index))
    ]
    typed = {fold(m[0]): m[0] for m in _ACRONYM.finditer(question.raw)}
    return tuple(
        Wanted(
            word=word,
            concepts=(
                *_standing_for(word, question, subject),
                *(same for said, same in senses if word in said),
            ),
            acronym=typed.get(word, ""),
            spare=_is_spare(word, plain),
        )
        for word in content_words(plain)
        if word not in _ASKING
    )


def figures_in(text: str) -> frozenset[str]:
    """The figures a text holds, as they are written."""
    return frozenset(_FIGURES.findall(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """What a passage holds of the words asked: the ``share`` its best sentence does (0 to 1) and
    the words it has to hold and does not (``lacked``).
    """

    share: float
    lacked: frozenset[str]


def holding(passage: Passage, asked: Sequence[Wanted], subject: Subject, *, every: bool) -> Holding:
    """What a passage holds, read with its title and headings.

    All of up to three words must stand there, three quarters of more (``every``: all of them);
    verbs (« mettre », « déclarer ») and generic words may be missing.
    """
    title = f"{passage.origin_title} {passage.heading}"
    above = _keys(title) | _OTHER_NAMES.get(passage.section, frozenset())
    held = _held(asked, above | _keys(passage.text), f"{title}\n{passage.text}")
    owed = {w for w in asked if not w.spare} or set(asked)
    few = len(owed) <= _FEW
    lacked = owed - held if every or few or 4 * len(owed & held) < 3 * len(owed) else set()
    sentences = [
        text
        for start, end in sentence_spans(passage.text)
        if bearing(text := passage.text[start:end], subject) is not Bearing.EXCLUDES
    ]
    best = max(
        (len(_held(asked, above | _keys(text), f"{title}\n{text}")) for text in sentences),
        default=0,
    )
    near = 3 * best >= 2 * len(owed) if few else 5 * best >= 3 * len(owed)
    stand = fit(groups(passage.text), groups(title), subject.populations, dosing=False)
    least = min(_AT_LEAST, sum(not says_nothing(w.word) for w in asked))
    enough = near and len(held) >= least and stand is not Fit.OTHER
    return Holding(
        share=best / len(asked) if enough else 0.0, lacked=frozenset(w.word for w in lacked)
    )


def rows_beside(passage: Passage, asked: Sequence[Wanted]) -> frozenset[str]:
    """The rows of a table on something else than those that hold most of what is asked: what stands
    in the row of a neighbour is not of it.
    """
    if passage.kind is not PassageKind.TABLE:
        return frozenset()
    telling = [w for w in asked if tells(w)]
    held = {row: len(_held(telling, _keys(row), row)) for row in passage.text.splitlines()}
    most = max(held.values(), default=0)
    return frozenset(row for row, count in held.items() if count < most)


def is_said(text: str, concept: Concept, index: PassageIndex) -> bool:
    """Whether a text names a concept, or what has its sense in words the documents hold."""
    return holds(text, concept) or any(
        holds(text, Concept(phrases=others))
        for phrase in concept.phrases[:1]
        if not (concept.mandatory or concept.exact) and (others := of_one_sense(phrase, index))
    )


def is_titled(title: str, asked: Sequence[Wanted]) -> bool:
    """Whether the title of a document names all that a question is about."""
    owed = [w for w in asked if not w.spare]
    return bool(owed) and len(_held(owed, _keys(title), title)) == len(owed)


def may_lack(wanted: Wanted, subject: Subject) -> bool:
    """Whether a passage that lacks a word may be shown when that is said: never one for whom, nor
    for which drug, known or invented.
    """
    if groups(wanted.word) or any(c.mandatory for c in wanted.concepts):
        return False
    return wanted.acronym != "" or wanted.word not in map(fold, subject.unknown_words)


def tells(wanted: Wanted) -> bool:
    """Whether a word tells of the subject, not of the patient or of the figure asked."""
    return not (wanted.spare or groups(wanted.word) or wanted.word in _OF_FIGURE)


def _is_spare(word: str, plain: str) -> bool:
    """Whether a passage may lack a word. Whom a question is about is never left out."""
    if groups(word):
        return False
    before = plain[: plain.find(word)]
    return bool(_INFINITIVE.search(word)) or says_nothing(word) or is_verb(word, before)


def _standing_for(word: str, question: Question, subject: Subject) -> Iterator[Concept]:
    for concept in subject.concepts:
        if word in content_words(concept.phrases[0]):
            yield concept
    for read in question.corrections:
        original, replacement = fold(read.original), fold(read.replacement)
        if word == original:
            yield Concept(phrases=tuple(replacement.split(" / ")))
        elif word in content_words(replacement):  # « hypokaliémie », read for « kaliémie 3,0 »
            yield Concept(phrases=(" ".join(content_words(original)),))


def _held(asked: Sequence[Wanted], found: frozenset[str], text: str) -> set[Wanted]:
    """Words asked that a text of these words holds."""
    return {w for w in asked if _is_held(w, found, text)}


def _is_held(wanted: Wanted, found: frozenset[str], text: str) -> bool:
    return (
        wanted.word in found
        or any(map(_family(wanted.word), found))
        or any(holds(text, c) for c in wanted.concepts)
        or (wanted.acronym != "" and _writes_out(text, wanted.acronym))
        or (wanted.word in _OF_FIGURE and gives(fold(text), Figure.NUMBER))
        or (wanted.word in _TELEPHONE and not _TELEPHONE.isdisjoint(found))
        or bool(_SAME_PATIENTS & groups(wanted.word) & groups(text))
    )


def _writes_out(text: str, acronym: str) -> bool:
    """Whether words next to each other in a text have the letters of an acronym as initials."""
    initials = "".join(w[0] for w in content_words(text))
    return acronym.lower() in initials


def _keys(text: str) -> frozenset[str]:
    return frozenset(part for word in words(text) for part in (word, *word.split("-")))


@lru_cache(maxsize=256)
def _family(word: str) -> Callable[[str], bool]:
    """Whether a word is the same one, inflected or derived by rule.

    Never by a shared beginning: quinine is not quinidine.
    """
    kin = _bases(word)
    return lambda other: not kin.isdisjoint(_bases(other))


@lru_cache(maxsize=65_536)
def _bases(word: str) -> frozenset[str]:
    """Stem and root of a word; marked apart, what a verb in « -er » and its noun share."""
    verb = _OF_VERB.match(word)
    return frozenset((stem(word), root(word), *((f"{verb[1]}-er",) if verb else ())))
