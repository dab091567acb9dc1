"""A ``ports.Embedder`` without weights: near are texts that share pieces of words."""

from __future__ import annotations

import hashlib

from ancremed_desktop.ports import Vector
from ancremed_desktop.text.normalise import fold

_COORDINATES = 64
_PIECE = 4


class HashEmbedder:
    """Each piece of four letters turns some coordinates up and others down, always the same.

    ``meanings``: words that stand for others, as a real embedder knows synonyms. ``embedded``:
    the texts it was given.
    """

    def __init__(self, name: str = "hachage 1", meanings: dict[str, str] | None = None) -> None:
        self.name = name
        self.embedded: list[str] = []
        self._meanings = meanings or {}

    def embed_query(self, text: str) -> Vector:
        return self._embed(text)

    def embed_passage(self, text: str) -> Vector:
        return self._embed(text)

    def _embed(self, text: str) -> Vector:
        self.embedded.append(text)
        key = fold(text)
        for word, meaning in self._meanings.items():
            key = key.replace(word, meaning)
        total = [0.001] * _COORDINATES
        for start in range(max(1, len(key) - _PIECE + 1)):
            digest = hashlib.sha256(key[start : start + _PIECE].encode(errors="replace")).digest()
            for place in range(_COORDINATES):
                bit = digest[place // 8] >> (place % 8) & 1
                total[place] += 1 if bit else -1
        return tuple(total)
