"""What is blanked of a question about a drug, and what is not."""

from __future__ import annotations

import pytest

from ancremed_desktop.pipeline.population import (
    Fit,
    ages,
    asked_groups,
    fit,
    groups,
    is_of_another_age,
    without_failing_organ,
)


@pytest.mark.parametrize(
    ("folded", "kept"),
    [
        ("allopurinol en insuffisance renale", "allopurinol en"),
        ("metformine insuffisance renale severe", "metformine"),
        ("apixaban clairance 20", "apixaban 20"),
        ("paracetamol et insuffisance hepatique", "paracetamol et"),
        ("entecavir hepatite b", "entecavir hepatite b"),
        ("spironolactone insuffisance cardiaque", "spironolactone insuffisance cardiaque"),
    ],
)
def test_only_a_failing_kidney_or_liver_is_blanked(folded: str, kept: str) -> None:
    blanked = without_failing_organ(folded)
    assert len(blanked) == len(folded)
    assert " ".join(blanked.split()) == kept


def _stand(title: str, sentence: str, question: str) -> Fit:
    return fit(groups(sentence), groups(title), asked_groups(question), dosing=False)


def test_a_pregnant_woman_is_pregnant_not_any_woman() -> None:
    assert groups("femmes enceintes ou allaitantes") == {"grossesse", "allaitement"}
    assert _stand("Cystite de la femme enceinte", "Six jours.", "cystite femme") is Fit.OTHER


def test_a_title_that_names_several_groups_is_of_each_of_them() -> None:
    title = "Épilepsie des femmes et des femmes enceintes"
    assert _stand(title, "Le risque pendant la grossesse.", "épilepsie femme") is not Fit.OTHER
    assert _stand(title, "Six jours.", "épilepsie homme") is Fit.OTHER


def test_ages_are_read_with_their_unit() -> None:
    assert ages("Âge : ≥ 14 ans, rappel à 6 mois") == {"14 ans", "6 mois"}


@pytest.mark.parametrize(
    ("question", "child"),
    [
        ("Doliprane 3 kg", True),
        ("doliprane nouveau né", True),
        ("Apixaban 55 kg", False),
        ("perte de 5 kg et AEG", False),
        ("3 kg de plus en 2 jours", False),
        ("prise de 3 kg en 2 jours", False),
    ],
)
def test_a_small_weight_is_a_child(question: str, child: bool) -> None:
    assert ("enfant" in asked_groups(question)) is child


@pytest.mark.parametrize(
    ("text", "age", "other"),
    [
        ("À partir de 1 an, la dose est de 0,2 mg/kg.", "6 mois", True),
        ("À partir de 1 an, la dose est de 0,2 mg/kg.", "2 ans", False),
        ("Dès l’âge de 3 mois : 20 mg/kg.", "2 mois", True),
        ("Avant 2 ans, la dose est de 80 mg/kg.", "5 ans", True),
        ("Avant 2 ans, la dose est de 80 mg/kg.", "18 mois", False),
        ("Contre-indiqué chez l’enfant de moins de 8 ans.", "10 ans", False),
        ("Aucune dose n’est donnée avant 1 an.", "4 ans", False),
        ("À partir de 80 ans, la dose est réduite.", "79 ans", False),
        ("La dose est de 15 mg/kg.", "6 mois", False),
    ],
)
def test_a_dose_of_another_age_is_no_answer(text: str, age: str, other: bool) -> None:
    assert is_of_another_age(text, frozenset({age})) is other


@pytest.mark.parametrize(
    ("text", "asked", "stand"),
    [
        ("Chez la femme, une dose unique de 3 g.", {"homme"}, Fit.OTHER),
        ("Chez l’homme et la femme, 500 mg.", {"homme"}, Fit.NAMED),
        ("La femme âgée reçoit 3 g.", {"homme", "sujet âgé"}, Fit.OTHER),
        ("La dose de la personne âgée est de 5 mg.", {"enfant"}, Fit.OTHER),
        ("La dose est de 500 mg.", {"homme"}, Fit.GENERAL),
    ],
)
def test_a_dose_of_the_other_sex_or_age_group_is_no_answer(
    text: str, asked: set[str], stand: Fit
) -> None:
    assert fit(groups(text), frozenset(), frozenset(asked), dosing=True) is stand
