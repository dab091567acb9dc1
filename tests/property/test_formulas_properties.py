"""Whatever is typed, the bank computes or refuses in French, and never loses exactness."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from fractions import Fraction

from fakes.formula_patients import bank
from hypothesis import given, settings
from hypothesis import strategies as st

from ancremed_desktop.domain.formulas import RawInput
from ancremed_desktop.errors import CalculationError
from ancremed_desktop.formulas.evaluate import IncompleteInput, evaluate, missing_inputs
from ancremed_desktop.formulas.extract import read_question
from ancremed_desktop.formulas.french import to_decimal
from ancremed_desktop.formulas.units import parse_measure
from ancremed_desktop.services.calculator import CalculatorService

SERVICE = CalculatorService(bank(), today=lambda: date(2026, 11, 30))
FORMULAS = st.sampled_from(bank().entries)
CLINICAL = st.sampled_from(
    "cockcroft chads vasc femme homme 82 ans 55 kg créat 130 µmol/L mg/dL pas d’ ni sans HTA "
    "diabète , : ? ( ) 1m68 TA 12/7 PAS Na K 5,2 DDR 10/03/2025 non oui ascite grade II".split()
)


@given(formula=FORMULAS, data=st.data())
@settings(max_examples=150, deadline=None)
def test_typed_values_compute_or_are_refused(formula: object, data: st.DataObject) -> None:
    entry = next(f for f in bank().entries if f is formula)
    texts = st.one_of(st.text(max_size=12), st.decimals(-10, 9999, places=2).map(str))
    typed = {v.id: data.draw(texts) for v in entry.variables}
    try:
        result = SERVICE.run(entry.id, typed)
    except CalculationError:
        return
    assert result.outputs


@given(formula=FORMULAS, data=st.data())
@settings(max_examples=150, deadline=None)
def test_missing_is_empty_exactly_when_a_result_exists(
    formula: object, data: st.DataObject
) -> None:
    entry = next(f for f in bank().entries if f is formula)
    values = st.one_of(
        st.decimals(allow_nan=True, allow_infinity=True), st.booleans(), st.text(max_size=10)
    )
    inputs = {
        v.id: RawInput(value=data.draw(values), unit=data.draw(st.sampled_from(("", *v.units))))
        for v in entry.variables
        if data.draw(st.booleans())
    }
    missing = missing_inputs(entry, inputs)
    try:
        evaluate(entry, inputs)
    except IncompleteInput as error:
        refused = error.missing
    else:
        refused = ()
    assert refused == missing


@given(st.one_of(st.text(max_size=300), st.lists(CLINICAL, max_size=40).map(" ".join)))
@settings(max_examples=200, deadline=None)
def test_any_question_is_read_without_a_fault(text: str) -> None:
    for request in read_question(text, bank(), date(2026, 11, 30)):
        assert bank().get(request.formula_id).name == request.name
        assert (request.result is None) == bool(request.missing)


@given(st.integers(1, 10**9), st.integers(0, 6))
def test_a_decimal_is_read_as_written(digits: int, places: int) -> None:
    value = Decimal(digits).scaleb(-places)
    written = f"{value:f}"
    assert parse_measure(written) == (value, "")
    assert parse_measure(written.replace(".", ",")) == (value, "")
    assert Fraction(to_decimal(Fraction(value))) == Fraction(value)


@given(st.integers(18, 110), st.integers(30, 200), st.decimals(15, 2000, places=1), st.booleans())
def test_clearance_falls_with_creatinine_and_age(
    age: int, weight: int, creatinine: Decimal, female: bool
) -> None:
    def clearance(years: int, value: Decimal) -> Decimal:
        values = {"age": str(years), "poids": str(weight), "creatinine": str(value)}
        result = SERVICE.run("cockcroft_gault", values | {"sexe": "F" if female else "H"})
        found = result.outputs[0].value
        assert isinstance(found, Decimal)
        return found

    here = clearance(age, creatinine)
    if creatinine < 1999:
        assert clearance(age, creatinine + 1) < here
    if age < 110:
        assert clearance(age + 1, creatinine) < here
