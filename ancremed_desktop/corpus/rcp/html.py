"""Pages of the public drug database (RCP, notice) and the HTML of single nodes of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import html as lxml_html

from ancremed_desktop.corpus.rcp.pieces import (
    LeafletText,
    Piece,
    PieceKind,
    composition_line,
    is_heading,
    item,
    looks_like_headings,
    plain,
    table_rows,
)
from ancremed_desktop.errors import BadFileError, reason_of

_CIS = re.compile(r"specid=(\d{8})")
_LEVELS = {
    "AmmAnnexeTitre": 1,
    "AmmNoticeTitre1": 1,
    "AmmAnnexeTitre1": 1,
    "AmmAnnexeTitre2": 2,
    "AmmAnnexeTitre3": 3,
    "AmmAnnexeTitre4": 4,
}
_EMPHASIS = {"b", "u", "strong"}
_BOLD = re.compile(r"Gras|\bgras\b|souligne")
_MAX_SPAN = 50
_EXPONENTS = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")


def read_page(content: str) -> LeafletText:
    """A whole page. Raises: BadFileError when it holds no chapter of an RCP or a notice."""
    try:
        root = lxml_html.fromstring(content)
    except (ValueError, lxml_html.etree.ParserError) as error:
        raise BadFileError(f"ce n’est pas une page HTML lisible ({reason_of(error)})") from error
    found = _CIS.search(content)
    _raise_exponents(root)
    body = next(iter(root.xpath("//*[@id='textDocument']")), root)
    pieces = list(_pieces(body))
    if not any(
        p.kind is PieceKind.HEADING and p.anchor.startswith(("Rcp", "Ann3b")) for p in pieces
    ):
        raise BadFileError("la page ne contient aucune rubrique de RCP ni de notice")
    return LeafletText(pieces=pieces, cis=found[1] if found else "")


def table_pieces(markup: str) -> Iterator[Piece]:
    """Rows of one table."""
    element = lxml_html.fromstring(markup)
    _raise_exponents(element)
    yield from _table(element)


def text_of(markup: str) -> str:
    """Text of a fragment, its exponents kept."""
    element = lxml_html.fromstring(markup)
    _raise_exponents(element)
    return plain(element.text_content())


def _raise_exponents(element: lxml_html.HtmlElement) -> None:
    """« 10<sup>6</sup> » must not read « 106 », nor a note call join the number before it."""
    for raised in element.iter("sup"):
        for part in raised.iter():
            part.text = (part.text or "").translate(_EXPONENTS)


def _pieces(element: lxml_html.HtmlElement) -> Iterator[Piece]:
    for child in element:
        if not isinstance(child.tag, str) or child.tag in {"script", "style"}:
            continue
        if child.tag == "table":
            yield from _table(child)
        elif child.tag in {"p", "li", "h1", "h2", "h3", "h4"}:
            yield from _paragraph(child)
        else:
            yield from _pieces(child)


def _paragraph(element: lxml_html.HtmlElement) -> Iterator[Piece]:
    text = plain(element.text_content())
    if not text:
        return
    kind = (element.get("class") or "").split(" ")[0]
    if kind == "DateNotif":
        yield Piece(kind=PieceKind.DATE, text=text)
    elif kind in _LEVELS:
        anchor = next((a.get("name") for a in element.iter("a") if a.get("name")), "")
        yield Piece(kind=PieceKind.HEADING, text=text, level=_LEVELS[kind], anchor=anchor or "")
    elif kind == "AmmComposition":
        yield Piece(kind=PieceKind.PARAGRAPH, text=composition_line(element.text_content()))
    elif kind.startswith("AmmListePuces") or element.tag == "li" or text.startswith(("·", "•")):
        yield item(text)
    elif is_heading(text) and (_BOLD.search(kind) or _all_emphasised(element, text)):
        yield Piece(kind=PieceKind.HEADING, text=text, level=4)
    else:
        yield Piece(kind=PieceKind.PARAGRAPH, text=text)


def _all_emphasised(element: lxml_html.HtmlElement, text: str) -> bool:
    parts = [
        plain(part.text_content())
        for part in element.iter()
        if part.tag in _EMPHASIS or _BOLD.search(part.get("class") or "")
    ]
    return any(part.rstrip(" :") == text.rstrip(" :") for part in parts)


def _table(element: lxml_html.HtmlElement) -> Iterator[Piece]:
    grid, header_rows = _grid(element)
    if not grid:
        return
    if len(grid[0]) == 1:  # a frame around text, no table
        yield from _pieces(element)
        return
    yield from table_rows(grid, header_rows)


def _grid(element: lxml_html.HtmlElement) -> tuple[list[list[str]], int]:
    """Rows of equal length with spanned cells repeated, and how many of them are headings."""
    grid: list[list[str]] = []
    spans: dict[tuple[int, int], str] = {}
    header_rows = 1
    for number, row in enumerate(element.iter("tr")):
        cells: list[str] = []
        for cell in row.iterchildren("td", "th"):
            while (number, len(cells)) in spans:
                cells.append(spans[number, len(cells)])
            text = plain(cell.text_content())
            down, across = _span(cell, "rowspan"), _span(cell, "colspan")
            if number == 0:
                header_rows = max(header_rows, down)
            for column in range(len(cells), len(cells) + across):
                for below in range(1, down):
                    spans[number + below, column] = text
            cells += [text] * across
        while (number, len(cells)) in spans:
            cells.append(spans[number, len(cells)])
        grid.append(cells)
    grid = [row for row in grid if any(row)]
    width = max((len(row) for row in grid), default=0)
    grid = [row + [""] * (width - len(row)) for row in grid]
    used = [c for c in range(width) if any(row[c] for row in grid)]
    grid = [[row[c] for c in used] for row in grid]
    headed = bool(grid) and (header_rows > 1 or looks_like_headings(grid[0]))
    return grid, header_rows if headed and header_rows < len(grid) else 0


def _span(cell: lxml_html.HtmlElement, name: str) -> int:
    value = cell.get(name) or "1"
    return min(max(int(value), 1), _MAX_SPAN) if value.isdecimal() else 1
