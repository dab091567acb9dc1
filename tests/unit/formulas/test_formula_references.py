"""The bank against second implementations, most of them written without sight of it."""

from __future__ import annotations

import ast
import inspect
import random
from decimal import Decimal
from fractions import Fraction

import pytest
from fakes.formula_patients import (
    Inputs,
    Limits,
    bank,
    draw,
    exact,
    near,
    published,
    rounded,
    thresholds,
)
from reference.agreement import differences
from reference.bands import BANDS, FINER
from reference.registry import REFERENCES, WITHOUT_SIGHT

from ancremed_desktop.formulas.bank import Band, Formula, Need, VariableType
from ancremed_desktop.formulas.evaluate import IncompleteInput, evaluate

TABULATED = {"news2": {"temp": 1}}
"""Tables published for measured steps (whole numbers; decimals of each exception): a value
between two lines of the table (a pressure of 90.5 mmHg) has no published score."""
BLIND = "seconde implémentation écrite sans lire la première, 10 000 tirages"


def _limits(formula: Formula) -> Limits:
    """The thresholds of the bank, and every number the reference's own code writes."""
    told: dict[str, set[Decimal]] = {}
    for variable_id, value in thresholds(formula):
        told.setdefault(variable_id, set()).add(value)
    source = ast.walk(ast.parse(inspect.getsource(REFERENCES[formula.id])))
    written = {str(node.value) for node in source if isinstance(node, ast.Constant)}
    numbers = [Decimal(text) for text in written if text.replace(".", "", 1).isdigit()]
    for variable in formula.variables:
        if variable.type is VariableType.NUMBER and variable.need is not Need.CONSTANT:
            assert variable.minimum is not None
            assert variable.maximum is not None
            inside = {n for n in numbers if variable.minimum <= n <= variable.maximum}
            told.setdefault(variable.id, set()).update(inside)
    return {name: tuple(sorted(values)) for name, values in sorted(told.items()) if values}


def _patient(formula: Formula, rng: random.Random, limits: Limits) -> Inputs:
    """Half of the patients stand on a limit; one in ten leaves optional values out."""
    inputs = published(formula, draw(formula, rng))
    if limits and rng.random() < 0.5:
        inputs = near(formula, inputs, limits, rng)
    if rng.random() < 0.1:
        inputs = {
            name: raw
            for name, raw in inputs.items()
            if formula.variable(name).required or rng.random() < 0.5
        }
    return rounded(inputs, TABULATED[formula.id]) if formula.id in TABULATED else inputs


def _compare(formula_id: str, draws: int, seed: int) -> None:
    """Compare on ``draws`` patients; those whom the bank questions (bounds) are drawn again."""
    formula, reference = bank().get(formula_id), REFERENCES[formula_id]
    rng, limits = random.Random(f"{formula_id}-{seed}"), _limits(formula)
    compared = questioned = 0
    while compared < draws:
        inputs = _patient(formula, rng, limits)
        try:
            result = evaluate(formula, inputs)
        except IncompleteInput:
            questioned += 1
            assert questioned <= draws, "the limits drawn are nearly all out of bounds"
            continue
        compared += 1
        found = differences(result, reference(**exact(inputs)))
        assert not found, (found, inputs)


def test_most_entries_have_a_second_implementation_written_without_sight() -> None:
    assert len(WITHOUT_SIGHT) >= 75
    assert set(REFERENCES) <= set(bank().by_id)


@pytest.mark.parametrize("formula_id", sorted(REFERENCES))
def test_bank_agrees_with_reference(formula_id: str) -> None:
    _compare(formula_id, 200, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("formula_id", sorted(REFERENCES))
def test_bank_agrees_with_reference_on_ten_thousand_patients(formula_id: str) -> None:
    _compare(formula_id, 10_000, seed=2)


def test_entries_compared_say_so() -> None:
    for formula in bank().entries:
        assert ("seconde implémentation" in formula.verified_by) == (formula.id in REFERENCES)
        assert (BLIND in formula.verified_by) == (formula.id in WITHOUT_SIGHT), formula.id


def _beginnings(bands: list[Band]) -> list[tuple[str, Fraction]]:
    """Where each class after the first begins."""
    edges = [(b.minimum, b.minimum_included) for b in bands if b.minimum is not None]
    if all(b.minimum is not None for b in bands):
        edges.remove(min(edges))
    return sorted(("≥" if included else ">", Fraction(low)) for low, included in edges)


@pytest.mark.parametrize("formula_id", sorted(BANDS))
def test_classes_begin_where_the_primary_source_says(formula_id: str) -> None:
    output, cuts = BANDS[formula_id]
    bands = [band for band in bank().get(formula_id).bands if band.output == output]
    if formula_id not in FINER:
        assert _beginnings(bands) == sorted(cuts)
    else:
        assert len(bands) > len(cuts) + 1
    for sign, cut in cuts:
        beside = cut + (Fraction(1, 2) if sign == ">" else Fraction(-1, 2))
        at, other = ([b for b in bands if b.holds(v)] for v in (cut, beside))
        assert at != other, (sign, cut)
