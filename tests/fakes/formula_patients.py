"""Patients drawn at random inside the plausible ranges of a formula."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from ancremed_desktop.domain.formulas import RawInput
from ancremed_desktop.formulas.bank import Bank, Formula, Need, Variable, VariableType, load_bank
from ancremed_desktop.formulas.evaluate import missing_inputs
from ancremed_desktop.settings.paths import RESOURCES

Inputs = dict[str, RawInput]
Limits = dict[str, tuple[Decimal, ...]]
FOLDER: Path = RESOURCES / "formulas"


@lru_cache(maxsize=1)
def bank() -> Bank:
    """The bank of the application, read once."""
    return load_bank(FOLDER)


def draw(formula: Formula, rng: random.Random) -> Inputs:
    """A patient for whom every variable is given and every constraint holds."""
    for _ in range(400):
        inputs = {v.id: RawInput(value=_value(v, rng)) for v in formula.variables}
        if not formula.constraints or not missing_inputs(formula, inputs):
            return inputs
    raise AssertionError(f"no patient fits {formula.id}")


def _value(variable: Variable, rng: random.Random) -> Decimal | str | bool:
    match variable.type:
        case VariableType.BOOLEAN:
            return rng.random() < 0.4
        case VariableType.CHOICE:
            return rng.choice(variable.choices).key
        case VariableType.DATE:
            start = date(2026, 1, 1) + timedelta(days=rng.randrange(120))
            return start.isoformat()
    assert variable.minimum is not None
    assert variable.maximum is not None
    if variable.step is not None:
        steps = int((variable.maximum - variable.minimum) / variable.step)
        return variable.minimum + variable.step * rng.randint(0, steps)
    decimals = 0 if rng.random() < 0.5 else 1 if rng.random() < 0.7 else 2
    low, high = float(variable.minimum), float(variable.maximum)
    if high > 20 * max(low, 1) and rng.random() < 0.8:
        high = low + (high - low) * rng.choice((0.02, 0.1, 0.3))
    value = round(Decimal(rng.uniform(low, high)), decimals)
    return min(max(value, variable.minimum), variable.maximum)


def published(formula: Formula, inputs: Inputs) -> Inputs:
    """The same patient with the constants of the formula as published."""
    return {k: raw for k, raw in inputs.items() if formula.variable(k).need is not Need.CONSTANT}


def exact(inputs: Inputs) -> dict[str, Fraction | bool | str | date]:
    """The same patient for a reference implementation: exact numbers, dates as dates."""
    return {name: _exact(raw.value) for name, raw in inputs.items()}


def _exact(value: Decimal | bool | str) -> Fraction | bool | str | date:
    if isinstance(value, Decimal):
        return Fraction(value)
    if isinstance(value, str) and value[:1].isdigit():
        return date.fromisoformat(value)
    return value


def thresholds(formula: Formula) -> Iterator[tuple[str, Decimal]]:
    """Every constant a variable is compared with, in criteria, steps and outputs."""
    expressions = [case.condition for c in formula.criteria for case in c.cases]
    expressions += [item.expression for item in formula.intermediates]
    expressions += [output.expression for output in formula.outputs]
    numbers = {v.id for v in formula.variables if v.type is VariableType.NUMBER}
    for expression in expressions:
        for node in ast.walk(expression.tree):
            if not isinstance(node, ast.Compare) or not isinstance(node.left, ast.Name):
                continue
            for side in node.comparators:
                if node.left.id in numbers and isinstance(side, ast.Constant):
                    yield node.left.id, Decimal(str(side.value))


def near(formula: Formula, inputs: Inputs, limits: Limits, rng: random.Random) -> Inputs:
    """The same patient with one number on, or a step beside, one of the limits told for it."""
    variable_id = rng.choice(sorted(limits))
    variable = formula.variable(variable_id)
    step = variable.step or Decimal("0.1")
    value = rng.choice(limits[variable_id]) + step * rng.choice((-1, 0, 0, 1))
    return inputs | {variable_id: RawInput(value=value)}


def rounded(inputs: Inputs, decimals: dict[str, int]) -> Inputs:
    """Numbers rounded to whole ones, or to ``decimals`` places."""
    return {
        name: RawInput(value=round(raw.value, decimals.get(name, 0)))
        if isinstance(raw.value, Decimal)
        else raw
        for name, raw in inputs.items()
    }
