"""Reads HTML with lxml: what a browser would show, block by block."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree, html

from ancremed_desktop.corpus.local.model import Piece
from ancremed_desktop.corpus.local.table import table_pieces
from ancremed_desktop.corpus.local.wording import decode, tidy
from ancremed_desktop.corpus.pdf.page_text import PageRefusal
from ancremed_desktop.errors import BadFileError

_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([\w-]+)", re.IGNORECASE)
_XML_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_LEFT_OUT = frozenset(
    "script style noscript template head nav iframe object svg math form button select".split()
)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0", re.IGNORECASE)
_HEADING = re.compile(r"h([1-6])")
_BLOCKS = frozenset(
    "address article aside blockquote body center dd details div dl dt fieldset figcaption figure "
    "footer header hr html li main ol p pre section summary table ul".split()
)
_MAX_DEPTH = 200
_MAX_SPAN = 100


def html_pieces(content: bytes) -> tuple[str, tuple[Piece | PageRefusal, ...]]:
    """The ``<title>`` and the pieces of a page. Raises: BadFileError when it is no page."""
    declared = _CHARSET.search(content[:4096])
    text = decode(content, declared[1].decode("ascii") if declared else "")
    try:
        root = html.document_fromstring(_XML_DECLARATION.sub("", text))
    except (etree.LxmlError, ValueError) as error:
        raise BadFileError(f"page HTML illisible ({error})") from error
    title = tidy(root.findtext(".//title") or "")
    return title, tuple(_walk(root, 0))


def _walk(element: html.HtmlElement, depth: int) -> Iterator[Piece | PageRefusal]:
    """Blocks in order; text between blocks is a block of its own."""
    if depth > _MAX_DEPTH:
        raise BadFileError("page HTML trop profondément imbriquée")
    if _is_left_out(element):
        return
    heading = _HEADING.fullmatch(element.tag)
    if heading:
        if words := tidy(_inline(element)):
            yield Piece(text=words, level=int(heading[1]))
        return
    if element.tag == "table":
        yield from _table(element)
        return
    item = element.tag in {"li", "dd"}
    loose = [element.text or ""]
    for child in element:
        if not _is_left_out(child) and _holds_blocks(child):
            yield from _prose(loose, item=item)
            loose = []
            yield from _walk(child, depth + 1)
        else:
            loose.append(_inline(child))
        loose.append(child.tail or "")
    yield from _prose(loose, item=item)


def _prose(parts: list[str], *, item: bool) -> Iterator[Piece]:
    if words := tidy("".join(parts)):
        yield Piece(text=words, item=item)


def _is_left_out(element: html.HtmlElement) -> bool:
    """Comments, scripts, and what is marked as not to be seen: it must not be quoted either."""
    if not isinstance(element.tag, str) or element.tag in _LEFT_OUT:
        return True
    hidden = element.get("hidden") is not None or element.get("aria-hidden") == "true"
    return hidden or bool(_HIDDEN.search(element.get("style") or ""))


def _holds_blocks(element: html.HtmlElement) -> bool:
    return any(
        isinstance(e.tag, str) and (e.tag in _BLOCKS or _HEADING.fullmatch(e.tag))
        for e in element.iter()
    )


def _inline(element: html.HtmlElement) -> str:
    if _is_left_out(element):
        return ""
    if element.tag == "br":
        return " "
    apart = " " if element.tag in _BLOCKS else ""
    parts = [apart, element.text or ""]
    for child in element:
        parts += [_inline(child), child.tail or ""]
    return "".join([*parts, apart])


def _table(table: html.HtmlElement) -> Iterator[Piece | PageRefusal]:
    rows: list[list[str]] = []
    headings: list[str] = []
    below: dict[int, tuple[str, int]] = {}
    for row in table.iter("tr"):
        if next(row.iterancestors("table")) is not table:
            continue  # of a table inside a cell, whose text the cell holds
        cells = [c for c in row if c.tag in {"td", "th"} and not _is_left_out(c)]
        texts = _spread(cells, below)
        if not headings and not rows and cells and all(c.tag == "th" for c in cells):
            headings = texts
        else:
            rows.append(texts)
    yield from table_pieces(rows, headings)


def _spread(cells: list[html.HtmlElement], below: dict[int, tuple[str, int]]) -> list[str]:
    """Texts of a row, merged cells repeated; ``below``: by column, what goes on and how long."""
    texts: list[str] = []
    waiting = list(cells)
    while waiting or len(texts) in below:
        if len(texts) in below:
            text, left = below.pop(len(texts))
            if left > 1:
                below[len(texts)] = (text, left - 1)
            texts.append(text)
            continue
        cell = waiting.pop(0)
        text = tidy(_inline(cell))
        for _ in range(_span(cell, "colspan")):
            if (down := _span(cell, "rowspan")) > 1:
                below[len(texts)] = (text, down - 1)
            texts.append(text)
    return texts


def _span(cell: html.HtmlElement, name: str) -> int:
    value = cell.get(name, "1").strip()
    return min(max(int(value), 1), _MAX_SPAN) if value.isdecimal() else 1
