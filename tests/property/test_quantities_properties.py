"""What must hold for every quantity and every text."""

from __future__ import annotations

import itertools
from fractions import Fraction

from fakes.numerals import FORMS, numerals
from hypothesis import given, settings
from hypothesis import strategies as st

from ancremed_desktop.text.quantities import (
    Quantity,
    equal,
    find_quantities,
    is_fixed_name,
    render,
)

Key = tuple[Fraction | None, Fraction | None, str, str, str, tuple[str, ...]]


def key(q: Quantity) -> Key:
    return q.low, q.high, q.comparator, q.dimension, q.unit, q.per


_MEASURES = [
    ("", "", ()), ("mass", "g", ()), ("mass/mass", "g", ("kg",)),
    ("mass/mass/time", "g", ("kg", "jour")), ("mass/time", "g", ("jour",)),
    ("mass/volume", "g", ("L",)), ("volume", "L", ()), ("volume/time", "L", ("minute",)),
    ("volume/time/area", "L", ("minute", "1,73 m²")), ("amount/volume", "mol", ("L",)),
    ("time", "h", ()), ("calendar", "mois", ()), ("UI", "UI", ()), ("UI/mass", "UI", ("kg",)),
    ("UI/time", "UI", ("jour",)), ("pressure", "mmHg", ()), ("temperature", "°C", ()),
    ("percent", "%", ()), ("length", "m", ()), ("charge", "Eq", ()), ("count", "comprime", ()),
    ("count/prise", "goutte", ("prise",)), ("mass/prise", "g", ("prise",)),
    ("count/volume", "", ("L",)), ("normal", "LSN", ()), ("frequency", "", ("jour",)),
    ("frequency", "", ("semaine",)), ("interval", "h", ()), ("factor", "×", ()),
]  # fmt: skip
_VALUES = st.one_of(
    st.integers(1, 1799).map(Fraction),
    st.decimals("0.001", "9999", places=3).map(Fraction),
    st.builds(Fraction, st.integers(1, 11), st.integers(12, 99)),
)


@st.composite
def quantities(draw: st.DrawFn) -> Quantity:
    """Single values and ranges of every measured dimension, with and without comparator."""
    dimension, unit, per = draw(st.sampled_from(_MEASURES))
    low = draw(_VALUES)
    if dimension in {"factor", "interval", "frequency"} or unit == "comprime":
        low = Fraction(draw(st.integers(2, 30)))
    high = low
    if draw(st.booleans()) and dimension not in {"factor", "interval"}:
        low, high = Fraction(draw(st.integers(1, 40))), Fraction(draw(st.integers(41, 90)))
    comparator = draw(st.sampled_from(("", "<", "<=", ">", ">=", "≈")))
    return Quantity(
        start=0, end=0, low=low, high=high, comparator=comparator, dimension=dimension,
        unit=unit, per=per,
    )  # fmt: skip


@settings(max_examples=1500, deadline=None)
@given(quantities())
def test_reading_what_was_written_gives_the_same_quantity(quantity: Quantity) -> None:
    written = render(quantity)
    read = find_quantities(f"Donner {written}.")
    if quantity.dimension == "" and quantity.low == quantity.high and quantity.low != 0:
        # A pure vulgar fraction is a share: it reads as the percentage it equals.
        assert len(read) == 1
        assert equal(read[0], quantity), (written, read)
    else:
        assert [key(q) for q in read] == [key(quantity)], written


@settings(max_examples=600, deadline=None)
@given(quantities(), quantities())
def test_different_quantities_are_not_equal(a: Quantity, b: Quantity) -> None:
    def canonical(q: Quantity) -> Key:
        low, high, sign, dimension, unit, per = key(q)
        if dimension == "" and low is not None and high is not None and 0 < low <= high < 1:
            return low * 100, high * 100, sign, "percent", "%", per
        return low, high, sign, dimension, unit, per

    assert equal(a, b) is (canonical(a) == canonical(b))
    assert equal(a, a)


def test_ten_thousand_numerals_of_every_form_are_found() -> None:
    frames = (
        "La valeur est {}.",
        "On retient {} ici",
        "({})",
        "{} ; puis la suite",
        "soit {}, au total",
    )
    seen: set[str] = set()
    frame = itertools.cycle(frames)
    for numeral in numerals(10_000, seed=7):
        text = next(frame).format(numeral.text)
        found = find_quantities(text)
        assert len(found) == 1, (text, found)
        assert (found[0].low, found[0].high) == (numeral.value, numeral.value), (text, found)
        assert found[0].dimension == numeral.dimension, text
        assert found[0].comparator == numeral.comparator, text
        seen.add(numeral.form)
    assert seen == set(FORMS)


_PIECES = st.lists(
    st.one_of(
        st.text(max_size=12),
        st.text("0123456789 .,-/%×^⁹₂½<≥±+°'’()\n\u00a0\u202f", max_size=12),
        st.sampled_from(
            "mg kg/j de à entre et un une deux vingt pour cent stade type article page SA h min "
            "SpO2 CD4 IL-6 mm3 µg UI G/L sur fois par jour moins plus dès jusqu’à tiers".split()
        ),
    ),
    max_size=14,
)


@settings(max_examples=2500, deadline=None)
@given(_PIECES.map(" ".join) | _PIECES.map("".join))
def test_every_digit_lies_in_one_quantity_or_in_a_fixed_name(text: str) -> None:
    found = find_quantities(text)
    last = 0
    for quantity in found:
        assert last <= quantity.start < quantity.end <= len(text)
        assert quantity.text == text[quantity.start : quantity.end]
        last = quantity.end
    for index, char in enumerate(text):
        if char.isdecimal() and not any(q.start <= index < q.end for q in found):
            assert is_fixed_name(text, index, index + 1), (text, index, found)
