"""Reads code tables: CIS → ATC, names of ATC codes, CIM-10; one source a code or category."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ancremed_desktop.domain.documents import (
    CorpusItem,
    Passage,
    Refusal,
    Source,
    SourceDocument,
    Tally,
    passage_urn,
)
from ancremed_desktop.domain.events import CancelToken, Progress, ProgressCallback
from ancremed_desktop.domain.identifiers import Code, PassageKind, Silo
from ancremed_desktop.errors import BadFileError, reason_of
from ancremed_desktop.text.dates import date_in_name, figures
from ancremed_desktop.text.normalise import nfc

SECTION = "classification"
_STAGE = "Lecture des tables de codes"
_MAX_BYTES = 128 * 1024 * 1024
_CIS_ATC = ("Code CIS", "Code ATC", "Libellé ATC")
_CIM10 = ("code", "type", "ssr", "psy", "short", "long")
_ATC = re.compile(r"[A-Z]\d{2}(?:[A-Z](?:[A-Z](?:\d{2})?)?)?")
_CIS = re.compile(r"\d{8}")
_WITHDRAWN = re.compile(r"\*{3} SU\d+ \*{3}")
"""How the ATIH marks a code withdrawn in a year."""
_SHOWN_DRUGS = 40
_CODES_A_PASSAGE = 40
_SOURCE = {
    "atc": ("OMS (ATC), table du dépôt betagouv/infomedicament", "MIT (table) ; ATC : OMS"),
    "cim10": ("ATIH – CIM-10 à usage PMSI (table d’edsnlp)", "BSD-3 (table) ; CIM-10 : OMS, ATIH"),
}


@dataclass(slots=True, kw_only=True)
class _Atc:
    """An ATC code with its label, the names in use and the drugs filed under it."""

    label: str = ""
    names: list[str] = field(default_factory=list)
    drugs: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    name: str
    date: str
    sha256: str
    text: str


def read_terminologies(
    folder: Path, progress: ProgressCallback, cancel: CancelToken
) -> Iterator[CorpusItem]:
    """One source an ATC code, one a CIM-10 category (three characters) with its subdivisions.

    Files are known by their content: a CSV « Code CIS, Code ATC, Libellé ATC », a JSON object
    of ATC codes with their names, a CSV of CIM-10 (``code,type,ssr,psy,short,long``); each may be
    compressed (``.gz``). Others are refused by name.
    Raises: BadFileError when the folder is absent or holds no such table; Cancelled.
    """
    atc: dict[str, _Atc] = {}
    atc_file: _File | None = None
    found = False
    for done, path in enumerate(_paths(folder)):
        cancel.raise_if_cancelled()
        progress(Progress(stage=_STAGE, done=done, detail=path.name))
        try:
            file = _open(path)
            if path.name.removesuffix(".gz").endswith(".json"):
                yield _take_names(file, atc)
                continue
            rows = list(csv.reader(io.StringIO(file.text)))
            header = tuple(rows[0]) if rows else ()
            if header == _CIS_ATC:
                atc_file = file
                yield from _take_drugs(rows[1:], file, atc)
            elif header == _CIM10:
                found = True
                yield from _cim10(rows[1:], file)
            else:
                raise BadFileError("la première ligne n’est celle d’aucune table connue")
        except (BadFileError, csv.Error) as error:
            reason = str(error)
            yield Refusal(file_name=path.name, where="fichier entier", reason=reason, lines=0)
    if atc_file is None and not found:
        raise BadFileError(f"« {folder} » ne contient aucune table de codes lisible.")
    if atc_file is not None:
        yield from (_atc_document(code, entry, atc_file) for code, entry in atc.items())
    progress(Progress(stage=_STAGE, done=1, total=1))


def _paths(folder: Path) -> list[Path]:
    if folder.is_file():
        return [folder]
    if not folder.is_dir():
        raise BadFileError(f"Le dossier « {folder} » n’existe pas : vérifiez son nom.")
    names = (".csv", ".csv.gz", ".json", ".json.gz")
    return sorted(p for p in folder.rglob("*") if p.is_file() and p.name.endswith(names))


def _open(path: Path) -> _File:
    try:
        if path.suffix == ".gz":
            with gzip.open(path) as stream:
                content = stream.read(_MAX_BYTES + 1)
        else:
            content = path.read_bytes()
        text = nfc(content.decode("utf-8-sig"))
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise BadFileError(
            f"le fichier est illisible ou n’est pas en UTF-8 ({reason_of(error)})"
        ) from error
    if len(content) > _MAX_BYTES:
        raise BadFileError("le fichier dépasse 128 Mo")
    return _File(
        name=path.name,
        date=date_in_name(path.name),
        sha256=hashlib.sha256(content).hexdigest(),
        text=text,
    )


def _take_names(file: _File, atc: dict[str, _Atc]) -> CorpusItem:
    try:
        table = json.loads(file.text)
    except (ValueError, RecursionError) as error:
        raise BadFileError(f"ce n’est pas du JSON lisible ({reason_of(error)})") from error
    if not isinstance(table, Mapping) or not any(map(_ATC.fullmatch, map(str, table))):
        raise BadFileError("ce n’est pas un objet de codes ATC")
    kept = 0
    for code, names in table.items():
        is_list = isinstance(names, Sequence) and not isinstance(names, str)
        if is_list and _ATC.fullmatch(str(code)):
            atc.setdefault(str(code), _Atc()).names += [str(n) for n in names]
            kept += 1
    ignored = len(table) - kept
    return Tally(
        file_name=file.name,
        unit="code",
        read=len(table),
        kept=kept,
        ignored=ignored,
        notes=(("codes ATC mal formés", ignored),) if ignored else (),
    )


def _take_drugs(
    rows: Sequence[Sequence[str]], file: _File, atc: dict[str, _Atc]
) -> Iterator[CorpusItem]:
    kept = 0
    for number, row in enumerate(rows, start=2):
        whole = len(row) == len(_CIS_ATC)
        if not whole or not _CIS.fullmatch(row[0]) or not _ATC.fullmatch(row[1]):
            reason = "CIS ou code ATC mal formé"
            yield Refusal(file_name=file.name, where=f"ligne {number}", reason=reason)
            continue
        entry = atc.setdefault(row[1], _Atc())
        entry.label = entry.label or row[2].strip()
        entry.drugs.append(row[0])
        kept += 1
    read = len(rows)
    yield Tally(file_name=file.name, unit="ligne", read=read, kept=kept, refused=read - kept)


def _atc_document(code: str, entry: _Atc, file: _File) -> SourceDocument:
    label = entry.label or next((n for n in entry.names if not n.isupper()), "")
    names = ", ".join(dict.fromkeys(entry.names))
    lines = [f"Code ATC {code}\u00a0: {label}." if label else f"Code ATC {code}."]
    if entry.drugs:
        shown = ", ".join(entry.drugs[:_SHOWN_DRUGS])
        more = len(entry.drugs) - _SHOWN_DRUGS
        rest = f" et {more} autres" if more > 0 else ""
        lines.append(
            f"Spécialités classées sous {code} (table du {figures(file.date)}), codes CIS\u00a0: "
            f"{shown}{rest}."
        )
    if names:
        lines.append(f"Noms rattachés à {code}\u00a0: {names}.")
    return _document(
        "atc",
        f"ATC-{code}",
        f"Classification ATC\u00a0: {code}" + (f" {label}" if label else ""),
        ["\n".join(lines)],
        file,
        ((Code.ATC, code),),
    )


def _cim10(rows: Sequence[Sequence[str]], file: _File) -> Iterator[CorpusItem]:
    categories: dict[str, list[tuple[str, str]]] = {}
    refused = withdrawn = 0
    for number, row in enumerate(rows, start=2):
        if len(row) != len(_CIM10) or not row[0] or not row[5]:
            refused += 1
            reason = "code ou libellé absent"
            yield Refusal(file_name=file.name, where=f"ligne {number}", reason=reason)
            continue
        if _WITHDRAWN.match(row[5]):
            withdrawn += 1
            continue
        categories.setdefault(row[0][:3], []).append((row[0], row[5]))
    for category, codes in categories.items():
        title = dict(codes).get(category, codes[0][1])
        lines = [f"{_dotted(code)} – {label}." for code, label in codes]
        texts = [
            "\n".join(lines[start : start + _CODES_A_PASSAGE])
            for start in range(0, len(lines), _CODES_A_PASSAGE)
        ]
        yield _document(
            "cim10",
            f"CIM10-{category}",
            f"CIM-10\u00a0: {category} {title}",
            texts,
            file,
            tuple((Code.CIM10, code) for code, _label in codes),
        )
    read = len(rows)
    yield Tally(
        file_name=file.name,
        unit="code",
        read=read,
        kept=read - refused - withdrawn,
        refused=refused,
        ignored=withdrawn,
        notes=(("codes supprimés par l’ATIH", withdrawn),) if withdrawn else (),
    )


def _dotted(code: str) -> str:
    return f"{code[:3]}.{code[3:]}" if len(code) > 3 else code


def _document(
    table: str,
    identifier: str,
    title: str,
    texts: Sequence[str],
    file: _File,
    codes: tuple[tuple[Code, str], ...],
) -> SourceDocument:
    publisher, licence = _SOURCE[table]
    silo = Silo.BDPM if table == "atc" else Silo.EDN
    source = Source(
        key=f"{table}:{identifier}",
        silo=silo,
        title=title,
        source_identifier=identifier,
        publisher=publisher,
        licence=licence,
        regulatory_date=file.date,
        file_name=file.name,
        file_sha256=file.sha256,
        codes=codes,
    )
    passages = tuple(
        Passage(
            urn=passage_urn(silo, identifier, str(number)),
            source_key=source.key,
            silo=silo,
            origin_title=title,
            source_identifier=identifier,
            text=text,
            regulatory_date=file.date,
            chunk_index=number,
            section=SECTION,
            heading=title,
            kind=PassageKind.RECORD,
        )
        for number, text in enumerate(texts)
    )
    return SourceDocument(source=source, passages=passages)
