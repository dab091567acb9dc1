"""What was retrieved: requests to the index, hits, rounds of the deep search."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.identifiers import Silo


class MatchMode(StrEnum):
    """How the terms of a request must occur; tried in this order."""

    PHRASE = "phrase"
    NEAR = "proches"
    ALL = "tous"
    ANY = "au moins un"
    SUBSTRING = "sous-chaîne"
    RANKED = "classés"
    """Any of the words or of what they mean, the best of them scored anew (see ``meanings``)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What words of a query may also be called (« crise cardiaque » → « infarctus »).

    ``words``: a piece of the query, in one or several words. ``others``: other wordings, each
    worth less than the words themselves.
    """

    words: str
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """A search of the index. ``query``: plain words, no operator is ever interpreted.

    ``silos`` empty means all; ``limit`` 1 to 100; ``require``: words of which at least one must
    occur in each hit (the subject), empty for none; ``identifiers``: restrict to these sources.
    ``meanings`` and ``sections`` (asked for, thus preferred) are read by ``RANKED`` alone.
    """

    query: str
    mode: MatchMode = MatchMode.ALL
    silos: tuple[Silo, ...] = ()
    limit: int = 6
    require: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    include_superseded: bool = False
    meanings: tuple[Meaning, ...] = ()
    sections: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """A passage with its score; higher is better (the sign of FTS5's bm25 is turned).

    ``coverage``: share of the words of a ``RANKED`` query, by rarity, that the passage holds
    (0 to 1; a word that stands nowhere weighs most).
    """

    passage: Passage
    score: float
    coverage: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexIdentity:
    """Which index answered. ``passages`` and ``sources`` are counts, ``built_at`` ISO UTC."""

    path: str
    schema_version: int
    build_id: str
    built_at: str
    passages: int
    sources: int
    counts: tuple[tuple[str, int], ...] = ()
    """(silo, passages)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryTrace:
    """One sub-query as it was run."""

    section: str
    query: str
    silo: str
    mode: str
    hits: int
    fresh: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One round of the deep search, with the sections it left uncovered."""

    number: int
    queries: tuple[QueryTrace, ...]
    uncovered: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionEvidence:
    """Passages for one required section, best first; ``covered`` by the deterministic rule."""

    section: str
    hits: tuple[SearchHit, ...]
    covered: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """All that the deep search found. ``stop_reason`` is French."""

    sections: tuple[SectionEvidence, ...]
    rounds: tuple[Round, ...]
    stop_reason: str
    off_corpus: bool = False

    @property
    def urns(self) -> frozenset[str]:
        """Every passage retrieved for this question."""
        return frozenset(h.passage.urn for s in self.sections for h in s.hits)
