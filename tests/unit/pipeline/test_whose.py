"""Whose a sentence is: its amounts are shown to the patients they are for."""

from __future__ import annotations

import pytest

from ancremed_desktop.domain.plans import Subject
from ancremed_desktop.pipeline.population import Fit
from ancremed_desktop.pipeline.whose import is_of_newborn, whose

_CHILD = Subject(label="", words=(), populations=frozenset({"enfant"}))


@pytest.mark.parametrize(
    ("text", "section", "stand"),
    [
        ("Chez l’adulte et l’enfant, 100 mg/kg par jour.", "traitement", Fit.NAMED),
        ("Chez l’adulte comme chez l’enfant, 5 gouttes.", "reconnaissance", Fit.NAMED),
        ("Le patient prend 3 morceaux de sucre.", "gestes immédiats", Fit.OTHER),
        ("Chez l’adulte, 10 mL sont injectés.", "reconnaissance", Fit.OTHER),
        ("Il faut 500 mg.", "suivi", Fit.OTHER),
        ("Le 15 est appelé.", "gestes immédiats", Fit.GENERAL),
        ("La dose maximale est de 4 g.", "posologie", Fit.GENERAL),
        ("La dose est de 15 mg/kg.", "traitement", Fit.NAMED),
        ("Contre-indiqué au-delà de 100 mg par jour.", "contre-indications", Fit.GENERAL),
        ("La glycémie est inférieure à 0,70 g/L.", "reconnaissance", Fit.GENERAL),
    ],
)
def test_an_amount_is_a_childs_where_it_says_so_or_goes_by_weight(
    text: str, section: str, stand: Fit
) -> None:
    assert whose(text, frozenset(), section, _CHILD, newborn=False) is stand


@pytest.mark.parametrize(
    "text",
    [
        "Chez l’enfant, hors période néonatale, 50 mg/kg.",
        "Chez l’enfant, sauf nouveau-né, 50 mg/kg.",
        "À tout âge, à l’exception du nouveau-né : 50 mg/kg.",
        "Chez le nourrisson et l’enfant, 50 mg/kg.",
        "Chez l’enfant, en dehors de la période néonatale, 50 mg/kg.",
    ],
)
def test_a_dose_that_leaves_the_newborn_out_is_not_his(text: str) -> None:
    assert whose(text, frozenset(), "posologie", _CHILD, newborn=True) is Fit.OTHER
    assert whose(text, frozenset(), "posologie", _CHILD, newborn=False) is not Fit.OTHER
    assert not is_of_newborn(text)


def test_a_dose_of_the_newborn_is_his() -> None:
    text = "Chez le nouveau-né, la dose est de 7,5 mg/kg."
    assert whose(text, frozenset(), "posologie", _CHILD, newborn=True) is Fit.NAMED


@pytest.mark.parametrize(
    ("question", "newborn"),
    [
        ("méningite nouveau né", True),
        ("sepsis néonatal", True),
        ("apnée du prématuré", True),
        ("menace d’accouchement prématuré", False),
        ("fièvre nourrisson 1 mois", False),
    ],
)
def test_whom_a_question_is_about(question: str, newborn: bool) -> None:
    assert is_of_newborn(question) is newborn
