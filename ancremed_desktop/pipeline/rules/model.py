"""What the rules compare: statements cut into clauses, with their mentions and quantities."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from ancremed_desktop.domain.spans import DropReason
from ancremed_desktop.text.clauses import Role
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.quantities import Quantity


class Mention(NamedTuple):
    """A word or phrase that says something clinical; ``text[start:end]`` of its statement.

    ``concepts``: synonym families and ``w:<stem>`` of each word, any of which is a counterpart.
    ``parts``: concepts of the words one by one; all of them together are a counterpart too.
    ``sign``: local polarity; ``chunk``: index of the clause; ``denies``: whether the phrase holds
    its own denial (« sans symptôme »).
    """

    start: int
    end: int
    key: str
    concepts: frozenset[str]
    parts: tuple[frozenset[str], ...]
    axes: frozenset[tuple[str, str]]
    role: Role
    sign: int
    chunk: int
    first: int
    neutral: bool
    denies: bool


@dataclass(frozen=True, slots=True)
class Value:
    """A quantity with its clause and how it is bounded: '', '<', '≤', '≥', '>'.

    ``age``: it is how old somebody is.
    """

    quantity: Quantity
    chunk: int
    segment: int
    bound: str
    first: int
    last: int
    age: bool = False


@dataclass(slots=True, eq=False)
class Clause:
    """Words ``start:end`` of a statement under one predicate (see ``text.negation.Chunk``).

    A clause is equal to itself alone.
    """

    start: int
    end: int
    sentence: int
    sign: int
    only: int
    forbidden: bool
    heads: bool
    frames: tuple[int, ...]
    mentions: list[Mention] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """A text as the rules read it. ``every``: all mentions with their overlapping readings.

    A statement is equal to itself alone: what is worked out from one is kept by what it is.

    ``ends``: values that one of ``values``, a range, stands for (« ≥ 4 » of « ≥ 4 et < 6 »).
    """

    text: str
    folded_text: str
    keys: tuple[str, ...]
    gaps: tuple[str, ...]
    roles: tuple[Role, ...]
    offsets: tuple[tuple[int, int], ...]
    clauses: tuple[Clause, ...]
    mentions: tuple[Mention, ...]
    every: tuple[Mention, ...]
    values: tuple[Value, ...]
    ends: tuple[Value, ...]
    marks: frozenset[int]
    concepts: frozenset[str]
    axes: frozenset[tuple[str, str]]

    def folded(self, clause: Clause) -> str:
        """Folded text of a clause."""
        if clause.start >= clause.end:
            return ""
        start, end = self.offsets[clause.start][0], self.offsets[clause.end - 1][1]
        return fold(self.text[start:end])


@dataclass(frozen=True, slots=True)
class Finding:
    """A ground for refusal. ``detail`` French; ``spans``: ranges of the assertion."""

    reason: DropReason
    detail: str
    spans: tuple[tuple[int, int], ...] = ()


_KINDS = {"calendar": "time", "interval": "rhythm", "frequency": "rhythm", "rank": "day", "ordinal": "day",
          "count/volume": "count/volume"}  # fmt: skip
_KILOS = re.compile(r"\d\s*kg\b|kilo")


def kind(value: Value) -> str:
    """What a value measures: kilograms are a patient's weight, not a dose.

    An amount, an amount a day and an amount per kilo are rivals: one kind. So are « une fois par
    jour » and « un jour sur deux », weeks and months.
    """
    written = value.quantity.text.casefold()
    dimension = value.quantity.dimension
    if value.age:
        return "age"
    if dimension == "mass" and _KILOS.search(written):
        return "weight"
    return _KINDS.get(dimension, dimension.split("/")[0] if "/" in dimension else dimension)
