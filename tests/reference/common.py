"""What the second implementations share: exact inputs, typed outputs, two helpers.

The modules of this folder were written WITHOUT SIGHT of the bank (resources/formulas, its
evaluator and the earlier references): from the primary papers named in each docstring, knowing
only the bank's identifiers, labels and units. Inputs are exact (`Fraction`, in the unit the bank
lists first), so that a value on a threshold is on it; outputs carry the bank's output ids, `total`
for a sum of points.
"""

import math
from datetime import date
from fractions import Fraction
from typing import TypeAlias

Value: TypeAlias = Fraction | float | int | bool | str | date
Outputs: TypeAlias = dict[str, Value]

CREATININE_UMOL_PER_MG_DL = Fraction("88.4")
BILIRUBIN_UMOL_PER_MG_DL = Fraction("17.1")


def half_up(value: float) -> int:
    """Return the nearest integer, halves going up (the rounding clinical scores mean)."""
    return math.floor(value + 0.5)


def clamp(value: Fraction, low: Fraction, high: Fraction) -> Fraction:
    """Return `value` brought back between `low` and `high`."""
    return max(low, min(high, value))


def steps(value: Fraction, *bounds: Fraction | int) -> int:
    """Return how many of the ascending `bounds` the value reaches (value >= bound)."""
    return sum(value >= bound for bound in bounds)
