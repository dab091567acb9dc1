"""Points of a questionnaire read from a question: a whole list, or items one by one."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from ancremed_desktop.domain.formulas import CalculationRequest
from ancremed_desktop.formulas.bank import load_bank
from ancremed_desktop.formulas.extract import read_question
from ancremed_desktop.settings import paths

_BANK = load_bank(paths.RESOURCES / "formulas")


def read(question: str) -> CalculationRequest | None:
    found = read_question(question, _BANK, date(2026, 11, 30))
    return found[0] if found else None


@pytest.mark.parametrize(
    ("question", "total"),
    [
        ("PHQ-9 : 1 2 0 1 2 1 0 0 0", 7),
        ("PHQ-9 = 1, 2, 0, 1, 2, 1, 0, 0, 3", 10),
        ("phq9 3+3+3+3+3+3+3+3+3", 27),
        ("AUDIT-C chez un homme : 3, 2, 1", 6),
        ("AUDIT-C femme 54 ans q1 3 q2 2 q3 1", 6),
        ("AUDIT-C femme item 1 : 4, item 2 : 0, item 3 : 0", 4),
        ("Barthel 10 10 5 10 10 15 10 5 5 0", 80),
        (
            "Barthel chez une femme de 82 ans : selles 10, urines 5, toilette 5, WC 10, repas 10,"
            " transferts 15, marche 10, habillage 5, escaliers 5, bain 0",
            75,
        ),
    ],
)
def test_points_are_read_and_summed(question: str, total: int) -> None:
    request = read(question)
    assert request is not None
    assert request.missing == ()
    assert request.result is not None
    assert request.result.outputs[0].value == Decimal(total)


@pytest.mark.parametrize(
    "question",
    [
        "PHQ-9 : 1 2 0 1 2 1 0 0",  # one short
        "PHQ-9 : 1 2 0 1 2 1 0 0 0 1",  # one too many
        "PHQ-9 : 1 2 0 1 2 1 0 0 4",  # the last is out of bounds
        "AUDIT-C d’un homme qui boit 3 verres 2 fois par semaine",  # counts, not codes
        "AUDIT-C homme, q1 3, q2 2, q3 9",  # out of bounds: none is kept
        "AUDIT-C homme 3, 2, 1 puis 4, 4, 4",  # two lists
        "AUDIT-C homme 3,2 1,5 0",  # decimals
    ],
)
def test_a_doubtful_list_is_not_read(question: str) -> None:
    request = read(question)
    read_points = [i for i in request.inputs if i.id != "sexe"] if request else []
    assert read_points == []
