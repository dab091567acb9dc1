"""French words of the window."""

from __future__ import annotations

import pytest

from ancremed_desktop.domain.identifiers import PassageKind, Silo, TopicClass
from ancremed_desktop.domain.spans import DropReason
from ancremed_desktop.errors import (
    BadQuestionError,
    BugError,
    Cancelled,
    MachineError,
    ModelTimeoutError,
)
from ancremed_desktop.gui.wording import DROP_REASON, KIND, SILO, TOPIC, dotted, duration, trouble
from ancremed_desktop.text.french import count, french_date, no_break


def test_every_value_of_the_domain_has_its_word() -> None:
    assert set(SILO) == set(Silo)
    assert set(TOPIC) == set(TopicClass)
    assert set(DROP_REASON) == set(DropReason)
    assert set(KIND) == set(PassageKind) - {PassageKind.PROSE}


@pytest.mark.parametrize(
    ("iso", "expected"),
    [
        ("2024-08-30", "30\u00a0août\u00a02024"),
        ("2024-08-01", "1er\u00a0août\u00a02024"),
        ("2024-02", "février\u00a02024"),
        ("2024", "2024"),
        ("", ""),
        ("2026-11-30T06:00:00Z", "30\u00a0novembre\u00a02026"),
        ("2024-13-01", "2024-13-01"),
        ("vers 2020", "vers 2020"),
    ],
)
def test_dates(iso: str, expected: str) -> None:
    assert french_date(iso) == expected


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (0.2, "moins d’une seconde"),
        (12.4, "12\u00a0s"),
        (60, "1\u00a0min"),
        (200, "3\u00a0min 20\u00a0s"),
        (3900, "1\u00a0h 05\u00a0min"),
    ],
)
def test_durations(seconds: float, expected: str) -> None:
    assert duration(seconds) == expected


def test_counts_follow_french_plurals() -> None:
    assert count(0, "source") == "0\u00a0source"
    assert count(1, "source") == "1\u00a0source"
    assert count(76303, "passage") == "76\u202f303\u00a0passages"


def test_typography_and_dots() -> None:
    assert no_break("« oui » : 5 % ?") == "«\u00a0oui\u00a0»\u00a0: 5\u00a0%\u00a0?"
    assert dotted(("a", "", "b")) == "a\u00a0\u00a0·  b"


@pytest.mark.parametrize(
    ("error", "title", "has_detail"),
    [
        (BadQuestionError("Trop long : 3 000."), "À corriger", False),
        (MachineError("Disque plein."), "L’ordinateur a refusé", False),
        (ModelTimeoutError("Trop long."), "Modèle de langage", False),
        (Cancelled("Arrêté à votre demande."), "Arrêté", False),
        (BugError("x"), "Erreur interne", True),
        (KeyError("x"), "Erreur interne", True),
    ],
)
def test_errors_are_told_in_french(error: Exception, title: str, has_detail: bool) -> None:
    shown = trouble(error)
    assert shown.title == title
    assert bool(shown.detail) is has_detail
    if has_detail:
        assert "x" not in shown.message.split()
        assert type(error).__name__ in shown.detail
    else:
        assert shown.message == no_break(str(error))
