"""Canonical French writing of a quantity."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ancremed_desktop.text.quantity import Quantity

_NBSP, _THIN = "\u00a0", "\u202f"
# The writing of each canonical unit and, where it reads better, larger or smaller ones.
_SCALES: dict[str, tuple[tuple[str, Fraction], ...]] = {
    "g": (("kg", Fraction(1000)), ("g", Fraction(1)), ("mg", Fraction(1, 1000)),
          ("µg", Fraction(1, 10**6)), ("ng", Fraction(1, 10**9))),
    "L": (("L", Fraction(1)), ("mL", Fraction(1, 1000)), ("µL", Fraction(1, 10**6))),
    "mol": (("mol", Fraction(1)), ("mmol", Fraction(1, 1000)), ("µmol", Fraction(1, 10**6)),
            ("nmol", Fraction(1, 10**9))),
    "Eq": (("Eq", Fraction(1)), ("mEq", Fraction(1, 1000))),
    "m": (("m", Fraction(1)), ("cm", Fraction(1, 100)), ("mm", Fraction(1, 1000))),
    "M": (("mM", Fraction(1, 1000)),),
    "h": (("semaines", Fraction(168)), ("jours", Fraction(24)), ("h", Fraction(1)),
          ("min", Fraction(1, 60)), ("s", Fraction(1, 3600))),
    "mois": (("ans", Fraction(12)), ("mois", Fraction(1))),
}  # fmt: skip
# « 1,5 jour » is written « 36 h »: durations in whole units.
_WHOLE = frozenset({"h", "mois"})
_PLURAL = {"comprime": "comprimés", "gelule": "gélules", "cuilleree": "cuillerées",
           "bouffee": "bouffées", "unidose": "unidoses"}  # fmt: skip
_SIGNS = {"<": "<", "<=": "≤", ">": ">", ">=": "≥", "≈": "environ"}


def number(value: Fraction) -> str:
    """French decimal (« 12 500,25 »), else a vulgar or mixed fraction (« 1/3 », « 2 1/3 »)."""
    sign = "−" if value < 0 else ""
    value = abs(value)
    if not _is_decimal(value):
        whole, rest = divmod(value, 1)
        part = f"{rest.numerator}/{rest.denominator}"
        return f"{sign}{int(whole)} {part}" if whole else f"{sign}{part}"
    digits = 0
    while (value * 10**digits).denominator != 1:
        digits += 1
    shifted = str(int(value * 10**digits)).rjust(digits + 1, "0")
    whole_part = shifted[: len(shifted) - digits]
    grouped = _grouped(whole_part)
    return sign + (f"{grouped},{shifted[-digits:]}" if digits else grouped)


def _grouped(whole: str) -> str:
    if len(whole) < 4:
        return whole
    head = len(whole) % 3
    groups = [whole[:head]] if head else []
    groups += [whole[i : i + 3] for i in range(head, len(whole), 3)]
    return _THIN.join(groups)


def _unit(q: Quantity, bounds: tuple[Fraction, ...]) -> tuple[str, Fraction]:
    """Writing and factor of the unit in which all bounds are short."""
    scales = _SCALES.get(q.unit)
    if scales:
        for name, factor in scales:
            scaled = [b / factor for b in bounds]
            exact = all(b.denominator == 1 for b in scaled) and any(scaled)
            short = min(abs(b) for b in scaled) >= 1 and all(map(_is_decimal, scaled))
            if exact or (short and q.unit not in _WHOLE):
                return name, factor
        return next(((n, f) for n, f in scales if f == 1), scales[-1])
    if q.dimension.startswith("gestation"):
        return "SA", Fraction(7)
    return _PLURAL.get(q.unit, q.unit), Fraction(1)


def _per(q: Quantity) -> str:
    return "".join(f"/{p}" for p in q.per)


def _measure(q: Quantity, low: Fraction, high: Fraction) -> str:
    if q.dimension.startswith("gestation"):
        return _weeks(low) if low == high else f"{_weeks(low)} à {_weeks(high)}"
    name, factor = _unit(q, (low, high))
    values = number(low / factor)
    if low != high:
        values += f" à {number(high / factor)}"
    gap = _NBSP if name else ""
    return f"{values}{gap}{name}{_per(q)}"


def _weeks(days: Fraction) -> str:
    weeks, rest = divmod(days, 7)
    return f"{weeks}{_NBSP}SA" + (f" + {number(rest)}{_NBSP}j" if rest else "")


def _ratio(q: Quantity, low: Fraction, high: Fraction) -> str:
    return f"{number(low)}/{number(high)}{_NBSP if q.unit else ''}{q.unit}"


def _frequency(q: Quantity, low: Fraction, high: Fraction) -> str:
    values = number(low) if low == high else f"{number(low)} à {number(high)}"
    return f"{values} fois par {q.per[0]}"


def _interval(q: Quantity, low: Fraction, high: Fraction) -> str:
    return f"toutes les {_measure(q, low, high)}"


def _factor(q: Quantity, low: Fraction, high: Fraction) -> str:
    if q.comparator or low != high:
        less = low < 1 and low.numerator == high.numerator == 1
        bounds = (1 / high, 1 / low) if less else (low, high)
        values = " à ".join(number(b) for b in dict.fromkeys(bounds))
        return f"{values} fois {'moins' if less else 'plus'}"
    if low.numerator == 1 and low.denominator > 1:
        return f"divisé par {number(1 / low)}"
    return f"multiplié par {number(low)}"


def _percent(q: Quantity, low: Fraction, high: Fraction) -> str:
    """Decimal percentages as such, others as « 1 sur 3 » or « 1/6 à 1/3 »."""
    if _is_decimal(low) and _is_decimal(high):
        return _measure(q, low, high)
    parts = low / 100, high / 100
    if low != high:
        return f"{_vulgar(parts[0])} à {_vulgar(parts[1])}"
    return f"{number(Fraction(parts[0].numerator))} sur {number(Fraction(parts[0].denominator))}"


def _vulgar(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


def _is_decimal(value: Fraction) -> bool:
    return 10**60 % value.denominator == 0


def _stage(q: Quantity, low: Fraction, high: Fraction) -> str:
    family, _, suffix = q.unit.partition(" ")
    upper = f" à {number(high)}{suffix}" if low != high else ""
    return f"{family} {number(low)}{suffix}{upper}"


def _ordinal(_q: Quantity, low: Fraction, _high: Fraction) -> str:
    return "1er" if low == 1 else f"{number(low)}e"


def _rank(q: Quantity, low: Fraction, _high: Fraction) -> str:
    return f"{q.unit} {number(low)}"


def _date(_q: Quantity, low: Fraction, high: Fraction) -> str:
    first = _one_date(int(low))
    return first if low == high else f"{first} à {_one_date(int(high))}"


def _one_date(stamp: int) -> str:
    year, month, day = stamp // 10000, stamp // 100 % 100, stamp % 100
    if not month:
        return str(year)
    name = ("janvier février mars avril mai juin juillet août septembre octobre novembre "
            "décembre").split()[month - 1]  # fmt: skip
    return " ".join(p for p in (str(day) if day else "", name, str(year) if year else "") if p)


_WRITERS: dict[str, Callable[[Quantity, Fraction, Fraction], str]] = {
    "ratio": _ratio, "percent": _percent, "frequency": _frequency, "interval": _interval,
    "factor": _factor,
    "stage": _stage, "type": _stage, "ordinal": _ordinal, "rank": _rank, "date": _date,
}  # fmt: skip


def render(quantity: Quantity) -> str:
    """The quantity in French: « ≤ 2,5 mg/kg/jour », « 3 fois par jour », « stade 3B ».

    Reading it back gives the same bounds, comparator, dimension, unit and denominators. A
    quantity without a certain value (name, reference, « 10.000 ») is its own writing.
    """
    low, high = quantity.low, quantity.high
    if low is None or high is None:
        return quantity.text
    body = _WRITERS.get(quantity.dimension, _measure)(quantity, low, high)
    sign = _SIGNS.get(quantity.comparator, "")
    return f"{sign}{_NBSP}{body}" if sign else body
