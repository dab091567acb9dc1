"""Numbers as French prints them (decimal comma, no-break spaces)."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction

from ancremed_desktop.text.french import NBSP, no_break

_PRECISION = 40
_WIDE, _KEPT = Context(prec=_PRECISION), Context(prec=28)


def typographic(text: str) -> str:
    """``text`` of the bank as French prints it."""
    return no_break(text.replace("'", "’").strip())


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
