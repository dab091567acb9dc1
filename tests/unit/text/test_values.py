"""Values in other words: equal rhythms pass, other rhythms and approximations do not."""

from __future__ import annotations

import pytest

from ancremed_desktop.text.quantities import find_quantities
from ancremed_desktop.text.values import missing_values

HELD = (
    ("une fois par an", "un bilan annuel"),
    ("tous les 12 mois", "tous les ans"),
    ("tous les trois mois", "une consultation trimestrielle"),
    ("tous les 6 mois", "chaque semestre"),
    ("tous les deux mois", "un contrôle bimestriel"),
    ("deux fois par semaine", "des séances bihebdomadaires"),
    ("une fois tous les 3 ans", "tous les trois ans"),
    ("trois prises quotidiennes", "3 fois par jour"),
    ("deux injections par jour", "2 fois par jour"),
    ("une à deux fois par an", "1 à 2 fois/an"),
    ("un ou deux comprimés", "1 à 2 comprimés"),
    ("une semaine", "7 jours"),
    ("la première cause", "la principale cause"),
)
MISSING = (
    ("tous les 4 mois", "une consultation trimestrielle"),
    ("deux fois par semaine", "des séances hebdomadaires"),
    ("une fois par jour", "une dose quotidienne de 30 mg"),
    ("tous les deux mois", "un contrôle bimensuel"),
    ("deux bouffées par jour", "2 fois par jour"),
    ("deux injections par semaine", "2 fois par jour"),
    ("un ou deux comprimés", "2 comprimés"),
    ("tous les quinze jours", "toutes les 2 semaines"),
    ("trois mois", "12 semaines"),
    ("toutes les 12 heures", "2 fois par jour"),
    ("la première dose", "la dose principale"),
)


@pytest.mark.parametrize(("said", "source"), HELD)
def test_the_same_value_in_other_words_is_held(said: str, source: str) -> None:
    assert not missing_values(said, source, source)


@pytest.mark.parametrize(("said", "source"), MISSING)
def test_another_value_is_missing(said: str, source: str) -> None:
    assert missing_values(said, source, source)


@pytest.mark.parametrize(
    "text", ["l’un ou l’autre", "un ou une infirmière", "une projection sur une muqueuse"]
)
def test_an_article_counts_nothing(text: str) -> None:
    assert not find_quantities(text)
