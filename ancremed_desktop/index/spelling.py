"""Finds words of the vocabulary: the nearest to a misspelt one, those that hold a piece."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from rapidfuzz import process
from rapidfuzz.distance import OSA

from ancremed_desktop.index.derived import is_code
from ancremed_desktop.index.index_file import IndexFile
from ancremed_desktop.index.words import word_class
from ancremed_desktop.text.normalise import fold

_SHORT = 6
_LONGEST = 40
_HOLDING = 64
"""Words that hold a piece."""
_MADE_OF = 2
"""Pieces a word is made of."""
_SHORTEST_PIECE = 4
_LONGEST_WHOLE = 64
"""Characters of a word whose pieces are looked for."""


class SpellingFinder:
    """Optimal string alignment distance within words of one first letter and one length.

    A wrong first letter is found only when it was swapped, lost or added: looking at every letter
    would cost thirty times more.
    """

    def __init__(self, files: Sequence[IndexFile]) -> None:
        self._files = files

    def nearest(self, word: str, limit: int) -> tuple[str, ...]:
        """Words within 2 edits (1 under 6 letters), nearest first, then commonest."""
        key = fold(word)
        if len(key) < 3 or len(key) > _LONGEST:
            return ()
        bound = 1 if len(key) < _SHORT else 2
        near: dict[str, int] = {}
        for letter in dict.fromkeys(c for c in key[:2] if c.isalnum()):
            for words in self._words(letter, len(key) - bound, len(key) + bound):
                found = process.extract_iter(
                    key, words, scorer=OSA.distance, score_cutoff=bound, processor=None
                )
                near.update((w, int(distance)) for w, distance, _ in found if w.isalpha())
        common = Counter[str]()
        for file in self._files:
            for _, folded, documents in _tokens(near, file):
                common[folded] += documents
        ordered = sorted(near, key=lambda w: (near[w], -common[w], w))
        return tuple(ordered[:limit])

    def _words(self, letter: str, shortest: int, longest: int) -> Iterable[list[str]]:
        """Folded words of one first letter, length by length."""
        for file in self._files:
            for (words,) in file.query(
                "SELECT words FROM spellings WHERE length BETWEEN ? AND ? AND initial = ?",
                shortest,
                longest,
                letter,
            ):
                yield str(words).split()


def pieces_of(word: str, file: IndexFile) -> tuple[str, ...]:
    """Tokens of the vocabulary that hold a folded word, the shortest and commonest first; when
    there are none, the longest ones it is made of. Equal ones by letter, so that every process
    finds the same.
    """
    tokens = _tokens(_holding(word, file), file)
    if tokens:
        tokens.sort(key=lambda t: (len(t[1]), -t[2], t[0]))
        return tuple(token for token, *_ in tokens[:_HOLDING])
    whole = word[:_LONGEST_WHOLE]
    pieces = {
        whole[start:end]
        for start in range(len(whole))
        for end in range(start + _SHORTEST_PIECE, min(len(whole), start + _LONGEST) + 1)
    }
    held = [w for w in pieces if file.inverted.count((w,)) or not is_code(w)]
    tokens = sorted(_tokens(held, file), key=lambda t: (-len(t[1]), -t[2], t[0]))
    return tuple(token for token, *_ in tokens[:_MADE_OF])


def _holding(piece: str, file: IndexFile) -> list[str]:
    """Folded words that hold a piece, by length, until there are enough."""
    found: list[str] = []
    for length, words in file.spellings:
        if len(found) >= _HOLDING:
            break
        if length >= len(piece):
            found += _with_piece(piece, words)
    return found


def _with_piece(piece: str, words: str) -> Iterator[str]:
    """Those of some words, a space between, that hold a piece."""
    at = words.find(piece)
    while at >= 0:
        end = words.find(" ", at)
        end = end if end >= 0 else len(words)
        yield words[words.rfind(" ", 0, at) + 1 : end]
        at = words.find(piece, end)


def _tokens(words: Iterable[str], file: IndexFile) -> list[tuple[str, str, int]]:
    """Tokens that fold to one of the words, with what they fold to and the rows that hold them;
    for a code that is not in the vocabulary, the fewest.
    """
    wanted = set(words)
    classes = json.dumps([*map(word_class, wanted)])
    found = file.query(
        "SELECT token, documents FROM vocabulary WHERE class IN (SELECT value FROM json_each(?))",
        classes,
    )
    folded = ((str(token), fold(str(token)), int(str(count))) for token, count in found)
    known = [token for token in folded if token[1] in wanted]
    return known + [(w, w, 1) for w in wanted.difference(t[1] for t in known) if is_code(w)]
