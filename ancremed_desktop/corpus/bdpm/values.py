"""Reads the numbers and dates of BDPM fields: prices, rates, days, strengths."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal

from ancremed_desktop.text.french import NBSP

_PRICE = re.compile(r"\d{1,3}(?:[, \u00a0]?\d{3})*(?:[,.]\d{1,2})?|\d+(?:[,.]\d{1,2})?")
_RATE = re.compile(r"(\d{1,3})\s*%")
_DAY = re.compile(r"(\d{2})/(\d{2})/(\d{4})")
_COMPACT_DAY = re.compile(r"(\d{4})(\d{2})(\d{2})")
_STRENGTH = re.compile(
    r"(\d+(?:[  ]\d{3})*(?:,\d+)?)\s*(microgrammes?|µg|μg|mg|g|UI|U\.I\.|MUI|mmol|%)(?![\w/])"
)
_UNIT_IN_MG = {"g": Decimal(1000), "mg": Decimal(1), "µg": Decimal("0.001")}


def read_price(field: str) -> Decimal | None:
    """Euros, or ``None`` when the field is no price.

    The comma is both the decimal mark and the thousands mark: ``1,466,29`` is 1466.29.
    """
    if _PRICE.fullmatch(field) is None:
        return None
    whole, mark, cents = re.sub(r"[ \u00a0]", "", field).replace(".", ",").rpartition(",")
    if not mark or len(cents) > 2:
        return Decimal((whole + cents).replace(",", ""))
    return Decimal(f"{whole.replace(',', '')}.{cents}")


def written_price(euros: Decimal) -> str:
    """« 1 466,29 € » with no-break spaces."""
    return f"{euros:,.2f} €".replace(",", NBSP).replace(".", ",").replace(" €", f"{NBSP}€")


def read_rates(field: str) -> tuple[str, ...] | None:
    """Rates as « 65 % » (no-break space), several separated by « ; »; ``None``: unreadable."""
    found: list[str] = []
    for part in field.split(";"):
        rate = _RATE.fullmatch(part.strip())
        if rate is None or int(rate[1]) > 100:
            return None
        found.append(f"{rate[1]}{NBSP}%")
    return tuple(found)


def read_day(field: str) -> str | None:
    """ISO day of ``JJ/MM/AAAA``; ``None`` when it is none."""
    found = _DAY.fullmatch(field)
    return _iso(found[3], found[2], found[1]) if found else None


def read_compact_day(field: str) -> str | None:
    """ISO day of ``AAAAMMJJ``; ``None`` when it is none."""
    found = _COMPACT_DAY.fullmatch(field)
    return _iso(found[1], found[2], found[3]) if found else None


def _iso(year: str, month: str, day: str) -> str | None:
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return None


def strengths(text: str) -> tuple[tuple[str, Decimal, str], ...]:
    """(as written, amount, unit) of the strengths of a text; g, mg and µg are all in mg.

    Concentrations (« 5 mg/ml ») are left out: they are not the content of a unit.
    """
    found: list[tuple[str, Decimal, str]] = []
    for match in _STRENGTH.finditer(text):
        amount = Decimal(re.sub(r"[  ]", "", match[1]).replace(",", "."))
        unit = "µg" if match[2].startswith(("micro", "μ")) else match[2]
        factor = _UNIT_IN_MG.get(unit)
        if factor is not None:
            amount, unit = amount * factor, "mg"
        found.append((match[0], amount.normalize(), unit))
    return tuple(found)
