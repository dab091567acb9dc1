"""Numbers of French clinical text with their units, as values that compare exactly."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """``text`` is ``source[start:end]``; see the module reader for the dimensions.

    ``low``, ``high``: bounds in the canonical unit of ``dimension``; equal for a plain number,
    both ``None`` when the writing is ambiguous (« 10.000 »): then equal only to the same writing.
    ``comparator``: '' < <= > >= ≈. ``per``: ('kg', 'jour'), sorted.
    """

    start: int
    end: int
    low: Fraction | None
    high: Fraction | None
    comparator: str = ""
    dimension: str = ""
    unit: str = ""
    per: tuple[str, ...] = ()
    text: str = ""


_NUM = re.compile(r"\d{1,3}(?:[ \u00a0\u202f\u2009]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)?")
_FIXED = re.compile(
    r"(?<![A-Za-z])(?:SpO|SaO|PaO|PaCO|FiO|HbA|B|CHA|CD|H\d+N|COVID-|P2Y|FEV|type )[0-9₀-₉]+"
)


def find_quantities(text: str) -> tuple[Quantity, ...]:
    """Every number of ``text``, in order, not overlapping."""
    found = []
    for m in _NUM.finditer(text):
        if not is_fixed_name(text, m.start(), m.end()):
            value = Fraction(re.sub(r"[^\d.,]", "", m.group()).replace(",", "."))
            found.append(
                Quantity(start=m.start(), end=m.end(), low=value, high=value, text=m.group())
            )
    return tuple(found)


def equal(a: Quantity, b: Quantity) -> bool:
    """Whether two quantities say exactly the same."""
    return (a.low, a.high, a.comparator, a.dimension, a.per) == (
        b.low, b.high, b.comparator, b.dimension, b.per,
    )  # fmt: skip


def is_fixed_name(text: str, start: int, end: int) -> bool:
    """Whether ``text[start:end]`` lies in a fixed name (SpO2, HbA1c, type 2)."""
    return any(m.start() <= start and end <= m.end() for m in _FIXED.finditer(text))
