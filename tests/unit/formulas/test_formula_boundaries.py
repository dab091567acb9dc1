"""Generated suites over every entry: thresholds, intervals, units, missing and absurd values."""

from __future__ import annotations

import random
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from functools import partial

import pytest
from fakes.formula_patients import Inputs, bank, draw, exact, published, rounded, thresholds
from reference.agreement import differences
from reference.registry import REFERENCES

from ancremed_desktop.domain.formulas import CalculationResult, RawInput
from ancremed_desktop.formulas.bank import Band, Formula, Need, Variable, VariableType
from ancremed_desktop.formulas.evaluate import IncompleteInput, evaluate, missing_inputs
from ancremed_desktop.formulas.french import to_decimal

IDS = sorted(bank().by_id)
EPSILON = Decimal("0.0001")
WHOLE = {
    "total": Fraction(1), "stade": Fraction(1), "criteres": Fraction(1), "meld": Fraction(1),
    "meld_na": Fraction(1), "sa": Fraction(1), "nihss": Fraction(1), "positif": Fraction(1),
    "phq9": Fraction(1), "barthel": Fraction(5), "mmse": Fraction(1), "rang_sortie": Fraction(1),
    "total_hors_sexe": Fraction(1),
}  # fmt: skip
"""Outputs that only take the multiples of a step; all others are continuous."""
HALVES = {"wells_ep", "adl_katz"}


def _patient(formula: Formula, seed: int = 0) -> Inputs:
    return draw(formula, random.Random(f"{formula.id}{seed}"))


def _numbers(formula: Formula) -> Iterator[Variable]:
    return (v for v in formula.variables if v.type is VariableType.NUMBER)


def _values(result: CalculationResult) -> dict[str, Decimal | str]:
    return {output.id: output.value for output in result.outputs}


@pytest.mark.parametrize("formula_id", [i for i in IDS if i in REFERENCES])
def test_both_sides_of_every_threshold_agree_with_the_reference(formula_id: str) -> None:
    formula = bank().get(formula_id)
    for variable_id, limit in set(thresholds(formula)):
        variable = formula.variable(variable_id)
        step = variable.step or (Decimal("0.1") if variable.unit == "°C" else EPSILON)
        if formula_id == "news2" and variable.unit != "°C":
            step = Decimal(1)
        for value in (limit - step, limit, limit + step):
            for seed in range(4):
                inputs = _patient(formula, seed) | {variable_id: RawInput(value=value)}
                inputs = published(formula, inputs)
                if formula_id == "news2":
                    inputs = rounded(inputs, {"temp": 1})
                if missing_inputs(formula, inputs):
                    continue
                expected = REFERENCES[formula_id](**exact(inputs))
                assert not differences(evaluate(formula, inputs), expected), (variable_id, value)


def _steps(formula: Formula, output: str) -> Fraction | None:
    if formula.id in HALVES and output == "total":
        return Fraction(1, 2)
    return WHOLE.get(output)


def _attainable(formula: Formula) -> tuple[Fraction, Fraction]:
    """Least and greatest total of a sum of points."""
    low = high = Fraction(0)
    for criterion in formula.criteria:
        points = [case.points for case in criterion.cases] + [Fraction(0)]
        low, high = low + min(points), high + max(points)
    return low, high


def _bands_of(formula: Formula) -> dict[str, list[Band]]:
    grouped: dict[str, list[Band]] = {}
    for band in formula.bands:
        grouped.setdefault(band.output, []).append(band)
    return grouped


@pytest.mark.parametrize("formula_id", IDS)
def test_intervals_have_no_hole_and_no_overlap(formula_id: str) -> None:
    formula = bank().get(formula_id)
    assert formula.bands, "a result without interpretation"
    for output, bands in _bands_of(formula).items():
        step = _steps(formula, output)
        edges = sorted({b for band in bands for b in (band.minimum, band.maximum) if b is not None})
        unit = step or Fraction(EPSILON)
        probes = {Fraction(edge) + shift for edge in edges for shift in (-unit, 0, unit)}
        low = min((Fraction(b.minimum) for b in bands if b.minimum is not None), default=None)
        high = max((Fraction(b.maximum) for b in bands if b.maximum is not None), default=None)
        open_low = any(b.minimum is None for b in bands)
        open_high = any(b.maximum is None for b in bands)
        for probe in sorted(probes):
            inside = (open_low or low is None or probe >= low) and (
                open_high or high is None or probe <= high
            )
            if step is not None and probe % step:
                continue
            holding = [band.label for band in bands if band.holds(probe)]
            assert len(holding) == (1 if inside else 0), (output, probe, holding)


@pytest.mark.parametrize(
    "formula_id", [i for i in IDS if any(b.output == "total" for b in bank().get(i).bands)]
)
def test_every_attainable_total_has_one_class(formula_id: str) -> None:
    formula = bank().get(formula_id)
    bands = [band for band in formula.bands if band.output == "total"]
    low, high = _attainable(formula)
    floor = {"child_pugh": 5, "child_pugh_tp": 5, "child_pugh_cholestase": 5, "glasgow": 3}
    total, step = max(low, Fraction(floor.get(formula_id, -10))), _steps(formula, "total")
    assert step is not None
    while total <= high:
        assert sum(band.holds(total) for band in bands) == 1, total
        total += step


@pytest.mark.parametrize("formula_id", IDS)
def test_random_patients_always_get_a_class(formula_id: str) -> None:
    formula = bank().get(formula_id)
    rng = random.Random(formula_id)
    for _ in range(60):
        result = evaluate(formula, draw(formula, rng))
        known = {output.id for output in result.outputs}
        if any(band.output in known for band in formula.bands):
            assert result.band, (formula_id, result.outputs)


@pytest.mark.parametrize("formula_id", IDS)
def test_each_required_value_is_asked_for(formula_id: str) -> None:
    formula = bank().get(formula_id)
    full = _patient(formula)
    required = [v.id for v in formula.variables if v.need is Need.REQUIRED]
    assert [m.id for m in missing_inputs(formula, {})] == required
    for variable_id in required:
        inputs = {name: raw for name, raw in full.items() if name != variable_id}
        with pytest.raises(IncompleteInput) as caught:
            evaluate(formula, inputs)
        assert [item.id for item in caught.value.missing] == [variable_id]
        assert "à préciser" in caught.value.missing[0].problem


@pytest.mark.parametrize("formula_id", IDS)
def test_what_is_not_required_never_blocks_and_is_shown(formula_id: str) -> None:
    formula = bank().get(formula_id)
    inputs = {
        name: raw for name, raw in _patient(formula).items() if formula.variable(name).required
    }
    if missing_inputs(formula, inputs):
        pytest.skip("the constraint needs a value left out")
    shown = {i.id: i for i in evaluate(formula, inputs).inputs}
    for variable in formula.variables:
        if variable.need is Need.CRITERION:
            assert shown[variable.id].origin == "non renseigné, compté 0"
        elif variable.need is Need.CONSTANT:
            assert shown[variable.id].origin == "constante de la formule"
        elif variable.need is Need.OPTIONAL:
            assert shown[variable.id].origin.startswith("non renseigné")


@pytest.mark.parametrize("formula_id", IDS)
def test_values_out_of_range_are_questioned(formula_id: str) -> None:
    formula = bank().get(formula_id)
    full = _patient(formula)
    for variable in _numbers(formula):
        assert variable.minimum is not None
        assert variable.maximum is not None
        step = variable.step or EPSILON
        for value in (variable.minimum - step, variable.maximum + step, Decimal(10**9)):
            if value == 0 and variable.need is Need.OPTIONAL:
                continue
            problems = missing_inputs(formula, full | {variable.id: RawInput(value=value)})
            assert [p.id for p in problems] == [variable.id]
            assert "hors des valeurs attendues" in problems[0].problem
        for value in (variable.minimum, variable.maximum):
            problems = missing_inputs(formula, full | {variable.id: RawInput(value=value)})
            assert not any("hors des valeurs" in p.problem for p in problems)
        wrong = full | {variable.id: RawInput(value=full[variable.id].value, unit="pied")}
        assert [p.id for p in missing_inputs(formula, wrong)] == [variable.id]


@pytest.mark.parametrize("formula_id", IDS)
def test_every_unit_gives_the_same_result(formula_id: str) -> None:
    """A value that is exact in both units changes nothing, unless the published table does."""
    formula = bank().get(formula_id)
    for variable in _numbers(formula):
        for unit in variable.units:
            convert = partial(formula.units.convert, quantity=variable.quantity)
            for seed in range(3):
                inputs = _patient(formula, seed)
                value = inputs[variable.id].value
                assert isinstance(value, Decimal)
                there = round(
                    to_decimal(convert(Fraction(value), unit=variable.unit, target=unit)), 4
                )
                if variable.step is not None:
                    continue
                here = convert(Fraction(there), unit=unit)
                canonical = to_decimal(here)
                own = inputs | {variable.id: RawInput(value=canonical, unit=variable.unit)}
                other = inputs | {variable.id: RawInput(value=there, unit=unit)}
                if Fraction(canonical) != here or missing_inputs(formula, own):
                    continue
                first, second = evaluate(formula, own), evaluate(formula, other)
                if _values(first) != _values(second):
                    assert len(second.divergences) > len(formula.divergences), (unit, there)
                if unit != variable.unit:
                    assert any(s.label.endswith(variable.label) for s in second.steps)


@pytest.mark.parametrize("formula_id", IDS)
def test_trace_tells_every_input_and_every_result(formula_id: str) -> None:
    formula = bank().get(formula_id)
    result = evaluate(formula, _patient(formula))
    assert {i.id for i in result.inputs} == {v.id for v in formula.variables}
    labels = [step.label for step in result.steps]
    for criterion in formula.criteria:
        assert criterion.label in labels
    for output in result.outputs:
        assert output.label in labels
    assert all(step.expression and step.result for step in result.steps)
    assert not any(" if " in s.expression or "==" in s.expression for s in result.steps)
    assert result == evaluate(formula, dict(reversed(_patient(formula).items())))
