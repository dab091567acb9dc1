"""A value given is answered by what speaks of it, and said where nothing does."""

from __future__ import annotations

import pytest

from ancremed_desktop.pipeline.told_values import (
    low_signs,
    speaks_of,
    told_values,
    unanswered_notice,
    without_values,
)
from ancremed_desktop.text.normalise import fold

_RENAL = "débit de filtration glomérulaire"


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("avc TA 200/110", [("pression artérielle", "ta 200/110")]),
        ("OAP 210/120 mmHg", [("pression artérielle", "210/120 mmhg")]),
        ("bronchiolite SpO2 88 %", [("saturation en oxygène", "spo2 88 %")]),
        ("sepsis lactate à 4", [("lactatémie", "lactate a 4")]),
        ("fièvre 39,5 nourrisson", [("température", "fievre 39,5")]),
        ("acidocétose kaliémie 3", [("kaliémie", "kaliemie 3")]),
        ("AVC depuis 5 heures", [("durée", "5 heures")]),
        (
            "asthme FR 35 FC 130",
            [("fréquence respiratoire", "fr 35"), ("fréquence cardiaque", "fc 130")],
        ),
        ("otite enfant 18 mois amoxicilline 80 mg/kg", []),
        ("ramipril 5 mg patient de 80 ans", []),
        ("diabète de type 2", []),
    ],
)
def test_values_are_read_with_what_they_measure(question: str, told: list[tuple[str, str]]) -> None:
    folded = fold(question)
    assert [(t.measure, folded[t.start : t.end]) for t in told_values(question)] == told


def test_a_value_is_no_word_of_the_subject_but_its_sign_is() -> None:
    for question, left in (
        ("avc TA 200/110", "avc"),
        ("fièvre 39 nourrisson", "fièvre nourrisson"),
        ("ponction lombaire et plaquettes à 40", "ponction lombaire et plaquettes"),
    ):
        assert " ".join(without_values(question, told_values(question)).split()) == left


@pytest.mark.parametrize(
    ("text", "measure", "speaks"),
    [
        ("La pression artérielle est maintenue à 185/110 mmHg.", "pression artérielle", True),
        ("La pression artérielle est mesurée.", "pression artérielle", False),
        ("La thrombolyse est faite dans les 4 heures 30.", "durée", True),
        ("La thrombolyse est faite dans les 4 heures 30.", "pression artérielle", False),
        ("La kaliémie est inférieure à 3,5 mmol/L.", "kaliémie", True),
        ("Contre-indiqué en cas d’insuffisance rénale sévère.", _RENAL, True),
        ("Contre-indiqué en cas d’insuffisance rénale.", _RENAL, True),
        ("Contre-indiqué en cas d’insuffisance hépatique.", _RENAL, False),
    ],
)
def test_a_sentence_speaks_of_a_measure_by_a_figure(text: str, measure: str, speaks: bool) -> None:
    assert speaks_of(text, measure) is speaks


def test_what_no_extract_speaks_of_is_said() -> None:
    other = "La thrombolyse est faite dans les 4 heures 30."
    own = "La pression artérielle est maintenue à 185/110 mmHg."
    assert unanswered_notice("avc TA 200/110", [other], ()) == (
        "La valeur «\u00a0TA 200/110\u00a0» n’est reprise par aucun extrait."
    )
    assert unanswered_notice("avc TA 200/110", [other, own], ()) == ""
    assert unanswered_notice("kaliémie à 7", [other], ["kaliémie à 7"]) == ""
    assert unanswered_notice("avc", [other], ()) == ""


@pytest.mark.parametrize(
    ("question", "text", "met"),
    [
        ("bisoprolol FC 38", "Contre-indiqué en cas de bradycardie symptomatique.", True),
        ("bisoprolol FC 70", "Contre-indiqué en cas de bradycardie symptomatique.", False),
        ("diazépam FR 6", "Contre-indiqué en cas d’insuffisance respiratoire sévère.", True),
        ("morphine SpO2 80", "Contre-indiqué en cas d’insuffisance respiratoire.", True),
        ("morphine SpO2 97", "Contre-indiqué en cas d’insuffisance respiratoire.", False),
        ("amlodipine PAS 80", "Contre-indiqué en cas d’hypotension sévère.", True),
        ("amlodipine TA 8/5", "Contre-indiqué en cas d’hypotension sévère.", True),
    ],
)
def test_a_low_vital_sign_meets_what_a_card_calls_it(question: str, text: str, met: bool) -> None:
    assert any(p.search(fold(text)) for p in low_signs(question)) is met
