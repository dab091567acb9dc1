"""Doses of another product, or another strength, than the one asked about are told."""

from __future__ import annotations

import pytest

from ancremed_desktop import app
from ancremed_desktop.domain.spans import VerifiedAssertion
from ancremed_desktop.services.ask import AskService

OTHER = "Les doses citées sont celles d’un autre produit ou d’un autre dosage"


@pytest.fixture(scope="module")
def service() -> AskService:
    return app.toolbox().ask(None)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("posologie Mirena", True),
        ("posologie Innovair 200/6", True),
        ("posologie Innovair", False),
        ("posologie Eliquis", False),
        ("posologie apixaban", False),
    ],
)
def test_another_product_is_told(service: AskService, question: str, told: bool) -> None:
    assert (OTHER in service.ask(question).message) is told


@pytest.mark.parametrize("question", ["posologie Symbicort", "posologie formotérol"])
def test_a_mixture_gives_no_dose_of_its_part_or_its_neighbour(
    service: AskService, question: str
) -> None:
    spans = service.ask(question).spans
    assert not any(isinstance(s, VerifiedAssertion) for s in spans)


def test_what_is_given_in_one_mixture_alone_is_answered_by_it(service: AskService) -> None:
    spans = service.ask("posologie sacubitril").spans
    assert any(isinstance(s, VerifiedAssertion) for s in spans)
