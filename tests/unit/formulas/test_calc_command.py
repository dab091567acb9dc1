"""``calc list | show | run``: documented JSON, exit codes, and French messages."""

from __future__ import annotations

import argparse
import json
import time
from datetime import date
from typing import Any

import pytest
from fakes.formula_patients import bank

from ancremed_desktop.cli import calc
from ancremed_desktop.errors import CalculationError
from ancremed_desktop.services.calculator import LONGEST_VALUE, CalculatorService

SERVICE = CalculatorService(bank(), today=lambda: date(2026, 11, 30))
COCKCROFT = ("age=65", "poids=70kg", "creatinine=110umol/L", "sexe=H")


def _run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    calc.add_parser(parser.add_subparsers())
    return calc.run(parser.parse_args(["calc", *words]), SERVICE)


def _set(*pairs: str) -> list[str]:
    return [word for pair in pairs for word in ("--set", pair)]


def _json(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("list", "--json") == 0
    entries = _json(capsys)
    assert len(entries) == 81
    assert {"id", "name", "category", "status"} <= set(entries[0])
    assert _run("list") == 0
    out = capsys.readouterr().out
    assert "cockcroft_gault" in out
    assert "[structure seulement]" in out


def test_show(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("show", "cha2ds2_vasc", "--json") == 0
    shown = _json(capsys)
    assert [v["id"] for v in shown["variables"]][:2] == ["age", "insuffisance_cardiaque"]
    assert shown["outputs"] == ["total", "total_hors_sexe"]
    assert _run("show", "trou_anionique") == 0
    assert "usuel" in capsys.readouterr().out


def test_run_json_has_the_documented_shape(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("run", "cockcroft_gault", *_set(*COCKCROFT), "--json") == 0
    out = capsys.readouterr().out
    assert "\u00a0" not in out
    found = json.loads(out)
    assert found["id"] == "cockcroft_gault"
    assert {"inputs", "steps", "outputs", "band", "caveats", "divergences", "source"} <= set(found)
    output = found["outputs"][0]
    assert (output["id"], output["unit"]) == ("clairance", "mL/min")
    assert output["value"] == pytest.approx(1.23 * 75 * 70 / 110, rel=1e-12)
    assert found["band"].startswith("30–59 mL/min : réduction modérée")


def test_run_points(capsys: pytest.CaptureFixture[str]) -> None:
    values = ("age=78", "hta=oui", "diabete=oui", "sexe=femme", "maladie_vasculaire=non")
    assert _run("run", "cha2ds2_vasc", *_set(*values), "--json") == 0
    found = _json(capsys)
    assert found["outputs"][0] == {
        "id": "total", "label": "Total", "value": 5, "unit": "points", "decimals": 0,
    }  # fmt: skip
    inputs = {i["id"]: i for i in found["inputs"]}
    assert inputs["hta"]["value"] == "oui"
    assert inputs["avc_ait_embolie"]["value"] == "non"
    assert inputs["avc_ait_embolie"]["origin"] == "non renseigné, compté 0"
    assert inputs["maladie_vasculaire"]["origin"] == "saisi"


def test_run_text_shows_the_work(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("run", "cockcroft_gault", *_set(*COCKCROFT)) == 0
    out = capsys.readouterr().out
    assert "1,23 × (140 − 65) × 70 / 110" in out
    assert "58,7\u00a0mL/min" in out
    assert "Nephron 1976" in out
    assert "Sexe\u00a0: homme" in out


def test_missing_values_exit_with_2_and_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("run", "trou_anionique", *_set("na=140", "cl=104", "hco3=24"), "--json") == 2
    captured = capsys.readouterr()
    found = json.loads(captured.out)
    assert found["id"] == "trou_anionique"
    assert [item["id"] for item in found["missing"]] == ["albumine"]
    assert "albumine" in captured.err
    assert _run("run", "cockcroft_gault", *_set("age=65", "creatinine=12")) == 2
    error = capsys.readouterr().err
    assert "poids" in error
    assert "mg/L\u00a0? (106,08\u00a0µmol/L)" in error


@pytest.mark.parametrize(
    ("words", "allowed"),
    [
        (("run", "glasgow"), "4 spontanée ; 3 au bruit ou à la parole"),
        (("run", "glasgow", *_set("y=9", "v=5", "m=6")), "4 spontanée ; 3 au bruit"),
        (("run", "glasgow", *_set("y=ouverts")), "4 spontanée ; 3 au bruit"),
        (("run", "glasgow", *_set("yeux=4")), "4 spontanée ; 3 au bruit"),
        (("run", "cockcroft_gault"), "H (homme) ou F (femme)"),
        (("run", "cockcroft_gault", *_set("age=douze")), "en ans ou mois — de 18 à 110 ans"),
        (("run", "sofa", *_set("ventilation=peut-être")), "oui ou non"),
        (("run", "terme"), "date (10/03/2025)"),
    ],
)
def test_what_may_be_given_is_told_when_a_value_is_missing_or_wrong(
    words: tuple[str, ...], allowed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(*words) == 2
    assert allowed in capsys.readouterr().err.replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("run", "inconnu"), "Aucune formule ne porte l’identifiant"),
        (("show", "cockroft"), "Aucune formule"),
        (("run", "imc", *_set("poids=70kg", "taille=1m75", "age=5")), "n’est pas une variable"),
        (("run", "imc", *_set("poids")), "doit s’écrire VARIABLE=VALEUR"),
        (("run", "imc", *_set("poids=70", "poids=71")), "deux fois"),
        (("run", "imc", *_set("poids=lourd", "taille=170")), "Poids (poids)"),
        (("run", "cha2ds2_va", *_set("age=70", "hta=peut-être")), "oui ou non"),
        (("run", "cockcroft_gault", *_set("sexe=X")), "n’est pas un des choix"),
        (("run", "terme", *_set("ddr=31/02/2026")), "date complète"),
        (("run", "imc", *_set("poids=60-70", "taille=170")), "Poids"),
        (("run", "terme", *_set("ddr=01/01/2099")), "est dans le futur"),
        (
            ("run", "imc", *_set(f"poids={'9' * 81}", "taille=170")),
            "81 caractères reçus, 80 au plus",
        ),
        (("run", "imc", *_set(f"poids={'9' * 100_000}kg", "taille=170")), "trop longue"),
        (("run", "terme", *_set(f"ddr={'1' * 10_000}")), "trop longue"),
        (("run", "cha2ds2_va", *_set("age=70", f"hta={'1' * 10_000}")), "trop longue"),
        (("run", "cockcroft_gault", *_set(f"sexe={'H' * 10_000}")), "trop longue"),
    ],
)
def test_refusals_are_french_and_exit_with_2(
    words: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(*words) == 2
    assert message in capsys.readouterr().err


def test_every_choice_and_unit_fits_in_a_value() -> None:
    """The window takes 40 characters for a number, and adds its unit."""
    variables = [v for formula in bank().entries for v in formula.variables]
    assert max(len(choice.label) for v in variables for choice in v.choices) <= LONGEST_VALUE
    assert max(41 + len(unit) for v in variables for unit in v.units) <= LONGEST_VALUE


@pytest.mark.parametrize(
    ("text", "expected"),
    [("H", 0), ("homme", 0), ("M", 0), ("masculin", 0), ("F", 1), ("Femme", 1), ("féminin", 1)],
)
def test_sex_as_typed(text: str, expected: int) -> None:
    result = SERVICE.run("cha2ds2_vasc", {"age": "50", "sexe": text})
    assert result.outputs[0].value == expected


def test_choices_by_key_or_label() -> None:
    values = {"bili": "20", "albumine": "40", "inr": "1,1", "encephalopathie": "0"}
    for text in ("absente", "ABSENTE"):
        assert SERVICE.run("child_pugh", values | {"ascite": text}).outputs[0].value == 5
    assert SERVICE.run("child_pugh", values | {"ascite": "moderee"}).outputs[0].value == 6


def test_constraint_is_explained() -> None:
    with pytest.raises(CalculationError, match="supérieure à la diastolique"):
        SERVICE.run("pam", {"pas": "60", "pad": "80"})


def test_zero_means_not_measured_for_an_optional_value() -> None:
    values = {"na": "140", "cl": "104", "hco3": "24", "albumine": "40"}
    for extra in ({}, {"kalium": "0"}):
        outputs = {o.id for o in SERVICE.run("trou_anionique", values | extra).outputs}
        assert outputs == {"ta", "ta_corrige"}
    outputs = {o.id for o in SERVICE.run("trou_anionique", values | {"kalium": "4"}).outputs}
    assert "ta_k" in outputs


def test_band_is_read_on_the_unrounded_value() -> None:
    result = SERVICE.run("imc", {"poids": "72,23", "taille": "170"})
    assert result.band.startswith("18,5–24,9")
    assert "valeur non arrondie, 24,9931" in result.divergences[0]
    assert not any("Interprétation" in step.label for step in result.steps)


def test_missing_criteria_are_told_before_the_interpretation(
    capsys: pytest.CaptureFixture[str],
) -> None:
    values = ("age=50", "fr=20", "pas=120", "pad=80")
    assert _run("run", "crb65", *_set(*values)) == 0
    out = capsys.readouterr().out.replace("\u00a0", " ")
    told, read = (
        out.index("Résultat provisoire : 1 critère non renseigné"),
        out.index(
            "Interprétation : Provisoire, critères non renseignés comptés 0 — 0 : traitement"
        ),
    )
    assert told < read
    assert out.count("traitement ambulatoire possible") == 2
    assert _run("run", "crb65", *_set(*values), "--json") == 0
    found = _json(capsys)
    assert found["provisional"] == (
        "Résultat provisoire : 1 critère non renseigné, compté 0 ; le total peut aller de 0 à 1, "
        "soit de « 0 : traitement ambulatoire possible » à « ≥ 1 : évaluation hospitalière »."
    )
    assert _run("run", "crb65", *_set(*values, "confusion=non"), "--json") == 0
    found = _json(capsys)
    assert (found["provisional"], found["band"]) == ("", "0 : traitement ambulatoire possible")


def test_a_calculation_takes_less_than_five_milliseconds() -> None:
    values = {"age": "50", "sexe": "H", "tabac": "oui", "pas": "140", "ct": "5,5 mmol/L",
              "hdl": "1,3 mmol/L"}  # fmt: skip
    SERVICE.run("score2", values)
    started = time.process_time()
    for _ in range(40):
        SERVICE.run("score2", values)
    assert (time.process_time() - started) / 40 < 0.005
