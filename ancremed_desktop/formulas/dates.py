"""Dates as French writes them, read without guessing the year in silence."""

from __future__ import annotations

import re
from datetime import date

from ancremed_desktop.errors import CalculationError
from ancremed_desktop.text.normalise import fold

_MONTHS = (
    "janvier", "fevrier", "mars", "avril", "mai", "juin", "juillet", "aout", "septembre",
    "octobre", "novembre", "decembre",
)  # fmt: skip
_SHORT = {
    "janv": 1, "jan": 1, "fev": 2, "fevr": 2, "avr": 4, "juil": 7, "sept": 9, "sep": 9,
    "oct": 10, "nov": 11, "dec": 12,
}  # fmt: skip
_MONTH_NUMBER = {name: i for i, name in enumerate(_MONTHS, 1)} | _SHORT
_MONTH = "|".join(sorted(_MONTH_NUMBER, key=len, reverse=True))

_COMPLETE = (
    r"(?<![\d/.,])(?:\d{4}-\d{2}-\d{2}|\d{1,2}[/.]\d{1,2}[/.](?:\d{4}|\d{2})|"
    rf"\d{{1,2}}(?:er)? (?:{_MONTH})\b\.? \d{{4}})(?![\d/])"
)
FULL_DATE = re.compile(_COMPLETE)
"""A date with its year, in folded text."""

DATE = rf"(?:{_COMPLETE}|(?<![\d/.,])\d{{1,2}}(?:/\d{{1,2}}|(?:er)? (?:{_MONTH})\b\.?)(?![\d/]))"
"""A date in folded text; the year may be missing."""

_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_NUMERIC = re.compile(r"(\d{1,2})[/.-](\d{1,2})(?:[/.-](\d{4}|\d{2}))?")
_WORDS = re.compile(rf"(\d{{1,2}})(?:er)? ({_MONTH})\b\.?(?: (\d{{4}}))?")


def parse_date(text: str) -> date:
    """« 2025-03-10 », « 10/03/2025 », « 10 mars 2025 ».

    Raises: CalculationError when it is no date or its year is missing.
    """
    day = read_date(text, None)
    if day is None:
        raise CalculationError(
            f"«\u00a0{text}\u00a0» n’est pas une date complète (exemple\u00a0: 10/03/2025)."
        )
    return day


def read_date(text: str, today: date | None) -> date | None:
    """A date; without its year, the latest such day not after ``today`` (None: no date)."""
    folded = fold(text).strip()
    if found := _ISO.fullmatch(folded):
        year, month, day = (int(part) for part in found.groups())
        return _day(year, month, day)
    if found := _NUMERIC.fullmatch(folded):
        return _dated(int(found[1]), int(found[2]), found[3], today)
    if found := _WORDS.fullmatch(folded):
        return _dated(int(found[1]), _MONTH_NUMBER[found[2]], found[3], today)
    return None


def has_year(text: str) -> bool:
    """Whether a date gives its year."""
    return len(re.findall(r"\d+", text)) + len(re.findall(r"[a-z]{3,}", fold(text))) >= 3


def _dated(day: int, month: int, year: str | None, today: date | None) -> date | None:
    if year is not None:
        return _day(int(year) + (2000 if len(year) == 2 else 0), month, day)
    if today is None:
        return None
    candidate = _day(today.year, month, day)
    if candidate is not None and candidate <= today:
        return candidate
    return _day(today.year - 1, month, day)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
