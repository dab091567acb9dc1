"""Which letters of a page something drawn later lies over: a box, an image, a note of a reader.

``ink`` looks at whole runs; here single letters are, where a box or a picture was drawn after them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import pymupdf

from ancremed_desktop.corpus.omitted import HIDDEN, PICTURED
from ancremed_desktop.corpus.pdf.ink import SIGNS, Drawn
from ancremed_desktop.corpus.pdf.layout import Line, Run

Box = tuple[float, float, float, float]
"""Left, top, right and bottom, in points."""
_FILLS = frozenset({"fill-path", "fill-image", "fill-shade", "fill-imgmask"})
_TEXTS = frozenset({"fill-text", "stroke-text", "clip-text"})
_THINNEST = 3.0
"""Points; what is no higher or wider is a ruling."""
_OVER = frozenset(
    {
        pymupdf.PDF_ANNOT_SQUARE, pymupdf.PDF_ANNOT_CIRCLE, pymupdf.PDF_ANNOT_POLYGON,
        pymupdf.PDF_ANNOT_LINE, pymupdf.PDF_ANNOT_POLY_LINE, pymupdf.PDF_ANNOT_INK,
    }
)  # fmt: skip
"""Notes that cover when they are filled."""
_WRITING = frozenset({pymupdf.PDF_ANNOT_FREE_TEXT, pymupdf.PDF_ANNOT_STAMP})
"""Notes whose own words or picture stand in the line."""
_NARROW_EM = 0.35
_LATE = 1_000_000
"""Notes are drawn after all that a page holds."""


class _Cover(NamedTuple):
    """What is drawn as the ``order``-th thing of a page."""

    order: int
    box: Box


class _Letter(NamedTuple):
    text: str
    x: float
    baseline: float
    size: float
    order: int
    box: Box

    @property
    def middle(self) -> tuple[float, float]:
        """Left and right of its third, where neither neighbours nor the frame of a box stand."""
        third = (self.box[2] - self.box[0]) / 3
        return self.box[0] + third, self.box[2] - third


def with_covered(page: pymupdf.Page, drawn: Drawn, lines: Sequence[Line]) -> tuple[Line, ...]:
    """The lines of a page, runs with letters that something lies over marked as hidden."""
    notes = [(annot.type[0], _box(annot.rect)) for annot in page.annots()]
    gone = [box for kind, box in notes if kind == pymupdf.PDF_ANNOT_REDACT]
    fields = [_box(field.rect) for field in page.widgets() if field.field_value]
    fields += [box for kind, box in notes if kind in _WRITING]
    log = page.get_bboxlog()
    texts = [order for order, (kind, _box_) in enumerate(log) if kind in _TEXTS]
    covers = [
        _Cover(order, box)
        for order, (kind, box) in enumerate(log)
        if kind in _FILLS and texts and order > texts[0] and _is_solid(box)
    ]
    covers += [_Cover(_LATE, box) for kind, box in notes if kind in _OVER]
    hidden = _hidden_places(page, drawn, lines, covers)
    if not (gone or fields or hidden):
        return tuple(lines)
    return tuple(
        replace(line, runs=tuple(_marked(run, gone, fields, hidden) for run in line.runs))
        for line in lines
    )


def _hidden_places(
    page: pymupdf.Page, drawn: Drawn, lines: Sequence[Line], covers: Sequence[_Cover]
) -> list[tuple[float, float]]:
    """(x, baseline) of the letters that a cover leaves unseen."""
    near = [c for c in covers if any(_meets(run, c.box) for line in lines for run in line.runs)]
    if not near:
        return []
    letters = list(_letters(page.get_texttrace()))
    under = [(letter, c) for letter in letters for c in near if _lies_over(c, letter)]
    return [
        (letter.x, letter.baseline)
        for letter, cover in under
        if drawn.is_blank(*letter.middle, letter.baseline, letter.size)
        or any(_lies_later(other, cover, letter) for other in letters)
    ]


def _letters(trace: Sequence[Mapping[str, object]]) -> Iterator[_Letter]:
    """Letters, figures and signs with the order in which they are drawn."""
    for span in trace:
        size, order = span["size"], span["seqno"]
        if not (isinstance(size, float) and isinstance(order, int)):
            continue
        chars = span["chars"]
        for code, _glyph, origin, box in chars if isinstance(chars, (list, tuple)) else ():
            text = chr(code) if 0 < code < 0x110000 else ""
            wide = box[2] - box[0] > _NARROW_EM * size  # the stem of an « l » is of one colour
            if wide and (text.isalnum() or text in SIGNS):
                yield _Letter(text, (box[0] + box[2]) / 2, origin[1], size, order, _box(box))


def _lies_over(cover: _Cover, letter: _Letter) -> bool:
    left, top, right, bottom = cover.box
    middle = letter.baseline - 0.3 * letter.size
    return cover.order > letter.order and left < letter.x < right and top < middle < bottom


def _lies_later(other: _Letter, cover: _Cover, letter: _Letter) -> bool:
    """Whether another letter is written over a cover where a letter lies under it."""
    return (
        other.order > cover.order
        and other.box[0] < letter.x < other.box[2]
        and abs(other.baseline - letter.baseline) < 0.5 * letter.size
    )


def _meets(run: Run, box: Box) -> bool:
    left, top, right, bottom = box
    return left < run.x1 and right > run.x0 and top < run.baseline - 1 and bottom > run.y0 + 1


def _is_solid(box: Box) -> bool:
    left, top, right, bottom = box
    return right - left > _THINNEST and bottom - top > _THINNEST


def _marked(
    run: Run, gone: Sequence[Box], fields: Sequence[Box], hidden: Sequence[tuple[float, float]]
) -> Run:
    if run.flaw or not run.text.strip():
        return run
    if any(_meets(run, box) for box in gone) or any(
        run.x0 <= x <= run.x1 and abs(run.baseline - at) < 0.3 * run.size for x, at in hidden
    ):
        return replace(run, flaw=HIDDEN)
    return replace(run, flaw=PICTURED) if any(_meets(run, box) for box in fields) else run


def _box(rect: Sequence[float]) -> Box:
    left, top, right, bottom = rect
    return (left, top, right, bottom)
