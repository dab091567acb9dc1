"""Affirmed against denied, absent, excepted; exceptions and conditions that were lost."""

from __future__ import annotations

from ancremed_desktop.domain.spans import DropReason
from ancremed_desktop.pipeline.rules.align import (
    Pairing,
    Source,
    mentions_of,
    mentions_of_longest,
    same,
)
from ancremed_desktop.pipeline.rules.model import Clause, Finding, Mention, Statement, Value
from ancremed_desktop.text.clauses import Role
from ancremed_desktop.text.values import equal_value


def opposed(assertion: Statement, source: Source, pairings: tuple[Pairing, ...]) -> Finding | None:
    """A predicate affirmed here and denied there, or the reverse."""
    agreed: set[int] = set()
    for pairing in pairings:
        clashes = [_clash(assertion, pairing.clause, source.cited, c) for c in pairing.found]
        if not all(clashes):
            agreed |= {c.start for c, k in zip(pairing.found, clashes, strict=True) if not k}
        elif pairing.clause.frames and all(c.start in agreed for c in pairing.found):
            continue  # a reason after a colon (« : risque d'aplasie »), its predicate agreed
        else:
            return Finding(
                DropReason.POLARITY,
                "La source dit l’inverse (négation, interdiction ou absence).",
                _range(assertion, pairing.clause),
            )
        finding = _local_clash(assertion, source.cited, pairing) or _core_clash(
            assertion, source.cited, pairing
        )
        if finding:
            return finding
    return None


def _clash(assertion: Statement, clause: Clause, cited: Statement, other: Clause) -> bool:
    if clause.sign == other.sign:
        return False
    if (clause.only >= 0 and _has_exception(cited, other)) or (
        other.only >= 0 and _has_exception(assertion, clause)
    ):
        return False
    return not _turned(clause, cited, other)


def _has_exception(statement: Statement, clause: Clause) -> bool:
    return any(m.role is Role.EXCEPTION or m.sign < 0 for m in mentions_of(statement, clause))


def _turned(clause: Clause, cited: Statement, other: Clause) -> bool:
    """« s'avalent sans être ouvertes » says what « ne doivent pas être ouvertes » says."""
    for mention in clause.mentions:
        for counterpart in mentions_of(cited, other):
            if same(mention, counterpart) and mention.sign != counterpart.sign:
                return True
    return False


def _local_clash(assertion: Statement, cited: Statement, pairing: Pairing) -> Finding | None:
    for mention in mentions_of_longest(assertion, pairing.clause):
        if mention.neutral:
            continue
        signs: list[bool] = []
        for clause in pairing.found:
            for other in mentions_of(cited, clause):
                if same(mention, other) and not other.neutral:
                    signs.append(_agree(mention, pairing.clause, other, clause))
        if signs and not any(signs):
            return Finding(
                DropReason.CONDITION,
                "Présent d’un côté, absent ou excepté de l’autre : "
                f"« {assertion.text[mention.start : mention.end]} ».",
                ((mention.start, mention.end),),
            )
    return None


def _core_clash(assertion: Statement, cited: Statement, pairing: Pairing) -> Finding | None:
    """A thing affirmed here that the source only ever denies, in whatever clause."""
    if any(_turned(pairing.clause, cited, c) for c in pairing.found):
        return None
    for mention in pairing.clause.mentions:
        if mention.neutral or mention.role is not Role.CORE or pairing.clause.only >= 0:
            continue
        others = [m for m in cited.every if same(mention, m) and not m.neutral]
        if any(_subject_of_more(o, cited) for o in others):
            continue
        if others and all(_denies(mention, pairing.clause, o, cited) for o in others):
            return Finding(
                DropReason.POLARITY,
                f"La source dit l’inverse de « {assertion.text[mention.start : mention.end]} ».",
                ((mention.start, mention.end),),
            )
    return None


def _subject_of_more(other: Mention, cited: Statement) -> bool:
    """Whether a subject rules a later clause as well (« protège … mais n'abaisse »)."""
    clause = cited.clauses[other.chunk]
    if clause.mentions and clause.mentions[0].first != other.first:
        return False
    return any(
        c.sentence == clause.sentence
        and c.start >= clause.end
        and c.sign != clause.sign
        and cited.keys[c.start] in {"mais", "et", "ne", "n"}
        for c in cited.clauses
    )


def _denies(mention: Mention, clause: Clause, other: Mention, cited: Statement) -> bool:
    theirs = cited.clauses[other.chunk]
    if other.role is not Role.CORE or theirs.only >= 0:
        return False
    return mention.sign * clause.sign != other.sign * theirs.sign


def _agree(mention: Mention, clause: Clause, other: Mention, theirs: Clause) -> bool:
    if mention.sign == other.sign:
        return True
    core = Role.CONDITION not in (mention.role, other.role)
    if theirs.only >= 0 or clause.only >= 0:
        return True
    if mention.role is Role.EXCEPTION and other.role is Role.CONDITION:
        return True  # « sauf échec et si le programme est suivi »: the condition is the exception's
    return core and mention.sign * clause.sign == other.sign * theirs.sign


def _range(assertion: Statement, clause: Clause) -> tuple[tuple[int, int], ...]:
    if clause.start >= len(assertion.offsets):
        return ()
    return ((assertion.offsets[clause.start][0], assertion.offsets[clause.end - 1][1]),)


def lost_exception(
    assertion: Statement, source: Source, pairings: tuple[Pairing, ...]
) -> Finding | None:
    """The source excepts something and the assertion forgets it."""
    for pairing in pairings:
        if pairing.found and all(_exception_lost(assertion, source, c) for c in pairing.found):
            return Finding(
                DropReason.CONDITION,
                "La source prévoit une exception que l’affirmation omet.",
                _range(assertion, pairing.clause),
            )
    return None


def _exception_lost(assertion: Statement, source: Source, clause: Clause) -> bool:
    numbers = {source.cited.clauses.index(clause), *clause.frames}
    excepted = [m for m in source.cited.mentions if m.chunk in numbers and m.role is Role.EXCEPTION]
    if not excepted or not _concerned(assertion, source.cited, excepted[0]):
        return False
    ours = [a for a in assertion.every if not a.neutral]
    return not any(same(a, m) for a in ours for m in excepted if not m.neutral)


def _concerned(assertion: Statement, cited: Statement, excepted: Mention) -> bool:
    """An exception in parentheses belongs to the word before: « les macrolides (sauf …) »."""
    opening = excepted.first
    while opening and "(" not in cited.gaps[opening] and cited.roles[opening - 1] is Role.EXCEPTION:
        opening -= 1
    if "(" not in cited.gaps[opening]:
        return True
    before = [m for m in cited.mentions if m.first < opening]
    return not before or any(same(a, before[-1]) for a in assertion.every)


_STRICT_OPENERS = (
    "si",
    "s",
    "tant",
    "en",
    "lorsque",
    "lorsqu",
    "quand",
    "a",
    "chez",
    "sous",
    "pourvu",
)


def lost_condition(
    assertion: Statement, source: Source, pairings: tuple[Pairing, ...]
) -> Finding | None:
    """The source holds on a condition of which the assertion says nothing at all."""
    for pairing in pairings:
        if pairing.found and all(_condition_lost(assertion, source, c) for c in pairing.found):
            return Finding(
                DropReason.CONDITION,
                "La source pose une condition que l’affirmation omet.",
                _range(assertion, pairing.clause),
            )
    return None


def _condition_lost(assertion: Statement, source: Source, clause: Clause) -> bool:
    cited = source.cited
    for number in (cited.clauses.index(clause), *clause.frames):
        part = cited.clauses[number]
        for run in _runs(cited, part):
            opener = cited.keys[run[0]]
            if opener not in _STRICT_OPENERS or (
                opener == "en" and cited.keys[run[0] + 1 : run[0] + 2] == ("situation",)
            ):
                continue
            if _remark(cited, part, run, assertion):
                continue
            wide = _with_parenthesis(cited, part, run)
            inside = [m for m in cited.mentions if m.first in wide and not m.neutral]
            values = [v for v in cited.values if v.first in wide]
            if not inside and not values:
                continue
            wider = {
                c for m in cited.every if m.first in wide and not m.neutral for c in m.concepts
            }
            kept = any(a.concepts & wider for a in assertion.every if not a.neutral)
            kept = kept or any(m.concepts & source.label.concepts for m in inside)
            kept = kept or any(v.first in wide for v in values if _value_kept(assertion, v))
            if not kept:
                return True
    return False


def _with_parenthesis(cited: Statement, clause: Clause, run: range) -> range:
    """A condition with the parenthesis that spells it out (« sévère (DFG < 30 mL/min) »)."""
    stop = run[-1] + 1
    if stop >= clause.end or "(" not in cited.gaps[stop]:
        return run
    while stop < clause.end and ")" not in cited.gaps[stop]:
        stop += 1
    return range(run[0], stop)


def _remark(cited: Statement, clause: Clause, run: range, assertion: Statement) -> bool:
    """Whether the condition belongs to a side remark the assertion does not take up.

    « entre J5 et J10, plus tôt en cas d'exposition récente »: the stretch between commas that
    holds the condition has nothing else in common with the assertion.
    """
    start = run[0]
    while start > clause.start and "," not in cited.gaps[start]:
        start -= 1
    if start == clause.start:
        return _other_value(cited, clause, run, assertion)
    outside = [m for m in cited.mentions if start <= m.first < run[0]]
    values = [v for v in cited.values if start <= v.first < run[0]]
    return bool(outside or values) and not (
        any(same(a, m) for a in assertion.mentions for m in outside)
        or any(_value_kept(assertion, v) for v in values)
    )


def _other_value(cited: Statement, clause: Clause, run: range, assertion: Statement) -> bool:
    """« 10 g chez l'adulte, ou 150 mg/kg chez l'enfant »: the condition of the value not taken."""
    host = [v for v in cited.values if clause.start <= v.first < run[0]]
    later = [v for v in clause.values if v.first > run[-1]]
    return (
        bool(host)
        and not any(_value_kept(assertion, v) for v in host)
        and any(_value_kept(assertion, v) for v in later)
    )


def _value_kept(assertion: Statement, value: Value) -> bool:
    return any(equal_value(v.quantity, value.quantity) for v in assertion.values)


def _runs(cited: Statement, clause: Clause) -> list[range]:
    """Stretches of condition words of a clause."""
    runs: list[range] = []
    start = -1
    for i in range(clause.start, clause.end + 1):
        inside = i < clause.end and cited.roles[i] is Role.CONDITION
        if inside and start < 0:
            start = i
        if not inside and start >= 0:
            runs.append(range(start, i))
            start = -1
    return runs
