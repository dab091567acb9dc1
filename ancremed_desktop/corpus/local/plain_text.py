"""Reads plain text: paragraphs apart by blank lines, lists and headings by their wording."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ancremed_desktop.corpus.local.model import Piece
from ancremed_desktop.corpus.local.wording import tidy
from ancremed_desktop.text.announcing import is_title, leads, rules
from ancremed_desktop.text.articles import (
    at_articles,
    is_article_line,
    is_section_line,
    opening_label,
)
from ancremed_desktop.text.list_marks import Nesting, is_item, mark_class
from ancremed_desktop.text.normalise import fold

_DIVISIONS = ("partie", "livre", "titre", "chapitre", "section", "sous-section", "annexe")
_DIVISION = re.compile(rf"({'|'.join(_DIVISIONS)}) (?:[ivxlc]+|\d+|[a-z]|premiere?|1er)\b")
_RULE = re.compile(r"[=\-_*~#]{3,}")
_SECTION_LEVEL = len(_DIVISIONS) + 1
_TITLE_LEVEL = _SECTION_LEVEL + 8
_ARTICLE_LEVEL = _TITLE_LEVEL + 2
_MAX_HEADING = 120
_TAB = 4
_NUMBER = re.compile(r"(?:\d{1,2}|[IVX]{1,5}|[A-H])[.)] +(?:[-–] +)?")
_ENTRY = re.compile(r"[A-ZÀ-ÝŒ][^:.;!?]{0,60}:[ \u00a0]*\S")
"""A line that says of what it gives the value."""
_WRAPPED_FROM = 72
"""Characters of a line that is wrapped at least: shorter ones end where they were meant to."""
_WRAPPED_AT = 160
"""Characters that no line of a text has that was wrapped to be read."""
_STOPS_SHORT = 0.6
"""A heading fills less of the width of the text than that: a line that is wrapped fills it."""
_OPEN_WORD = re.compile(
    r"(?:\b(?:de|du|des|la|le|les|un|une|et|ou|ni|à|au|aux|en|par|pour|avec|sans|sous|sur|dans|chez"
    r"|que|qui|si|ne|pas|jamais|sauf|est|sont|a|ont|soit|dont|entre|vers|mais|puis|d[’']|l[’'])|[,(«/-])$",
    re.IGNORECASE,
)


def plain_pieces(text: str) -> Iterator[Piece]:
    """Headings, paragraphs and list items of a plain text."""
    reader = _Reader(text.expandtabs(_TAB).splitlines())
    yield from reader.pieces()


def heading_level(line: str) -> int:
    """Depth of a line that reads as a numbered heading (« Titre II », « 4.2 Posologie »), else 0.

    The number of an article is a heading when it stands alone on its line.
    """
    if len(line) > _MAX_HEADING:
        return 0
    if is_article_line(line):
        return _ARTICLE_LEVEL
    division = _DIVISION.match(fold(line))
    if division and not line.endswith((".", ",", ";")):
        return _DIVISIONS.index(division[1]) + 1
    if is_section_line(line):
        return _SECTION_LEVEL + line.split(maxsplit=1)[0].strip(".)").count(".")
    return 0


def joined(lines: Sequence[str]) -> Iterator[str]:
    """Lines of one paragraph as paragraphs: a list item, and what is announced, begin one."""
    pending: list[str] = []
    width = max(map(len, lines), default=0)
    announced = False
    for line in filter(None, lines):
        if pending and (
            is_item(line)
            or leads(pending[-1])
            or _relays(pending[0], line)
            or _are_entries(pending[0], line)
            or (not announced and _stops_short(pending[-1], line, width))
        ):
            announced = leads(pending[-1])
            yield " ".join(pending)
            pending = []
        pending.append(line)
    if pending:
        yield " ".join(pending)


def _relays(first: str, line: str) -> bool:
    """Whether a line under an item announces others: « - grossesse / Relatives : / - asthme »."""
    return is_item(first) and line[:1].isupper() and leads(line)


def _are_entries(first: str, line: str) -> bool:
    """Whether two lines are entries of a form: « Adulte : 1 g », then « Enfant : 15 mg/kg »."""
    return bool(_ENTRY.match(first) and _ENTRY.match(line))


def _stops_short(before: str, line: str, width: int) -> bool:
    """Whether a line ends before it is full and the next begins anew: « cirrhose grade C », then
    « Grossesse ». ``width``: of the longest line, in characters.
    """
    short = len(before) < _STOPS_SHORT * max(width, _WRAPPED_FROM)
    return short and line[:1].isupper() and not _OPEN_WORD.search(before)


class _Reader:
    """Reads lines in order: the paragraph that waits to be whole, the list it stands in."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._raw = lines
        self._lines = list(map(tidy, lines))
        self._width = max(map(len, lines), default=0)
        self._waiting: list[int] = []
        self._last = ""
        self._begun = False
        self._nesting = Nesting()

    def pieces(self) -> Iterator[Piece]:
        for position, line in enumerate(self._lines):
            rule = bool(_RULE.fullmatch(line))
            level = 0 if rule else heading_level(line) or self._title_level(position)
            ends = not line or rule or level or is_item(line) or opening_label(line)
            if ends or leads(self._before()) or self._is_apart(line):
                yield from self._paragraph()
            if level:
                self._nesting, self._last = Nesting(), ""
                yield Piece(text=line, level=level)
            elif line and not rule:
                self._waiting.append(position)
            self._begun = self._begun or bool(line)
        yield from self._paragraph()

    def _is_apart(self, line: str) -> bool:
        """Whether a line begins a paragraph: a sentence that announces something does, and any
        where each paragraph is one line, however long.
        """
        if line[:1].isupper() and leads(line) and rules(line):
            return True
        first = self._lines[self._waiting[0]] if self._waiting else ""
        if _relays(first, line) or _are_entries(first, line):
            return True
        short = bool(self._waiting) and _stops_short(self._before(), line, self._width)
        if short and not leads(self._last):
            return True
        ended = self._before().endswith((".", "!", "?", ";"))
        return self._width > _WRAPPED_AT and ended and not line[:1].islower()

    def _before(self) -> str:
        """The line before, or the last of the paragraph before."""
        return self._lines[self._waiting[-1]] if self._waiting else self._last

    def _title_level(self, position: int) -> int:
        """Level of a line without number that reads as a heading, else 0: short, alone or over
        a sentence, and no part of what was announced.
        """
        whole, before = self._lines[position], self._before()
        number = _NUMBER.match(whole)
        line = whole[number.end() :] if number else whole
        if not is_title(line) or any(map(str.isdigit, line)) or leads(before):
            return 0
        if self._waiting and not before.endswith((".", "!", "?")):
            return 0
        following = self._lines[position + 1 : position + 2]
        ruled = bool(following and _RULE.fullmatch(following[0]))
        rest = self._lines[position + 1 + ruled : position + 4]
        below = next(filter(None, rest), "")
        begins = (
            line.isupper() or below[:1].isupper() or below[:1].isdigit() or is_item(below) or ruled
        )
        alone = following in ([""], []) or ruled
        short = len(line) < _STOPS_SHORT * self._width
        if not below or not begins or not (alone or short) or _OPEN_WORD.search(line):
            return 0
        if number:  # « 1. Paracétamol / 2. Ibuprofène » is a list
            alike = mark_class(whole) in {mark_class(below), mark_class(before)}
            return 0 if alike else _SECTION_LEVEL
        return _TITLE_LEVEL if self._begun else 1

    def _paragraph(self) -> Iterator[Piece]:
        """The paragraph that waits, as deep in a list as its margin and mark say."""
        if not self._waiting:
            return
        raw = self._raw[self._waiting[0]]
        text = " ".join(self._lines[position] for position in self._waiting)
        self._waiting.clear()
        margin = len(raw) - len(raw.lstrip(" \u00a0"))
        if is_item(text):
            indent = self._nesting.depth(margin, mark_class(text))
        else:
            indent = self._nesting.under(margin)
            self._nesting = self._nesting if indent else Nesting()
        for piece in at_articles(text):
            self._last = piece
            yield Piece(text=piece, indent=indent)
