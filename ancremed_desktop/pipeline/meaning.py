"""Search by meaning beside the search by words, and the two lists made one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

from ancremed_desktop.domain.evidence import SearchHit
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.ports import Embedder, VectorIndex

MeaningSearch = Callable[[str, tuple[Silo, ...], int], Sequence[SearchHit]]
"""(question, silos, limit) → passages that mean the like, best first."""

DEPTH = 50
"""Hits of each list that are fused."""
_K = 30
"""Constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009)."""
MEANING_WEIGHT = 0.1
"""Of a rank by meaning, where a rank by words weighs 1: both chosen on the tuning questions."""
_REMEMBERED = 16


def search_by_meaning(embedder: Embedder, vectors: VectorIndex) -> MeaningSearch:
    """The search; one that is asked again (section by section) is made once."""
    return lru_cache(_REMEMBERED)(
        lambda question, silos, limit: vectors.nearest(embedder.embed_query(question), silos, limit)
    )


def no_meaning(_question: str, _silos: tuple[Silo, ...], _limit: int) -> Sequence[SearchHit]:
    """Where meaning is not searched."""
    return ()


def fused(
    by_words: Sequence[SearchHit], by_meaning: Sequence[SearchHit], limit: int
) -> tuple[SearchHit, ...]:
    """Both lists by the sum of their weighted reciprocal ranks; equal ones by words first.

    The score is that sum; what a hit by words covers of the question stays with it. Without
    hits by meaning the hits by words are left as they are.
    """
    if not by_meaning:
        return tuple(by_words[:limit])
    hits: dict[str, SearchHit] = {}
    for weight, ranked in ((1.0, by_words), (MEANING_WEIGHT, by_meaning)):
        for rank, hit in enumerate(ranked, 1):
            known = hits.get(hit.passage.urn)
            gain = weight / (_K + rank)
            score = known.score + gain if known else gain
            hits[hit.passage.urn] = replace(known or hit, score=score)
    return tuple(sorted(hits.values(), key=lambda h: -h.score)[:limit])
