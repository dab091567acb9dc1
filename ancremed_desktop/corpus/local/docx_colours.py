"""Colours of letters and of what is behind them in a DOCX file, themes and shades included.

Source: ECMA-376 part 1, 17.3.2 (run properties), 17.18.78 (shading), 20.1.6.2 (theme colours).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from docx.document import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import qn
from lxml import etree

from ancremed_desktop.corpus.local.css_colours import Colour
from ancremed_desktop.corpus.local.unseen import is_lost

_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_WORD_2010 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
_HEX = re.compile(r"[0-9A-Fa-f]{6}")
_THEME = {
    "background1": "lt1", "text1": "dk1", "background2": "lt2", "text2": "dk2", "light1": "lt1",
    "dark1": "dk1", "light2": "lt2", "dark2": "dk2", "bg1": "lt1", "tx1": "dk1", "bg2": "lt2",
    "tx2": "dk2", "hyperlink": "hlink", "followedHyperlink": "folHlink",
}  # fmt: skip
_OFFICE = {"lt1": (255, 255, 255), "dk1": (0, 0, 0)}
_HIGHLIGHTS = {
    "black": "000000", "blue": "0000FF", "cyan": "00FFFF", "green": "00FF00", "magenta": "FF00FF",
    "red": "FF0000", "yellow": "FFFF00", "white": "FFFFFF", "darkBlue": "00008B",
    "darkCyan": "008B8B", "darkGreen": "006400", "darkMagenta": "800080", "darkRed": "8B0000",
    "darkYellow": "808000", "darkGray": "A9A9A9", "lightGray": "D3D3D3",
}  # fmt: skip
_MOST_CLEAR = 90_000
"""Thousandths of a percent of transparency from which no eye reads a letter."""
_WHITE: Colour = (255, 255, 255)
StyleChain = Callable[[str], Iterator[etree._Element]]
"""The elements of a style and of those it is based on, by its identifier."""


class Colours:
    """Tells whether the letters of a run can be told from what is behind them."""

    def __init__(self, document: Document, chain: StyleChain) -> None:
        self._chain = chain
        paper = document.element.find(qn("w:background"))
        self._paper = _WHITE if paper is None else _read(paper.get(qn("w:color"), ""))
        self._scheme: dict[str, Colour] = dict(_OFFICE)
        for relation in document.part.rels.values():
            if relation.reltype == RELATIONSHIP_TYPE.THEME:
                self._scheme |= _read_scheme(parse_xml(relation.target_part.blob))

    def hides(self, formats: Mapping[str, etree._Element], run: etree._Element) -> bool:
        """Whether a run shows no letters. ``formats``: its properties, by name.

        Letters of the automatic colour are never lost: Word sets them white on a dark shade.
        """
        filled = formats.get("textFill")
        if filled is not None and _is_clear(filled):
            return True
        letters = self._filled(filled) or self._colour(formats.get("color"), "val", "themeColor")
        if letters is None:
            return False
        behind = self._behind(formats, run)
        return behind is not None and is_lost(_written(letters), _written(behind))

    def _behind(self, formats: Mapping[str, etree._Element], run: etree._Element) -> Colour | None:
        """What is behind a run: its highlight or shade, those around it; ``None``: unknown."""
        marked = formats.get("highlight")
        if marked is not None and (name := _HIGHLIGHTS.get(marked.get(qn("w:val"), ""))):
            return _read(name)
        shades = [formats.get("shd")]
        for node in run.iterancestors(qn("w:p"), qn("w:tc"), qn("w:tbl")):
            if node.tag == qn("w:tbl"):
                shades += self._of_table(node)
            else:
                shades += self._of_block(node)
        for shade in shades:
            if shade is None:
                continue
            known, colour = self._shade(shade)
            if not known or colour is not None:
                return colour
        return self._paper

    def _of_block(self, node: etree._Element) -> Iterator[etree._Element | None]:
        """Shades of a paragraph, then of its styles, or of a cell."""
        yield node.find(f"{qn('w:pPr')}/{qn('w:shd')}")
        yield node.find(f"{qn('w:tcPr')}/{qn('w:shd')}")
        named = node.find(f"{qn('w:pPr')}/{qn('w:pStyle')}")
        if named is not None:
            for style in self._chain(named.get(qn("w:val"), "")):
                yield style.find(f"{qn('w:pPr')}/{qn('w:shd')}")

    def _of_table(self, table: etree._Element) -> Iterator[etree._Element | None]:
        """Shades of the style of a table: which of its rows have them is not looked at."""
        named = table.find(f"{qn('w:tblPr')}/{qn('w:tblStyle')}")
        if named is not None:
            for style in self._chain(named.get(qn("w:val"), "")):
                for _shade in style.iter(qn("w:shd")):
                    yield _UNKNOWN

    def _shade(self, shade: etree._Element) -> tuple[bool, Colour | None]:
        """(whether it can be told, the colour of a shade or ``None``: one sees through it)."""
        pattern = shade.get(qn("w:val"), "clear")
        fill = self._colour(shade, "fill", "themeFill")
        if pattern in {"clear", "nil"}:
            return True, fill
        if pattern == "solid":
            return True, self._colour(shade, "color", "themeColor") or (0, 0, 0)
        return False, None

    def _filled(self, filled: etree._Element | None) -> Colour | None:
        """Colour of the « text fill » of Word 2010, if it is one."""
        if filled is None:
            return None
        for node in filled.iter(f"{_WORD_2010}srgbClr", f"{_WORD_2010}schemeClr"):
            value = node.get(f"{_WORD_2010}val", "")
            return _read(value) or self._scheme.get(_THEME.get(value, value))
        return None

    def _colour(self, node: etree._Element | None, name: str, theme: str) -> Colour | None:
        """Colour of an element: of the theme, which comes first, or as written."""
        if node is None:
            return None
        named = node.get(qn(f"w:{theme}"), "")
        prefix = theme.removesuffix("Color")
        found = self._scheme.get(_THEME.get(named, named))
        if found is None:
            return _read(node.get(qn(f"w:{name}"), ""))
        tint = int(node.get(qn(f"w:{prefix}Tint"), "FF"), 16) / 255
        shade = int(node.get(qn(f"w:{prefix}Shade"), "FF"), 16) / 255
        red, green, blue = (round(shade * (part * tint + 255 * (1 - tint))) for part in found)
        return (red, green, blue)


_UNKNOWN = etree.Element(qn("w:shd"), {qn("w:val"): "style"})


def _read_scheme(theme: etree._Element) -> dict[str, Colour]:
    scheme: dict[str, Colour] = {}
    for group in theme.iter(f"{_DRAWING}clrScheme"):
        for entry in group:
            for node in entry:
                colour = _read(node.get("lastClr") or node.get("val", ""))
                if colour is not None:
                    scheme[etree.QName(entry).localname] = colour
    return scheme


def _is_clear(filled: etree._Element) -> bool:
    if any(True for _ in filled.iter(f"{_WORD_2010}noFill")):
        return True
    alphas = (node.get(f"{_WORD_2010}val", "0") for node in filled.iter(f"{_WORD_2010}alpha"))
    return any(value.isdecimal() and int(value) >= _MOST_CLEAR for value in alphas)


def _read(value: str) -> Colour | None:
    if not _HEX.fullmatch(value):
        return None
    return (int(value[:2], 16), int(value[2:4], 16), int(value[4:], 16))


def _written(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
