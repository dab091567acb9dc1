"""Where French sentences begin and end in stored text."""

from __future__ import annotations

import itertools
import re
from functools import lru_cache

_ABBREVIATIONS = frozenset(
    "m mm mme mlle dr drs pr prof st ste cf ex p pp art vol no n° fig tab env moy inj cp "
    "i.v i.m s.c i.e e.g vs approx réf ref éd chap sect § av apr j.-c p.ex c.-à-d".split()
)
_END = re.compile(r"[.!?…]+[»”\")\]]*(?=\s|$)")
_BULLET = re.compile(r"^[ \t]*(?:[-–—•·▪■●○◦‣∙*►➢✓□]|\d{1,2}[.)°]|[a-z]\))[ \t\u00a0]+")
_TABLE_GAP = re.compile(r"\S(?:\t| {3,}|\s\|\s)\S")
_NEXT = re.compile(r"\s*[«“\"(\[]?\s*(.)")
_LAST_WORD = re.compile(r"([^\s(«\[]+)$")


def _is_stop(text: str, start: int, end: int) -> bool:
    """Whether the punctuation ``text[start:end]`` really ends a sentence.

    A full stop before a lower-case letter is an abbreviation or a genus (« E. coli »), unless a
    line ends there.
    """
    following = _NEXT.match(text, end)
    lower = following is not None and following.group(1).islower()
    if text[start] in "!?":
        return True
    if lower:
        return text[start] == "." and "\n" in text[end : end + 2] and not _abbreviated(text, start)
    return not (text[start] == "." and _abbreviated(text, start))


def _abbreviated(text: str, stop: int) -> bool:
    word = _LAST_WORD.search(text, max(0, stop - 14), stop)
    return word is not None and re.split(r"['’]", word.group(1).lower())[-1] in _ABBREVIATIONS


def _line_breaks(text: str) -> list[int]:
    """Offsets where a new line starts a new unit (heading, bullet, table row, paragraph)."""
    breaks: list[int] = []
    position = 0
    lines = text.split("\n")
    for number, line in enumerate(lines[:-1]):
        position += len(line) + 1
        after = lines[number + 1]
        if _starts_unit(line, after):
            breaks.append(position)
    return breaks


def _starts_unit(line: str, after: str) -> bool:
    before = line.rstrip()
    if not before or not after.strip():
        return True
    if _BULLET.match(after) or _TABLE_GAP.search(after) or _TABLE_GAP.search(line):
        return not before.endswith("-")
    first = after.lstrip()[0]
    if before.endswith(">") or (before[-1] in "]}" and first.isupper()):
        return True
    if before[-1] in ".!?…:;":
        return first.isupper() or before[-1] in ".!?"
    # A short line without closing punctuation, followed by a capital, is a heading.
    return len(before) < 60 and first.isupper() and before[:1].isupper() and before[-1] not in ",-"


@lru_cache(maxsize=2048)
def sentence_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Half-open spans of the sentences of ``text``, in order, without outer white space.

    Semicolons and colons do not end a sentence; a heading line, a bullet and a table row are
    units of their own; abbreviations, initials and decimal numbers do not end a sentence.
    """
    cuts = {0, len(text), *_line_breaks(text)}
    cuts.update(m.end() for m in _END.finditer(text) if _is_stop(text, m.start(), m.end()))
    ordered = sorted(cuts)
    spans = []
    for start, end in itertools.pairwise(ordered):
        piece = text[start:end]
        left = start + len(piece) - len(piece.lstrip())
        right = end - (len(piece) - len(piece.rstrip()))
        if left < right:
            spans.append((left, right))
    return tuple(spans)


def extend_to_sentences(text: str, start: int, end: int) -> tuple[int, int]:
    """The smallest run of whole sentences of ``text`` that covers ``start:end``."""
    touched = [(s, e) for s, e in sentence_spans(text) if s < end and e > start]
    if not touched:
        return start, end
    return min(touched[0][0], start), max(touched[-1][1], end)
