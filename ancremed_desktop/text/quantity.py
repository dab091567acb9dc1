"""The value of a number in a text, and when two such values are the same."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

COMPARATORS = ("", "<", "<=", ">", ">=", "≈")


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A number with all that gives it its value; ``text`` is the source's ``[start:end]``.

    ``low``, ``high``: ends of a range in ``unit``, the canonical unit of ``dimension``; equal for
    a single number, whatever its comparator; both ``None`` when the writing has no certain value
    (« 10.000 », a code, a name): it is then equal to the same writing only.
    ``dimension``: '' pure number, 'mass', 'volume', 'time' (hours), 'calendar' (months),
    'percent', 'UI', 'pressure', 'mass/mass' (mg/kg), 'mass/volume', 'frequency' (times per...),
    'interval' (every...), 'ratio' (135/85, ``low`` over ``high``), 'factor' (double, divided by),
    'gestation' (days of amenorrhoea), 'stage', 'type', 'ordinal', 'date' (yyyymmdd, 0 unknown),
    'reference' (article, page), 'name' (letters and digits), 'count' (comprimés, prises)...
    ``per``: denominators in order, ('kg', 'jour'), volumes as 'L'.
    ``unit`` holds the folded writing itself where there is no certain value.
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


def equal(a: Quantity, b: Quantity) -> bool:
    """Whether both say exactly the same: bounds, comparator, dimension, unit, denominators.

    Beyond identity, a pure number between 0 and 1 equals its percentage (0,1 = 10 % = un
    dixième) and « divisé par deux » equals a half. Nothing is approximated.
    """
    return a.comparator == b.comparator and same_value(a, b)


def same_value(a: Quantity, b: Quantity) -> bool:
    """``equal`` with the comparators left aside, for callers that judge bounds themselves."""
    if (a.low is None and a.high is None) or (b.low is None and b.high is None):
        return (a.low, a.high, a.dimension, a.unit, a.per) == (
            b.low, b.high, b.dimension, b.unit, b.per,
        )  # fmt: skip
    return _value(a) == _value(b)


def _value(
    q: Quantity,
) -> tuple[Fraction | None, Fraction | None, str, str, tuple[str, ...]]:
    low, high, dimension, unit = q.low, q.high, q.dimension, q.unit
    bounds = [b for b in (low, high) if b is not None]
    if dimension == "" and not q.per and all(0 < b < 1 for b in bounds):
        dimension, unit = "percent", "%"
        low, high = (None if b is None else b * 100 for b in (low, high))
    elif dimension == "factor" and low == high == Fraction(1, 2):
        dimension, unit, low, high = "percent", "%", Fraction(50), Fraction(50)
    return low, high, dimension, unit, tuple(sorted(q.per))


def holds(source: Iterable[Quantity], wanted: Quantity) -> bool:
    """Whether the quantities of a source, in order, hold the value of ``wanted``.

    Comparators are left aside. Besides an equal value, « 25 mg/j » is held by « 25 mg une fois
    par jour » (the amount and, next to it, once a day); the reverse adds a fact: not held.
    """
    last: Quantity | None = None
    for quantity in source:
        if same_value(quantity, wanted):
            return True
        once = (
            last is not None
            and quantity.dimension == "frequency"
            and quantity.low == quantity.high == 1
            and 0 < len(quantity.per) == 1
            and quantity.start - last.end <= 3
        )
        if once and last is not None and _with_per(last, quantity.per[0], wanted):
            return True
        last = quantity
    return False


def _with_per(amount: Quantity, per: str, wanted: Quantity) -> bool:
    if per not in wanted.per or per in amount.per:
        return False
    rest = list(wanted.per)
    rest.remove(per)
    kinds = amount.dimension.split("/")[0], wanted.dimension.split("/")[0]
    same = (amount.low, amount.high, amount.unit) == (wanted.low, wanted.high, wanted.unit)
    return same and kinds[0] == kinds[1] and sorted(amount.per) == sorted(rest)
