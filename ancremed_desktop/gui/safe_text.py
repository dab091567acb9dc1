"""Text of a corpus made safe to show: same length, nothing hidden, nothing interpreted."""

from __future__ import annotations

import re
import unicodedata

REPLACEMENT = "\ufffd"
_KEPT = frozenset("\n\t")
_UNSAFE_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})
_UNSAFE = frozenset(
    # Bidirectional controls (UAX #9) turn a dose or a negation round on screen; U+FDD0 to FDEF
    # and U+FFFC carry a structure of their own in a QTextDocument.
    (
        *range(0x202A, 0x202F),
        *range(0x2066, 0x206A),
        *range(0xFDD0, 0xFDF0),
        *(0x200E, 0x200F, 0x061C, 0xFFFC, 0xFEFF),
    )
)


_BREAKABLE = re.compile(r"(?<=\d) (?=\d{3}(?!\d))|(?<=\S) (?=[;:?!»%])|(?<=«) (?=\S)")
"""Spaces where a line must not end: inside a number, before French double punctuation."""


def display_text(text: str) -> str:
    """``text`` with each character that could mislead replaced by U+FFFD, one for one.

    Offsets into ``text`` stay true of the result. Line feed and tab are kept; a space inside a
    number or before double punctuation does not break the line.
    """
    safe = "".join(_shown(character) for character in text)
    return _BREAKABLE.sub("\u00a0", safe)


def _shown(character: str) -> str:
    if character in _KEPT or "\u0020" <= character <= "\u007e":
        return character
    if character == "\r":
        return " "
    if ord(character) in _UNSAFE or unicodedata.category(character) in _UNSAFE_CATEGORIES:
        return REPLACEMENT
    return character


def utf16_offset(text: str, offset: int) -> int:
    """Position in a Qt string (UTF-16 units) of a character offset of ``text``."""
    return offset + sum(1 for character in text[:offset] if ord(character) > 0xFFFF)
