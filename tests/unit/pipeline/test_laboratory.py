"""A value alone is read as what it is called, and only where nothing else is counted."""

from __future__ import annotations

import pytest

from ancremed_desktop.pipeline.laboratory import named_value


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("kaliémie à 7", "hyperkaliémie"),
        ("Kaliémie = 2,8 mmol/L que faire", "hyperkaliémie que faire".replace("hyper", "hypo")),
        ("natrémie 118", "hyponatrémie"),
        ("glycémie à 0,4", "hypoglycémie"),
        ("INR à 9 sous AVK", "surdosage en antivitamine K sous AVK"),
    ],
)
def test_a_value_beyond_its_limits_has_a_name(question: str, read: str) -> None:
    text, (correction,) = named_value(question)
    assert text == read
    assert correction.certain
    assert correction.original + question.partition(correction.original)[2] == question


@pytest.mark.parametrize(
    "question",
    [
        "kaliémie à 4,2",
        "kaliémie",
        "glycémie à 12",
        "glycémie à 0,4 mmol/L",  # in another unit than its limit
        "INR à 9",  # of a failing liver, or of a heparin
        "INR cible 2,5 sous AVK",
        "natrémie 120 glycémie 30",
        "calcul de la natrémie corrigée 120",
        "kaliémie à 7 chez un patient de 80 ans",
    ],
)
def test_any_other_question_stays_as_typed(question: str) -> None:
    assert named_value(question) == (question, ())
