"""How far a result can still move with the criteria that were not given and counted 0."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product

from ancremed_desktop.errors import CalculationError
from ancremed_desktop.formulas import expression
from ancremed_desktop.formulas.expression import Environment, Expression, Scalar, constant
from ancremed_desktop.formulas.french import number, quantity
from ancremed_desktop.formulas.inputs import NOT_GIVEN, Understood
from ancremed_desktop.formulas.model import Band, Formula, Variable, VariableType
from ancremed_desktop.formulas.readings import Tables
from ancremed_desktop.text.french import NBSP

QUALIFIED = "Provisoire, critères non renseignés comptés 0 — "
"""Written before an interpretation that the missing criteria could change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """``low`` and ``high``: extremes that ``target`` can reach; ``missing``: criteria not given."""

    target: str
    missing: int
    low: Fraction
    high: Fraction


def reach(formula: Formula, understood: Understood, target: str) -> Reach | None:
    """Exact extremes of a result over every value the criteria not given may take.

    None when every criterion was given.
    """
    absent = {i.id for i in understood.inputs if i.origin.startswith(NOT_GIVEN)}
    unstated = [v for v in formula.variables if v.id in absent]
    if not unstated:
        return None
    tables = Tables(formula=formula, entered=understood.entered)
    found = list(_values(tables, understood.values, target, unstated))
    return Reach(target=target, missing=len(unstated), low=min(found), high=max(found))


def _values(
    tables: Tables, values: Environment, target: str, unstated: list[Variable]
) -> Iterator[Fraction]:
    """The result at assignments among which are its least and its greatest value."""
    groups = _independent(tables.formula, target, {v.id for v in unstated})
    lowest, highest = dict(values), dict(values)
    for group in groups:
        ranked = []
        members = [v for v in unstated if v.id in group]
        for assigned in _assignments(tables.formula, values, members):
            value = _computed(tables, {**values, **assigned}, target)
            if value is not None:
                ranked.append((value, assigned))
        if ranked:
            lowest |= min(ranked, key=lambda r: r[0])[1]
            highest |= max(ranked, key=lambda r: r[0])[1]
    for candidate in (values, lowest, highest):
        value = _computed(tables, candidate, target)
        if value is not None:
            yield value


def _computed(tables: Tables, values: Environment, target: str) -> Fraction | None:
    try:
        return tables.computed(values, target)
    except CalculationError:
        return None


def _independent(formula: Formula, target: str, unstated: set[str]) -> list[set[str]]:
    """Criteria that no line of the points table shares may be moved one group at a time."""
    used = {item.id: item.expression.names for item in formula.intermediates}
    groups: list[set[str]] = []

    def join(names: Iterable[str]) -> None:
        together = set(names)
        apart = [g for g in groups if not g & together]
        together |= {name for g in groups if g & together for name in g}
        groups[:] = [*apart, together] if together else apart

    for name in unstated:
        join({name})
    results = {o.id: o.expression.names for o in formula.outputs}
    direct = _roots(results.get(target, frozenset({target})), used | results) & unstated
    if not formula.criteria or direct:
        return [set(unstated)]
    for criterion in formula.criteria:
        read = {n for case in criterion.cases for n in case.condition.names}
        join(_roots(read, used) & unstated)
    for constraint in formula.constraints:
        join(constraint.condition.names & unstated)
    return groups


def _roots(names: Iterable[str], used: dict[str, frozenset[str]]) -> set[str]:
    """Variables on which these names rest, through intermediates and results."""
    found: set[str] = set()
    for name in names:
        found |= _roots(used[name], used) if name in used else {name}
    return found


def _assignments(
    formula: Formula, values: Environment, members: list[Variable]
) -> Iterator[dict[str, Scalar | None]]:
    for chosen in product(*(_candidates(formula, v) for v in members)):
        assigned: dict[str, Scalar | None] = {
            v.id: value for v, value in zip(members, chosen, strict=True)
        }
        known = {**values, **assigned}
        rules = [c for c in formula.constraints if _all_known(c.condition, known)]
        if all(expression.truth(rule.condition, known) for rule in rules):
            yield assigned


def _all_known(condition: Expression, values: Environment) -> bool:
    return all(values.get(name) is not None for name in condition.names)


def _candidates(formula: Formula, variable: Variable) -> tuple[Scalar | None, ...]:
    """One value on each side of, and at, every threshold the variable is compared with."""
    if variable.type is VariableType.BOOLEAN:
        return (False, True)
    if variable.type is VariableType.CHOICE:
        return (None, *(choice.key for choice in variable.choices))
    low, high = Fraction(variable.minimum or 0), Fraction(variable.maximum or 0)
    inside = {t for e in _conditions(formula) for t in _thresholds(e, variable.id)}
    marks = sorted({low, high} | {t for t in inside if low <= t <= high})
    between = [(a + b) / 2 for a, b in pairwise(marks)]
    step = Fraction(variable.step or 0)
    if step:
        between = [value // step * step for value in between]
    return (None, *sorted({*marks, *between}))


def _conditions(formula: Formula) -> Iterator[Expression]:
    for item in formula.intermediates:
        yield item.expression
    for criterion in formula.criteria:
        yield from (case.condition for case in criterion.cases)
    for spec in formula.outputs:
        yield spec.expression


def _thresholds(used: Expression, name: str) -> Iterator[Fraction]:
    for node in ast.walk(used.tree):
        if isinstance(node, ast.Compare) and any(
            isinstance(part, ast.Name) and part.id == name for part in ast.walk(node)
        ):
            for part in ast.walk(node):
                value = constant(part) if isinstance(part, ast.Constant) else None
                if isinstance(value, Fraction):
                    yield value


def sentence(formula: Formula, found: Reach | None, bands: tuple[Band | None, Band | None]) -> str:
    """« Résultat provisoire : … »; empty when nothing is missing or nothing can move.

    ``bands``: those of the least and of the greatest value.
    """
    if found is None or found.low == found.high:
        return ""
    plural = "s" if found.missing > 1 else ""
    name, unit, decimals = "le total", "", None
    for spec in formula.outputs:
        if spec.id == found.target:
            name, unit, decimals = f"«{NBSP}{spec.label}{NBSP}»", spec.unit, spec.decimals
    low, high = number(found.low, decimals), quantity(found.high, unit, decimals)
    text = (
        f"Résultat provisoire{NBSP}: {found.missing} critère{plural} non renseigné{plural}, "
        f"compté{plural} 0{NBSP}; {name} peut aller de {low} à {high}"
    )
    least, greatest = (_quoted(b.label) if b else "sans classe" for b in bands)
    if least == greatest:
        return f"{text}, sans changer l’interprétation."
    return f"{text}, soit de {least} à {greatest}."


def _quoted(label: str) -> str:
    """Between guillemets; those inside become the second-level ones."""
    inner = label.replace(f"«{NBSP}", "“").replace(f"{NBSP}»", "”")
    return f"«{NBSP}{inner}{NBSP}»"
