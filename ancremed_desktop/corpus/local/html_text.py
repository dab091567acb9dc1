"""Reads HTML with lxml: what a browser would show, block by block."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree, html

from ancremed_desktop.corpus.local.model import BOLD_LEVEL, Piece
from ancremed_desktop.corpus.local.plain_text import joined
from ancremed_desktop.corpus.local.raised import shifted
from ancremed_desktop.corpus.local.style import Styles
from ancremed_desktop.corpus.local.table import Cell, cell_text, table_pieces
from ancremed_desktop.corpus.local.withheld import withheld
from ancremed_desktop.corpus.local.wording import decode, tidy
from ancremed_desktop.corpus.omitted import FOLDED, PICTURED, QUOTED, SHIFTED
from ancremed_desktop.corpus.pdf.page_text import PageRefusal
from ancremed_desktop.errors import BadFileError, reason_of
from ancremed_desktop.text.announcing import is_title
from ancremed_desktop.text.list_marks import is_item

_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([\w-]+)", re.IGNORECASE)
_XML_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_LEFT_OUT = frozenset("script style noscript template head nav iframe rp".split())
_PICTURES = frozenset("svg math object canvas select textarea input button".split())
_BOXES = {"checkbox": ("☐ ", "☒ "), "radio": ("○ ", "◉ ")}
"""What a browser draws of a box to tick: empty, and ticked."""
"""What a browser draws or lets fill in: text around it may not be whole without it."""
_HEADING = re.compile(r"h([1-6])")
_BLOCKS = frozenset(
    "address article aside blockquote body center dd details div dl dt fieldset figcaption figure "
    "footer form header hr html li main ol p pre section summary table ul".split()
)
_PARAGRAPHS = frozenset({"p", "div"})
_CELLS = frozenset({"td", "th"})
_BLANKS = re.compile(r"[ \t\r\n\f]+")
_MAX_DEPTH = 200
_MAX_SPAN = 100
_MAX_NUMBER = 99
_SPOT = "\f"
"""Around what is written for a picture; a blank in the end."""
_BREAK_HERE = "\u200b"
"""What a ``wbr`` is: shown as nothing, or as the end of a line."""
_BETWEEN_FIGURES = re.compile(rf"\d[ \u00a0]*{_SPOT}+[ \u00a0]*\d")
_BULLET = "•"

Found = Piece | PageRefusal


@dataclass(slots=True)
class _Words:
    """Inline text being read: its parts, and why it cannot be taken, if so."""

    parts: list[str] = field(default_factory=list)
    why: str = ""
    pictured: bool = False

    def lines(self) -> list[str]:
        return [line for line in map(tidy, "".join(self.parts).split("\n")) if line]

    def objection(self) -> str:
        pictured = self.pictured or _BETWEEN_FIGURES.search("".join(self.parts))
        return self.why or (PICTURED if pictured and self.lines() else "")


@dataclass(slots=True)
class _Item:
    """Where in a list text stands. ``mark``: of the item whose text has not begun yet."""

    indent: int = 0
    mark: str = ""
    within: bool = False


def html_pieces(content: bytes) -> tuple[str, tuple[Found, ...]]:
    """The ``<title>`` and the pieces of a page. Raises: BadFileError when it is no page."""
    declared = _CHARSET.search(content[:4096])
    text = decode(content, declared[1].decode("ascii") if declared else "")
    return markup_pieces(_XML_DECLARATION.sub("", text))


def markup_pieces(markup: str) -> tuple[str, tuple[Found, ...]]:
    """As ``html_pieces``, of decoded markup."""
    try:
        root = html.document_fromstring(markup)
    except (etree.LxmlError, ValueError) as error:
        raise BadFileError(f"page HTML illisible ({reason_of(error)})") from error
    title = tidy(root.findtext(".//title") or "")
    styles = Styles(sheet.text or "" for sheet in root.iter("style"))
    return title, tuple(_Page(styles).walk(root, _Item(), 0))


class _Page:
    def __init__(self, styles: Styles) -> None:
        self._styles = styles

    def walk(self, element: html.HtmlElement, item: _Item, depth: int) -> Iterator[Found]:
        """Blocks in order; text between blocks is a block of its own."""
        if depth > _MAX_DEPTH:
            raise BadFileError("page HTML trop profondément imbriquée")
        if _is_left_out(element):
            return
        if _is_folded(element):
            yield from self._folded(element, item, depth)
            return
        level = _level(element)
        if self._styles.objection(element) or level:
            words = _Words()
            self._inline(element, words, depth)
            yield from _flushed(words, item, level=level)
        elif element.tag == "table":
            yield from self._table(element, item, depth)
        elif element.tag in {"ul", "ol", "dl"}:
            yield from self._list(element, item, depth)
        else:
            yield from self._blocks(element, item, depth)

    def _blocks(self, element: html.HtmlElement, item: _Item, depth: int) -> Iterator[Found]:
        words = _Words()
        raw = element.tag == "pre"
        if raw and len(element) == 1 and element[0].tag == "code":
            words.why = QUOTED
        words.parts.append(_text(element.text, raw=raw))
        for child in element:
            if not _is_left_out(child) and _holds_blocks(child):
                yield from _flushed(words, item)
                words = _Words()
                yield from self.walk(child, item, depth + 1)
            else:
                self._inline(child, words, depth + 1, raw=raw)
            words.parts.append(_text(child.tail, raw=raw))
        yield from _flushed(words, item)

    def _folded(self, element: html.HtmlElement, item: _Item, depth: int) -> Iterator[Found]:
        """The line of a folded part that shows, and what stands for the rest."""
        rest = _Words(parts=[_text(element.text)], why=FOLDED)
        for child in element:
            if child.tag == "summary":
                yield from self.walk(child, item, depth + 1)
            else:
                self._inline(child, rest, depth + 1)
            rest.parts.append(_text(child.tail))
        yield from _flushed(rest, item)

    def _list(self, element: html.HtmlElement, item: _Item, depth: int) -> Iterator[Found]:
        start = element.get("start", "")
        number = int(start) if start.isdecimal() else 1
        numbered = element.tag == "ol" and element.get("type", "1") == "1"
        indent = item.indent + item.within
        for child in element:
            if child.tag not in {"li", "dd"}:
                if isinstance(child.tag, str):
                    yield from self.walk(child, item, depth + 1)
                continue
            value = child.get("value", "")
            number = int(value) if value.isdecimal() else number
            mark = f"{number}." if numbered and number <= _MAX_NUMBER else _BULLET
            yield from self.walk(child, _Item(indent, mark, within=True), depth + 1)
            number += 1

    def _inline(
        self, element: html.HtmlElement, words: _Words, depth: int, *, raw: bool = False
    ) -> None:
        """Add the text of an element, and why it cannot be taken when it is struck or hidden."""
        if depth > _MAX_DEPTH:
            raise BadFileError("page HTML trop profondément imbriquée")
        if _is_left_out(element):
            return
        if element.tag == "input" and (boxes := _BOXES.get(element.get("type", "").lower())):
            words.parts.append(boxes[element.get("checked") is not None])
            return
        if element.tag in _PICTURES:
            words.pictured = words.pictured or not _is_unseen(element)
            return
        if element.tag == "img":
            # What is written for a picture is not what is seen: it may tell no figure.
            alt = element.get("alt")
            words.pictured = words.pictured or alt is None or any(map(str.isdigit, alt))
            words.parts.append(f"{_SPOT}{_text(alt)}{_SPOT}")
            return
        if element.tag == "br":
            words.parts.append("\n")
            return
        if element.tag == "wbr":  # libxml2 knows none and puts what follows it inside
            words.parts.append(_BREAK_HERE)
        apart = "\n" if element.tag in _BLOCKS or element.tag == "tr" else ""
        inner = _Words(parts=[apart, _text(element.text, raw=raw)])
        for child in element:
            self._inline(child, inner, depth + 1, raw=raw)
            inner.parts.append(_text(child.tail, raw=raw))
            if child.tag in _CELLS and child.getnext() is not None:
                inner.parts.append(" : ")  # of a table within a cell
        inner.parts.append(apart)
        if element.tag == "rt" and inner.lines():  # small letters over the others
            inner.parts = [" (", *inner.parts, ") "]
        if inner.lines():
            inner.why = inner.why or self._styles.objection(element)
            inner.why = inner.why or (FOLDED if _is_folded(element) else "")
            if where := self._styles.shift(element):
                self._shift(inner, "".join(words.parts[-2:]), low=where == "sub")
        words.parts += inner.parts
        words.why = words.why or inner.why
        words.pictured = words.pictured or inner.pictured

    def _shift(self, inner: _Words, before: str, *, low: bool) -> None:
        made = shifted("".join(inner.parts), before, low=low)
        if made is None:
            inner.why = inner.why or SHIFTED
        else:
            inner.parts = [made]

    def _table(self, table: html.HtmlElement, item: _Item, depth: int) -> Iterator[Found]:
        title = _Words()
        for caption in table.iter("caption"):
            self._inline(caption, title, depth + 1)
        if why := title.objection():
            yield from withheld(" ".join(title.lines()), why)
            return
        rows: list[list[Cell]] = []
        headings: list[Cell] = []
        below: dict[int, tuple[Cell, int]] = {}
        for row in table.iter("tr"):
            if next(row.iterancestors("table")) is not table:
                continue  # of a table inside a cell, whose text the cell holds
            cells = [c for c in row if c.tag in {"td", "th"} and not _is_left_out(c)]
            texts = self._spread(cells, below, depth)
            if not headings and not rows and cells and _names_columns(row, cells):
                headings = texts
            else:
                rows.append(texts)
        if all(len(row) <= 1 for row in rows) and not headings:  # a frame around text
            for cell in table.iter("td", "th"):
                if next(cell.iterancestors("table")) is table:
                    yield from self._blocks(cell, item, depth + 1)
            return
        yield from table_pieces(rows, headings, " ".join(title.lines()))

    def _spread(
        self, cells: list[html.HtmlElement], below: dict[int, tuple[Cell, int]], depth: int
    ) -> list[Cell]:
        """A row, merged cells repeated; ``below``: by column, what goes on and how long."""
        found: list[Cell] = []
        waiting = list(cells)
        while waiting or len(found) in below:
            if len(found) in below:
                cell, left = below.pop(len(found))
                if left > 1:
                    below[len(found)] = (cell, left - 1)
                found.append(cell)
                continue
            element = waiting.pop(0)
            words = _Words()
            self._inline(element, words, depth + 1)
            cell = Cell(text=cell_text(words.lines()), why=words.objection())
            for _ in range(_span(element, "colspan")):
                if (down := _span(element, "rowspan")) > 1:
                    below[len(found)] = (cell, down - 1)
                found.append(cell)
        return found


def _names_columns(row: html.HtmlElement, cells: list[html.HtmlElement]) -> bool:
    """Whether a first row is marked as the headings, or set in bold throughout."""
    bold = [_is_bold(c) for c in cells]
    group: str = row.getparent().tag
    headed = group == "thead" or all(c.tag == "th" for c in cells)
    return headed or (len(cells) > 1 and all(bold))


def _level(element: html.HtmlElement) -> int:
    """Depth of a heading by its tag, or of a paragraph in bold that reads as one, else 0."""
    if heading := _HEADING.fullmatch(element.tag):
        return int(heading[1])
    bold = element.tag in _PARAGRAPHS and not _holds_blocks(element, within=True)
    return (
        BOLD_LEVEL if bold and _is_bold(element) and is_title(tidy(element.text_content())) else 0
    )


def _is_bold(element: html.HtmlElement) -> bool:
    """Whether one element in bold, or underlined, holds all of a text."""
    whole = tidy(element.text_content())
    return any(tidy(e.text_content()) == whole for e in element.iter("b", "strong", "u"))


def _flushed(words: _Words, item: _Item, level: int = 0) -> Iterator[Found]:
    """The paragraphs of some inline text, the first behind the mark of its item."""
    lines = words.lines()
    why = words.objection()
    if why and lines:
        opening = f"{item.mark} " if item.mark else ""
        stand_in, refusal = withheld(opening + " ".join(lines), why, indent=_margin(item))
        item.mark = ""
        yield Piece(text=stand_in.text, level=level, indent=0 if level else stand_in.indent)
        yield refusal
        return
    if level:
        if lines:
            yield Piece(text=" ".join(lines), level=level)
        return
    for text in joined(lines):
        shown = f"{item.mark} {text}" if item.mark and not is_item(text) else text
        indent = _margin(item)
        item.mark = ""
        yield Piece(text=shown, indent=indent)


def _margin(item: _Item) -> int:
    """What goes on in an item stands one level deeper than its first line."""
    return item.indent + (item.within and not item.mark)


def _text(text: str | None, *, raw: bool = False) -> str:
    """Text of a node: white space is one blank, lines of ``<pre>`` are lines."""
    return (text or "") if raw else _BLANKS.sub(" ", text or "")


def _is_left_out(element: html.HtmlElement) -> bool:
    """Comments, scripts and what leads through a site."""
    return not isinstance(element.tag, str) or element.tag in _LEFT_OUT


def _is_folded(element: html.HtmlElement) -> bool:
    """Whether an element shows its first line alone until it is opened."""
    return bool(element.tag == "details" and element.get("open") is None)


def _is_unseen(element: html.HtmlElement) -> bool:
    """Whether a field is none that one sees."""
    return bool(element.tag == "input" and element.get("type", "").lower() == "hidden")


def _holds_blocks(element: html.HtmlElement, *, within: bool = False) -> bool:
    """Whether an element is a block or holds one; ``within``: whether it holds one."""
    return any(
        isinstance(e.tag, str) and (e.tag in _BLOCKS or _HEADING.fullmatch(e.tag))
        for e in element.iter()
        if not (within and e is element)
    )


def _span(cell: html.HtmlElement, name: str) -> int:
    value = cell.get(name, "1").strip()
    return min(max(int(value), 1), _MAX_SPAN) if value.isdecimal() else 1
