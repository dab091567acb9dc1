"""Criteria not given: exact extremes of the result, and an interpretation that cannot look final."""

from __future__ import annotations

import random
from decimal import Decimal
from fractions import Fraction
from itertools import product

import pytest
from fakes.formula_patients import bank, draw

from ancremed_desktop.domain.formulas import CalculationResult, RawInput
from ancremed_desktop.formulas.evaluate import evaluate
from ancremed_desktop.formulas.french import number, quantity
from ancremed_desktop.formulas.inputs import understand
from ancremed_desktop.formulas.model import Formula, Need, VariableType
from ancremed_desktop.formulas.provisional import QUALIFIED, reach

BOOLEAN = [
    f.id
    for f in bank().entries
    if any(v.need is Need.CRITERION and v.type is VariableType.BOOLEAN for v in f.variables)
]


def _given(**values: str | bool) -> dict[str, RawInput]:
    return {
        name: RawInput(value=v if isinstance(v, bool) else Decimal(v)) for name, v in values.items()
    }


def _target(formula: Formula, result: CalculationResult) -> str:
    known = {o.id for o in result.outputs}
    return next(b.output for b in formula.bands if b.output in known)


def _value(result: CalculationResult, target: str) -> Fraction:
    value = next(o.value for o in result.outputs if o.id == target)
    assert isinstance(value, Decimal)
    return Fraction(value)


@pytest.mark.parametrize("formula_id", BOOLEAN)
def test_extremes_are_those_of_every_answer_tried(formula_id: str) -> None:
    """Up to five yes/no criteria left out: all their answers are computed one by one."""
    formula, rng = bank().get(formula_id), random.Random(formula_id)
    free = [
        v.id
        for v in formula.variables
        if v.need is Need.CRITERION and v.type is VariableType.BOOLEAN
    ][:5]
    for _ in range(3):
        full = draw(formula, rng)
        kept = {name: raw for name, raw in full.items() if name not in free}
        result = evaluate(formula, kept)
        target = _target(formula, result)
        tried = []
        for answers in product((False, True), repeat=len(free)):
            given = {n: RawInput(value=a) for n, a in zip(free, answers, strict=True)}
            tried.append(evaluate(formula, kept | given))
        values = [_value(r, target) for r in tried]
        found = reach(formula, understand(formula, kept), target)
        assert found is not None
        assert found.missing == len(free)
        assert float(found.low) == pytest.approx(float(min(values)))
        assert float(found.high) == pytest.approx(float(max(values)))
        assert bool(result.provisional) == (min(values) != max(values))
        assert result.band.startswith(QUALIFIED) == (len({r.band for r in tried}) > 1)
        assert all(not r.provisional and not r.band.startswith(QUALIFIED) for r in tried)


def test_numbers_not_given_are_tried_on_each_side_of_every_threshold() -> None:
    formula = bank().get("kdigo_ira")
    given = _given(creatinine="100", creat_base="80", eer=False)
    result = evaluate(formula, given)
    assert "3 critères non renseignés, comptés 0" in result.provisional
    assert "peut aller de 0 à 3" in result.provisional.replace("\u00a0", " ")
    stages = [
        _value(evaluate(formula, given | extra), "stade")
        for extra in (
            _given(diurese_ml_kg_h="0.4", duree_oligurie_h="7", anurie_h="0"),
            _given(diurese_ml_kg_h="0.4", duree_oligurie_h="12", anurie_h="0"),
            _given(diurese_ml_kg_h="0.2", duree_oligurie_h="24", anurie_h="0"),
        )
    ]
    assert stages == [1, 2, 3]


def test_wells_says_how_far_it_may_go() -> None:
    result = evaluate(bank().get("wells_ep"), _given(fc="110", atcd_mtev=True, hemoptysie=False))
    text = result.provisional.replace("\u00a0", " ")
    assert text == (
        "Résultat provisoire : 4 critères non renseignés, comptés 0 ; le total peut aller de 3 à "
        "11,5, soit de « 2–4 : intermédiaire (3 niveaux) ; EP improbable (2 niveaux, ≤ 4) » à "
        "« > 6 : probabilité forte »."
    )
    assert result.band.startswith("Provisoire, critères non renseignés comptés 0 — 2–4")


def test_a_class_that_cannot_change_is_not_qualified() -> None:
    given = _given(age="80", hta=True, diabete=True)
    result = evaluate(bank().get("cha2ds2_va"), given)
    assert result.provisional.endswith("de 4 à 8, sans changer l’interprétation.")
    assert result.band.replace("\u00a0", " ") == "≥ 2 : anticoagulation recommandée"


@pytest.mark.parametrize("formula_id", [f.id for f in bank().entries])
def test_steps_never_repeat_their_result(formula_id: str) -> None:
    formula, rng = bank().get(formula_id), random.Random(formula_id)
    labels = {band.label for band in formula.bands}
    for _ in range(10):
        for step in evaluate(formula, draw(formula, rng)).steps:
            assert step.expression != step.result, step
            left, equal, right = step.expression.partition(" = ")
            assert not equal or left != right, step
            assert step.result not in labels, step


def test_total_without_any_sum_is_said_in_words() -> None:
    formula = bank().get("crb65")
    given = _given(age="50", fr="20", pas="120", pad="80", confusion=False)
    assert evaluate(formula, given).steps[-1].expression == "aucun critère ne donne de point"
    given |= _given(fr="32")
    last = evaluate(formula, given).steps[-1]
    assert last.expression == "un seul critère donne des points"
    assert last.result == quantity(Fraction(1), "point")
    assert number(Fraction(1)) in last.result


@pytest.mark.parametrize("formula_id", ["qtc_bazett", "qtc_fridericia"])
def test_no_sex_is_assumed_for_the_corrected_qt(formula_id: str) -> None:
    band = evaluate(bank().get(formula_id), _given(qt="400", fc="60")).band
    assert band.replace("\u00a0", " ") == "≤ 450 : normal chez l’homme comme chez la femme"
