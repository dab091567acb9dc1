"""What a question is when it asks for no medical knowledge: a greeting, another domain…"""

from __future__ import annotations

import re

from ancremed_desktop.domain.evidence import MatchMode, SearchRequest
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.domain.plans import Question
from ancremed_desktop.pipeline.codes import UNKNOWN_CODE, unknown_codes
from ancremed_desktop.pipeline.french_words import is_specialised
from ancremed_desktop.pipeline.lexicon import PlanningLexicon
from ancremed_desktop.pipeline.one_sense import spans_of_one_sense
from ancremed_desktop.pipeline.verbs import is_verb
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import content_words, holds_word, stems

_TITLE_WORDS = 3
"""A title that holds more words of a question of another domain would be chance."""
_ROOT = 5
"""Letters that « asthmatique » and « asthme » share."""
_THING = 5.0
"""« tique » is one, « savon » is not."""
_TITLED = (Silo.HAS, Silo.FICHES, Silo.EDN)
_ASKS_ANYTHING = re.compile(r"pourquoi|pk|pq|qu.est-ce qui explique|d.ou vient")
"""« Pourquoi le ciel est bleu » is asked of any domain."""
_ALWAYS = frozenset({"detresse_grave", "injection"})
_NEEDS_NO_ANCHOR = ("identite", "aide_produit", "meta_reponse", "hors_sujet")


def conversation_intent(
    question: Question, folded: str, index: PassageIndex, lexicon: PlanningLexicon
) -> str:
    """The conversational intent of a question, empty when it is one for the corpus.

    ``folded``: the question without its greeting.
    """
    anchored = _is_medical(question, folded, index, lexicon)
    intent = _conversation(question, index, lexicon, anchored=anchored)
    if intent == "hors_sujet" and _is_titled(question, index):
        return ""
    if intent in ("", "hors_sujet") and not index.mentions(question.text):
        return UNKNOWN_CODE if unknown_codes(question.text, index) else intent
    return intent


def _is_medical(
    question: Question, folded: str, index: PassageIndex, lexicon: PlanningLexicon
) -> bool:
    if lexicon.medical_anchor.search(folded):
        return True
    if any(" " in lay and f" {lay} " in f" {folded} " for lay in lexicon.synonyms):
        return True
    if spans_of_one_sense(folded):
        return True
    if any(c.kind in {"acronym", "brand"} for c in question.corrections):
        return True
    return bool(index.mentions(question.text))


def _is_titled(question: Question, index: PassageIndex) -> bool:
    """Whether a title or heading of the corpus is made of the words of a short question, less
    what is done with a thing of the trade (« enlever une tique »).
    """
    text = fold(question.text)
    words = content_words(text)
    asked = [w for w in words if not is_verb(w, text[: text.find(w)])]
    if len(asked) < len(words) and not all(is_specialised(w, index, _THING) for w in asked):
        return False
    if not 0 < len(asked) <= _TITLE_WORDS:
        return False
    request = SearchRequest(query=" ".join(asked), mode=MatchMode.RANKED, silos=_TITLED, limit=6)
    return any(
        all(holds_word(stems((f"{h.passage.origin_title} {h.passage.heading}",)), w) for w in asked)
        for h in index.search(request)
    )


def _conversation(
    question: Question, index: PassageIndex, lexicon: PlanningLexicon, *, anchored: bool
) -> str:
    folded = fold(question.text)
    found = [intent for intent, pattern in lexicon.conversation if pattern.search(folded)]
    for intent in found:
        if intent in _ALWAYS:
            return intent
    clinical = bool(_class_cues(folded, lexicon))
    for intent in found:
        if not anchored and (intent in _NEEDS_NO_ANCHOR or not clinical):
            return intent
        if intent in {"identite", "meta_reponse", "aide_produit"} and not clinical:
            return intent
    words = content_words(question.text)
    if anchored or clinical or any(_is_term(w, index, lexicon) for w in words):
        return ""
    return "hors_sujet"


def _class_cues(folded: str, lexicon: PlanningLexicon) -> list[str]:
    """What a folded text says that is strongly of a class."""
    patterns = (p for cues in lexicon.class_cues.values() for p, w in cues if w > 2)
    return [found[0] for pattern in patterns if (found := pattern.search(folded))]


def is_of_any_domain(
    question: Question, index: PassageIndex, lexicon: PlanningLexicon, *, unknown: bool
) -> bool:
    """Whether nothing in a question to which nothing was found is of medicine (``unknown``: the
    corpus lacks a word of it, and offers none for it): then no section of a clinical answer is
    named.
    """
    folded = fold(question.text)
    if _is_medical(question, folded, index, lexicon):
        return False
    if any(_is_term(w, index, lexicon) for w in content_words(question.text)):
        return False
    asked = any(not _ASKS_ANYTHING.fullmatch(cue) for cue in _class_cues(folded, lexicon))
    offered = any(not c.certain for c in question.corrections)
    return not (asked and (offered or not unknown))


def _is_term(word: str, index: PassageIndex, lexicon: PlanningLexicon) -> bool:
    """Whether a word, or what it is derived from (« asthmatique »), is of the trade."""
    medical = (fold(m) for m in lexicon.synonyms.get(word, ()))
    kin = (m for m in medical if " " not in m and m[:_ROOT] == word[:_ROOT])
    return any(is_specialised(w, index) for w in (word, *kin))
