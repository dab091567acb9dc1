"""Values read in free French: fields right, and no wrong value taken in silence."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from fakes.formula_patients import bank

from ancremed_desktop.domain.formulas import CalculationRequest, InputValue
from ancremed_desktop.formulas.extract import read_question

FOLDER = Path(__file__).parents[2] / "data" / "formulas"
TODAY = date(2026, 11, 30)
FILES = ("questions_aveugles.jsonl", "questions_relues.jsonl", "questions_nouvelles.jsonl")


def _cases(name: str) -> list[dict[str, Any]]:
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _read(text: str) -> dict[str, CalculationRequest]:
    return {request.formula_id: request for request in read_question(text, bank(), TODAY)}


def _from_question(request: CalculationRequest) -> dict[str, InputValue]:
    return {i.id: i for i in request.inputs if i.origin.startswith("lu dans la question")}


def _same(found: InputValue | None, expected: Any) -> bool:
    if found is None:
        return False
    if isinstance(expected, bool | str):
        return found.canonical == expected and type(found.canonical) is type(expected)
    value = found.canonical
    return isinstance(value, Decimal) and float(value) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("name", FILES)
def test_fields_are_read_right(name: str) -> None:
    total, right, wrong = 0, 0, []
    for case in _cases(name):
        requests = _read(case["q"])
        for formula_id, fields in case["f"].items():
            request = requests.get(formula_id)
            total += len(fields)
            if request is None:
                continue
            read = _from_question(request)
            right += sum(_same(read.get(field), value) for field, value in fields.items())
            wrong += [
                (case["q"], formula_id, field, str(item.value))
                for field, item in read.items()
                if not _same(item, fields.get(field))
            ]
            asked = [item.id for item in request.missing]
            for field in case.get("manque", {}).get(formula_id, []):
                assert field in asked, (case["q"], field)
            assert (request.result is None) == bool(request.missing)
    assert wrong == []
    assert right >= 0.95 * total, (right, total)


def test_there_are_enough_sentences() -> None:
    assert sum(len(_cases(name)) for name in FILES) >= 180
    assert len(_cases(FILES[0])) >= 60


@pytest.mark.parametrize(
    "text",
    [
        "bonjour", "merci", "quelle est la capitale de la France ?",
        "indications de l’amoxicilline chez l’enfant de 5 ans",
        "objectif de LDL-cholestérol à 0,7 g/L chez le diabétique ?",
        "conduite à tenir devant un Glasgow à 8",
        "cirrhose Child-Pugh B7, quelle dose de paracétamol ?",
        "patient avec un MELD à 24 : indication de greffe ?",
        "IMC 32, régime ?", "NIHSS 12 : thrombolyse ?", "", "?!", "12", "5 kg", "🩺" * 50,
    ],
)  # fmt: skip
def test_no_calculation_is_invented(text: str) -> None:
    assert _read(text) == {}


def test_unit_left_out_is_told() -> None:
    request = _read("Cockcroft homme 79 ans 61 kg créat 145")["cockcroft_gault"]
    creatinine = _from_question(request)["creatinine"]
    assert creatinine.unit == "µmol/L"
    assert creatinine.origin.endswith("µmol/L supposé, à confirmer")


def test_blood_pressure_in_centimetres_is_told() -> None:
    request = _read("TA 12/7, pression artérielle moyenne ?")["pam"]
    systolic = _from_question(request)["pas"]
    assert (systolic.value, systolic.unit, systolic.canonical) == (12, "cmHg", 120)
    assert "12/7 lu en cmHg" in systolic.origin


def test_supposed_year_is_told() -> None:
    request = _read("DDR 10 mars, terme prévu ?")["terme"]
    assert _from_question(request)["ddr"].value == "2026-03-10"
    assert "année 2026 supposée, à confirmer" in _from_question(request)["ddr"].origin
    later = {r.formula_id: r for r in read_question("DDR 10 mars", bank(), date(2026, 2, 1))}
    assert _from_question(later["terme"])["ddr"].value == "2025-03-10"
    without = {r.formula_id: r for r in read_question("DDR 10 mars", bank())}
    assert [item.id for item in without["terme"].missing] == ["ddr"]


def test_a_value_out_of_range_is_asked_with_a_hint() -> None:
    request = _read("cockcroft femme 40 ans 60 kg créat 12")["cockcroft_gault"]
    (missing,) = request.missing
    assert missing.id == "creatinine"
    assert "mg/L\u00a0? (106,08\u00a0µmol/L)" in missing.problem


def test_contradictory_values_are_asked() -> None:
    request = _read("cockcroft homme 70 kg 75 kg 60 ans créat 90 µmol/L")["cockcroft_gault"]
    (missing,) = request.missing
    assert missing.problem.endswith(
        "lectures contradictoires\u00a0: 70\u00a0kg ou 75\u00a0kg\u00a0?"
    )
    assert "poids" not in {i.id for i in request.inputs}


def test_adversarial_case_11_shows_both_scores() -> None:
    requests = _read("FA, 78 ans, HTA, diabète")
    assert [m.id for m in requests["cha2ds2_vasc"].missing] == ["sexe"]
    result = requests["cha2ds2_va"].result
    assert result is not None
    assert result.outputs[0].value == 4
    assert any("ESC 2024" in d for d in result.divergences)
    not_given = [i.id for i in result.inputs if i.origin == "non renseigné, compté 0"]
    assert not_given == ["insuffisance_cardiaque", "avc_ait_embolie", "maladie_vasculaire"]
    assert len(result.steps) == 7


def test_adversarial_case_12_asks_for_the_clearance() -> None:
    requests = _read("traitement de l’IRC et adaptation posologique")
    assert [m.id for m in requests["cockcroft_gault"].missing] == [
        "age", "poids", "creatinine", "sexe",
    ]  # fmt: skip
