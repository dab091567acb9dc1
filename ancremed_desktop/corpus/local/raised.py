"""Raised and lowered text as Unicode: « 10<sup>4</sup> » is « 10⁴ », never « 104 »."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import chain

_RANGES = ((0xAA, 0xBB), (0x2B0, 0x2B9), (0x1D2C, 0x1DC0), (0x2070, 0x209D), (0x2C7C, 0x2C7E))
"""Where Unicode 15 keeps its raised and lowered characters."""
_KEPT = "*†‡§#°®™©ªº"
"""Marks that mean the same raised or not."""
_ORDINAL = re.compile(r"(?:ers?|res?|ères?|i?[eè]mes?|es?|nde?s?|o)")
_BEFORE_ORDINAL = re.compile(r"(?:\d|\b[IVXLC]+|\b[nN])$")
_BEFORE_TITLE = re.compile(r"\b(?:M|D|P|S)$")
_TITLE = re.compile(r"(?:mes?|lles?|rs?|t|te)")
_CALL = re.compile(r"\[[^\]]{1,8}\]")


def _forms(kind: str) -> dict[str, str]:
    """The raised (``<super>``) or lowered (``<sub>``) form of each character that has one."""
    forms: dict[str, str] = {}
    codes: Iterable[int] = chain.from_iterable(range(*ends) for ends in _RANGES)
    for char in map(chr, codes):
        name, _, base = unicodedata.decomposition(char).partition(" ")
        if name == kind and " " not in base:
            forms.setdefault(chr(int(base, 16)), char)
    minus = forms["\u2212"]
    return forms | dict.fromkeys("-–‐‑", minus)


_HIGH = _forms("<super>")
_LOW = _forms("<sub>")


def shifted(text: str, before: str, *, low: bool) -> str | None:
    """``text`` raised (lowered if ``low``) in Unicode; None: one of its characters has no such form.

    What is raised for style alone (« 1er », « Mme », after the text ``before``) stays as it is,
    and so does a note call in brackets.
    """
    bare = text.strip()
    if not bare or _CALL.fullmatch(bare):
        return text
    if not low and (
        (_ORDINAL.fullmatch(bare) and _BEFORE_ORDINAL.search(before))
        or (_TITLE.fullmatch(bare) and _BEFORE_TITLE.search(before))
    ):
        return text
    forms = _LOW if low else _HIGH
    made = []
    for char in text:
        if char.isspace() or char in _KEPT or char in forms.values():
            made.append(char)
        elif char in forms:
            made.append(forms[char])
        else:
            return None
    return "".join(made)
