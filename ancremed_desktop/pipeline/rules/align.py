"""Which clauses of the source an assertion's clause speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ancremed_desktop.pipeline.rules.model import Clause, Mention, Statement, Value
from ancremed_desktop.pipeline.rules.parse import concepts_of, parse
from ancremed_desktop.text.clauses import Role
from ancremed_desktop.text.values import alike

_NEUTRAL_WEIGHT = 0.15
_VALUE_WEIGHT = 1.5
_FRAMED_WEIGHT = 0.9
"""What a heading says counts a little less for the clause under it than for itself."""


WITH = ("associ", "combin", "conjoint", "avec", "cumul", "coupl")
"""Beginnings of words that put two things together."""
_LIST_TAIL = 10
"""Words after a member of a list within which its « ou » must come."""


@dataclass(frozen=True, slots=True)
class Source:
    """What an assertion is compared with.

    ``cited``: the stored sentences; ``passage``: all of its text; ``label``: title, heading and
    section; ``before``: the sentence before, when the cited ones lean on it (pronoun, « relais »).
    """

    cited: Statement
    passage: str
    label: Statement
    before: Statement

    @property
    def around(self) -> Statement:
        """The whole passage, read when a rule asks for it: most statements keep to what they cite."""
        return parse(self.passage)

    @property
    def concepts_around(self) -> frozenset[str]:
        """Concepts of the whole passage."""
        return concepts_of(self.passage)


@dataclass(frozen=True, slots=True)
class Pairing:
    """A clause of the assertion with the clauses of the source nearest to it, best ones only."""

    clause: Clause
    found: tuple[Clause, ...]


def same(mention: Mention, other: Mention) -> bool:
    """Whether two mentions are counterparts (the source's may be the narrower term).

    Two members of one axis are none (« sous-cutanée » and « intraveineuse », both injections).
    """
    if mention.axes and other.axes and _exclude(mention, other):
        return False
    if not mention.concepts and not other.concepts and mention.axes & other.axes:
        return True  # phrases that are known by their axis alone (« réduire la dose »)
    if mention.concepts & other.concepts:
        return True
    if len(mention.parts) < 2:
        return False
    # « neurochirurgicale » and « neurochirurgie »: each piece of the one is in the other
    return mention.key == other.key or (
        " " not in mention.key and all(p & other.concepts for p in mention.parts)
    )


def counterparts(mention: Mention, others: Iterable[Mention]) -> list[Mention]:
    """Counterparts of a mention: those on its side of an axis, else its word, else all."""
    found = [m for m in others if same(mention, m)]
    for closer in (
        [m for m in found if m.axes & mention.axes],
        [m for m in found if any(c.startswith("w:") for c in m.concepts & mention.concepts)],
    ):
        if closer:
            return closer
    return found


def _exclude(mention: Mention, other: Mention) -> bool:
    if mention.axes & other.axes:
        return False
    kinds = {axis for axis, _ in mention.axes} - {"age"}
    return any(axis in kinds for axis, _ in other.axes)


def mentions_of(statement: Statement, clause: Clause) -> list[Mention]:
    """All readings of a clause and of the headings and conditions that frame it."""
    index = statement.clauses.index(clause)
    numbers = {index, *clause.frames}
    if statement.keys[clause.start : clause.start + 1] == ("dont",):
        numbers.add(index - 1)  # what is said of the antecedent
    lead = leading_case(statement, clause, index)
    return [m for m in statement.every if m.chunk in numbers or m.first in lead]


def leading_case(statement: Statement, clause: Clause, index: int) -> range:
    """Words of the case that opens the sentence of a clause further on, and holds for it too.

    « Chez la femme enceinte, A est nécessaire ; B est contre-indiqué »: both are hers. So it is
    with « Quand l'INR dépasse 6, on arrête A et on donne B ».
    """
    opening = next(c for c in statement.clauses if c.sentence == clause.sentence)
    joined = ";" in statement.gaps[clause.start] or statement.keys[clause.start] == "et"
    if not index or opening is clause or not joined:
        return range(0)
    if statement.roles[clause.start] is Role.CONDITION:
        return range(0)
    stop = opening.start
    while stop < opening.end and statement.roles[stop] is Role.CONDITION:
        stop += 1
    return range(opening.start, stop)


def values_of(statement: Statement, clause: Clause) -> list[Value]:
    """Values of a clause and of what frames it."""
    framed = [v for f in clause.frames for v in statement.clauses[f].values]
    return [*framed, *clause.values]


def pair(assertion: Statement, cited: Statement) -> tuple[Pairing, ...]:
    """Pair each clause that says something with the source clauses that share most with it."""
    pairings = []
    readings = [(c, *_own_and_framed(cited, c)) for c in cited.clauses]
    for clause in assertion.clauses:
        mentions = mentions_of_longest(assertion, clause)
        values = values_of(assertion, clause)
        if clause.heads and not clause.values and not (clause.sign < 0 and clause.mentions):
            continue
        scores = [
            _score(mentions, own, framed) + _value_score(assertion, values, cited, c, there)
            for c, own, framed, there in readings
        ]
        best = max(scores, default=0.0)
        if best > 0:
            near = tuple(r[0] for r, s in zip(readings, scores, strict=True) if s >= best - 0.01)
            pairings.append(Pairing(clause, near))
    return tuple(pairings)


def mentions_of_longest(statement: Statement, clause: Clause) -> list[Mention]:
    """Mentions of a clause and of what frames it, one reading each."""
    framed = [m for f in clause.frames for m in statement.clauses[f].mentions]
    return [*framed, *clause.mentions]


def _own_and_framed(
    cited: Statement, clause: Clause
) -> tuple[frozenset[str], frozenset[str], list[Value]]:
    """(concepts a clause says itself, with those of what frames it, values of both)."""
    mentions = mentions_of(cited, clause)
    own = frozenset(c for m in mentions if clause.start <= m.first < clause.end for c in m.concepts)
    return own, frozenset(c for m in mentions for c in m.concepts), values_of(cited, clause)


def _score(mentions: list[Mention], own: frozenset[str], framed: frozenset[str]) -> float:
    """« Ne pas débuter A si … : corriger d'abord B »: who speaks of A means the first half."""
    return sum(
        (_NEUTRAL_WEIGHT if m.neutral else 1.0) * (1.0 if m.concepts & own else _FRAMED_WEIGHT)
        for m in mentions
        if m.concepts & framed or (len(m.parts) > 1 and all(p & framed for p in m.parts))
    )


def _value_score(
    assertion: Statement, values: list[Value], cited: Statement, clause: Clause, held: list[Value]
) -> float:
    score = 0.0
    for value in values:
        found = [h for h in held if alike(value.quantity, assertion.text, h.quantity, cited.text)]
        if found:
            own = any(h in clause.values for h in found)
            score += _VALUE_WEIGHT * (1.0 if own else _FRAMED_WEIGHT)
    return score


def span_of(assertion: Statement, clause: Clause) -> tuple[tuple[int, int], ...]:
    """Range of the assertion's text that a clause takes up."""
    if clause.start >= len(assertion.offsets):
        return ()
    return ((assertion.offsets[clause.start][0], assertion.offsets[clause.end - 1][1]),)


def alternative(cited: Statement, first: int, last: int) -> bool:
    """Whether words ``first`` and ``last`` are members of one list that « ou » closes."""
    between = cited.keys[first + 1 : last]
    if any(re.search(r"[;:.]", cited.gaps[i]) for i in range(first + 1, last + 1)):
        return False
    if any(k == "et" or k.startswith(WITH) for k in between):
        return False
    if "ou" in between:
        return True
    commas = any("," in cited.gaps[i] for i in range(first + 1, last + 1))
    after = [k for k in cited.keys[last + 1 : last + _LIST_TAIL] if k in {"et", "ou"}]
    return commas and after[:1] == ["ou"]
