"""Numbers of French clinical text with their units, as values that compare exactly."""

from __future__ import annotations

from functools import lru_cache

from ancremed_desktop.text.fixed_names import is_fixed_name
from ancremed_desktop.text.quantity import Quantity, equal, holds, same_value
from ancremed_desktop.text.quantity_reader import QuantityReader
from ancremed_desktop.text.quantity_render import render

__all__ = ["Quantity", "equal", "find_quantities", "holds", "is_fixed_name", "render", "same_value"]


@lru_cache(maxsize=4096)
def find_quantities(text: str) -> tuple[Quantity, ...]:
    """Every quantity of ``text`` (NFC), in order, not overlapping.

    Each digit lies in one quantity or in a fixed name; a comparator in words belongs to its
    quantity's range. « un », « une » count only before a unit, « type 2 » is a quantity of
    dimension 'type' (and a fixed name for connecting text).
    """
    return QuantityReader(text).read()
