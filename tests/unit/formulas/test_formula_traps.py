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
        "IDM âge 45 ans", "AVC âge : 45",
        "hypertendue depuis 45 ans d’âge", "opérée par un chirurgien de 45 ans",
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
        "fumeuse de 82 ans", "patiente dialysée de 82 ans", "femme diabétique très dénutrie de 82 ans",
        "femme, 82 ans d’âge", "femme 82 ans, IDM âge 45 ans", "femme, HTA, âge 82 ans",
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


@pytest.mark.parametrize(
    ("question", "variable"),
    [
        ("Cockcroft homme hypertendu depuis l’âge de 45 ans, 70 kg, créatinine 90 µmol/L", "age"),
        ("Cockcroft homme diabétique depuis l’âge de 30 ans, 70 kg, créat 90 µmol/L", "age"),
        ("Cockcroft homme dialysé dès l’âge de 30 ans, 70 kg, créat 90 µmol/L", "age"),
        ("Cockcroft homme, diabète apparu vers 30 ans, 70 kg, créat 90 µmol/L", "age"),
        ("Cockcroft homme, diabète depuis ses 30 ans, 70 kg, créat 90 µmol/L", "age"),
        ("Cockcroft homme, greffé quand il avait 30 ans, 70 kg, créat 90 µmol/L", "age"),
        ("Cockcroft homme 70 ans, poids 150 lbs, créat 90 µmol/L", "poids"),
        ("Cockcroft homme 70 ans, poids 154 lb, créat 90 µmol/L", "poids"),
        ("Cockcroft homme 70 ans, poids 154lb, créat 90 µmol/L", "poids"),
        ("Cockcroft homme 70 ans, poids 150 livres, créat 90 µmol/L", "poids"),
        ("IMC poids 50 stone, taille 170 cm", "poids"),
        ("IMC poids 60 kg, taille 71 inches", "taille"),
        ("IMC poids 60 kg, taille 60 ft", "taille"),
        ("NEWS2 température 39 °F FR 20", "temp"),
        ("IMC d’un homme de 1,80 m dont la femme pèse 60 kg", "poids"),
        ("Cockcroft patient de 80 ans dont la femme pèse 50 kg, créat 90 µmol/L", "poids"),
        ("Cockcroft patiente de 80 ans dont le fils pèse 90 kg, créat 90 µmol/L", "poids"),
        ("qSOFA : FR 24, PAS 95 chez la mère, Glasgow 15 pour l’enfant", "pas"),
        ("qSOFA : FR 24, PAS 95 chez la mère, Glasgow 15 pour l’enfant", "gcs"),
        ("IMC femme 1,70 m qui porte un sac de 60 kg", "poids"),
        ("IMC homme 1,70 m, soulève 60 kg", "poids"),
        ("IMC femme 1,70 m, son chien pèse 60 kg", "poids"),
        ("IMC femme 1,70 m, sac pesant 60 kg", "poids"),
        ("IMC femme 60 kg, tour de taille 100 cm", "taille"),
        ("IMC femme 60 kg, tumeur de taille 100 mm", "taille"),
        ('IMC homme 70 kg, taille 70"', "taille"),
        ("IMC homme 1,70 m, poids : 150 #", "poids"),
        ("Cockcroft homme greffé l’année de ses 45 ans, 70 kg, créat 90 µmol/L", "age"),
        ("Cockcroft homme, âge de début du diabète 30 ans, 70 kg, créat 90 µmol/L", "age"),
        ("IMC femme 1,70 m, un chien de 60 kg", "poids"),
        ("IMC femme 1,70 m, poids à la naissance 60 kg", "poids"),
        ("IMC femme 1,70 m, poids d’entrée en réanimation 60 kg", "poids"),
        ("IMC femme 1,70 m, poids 60 kg à 20 ans", "poids"),
    ],
)
def test_the_value_of_another_thing_unit_or_time_is_asked_for(question: str, variable: str) -> None:
    found = read_question(question, _BANK, date(2026, 11, 30))
    assert found
    assert variable not in taken(question)
    assert any(m.id == variable for r in found for m in r.missing)


@pytest.mark.parametrize(
    ("question", "variable", "value"),
    [
        ("IMC homme 1,80 m, poids actuel : 60 kg", "poids", "60"),
        ("IMC homme de 60 kg et 1,80 m", "poids", "60"),
        ("Trou anionique Na 138 Cl 100 bicar 10 alb 20", "na", "138"),
        ("IMC poids et taille 60 kg 1,80 m", "poids", "60"),
        ("IMC patiente 1,80 m, poids 150 lbs (68 kg)", "poids", "68"),
        ("IMC d’un homme de 1,80 m dont la femme pèse 60 kg", "taille", "1.80"),
        ("Cockcroft homme 70 ans, diabétique depuis l’âge de 30 ans, 70 kg, créat 90", "age", "70"),
        ("Cockcroft femme de 85 ans vivant chez sa fille, 55 kg, créat 90 µmol/L", "poids", "55"),
        ("Cockcroft femme de 85 ans, 55 kg, créat 90 homme de garde appelé", "creatinine", "90"),
    ],
)
def test_the_value_of_the_patient_is_still_read(question: str, variable: str, value: str) -> None:
    assert str(taken(question)[variable]) == value


@pytest.mark.parametrize(
    ("question", "criterion"),
    [
        *(
            (f"CHA2DS2-VASc homme 60 ans, hypertension {other}", "hta")
            for other in (
                "artérielle pulmonaire", "pulmonaire", "oculaire", "artérielle oculaire",
                "intracrânienne", "intra-crânienne", "portale", "de la blouse blanche",
                "artérielle de la blouse blanche",
            )
        ),
        ("CHA2DS2-VASc homme 60 ans, HTA blouse blanche", "hta"),
        ("CHA2DS2-VASc homme 60 ans, pré-diabète", "diabete"),
        ("CHA2DS2-VASc homme 60 ans, diabète insipide", "diabete"),
        ("CHA2DS2-VASc homme 60 ans, infarctus splénique", "maladie_vasculaire"),
        ("Lee : stent urétéral, créat 90 µmol/L", "coronaropathie"),
        ("HAS-BLED 70 ans, saignement de nez de son fils", "saignement"),
        ("HAS-BLED 70 ans, hémorragie digestive chez sa mère", "saignement"),
        ("sPESI : homme 70 ans, cancer de sa femme", "cancer"),
        ("sPESI : homme 70 ans, cancer du sein de sa fille", "cancer"),
        ("HAS-BLED 70 ans, alcool rare", "alcool"),
        ("HAS-BLED 70 ans, boit un verre d’alcool par semaine", "alcool"),
        ("HAS-BLED 70 ans, alcool pour se désinfecter les mains", "alcool"),
        ("HAS-BLED 70 ans, alcool, occasionnel", "alcool"),
        ("HAS-BLED 70 ans, gel hydro-alcoolique", "alcool"),
    ],
)  # fmt: skip
def test_what_only_looks_like_a_criterion_is_not_counted(question: str, criterion: str) -> None:
    assert read_question(question, _BANK, date(2026, 11, 30))
    assert taken(question).get(criterion) is not True


@pytest.mark.parametrize(
    ("question", "criterion"),
    [
        ("CHA2DS2-VASc homme 60 ans, hypertension artérielle essentielle", "hta"),
        ("CHA2DS2-VASc homme 60 ans, hypertension", "hta"),
        ("CHA2DS2-VASc homme 60 ans, diabète de type 2", "diabete"),
        ("CHA2DS2-VASc homme 60 ans, infarctus ancien", "maladie_vasculaire"),
        ("HAS-BLED 70 ans, alcoolisme chronique", "alcool"),
        ("HAS-BLED 70 ans, HTA, alcool", "alcool"),
        ("sPESI : homme 70 ans, cancer du sein", "cancer"),
        ("sPESI : homme 70 ans, cancer, vivant avec sa femme", "cancer"),
        ("CHA2DS2-VASc femme 80 ans, HTA, vivant chez sa fille", "hta"),
    ],
)
def test_the_criterion_itself_is_still_counted(question: str, criterion: str) -> None:
    assert taken(question)[criterion] is True


@pytest.mark.parametrize(
    "said",
    [
        "ancien alcoolique", "ex-alcoolique", "alcoolique abstinent", "alcoolique sevré",
        "alcoolique repenti depuis 3 ans", "alcoolisme ancien", "antécédent d’alcoolisme",
    ],
)  # fmt: skip
def test_a_habit_of_the_past_is_asked_for(said: str) -> None:
    assert "alcool" not in taken(f"HAS-BLED 70 ans, AVC, {said}")
    assert taken(f"HAS-BLED 70 ans, {said}, ancien AVC")["avc"] is True


@pytest.mark.parametrize(
    "said", ["alcool HTA", "HTA alcool AVC", ", alcool, HTA", "AVC alcool", "alcoolique"]
)
def test_a_habit_in_a_list_without_commas_is_read(said: str) -> None:
    assert taken(f"HAS-BLED 70 ans {said}")["alcool"] is True


def test_who_gave_up_drinking_may_smoke() -> None:
    assert taken("SCORE2 homme 55 ans fumeur, alcoolique sevré, PAS 140")["tabac"] is True
    assert taken("SCORE2 homme 55 ans fumeur sevré, PAS 140")["tabac"] is False


@pytest.mark.parametrize("said", ["120bat", "120 bat/min", "120 battements", "120 pulsations/min"])
def test_beats_are_counted_however_they_are_called(said: str) -> None:
    assert str(taken(f"Wells EP FC {said}")["fc"]) == "120"
