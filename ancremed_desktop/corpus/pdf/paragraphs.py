"""Joins the lines of a page into paragraphs, in the order the page is read."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass

from ancremed_desktop.corpus.pdf.layout import Line
from ancremed_desktop.corpus.pdf.line_text import (
    is_bullet,
    join_lines,
    line_text,
    starts_item,
    starts_with_call,
)
from ancremed_desktop.text.announcing import is_title

_JUSTIFIED_EM = 2.2
_CLEAR_GAP = 1.3
"""Lines of blank space, in em, that no sentence runs across."""
_HEADING_WIDTH = 0.6
"""How much of the line under it a line fills at most that was ended before it was full."""
_FEW_LINES = 3
_LINE_LETTERS = 30
_ROOM_EM = 2.5
"""Less room at the end of a line leaves none for most words."""
_CLOSED = re.compile(r"[.!?:;…][»”\")\]]*$")
_OPEN_WORD = re.compile(
    r"(?:\b(?:de|du|des|la|le|les|un|une|et|ou|à|au|aux|en|par|pour|avec|sans|sur|dans|chez|que|qui"
    r"|ne|pas|est|sont|ou)|[dlnsqj]u?[’']|,|\()$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """A paragraph, heading or list item. ``size`` in points; ``note``: text of a foot note."""

    text: str
    size: float
    bold: bool
    item: bool
    note: bool
    x0: float
    y0: float
    y1: float
    colour: int = 0
    position: int = 0
    """Index, in the page, of its first line: where tables are put back in order."""
    flaw: str = ""
    """Why its text cannot be taken as it reads (French), or empty."""
    marked: bool = False
    """A mark stood before it, as before an item of a list, and it is none: a heading in bold."""
    full: bool = False
    """Its last line fills the column: without a stop at its end, the sentence goes on elsewhere."""


def merge_fragments(lines: Sequence[tuple[int, Line]]) -> list[tuple[int, Line]]:
    """Pieces of one printed line put together again: list marks, raised characters, wide spaces.

    Pieces further apart than an em are columns and stay apart.
    """
    merged: list[tuple[int, Line]] = []
    shadows = _shadows(lines)
    for index, line in lines:
        if index in shadows:
            continue
        if merged:
            first, last = merged[-1]
            if _one_line(last, line):
                merged[-1] = (first, Line(runs=last.runs + line.runs, block=last.block))
                continue
        merged.append((index, line))
    return merged


def _shadows(lines: Sequence[tuple[int, Line]]) -> set[int]:
    """List marks drawn a second time beside the line that already has them."""
    marks = [(i, line) for i, line in lines if is_bullet(line.raw)]
    return {
        index
        for index, mark in marks
        for other_index, other in lines
        if other_index != index
        and other.raw.lstrip()[:1] == mark.raw.strip()[:1]
        and abs(other.baseline - mark.baseline) < 0.4 * mark.size
        and abs(other.x0 - mark.x0) < 2 * mark.size
        and len(other.raw.strip()) > len(mark.raw.strip())
    }


def _one_line(left: Line, right: Line) -> bool:
    overlap = min(left.y1, right.y1) - max(left.y0, right.y0)
    if overlap < 0.5 * min(left.y1 - left.y0, right.y1 - right.y0):
        return False
    gap = right.x0 - left.x1
    if is_bullet(left.raw):
        return -2 <= gap < 4.5 * max(left.size, right.size)
    # A justified line is drawn word by word: wide spaces are still spaces inside one block.
    widest = _JUSTIFIED_EM if left.block == right.block else 1.0
    return -2 <= gap < widest * max(left.size, right.size)


def is_one_column(lines: Sequence[tuple[int, Line]]) -> bool:
    """Whether no line stands beside another: the page then reads from top to bottom.

    Boxed headings are often drawn before the text around them; columns are drawn in order.
    """
    ordered = sorted((line for _index, line in lines), key=lambda line: line.y0)
    for position, one in enumerate(ordered):
        for other in ordered[position + 1 :]:
            if other.y0 > one.y1 - 0.4 * one.size:
                break
            if min(one.x1, other.x1) < max(one.x0, other.x0):
                return False
    return True


def paragraphs(
    lines: Sequence[tuple[int, Line]], vocabulary: Container[str], body_size: float
) -> list[Paragraph]:
    """Paragraphs of a page from its (index, line) pairs in reading order, fragments merged."""
    result: list[Paragraph] = []
    group: list[tuple[int, Line]] = []
    for index, line in lines:
        if group and _breaks(group, line, lines):
            result.append(_paragraph(group, vocabulary, body_size, lines))
            group = []
        group.append((index, line))
    if group:
        result.append(_paragraph(group, vocabulary, body_size, lines))
    return [p for p in result if p.text and not is_bullet(p.text)]


def _paragraph(
    group: Sequence[tuple[int, Line]],
    vocabulary: Container[str],
    body_size: float,
    lines: Sequence[tuple[int, Line]],
) -> Paragraph:
    text = ""
    for _index, line in group:
        text = join_lines(text, line_text(line), vocabulary)
    first = group[0][1]
    size = max((line.size for _i, line in group), key=lambda s: sum(s == g.size for _j, g in group))
    return Paragraph(
        text=text,
        size=size,
        bold=all(line.bold for _i, line in group),
        item=starts_item(line_text(first)),
        note=starts_with_call(first) and size < 0.95 * body_size,
        x0=first.x0,
        y0=first.y0,
        y1=group[-1][1].y1,
        colour=first.main.colour,
        position=group[0][0],
        flaw=next((line.flaw for _i, line in group if line.flaw), ""),
        full=_is_full(group, lines),
    )


def _breaks(
    group: Sequence[tuple[int, Line]], line: Line, lines: Sequence[tuple[int, Line]]
) -> bool:
    """Whether ``line`` opens a paragraph of its own after those of ``group``."""
    last = group[-1][1]
    text, before = line_text(line), line_text(last)
    if starts_item(text) or (starts_with_call(line) and line.size <= last.size):
        return True
    if line.y0 - last.y1 > _CLEAR_GAP * line.size:
        return True
    if len(group) == 1 and _reads_as_heading(last, line):
        return True
    if abs(line.size - last.size) > 0.08 * last.size + 0.3:
        return not runs_on(before, text) or abs(line.size - last.size) > 0.25 * last.size
    if last.bold != line.bold and all(member.bold == last.bold for _i, member in group):
        return not (runs_on(before, text) and last.block == line.block)
    gap = line.y0 - last.y1
    if line.y0 < last.y0 - 0.5 * last.size:  # next column, or a box drawn later
        return not (runs_on(before, text) or (_is_full(group, lines) and goes_on(before, text)))
    if gap > 0.75 * line.size:
        return True
    if abs(line.y0 - last.y0) < 0.5 * line.size:  # beside the other: columns without rulings
        return True
    if last.block == line.block and gap < 0.35 * line.size and not _CLOSED.search(before):
        return _apart(group, line) and not runs_on(before, text)
    return not runs_on(before, text) and (
        (bool(_CLOSED.search(before)) and (_short(group, line) or last.block != line.block))
        or last.block != line.block
    )


def _reads_as_heading(first: Line, line: Line) -> bool:
    """Whether a first line stands over a sentence: the words of a title, too few to be wrapped."""
    text, before = line_text(line), line_text(first)
    narrow = first.x1 - first.x0 < _HEADING_WIDTH * (line.x1 - line.x0)
    return narrow and is_title(before) and text[:1].isupper() and not ends_open(before)


def _is_full(group: Sequence[tuple[int, Line]], lines: Sequence[tuple[int, Line]]) -> bool:
    """Whether the last line of a group of several ends where the longest of its column does.

    Boxes of a diagram have short lines and say one thing each.
    """
    last = group[-1][1]
    column = [line for _i, line in lines if abs(line.x0 - last.x0) < last.size]
    right = max((line.x1 for line in column), default=last.x1)
    long = len(group) > 1 and len(column) > _FEW_LINES and len(last.raw) >= _LINE_LETTERS
    return long and last.x1 > right - _ROOM_EM * last.size


def _apart(group: Sequence[tuple[int, Line]], line: Line) -> bool:
    """Whether a line stands clear of the column above it, left or right."""
    left = min(member.x0 for _i, member in group)
    right = max(member.x1 for _i, member in group)
    return line.x0 > right or line.x1 < left


def _short(group: Sequence[tuple[int, Line]], line: Line) -> bool:
    """Whether the last line stops well before the width of its neighbours."""
    right = max([member.x1 for _i, member in group] + [line.x1])
    return group[-1][1].x1 < right - 2 * line.size


def goes_on(before: str, text: str) -> bool:
    """Whether a line may go on with one that has no stop at its end, were it after a full line."""
    return bool(text) and not (starts_item(text) or _CLOSED.search(before))


def runs_on(before: str, text: str) -> bool:
    """Whether the words themselves say that the sentence goes on."""
    if not text or starts_item(text):
        return False
    if before.endswith(("-", "\u00ad", "‐")) and before[-2:-1].isalpha() and text[0].islower():
        return True
    if _CLOSED.search(before):
        return False
    return text[0].islower() or ends_open(before) or text[0] in "()»"


def ends_open(text: str) -> bool:
    """Whether a text ends in a word that never ends a sentence (« chez », « de », « l’ »)."""
    return bool(_OPEN_WORD.search(text))
