"""A calculation asked, done and shown: typed values in, traced result out."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

Value = Decimal | str | bool
"""A number (in its unit), a choice key or ISO date, or a yes/no criterion."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawInput:
    """A value as given, before any conversion; ``unit`` is as written, empty when none was.

    ``origin`` is carried to ``InputValue.origin`` (« saisi », « lu dans la question »...).
    """

    value: Value
    unit: str = ""
    origin: str = "saisi"


@dataclass(frozen=True, slots=True, kw_only=True)
class InputValue:
    """One variable as understood. ``unit`` is as entered; ``canonical`` is in the bank's unit.

    ``origin``: "saisi", "lu dans la question", "non renseigné, compté 0"...
    """

    id: str
    label: str
    value: Value
    unit: str = ""
    canonical: Value | None = None
    canonical_unit: str = ""
    origin: str = "saisi"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One line of the trace: conversion, substitution, intermediate or point (French)."""

    label: str
    expression: str
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """One result; ``value`` unrounded, ``decimals`` is how it is shown."""

    id: str
    label: str
    value: Decimal | str
    unit: str = ""
    decimals: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CalculationResult:
    """A finished calculation with all that explains it; ``band`` may be empty.

    ``provisional``: French, how far the result can still move with the criteria that were not
    given and counted 0; empty when it cannot. ``band`` then says so if it could change.
    """

    formula_id: str
    name: str
    formula_text: str
    inputs: tuple[InputValue, ...]
    steps: tuple[Step, ...]
    outputs: tuple[Output, ...]
    band: str
    caveats: tuple[str, ...]
    divergences: tuple[str, ...]
    source: str
    verified_by: str
    verified_date: str
    provisional: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingInput:
    """A variable that must be asked for; ``problem`` French (missing, out of range, unit)."""

    id: str
    label: str
    problem: str
    units: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CalculationRequest:
    """A calculation read in a question; complete when ``missing`` is empty."""

    formula_id: str
    name: str
    inputs: tuple[InputValue, ...]
    missing: tuple[MissingInput, ...]
    result: CalculationResult | None = None
