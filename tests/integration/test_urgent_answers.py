"""Questions of a night on call to a fresh install: the right dose, and never that of another."""

from __future__ import annotations

import pytest

from ancremed_desktop import app
from ancremed_desktop.domain.answers import Answer
from ancremed_desktop.domain.spans import VerifiedAssertion
from ancremed_desktop.services.ask import AskService
from ancremed_desktop.text.normalise import fold


@pytest.fixture(scope="module")
def service() -> AskService:
    return app.toolbox().ask(None)


def _quotes(answer: Answer, section: str = "") -> list[str]:
    """Folded quotes, of a section or of all."""
    return [
        fold(s.anchored.quote)
        for s in answer.spans
        if isinstance(s, VerifiedAssertion) and section in ("", s.anchored.draft.section)
    ]


@pytest.mark.parametrize(
    ("question", "dose"),
    [
        ("ACR adrénaline dose", "1 mg par voie intraveineuse"),
        ("ACR amiodarone dose", "300 mg par voie intraveineuse"),
        ("posologie clonazépam état de mal épileptique", "1 mg par voie intraveineuse lente"),
    ],
)
def test_the_card_of_an_emergency_gives_the_dose_of_its_drugs(
    service: AskService, question: str, dose: str
) -> None:
    answer = service.ask(question)
    assert any(fold(dose) in q for q in _quotes(answer, "posologie"))


def test_the_dose_of_an_emergency_is_not_that_of_another(service: AskService) -> None:
    assert not any("anaphyla" in q for q in _quotes(service.ask("ACR adrénaline dose")))


@pytest.mark.parametrize(
    ("question", "adult"),
    [
        ("intoxication paracétamol enfant", "Chez l’adulte intoxiqué"),
        ("antidote intoxication paracétamol enfant", "Chez l’adulte intoxiqué"),
        ("adrénaline arrêt cardiaque enfant", "Chez l’adulte en arrêt"),
        ("gestes immédiats arrêt cardiaque enfant", "profondeur de 5 à 6 cm"),
    ],
)
def test_what_is_done_to_an_adult_is_not_shown_for_a_child(
    service: AskService, question: str, adult: str
) -> None:
    assert not any(fold(adult) in q for q in _quotes(service.ask(question)))


def test_an_overdose_shows_all_that_is_done_with_its_antidote(service: AskService) -> None:
    answer = service.ask("intoxication paracétamol")
    assert any("centre antipoison est appele" in q for q in _quotes(answer, "gestes immédiats"))
    assert any("150 mg/kg en 1 heure" in q for q in _quotes(answer, "antidote"))
    assert _quotes(answer, "orientation")


@pytest.mark.parametrize(
    ("question", "expected", "contrary"),
    [
        ("pneumopathie sans comorbidité", "amoxicilline, 1 g", "qui ont une comorbidité"),
        ("pneumopathie avec comorbidité", "qui ont une comorbidité", "sans comorbidité"),
    ],
)
def test_the_extract_is_of_the_case_asked(
    service: AskService, question: str, expected: str, contrary: str
) -> None:
    quotes = _quotes(service.ask(question))
    assert any(fold(expected) in q for q in quotes)
    assert not any(fold(contrary) in q for q in quotes)
