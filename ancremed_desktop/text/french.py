"""Spaces and apostrophes as French prints them: for our own words, never for those of a source."""

from __future__ import annotations

import re

NBSP = "\u00a0"
_BEFORE = re.compile(r"(?<=\S) (?=[;:?!»%])")
_AFTER = re.compile(r"(?<=«) ")
_OPERATOR = re.compile(r"(?<=[<>≤≥≈]) (?=\d)")
_APOSTROPHE = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_])")


def no_break(text: str) -> str:
    """``text`` with no-break spaces before ``; : ? ! » %`` and after ``«`` and ``≥``."""
    return _OPERATOR.sub(NBSP, _AFTER.sub(NBSP, _BEFORE.sub(NBSP, text)))


def curly(text: str) -> str:
    """``text`` with typographic apostrophes inside words."""
    return _APOSTROPHE.sub("’", text) if "'" in text else text


def plain(text: str) -> str:
    """Undo the no-break spaces, for machine-readable output."""
    return text.replace(NBSP, " ")
