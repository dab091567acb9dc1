"""Reads DOCX with python-docx: paragraphs, headings by style or outline, tables."""

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
from docx.table import Table
from docx.text.paragraph import Paragraph
from lxml import etree

from ancremed_desktop.corpus.local.model import Piece
from ancremed_desktop.corpus.local.plain_text import heading_level
from ancremed_desktop.corpus.local.table import table_pieces
from ancremed_desktop.corpus.local.wording import tidy
from ancremed_desktop.corpus.pdf.page_text import PageRefusal
from ancremed_desktop.errors import BadFileError
from ancremed_desktop.text.articles import at_articles

_HEADING = re.compile(r"(?:heading|titre) ?([1-9])$", re.IGNORECASE)
_TITLE_STYLES = frozenset({"title", "titre"})
_CONTENTS = re.compile(r"(?:toc|tm|table des mati[eè]res)\b", re.IGNORECASE)
_REVISED = ("w:ins", "w:del", "w:moveFrom", "w:moveTo")
_NOT_READ = (
    ("w:txbxContent", "zones de texte"),
    ("w:footnoteReference", "notes de bas de page"),
    ("w:endnoteReference", "notes de fin"),
)
_MAX_UNPACKED_BYTES = 300 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class DocxText:
    """``title`` and ``date`` (ISO) as the file's properties say, empty when they do not."""

    title: str
    date: str
    pieces: tuple[Piece | PageRefusal, ...]


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
    pieces: list[Piece | PageRefusal] = list(_blocks(body, document))
    for tag, what in _NOT_READ:
        number = sum(1 for _ in body.iter(qn(tag)))
        if number:
            reason = f"{what} du document ({number}) : elles ne sont pas lues"
            pieces.append(PageRefusal(number=0, reason=reason, whole=False, part=what))
    return DocxText(
        title=tidy(properties.title or ""),
        date=changed.date().isoformat() if changed else "",
        pieces=tuple(pieces),
    )


def _opened(path: Path) -> Document:
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(member.file_size for member in archive.infolist()) > _MAX_UNPACKED_BYTES:
                raise BadFileError("fichier trop gros une fois décompressé")
        return docx.Document(str(path))
    except (
        zipfile.BadZipFile, OpcError, KeyError, ValueError, OSError, etree.LxmlError
    ) as error:  # fmt: skip
        raise BadFileError(f"document DOCX illisible ou endommagé ({error})") from error


def _blocks(parent: etree._Element, document: Document) -> Iterator[Piece | PageRefusal]:
    for child in parent:
        if child.tag == qn("w:p"):
            yield from _paragraph(Paragraph(child, document))
        elif child.tag == qn("w:tbl"):
            yield from _table(Table(child, document))
        elif child.tag == qn("w:sdt"):  # a form field around blocks
            for content in child.iter(qn("w:sdtContent")):
                yield from _blocks(content, document)
                break


def _paragraph(paragraph: Paragraph) -> Iterator[Piece]:
    text = _text(paragraph._p)
    style = (paragraph.style.name if paragraph.style else "") or ""
    if not text or _CONTENTS.match(style):
        return
    level = _level(paragraph, style) or heading_level(text)
    if level:
        yield Piece(text=text, level=level)
        return
    numbered = paragraph._p.pPr is not None and paragraph._p.pPr.numPr is not None
    item = numbered or style.lower().startswith(("list", "liste"))
    for piece in at_articles(text):
        yield Piece(text=piece, item=item)


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


def _text(element: etree._Element) -> str:
    """Text of a paragraph with its links and fields; text boxes are apart."""
    parts: list[str] = []
    for node in element.iter(qn("w:t"), qn("w:tab"), qn("w:br"), qn("w:cr"), qn("w:noBreakHyphen")):
        if any(a.tag == qn("w:txbxContent") for a in node.iterancestors()):
            continue
        if node.tag == qn("w:t"):
            parts.append(node.text or "")
        elif node.tag == qn("w:noBreakHyphen"):
            parts.append("-")
        elif node.getparent().tag == qn("w:r"):  # a tab stop in the settings is no text
            parts.append(" ")
    return tidy("".join(parts))


def _table(table: Table) -> Iterator[Piece | PageRefusal]:
    rows = [
        [" ".join(filter(None, map(_text, cell._tc.iter(qn("w:p"))))) for cell in row.cells]
        for row in table.rows
    ]
    if len(rows) == 1:
        yield from table_pieces(rows, ())
    elif rows:
        yield from table_pieces(rows[1:], rows[0])
