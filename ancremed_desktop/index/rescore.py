"""Scores passages anew by fielded BM25 (Robertson, Zaragoza and Taylor, CIKM 2004).

FTS5 fixes k₁ and b, knows neither headings nor sections, and adds up all wordings of one word.
Here each concept counts once, by its best wording; what depends on the passages (``Counted``) is
kept apart from what is tuned (``score``), so that trying other weights costs no search.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.index.concepts import Concept
from ancremed_desktop.index.inverted import Inverted
from ancremed_desktop.index.match_query import Group
from ancremed_desktop.index.postings import Array
from ancremed_desktop.index.words import cut, folded_words
from ancremed_desktop.settings.paths import RESOURCES
from ancremed_desktop.text.words import STOP_WORDS, stem

WEIGHTS_FILE = RESOURCES / "ranking" / "weights.toml"
_CACHED_HEADINGS = 8_192
_CACHED_GROUPS = 1_024


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


class Place(NamedTuple):
    """Where a passage stands: what the full text does not hold of it. ``source``: its number;
    ``heading``: as ``padded_heading`` makes it.
    """

    silo: Silo
    source: int
    heading: str
    section: str
    is_record: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """``held[c][w]``: how many of ``total`` passages hold wording ``w`` of concept ``c``. Spreads
    of one query over several files add up: a word is as rare in a file of a few passages as it is
    in all that is searched, or the scores of two files could not be compared.
    """

    held: tuple[tuple[int, ...], ...]
    total: int

    def __add__(self, other: Spread) -> Spread:
        """Over the passages of both. Raises: ValueError when they are not of one query."""
        pairs = zip(self.held, other.held, strict=True)
        return Spread(
            held=tuple(tuple(map(sum, zip(a, b, strict=True))) for a, b in pairs),
            total=self.total + other.total,
        )

    @property
    def idfs(self) -> tuple[tuple[float, ...], ...]:
        """Rarity of each wording of each concept."""
        return tuple(tuple(idf(n, self.total) for n in wordings) for wordings in self.held)


@dataclass(frozen=True, kw_only=True)
class ScoredQuery:
    """``idfs[c][w]``: rarity of wording ``w`` of concept ``c``; ``sections`` asked for."""

    concepts: tuple[Concept, ...]
    idfs: tuple[tuple[float, ...], ...]
    sections: tuple[str, ...]

    @cached_property
    def wordings(self) -> tuple[Group, ...]:
        """The wordings of all concepts, one after the other."""
        return tuple(group for concept in self.concepts for group in concept.wordings)

    @cached_property
    def firsts(self) -> Array:
        """Where the wordings of each concept begin in ``wordings`` (int64)."""
        counts = [len(concept.wordings) for concept in self.concepts]
        return np.cumsum([0, *counts])[:-1]

    @cached_property
    def rarities(self) -> Array:
        """Rarity of each of ``wordings`` (float64, a column)."""
        return np.array([idf for idfs in self.idfs for idf in idfs], np.float64)[:, None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """What passages hold of a query: how often ``titles[w, p]``, ``headings`` and ``texts`` of
    passage ``p`` hold wording ``w``; its tokens ``lengths[p]``; whether it is ``in_section``.
    """

    silos: tuple[Silo, ...]
    titles: Array
    headings: Array
    texts: Array
    lengths: Array
    in_section: Array

    def and_of(self, others: Counted) -> Counted:
        """The same of these passages and the others, for the same query."""
        both = {
            name: np.concatenate((getattr(self, name), getattr(others, name)), axis=-1)
            for name in ("titles", "headings", "texts", "lengths", "in_section")
        }
        return Counted(silos=(*self.silos, *others.silos), **both)


def idf(documents: int, total: int) -> float:
    """Rarity of what ``documents`` of ``total`` passages hold; above 0 however common it is."""
    return math.log1p((total - documents + 0.5) / (documents + 0.5)) if documents < total else 0.0


@lru_cache(maxsize=1)
def load_weights(path: Path = WEIGHTS_FILE) -> Mapping[Silo, Weights]:
    """Weights of every silo, as ``evaluate tune`` wrote them."""
    tables = tomllib.loads(path.read_text("utf-8"))["silo"]
    names = Weights.__dataclass_fields__
    return {Silo(s): Weights(**{n: float(t[n]) for n in names}) for s, t in tables.items()}


def counted(
    inverted: Inverted, rows: Array, places: Sequence[Place], query: ScoredQuery
) -> Counted:
    """Count every wording in the passages of some rows (ordinals, int32), whatever its spelling
    or number; ``places`` are theirs.
    """
    shape = len(query.wordings), len(rows)
    titles, headings, texts = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    own_headings = [place.heading for place in places]
    different = set(own_headings)
    anywhere = "".join(different)
    for number, group in enumerate(query.wordings):
        for phrase in dict.fromkeys(group):
            found = inverted.occurrences(phrase)
            if len(found):
                at = np.minimum(found.rows.searchsorted(rows), len(found) - 1)
                held = found.rows[at] == rows
                titles[number] += found.titles[at] * held
                texts[number] += found.texts[at] * held
        # Most wordings stand in no heading.
        if here := [p for p in stemmed(group) if p in anywhere]:
            counts = {heading: sum(map(heading.count, here)) for heading in different}
            headings[number] = [counts[heading] for heading in own_headings]
    sections = [(section, _telling(section)) for section in query.sections]
    return Counted(
        silos=tuple(place.silo for place in places),
        titles=titles,
        headings=headings,
        texts=texts,
        lengths=inverted.text_lengths[rows],
        in_section=np.array([_is_in(place, sections) for place in places], np.bool_),
    )


def _is_in(place: Place, sections: Sequence[tuple[str, tuple[str, ...]]]) -> bool:
    """Whether a passage is of one of the sections, each with its ``_telling`` words."""
    return any(
        place.section == section
        or (not place.section and any(name in place.heading for name in names))
        for section, names in sections
    )


def score(found: Counted, query: ScoredQuery, weights: Mapping[Silo, Weights]) -> Array:
    """Of each passage, the sum over the concepts of their best wording (float64)."""
    if not found.silos:
        return np.zeros(0)
    silos = sorted(set(found.silos))
    of_silo = np.array([silos.index(silo) for silo in found.silos])
    title, heading, section, meaning, k1, b = (
        np.array([getattr(weights[silo], name) for silo in silos])[of_silo]
        for name in Weights.__dataclass_fields__
    )
    norm = 1 - b + b * found.lengths / max(found.lengths.mean(), 1e-9)
    frequency = title * found.titles + heading * found.headings + found.texts / norm
    worth = query.rarities * frequency * (k1 + 1) / (frequency + k1)
    own = np.zeros(len(worth), np.bool_)
    own[query.firsts] = True
    worth = np.where(own[:, None], worth, meaning * worth)
    best: Array = np.maximum.reduceat(worth, query.firsts)
    total: Array = section * found.in_section + best.sum(axis=0)
    return total


def coverage(found: Counted, query: ScoredQuery) -> Array:
    """Of each passage, the share of the concepts it holds, each weighed by the rarity of its
    commonest wording (float64).
    """
    weights = np.minimum.reduceat(query.rarities, query.firsts)
    counts = found.titles + found.headings + found.texts
    held = np.maximum.reduceat(counts, query.firsts) > 0
    total = weights.sum()
    return (weights * held).sum(axis=0) / total if total else np.zeros(len(found.silos))


@lru_cache(maxsize=_CACHED_GROUPS)
def stemmed(group: Group) -> frozenset[str]:
    """Phrases as padded stems: the same for every heading of a search."""
    return frozenset(_padded(stem(folded) for t in p for folded in folded_words(t)) for p in group)


@lru_cache(maxsize=_CACHED_HEADINGS)
def padded_heading(heading: str, section: str) -> str:
    """Headings with section as padded stems."""
    return _padded(stem(word) for word in cut(f"{heading} {section}"))


def _padded(stems: Iterable[str]) -> str:
    """Stems with two spaces between, so that repeated ones are all counted."""
    return f" {'  '.join(stems)} "


@lru_cache(maxsize=_CACHED_GROUPS)
def _telling(section: str) -> tuple[str, ...]:
    """Words that tell of a section in a heading, as padded stems."""
    return tuple(_padded((stem(w),)) for w in folded_words(section) if w not in STOP_WORDS)
