"""A value is read as its last one, whatever is said of when or how it was measured."""

from __future__ import annotations

import pytest

from ancremed_desktop.pipeline.plain_values import plain_values


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("metformine DFG passé de 60 à 25", "metformine DFG 25"),
        ("metformine DFG de 50 à 25", "metformine DFG 25"),
        ("spironolactone kaliémie passée de 4,2 à 5,8", "spironolactone kaliémie 5,8"),
        ("INR à 2 puis 8 sous warfarine", "INR 8 sous warfarine"),
        ("énoxaparine plaquettes 250 puis 120 puis 90", "énoxaparine plaquettes 90"),
        ("DFG tombé à 18 mL/min", "DFG 18 mL/min"),
        ("kaliémie de contrôle 5,8", "kaliémie 5,8"),
        ("kaliémie ce matin 5,8", "kaliémie 5,8"),
        ("metformine clairance estimée 22", "metformine clairance 22"),
        ("clairance de la créatinine selon Cockcroft 22", "clairance de la créatinine 22"),
        ("metformine dont la fonction rénale est à 22 ml/min", "metformine DFG 22 ml/min"),
        ("K⁺ 6,8", "K+ 6,8"),
        ("kaliémie ²", "kaliémie"),
        ("crise convulsive depuis dix minutes", "crise convulsive depuis 10 min"),
        ("convulse depuis 1h30", "convulse depuis 90 min"),
        ("convulse depuis une heure et demie", "convulse depuis 90 min"),
        ("ibuprofène enceinte T2", "ibuprofène enceinte deuxième trimestre de grossesse"),
        ("ibuprofène T3", "ibuprofène troisième trimestre de grossesse"),
        ("ibuprofène enceinte 7 mois et demi", "ibuprofène enceinte 7 mois"),
    ],
)
def test_a_value_is_written_plainly(question: str, plain: str) -> None:
    assert plain_values(question) == plain


@pytest.mark.parametrize(
    "question",
    [
        "metformine DFG entre 30 et 45",
        "DFG 30 à 44 mL/min",
        "clairance selon Cockcroft 80 ans 70 kg créatinine 100",
        "levothyrox T3 T4",
        "cancer de la prostate T3",
        "amoxicilline 1 g puis 500 mg",
        "AVC depuis 5 heures",
        "crise d’asthme depuis 2 heures",
        "metformine diabète T2",
        "HTA traitement T2",
        "fracture de L2 T3",
    ],
)
def test_what_is_plain_or_no_value_stays_as_typed(question: str) -> None:
    assert plain_values(question) == question
