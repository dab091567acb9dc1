"""Draws one page of a PDF with the quoted words located on it; runs on the worker thread."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ancremed_desktop.errors import BadFileError
from ancremed_desktop.text.french import NBSP, count

if TYPE_CHECKING:
    import pymupdf

WIDEST_PX = 4_000
_MOST_PIXELS = 40_000_000
_FIRST_WORDS = 6
"""A sentence the page sets differently is found by its first words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRequest:
    """A page from 1, drawn ``width_px`` wide (at most ``WIDEST_PX``); ``quoted`` is marked."""

    path: Path
    number: int
    width_px: int
    quoted: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageImage:
    """RGB pixels, ``stride`` bytes a line. ``marks``: x, y, width, height in pixels."""

    request: PageRequest
    pages: int
    width: int
    height: int
    stride: int
    pixels: bytes
    marks: tuple[tuple[float, float, float, float], ...]


def render_page(request: PageRequest) -> PageImage:
    """Draw a page.

    Raises: BadFileError, in French, when the file or the page cannot be read.
    """
    # Loading MuPDF costs a tenth of a second that a start without a page must not pay.
    import pymupdf

    refused = f"Impossible de montrer la page {request.number} de {request.path.name}{NBSP}: "
    if not request.path.is_file():
        raise BadFileError(f"{refused}le fichier n’est plus à sa place.")
    try:
        with pymupdf.open(request.path) as document:
            if document.needs_pass:
                raise BadFileError(f"{refused}le fichier est protégé par un mot de passe.")
            if not 1 <= request.number <= document.page_count:
                raise BadFileError(f"{refused}le fichier a {count(document.page_count, 'page')}.")
            page = document[request.number - 1]
            width, height = float(page.rect.width), float(page.rect.height)
            zoom = min(request.width_px, WIDEST_PX) / max(width, 1.0)
            zoom = min(zoom, (_MOST_PIXELS / max(width * height, 1.0)) ** 0.5)
            drawn = page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), alpha=False)
            marks = tuple(
                (r.x0 * zoom, r.y0 * zoom, r.width * zoom, r.height * zoom)
                for r in _found(page, request.quoted)
            )
            return PageImage(
                request=request,
                pages=int(document.page_count),
                width=int(drawn.width),
                height=int(drawn.height),
                stride=int(drawn.stride),
                pixels=bytes(drawn.samples),
                marks=marks,
            )
    except (RuntimeError, ValueError) as error:
        raise BadFileError(f"{refused}le fichier n’est pas un PDF lisible.") from error


def _found(page: pymupdf.Page, quoted: str) -> list[pymupdf.Rect]:
    """Where the quote stands, by its whole text, else by its first words."""
    words = quoted.split()
    if not words:
        return []
    whole = page.search_for(" ".join(words))
    return list(whole or page.search_for(" ".join(words[:_FIRST_WORDS])))
