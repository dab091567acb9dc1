"""Exceptions, conditions, restrictions and qualifiers of the source that were lost."""

from __future__ import annotations

import re
from itertools import pairwise

from ancremed_desktop.domain.spans import DropReason
from ancremed_desktop.pipeline.rules.align import Pairing, Source, same, span_of
from ancremed_desktop.pipeline.rules.model import Clause, Finding, Mention, Statement, Value
from ancremed_desktop.text.clauses import Role
from ancremed_desktop.text.values import alike


def lost_exception(
    assertion: Statement, source: Source, pairings: tuple[Pairing, ...]
) -> Finding | None:
    """The source excepts something and the assertion forgets it."""
    for pairing in pairings:
        if pairing.found and all(_exception_lost(assertion, source, c) for c in pairing.found):
            return Finding(
                DropReason.CONDITION,
                "La source prévoit une exception que l’affirmation omet.",
                span_of(assertion, pairing.clause),
            )
    return None


def _exception_lost(assertion: Statement, source: Source, clause: Clause) -> bool:
    numbers = {source.cited.clauses.index(clause), *clause.frames}
    excepted = [m for m in source.cited.mentions if m.chunk in numbers and m.role is Role.EXCEPTION]
    if not excepted or not _concerned(assertion, source.cited, excepted[0]):
        return False
    only = [c for c in assertion.clauses if c.only >= 0]
    ours = [
        a
        for a in assertion.every
        if not a.neutral or a.role is Role.EXCEPTION or any(c.only < a.first < c.end for c in only)
    ]
    told = [m for m in excepted if not m.neutral] or excepted
    return not any(same(a, m) or any(a.concepts & p for p in m.parts) for a in ours for m in told)


def _concerned(assertion: Statement, cited: Statement, excepted: Mention) -> bool:
    """An exception in parentheses belongs to the word before: « les macrolides (sauf …) »."""
    opening = excepted.first
    while opening and "(" not in cited.gaps[opening] and cited.roles[opening - 1] is Role.EXCEPTION:
        opening -= 1
    if "(" not in cited.gaps[opening]:
        return not _of_remark(assertion, cited, opening)
    before = [m for m in cited.mentions if m.first < opening]
    return not before or any(same(a, before[-1]) for a in assertion.every)


def _of_remark(assertion: Statement, cited: Statement, opening: int) -> bool:
    """« …, à tout moment du cycle sauf en cas de retard »: of a remark that is not taken up."""
    clause = next(c for c in cited.clauses if c.start <= opening < c.end)
    start = opening
    while start > clause.start and "," not in cited.gaps[start]:
        start -= 1
    if start in {clause.start, opening} or cited.keys[start] not in _REMARKS:
        return False
    remark = [m for m in cited.mentions if start <= m.first < opening]
    return not any(same(a, m) for a in assertion.every for m in remark)


_REMARKS = frozenset("a au aux en par pour avec de d y".split())
"""First words of what a comma sets apart from the predicate."""
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
                span_of(assertion, pairing.clause),
            )
    return None


def _condition_lost(assertion: Statement, source: Source, clause: Clause) -> bool:
    kept = _conditions_kept(assertion, source, clause)
    if any(kept) and (clause.forbidden or _REQUIRES.search(assertion.folded_text)):
        return False  # of several grounds to forbid, of several needs, each one may be told
    return not all(kept)


def _conditions_kept(assertion: Statement, source: Source, clause: Clause) -> list[bool]:
    """For each condition of a clause that matters, whether the assertion keeps some of it."""
    cited = source.cited
    found: list[bool] = []
    for number in (cited.clauses.index(clause), *clause.frames):
        part = cited.clauses[number]
        for run in _runs(cited, part):
            opener = cited.keys[run[0]]
            if (opener not in _STRICT_OPENERS and not _for_whom(cited, run)) or (
                opener == "en" and cited.keys[run[0] + 1 : run[0] + 2] == ("situation",)
            ):
                continue
            if _remark(cited, part, run, assertion):
                continue
            wide = _with_apposition(cited, part, _with_parenthesis(cited, part, run))
            inside = [m for m in cited.mentions if m.first in wide and not m.neutral]
            values = [v for v in cited.values if v.first in wide]
            if not inside and not values:
                continue
            wider = {
                c for m in cited.every if m.first in wide and not m.neutral for c in m.concepts
            }
            kept = any(a.concepts & wider for a in assertion.every if not a.neutral)
            kept = kept or any(m.concepts & source.label.concepts for m in inside)
            kept = kept or any(v.first in wide for v in values if _value_kept(assertion, cited, v))
            kept = (
                kept
                or (not values and _any_age(inside, source))
                or _same_case(assertion, cited, wide)
            )
            if found and cited.keys[run[0] - 1] == "ou":
                found[-1] = found[-1] or kept  # « si A ou si B »: either is enough
            else:
                found.append(kept)
    return found


_PEOPLE = ("patient", "sujet", "personne", "malade", "femme", "enfant", "adulte", "nourrisson")


def _for_whom(cited: Statement, run: range) -> bool:
    """« Pour les patients insuffisants hépatiques, … »: a case, not a purpose."""
    led = cited.keys[run[0] : run[0] + 3]
    return led[0] == "pour" and any(k.startswith(_PEOPLE) for k in led[1:])


_REQUIRES = re.compile(r"\b(?:suppos|exig|necessit|demand|impliqu|requi)\w*")
_FEASIBLE = frozenset("possible possibles faisable faisables realisable realisables".split())


def _same_case(assertion: Statement, cited: Statement, words: range) -> bool:
    """« quand c'est possible » of « quand il est possible d'attendre »: a plain word tells it."""
    told = any(cited.keys[i] in _FEASIBLE for i in words)
    return told and any(m.role is Role.CONDITION and m.key in _FEASIBLE for m in assertion.mentions)


def _any_age(inside: list[Mention], source: Source) -> bool:
    """« chez l'adulte » in a passage that speaks of no other age."""
    ages = {m for a, m in source.around.axes if a == "age"}
    return ages == {"adult"} and all(m.axes == {("age", "adult")} for m in inside)


def _with_parenthesis(cited: Statement, clause: Clause, run: range) -> range:
    """A condition with the parenthesis that spells it out (« sévère (DFG < 30 mL/min) »)."""
    stop = run[-1] + 1
    if stop >= clause.end or "(" not in cited.gaps[stop]:
        return run
    while stop < clause.end and ")" not in cited.gaps[stop]:
        stop += 1
    return range(run[0], stop)


def _with_apposition(cited: Statement, clause: Clause, run: range) -> range:
    """« Chez le patient à risque, sujet âgé ou déshydraté, … »: what a comma adds to the case."""
    stop = run[-1] + 1
    if run[0] != clause.start or stop >= clause.end or "," not in cited.gaps[stop]:
        return run
    for later in range(stop + 1, clause.end):
        if "," in cited.gaps[later]:
            return range(run[0], later)
    return run


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
        or any(_value_kept(assertion, cited, v) for v in values)
    )


def _other_value(cited: Statement, clause: Clause, run: range, assertion: Statement) -> bool:
    """« 10 g chez l'adulte, ou 150 mg/kg chez l'enfant »: the condition of the value not taken."""
    host = [v for v in cited.values if clause.start <= v.first < run[0]]
    return bool(host) and not any(_value_kept(assertion, cited, v) for v in host)


def _value_kept(assertion: Statement, cited: Statement, value: Value) -> bool:
    return any(
        alike(v.quantity, assertion.text, value.quantity, cited.text) for v in assertion.values
    )


def _runs(cited: Statement, clause: Clause) -> list[range]:
    """Stretches of condition words of a clause."""
    runs: list[range] = []
    start = -1
    for i in range(clause.start, clause.end + 1):
        inside = i < clause.end and cited.roles[i] is Role.CONDITION
        if inside and start >= 0 and cited.keys[i] in _CLAUSAL:
            runs.append(range(start, i))  # « après la première si … »: two conditions
            start = i
        if inside and start < 0:
            start = i
        if not inside and start >= 0:
            runs.append(range(start, i))
            start = -1
    return runs


_CLAUSAL = frozenset({"si", "lorsque", "lorsqu", "quand"})
_ADJACENT = 3
_QUALIFIERS = frozenset({"severity", "trimester"})


def lost_limit(
    assertion: Statement, source: Source, pairings: tuple[Pairing, ...]
) -> Finding | None:
    """What limits the source's statement is gone: absence, restriction, rank, grade."""
    checks = (
        (_absence_lost, "La source suppose une absence que l’affirmation omet."),
        (_restriction_lost, "La source restreint ce que l’affirmation laisse ouvert."),
        (_rank_lost, "La source parle d’un second choix, l’affirmation ne le dit pas."),
        (_grade_lost, "La source précise un degré que l’affirmation généralise."),
    )
    for pairing in pairings:
        for check, detail in checks:
            if pairing.found and all(check(assertion, source, c) for c in pairing.found):
                return Finding(DropReason.CONDITION, detail, span_of(assertion, pairing.clause))
    return None


def _said(assertion: Statement, mentions: list[Mention]) -> bool:
    return any(same(a, m) for a in assertion.every if not a.neutral for m in mentions)


def _absence_lost(assertion: Statement, source: Source, clause: Clause) -> bool:
    """« une échographie sans thrombus permet de … »."""
    cited = source.cited
    for index in range(clause.start, clause.end):
        if cited.keys[index] != "sans" or index not in cited.marks:
            continue
        stop = index + 1
        while stop < clause.end and not re.search(r"[,()]", cited.gaps[stop]):
            stop += 1
        absent = [
            m
            for m in cited.mentions
            if index < m.first < stop and m.sign < 0 and m.role is Role.CORE and not m.neutral
        ]
        host = [m for m in cited.mentions if clause.start <= m.first < index and not m.neutral]
        if absent and not _said(assertion, absent[:1]) and _said(assertion, host[-1:] or absent):
            return True
        if absent and not host and not _said(assertion, absent[:1]):
            return True
    return False


def _restriction_lost(assertion: Statement, source: Source, clause: Clause) -> bool:
    """« n'est utilisé que … », « réservé à … »: what follows must be kept, in part at least."""
    if clause.only < 0:
        return False
    cited = source.cited
    inside = [m for m in cited.mentions if clause.only < m.first < clause.end and not m.neutral]
    values = [v for v in clause.values if v.first > clause.only]
    if not inside and not values:
        return False
    if any(_value_kept(assertion, cited, v) for v in values):
        return False
    return not _said(assertion, inside) or _kind_lost(assertion, cited, clause, inside)


def _kind_lost(
    assertion: Statement, cited: Statement, clause: Clause, inside: list[Mention]
) -> bool:
    """« dans l'embolie pulmonaire » of what is kept for « l'embolie pulmonaire à haut risque »."""
    if not cited.keys[clause.only].startswith("reserv") or len(inside) < 2:
        return False
    apart = any(cited.keys[i] in {"et", "ou"} for i in range(clause.only, inside[-1].first))
    return not apart and _said(assertion, inside[:1]) and not _said(assertion, inside[1:])


def _rank_lost(assertion: Statement, source: Source, clause: Clause) -> bool:
    if clause.sign < 0:
        return False
    numbers = {source.cited.clauses.index(clause), *clause.frames}
    ranks = {
        member
        for m in source.cited.every
        if m.chunk in numbers and not _aside(assertion, source.cited, m)
        for axis, member in m.axes
        if axis == "line"
    }
    if ("line", "first") in assertion.axes and _after_failure(assertion, source.cited, clause):
        return True
    if not ranks or "first" in ranks or _OTHERWISE.search(assertion.folded_text):
        return False
    if any(k.startswith("alternative") for k in source.cited.keys[clause.start : clause.end]):
        # « en cas d'allergie, l'alternative est … »: the case kept says the rank
        if any(_conditions_kept(assertion, source, clause)) or _case_kept(assertion, source.cited):
            return False
    return not any(axis == "line" for axis, _ in assertion.axes | source.label.axes)


def _case_kept(assertion: Statement, cited: Statement) -> bool:
    """« par exemple en cas d'insuffisance rénale »: the case that makes a second choice the one."""
    ours = [m for m in assertion.mentions if m.role is Role.CONDITION and not m.neutral]
    theirs = [m for m in cited.mentions if m.role is Role.CONDITION and not m.neutral]
    return any(same(a, m) for a in ours for m in theirs)


_FAILURE = re.compile(
    r"\b(?:absence d[e'] ?(?:reponse|amelioration|efficacite)|echec|echou\w+|refractaire\w*|resist\w+"
    r"|persist\w+|insuffisan\w+ (?:du|de la) traitement|inefficac\w+)\b"
)


_OTHERWISE = re.compile(
    r"\b(?:sinon|autre (?:option|possibilite|choix|solution)|dans le cas contraire"
    r"|(?:si|lorsqu\w*|quand) .{1,40}\b(?:ne convien\w+ pas|pas (?:possible|disponible)|indisponible|impossible|inadapte\w*))\b"
)
"""A second choice, told by what makes it one."""


def _after_failure(assertion: Statement, cited: Statement, clause: Clause) -> bool:
    """« d'emblée » of what the source keeps for the failure of something else."""
    if _FAILURE.search(assertion.folded_text):
        return False
    if any(("line", "first") in m.axes and m.role is Role.CORE for m in cited.every):
        return False
    runs = [r for r in _runs(cited, clause) if cited.keys[r[0]] in _STRICT_OPENERS]
    said = (" ".join(cited.keys[r[0] : r[-1] + 1]) for r in runs)
    return any(_FAILURE.search(s) for s in said)


def _aside(assertion: Statement, cited: Statement, rank: Mention) -> bool:
    """« IV ou, à défaut, IM »: the rank of something the assertion does not speak of."""
    if rank.key != "a defaut" or "," not in cited.gaps[rank.first]:
        return False
    ranked = [m for m in cited.mentions if m.first > rank.first and not m.neutral]
    return bool(ranked) and not _said(assertion, ranked[:1])


def _grade_lost(assertion: Statement, source: Source, clause: Clause) -> bool:
    """« en cas d'insuffisance rénale sévère » said of insufficiency of any degree."""
    cited = source.cited
    for number in (cited.clauses.index(clause), *clause.frames):
        for run in _runs(cited, cited.clauses[number]):
            wide = _with_parenthesis(cited, cited.clauses[number], run)
            inside = [m for m in cited.mentions if m.first in wide and not m.neutral]
            grades = [
                m
                for head, m in pairwise(inside)
                if m.first - head.first <= _ADJACENT
                and any(a in _QUALIFIERS for a, _ in m.axes)
                and _said(assertion, [head])
            ]
            if not grades:
                continue
            known = assertion.axes | source.label.axes
            values = [v for v in cited.values if v.first in wide]
            if not any(m.axes & known for m in grades) and not any(
                _value_kept(assertion, cited, v) for v in values
            ):
                return True
    return False
