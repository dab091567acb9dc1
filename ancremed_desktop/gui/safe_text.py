"""Text of a corpus made safe to show: same length, nothing hidden, nothing interpreted."""

from __future__ import annotations

import unicodedata

REPLACEMENT = "\ufffd"
_KEPT = frozenset("\n\t")
_UNSAFE_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})
_UNSAFE = frozenset(
    # Bidirectional controls (UAX #9) turn a dose or a negation round on screen; U+FDD0 to FDEF
    # and U+FFFC carry a structure of their own in a QTextDocument.
    [
        *range(0x202A, 0x202F),
        *range(0x2066, 0x206A),
        0x200E,
        0x200F,
        0x061C,
        0xFFFC,
        0xFEFF,
        *range(0xFDD0, 0xFDF0),
    ]
)


def display_text(text: str) -> str:
    """``text`` with each character that could mislead replaced by U+FFFD, one for one.

    Offsets into ``text`` stay true of the result. Line feed and tab are kept.
    """
    return "".join(_shown(character) for character in text)


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
