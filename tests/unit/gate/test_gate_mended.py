"""Paraphrases that were refused for no reason, each with the change that must stay refused."""

from __future__ import annotations

import pytest
from test_gate_kinds import passes

from ancremed_desktop.text.normalise import unsafe_characters
from ancremed_desktop.text.values import missing_values

CASES = [
    (
        "Ne pas débuter la fictivine si la kaliémie est < 3,3 mmol/L : corriger d'abord la kaliémie.",
        "Une kaliémie inférieure à 3,3 mmol/L est corrigée avant la fictivine.",
        "La fictivine est débutée si la kaliémie est < 3,3 mmol/L.",
    ),
    (
        "La fictivine est donnée par voie intraveineuse ou, à défaut, intramusculaire.",
        "À défaut de voie intraveineuse, la fictivine est donnée par voie intramusculaire.",
        "La fictivine est donnée par voie intramusculaire ou, à défaut, intraveineuse.",
    ),
    (
        "La fictivine se prend une fois par semaine ; une prise quotidienne expose à une toxicité mortelle.",
        "La fictivine se prend une fois par semaine.",
        "La fictivine se prend une fois par jour.",
    ),
    (
        "L'arrêt de la fictivine ne doit pas être brutal.",
        "La fictivine s'arrête progressivement, jamais brutalement.",
        "La fictivine s'arrête brutalement.",
    ),
    (
        "La fictivine est prise à distance du fer.",
        "La fictivine n'est pas prise en même temps que le fer.",
        "La fictivine est prise en même temps que le fer.",
    ),
    (
        "La vitesse ne doit pas dépasser 1 g de fictivine par heure.",
        "Pas plus de 1 g de fictivine par heure.",
        "Pas moins de 1 g de fictivine par heure.",
    ),
    (
        "La fictivine est réservée aux échecs ou intolérances du traitement oral.",
        "Si le traitement oral échoue ou n'est pas toléré, on passe à la fictivine.",
        "Si le traitement oral réussit, on passe à la fictivine.",
    ),
    (
        "La dialyse est indiquée en cas d'anurie ou d'échec de la fictivine.",
        "On dialyse si le patient n'urine plus ou si la fictivine échoue.",
        "On dialyse si le patient urine ou si la fictivine échoue.",
    ),
    (
        "La fictivine est contre-indiquée tant que les plaquettes sont < 150 G/L.",
        "Pas de fictivine avant que les plaquettes ne soient remontées à 150 G/L.",
        "Pas de fictivine si les plaquettes sont à 150 G/L.",
    ),
    (
        "La fictivine est recommandée si le score est ≥ 2.",
        "La fictivine est recommandée à partir d'un score de 2.",
        "La fictivine est recommandée à partir d'un score de 3.",
    ),
    (
        "Une surveillance de l'hémoglobine est nécessaire en raison du risque d'hémolyse.",
        "L'hémoglobine est surveillée car une hémolyse peut survenir.",
        "L'hémoglobine peut être surveillée en raison du risque d'hémolyse.",
    ),
    (
        "Il n'est pas nécessaire de dépasser 3 g de fictivine par jour.",
        "3 g de fictivine par jour suffisent.",
        "4 g de fictivine par jour suffisent.",
    ),
    (
        "Le don de sang est interdit pendant le traitement et le mois suivant.",
        "Le don de sang est interdit jusqu'à un mois après le traitement.",
        "Le don de sang est interdit jusqu'à une semaine après le traitement.",
    ),
    (
        "La fictivine est contre-indiquée si le DFG est < 30 mL/min/1,73 m².",
        "On ne prescrit pas de fictivine si le DFG est inférieur à 30.",
        "On ne prescrit pas de fictivine si le DFG est supérieur à 30.",
    ),
    (
        "Fictivine : 4 g en 20 minutes, puis 1 g/h.",
        "Après 4 g en 20 minutes, la fictivine est poursuivie à 1 g/h.",
        "Après 1 g/h, la fictivine est poursuivie à 4 g en 20 minutes.",
    ),
]


@pytest.mark.parametrize(("source", "faithful"), [(s, f) for s, f, _ in CASES])
def test_a_faithful_wording_passes(source: str, faithful: str) -> None:
    assert passes(source, faithful)


@pytest.mark.parametrize(("source", "changed"), [(s, c) for s, _, c in CASES])
def test_a_changed_wording_is_refused(source: str, changed: str) -> None:
    assert not passes(source, changed)


def test_a_stage_of_the_passage_is_no_stage_of_the_quote() -> None:
    passage = "Stade 3B : DFG de 30 à 44 mL/min. Stade 4 : DFG de 15 à 29 mL/min."
    quote = "Stade 3B : DFG de 30 à 44 mL/min."
    assert not missing_values("Le stade 3B va de 30 à 44 mL/min.", quote, passage)
    assert missing_values("Le stade 4 va de 30 à 44 mL/min.", quote, passage)


@pytest.mark.parametrize(
    ("text", "unsafe"),
    [("dans les ² jours", True), ("1,73 m²", False), ("10⁹/L", False), ("CHA₂DS₂-VASc", False)],
)
def test_a_raised_digit_is_no_number_of_its_own(text: str, unsafe: bool) -> None:
    assert bool(unsafe_characters(text)) is unsafe
