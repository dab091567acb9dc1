"""How a value, a result and a whole calculation are worded: one way for window, text and page."""

from __future__ import annotations

from decimal import Decimal

from ancremed_desktop.domain.formulas import InputValue, Output, Value
from ancremed_desktop.formulas.french import number, quantity
from ancremed_desktop.formulas.model import Variable
from ancremed_desktop.formulas.render import date_text
from ancremed_desktop.text.french import NBSP

_SEX = {"H": "homme", "F": "femme"}
"""How the bank's keys for sex are read."""


def value_words(value: Value, unit: str, decimals: int | None = None) -> str:
    """« 68 kg », « oui », « 10/03/2025 »."""
    if isinstance(value, bool):
        return "oui" if value else "non"
    if isinstance(value, Decimal):
        return quantity(value, unit, decimals)
    return date_text(value)


def output_words(output: Output) -> str:
    """A result, rounded for reading, with its unit."""
    return value_words(output.value, output.unit, output.decimals)


def input_words(item: InputValue) -> str:
    """A value as entered, then in the bank's unit when that is another one."""
    if item.id == "sexe" and isinstance(item.value, str) and item.value in _SEX:
        return _SEX[item.value]
    shown = value_words(item.value, item.unit)
    if item.canonical is not None and item.canonical_unit not in {"", item.unit}:
        shown += f" = {value_words(item.canonical, item.canonical_unit)}"
    return shown


def levels_text(variable: Variable) -> str:
    """« 0 normale ; 1 partielle »: what each value of a graded item means."""
    return f"{NBSP}; ".join(f"{number(level.value)} {level.label}" for level in variable.levels)
