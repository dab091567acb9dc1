"""The words of an index: how common each is, its class of forms, its near misses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from rapidfuzz import process
from rapidfuzz.distance import OSA

from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import stem

_FORMS = 12
"""Index words a query word may stand for; more would make every query an OR of dozens."""


class Vocabulary:
    """Built from (index word, number of passages); folded classes are made once."""

    def __init__(self, counts: Mapping[str, int]) -> None:
        self._counts: dict[str, int] = defaultdict(int)
        self._classes: dict[str, list[str]] = defaultdict(list)
        self._buckets: dict[str, list[str]] = defaultdict(list)
        for term, count in counts.items():
            folded = fold(term)
            self._counts[folded] += count
            self._classes[stem(folded)].append(term)
        self._rank = dict(counts)
        for folded in self._counts:
            if len(folded) > 3 and folded.isalpha():
                self._buckets[folded[0]].append(folded)

    def frequency(self, word: str) -> int:
        """Passages that hold the word or a form of its class (upper bound); 0 when unknown."""
        key = fold(word)
        forms = self._classes.get(stem(key), ())
        return self._counts.get(key, 0) or sum(self._rank[t] for t in forms)

    def forms(self, word: str) -> tuple[str, ...]:
        """Index words of the same class (accents, ligatures, digits, number, gender)."""
        found = self._classes.get(stem(fold(word)), ())
        return tuple(sorted(found, key=lambda t: -self._rank[t])[:_FORMS])

    def near(self, word: str, limit: int) -> tuple[str, ...]:
        """Words within 2 edits (1 under 6 letters) that begin alike, nearest then commonest."""
        key = fold(word)
        bound = 1 if len(key) < 6 else 2
        candidates = [
            w
            for first in {key[:1], key[1:2]}
            for w in self._buckets.get(first, ())
            if abs(len(w) - len(key)) <= bound
        ]
        near = process.extract(
            key, candidates, scorer=OSA.distance, score_cutoff=bound, limit=4 * limit
        )
        ranked = sorted(near, key=lambda m: (m[1], -self._counts[m[0]]))
        return tuple(dict.fromkeys(m[0] for m in ranked))[:limit]
