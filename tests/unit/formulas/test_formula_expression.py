"""The expression language: what it refuses, and that its arithmetic is exact."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from ancremed_desktop.errors import CalculationError
from ancremed_desktop.formulas import french
from ancremed_desktop.formulas.expression import AbsentValue, Environment, evaluate, parse, truth
from ancremed_desktop.formulas.render import substituted
from ancremed_desktop.text.french import plain


def _value(text: str, **values: Fraction | str | bool | None) -> object:
    return evaluate(parse(text), values)


@pytest.mark.parametrize(
    "text",
    [
        "", "1 +", "import os", "open('x')", "a.b", "a[0]", "lambda: 1", "[1]", "{1}", "f'{a}'",
        "a := 1", "*a", "a if b", "1 is 2", "a not in b", "True", "None", "1j", "b'x'", "~a",
        "max(a, key=b)", "(lambda x: x)(1)", "not a", "a << 2", "x" * 2000, "(" * 500,
    ],
)  # fmt: skip
def test_what_is_no_formula_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"expression|permis|fonction|constante"):
        parse(text)


def test_decimals_are_exact() -> None:
    assert _value("3.0*17.1") == Fraction(513, 10)
    assert _value("0.1+0.2") == Fraction(3, 10)
    assert truth(parse("a*17.1>51.3"), {"a": Fraction(3)}) is False
    assert truth(parse("3*a>2*b"), {"a": Fraction(100), "b": Fraction(150)}) is False


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7//2", 3), ("7%2", 1), ("2**10", 1024), ("-3+1", -2), ("min(3,1,2)", 1), ("max(3,1)", 3),
        ("abs(-2)", 2), ("floor(2.7)", 2), ("ceil(2.1)", 3), ("sqrt(0.25)", Fraction(1, 2)),
        ("round(2.5)", 3), ("round(-2.5)", -3), ("round(1.25,1)", Fraction(13, 10)), ("ln(1)", 0),
        ("exp(0)", 1), ("log10(1000)", 3), ("1 if 2>1 else 0", 1), ("compte(1>0,2>3,4>=4)", 2),
        ("4**0.5", 2), ("8**(1/3)", None),
    ],
)  # fmt: skip
def test_arithmetic(text: str, expected: object) -> None:
    value = _value(text)
    if expected is None:
        assert isinstance(value, Fraction)
        assert abs(value - 2) < Fraction(1, 10**30)
    else:
        assert value == expected


@pytest.mark.parametrize("text", ["1/a", "7//a", "7%a", "ln(a)", "log10(a)", "sqrt(a-1)", "a**-1"])
def test_impossible_arithmetic_is_a_french_refusal(text: str) -> None:
    with pytest.raises(CalculationError, match="vérifier"):
        _value(text, a=Fraction(0))


def test_an_absent_value_is_never_a_number() -> None:
    absent: Environment = {"a": None, "b": Fraction(1)}
    assert truth(parse("a<5"), absent) is False
    assert truth(parse("a>=5 or b==1"), absent) is True
    assert truth(parse("a+1>0"), absent) is False
    with pytest.raises(AbsentValue):
        evaluate(parse("a+b"), absent)


def test_dates() -> None:
    assert _value("date_plus(d,287)", d="2025-03-10") == "2025-12-22"
    assert _value("mois_plus(d,9)", d="2020-05-27") == "2021-02-27"
    assert _value("mois_plus(d,9)", d="2020-05-31") == "2021-02-28"
    assert _value("mois_plus(d,9)", d="2023-05-31") == "2024-02-29"
    assert _value("jours_entre(a,b)", a="2024-02-20", b="2024-12-02") == 286
    with pytest.raises(CalculationError, match="Date illisible"):
        _value("date_plus(d,1)", d="10 mars")


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("a*(140-b)/c", {"a": "1.23", "b": "65", "c": "110"}, "1,23 × (140 − 65) / 110"),
        ("a-(b-c)", {"a": "1", "b": "2", "c": "3"}, "1 − (2 − 3)"),
        ("a/(b*c)", {"a": "1", "b": "2", "c": "3"}, "1 / (2 × 3)"),
        ("a+b", {"a": "1", "b": "-2"}, "1 + (−2)"),
        ("a**b", {"a": "-2", "b": "2"}, "(−2)^2"),
        ("sqrt(a)", {"a": "2500"}, "√(2\u00a0500)"),
        ("a if a>b else b", {"a": "1", "b": "2"}, "2"),
    ],
)
def test_substitution_reads_like_handwriting(
    text: str, values: dict[str, str], expected: str
) -> None:
    numbers = {name: Fraction(value) for name, value in values.items()}
    assert substituted(parse(text), numbers) == expected


@pytest.mark.parametrize(
    ("value", "decimals", "expected"),
    [
        ("1234.5", None, "1\u00a0234,5"), ("0.005", 2, "0,01"), ("-0.5", 0, "−1"), ("2.5", 0, "3"),
        ("-0.001", 1, "0,0"), ("64.932126696", 1, "64,9"), ("12", 1, "12,0"), ("1000000", 0,
        "1\u00a0000\u00a0000"),
    ],
)  # fmt: skip
def test_french_numbers(value: str, decimals: int | None, expected: str) -> None:
    assert french.number(Decimal(value), decimals) == expected


def test_french_punctuation() -> None:
    assert french.typographic("A : b ; « c » ?") == ("A\u00a0: b\u00a0; «\u00a0c\u00a0»\u00a0?")
    assert plain(french.typographic("A : b")) == "A : b"
