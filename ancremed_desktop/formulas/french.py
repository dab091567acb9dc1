"""Numbers and punctuation as French prints them (decimal comma, no-break spaces)."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction

NBSP = "\u00a0"
_PRECISION = 40
_WIDE, _KEPT = Context(prec=_PRECISION), Context(prec=28)
_BEFORE = re.compile(r"(?<=\S) (?=[;:?!»%])")
_AFTER = re.compile(r"(?<=«) ")
_OPERATOR = re.compile(r"(?<=[<>≤≥≈]) (?=\d)")


def typographic(text: str) -> str:
    """Put the no-break spaces French wants before ``; : ? ! » %``, after ``«`` and ``≥``."""
    text = _BEFORE.sub(NBSP, text.replace("'", "’").strip())
    return _OPERATOR.sub(NBSP, _AFTER.sub(NBSP, text))


def plain(text: str) -> str:
    """Undo the no-break spaces, for machine-readable output."""
    return text.replace(NBSP, " ")


def to_decimal(value: Fraction | Decimal) -> Decimal:
    """The exact decimal where there is one, else 28 significant digits."""
    if isinstance(value, Decimal):
        return value
    wide = _WIDE.divide(Decimal(value.numerator), Decimal(value.denominator))
    return _KEPT.normalize(wide) if wide else Decimal(0)


def round_half_up(value: Fraction | Decimal, decimals: int) -> Decimal:
    """Nearest decimal; a tie goes away from zero, as taught in French schools."""
    step = Decimal(1).scaleb(-decimals)
    return to_decimal(value).quantize(step, rounding=ROUND_HALF_UP, context=_WIDE)


def number(value: Fraction | Decimal, decimals: int | None = None) -> str:
    """``1 234,5``; without ``decimals``: exact when short, else four significant digits more."""
    exact = to_decimal(value)
    exact = _shortened(exact) if decimals is None else round_half_up(exact, decimals)
    if exact == 0:
        exact = abs(exact)
    sign = "−" if exact < 0 else ""
    whole, _, digits = f"{abs(exact):f}".partition(".")
    if decimals is None:
        digits = digits.rstrip("0")
    if len(whole) > 3:
        whole = f"{int(whole):,}".replace(",", NBSP)
    return f"{sign}{whole},{digits}" if digits else f"{sign}{whole}"


def _shortened(value: Decimal) -> Decimal:
    digits, exponent = value.as_tuple().digits, value.as_tuple().exponent
    if isinstance(exponent, int) and exponent >= -4 and len(digits) <= 12:
        return value
    leading = value.adjusted()
    return round_half_up(value, 4 if leading >= -1 else 3 - leading)


def quantity(value: Fraction | Decimal, unit: str, decimals: int | None = None) -> str:
    """A number and its unit, joined by a no-break space."""
    shown = number(value, decimals)
    return f"{shown}{NBSP}{unit}" if unit else shown


def points_text(points: Fraction) -> str:
    """« 1 point », « 2 points », « 1,5 point »: French makes the plural from two."""
    return f"{number(points)}{NBSP}{'point' if abs(points) < 2 else 'points'}"


def list_of(words: tuple[str, ...], last: str = "et") -> str:
    """``a, b et c``."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
