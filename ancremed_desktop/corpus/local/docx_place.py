"""Which paragraphs and tables of a DOCX file stand off its page.

Source: ECMA-376 part 1, 17.3.1.12 (indentation), 17.3.1.11 (frames), 17.4.50 (indented tables),
17.6.13 (page size). Lengths are in twentieths of a point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from docx.document import Document
from docx.oxml.ns import qn
from lxml import etree

_WIDE, _HIGH, _MARGIN = 12_240, 16_840, 1_440
"""Width and height of the largest usual page, and its margin, where a file says none."""
_CHARACTER = 2.4
"""A hundredth of a character of 12 points."""
_NARROWEST = 240
"""A column no wider holds no word."""
_AROUND = 2_880
"""How far before its page a frame may begin and still show."""


class Places:
    """Where on the page paragraphs stand. ``chain``: a style, then those it is based on."""

    def __init__(
        self, document: Document, chain: Callable[[str], Iterator[etree._Element]], usual: str
    ) -> None:
        """``usual``: the style of the paragraphs that name none."""
        self._chain, self._usual = chain, usual
        sizes = list(document.element.iter(qn("w:pgSz")))
        self._wide = max((_number(s, "w") or _WIDE for s in sizes), default=_WIDE)
        self._high = max((_number(s, "h") or _HIGH for s in sizes), default=_HIGH)
        margins = list(document.element.iter(qn("w:pgMar")))
        self._left, self._right = (
            min((_number(m, side) for m in margins), default=_MARGIN) for side in ("left", "right")
        )

    def hides(self, paragraph: etree._Element) -> bool:
        """Whether a paragraph, or its first line, begins off the page or has no room on it."""
        properties = list(self._properties(paragraph))
        left = _indent(properties, "left", "start")
        right = _indent(properties, "right", "end")
        first = _indent(properties, "firstLine") - _indent(properties, "hanging")
        begins = self._left + left
        ends = self._wide - self._right - right
        return (
            not 0 <= begins + min(first, 0) <= begins + max(first, 0) < self._wide
            or not _NARROWEST < ends <= self._wide
            or ends - begins < _NARROWEST
            or any(self._is_framed_away(p) for p in properties)
        )

    def hides_table(self, table: etree._Element) -> bool:
        """Whether a table begins off the page."""
        indent = table.find(f"{qn('w:tblPr')}/{qn('w:tblInd')}")
        floating = table.find(f"{qn('w:tblPr')}/{qn('w:tblpPr')}")
        x, y = (0, 0) if floating is None else _corner(floating, "tblpX", "tblpY")
        begins = self._left + _number(indent, "w")
        return not -_AROUND <= begins < self._wide or self._is_away(x, y)

    def _properties(self, paragraph: etree._Element) -> Iterator[etree._Element]:
        """The properties of a paragraph, then those of its styles."""
        own = paragraph.find(qn("w:pPr"))
        named = None if own is None else own.find(qn("w:pStyle"))
        styles = self._chain(self._usual if named is None else named.get(qn("w:val"), ""))
        found = (own, *(style.find(qn("w:pPr")) for style in styles))
        return (p for p in found if p is not None)

    def _is_framed_away(self, properties: etree._Element) -> bool:
        frame = properties.find(qn("w:framePr"))
        return frame is not None and self._is_away(*_corner(frame, "x", "y"))

    def _is_away(self, x: float, y: float) -> bool:
        return not (-_AROUND <= x < self._wide and -_AROUND <= y < self._high)


def _indent(properties: Iterable[etree._Element], *names: str) -> float:
    """An indentation, by the first of the properties that sets it under one of its names."""
    for one in properties:
        indent = one.find(qn("w:ind"))
        if indent is None:
            continue
        for name in names:
            if indent.get(qn(f"w:{name}Chars")) is not None:
                return _number(indent, f"{name}Chars") * _CHARACTER
            if indent.get(qn(f"w:{name}")) is not None:
                return _number(indent, name)
    return 0.0


def _corner(node: etree._Element, x: str, y: str) -> tuple[float, float]:
    return _number(node, x), _number(node, y)


def _number(node: etree._Element | None, name: str) -> float:
    """An attribute as a number; 0 when it is absent or none."""
    value = "" if node is None else node.get(qn(f"w:{name}"), "")
    return float(value) if value.lstrip("-").isdecimal() else 0.0
