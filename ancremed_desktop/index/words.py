"""Words as the full text cuts them, and the classes by which a query finds their variants."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import stem

_TOKEN = re.compile(r"[^\W_](?:[^\W_]|[\u0300-\u036f])*")
"""Combining accents belong to their letter in text that is not NFC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One token, ``text[start:end]``; ``fold`` is what it is compared by."""

    start: int
    end: int
    fold: str


def tokens(text: str, limit: int) -> tuple[Token, ...]:
    """The first ``limit`` tokens: runs of letters and digits, as FTS5's unicode61 cuts them."""
    found = []
    for match in _TOKEN.finditer(text):
        found.append(Token(start=match.start(), end=match.end(), fold=fold(match.group())))
        if len(found) == limit:
            break
    return tuple(found)


def cut(text: str) -> tuple[str, ...]:
    """Folded tokens of a text."""
    return tuple(_TOKEN.findall(fold(text)))


@lru_cache(maxsize=16_384)
def folded_words(label: str) -> tuple[str, ...]:
    """Folded tokens of a name; cached, because a DCI names thousands of sources."""
    return cut(label)


def word_class(word: str) -> str:
    """What all spellings and numbers of a word share (``œdèmes``, ``oedeme`` → ``oedem``)."""
    return stem(fold(word))


def singular(word: str) -> str:
    """A folded word without its plural mark; words of four letters or fewer are kept."""
    if len(word) > 4 and word[-1] in "sx":
        return word[:-1]
    return word
