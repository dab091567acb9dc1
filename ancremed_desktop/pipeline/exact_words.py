"""Words of a question to be found letter for letter: « type 1 », « ST- », « item 232 »."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from ancremed_desktop.domain.plans import Concept
from ancremed_desktop.ports import EntityMention, PassageIndex
from ancremed_desktop.text.normalise import fold

EXACT = re.compile(
    r"\b(?:type|stade|grade|classe|groupe|item)\s+(?:\d+|[ivx]+)\b"
    r"(?!\s*(?:,|et|ou|a)\s*(?:\d+|[ivx]+)\b)"  # « type 1, 2 et 3 » asks about none of them alone
    r"|\b(?:hepatite|vitamine|streptocoque)s? (?:[b-e]|a(?= ?[?.!,]|$))\d{0,2}\b(?!['’])"
    r"(?!\s*(?:,|et|ou)\s*[a-e]\b)"
    r"|\bst ?(?:[+-](?!\w)|plus\b|moins\b|negatif\b|positif\b)"
    r"|\bnon [a-z]{5,}"
)
"""Words of a folded question to be found letter for letter."""
_WITHOUT_ST = re.compile(
    r"\b(?:sans|non) (?:st ?\+|(?:le )?sus[- ]?decalage(?: du)?(?: segment)?(?: de)?(?: st)?)"
)
_WITH_ST = re.compile(
    r"\b(?:avec )?(?:un )?sus[- ]?(?:decalage(?: d[eu])?(?: segment)?(?: de)? )?st\b(?! ?[+-])"
)
_ST_NAMES = {"st+": "STEMI", "st-": "NSTEMI"}
"""Name of the cards on a syndrome with and without ST elevation."""
_SAME = {
    "st+": ("st+", "st plus", "st positif", "avec sus-decalage", "sus-decalage du segment st"),
    "st-": ("st-", "st moins", "st negatif", "sans sus-decalage"),
    "hepatiteb": ("hepatite b", "hepatites b", "hepatite virale b", "vhb"),
    "hepatitec": ("hepatite c", "hepatites c", "hepatite virale c", "vhc"),
}
_ROMAN = ("i", "ii", "iii", "iv", "v")
_NUMERALS = {
    **{str(n): roman for n, roman in enumerate(_ROMAN, 1)},
    **{roman: str(n) for n, roman in enumerate(_ROMAN, 1)},
}


def with_st_written(folded: str) -> str:
    """A folded text with each wording of ST elevation as « st+ » or « st- », its length kept."""
    folded = _WITHOUT_ST.sub(lambda m: "st-".ljust(len(m[0])), folded)
    return _WITH_ST.sub(lambda m: "st+".ljust(len(m[0])), folded)


def _item_concept(identifiers: tuple[str, ...], index: PassageIndex) -> Concept:
    """« item 232 » stands for what the programme names so."""
    keys = (p.source_key for p in index.passages_of(identifiers[0]))
    titles = [name for key in itertools.islice(keys, 1) for name in index.source(key).names[:1]]
    return Concept(phrases=tuple(map(fold, titles)) or identifiers, identifiers=identifiers)


def exact_concepts(
    exact: Sequence[str], text: str, mentions: Sequence[EntityMention], index: PassageIndex
) -> list[Concept]:
    """What is to be found letter for letter, each once; an item stands for its title."""
    numbered = {fold(text[m.start : m.end]): m.identifiers for m in mentions}
    return [
        _item_concept(numbered[phrase], index)
        if phrase.startswith("item ") and phrase in numbered
        else _exact_concept(phrase, index)
        for phrase in dict.fromkeys(exact)
    ]


def _exact_concept(phrase: str, index: PassageIndex) -> Concept:
    compact = phrase.replace(" ", "")
    for name, phrases in _SAME.items():
        if compact in {p.replace(" ", "") for p in phrases}:
            own = index.mentions(_ST_NAMES[name]) if name in _ST_NAMES else ()
            known = tuple(i for m in own for i in m.identifiers)
            return Concept(phrases=phrases, identifiers=known, mandatory=True, exact=True)
    kind, _space, number = phrase.partition(" ")
    other = _NUMERALS.get(number)
    phrases = (phrase, f"{kind} {other}") if other else (phrase,)
    return Concept(phrases=phrases, mandatory=True, exact=True)
