"""Text of the runs of a DOCX paragraph: what is struck, hidden, raised or drawn is told apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from docx.document import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import qn
from lxml import etree

from ancremed_desktop.corpus.local.docx_colours import Colours
from ancremed_desktop.corpus.local.docx_place import Places
from ancremed_desktop.corpus.local.raised import shifted
from ancremed_desktop.corpus.local.wording import tidy
from ancremed_desktop.corpus.omitted import HIDDEN, PICTURED, SHIFTED, STRUCK
from ancremed_desktop.corpus.pdf.line_text import SYMBOL

_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}oMath"
_INLINE = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}inline"
_DRAWN = frozenset({_MATH, _INLINE, qn("w:object"), qn("w:pict")})
_SMALLEST = 4
"""Half points: no eye reads letters of 2 points."""
_NARROWEST = 10
"""Percent of the width of letters, and twentieths of a point they may be drawn together: nothing of
them is left beyond.
"""
_CLOSEST = -100
_LOWEST = 40
"""Twentieths of a point: a line no higher shows no letters."""
_OFF = frozenset({"0", "false", "off", "none"})
_NOTES = (
    (qn("w:footnoteReference"), qn("w:footnote"), RELATIONSHIP_TYPE.FOOTNOTES),
    (qn("w:endnoteReference"), qn("w:endnote"), RELATIONSHIP_TYPE.ENDNOTES),
)
"""Tag of a call, tag of its note, and where the notes are."""
_UNREAD_NOTE = "une note y est appelée, qui n’a pas pu être lue"
_UNREAD_SYMBOL = "\ufffd"


@dataclass(slots=True)
class Words:
    """Text of a paragraph, line ends in it, and why it cannot be taken, if so."""

    text: str = ""
    why: str = ""
    bold: bool = True

    @property
    def lines(self) -> list[str]:
        """Its lines, tidy, none empty."""
        return [line for line in map(tidy, self.text.split("\n")) if line]


class RunReader:
    """Reads paragraphs with the formats that their styles give them, and their notes."""

    def __init__(self, document: Document) -> None:
        styles = document.styles.element
        self._styles: dict[str, etree._Element] = {
            style.get(qn("w:styleId"), ""): style for style in styles.iter(qn("w:style"))
        }
        self._usual = next((name for name, style in self._styles.items() if _is_usual(style)), "")
        self._defaults = styles.find(f"{qn('w:docDefaults')}/{qn('w:rPrDefault')}/{qn('w:rPr')}")
        self._colours = Colours(document, self._chain)
        self.places = Places(document, self._chain, self._usual)
        self._notes: dict[tuple[str, str], str] = {}
        for tag, kind, relation in _NOTES:
            self._notes |= {
                (tag, n): text for n, text in self._read_notes(document, relation, kind)
            }

    def words(self, paragraph: etree._Element) -> Words:
        """Words of a paragraph; text boxes are apart."""
        words = Words()
        for node in paragraph.iter(qn("w:r"), *_DRAWN):
            if any(a.tag == qn("w:txbxContent") for a in node.iterancestors()):
                continue
            if node.tag == qn("w:r"):
                self._run(node, paragraph, words)
            elif not any(a.tag in _DRAWN for a in node.iterancestors()):
                words.why = words.why or PICTURED
        if not words.lines:
            words.why = ""
        elif self.places.hides(paragraph):
            words.why = words.why or HIDDEN
        return words

    def _read_notes(
        self, document: Document, relation: str, kind: str
    ) -> Iterator[tuple[str, str]]:
        """(number, text) of the notes of a kind that can be taken as they read."""
        try:
            part = document.part.part_related_by(relation)
        except KeyError:
            return
        for note in parse_xml(part.blob).iter(kind):
            read = [self.words(paragraph) for paragraph in note.iter(qn("w:p"))]
            text = " ".join(line for words in read for line in words.lines)
            if text and not any(words.why for words in read):
                yield note.get(qn("w:id"), ""), text

    def _run(self, run: etree._Element, paragraph: etree._Element, words: Words) -> None:
        text = "".join(_texts(run, self._notes))
        if not text.strip():
            words.text += text
            return
        formats = self._formats(run, paragraph)
        if _is_on(formats, "strike") or _is_on(formats, "dstrike"):
            words.why = words.why or STRUCK
        if _is_on(formats, "vanish") or _is_tiny(formats, paragraph):
            words.why = words.why or HIDDEN
        if not words.why and self._colours.hides(formats, run):
            words.why = HIDDEN
        words.bold = words.bold and _is_on(formats, "b")
        if shift := _shift(formats):
            made = shifted(text, words.text, low=shift < 0)
            words.why = words.why or ("" if made is not None else SHIFTED)
            text = made if made is not None else text
        if _UNREAD_NOTE in text:
            words.why = words.why or _UNREAD_NOTE
        words.text += text

    def _formats(self, run: etree._Element, paragraph: etree._Element) -> dict[str, etree._Element]:
        """Each property of a run: its own, else of its style, of its paragraph’s, of the file."""
        found = _properties(run.find(qn("w:rPr")))
        above = paragraph.find(f"{qn('w:pPr')}/{qn('w:pStyle')}")
        usual = self._usual if above is None else above.get(qn("w:val"), "")
        for name in (_value(found, "rStyle"), usual):
            for style in self._chain(name):
                found = _properties(style.find(qn("w:rPr"))) | found
        return _properties(self._defaults) | found

    def _chain(self, name: str) -> Iterator[etree._Element]:
        """A style, then those it is based on."""
        seen: set[str] = set()
        while name in self._styles and name not in seen:
            seen.add(name)
            style = self._styles[name]
            yield style
            based = style.find(qn("w:basedOn"))
            name = "" if based is None else based.get(qn("w:val"), "")


def _is_usual(style: etree._Element) -> bool:
    """Whether a style is that of the paragraphs that name none."""
    kind, usual = style.get(qn("w:type"), ""), style.get(qn("w:default"), "0")
    return kind == "paragraph" and usual not in _OFF


def _properties(node: etree._Element | None) -> dict[str, etree._Element]:
    return {} if node is None else {etree.QName(one).localname: one for one in node}


def _value(formats: Mapping[str, etree._Element], name: str, usual: str = "") -> str:
    """The value of a property: « on » where it has none."""
    return formats[name].get(qn("w:val"), "on") if name in formats else usual


def _is_on(formats: Mapping[str, etree._Element], name: str) -> bool:
    return _value(formats, name, "0") not in _OFF


def _is_tiny(formats: Mapping[str, etree._Element], paragraph: etree._Element) -> bool:
    """Whether letters have no size, no width, or their line no height."""
    size, width = _value(formats, "sz"), _value(formats, "w")
    apart = _value(formats, "spacing")
    line = paragraph.find(f"{qn('w:pPr')}/{qn('w:spacing')}")
    exact = line is not None and line.get(qn("w:lineRule")) == "exact"
    height = line.get(qn("w:line"), "") if line is not None and exact else ""
    return (
        (size.isdecimal() and int(size) <= _SMALLEST)
        or (width.isdecimal() and int(width) <= _NARROWEST)
        or (apart.lstrip("-").isdecimal() and int(apart) <= _CLOSEST)
        or (height.isdecimal() and int(height) <= _LOWEST)
    )


def _shift(formats: Mapping[str, etree._Element]) -> int:
    """1 for raised text, -1 for lowered, 0 for text on its line."""
    known = {"superscript": 1, "subscript": -1}
    if (where := known.get(_value(formats, "vertAlign"), 0)) != 0:
        return where
    position = _value(formats, "position", "0")
    risen = int(position) if position.lstrip("+-").isdecimal() else 0
    return (risen > 0) - (risen < 0)


def _texts(run: etree._Element, notes: Mapping[tuple[str, str], str]) -> Iterator[str]:
    """Texts of a run in order; a note stands where it is called."""
    plain: dict[str, Callable[[etree._Element], str]] = {
        qn("w:t"): lambda node: node.text or "",
        qn("w:noBreakHyphen"): lambda _node: "-",
        qn("w:tab"): lambda _node: " ",
        qn("w:cr"): lambda _node: "\n",
        qn("w:br"): lambda _node: "\n",
        qn("w:sym"): _symbol,
    }
    for node in run:
        if node.tag in plain:
            yield plain[node.tag](node)
        elif any(node.tag == tag for tag, _kind, _relation in _NOTES):
            text = notes.get((node.tag, node.get(qn("w:id"), "")), _UNREAD_NOTE)
            yield f" (note\u00a0: {text})"


def _symbol(node: etree._Element) -> str:
    code = node.get(qn("w:char"), "")
    if node.get(qn("w:font"), "").lower() != "symbol":
        return _UNREAD_SYMBOL
    try:
        return SYMBOL.get(int(code, 16) & 0xFF, _UNREAD_SYMBOL)
    except ValueError:
        return _UNREAD_SYMBOL
