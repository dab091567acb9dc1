"""Spaces, apostrophes, plurals and dates as French prints them: for our own words, never a source's."""

from __future__ import annotations

import re

NBSP = "\u00a0"
_THIN = "\u202f"
_BEFORE = re.compile(r"(?<=\S) (?=[;:?!»%])")
_AFTER = re.compile(r"(?<=«) ")
_OPERATOR = re.compile(r"(?<=[<>≤≥≈]) (?=\d)")
_APOSTROPHE = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_])")

_MONTHS = (
    "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre",
    "octobre", "novembre", "décembre",
)  # fmt: skip


def no_break(text: str) -> str:
    """``text`` with no-break spaces before ``; : ? ! » %`` and after ``«`` and ``≥``."""
    return _OPERATOR.sub(NBSP, _AFTER.sub(NBSP, _BEFORE.sub(NBSP, text)))


def curly(text: str) -> str:
    """``text`` with typographic apostrophes inside words."""
    return _APOSTROPHE.sub("’", text) if "'" in text else text


def plain(text: str) -> str:
    """Undo the no-break spaces, for machine-readable output."""
    return text.replace(NBSP, " ")


def grouped(number: int) -> str:
    """Thousands apart by a narrow no-break space."""
    return f"{number:,}".replace(",", _THIN)


def plural(number: int, singular: str, several: str = "") -> str:
    """The word that goes with a number; zero takes the singular, as French does."""
    return singular if abs(number) < 2 else several or f"{singular}s"


def count(number: int, singular: str, several: str = "") -> str:
    """« 1 source », « 1 234 sources », « 0 source »."""
    return f"{grouped(number)}{NBSP}{plural(number, singular, several)}"


def french_date(iso: str) -> str:
    """``2024-08-30`` → « 30 août 2024 »; ``2024-08`` → « août 2024 »; others as they are."""
    parts = iso.split("T", maxsplit=1)[0].split("-")
    if not all(part.isdigit() for part in parts) or len(parts) not in {2, 3}:
        return iso
    month = int(parts[1])
    if not 1 <= month <= len(_MONTHS):
        return iso
    words = [_MONTHS[month - 1], parts[0]]
    if len(parts) == 3:
        day = int(parts[2])
        words.insert(0, "1er" if day == 1 else str(day))
    return NBSP.join(words)
