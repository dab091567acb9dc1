"""The bank against second implementations written from the primary sources."""

from __future__ import annotations

import random
from decimal import Decimal

import pytest
from fakes.formula_patients import as_floats, bank, draw, rounded
from fakes.reference_formulas import REFERENCES

from ancremed_desktop.formulas.evaluate import evaluate

TABULATED = {"news2": {"temp": 1}}
"""Tables published for measured steps (whole numbers; decimals of each exception): a value
between two lines of the table (a pressure of 90.5 mmHg) has no published score."""


def _compare(formula_id: str, draws: int, seed: int) -> None:
    formula, reference = bank().get(formula_id), REFERENCES[formula_id]
    rng = random.Random(f"{formula_id}-{seed}")
    for _ in range(draws):
        inputs = draw(formula, rng)
        if formula_id in TABULATED:
            inputs = rounded(inputs, TABULATED[formula_id])
        expected = reference(as_floats(inputs))
        found = {output.id: output.value for output in evaluate(formula, inputs).outputs}
        for name, value in expected.items():
            result = found[name]
            assert isinstance(result, Decimal)
            assert float(result) == pytest.approx(value, rel=1e-9, abs=1e-9), (name, inputs)


def test_at_least_forty_entries_have_a_second_implementation() -> None:
    assert len(REFERENCES) >= 40
    assert set(REFERENCES) <= set(bank().by_id)


@pytest.mark.parametrize("formula_id", sorted(REFERENCES))
def test_bank_agrees_with_reference(formula_id: str) -> None:
    _compare(formula_id, 100, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("formula_id", sorted(REFERENCES))
def test_bank_agrees_with_reference_on_ten_thousand_patients(formula_id: str) -> None:
    _compare(formula_id, 10_000, seed=2)


def test_entries_compared_say_so() -> None:
    for formula in bank().entries:
        said = "seconde implémentation" in formula.verified_by
        assert said == (formula.id in REFERENCES), formula.id
