"""Text of a corpus made safe to show: same length, nothing hidden, nothing interpreted."""

from __future__ import annotations

import re

REPLACEMENT = "\ufffd"
_UNSAFE = re.compile(
    "["
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff"
    # Bidirectional controls (UAX #9) turn a dose or a negation round on screen.
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
    # These carry a structure of their own in a QTextDocument.
    "\ufdd0-\ufdef\ufeff\ufffc"
    "]"
)
_BREAKABLE = re.compile(r"(?<=\d) (?=\d{3}(?!\d))|(?<=\S) (?=[;:?!»%])|(?<=«) (?=\S)")
"""Spaces where a line must not end: inside a number, before French double punctuation."""


def display_text(text: str) -> str:
    """``text`` with each character that could mislead replaced by U+FFFD, one for one.

    Offsets into ``text`` stay true of the result. Line feed and tab are kept; a space inside a
    number or before double punctuation does not break the line.
    """
    safe = _UNSAFE.sub(REPLACEMENT, text.replace("\r", " "))
    return _BREAKABLE.sub("\u00a0", safe)


def utf16_offset(text: str, offset: int) -> int:
    """Position in a Qt string (UTF-16 units) of a character offset of ``text``."""
    return offset + sum(1 for character in text[:offset] if ord(character) > 0xFFFF)
