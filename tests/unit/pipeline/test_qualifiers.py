"""« Sans comorbidité » is not answered with the case that has one, nor the reverse."""

from __future__ import annotations

import pytest

from ancremed_desktop.domain.plans import Qualifier
from ancremed_desktop.pipeline.qualifiers import asked_qualifiers, is_of_the_contrary


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("pneumopathie sans comorbidité", (Qualifier(stem="comorbidit", absent=True),)),
        ("migraine avec aura triptan", (Qualifier(stem="aura", absent=False),)),
        (
            "angine sans fièvre ni toux",
            (Qualifier(stem="fievr", absent=True), Qualifier(stem="toux", absent=True)),
        ),
        ("cystite en l’absence de grossesse", (Qualifier(stem="grossess", absent=True),)),
        ("pneumopathie de l’adulte", ()),
    ],
)
def test_what_the_case_has_or_lacks_is_read(question: str, asked: tuple[Qualifier, ...]) -> None:
    assert asked_qualifiers(question) == asked


@pytest.mark.parametrize(
    ("question", "text", "contrary"),
    [
        ("PAC sans comorbidité", "L’association est proposée à qui a une comorbidité.", True),
        ("PAC sans comorbidité", "Chez l’adulte sans comorbidité, l’amoxicilline.", False),
        ("PAC avec comorbidité", "Chez l’adulte sans comorbidité, l’amoxicilline.", True),
        ("PAC avec comorbidité", "L’association est proposée en cas de comorbidité.", False),
        ("PAC sans comorbidité", "Que le patient ait ou non une comorbidité, la radio.", False),
        ("migraine sans aura", "La migraine avec aura contre-indique l’œstrogène.", True),
        ("migraine sans aura", "La migraine avec ou sans aura est traitée de même.", False),
        ("codéine sans ordonnance", "La codéine n’est délivrée que sur ordonnance.", False),
        ("sinusite sans signe de gravité", "Avec un signe de gravité, un avis.", True),
        ("sinusite sans signe de gravité", "Avec un signe de virose, attendre.", False),
        ("PAC", "L’association est proposée à qui a une comorbidité.", False),
    ],
)
def test_a_sentence_of_the_contrary_case_is_no_answer(
    question: str, text: str, contrary: bool
) -> None:
    assert is_of_the_contrary(text, "", asked_qualifiers(question)) is contrary


def test_the_heading_says_it_for_a_sentence_that_does_not() -> None:
    asked = asked_qualifiers("pneumopathie sans comorbidité")
    dose = "Amoxicilline et acide clavulanique, 1 g trois fois par jour."
    assert is_of_the_contrary(dose, "Patients avec comorbidité", asked)
    assert not is_of_the_contrary(dose, "Patients sans comorbidité", asked)
    assert is_of_the_contrary(dose, "Comorbidités", asked)
    assert not is_of_the_contrary(dose, "Traitement", asked)
