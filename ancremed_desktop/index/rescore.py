"""Scores passages anew by fielded BM25 (Robertson, Zaragoza and Taylor, CIKM 2004).

FTS5 fixes k₁ and b, knows neither headings nor sections, and adds up all wordings of one word.
Here each concept counts once, by its best wording; what depends on the passage (``features``)
is kept apart from what is tuned (``score``), so that trying other weights costs no search.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.evidence import SearchHit
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.index.concepts import Concept
from ancremed_desktop.index.match_query import Group
from ancremed_desktop.index.words import cut, folded_words
from ancremed_desktop.settings.paths import RESOURCES
from ancremed_desktop.text.words import STOP_WORDS, stem

WEIGHTS_FILE = RESOURCES / "ranking" / "weights.toml"
_CACHED_PASSAGES = 2_048
_CACHED_GROUPS = 1_024

Counts = tuple[int, int, int]
"""How often a wording occurs in title, headings and text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Tuned numbers of a silo. ``title``, ``heading``: worth of an occurrence there against one
    in the text; ``section``: added to a passage of a section asked for; ``meaning``: worth of
    another wording than the user's own (0 to 1); ``k1`` and ``b`` as in BM25.
    """

    title: float
    heading: float
    section: float
    meaning: float
    k1: float
    b: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """What a passage holds of a query. ``counts[c][w]``: of wording ``w`` of concept ``c``."""

    length: int
    in_section: bool
    counts: tuple[tuple[Counts, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredQuery:
    """``idfs[c][w]``: rarity of wording ``w`` of concept ``c``; ``sections`` asked for."""

    concepts: tuple[Concept, ...]
    idfs: tuple[tuple[float, ...], ...]
    sections: tuple[str, ...]


def idf(documents: int, total: int) -> float:
    """Rarity of what ``documents`` of ``total`` passages hold; above 0 however common it is."""
    return math.log1p((total - documents + 0.5) / (documents + 0.5)) if documents < total else 0.0


class Rescorer:
    """Scores hits of one query under the tuned weights of their silos; counts each passage once."""

    def __init__(self, query: ScoredQuery) -> None:
        self._query = query
        self._found: dict[str, Features] = {}

    def __call__(self, hits: Sequence[SearchHit]) -> tuple[SearchHit, ...]:
        """The hits, best first; equal ones keep their order."""
        for hit in hits:
            if hit.passage.urn not in self._found:
                self._found[hit.passage.urn] = features(hit.passage, self._query)
        found = [self._found[h.passage.urn] for h in hits]
        mean = sum(f.length for f in found) / len(found) if found else 0.0
        weights = load_weights()
        idfs = self._query.idfs
        scored = [
            replace(
                h,
                score=score(f, idfs, mean, weights[h.passage.silo]),
                coverage=coverage(f, idfs),
            )
            for h, f in zip(hits, found, strict=True)
        ]
        return tuple(sorted(scored, key=lambda h: -h.score))


@lru_cache(maxsize=1)
def load_weights(path: Path = WEIGHTS_FILE) -> Mapping[Silo, Weights]:
    """Weights of every silo, as ``evaluate tune`` wrote them."""
    tables = tomllib.loads(path.read_text("utf-8"))["silo"]
    names = Weights.__dataclass_fields__
    return {Silo(s): Weights(**{n: float(t[n]) for n in names}) for s, t in tables.items()}


def features(passage: Passage, query: ScoredQuery) -> Features:
    """Count every wording in the three fields of a passage, whatever its spelling or number."""
    title, heading, text = _fields(passage)
    counts = tuple(
        tuple(
            (
                sum(map(title.count, phrases)),
                sum(map(heading.count, phrases)),
                sum(map(text.count, phrases)),
            )
            for phrases in map(_stemmed, concept.wordings)
        )
        for concept in query.concepts
    )
    return Features(
        length=text.count("  ") + 1,
        in_section=any(_holds_section(passage, heading, s) for s in query.sections),
        counts=counts,
    )


@lru_cache(maxsize=_CACHED_GROUPS)
def _stemmed(group: Group) -> frozenset[str]:
    """Phrases as padded stems: the same for every passage of a search."""
    return frozenset(_padded(stem(folded) for t in p for folded in folded_words(t)) for p in group)


def score(
    found: Features, idfs: Sequence[Sequence[float]], mean_length: float, weights: Weights
) -> float:
    """Sum over the concepts of their best wording. ``idfs`` has the shape of ``counts``."""
    norm = 1 - weights.b + weights.b * found.length / mean_length if mean_length else 1.0
    total = weights.section if found.in_section else 0.0
    for counts, concept_idfs in zip(found.counts, idfs, strict=True):
        best = 0.0
        for position, ((title, heading, text), idf) in enumerate(
            zip(counts, concept_idfs, strict=True)
        ):
            frequency = weights.title * title + weights.heading * heading + text / norm
            if frequency:
                worth = idf * frequency * (weights.k1 + 1) / (frequency + weights.k1)
                best = max(best, worth if position == 0 else weights.meaning * worth)
        total += best
    return total


def coverage(found: Features, idfs: Sequence[Sequence[float]]) -> float:
    """Share of the concepts that are held, each weighed by the rarity of its commonest wording."""
    weights = [min(concept_idfs) for concept_idfs in idfs]
    held = [any(map(any, counts)) for counts in found.counts]
    total = sum(weights)
    return sum(w for w, h in zip(weights, held, strict=True) if h) / total if total else 0.0


@lru_cache(maxsize=_CACHED_PASSAGES)
def _fields(passage: Passage) -> tuple[str, str, str]:
    """Title, headings with section, and text as padded stems; a title repeated above the text
    is no heading.
    """
    heading = passage.heading.removeprefix(passage.origin_title)
    return (
        _stems(passage.origin_title),
        _stems(f"{heading} {passage.section}"),
        _stems(passage.text),
    )


def _stems(text: str) -> str:
    return _padded(stem(word) for word in cut(text))


def _padded(stems: Iterable[str]) -> str:
    """Stems with two spaces between, so that repeated ones are all counted."""
    return f" {'  '.join(stems)} "


def _holds_section(passage: Passage, heading: str, section: str) -> bool:
    if passage.section == section:
        return True
    names = [w for w in folded_words(section) if w not in STOP_WORDS]
    return not passage.section and any(f" {stem(n)} " in heading for n in names)
