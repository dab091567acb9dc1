"""Reads plain text: paragraphs apart by blank lines, headings by their wording."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ancremed_desktop.corpus.local.model import Piece
from ancremed_desktop.corpus.local.wording import tidy
from ancremed_desktop.text.articles import (
    at_articles,
    is_article_line,
    is_section_line,
    opening_label,
)
from ancremed_desktop.text.normalise import fold

_DIVISIONS = ("partie", "livre", "titre", "chapitre", "section", "sous-section", "annexe")
_DIVISION = re.compile(rf"({'|'.join(_DIVISIONS)}) (?:[ivxlc]+|\d+|[a-z]|premiere?|1er)\b")
_BULLET = re.compile(r"[-–—•·*▪●] +|\d{1,2}[.)°] +|[a-z]\) +")
_BLANK = re.compile(r"\n[ \t\u00a0]*\n+")
_SECTION_LEVEL = len(_DIVISIONS) + 1
_ARTICLE_LEVEL = _SECTION_LEVEL + 10
_MAX_HEADING = 120


def plain_pieces(text: str) -> Iterator[Piece]:
    """Headings, paragraphs and list items of a plain text."""
    for paragraph in _BLANK.split(text.replace("\r\n", "\n").replace("\r", "\n")):
        pending: list[str] = []
        for line in filter(None, map(tidy, paragraph.split("\n"))):
            level = heading_level(line)
            starts = level or _BULLET.match(line) or opening_label(line)
            if starts and pending:
                yield from _prose(pending)
                pending = []
            if level:
                yield Piece(text=line, level=level)
            else:
                pending.append(line)
        yield from _prose(pending)


def heading_level(line: str) -> int:
    """Depth of a line that reads as a heading (« Titre II », « 4.2 Posologie »), else 0.

    The number of an article is a heading when it stands alone on its line.
    """
    if is_article_line(line):
        return _ARTICLE_LEVEL
    division = _DIVISION.match(fold(line))
    if division and len(line) <= _MAX_HEADING and not line.endswith((".", ",", ";")):
        return _DIVISIONS.index(division[1]) + 1
    if is_section_line(line):
        return _SECTION_LEVEL + line.split(maxsplit=1)[0].strip(".)").count(".")
    return 0


def _prose(lines: list[str]) -> Iterator[Piece]:
    if lines:
        item = bool(_BULLET.match(lines[0]))
        for text in at_articles(" ".join(lines)):
            yield Piece(text=text, item=item)
