"""Questions a fresh install must answer, with the words that must be on screen."""

from __future__ import annotations

import pytest

from ancremed_desktop import app
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.domain.spans import VerifiedAssertion
from ancremed_desktop.services.ask import AskService
from ancremed_desktop.text.normalise import fold


@pytest.fixture(scope="module")
def service() -> AskService:
    return app.toolbox().ask(None)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Quelle dose d’adrénaline dans le choc anaphylactique ?", "0,01 mg/kg"),
        ("Que faire devant un choc anaphylactique ?", "au 15 ou au 112"),
        ("posologie paracetamol adulte", "paracétamol"),
        (
            "paracétamol chez le cirrhotique",
            "contre-indiqué en cas d’insuffisance hépatocellulaire",
        ),
        ("Conduite à tenir devant un AVC", "appel immédiat du 15"),
        ("Conduite à tenir devant un accident vasculaire cérébral", "appel immédiat du 15"),
        ("STEMI prise en charge", "angioplastie"),
    ],
)
def test_it_is_answered(service: AskService, question: str, expected: str) -> None:
    spans = service.ask(question).spans
    quotes = [fold(s.anchored.quote) for s in spans if isinstance(s, VerifiedAssertion)]
    assert any(fold(expected) in quote for quote in quotes)


def test_a_score_is_no_treatment(service: AskService) -> None:
    answer = service.ask("traitement de la cirrhose")
    assert not [s for s in answer.sources if s.silo is Silo.FORMULAS]


def test_a_worked_score_says_nothing_of_unknown_words(service: AskService) -> None:
    answer = service.ask("Glasgow Y2 V3 M5")
    assert answer.calculations[0].result is not None
    assert answer.spans == ()
