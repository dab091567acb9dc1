"""Orders the rows of one index file by BM25, title five times the body (specification §5.5).

Rows are ranked without their text, and read afterwards: reading the text of every match would
cost more than all the rest.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import apsw
import numpy as np

from ancremed_desktop.index.inverted import TITLE_WEIGHT, Inverted
from ancremed_desktop.index.match_query import Group
from ancremed_desktop.index.postings import Array, span

BODY_WEIGHT = 1.0
_GROWTH = 8
_DIGITS = 12
"""Scores that differ less are equal: rounding must not tell passages apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Rows looked at: ordinals from ``first`` to before ``after``, and of these the ``allowed``
    (bool by ordinal) if not all.
    """

    first: int
    after: int
    allowed: Array | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Rows found, by ordinal ascending (int64), with their scores (float64, higher is better)."""

    rows: Array
    scores: Array

    def best_first(self, wanted: int) -> Iterator[tuple[int, float]]:
        """(ordinal, score), the best first, equal ones in the order of the rows.

        Those after ``wanted`` are put in order only when they are asked for.
        """
        given = 0
        while given < len(self.rows):
            order = self._order(wanted)
            for place in order[given:]:
                yield int(self.rows[place]), float(self.scores[place])
            given = len(order)
            wanted *= _GROWTH

    def _order(self, wanted: int) -> Array:
        """Places of the ``wanted`` best, and of those that tie with the last of them."""
        places = np.arange(len(self.scores))
        if wanted < len(places):
            worse = len(places) - wanted
            places = np.flatnonzero(self.scores >= np.partition(self.scores, worse)[worse])
        return places[np.argsort(-self.scores[places], kind="stable")]


def rank(
    inverted: Inverted,
    groups: Sequence[Group],
    require: Sequence[Group],
    scope: Scope,
    *,
    every: bool,
) -> Ranking:
    """Rows that hold one of the groups, or ``every`` one; exactly what FTS5's bm25 gives them.

    A row must also hold one of ``require``, when there is any, which counts as well. In a search
    for any, a group that more than half of the rows hold weighs next to nothing in FTS5 (1e-6)
    and is left out when there is another.
    """
    scores = np.zeros(scope.after - scope.first)
    if every:
        kept: Array = np.ones(len(scores), np.bool_)
        for group in groups:
            kept &= _any_of(_add(inverted, group, scope, scores), len(scores))
            if not kept.any():
                break
    else:
        for group in _telling(inverted, groups):
            _add(inverted, group, scope, scores)
        kept = scores > 0  # whatever a row holds adds to its score
    if require:
        required = (_add(inverted, group, scope, scores) for group in _telling(inverted, require))
        kept &= _any_of(itertools.chain.from_iterable(required), len(scores))
    if scope.allowed is not None:
        kept &= scope.allowed[scope.first : scope.after]
    rows = np.flatnonzero(kept)
    return Ranking(rows=rows + scope.first, scores=np.round(scores[rows], _DIGITS))


def _add(inverted: Inverted, group: Group, scope: Scope, scores: Array) -> list[Array]:
    """Add what the rows of the scope score for a group; those that hold each of its phrases."""
    held = []
    for found, worth in inverted.worths(group):
        first, after = span(found, scope.first, scope.after - 1)
        rows = np.subtract(found[first:after], scope.first, dtype=np.intp)
        np.add.at(scores, rows, worth[first:after])  # no row twice; faster than ``+=``
        held.append(rows)
    return held


def _any_of(held: Iterable[Array], size: int) -> Array:
    """Which of so many rows are in one of the lists (bool)."""
    found: Array = np.zeros(size, np.bool_)
    for rows in held:
        found[rows] = True
    return found


def _telling(inverted: Inverted, groups: Sequence[Group]) -> list[Group]:
    counts = [sum(map(inverted.count, group)) for group in groups]
    half = len(inverted.rowids) / 2
    found = [g for g, count in zip(groups, counts, strict=True) if count]
    return [g for g, count in zip(groups, counts, strict=True) if 0 < count <= half] or found


def best_matches(
    connection: apsw.Connection, match: str, wanted: int
) -> Iterator[tuple[int, float]]:
    """(rowid, score) of all that an FTS5 match text finds, the best first."""
    given = 0
    while True:
        rows = connection.execute(
            f"SELECT rowid, bm25(documents_fts, {TITLE_WEIGHT}, {BODY_WEIGHT}) AS score "
            "FROM documents_fts WHERE documents_fts MATCH ? ORDER BY score LIMIT ?",
            (match, wanted),
        ).fetchall()
        yield from ((int(str(row)), -float(str(score))) for row, score in rows[given:])
        if len(rows) < wanted:
            return
        given = len(rows)
        wanted *= _GROWTH
