"""What the file forms are read into: headings, paragraphs, list items and table rows in order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from ancremed_desktop.corpus.rcp.sections import notice_section
from ancremed_desktop.text.normalise import fold, nfc

BULLET = "•"
"""The « · » of the Symbol font, which shows as a bullet."""
NESTED = "◦"


class PieceKind(StrEnum):
    """``DATE`` holds the date of the text, ``ROW`` one row of a table with its headings."""

    HEADING = "titre"
    PARAGRAPH = "paragraphe"
    ITEM = "élément de liste"
    ROW = "ligne de tableau"
    DATE = "date"


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """``level`` of a heading: 1 chapter, 2 section, 3 and 4 within it. ``anchor``: its name."""

    kind: PieceKind
    text: str
    level: int = 0
    anchor: str = ""


@dataclass(slots=True, kw_only=True)
class LeafletText:
    """One document as read. ``cis``: its code, empty when the file does not say it."""

    pieces: list[Piece] = field(default_factory=list)
    cis: str = ""


_SPACES = re.compile(r"[\s\u00a0]+")
_LEADERS = re.compile(r"\s*\.{4,}\s*")
_DATE = re.compile(r"(\d{2})/(\d{2})/(\d{4})")
_LEAD = re.compile(r"^[·•]?\s*(o\s+(?=\S))?")
"""« o » is the hollow bullet of an item within an item."""
_MAX_HEADING = 120
_VALUE = re.compile(r"^[<>≤≥]?\s*\d")


def plain(text: str) -> str:
    """NFC, one space between words."""
    return _SPACES.sub(" ", nfc(text)).strip()


def composition_line(text: str) -> str:
    """A line of a composition with its dot leaders as « : »."""
    return _LEADERS.sub("\u00a0: ", plain(text))


def item(text: str) -> Piece:
    """A list item, its bullet written one way, hollow where it stands within another item."""
    whole = plain(text)
    lead = _LEAD.match(whole)
    bullet = NESTED if lead and lead[1] else BULLET
    return Piece(kind=PieceKind.ITEM, text=f"{bullet} {whole[lead.end() if lead else 0 :]}")


def is_heading(text: str) -> bool:
    """Whether a paragraph all in bold or underlined is a heading rather than a warning.

    What ends with a colon introduces the list below and stays with it, but for the fixed parts of
    a notice (« Ne prenez jamais… : »).
    """
    if not text or len(text) > _MAX_HEADING or text.endswith((".", ",", ";")):
        return False
    return not text.endswith(":") or bool(notice_section(text))


def iso_date(text: str) -> str:
    """``2017-09-21`` of « Mis à jour le : 21/09/2017 », empty when there is no date."""
    found = _DATE.search(text)
    return f"{found[3]}-{found[2]}-{found[1]}" if found else ""


def table_rows(grid: Sequence[Sequence[str]], header_rows: int) -> Iterator[Piece]:
    """Rows of a table, each cell behind the heading of its column.

    ``grid``: rows of equal length, spanned cells repeated. A table without headings or of one
    column comes as its cells.
    """
    width = max((len(row) for row in grid), default=0)
    body = grid[header_rows:]
    headed = 0 < header_rows < len(grid) and width > 1
    headings = [_column_heading(grid[:header_rows], column) for column in range(width)]
    context = ""
    for row in body if headed else grid:
        cells = list(dict.fromkeys(c for c in row if c))
        if not cells:
            continue
        if headed and len(cells) == 1 and width > 1 and all(row):
            context = cells[0]  # one cell over the whole width names the rows below
            continue
        if not headed:
            yield Piece(kind=PieceKind.ROW, text=" | ".join(cells))
            continue
        pairs = [
            f"{heading}\u00a0: {cell}" if heading else cell
            for heading, cell in zip(headings, row, strict=True)
            if cell
        ]
        lead = f"{context} – " if context else ""
        yield Piece(kind=PieceKind.ROW, text=lead + "\u00a0; ".join(pairs))


def _column_heading(rows: Sequence[Sequence[str]], column: int) -> str:
    return " – ".join(dict.fromkeys(row[column] for row in rows if row[column]))


def looks_like_headings(row: Sequence[str]) -> bool:
    """Whether a first row names columns: different words, no value; the first may be empty."""
    cells = [c for c in row if c]
    whole = len(cells) == len(row) or (not row[0] and len(cells) == len(row) - 1)
    return (
        whole
        and len(row) > 1
        and len(set(cells)) == len(cells)
        and not any(_VALUE.search(fold(c)) for c in cells)
    )
