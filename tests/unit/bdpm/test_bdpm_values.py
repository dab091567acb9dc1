"""Prices, rates, days and strengths of BDPM fields."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ancremed_desktop.corpus.bdpm.values import (
    read_compact_day,
    read_day,
    read_price,
    read_rates,
    strengths,
    written_price,
)


@pytest.mark.parametrize(
    ("field", "euros"),
    [
        ("24,34", "24.34"),
        ("1,466,29", "1466.29"),
        ("12,345,678,90", "12345678.90"),
        ("1 466,29", "1466.29"),
        ("0,5", "0.5"),
        ("7", "7"),
        ("1,466", "1466"),
    ],
)
def test_price(field: str, euros: str) -> None:
    assert read_price(field) == Decimal(euros)


@pytest.mark.parametrize("field", ["", "gratuit", "-3,00", "1,46,629", "3,00 €", "1,,2"])
def test_no_price(field: str) -> None:
    assert read_price(field) is None


def test_price_is_written_in_french() -> None:
    assert written_price(Decimal("1466.29")) == "1\u00a0466,29\u00a0€"
    assert written_price(Decimal("1.5")) == "1,50\u00a0€"


@given(st.integers(0, 99_999_999))
def test_price_survives_its_own_writing_with_commas(cents: int) -> None:
    euros = Decimal(cents) / 100
    field = f"{euros:,.2f}".replace(".", ",")
    assert read_price(field) == euros


@pytest.mark.parametrize(
    ("field", "rates"),
    [
        ("65%", ("65\u00a0%",)),
        ("65 %", ("65\u00a0%",)),
        ("35%;65 %", ("35\u00a0%", "65\u00a0%")),
        ("165%", None),
        ("oui", None),
    ],
)
def test_rates(field: str, rates: tuple[str, ...] | None) -> None:
    assert read_rates(field) == rates


def test_days() -> None:
    assert read_day("31/05/2011") == "2011-05-31"
    assert read_day("31/02/2011") is None
    assert read_day("2011-05-31") is None
    assert read_compact_day("20230830") == "2023-08-30"
    assert read_compact_day("20231330") is None


def test_strengths_compare_across_units() -> None:
    assert strengths("DOLIPRANE 1 g")[0][1:] == strengths("1000 mg")[0][1:]
    assert strengths("0,25 mg")[0][1:] == strengths("250 microgrammes")[0][1:]
    assert strengths("1,00 mg")[0][1:] == strengths("1 mg")[0][1:]
    assert strengths("5 mg/ml") == ()
    assert strengths("4CH à 30CH") == ()
