"""A drug asked about in a case: what forbids it there comes before any dose, and is announced."""

from __future__ import annotations

import pytest

from ancremed_desktop import app
from ancremed_desktop.domain.answers import Answer
from ancremed_desktop.domain.spans import VerifiedAssertion
from ancremed_desktop.pipeline.draft import FORBIDDEN_HERE
from ancremed_desktop.services.ask import AskService
from ancremed_desktop.text.normalise import fold


@pytest.fixture(scope="module")
def service() -> AskService:
    return app.toolbox().ask(None)


def _shown(answer: Answer) -> list[tuple[str, str]]:
    """(section, folded quote), in the order of the screen."""
    spans = [s.anchored for s in answer.spans if isinstance(s, VerifiedAssertion)]
    return [(a.draft.section, fold(a.quote)) for a in spans]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("colchicine insuffisance rénale sévère", "clairance de la créatinine est inférieure à 30"),
        ("colchicine clcr 20", "clairance de la créatinine est inférieure à 30"),
        ("metformine DFG 25", "débit de filtration glomérulaire est inférieur à 30"),
        ("posologie metformine dfg à 22 ml/min", "inférieur à 30 mL/min"),
        ("apixaban clairance 12", "inférieure à 15 mL/min"),
        ("eliquis clairance 10", "inférieure à 15 mL/min"),
        ("spironolactone kaliémie 5,8", "contre-indiquée en cas d’hyperkaliémie"),
        ("aldactone k 6", "contre-indiquée en cas d’hyperkaliémie"),
        ("spironolactone K+ à 6,1 stp", "contre-indiquée en cas d’hyperkaliémie"),
        ("rocephine calcium nouveau-né", "nouveau-né qui reçoit du calcium"),
        ("calcium rocephine nouveau-né", "nouveau-né qui reçoit du calcium"),
        ("advil enceinte 30 SA", "24 semaines d’aménorrhée"),
        ("ramipril 2e trimestre grossesse", "deuxième et au troisième trimestre de la grossesse"),
        ("valproate femme enceinte", "contre-indiqué pendant la grossesse"),
        ("dose paracétamol cirrhose", "insuffisance hépatocellulaire"),
    ],
)
def test_what_forbids_in_the_case_asked_comes_first(
    service: AskService, question: str, first: str
) -> None:
    answer = service.ask(question)
    section, quote = _shown(answer)[0]
    assert section in ("contre-indications", "grossesse et allaitement")
    assert fold(first) in quote
    if any(s not in ("contre-indications", "grossesse et allaitement") for s, _ in _shown(answer)):
        assert FORBIDDEN_HERE in answer.message


@pytest.mark.parametrize(
    ("question", "dose"),
    [
        ("metformine DFG 40", "30 à 44 mL/min"),
        ("metformine DFG 50", "45 à 59 mL/min"),
        ("enoxaparine clairance 20", "15 à 30 mL/min"),
        ("apixaban clairance 20", "15 à 29 mL/min"),
    ],
)
def test_the_dose_of_the_value_asked_leads_the_doses(
    service: AskService, question: str, dose: str
) -> None:
    answer = service.ask(question)
    doses = [quote for section, quote in _shown(answer) if section == "posologie"]
    assert fold(dose) in doses[0]
    assert FORBIDDEN_HERE not in answer.message


@pytest.mark.parametrize("question", ["metformine", "amoxicilline angine", "posologie ramipril"])
def test_nothing_is_announced_where_no_case_is_asked(service: AskService, question: str) -> None:
    assert FORBIDDEN_HERE not in service.ask(question).message
