"""A quantity as the forms of ``value_forms`` look at it: its plain number, the words beside it."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from functools import lru_cache

from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.quantities import Quantity


def bare(quantity: Quantity) -> Quantity:
    """The quantity without its comparator, as the plain number it is built on."""
    return _bare(quantity) if quantity.comparator else quantity


@lru_cache(maxsize=16384)
def _bare(quantity: Quantity) -> Quantity:
    low = quantity.high if quantity.low is None else quantity.low
    high = quantity.low if quantity.high is None else quantity.high
    return dataclasses.replace(quantity, comparator="", low=low, high=high)


def before(quantity: Quantity, text: str, size: int) -> str:
    """Folded characters before a quantity, at most ``size``."""
    return fold(text[max(0, quantity.start - size) : quantity.start])


def after(quantity: Quantity, text: str, size: int) -> str:
    """Folded characters after a quantity, at most ``size``."""
    return fold(text[quantity.end : quantity.end + size])


def single(quantity: Quantity) -> Fraction | None:
    """The one number of a quantity in its canonical unit, whatever bounds it; None for a range."""
    plain = bare(quantity)
    return plain.low if plain.low == plain.high else None
