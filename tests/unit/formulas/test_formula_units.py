"""Units as people write them, converted exactly and visibly."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from fakes.formula_patients import bank
from reference.molar import FACTORS

from ancremed_desktop.domain.formulas import CalculationResult, RawInput
from ancremed_desktop.errors import CalculationError
from ancremed_desktop.formulas.dates import parse_date
from ancremed_desktop.formulas.evaluate import evaluate, missing_inputs
from ancremed_desktop.formulas.units import parse_measure

UNITS = bank().entries[0].units


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("110umol/L", "110", "umol/l"), ("1,2 mg/dL", "1.2", "mg/dl"), ("72", "72", ""),
        ("70kg", "70", "kg"), ("1m68", "1.68", "m"), ("1 m 5", "1.05", "m"), ("38°5", "38.5", "°"),
        ("150 000/mm3", "150000", "/mm3"), ("1 200,5", "1200.5", ""), ("BUN 25", "25", "bun"),
        ("25 BUN mg/dL", "25", "bun mg/dl"), ("−3", "-3", ""), ("12\u00a0mg/L", "12", "mg/l"),
    ],
)  # fmt: skip
def test_measures(text: str, value: str, unit: str) -> None:
    assert parse_measure(text) == (Decimal(value), unit)


@pytest.mark.parametrize("text", ["", "abc", "< 12", "12-15", "1.234,5", "≥ 90", "~70", "12 / 8"])
def test_what_is_no_single_value_is_refused(text: str) -> None:
    with pytest.raises(CalculationError, match="attendu"):
        parse_measure(text)


@pytest.mark.parametrize(
    ("written", "quantity", "unit"),
    [
        ("umol/l", "creatinine", "µmol/L"), ("μmol/L", "creatinine", "µmol/L"),
        ("micromol/L", "creatinine", "µmol/L"), ("MG/DL", "creatinine", "mg/dL"),
        ("mg / dl", "creatinine", "mg/dL"), ("mmol.L-1", "ions", "mmol/L"),
        ("mEq/L", "ions", "mEq/L"), ("G/L", "plaquettes", "G/L"), ("g/l", "plaquettes", "G/L"),
        ("/mm³", "plaquettes", "/mm3"), ("10^9/L", "leucocytes", "10^9/L"), ("UI/L", "enzyme",
        "UI/L"), ("U/L", "enzyme", "U/L"), ("µUI/mL", "insuline", "µUI/mL"), ("uUI/ml", "insuline",
        "µUI/mL"), ("bun", "uree", "BUN mg/dL"), ("mg/dl bun", "uree", "BUN mg/dL"),
        ("mm Hg", "pression", "mmHg"), ("kPa", "pression", "kPa"), ("%", "fraction", "%"),
    ],
)  # fmt: skip
def test_spellings(written: str, quantity: str, unit: str) -> None:
    assert UNITS.match(written, tuple(UNITS.quantities[quantity].factors)) == unit


@pytest.mark.parametrize(
    ("written", "quantity"), [("mg/dL", "uree"), ("g", "hemoglobine"), ("mg/kg", "creatinine")]
)
def test_ambiguous_or_foreign_units_are_not_guessed(written: str, quantity: str) -> None:
    accepted = tuple(UNITS.quantities[quantity].factors)
    assert UNITS.match(written, accepted) in (None, "g/dL")
    assert written == "g" or UNITS.match(written, accepted) is None


@pytest.mark.parametrize(
    ("quantity", "value", "unit", "expected"),
    [
        ("creatinine", "1", "mg/dL", "88.4"), ("creatinine", "12", "mg/L", "106.08"),
        ("bilirubine", "3", "mg/dL", "51.3"), ("glucose", "1", "g/L", "5.55"),
        ("uree", "1", "g/L", "16.65"), ("uree", "14", "BUN mg/dL", "4.998"),
        ("calcium", "100", "mg/L", "2.495"), ("albumine", "3.2", "g/dL", "32"),
        ("cholesterol", "6", "mmol/L", "2.3202"), ("hemoglobine", "92", "g/L", "9.2"),
        ("pression", "12", "cmHg", "120"), ("fraction", "40", "%", "0.4"), ("age", "6", "mois",
        "0.5"), ("cigarettes", "1.5", "paquets/j", "30"), ("hba1c", "109.29", "mmol/mol", "12.15"),
    ],
)  # fmt: skip
def test_conversions(quantity: str, value: str, unit: str, expected: str) -> None:
    assert UNITS.convert(Fraction(value), quantity, unit) == Fraction(expected)


@pytest.mark.parametrize(("quantity", "unit"), sorted(FACTORS))
def test_factors_are_usual_roundings_of_the_molar_masses(quantity: str, unit: str) -> None:
    found = float(UNITS.convert(Fraction(1), quantity, unit))
    assert found == pytest.approx(float(FACTORS[quantity, unit]), rel=2.5e-3)


def test_every_chemical_factor_has_a_molar_mass() -> None:
    chemical = {quantity for quantity, _ in FACTORS}
    told = {(q, u) for q in chemical for u, f in UNITS.quantities[q].factors.items() if f != 1}
    assert told == set(FACTORS)


def test_every_conversion_is_reversible() -> None:
    for quantity in UNITS.quantities.values():
        for unit in quantity.factors:
            there = UNITS.convert(Fraction(7, 3), quantity.id, unit)
            assert UNITS.convert(there, quantity.id, quantity.canonical, unit) == Fraction(7, 3)


def _cockcroft(**changes: RawInput) -> CalculationResult:
    values = {
        "age": RawInput(value=Decimal(70)), "poids": RawInput(value=Decimal(80)),
        "creatinine": RawInput(value=Decimal("1.2"), unit="mg/dl"), "sexe": RawInput(value="H"),
    }  # fmt: skip
    return evaluate(bank().get("cockcroft_gault"), values | changes)


def test_conversion_is_a_step_of_the_trace() -> None:
    step = _cockcroft().steps[0]
    assert step.label == "Conversion\u00a0: Créatininémie"
    assert step.expression == "1,2\u00a0mg/dL × 88,4"
    assert step.result == "106,08\u00a0µmol/L"


def test_a_conversion_with_an_offset_shows_it() -> None:
    inputs = {"hba1c": RawInput(value=Decimal(53), unit="mmol/mol")}
    step, *_ = evaluate(bank().get("hba1c_gme"), inputs).steps
    assert step.expression == "53\u00a0mmol/mol × 0,0915 + 2,15"
    assert step.result == "6,9995\u00a0%"


def test_unit_as_entered_and_canonical_value_are_both_kept() -> None:
    (creatinine,) = (i for i in _cockcroft().inputs if i.id == "creatinine")
    assert (creatinine.value, creatinine.unit) == (Decimal("1.2"), "mg/dL")
    assert (creatinine.canonical, creatinine.canonical_unit) == (Decimal("106.08"), "µmol/L")


def test_urea_in_mg_per_dl_is_asked() -> None:
    inputs = {
        "age": RawInput(value=Decimal(70)), "uree": RawInput(value=Decimal(40), unit="mg/dL"),
        "fr": RawInput(value=Decimal(20)), "pas": RawInput(value=Decimal(120)),
        "pad": RawInput(value=Decimal(70)),
    }  # fmt: skip
    (missing,) = missing_inputs(bank().get("curb65"), inputs)
    assert missing.id == "uree"
    assert "BUN mg/dL ou mg/dL d’urée" in missing.problem


def test_dates_as_written() -> None:
    for text in ("2025-03-10", "10/03/2025", "10.03.25", "10 mars 2025", "10 MARS 2025"):
        assert parse_date(text).isoformat() == "2025-03-10"
    assert parse_date("1er août 2026").isoformat() == "2026-08-01"
    for text in ("10 mars", "31/02/2025", "mars 2025", "hier", "2025-13-01"):
        with pytest.raises(CalculationError, match="date complète"):
            parse_date(text)
