"""Finds the words of the vocabulary nearest to a misspelt one."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz import process
from rapidfuzz.distance import OSA

from ancremed_desktop.index.index_file import IndexFile
from ancremed_desktop.text.normalise import fold

_SHORT = 6
_LONGEST = 40

Bucket = dict[str, int]
"""Folded word → passages that hold it."""


class SpellingFinder:
    """Optimal string alignment distance within buckets of one first letter and one length.

    Buckets are read at the first word that needs their letter. A wrong first letter is found
    only when it was swapped, lost or added: looking in every bucket would cost thirty times more.
    """

    def __init__(self, files: Sequence[IndexFile]) -> None:
        self._files = files
        self._buckets: dict[str, dict[int, Bucket]] = {}

    def nearest(self, word: str, limit: int) -> tuple[str, ...]:
        """Words within 2 edits (1 under 6 letters), nearest first, then commonest."""
        key = fold(word)
        if len(key) < 3 or len(key) > _LONGEST:
            return ()
        bound = 1 if len(key) < _SHORT else 2
        found: dict[str, tuple[int, int]] = {}
        for letter in dict.fromkeys(c for c in key[:2] if c.isalnum()):
            for length in range(len(key) - bound, len(key) + bound + 1):
                bucket = self._letter(letter).get(length, {})
                near = process.extract_iter(
                    key, list(bucket), scorer=OSA.distance, score_cutoff=bound, processor=None
                )
                found.update((w, (int(distance), -bucket[w])) for w, distance, _ in near)
        ordered = sorted(found, key=lambda w: (found[w], w))
        return tuple(ordered[:limit])

    def _letter(self, letter: str) -> dict[int, Bucket]:
        buckets = self._buckets.get(letter)
        if buckets is None:
            buckets = self._buckets[letter] = self._read(letter)
        return buckets

    def _read(self, letter: str) -> dict[int, Bucket]:
        """Words of one first letter by length. An accented or ligature initial counts as its
        fold, and such tokens sort away from it: they are read through the class of the word.
        """
        buckets: dict[int, Bucket] = {}
        for file in self._files:
            for folded, documents in file.query(
                "SELECT fold, documents FROM vocabulary WHERE class >= ? AND class < ?",
                letter,
                chr(ord(letter) + 1),
            ):
                word = str(folded)
                if word.isalpha():
                    bucket = buckets.setdefault(len(word), {})
                    bucket[word] = bucket.get(word, 0) + int(str(documents))
        return buckets
