"""« A trois jours avant B » is « B trois jours après A »."""

from __future__ import annotations

from ancremed_desktop.pipeline.rules.align import same
from ancremed_desktop.pipeline.rules.model import Mention, Statement, Value

_Told = tuple[str, list[Mention], list[Mention]]
_PLAIN = 5
"""Letters of a plain word that may name an event (« traitement »)."""
_SIDES = frozenset({"avant", "apres"})
_SIDE_WORDS = 4
"""Words from a delay to « avant » or « après »."""


def turned_round(assertion: Statement, value: Value, cited: Statement, match: Value) -> bool:
    """Whether a delay is told from its other end, with what comes first and last kept."""
    ours, theirs = _around(assertion, value), _around(cited, match)
    return (
        ours is not None and theirs is not None and ours[0] != theirs[0] and _swapped(ours, theirs)
    )


def turned_wrong(assertion: Statement, value: Value, cited: Statement, match: Value) -> bool:
    """« B trois jours avant A » of « A trois jours avant B »."""
    ours, theirs = _around(assertion, value), _around(cited, match)
    return (
        ours is not None and theirs is not None and ours[0] == theirs[0] and _swapped(ours, theirs)
    )


def _swapped(ours: _Told, theirs: _Told) -> bool:
    (_, behind, ahead), (_, first, last) = ours, theirs
    crossed = _meet(ahead, first) and _meet(behind, last)
    return crossed and not _meet(ahead, last) and not _meet(behind, first)


def _around(statement: Statement, value: Value) -> _Told | None:
    """(side, what stands before a delay, what stands behind its « avant » or « après »)."""
    clause = statement.clauses[value.chunk]
    near = range(value.last + 1, min(value.last + _SIDE_WORDS, clause.end))
    side = next((i for i in near if statement.keys[i] in _SIDES), -1)
    if side < 0:
        return None
    told = [m for m in statement.every if m.chunk == value.chunk]
    told = [m for m in told if not m.neutral or len(m.key) > _PLAIN]
    before = [m for m in told if m.first < value.first]
    after = [m for m in told if m.first > side]
    return statement.keys[side], before, after


def _meet(one: list[Mention], other: list[Mention]) -> bool:
    return any(same(a, b) for a in one for b in other)
