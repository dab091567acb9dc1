"""A value alone is read as what it is called, and only where nothing else is counted."""

from __future__ import annotations

import pytest

from ancremed_desktop.pipeline.laboratory import named_value, ranges_in


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("kaliémie à 7", "hyperkaliémie"),
        ("Kaliémie = 2,8 mmol/L que faire", "hyperkaliémie que faire".replace("hyper", "hypo")),
        ("natrémie 118", "hyponatrémie"),
        ("glycémie à 0,4", "hypoglycémie"),
        ("INR à 9 sous AVK", "surdosage en antivitamine K sous AVK"),
        ("INR 4 sous fluindione", "surdosage en antivitamine K sous fluindione"),
        ("enoxaparine plaquettes 40", "enoxaparine thrombopénie"),
        ("ramipril k 6", "ramipril hyperkaliémie"),
        ("K+ à 6,2 sous ramipril 5 mg", "hyperkaliémie sous ramipril 5 mg"),
        ("crise convulsive > 5 min", "état de mal épileptique"),
        ("convulsions depuis plus de 5 minutes", "état de mal épileptique"),
        ("crise d'épilepsie qui dure 10 min", "état de mal épileptique"),
        ("glycémie 2 mmol/L", "hypoglycémie"),
        ("glycémie 40 mg/dL", "hypoglycémie"),
        ("plaquettes 80000 sous héparine", "thrombopénie sous héparine"),
        ("plaquettes 80 000 sous héparine", "thrombopénie sous héparine"),
        ("aspirine plaquettes 20 000/mm3", "aspirine thrombopénie"),
        ("kaliémie 7,2 TA 90/50", "hyperkaliémie TA 90/50"),
        ("patient 80 ans kaliémie 7,2 FC 35", "patient 80 ans hyperkaliémie FC 35"),
        ("Kaleorid 600 kaliémie 5,6", "Kaleorid 600 hyperkaliémie"),
        ("kaliémie à 7 chez un patient de 80 ans", "hyperkaliémie chez un patient de 80 ans"),
    ],
)
def test_a_value_beyond_its_limits_has_a_name(question: str, read: str) -> None:
    text, (correction,) = named_value(question)
    assert text == read
    assert correction.certain
    assert question.replace(correction.original, correction.replacement) == read


@pytest.mark.parametrize(
    "question",
    [
        "kaliémie à 4,2",
        "crise convulsive de 2 min",
        "crise convulsive 5 mg",
        "kaliémie",
        "glycémie à 12",
        "glycémie à 5,5 mmol/L",
        "glycémie à 90 mg/dL",
        "plaquettes à 30% sous héparine",
        "plaquettes 220 000/mm3 sous héparine",
        "natrémie 120 chlore 90 bicarbonates 20",
        "INR à 9 et cirrhose",  # of a failing liver, or of a heparin
        "INR cible 2,5 sous AVK",
        "natrémie 120 glycémie 30",
        "calcul de la natrémie corrigée 120",
        "kaliémie à 7 natrémie normale poids 80",
        "vitamine K 6",
        "plaquettes 220",
        "INR 3,2 sous warfarine",
    ],
)
def test_any_other_question_stays_as_typed(question: str) -> None:
    assert named_value(question) == (question, ())


_RENAL = "débit de filtration glomérulaire"
_TERM = "terme de la grossesse"


@pytest.mark.parametrize(
    ("text", "analysis", "inside", "outside"),
    [
        ("metformine DFG 25", _RENAL, 25, 26),
        ("clairance de la créatinine inférieure à 30 mL/min", _RENAL, 29.9, 30),
        ("un DFG < 45 mL/min/1,73 m2", _RENAL, 44, 45),
        ("le débit de filtration glomérulaire est de 45 à 59 mL/min", _RENAL, 59.5, 60),
        ("en cas d’insuffisance rénale sévère", _RENAL, 29, 30),
        ("en cas d’insuffisance cardiaque, rénale ou hépatique sévère", _RENAL, 29, 30),
        ("en cas d’insuffisance rénale, hépatique ou cardiaque sévère", _RENAL, 29, 30),
        ("metformine eGFR 22 mL/min", _RENAL, 22, 23),
        ("chez l’adulte à fonction rénale normale", _RENAL, 95, 89),
        ("avec un INR de 4 à moins de 6 sans hémorragie", "INR", 5, 6),
        ("avec un INR d’au moins 10", "INR", 10, 9.9),
        ("AINS grossesse 30 SA", _TERM, 30, 31),
        ("à partir du sixième mois, soit 24 semaines d’aménorrhée", _TERM, 30, 23),
        ("avant 24 semaines d’aménorrhée", _TERM, 20, 24),
        ("au deuxième et au troisième trimestre", _TERM, 20, 10),
        ("une kaliémie supérieure à 5,5 mmol/L", "kaliémie", 5.8, 5.5),
    ],
)
def test_the_ranges_of_a_text_are_read(
    text: str, analysis: str, inside: float, outside: float
) -> None:
    ranges = ranges_in(text)[analysis]
    assert any(low <= inside <= high for low, high in ranges)
    assert not any(low <= outside <= high for low, high in ranges)


@pytest.mark.parametrize(
    "text",
    [
        "2 g par jour",
        "6 mois de traitement",
        "levothyrox T3 T4",
        "10 mL de gluconate",
        "un apport de 30 mL/kg",
    ],
)
def test_other_figures_are_no_value_of_an_analysis(text: str) -> None:
    assert not ranges_in(text)
