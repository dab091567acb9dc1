"""How a result of the bank is held against a second implementation."""

from datetime import date
from decimal import Decimal

from reference.common import Outputs, Value

from ancremed_desktop.domain.formulas import CalculationResult

TOLERANCE = 1e-9
"""Relative (absolute below 1): the references compute powers and logarithms in floats."""


def _same(found: Decimal | str | None, expected: Value | None) -> bool:
    if found is None or expected is None:
        return False
    if isinstance(expected, date | str):
        return found == str(expected)
    if not isinstance(found, Decimal):
        return False
    return abs(float(found) - float(expected)) <= TOLERANCE * max(1.0, abs(float(expected)))


def differences(result: CalculationResult, expected: Outputs) -> dict[str, str]:
    """Return what differs, by output id; an output that only one of the two gives differs."""
    found = {output.id: output.value for output in result.outputs}
    return {
        name: f"bank {found.get(name)}, reference {expected.get(name)}"
        for name in sorted(set(found) | set(expected))
        if not _same(found.get(name), expected.get(name))
    }
