"""What identifies a person is set aside of a question with the words that announce it."""

from __future__ import annotations

import pytest

from ancremed_desktop.observability.redaction import without_people


@pytest.mark.parametrize(
    ("asked", "searched"),
    [
        ("Mme Vaucansonnet : signes de l’anaphylaxie ?", "signes de l’anaphylaxie ?"),
        ("Signes de l’anaphylaxie chez M. Vaucansonnet ?", "Signes de l’anaphylaxie ?"),
        (
            "Signes de la FA ? Mon patient est M. Vaucanson, tél : 06 12 34 56 78, né le "
            "12/03/1950, IPP 12345678",
            "Signes de la FA ?",
        ),
        ("madame durand 80 ans sous apixaban, dose ?", "80 ans sous apixaban, dose ?"),
        ("Patient Jean Martin, NIR 1 50 03 75 116 001 22 : HTA ?", "HTA ?"),
        ("Le patient M. Durand a une FA, que faire ?", "a une FA, que faire ?"),
    ],
)
def test_the_question_is_left(asked: str, searched: str) -> None:
    assert without_people(asked) == searched


@pytest.mark.parametrize(
    "asked",
    [
        "mon patient a une fibrillation atriale",
        "Maladie de Basedow : traitement",
        "Recommandation du 12/03/2020 sur l’HTA",
        "Patient diabétique de 72 ans, 68 kg, créatinine 130 µmol/L : clairance ?",
    ],
)
def test_a_question_that_names_nobody_is_not_touched(asked: str) -> None:
    assert without_people(asked) == asked


def test_two_thousand_words_that_announce_nobody_take_no_time() -> None:
    assert without_people("de " * 660 + "M. Durand") == ""
