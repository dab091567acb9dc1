"""Orders the rows of one index file by BM25, title five times the body (specification §5.5).

Rows are ranked in the full text alone and joined afterwards: reading the text of every match
would cost more than all the rest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import apsw

from ancremed_desktop.index.match_query import Group, Phrase, any_of

TITLE_WEIGHT = 5.0
BODY_WEIGHT = 1.0
_K1 = 1.2
_GROWTH = 8

Scored = tuple[float, int]
"""(score, rowid); FTS5's sign, the lower the better."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Where to look: rowids ``first`` to ``last``, and these ``identifiers`` (JSON) if any."""

    first: int
    last: int
    identifiers: str = ""


def best_rows(
    connection: apsw.Connection, match: str, scope: Scope, limit: int
) -> tuple[Scored, ...]:
    """The ``limit`` best rows of a match text, best first."""
    restriction = ""
    arguments: tuple[str | int | float, ...] = (match, scope.first, scope.last)
    if scope.identifiers:
        restriction = (
            " AND rowid IN (SELECT rowid FROM documents WHERE source_identifier IN "
            "(SELECT value FROM json_each(?)))"
        )
        arguments = (*arguments, scope.identifiers)
    rows = connection.execute(
        f"SELECT bm25(documents_fts, {TITLE_WEIGHT}, {BODY_WEIGHT}) AS score, rowid "
        "FROM documents_fts WHERE documents_fts MATCH ? AND rowid BETWEEN ? AND ?"
        f"{restriction} ORDER BY score LIMIT ?",
        (*arguments, limit),
    )
    return tuple((float(score), int(rowid)) for score, rowid in rows)


def widening(rank: Callable[[int], tuple[Scored, ...]], limit: int) -> Iterator[tuple[Scored, ...]]:
    """Batches of rows, best first, that follow each other until there are no more.

    The first batch is what a caller that drops little needs; each next one is eight times wider.
    """
    asked = 2 * limit
    given = 0
    while True:
        rows = rank(asked)
        yield rows[given:]
        if len(rows) < asked:
            return
        given = len(rows)
        asked *= _GROWTH


def best_of_any(
    connection: apsw.Connection,
    groups: Sequence[Group],
    frequency: Callable[[Phrase], int],
    scope: Scope,
    require: Sequence[Group],
    total: int,
    limit: int,
) -> tuple[Scored, ...]:
    """The ``limit`` best rows that hold any of the groups; exactly what a plain OR would give.

    MaxScore (Turtle and Flood, 1995) in SQL: groups are taken rarest first, and once the last
    of the best rows scores more than all the groups left could add up to, rows that hold only
    those need not be looked at. A group that more than half of the rows hold weighs next to
    nothing in FTS5 (1e-6) and is left out when there is another.
    One of ``require``, when there is any, must be in each row.
    """
    ordered = _by_rarity(groups, frequency, total)
    # Words required are scored too: every row may have that much more.
    needed = _by_rarity(require, frequency, total)
    if require and not needed:
        return ()
    extra = sum(bound for bound, _ in needed)
    among = f" AND ({' OR '.join(text for _, text in needed)})" if needed else ""
    best: list[Scored] = []
    seen: list[str] = []
    for position, (bound, text) in enumerate(ordered):
        remaining = extra + sum(b for b, _ in ordered[position:])
        if len(best) >= limit and -best[limit - 1][0] >= remaining:
            break
        later = [f"({t})" for _, t in ordered[position + 1 :]]
        # NOT next to the group itself: around an AND, FTS5 (3.54) leaves out of bm25 some of the
        # phrases that the row holds.
        steps = [f"({_without(text, seen)}) AND ({' OR '.join(later)})"] if later else []
        steps.append(_without(text, [*seen, *later]))
        for step in steps:
            alone = step is steps[-1]
            if alone and len(best) >= limit and -best[limit - 1][0] >= bound + extra:
                continue  # rows with this group alone cannot score more than its own bound
            found = best_rows(connection, f"({step}){among}", scope, limit)
            best = sorted([*best, *found])[:limit]
        seen.append(f"({text})")
    return tuple(best)


def _without(text: str, excluded: Sequence[str]) -> str:
    return f"({text}) NOT ({' OR '.join(excluded)})" if excluded else f"({text})"


def _by_rarity(
    groups: Sequence[Group], frequency: Callable[[Phrase], int], total: int
) -> list[tuple[float, str]]:
    """(most a row can score for the group, its match text), the rarest group first."""
    measured = []
    for group in groups:
        counts = {p: frequency(p) for p in group}
        held = tuple(p for p, count in counts.items() if count)
        if held:
            bound = (_K1 + 1) * sum(_idf(counts[p], total) for p in held)
            measured.append((sum(counts.values()), bound, any_of(held)))
    telling = [m for m in measured if m[0] <= total / 2] or measured
    return [(bound, text) for _, bound, text in sorted(telling)]


def _idf(documents: int, total: int) -> float:
    """Weight of a phrase as FTS5 computes it (https://www.sqlite.org/fts5.html §5.1.1)."""
    return max(1e-6, math.log((total - documents + 0.5) / (documents + 0.5)))


def count_rows(connection: apsw.Connection, match: str, scope: Scope | None = None) -> int:
    """How many rows a match text finds (in the rows of ``scope``)."""
    within = " AND rowid BETWEEN ? AND ?" if scope else ""
    bounds = (scope.first, scope.last) if scope else ()
    row = connection.execute(
        f"SELECT count(*) FROM documents_fts WHERE documents_fts MATCH ?{within}", (match, *bounds)
    ).fetchone()
    return int(row[0]) if row else 0
