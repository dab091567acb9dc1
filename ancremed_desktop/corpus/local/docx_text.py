"""Reads DOCX with python-docx: paragraphs, headings by style or outline, lists, tables."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import docx
from docx.document import Document
from docx.opc.exceptions import OpcError
from docx.oxml.ns import qn
from docx.table import Table, _Cell
from docx.text.paragraph import Paragraph
from lxml import etree

from ancremed_desktop.corpus.local.docx_runs import RunReader, Words
from ancremed_desktop.corpus.local.model import BOLD_LEVEL, Piece
from ancremed_desktop.corpus.local.plain_text import heading_level, joined
from ancremed_desktop.corpus.local.table import Cell, cell_text, table_pieces
from ancremed_desktop.corpus.local.withheld import withheld
from ancremed_desktop.corpus.local.wording import tidy
from ancremed_desktop.corpus.omitted import HIDDEN
from ancremed_desktop.corpus.pdf.page_text import PageRefusal
from ancremed_desktop.errors import BadFileError, reason_of
from ancremed_desktop.text.announcing import is_title
from ancremed_desktop.text.articles import at_articles
from ancremed_desktop.text.list_marks import Nesting, is_item, mark_class

_HEADING = re.compile(r"(?:heading|titre) ?([1-9])$", re.IGNORECASE)
_TITLE_STYLES = frozenset({"title", "titre"})
_CONTENTS = re.compile(r"(?:toc|tm|table des mati[eè]res)\b", re.IGNORECASE)
_REVISED = ("w:ins", "w:del", "w:moveFrom", "w:moveTo", "w:cellIns", "w:cellDel", "w:cellMerge")
_NOT_READ = (("w:txbxContent", "zones de texte"),)
_LIST = re.compile(r"list(?:e)? (?:bullet|number|à puces|à numéros)(?: ([2-9]))?", re.IGNORECASE)
_WITHIN_LIST = re.compile(r"list(?:e)? (?:paragraph|continue)|paragraphe de liste", re.IGNORECASE)
_BULLET = "•"
_TWIPS_A_LEVEL = 360
"""A quarter of an inch: how much Word moves a level of list to the right at least."""
_MAX_UNPACKED_BYTES = 300 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class DocxText:
    """``title`` and ``date`` (ISO) as the file's properties say, empty when they do not.

    ``margins``: paragraphs of its headers and footers, which are no part of its text.
    A title that the text does not show is none: templates leave theirs (« Word Document »).
    """

    title: str
    date: str
    pieces: tuple[Piece | PageRefusal, ...]
    margins: tuple[str, ...] = ()


def read_docx(path: Path) -> DocxText:
    """A DOCX file. Raises: BadFileError when it is not one, or holds pending revisions."""
    document = _opened(path)
    body = document.element.body
    if any(next(body.iter(qn(tag)), None) is not None for tag in _REVISED):
        raise BadFileError(
            "le document contient des modifications suivies ; acceptez-les ou refusez-les dans "
            "le traitement de texte, enregistrez, puis importez de nouveau"
        )
    properties = document.core_properties
    changed = properties.modified or properties.created
    pieces: list[Piece | PageRefusal] = list(_Body(document).blocks(body))
    for tag, what in _NOT_READ:
        number = sum(1 for _ in body.iter(qn(tag)))
        if number:
            reason = f"{what} du document ({number}) : elles ne sont pas lues"
            pieces.append(PageRefusal(number=0, reason=reason, whole=False, part=what))
    typed = tidy(properties.title or "")
    text = "".join(_letters(piece.text) for piece in pieces if isinstance(piece, Piece))
    return DocxText(
        title=typed if _letters(typed) in text else "",
        date=changed.date().isoformat() if changed else "",
        pieces=tuple(pieces),
        margins=tuple(_margins(document)),
    )


def _margins(document: Document) -> Iterator[str]:
    for section in document.sections:
        margins = (section.header, section.footer, section.first_page_header,
                   section.first_page_footer)  # fmt: skip
        for margin in margins:
            if not margin.is_linked_to_previous:
                for paragraph in margin._element.iter(qn("w:p")):
                    yield "".join(node.text or "" for node in paragraph.iter(qn("w:t")))


def _opened(path: Path) -> Document:
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(member.file_size for member in archive.infolist()) > _MAX_UNPACKED_BYTES:
                raise BadFileError("fichier trop gros une fois décompressé")
        return docx.Document(str(path))
    except (
        zipfile.BadZipFile, OpcError, KeyError, ValueError, OSError, etree.LxmlError
    ) as error:  # fmt: skip
        raise BadFileError(f"document DOCX illisible ou endommagé ({reason_of(error)})") from error


class _Body:
    """Reads blocks in order, and how deep in a list each stands."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._runs = RunReader(document)
        self._nesting = Nesting()

    def blocks(self, parent: etree._Element) -> Iterator[Piece | PageRefusal]:
        for child in parent:
            if child.tag == qn("w:p"):
                yield from self._paragraph(Paragraph(child, self._document))
            elif child.tag == qn("w:tbl"):
                yield from self._table(Table(child, self._document))
            elif child.tag == qn("w:sdt"):  # a form field around blocks
                for content in child.iter(qn("w:sdtContent")):
                    yield from self.blocks(content)
                    break

    def _paragraph(self, paragraph: Paragraph) -> Iterator[Piece | PageRefusal]:
        words = self._runs.words(paragraph._p)
        lines = words.lines
        style = (paragraph.style.name if paragraph.style else "") or ""
        if not lines or _CONTENTS.match(style):
            return
        text = " ".join(lines)
        level = _level(paragraph, style) or heading_level(text)
        if not level and words.bold and is_title(text):
            level = BOLD_LEVEL
        if level:
            self._nesting = Nesting()
            yield from _heading(words, text, level)
            return
        mark, indent = self._place(paragraph, style, text)
        if words.why:
            yield from withheld(f"{mark}{text}", words.why, indent=indent)
            return
        for number, piece in enumerate(p for line in joined(lines) for p in at_articles(line)):
            yield Piece(text=piece if number else f"{mark}{piece}", indent=indent)

    def _place(self, paragraph: Paragraph, style: str, text: str) -> tuple[str, int]:
        """(mark to set before an item, levels of list around it) of a paragraph."""
        listed = _LIST.match(style)
        found = _numbering(paragraph)
        if found is not None or listed:
            level = max(found or 0, int((listed and listed[1]) or 1) - 1)
            depth = self._nesting.depth(level * _TWIPS_A_LEVEL, _BULLET)
            return ("" if is_item(text) else f"{_BULLET} "), depth
        margin = int((paragraph.paragraph_format.left_indent or 0) / 635)  # EMU in a twip
        if is_item(text):
            return "", self._nesting.depth(margin, mark_class(text))
        within = self._nesting.under(margin)
        if not within and _WITHIN_LIST.match(style):
            within = self._nesting.under(_TWIPS_A_LEVEL)
        if not within:
            self._nesting = Nesting()
        return "", within

    def _table(self, table: Table) -> Iterator[Piece | PageRefusal]:
        rows = [[self._cell(cell) for cell in row.cells] for row in table.rows]
        headed = len(rows) > 1 and self._names_columns(table, rows[0])
        yield from table_pieces(rows[headed:], rows[0] if headed else ())

    def _names_columns(self, table: Table, first: list[Cell]) -> bool:
        """Whether a first row is marked as the headings, bold, or styled so and without figures.

        Word marks the first row of every table as special until one says otherwise.
        """
        row = table.rows[0]
        if next(row._tr.iter(qn("w:tblHeader")), None) is not None:
            return True
        read = [self._runs.words(p) for p in row._tr.iter(qn("w:p"))]
        if all(words.bold for words in read if words.lines):
            return True
        look = table._tbl.tblPr.find(qn("w:tblLook"))
        styled = look is None or look.get(qn("w:firstRow"), "1") != "0"
        return styled and not any(map(str.isdigit, "".join(cell.text for cell in first)))

    def _cell(self, cell: _Cell) -> Cell:
        """A cell; of a table within it each row is one line, « Âge > 75 ans : 2 mg »."""
        read = list(self._lines(cell._tc))
        text = cell_text([line for line, _why in read])
        row = cell._tc.getparent()
        shut = row is not None and (
            row.find(f"{qn('w:trPr')}/{qn('w:hidden')}") is not None
            or self._runs.places.hides_table(row.getparent())
        )
        return Cell(
            text=text, why=next((why for _line, why in read if why), HIDDEN if shut else "")
        )

    def _lines(self, parent: etree._Element) -> Iterator[tuple[str, str]]:
        """(line, why it cannot be taken) of what a cell holds, in order."""
        for child in parent:
            if child.tag == qn("w:p"):
                words = self._runs.words(child)
                yield from ((line, words.why) for line in words.lines)
            elif child.tag == qn("w:tbl"):
                for row in Table(child, self._document).rows:
                    inner = [self._cell(cell) for cell in dict.fromkeys(row.cells)]
                    why = next((cell.why for cell in inner if cell.why), "")
                    yield " : ".join(cell.text for cell in inner if cell.text), why
            elif child.tag in {qn("w:sdt"), qn("w:sdtContent")}:  # a form field around blocks
                yield from self._lines(child)


def _heading(words: Words, text: str, level: int) -> Iterator[Piece | PageRefusal]:
    if not words.why:
        yield Piece(text=text, level=level)
        return
    stand_in, refusal = withheld(text, words.why)
    yield Piece(text=stand_in.text, level=level)
    yield refusal


def _numbering(paragraph: Paragraph) -> int | None:
    """Level in a numbered or bulleted list, from 0, by the paragraph or its style; None: none."""
    elements = [paragraph._p.pPr]
    style = paragraph.style
    while style is not None:
        elements.append(style.element.find(qn("w:pPr")))
        style = style.base_style
    for properties in elements:
        found = None if properties is None else properties.find(qn("w:numPr"))
        if found is None:
            continue
        number, level = found.find(qn("w:numId")), found.find(qn("w:ilvl"))
        if number is not None and number.get(qn("w:val")) == "0":
            return None  # taken out of the list of its style
        value = "0" if level is None else level.get(qn("w:val"), "0")
        return int(value) if value.isdecimal() else 0
    return None


def _level(paragraph: Paragraph, style: str) -> int:
    """Depth of a heading by its style or by the outline level it or its style sets, else 0."""
    if style.lower() in _TITLE_STYLES:
        return 1
    found = _HEADING.match(style)
    if found:
        return int(found[1]) + 1
    elements = [paragraph._p, paragraph.style.element if paragraph.style else None]
    for element in elements:
        outline = (
            element.find(f"{qn('w:pPr')}/{qn('w:outlineLvl')}") if element is not None else None
        )
        if outline is not None and (value := outline.get(qn("w:val"), "9")).isdecimal():
            return int(value) + 2 if int(value) < 9 else 0
    return 0


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
