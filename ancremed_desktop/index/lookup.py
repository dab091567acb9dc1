"""Direct look-up: codes carried by sources, over several index files."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ancremed_desktop.domain.identifiers import Code
from ancremed_desktop.index.index_file import IndexFile
from ancremed_desktop.index.names import code_key, code_kind

MAX_VALUES = 200

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
    """A code a text writes, ``text[start:end]`` with the word that announces it."""

    start: int
    end: int
    code: Code
    value: str
    kind: str


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


_BY_CODE = """
SELECT s.key, s.source_identifier, s.superseded
FROM source_names n JOIN sources s ON s.key = n.source_key
WHERE n.name IN (SELECT value FROM json_each(?1)) AND n.kind = ?2
ORDER BY s.superseded, s.key
"""
_CODES_OF = """
SELECT n.name, s.key FROM sources s JOIN source_names n ON n.source_key = s.key
WHERE s.source_identifier = ?1 AND n.kind = ?2 AND n.kind GLOB 'code:*' AND s.superseded = 0
ORDER BY n.name
"""


def by_code(files: Sequence[IndexFile], code: Code, values: Sequence[str]) -> tuple[str, ...]:
    """Identifiers of the sources that carry one of the codes, current ones first, each once.

    Raises: ValueError when there are more than 200 values.
    """
    if len(values) > MAX_VALUES:
        raise ValueError(f"at most {MAX_VALUES} codes at once, not {len(values)}")
    keys = json.dumps([code_key(value) for value in values])
    current: dict[str, None] = {}
    gone: dict[str, None] = {}
    for file in files:
        for key, identifier, superseded in file.query(_BY_CODE, keys, code_kind(code)):
            is_gone = str(superseded) != "0" or str(key) in file.hidden
            (gone if is_gone else current)[str(identifier)] = None
    return tuple({**current, **gone})


def codes_of(files: Sequence[IndexFile], source_identifier: str, code: Code) -> tuple[str, ...]:
    """Codes of a kind that the current sources of an entity carry, folded, sorted."""
    return tuple(
        dict.fromkeys(
            str(name)
            for file in files
            for name, key in file.query(_CODES_OF, source_identifier, code_kind(code))
            if str(key) not in file.hidden
        )
    )
