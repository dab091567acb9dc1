"""Strokes drawn by hand through words: slanted, wavy, or in the ink of a pen.

What strikes level is told by the rulings of a page; a hand’s stroke is one path, as flat as a line
of text, that neither stands level nor fills a shape.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import pymupdf

from ancremed_desktop.corpus.pdf.layout import Ruling

_HIGHEST = 12.0
"""Points: a higher path goes through several lines, or is a figure."""
_SHORTEST = 15.0
_FLATTEST = 0.35
"""Most of its height a stroke may have to its length: more is a check mark or a letter."""


def hand_strokes(page: pymupdf.Page, drawings: Iterable[Mapping[str, object]]) -> Iterator[Ruling]:
    """The strokes of a page that a hand may have drawn through words, each as a level one."""
    for drawing in drawings:
        if drawing.get("type") == "s" and _is_free(drawing.get("items")):
            yield from _level(drawing.get("rect"))
    for annot in page.annots([pymupdf.PDF_ANNOT_INK, pymupdf.PDF_ANNOT_POLY_LINE]):
        yield from _level(tuple(annot.rect))


def _is_free(items: object) -> bool:
    """Whether a path has a curve or a line that is not level nor upright, and no box."""
    listed = items if isinstance(items, Sequence) else ()
    kinds = [item[0] for item in listed]
    slanted = any(
        abs(item[1][1] - item[2][1]) >= 1 and abs(item[1][0] - item[2][0]) >= 1
        for item in listed
        if item[0] == "l"
    )
    return bool(kinds) and set(kinds) <= {"l", "c"} and ("c" in kinds or slanted)


def _level(box: object) -> Iterator[Ruling]:
    if not isinstance(box, Sequence):
        return
    left, top, right, bottom = box
    wide, high = right - left, bottom - top
    if wide >= _SHORTEST and high <= min(_HIGHEST, _FLATTEST * wide):
        yield Ruling(at=(top + bottom) / 2, start=left, end=right)
