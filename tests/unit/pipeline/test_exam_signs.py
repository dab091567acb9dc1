"""Changes of an exam that a case has or lacks are read in the words of sources."""

from __future__ import annotations

import pytest

from ancremed_desktop.pipeline.exam_signs import signs_named

SIGN = "signe électrocardiographique"


@pytest.mark.parametrize(
    ("raw", "read", "original"),
    [
        ("hyperkaliémie avec modifications ECG", f"hyperkaliémie avec {SIGN}", "modifications ECG"),
        ("SCA avec des anomalies de l’ECG", f"SCA avec {SIGN}", "anomalies de l’ECG"),
        ("hyperkaliémie sans signe ECG ?", f"hyperkaliémie sans {SIGN} ?", "signe ECG"),
        ("hyperkaliémie et troubles électriques", f"hyperkaliémie avec {SIGN}", "troubles électriques"),
        ("hyperkaliémie à 7, ECG anormal", f"hyperkaliémie à 7, avec {SIGN}", "ECG anormal"),
    ],
)  # fmt: skip
def test_the_sign_of_a_case_is_named_as_sources_do(raw: str, read: str, original: str) -> None:
    text, (correction,) = signs_named(raw)
    assert text == read
    assert (correction.original, correction.replacement) == (original, SIGN)


@pytest.mark.parametrize(
    "raw",
    [
        "signes ECG de l’embolie pulmonaire",
        "anomalies ECG dans l’hyperkaliémie",
        "interpréter un ECG",
        "hyperkaliémie avec signe électrocardiographique",
        "brûlure avec choc électrique",
        "embolie pulmonaire avec signes de choc",
    ],
)
def test_a_question_on_the_exam_itself_is_left_as_it_is(raw: str) -> None:
    assert signs_named(raw) == (raw, ())
