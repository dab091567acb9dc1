"""Bytes of one BDPM file to clean rows, with every line accounted for.

Each file has its own encoding and line ends, even inside one dump. A line is kept, refused
(with its reason) or ignored (blank, exact duplicate): ``read == kept + refused + ignored``.
"""

from __future__ import annotations

import codecs
import gzip
import hashlib
import re
import unicodedata
import zlib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from ancremed_desktop.corpus.bdpm.clean import LOST, clean_field
from ancremed_desktop.corpus.bdpm.schema import EXTRA_COLUMNS, TableSchema
from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.errors import BadFileError, reason_of

MAX_BYTES = 256 * 1024 * 1024
"""Ten times the largest file ever published; a decompressed file beyond is no BDPM file."""

_UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_CIS = re.compile(r"\d{8}")
_DAMAGED = "\ufffd"
_CANCEL_EVERY = 2000

Row = tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class TableRows:
    """Rows of a file that have the right shape, and what became of every other line.

    ``rows``: cleaned fields, exactly the columns of the schema. ``refused``: reason → line
    numbers from 1. ``notes``: what happened to lines or fields, French label → count.
    """

    rows: list[Row] = field(default_factory=list)
    read: int = 0
    blank: int = 0
    duplicates: int = 0
    refused: dict[str, list[int]] = field(default_factory=dict)
    notes: Counter[str] = field(default_factory=Counter)
    sha256: str = ""
    encoding: str = ""


def read_rows(path: Path, schema: TableSchema, cancel: CancelToken) -> TableRows:
    """Rows of one file.

    Raises: BadFileError when the file cannot be read or holds no text; Cancelled.
    """
    content = _content(path)
    text, encoding = decode(content, path.name)
    result = TableRows(sha256=hashlib.sha256(content).hexdigest(), encoding=encoding)
    lines = _split_lines(text)
    result.read = len(lines)
    seen: set[str] = set()
    for number, line in enumerate(lines, start=1):
        if number % _CANCEL_EVERY == 0:
            cancel.raise_if_cancelled()
        _take_line(line, number, schema, seen, result)
    return result


def decode(content: bytes, name: str) -> tuple[str, str]:
    """(text in NFC, encoding): UTF-8 when the bytes are, else windows-1252.

    A file that is UTF-8 but for a few damaged lines stays UTF-8: those lines hold U+FFFD.
    Raises: BadFileError when the file is empty or binary.
    """
    if not content.strip():
        raise BadFileError(f"Le fichier « {name} » est vide : téléchargez-le de nouveau.")
    if content.startswith(_UTF_16_MARKS):
        raise BadFileError(
            f"Le fichier « {name} » est en UTF-16 : enregistrez-le en UTF-8, ou téléchargez-le "
            "de nouveau."
        )
    if b"\0" in content[:4096]:
        raise BadFileError(
            f"Le fichier « {name} » n’est pas un fichier texte de la BDPM (octets nuls) : "
            "attendu, du texte en UTF-8 ou windows-1252 séparé par des tabulations. "
            "Téléchargez-le de nouveau."
        )
    try:
        return _nfc(content.decode("utf-8-sig")), "utf-8"
    except UnicodeDecodeError:
        pass
    if _mostly_utf8(content):
        return _nfc(content.decode("utf-8-sig", errors="replace")), "utf-8"
    return _nfc(content.decode("cp1252", errors="replace")), "windows-1252"


def _mostly_utf8(content: bytes) -> bool:
    valid = invalid = 0
    for line in content.split(b"\n"):
        if line.isascii():
            continue
        try:
            line.decode("utf-8")
            valid += 1
        except UnicodeDecodeError:
            invalid += 1
    return valid > invalid


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _content(path: Path) -> bytes:
    try:
        if path.suffix.lower() != ".gz":
            content = path.read_bytes()
        else:
            with gzip.open(path) as stream:
                content = stream.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise BadFileError(
            f"Le fichier « {path.name} » ne peut pas être lu ({reason_of(error)}) : "
            "téléchargez-le de nouveau."
        ) from error
    if len(content) > MAX_BYTES:
        raise BadFileError(f"Le fichier « {path.name} » est trop grand pour un fichier BDPM.")
    return content


def _split_lines(text: str) -> list[str]:
    lines = text.split("\n") if "\n" in text else text.split("\r")
    if lines and not lines[-1]:
        lines.pop()
    return lines


def _take_line(
    line: str, number: int, schema: TableSchema, seen: set[str], result: TableRows
) -> None:
    if "\r" in line:
        stripped = line.rstrip("\r")
        if len(line) - len(stripped) > 1 or "\r" in stripped:
            result.notes["lignes avec un retour chariot de trop"] += 1
        line = stripped.replace("\r", " ")
    if not line.strip():
        result.blank += 1
        return
    fields = [clean_field(part) for part in line.split("\t")]
    reason = _shape(fields, schema)
    if reason:
        result.refused.setdefault(reason, []).append(number)
        return
    if line in seen:
        result.duplicates += 1
        return
    seen.add(line)
    if LOST in line:
        _note_lost(line, fields, result)
    result.rows.append(tuple(fields))


def _shape(fields: list[str], schema: TableSchema) -> str:
    """Brings the fields to the columns of the schema; the reason when they cannot be."""
    optional = EXTRA_COLUMNS.get(schema.table, 0)
    most = schema.columns + optional
    while len(fields) > most and not fields[-1]:
        fields.pop()
    if not schema.columns <= len(fields) <= most:
        plural = "s" if len(fields) > 1 else ""
        return f"{len(fields)} colonne{plural} au lieu de {schema.columns}"
    fields.extend([""] * (most - len(fields)))
    if schema.cis_column >= 0 and _CIS.fullmatch(fields[schema.cis_column]) is None:
        return "le code CIS n’a pas 8 chiffres"
    if any(_DAMAGED in part or "\0" in part for part in fields):
        return "des octets ne sont pas du texte (fichier endommagé ou mauvais encodage)"
    return ""


def _note_lost(line: str, fields: list[str], result: TableRows) -> None:
    left = sum(part.count(LOST) for part in fields)
    result.notes["caractères perdus (¿) réparés ou lus comme puces"] += line.count(LOST) - left
    if left:
        result.notes["caractères perdus (¿) gardés tels quels"] += left
