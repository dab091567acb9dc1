"""How a text writes codes, and what they are read as."""

from __future__ import annotations

import pytest

from ancremed_desktop.domain.identifiers import Code
from ancremed_desktop.text.codes import read_codes


@pytest.mark.parametrize(
    ("text", "code", "value"),
    [
        ("3400935955838", Code.CIP, "3400935955838"),
        ("CIP 3595583", Code.CIP, "3400935955838"),
        ("cip7 : 3595583 ?", Code.CIP, "3400935955838"),
        ("CIS 69235513", Code.CIS, "69235513"),
        ("code ATC M04AA01", Code.ATC, "M04AA01"),
        ("atc n02be01", Code.ATC, "n02be01"),
        ("cim-10 I48.0", Code.CIM10, "I480"),
        ("CIM10 : i48", Code.CIM10, "i48"),
        ("I48.91 ?", Code.CIM10, "I4891"),
        ("I48", Code.CIM10, "I48"),
        ("item 232", Code.ITEM, "232"),
        ("Item n°75", Code.ITEM, "75"),
    ],
)
def test_codes_are_read(text: str, code: Code, value: str) -> None:
    assert [(m.code, m.value) for m in read_codes(text)] == [(code, value)]


@pytest.mark.parametrize(
    "text",
    [
        "vitamine B12 et carence",
        "dose de 12345678,5 mg",
        "HbA1c 7,5 %",
        "score CHA2DS2 à 3",
        "stade T4 N0 M0",
        "1 500 mg",
        "",
    ],
)
def test_what_is_no_code_is_left_alone(text: str) -> None:
    assert read_codes(text) == ()
