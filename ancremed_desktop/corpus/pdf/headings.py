"""Recognises the headings of a document and keeps the path that leads to each text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ancremed_desktop.corpus.pdf.paragraphs import Paragraph
from ancremed_desktop.text.list_marks import mark_class

SEPARATOR = " > "
_MAX_WORDS = 25
_MAX_PATH = 240
_LARGER = 1.11
_NUMBERED = re.compile(
    r"((?:\d{1,2}\.)*\d{1,2}|[IVX]{1,4}|[A-H])\s?[.)–-]?(?:\s|(?<=[.)–-]))\s*(?=[«A-ZÀ-Ý])"
)
_CAPTION = re.compile(
    r"(?:Tableaux?|Annexes?|Encadré|Figure|Schéma)\s+(?:n°\s?)?[\dIVX]+", re.IGNORECASE
)
_NO_TOPIC = re.compile(
    r"(?:sommaire|table des mati[eè]res)\b|(?:\d{1,2}(?:er)? )?[^\W\d]{3,9} (?:19|20)\d\d$",
    re.IGNORECASE,
)
"""A table of contents, or a date printed large: what follows is not under it."""
_STATEMENT = re.compile(
    r"\b(?:est|sont|doit|doivent|peut|peuvent|faut|n['’]est|ne|a|ont|sera|seront|permet|nécessite)\b"
)
_MARKS = frozenset("•·▪■●►▶➢□❖→")
_ABOUT = 1.15
"""A heading that much larger than one with a mark may stand under it all the same."""
_MAX_MARKED_WORDS = 16
_SAME_EDGE = 2.0
"""Points."""
_ENDS_OPEN = re.compile(
    r"[.;,]$|\b(?:de|du|des|la|le|les|et|ou|à|au|aux|en|par|pour)$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    text: str
    size: float
    weight: int
    depth: int
    marked: bool


class HeadingPath:
    """The headings above the text being read, outermost first."""

    def __init__(self) -> None:
        self._entries: list[_Entry] = []

    def push(self, paragraph: Paragraph) -> None:
        """Enter a heading: those of its rank or lower that were open are closed."""
        if _NO_TOPIC.match(paragraph.text):
            return
        entry = _Entry(
            text=paragraph.text.rstrip(" :"),
            size=paragraph.size,
            weight=int(paragraph.bold) + int(_is_upper(paragraph.text)),
            depth=_depth(paragraph.text),
            marked=paragraph.marked,
        )
        while self._entries and _closes(entry, self._entries[-1]):
            self._entries.pop()
        self._entries.append(entry)

    def text(self) -> str:
        """Path as « A > B », cut from the outside when very long."""
        parts = [entry.text for entry in self._entries]
        while len(parts) > 1 and len(SEPARATOR.join(parts)) > _MAX_PATH:
            del parts[0]
        return SEPARATOR.join(parts)

    def texts(self) -> tuple[str, ...]:
        """The headings, outermost first."""
        return tuple(entry.text for entry in self._entries)


def _closes(new: _Entry, old: _Entry) -> bool:
    plain = not (new.marked or new.depth)
    if plain and old.marked and new.size <= _ABOUT * old.size:
        return False  # « ► Traitement par digoxine », then « Posologies recommandées »
    if new.depth and old.depth:
        return new.depth <= old.depth
    if abs(new.size - old.size) > 0.4:
        return new.size > old.size
    if new.weight != old.weight:
        return new.weight > old.weight
    return new.depth <= old.depth or not old.depth


def _depth(text: str) -> int:
    """Depth of a numbered heading (« 2.1 » is 2), 0 without a number."""
    found = _NUMBERED.match(text)
    return found.group(1).count(".") + 1 if found else 0


def _is_upper(text: str) -> bool:
    letters = [c for c in text if c.isalpha()]
    return len(letters) > 1 and sum(c.isupper() for c in letters) > 0.85 * len(letters)


def marked_headings(texts: Sequence[Paragraph]) -> list[Paragraph]:
    """Paragraphs in order; those in bold behind a mark that no list holds lose it, as headings.

    « ► Traitement par digoxine » over a paragraph names its drug; an item stands among its like.
    """
    marks = [mark_class(p.text) if p.item else "" for p in texts]
    found = list(texts)
    for at, paragraph in enumerate(texts):
        mark = marks[at]
        if not paragraph.bold or mark not in _MARKS or at + 1 == len(texts):
            continue
        words = paragraph.text[len(mark) :].strip()
        listed = marks[at + 1] == mark or (
            at > 0 and marks[at - 1] == mark and abs(texts[at - 1].x0 - paragraph.x0) < _SAME_EDGE
        )
        short = len(words.split()) <= _MAX_MARKED_WORDS and ":" not in words
        if short and words[:1].isupper() and not (listed or words[-1] in ".,;!…"):
            found[at] = replace(paragraph, text=words, item=False, marked=True)
    return found


def is_heading(paragraph: Paragraph, body_size: float, mostly_bold: bool) -> bool:
    """Whether a paragraph is a heading, by size, weight, capitals or numbering.

    A bold sentence that states something is text: a recommendation is not lost to a heading.
    """
    text = paragraph.text
    words = text.split()
    letters = sum(c.isalpha() for c in text)
    if paragraph.item or paragraph.note or len(words) > _MAX_WORDS or letters < 3:
        return False
    if _CAPTION.match(text) and not text.endswith((".", ";")):
        return True
    if _ENDS_OPEN.search(text) or (not text[0].isalnum() and text[0] not in "«“("):
        return False
    if len(words) > 5 and _STATEMENT.search(text) and not text.endswith("?"):
        return paragraph.size > 1.35 * body_size
    if text[0].islower():
        return False
    if paragraph.size >= _LARGER * body_size:
        return True
    if paragraph.size < 0.93 * body_size:
        return False
    if paragraph.bold and not mostly_bold:
        return True
    return (_is_upper(text) and len(words) > 1) or (
        bool(_NUMBERED.match(text)) and len(words) <= 12 and _depth(text) > 1
    )
