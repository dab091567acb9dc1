"""Words of a French question: tokens, stop words, content words and light stems."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ancremed_desktop.text.normalise import fold

_CACHED_TEXTS = 4_096
_WORD = re.compile(r"[^\W_]+(?:[-+][^\W_]+)*\+?")
_PERSONS = re.compile(r"(?<![\w-])[A-ZÀ-Ý][a-zà-ÿ]+(?:[-‐‑][A-ZÀ-Ý][a-zà-ÿ]+)+(?![\w-])")
"""« Bence-Jones » is not Jones, nor « Wolff-Parkinson-White » Parkinson."""

STOP_WORDS = frozenset(
    """
    cb suis es sommes etes etait etaient seront sera ki jfe ds av bcp tt dois doit aujourd a ai au aux avec avoir c ca ce ces cet cette chez comme comment d dans de des du elle
    elles en est et etre eu faire fait faut il ils j je l la le les leur lui m ma mais me mes
    moi mon n ne ni nos notre nous on ont or ou par pas peut peux plus pour pourquoi qu quand
    que quel quelle quelles quels qui quoi s sa sans sauf se ses si son sont sous stp svp sur
    ta te tes toi ton toujours tout toute toutes tous tres tu un une vers vos votre vous y
    est-ce qu-est-ce c-est parle dis donne explique decris cite bonjour salut merci koi pk pq
    entre apres avant versus vs peuvent doit doivent faut-il premiere premier premieres
    premiers 1er 1ere etc ainsi aussi donc car parce
    """.split()
)
"""Folded words that carry no subject."""

INVERTED = re.compile(
    r"(?<=[^\W\d_])[-‐‑](?:t[-‐‑])?(?:on|ils?|elles?|je|tu|nous|vous|ce|moi)\b", re.IGNORECASE
)
"""What follows the verb of « commence-t-on »."""

_GENDERS = (("eus", "eu"), ("iv", "if"), ("ell", "el"), ("enn", "en"), ("onn", "on"), ("ett", "et"))
"""Ends of feminine words less their « e », and of masculine ones less their « x »."""
_FEMININE = tuple(feminine for feminine, _masculine in _GENDERS)


def words(text: str) -> tuple[str, ...]:
    """Folded words of a text, in order; hyphenated words are kept whole."""
    return tuple(_WORD.findall(fold(text)))


@lru_cache(maxsize=_CACHED_TEXTS)
def content_words(text: str) -> tuple[str, ...]:
    """Folded words that are neither stop words nor single letters nor bare numbers."""
    return tuple(w for w in words(text) if w not in STOP_WORDS and len(w) > 1 and not w.isdecimal())


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Light French stem of a folded word: number and gender off, at least 4 letters kept."""
    if len(word) > 5 and word.endswith("aux"):
        return word[:-3] + "al"
    short = word[:-1] if word[-1:] in {"s", "x"} else word
    short = short.rstrip("e")
    if len(short) > 5 and short.endswith(_FEMININE):
        for feminine, masculine in _GENDERS:
            if short.endswith(feminine):
                short = short[: -len(feminine)] + masculine
    return short if len(short) >= 4 else word


def holds_word(haystack: frozenset[str], word: str) -> bool:
    """Whether stems of a text (``stems``) hold a word, compound words piece by piece."""
    return stem(word) in haystack or (
        "-" in word and all(stem(p) in haystack for p in word.split("-") if p)
    )


def stems(parts: Iterable[str]) -> frozenset[str]:
    """Stems of all words of some texts, compounds both whole and in pieces."""
    found = [*map(_stems_of, parts)]
    return found[0] if len(found) == 1 else frozenset().union(*found)


@lru_cache(maxsize=_CACHED_TEXTS)
def _stems_of(text: str) -> frozenset[str]:
    """Of one text, of names of persons joined the first alone; the same passage is looked at for each section of a question."""
    read = set(words(text))
    found = set(map(stem, read))
    compounds = [word for word in read if "-" in word]
    named = {fold(m[0]) for m in _PERSONS.finditer(text)} if compounds else ()
    for word in compounds:
        pieces = [p for p in word.split("-") if p]
        found.update(map(stem, pieces[:1] if word in named else pieces))
    return frozenset(found)
