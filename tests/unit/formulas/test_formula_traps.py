"""Values and criteria that are not the patient's own, now: asked for, never taken in silence."""

from __future__ import annotations

from datetime import date

import pytest

from ancremed_desktop.formulas.bank import load_bank
from ancremed_desktop.formulas.extract import read_question
from ancremed_desktop.settings import paths

_BANK = load_bank(paths.RESOURCES / "formulas")


def taken(question: str) -> dict[str, object]:
    """Values accepted from the question, by variable."""
    found = read_question(question, _BANK, date(2026, 11, 30))
    return {i.id: i.value for r in found for i in r.inputs if i.origin.startswith("lu dans")}


@pytest.mark.parametrize(
    ("question", "criterion"),
    [
        ("Wells EP fc 110 sauf hémoptysie", "hemoptysie"),
        ("Wells EP fc 110 hors hémoptysie", "hemoptysie"),
        ("CHA2DS2-VA homme 75 ans HTA sauf diabète", "diabete"),
        ("CHA2DS2-VA homme 75 ans HTA, tout sauf diabète", "diabete"),
        ("HAS-BLED 70 ans HTA à l’exception d’AVC", "avc"),
        ("Genève révisé 70 ans fc 100 excepté hémoptysie", "hemoptysie"),
        ("CURB65 70 ans urée 8 sauf confusion FR 32 PA 85/50", "confusion"),
    ],
)
def test_an_excepted_criterion_is_asked_for(question: str, criterion: str) -> None:
    found = read_question(question, _BANK, date(2026, 11, 30))
    assert found
    assert criterion not in taken(question)
    assert any(m.id == criterion for r in found for m in r.missing)


@pytest.mark.parametrize(
    "said",
    [
        "fils de 30 ans", "fille de 30 ans", "bru 50 ans", "tuteur de 50 ans", "aînée 20 ans",
        "infirmière de 30 ans", "son fils de 30 ans", "voisine de 40 ans", "collaborateur de 40 ans",
        "IDM à l’âge de 45 ans", "HTA à 40 ans", "cancer du sein 30 ans auparavant", "tabac 30 ans",
        "IDM à 45 ans", "tabagique pendant 30 ans", "HTA depuis 10 ans", "opérée il y a 12 ans",
    ],
)  # fmt: skip
def test_an_age_that_is_not_hers_is_asked_for(said: str) -> None:
    question = f"Cockcroft femme 55 kg créat 130, {said}"
    assert "age" not in taken(question)
    found = read_question(question, _BANK, date(2026, 11, 30))
    assert any(m.id == "age" for r in found for m in r.missing)


@pytest.mark.parametrize(
    "said",
    [
        "femme de 82 ans", "femme âgée de 82 ans", "patiente 82 ans", "82 ans", "âge 82 ans",
        "âge : 82 ans", "elle a 82 ans", "dame de 82 ans", "F 82 ans", "une patiente de 82 ans",
        "femme 82 ans, IDM à 45 ans", "femme 82 ans, fils de 30 ans", "diabétique de 82 ans",
        "fumeuse de 82 ans",
    ],
)  # fmt: skip
def test_her_own_age_is_read(said: str) -> None:
    assert str(taken(f"Cockcroft {said}, 55 kg, créat 130 µmol/L")["age"]) == "82"


@pytest.mark.parametrize(
    ("question", "variable"),
    [
        ("Cockcroft femme 82 ans, pesait 70 kg, créat 130", "poids"),
        ("Cockcroft femme 82 ans, ayant pesé 70 kg, créat 130", "poids"),
        ("IMC 70 kg avant, taille 170 cm", "poids"),
        ("Cockcroft femme 82 ans, poids habituel 70 kg, créat 130", "poids"),
        ("Cockcroft femme 82 ans 55 kg créat 130 dans les urines", "creatinine"),
        ("Cockcroft homme 82 ans 55 kg créat 130 urinaire", "creatinine"),
        ("Cockcroft femme 82 ans 55 kg créat 130 µmol/L urinaire", "creatinine"),
        ("IMC père 80 kg 1,75 m, fils 30 kg 1,30 m", "poids"),
        ("IMC père 80 kg 1,75 m, fils 30 kg 1,30 m", "taille"),
    ],
)
def test_a_former_value_or_that_of_urine_is_asked_for(question: str, variable: str) -> None:
    found = read_question(question, _BANK, date(2026, 11, 30))
    assert found
    assert variable not in taken(question)
    assert any(m.id == variable for r in found for m in r.missing)
