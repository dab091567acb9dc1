"""Codes as questions write them: CIS, CIP, ATC, CIM-10, EDN items."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ancremed_desktop.domain.identifiers import Code

_EAN_WEIGHTS = (1, 3) * 6
_PATTERNS = (
    (re.compile(r"(?<![\w.])(34009\d{8})(?![\w])"), Code.CIP, "drug"),
    (re.compile(r"(?i:\bcip ?7?)\s*:?\s*(\d{7})(?!\w)"), Code.CIP, "drug"),
    (re.compile(r"(?:(?i:\bcis)\s*:?\s*)?(?<![\w.])(\d{8})(?!\w|[.,]\d)"), Code.CIS, "drug"),
    (re.compile(r"(?<![\w-])([A-Z]\d{2}[A-Z]{2}\d{2})(?![\w-])"), Code.ATC, "class"),
    (re.compile(r"(?i:\batc)\s*:?\s*([A-Za-z]\d{2}(?:[A-Za-z](?:[A-Za-z](?:\d{2})?)?)?)(?!\w)"),
     Code.ATC, "class"),
    (re.compile(r"(?i:\bcim[- ]?10)\s*:?\s*([A-Za-z]\d{2}(?:\.?[\dA-Za-z+]{1,3})?)(?!\w)"),
     Code.CIM10, "title"),
    (re.compile(r"(?<![\w-])([A-Z]\d{2}\.\d{1,2})(?![\w-])"), Code.CIM10, "title"),
    (re.compile(r"^\s*([A-Z]\d{2}\d{0,2})\s*\??\s*$"), Code.CIM10, "title"),
    (re.compile(r"(?i:\bitems? (?:n° ?|edn |ecn )?)(\d{1,3})(?!\w)"), Code.ITEM, "title"),
)  # fmt: skip
"""How a text writes each code, and the kind of name it is; the first that matches wins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeMatch:
    """A code a text writes, ``text[start:end]`` with the word that announces it, if any."""

    start: int
    end: int
    code: Code
    value: str
    kind: str
    announced: bool


def read_codes(text: str) -> tuple[CodeMatch, ...]:
    """Codes in a text, in the order of ``_PATTERNS``, never overlapping.

    A CIP7 is read as the CIP13 it is part of, a CIM-10 code without its dot.
    """
    found: list[CodeMatch] = []
    for pattern, code, kind in _PATTERNS:
        for match in pattern.finditer(text):
            if any(match.start() < m.end and m.start < match.end() for m in found):
                continue
            found.append(
                CodeMatch(
                    start=match.start(),
                    end=match.end(),
                    code=code,
                    value=_canonical(code, match[1]),
                    kind=kind,
                    announced=match.start(1) > match.start(),
                )
            )
    return tuple(found)


def _canonical(code: Code, value: str) -> str:
    if code is Code.CIP and len(value) == 7:
        body = f"34009{value}"
        total = sum(int(d) * w for d, w in zip(body, _EAN_WEIGHTS, strict=True))
        return f"{body}{-total % 10}"  # the key of an EAN-13
    if code is Code.CIM10:
        return value.replace(".", "")
    return str(int(value)) if code is Code.ITEM else value
