"""Reads a PDF of the user with the reader that the corpora share."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ancremed_desktop.corpus.local.flow import SEPARATOR, Numbering, make_page
from ancremed_desktop.corpus.local.model import LocalPage, Piece
from ancremed_desktop.corpus.local.wording import tidy
from ancremed_desktop.corpus.pdf.document import body_size, read_pages
from ancremed_desktop.corpus.pdf.furniture import furniture
from ancremed_desktop.corpus.pdf.layout import PdfLayout
from ancremed_desktop.corpus.pdf.line_text import line_text
from ancremed_desktop.corpus.pdf.page_text import PageRefusal, PageText
from ancremed_desktop.corpus.pdf.pdf_pages import read_layout
from ancremed_desktop.domain.identifiers import PassageKind
from ancremed_desktop.text.articles import at_articles, section_label
from ancremed_desktop.text.list_marks import INDENT

_LARGER = 1.3
"""How much larger than its text the title of a document is printed."""
_MAX_TITLE_WORDS = 25
_APART = re.compile(r"\W+")


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfText:
    """``title`` may be empty. ``lines``: of its first two pages and its last, heads included."""

    title: str
    page_count: int
    pages: tuple[LocalPage, ...]
    refusals: tuple[PageRefusal, ...]
    lines: tuple[str, ...]


def read_pdf(path: Path) -> PdfText:
    """A PDF file. Raises: BadFileError."""
    layout = read_layout(path)
    size = body_size(layout.pages)
    title = _title(layout, size)
    pages, refusals = read_pages(layout, furniture(layout.pages, size), title)
    numbering = Numbering()
    dated = {page.number: page for page in (*layout.pages[:2], layout.pages[-1])}
    return PdfText(
        title=title,
        page_count=len(layout.pages),
        pages=tuple(make_page(page.number, page.label, _placed(page), numbering) for page in pages),
        refusals=refusals,
        lines=tuple(line_text(line) for page in dated.values() for line in page.lines),
    )


def _placed(page: PageText) -> list[tuple[Piece, tuple[str, ...]]]:
    placed = []
    for block in page.blocks:
        above = tuple(filter(None, block.heading.split(SEPARATOR)))
        text = page.text[block.start : block.end]
        prose = block.kind is PassageKind.PROSE
        blank = block.start - 1 - page.text.rfind("\n", 0, block.start)
        for part in at_articles(text) if prose else (text,):
            piece = Piece(text=part, kind=block.kind, indent=blank // len(INDENT))
            placed.append((piece, above))
    return placed


def _title(layout: PdfLayout, body: float) -> str:
    """The title its author typed when the first page shows it, else its largest print."""
    lines = layout.pages[0].lines
    shown = _letters(" ".join(map(line_text, lines)))
    typed = tidy(layout.metadata_title)
    if len(_letters(typed)) > 3 and _letters(typed) in shown:
        return typed
    largest = max((line.size for line in lines), default=0.0)
    if largest < _LARGER * body:
        return ""
    found = " ".join(line_text(line) for line in lines if line.size > largest - 0.5)
    is_title = len(found.split()) <= _MAX_TITLE_WORDS and not section_label(found)
    return found if is_title else ""


def _letters(text: str) -> str:
    return _APART.sub("", text.casefold())
