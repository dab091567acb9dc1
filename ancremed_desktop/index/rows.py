"""Rows of the index file ↔ domain types, one pair of functions a type."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Protocol

import apsw

from ancremed_desktop.domain.documents import Passage, Refusal, Source, Tally
from ancremed_desktop.domain.identifiers import PassageKind, Silo, SourceStatus

SqlValue = str | int | float | bytes | None

SOURCE_COLUMNS = (
    "s.key, s.silo, s.title, s.source_identifier, e.publisher, e.licence, e.regulatory_date, "
    "url.label, e.file_name, e.file_sha256, e.page_count, e.status, s.superseded, "
    "s.superseded_by, s.names, details.label"
)
SOURCES = (
    "sources s JOIN editions e ON e.number = s.edition JOIN labels url ON url.number = s.url "
    "JOIN labels details ON details.number = s.details"
)
"""What ``SOURCE_COLUMNS`` are of."""
PASSAGE_COLUMNS = (
    "d.rowid, d.id, s.key, d.category_silo, d.origin_title, d.source_identifier, "
    "d.text_content, d.regulatory_date, d.superseded, d.page_number, p.page_label, "
    "d.chunk_index, p.char_start, section.label, heading.label, kind.label, p.sha256"
)
PASSAGES = (
    "documents d JOIN passages p ON p.row = d.rowid LEFT JOIN sources s ON s.number = p.source "
    "LEFT JOIN labels section ON section.number = p.section "
    "LEFT JOIN labels heading ON heading.number = p.heading "
    "LEFT JOIN labels kind ON kind.number = p.kind"
)
"""What ``PASSAGE_COLUMNS`` are of."""
_PAGE = 9
_IDENTIFIER = "\x1f"
"""Stands for the identifier of a source in its URL, so that thousands share one."""

_SILOS = (Silo.FORMULAS, Silo.FICHES, Silo.EDN, Silo.HAS, Silo.BDPM, Silo.LOCAL)
_SILO_SHIFT = 32
SUPERSEDED_BAND = 1 << 40
"""Added to the rowid of a superseded passage."""


def blob_of(value: SqlValue) -> bytes:
    """A value that must be a blob. Raises: ValueError."""
    if not isinstance(value, bytes):
        raise ValueError("no blob")
    return value


class FormulaRow(Protocol):
    """A row of ``clinical_formulas``, columns of the specification (section 8)."""

    @property
    def id(self) -> str:
        """Primary key."""

    @property
    def name_fr(self) -> str:
        """Name of the formula."""

    @property
    def category(self) -> str:
        """Category it is listed under."""

    @property
    def formula_text(self) -> str:
        """The formula as a person would write it."""

    @property
    def variables_json(self) -> str:
        """Variables with their units, JSON."""

    @property
    def interpretation_text(self) -> str:
        """What the results mean."""

    @property
    def caveats_text(self) -> str:
        """Limits and divergences."""

    @property
    def source_citation(self) -> str:
        """Where it comes from."""

    @property
    def verified_by(self) -> str:
        """Who checked it."""

    @property
    def verified_date(self) -> str:
        """When, ISO."""


def formula_row(formula: FormulaRow) -> tuple[SqlValue, ...]:
    """Values of ``clinical_formulas`` in order of creation."""
    return (
        formula.id,
        formula.name_fr,
        formula.category,
        formula.formula_text,
        formula.variables_json,
        formula.interpretation_text,
        formula.caveats_text,
        formula.source_citation,
        formula.verified_by,
        formula.verified_date,
    )


def silo_of_row(rowid: int) -> Silo | None:
    """The silo whose range a rowid lies in; ``None`` for a row we did not number."""
    position = (rowid % SUPERSEDED_BAND) >> _SILO_SHIFT
    return _SILOS[position] if position < len(_SILOS) else None


def row_range(silos: tuple[Silo, ...], *, with_superseded: bool) -> tuple[int, int]:
    """Smallest rowid range (inclusive) that holds the silos (none: all).

    Each silo has its own range, to which FTS5 limits itself at no cost.
    """
    wanted = sorted(_SILOS.index(s) for s in silos) or [0, len(_SILOS) - 1]
    first = wanted[0] << _SILO_SHIFT
    last = ((wanted[-1] + 1) << _SILO_SHIFT) - 1
    return first, last + SUPERSEDED_BAND if with_superseded else last


def edition_row(source: Source, build_id: str) -> tuple[SqlValue, ...]:
    """Values of ``editions`` after the number, in order of creation."""
    return (
        source.publisher,
        source.licence,
        source.regulatory_date,
        source.file_name,
        source.file_sha256,
        source.page_count,
        source.status.value,
        build_id,
    )


def source_row(
    source: Source, edition: int, first: int, last: int, number_of: Callable[[str], int]
) -> tuple[SqlValue, ...]:
    """Values of ``sources`` after the number, in order of creation; ``number_of`` a label."""
    url = source.url
    if source.source_identifier:
        url = url.replace(source.source_identifier, _IDENTIFIER)
    return (
        source.key,
        source.silo.value,
        source.title,
        source.source_identifier,
        number_of(url),
        edition,
        int(source.superseded),
        source.superseded_by,
        json.dumps(source.names, ensure_ascii=False),
        number_of(json.dumps(source.details, ensure_ascii=False)),
        first,
        last,
    )


def source_of(row: tuple[SqlValue, ...]) -> Source:
    """A source from a row in the order of ``SOURCE_COLUMNS``.

    Raises: ValueError or KeyError when the row was written by someone else.
    """
    text = [str(value) for value in row]
    return Source(
        key=text[0],
        silo=Silo(text[1]),
        title=text[2],
        source_identifier=text[3],
        publisher=text[4],
        licence=text[5],
        regulatory_date=text[6],
        url=text[7].replace(_IDENTIFIER, text[3]),
        file_name=text[8],
        file_sha256=text[9],
        page_count=int(text[10]),
        status=SourceStatus(text[11]),
        superseded=text[12] != "0",
        superseded_by=text[13],
        names=tuple(json.loads(text[14])),
        details=tuple((label, value) for label, value in json.loads(text[15])),
    )


def document_row(rowid: int, passage: Passage) -> tuple[SqlValue, ...]:
    """Values of ``documents`` with the rowid first, in the order of the specification."""
    return (
        rowid,
        passage.urn,
        passage.origin_title,
        passage.silo.value,
        passage.source_identifier,
        passage.regulatory_date,
        int(passage.superseded),
        passage.page_number,
        passage.chunk_index,
        passage.text,
    )


def passage_row(
    rowid: int, source: int, number_of: Callable[[str], int], passage: Passage
) -> tuple[SqlValue, ...]:
    """Values of ``passages`` in order of creation; ``number_of`` a label."""
    return (
        rowid,
        source,
        number_of(passage.section),
        number_of(passage.heading),
        number_of(passage.kind.value),
        passage.page_label,
        passage.char_start,
        passage.sha256,
    )


def passage_of(row: tuple[SqlValue, ...]) -> Passage:
    """A passage from a row in the order of ``PASSAGE_COLUMNS``; the hash is not checked here.

    Raises: ValueError when a value is not one we write.
    """
    page = row[_PAGE]
    if None in (*row[:_PAGE], *row[_PAGE + 1 :]):
        raise ValueError(f"row {row[0]!r} lacks a value")
    return Passage(
        urn=str(row[1]),
        source_key=str(row[2]),
        silo=Silo(str(row[3])),
        origin_title=str(row[4]),
        source_identifier=str(row[5]),
        text=str(row[6]),
        regulatory_date=str(row[7]),
        superseded=bool(row[8]),
        page_number=None if page is None else int(page),
        page_label=str(row[10]),
        chunk_index=int(str(row[11])),
        char_start=int(str(row[12])),
        section=str(row[13]),
        heading=str(row[14]),
        kind=PassageKind(str(row[15])),
    )


def report_row(part: str, entry: Tally | Refusal) -> tuple[SqlValue, ...]:
    """Values of ``ingest_report`` in order of creation."""
    if isinstance(entry, Refusal):
        file, place, reason = entry.file_name, entry.where, entry.reason
        return (part, "refusal", file, place, reason, "", entry.lines, 0, entry.lines, 0, "[]")
    return (
        part,
        "tally",
        entry.file_name,
        "",
        "",
        entry.unit,
        entry.read,
        entry.kept,
        entry.refused,
        entry.ignored,
        json.dumps(entry.notes, ensure_ascii=False),
    )


def read_report(connection: apsw.Connection) -> tuple[tuple[str, Tally | Refusal], ...]:
    """Every tally and refusal of ``ingest_report`` with its part, in order."""
    found = connection.execute("SELECT * FROM ingest_report ORDER BY rowid").fetchall()
    return tuple((str(row[0]), _report_entry(row)) for row in found)


def _report_entry(row: tuple[SqlValue, ...]) -> Tally | Refusal:
    text = [str(value) for value in row]
    if text[1] == "refusal":
        return Refusal(file_name=text[2], where=text[3], reason=text[4], lines=int(text[6]))
    return Tally(
        file_name=text[2],
        unit=text[5],
        read=int(text[6]),
        kept=int(text[7]),
        refused=int(text[8]),
        ignored=int(text[9]),
        notes=tuple((label, count) for label, count in json.loads(text[10])),
    )
