"""Names and messages as one can safely show them: on one line, every character seen."""

from __future__ import annotations

import unicodedata

from ancremed_desktop.text.normalise import BIDI

_HIDDEN = frozenset({"Cc", "Cs", "Zl", "Zp"})
_UNDECODED = range(0xDC80, 0xDD00)
"""How Python keeps bytes of a name that are no UTF-8 (PEP 383)."""


def visible(text: str) -> str:
    r"""``text`` with control, bidirectional and undecoded characters as ``\x1b``.

    A file name may hold line ends and the orders of a terminal; shown raw, it could write lines
    of its own or hide others.
    """
    if text.isprintable():
        return text
    return "".join(_spelt(char) if _is_hidden(char) else char for char in text)


def is_storable(text: str) -> bool:
    """Whether a text can be written as UTF-8: names of files need not be."""
    return not any(unicodedata.category(char) == "Cs" for char in text)


def _is_hidden(char: str) -> bool:
    return char in BIDI or unicodedata.category(char) in _HIDDEN


def _spelt(char: str) -> str:
    code = ord(char)
    if code in _UNDECODED:
        return f"\\x{code & 0xFF:02x}"
    return char.encode("unicode_escape", "surrogatepass").decode("ascii")
