"""Which text of a page a reader would not see, told from the page as it is drawn.

Text is hidden in more ways than a file can be asked about: the colour of its background, no
opacity, a box or an image laid over it, a clip, a layer turned off. All leave no contrast.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from math import sqrt

import pymupdf

from ancremed_desktop.corpus.omitted import CUT, HIDDEN
from ancremed_desktop.corpus.pdf.layout import Line, Run

_CONTRAST = 30
"""Least difference, of 255, between a letter and what is behind it in one primary colour.

A grey of 90 % on white has 25: no printer and few screens show it.
"""
_LETTER_EM = 0.5
"""Height of small letters over their baseline."""
_SMALLEST = 2.0
"""Points; no eye reads smaller letters."""
_FEW_PIXELS = 4.0
_LARGER = 4.0
_MAX_PIXELS = 4_000_000
SIGNS = "<>≤≥±×=%,."
"""Signs that change what a figure says."""


def with_hidden(drawn: Drawn, lines: Sequence[Line]) -> tuple[Line, ...]:
    """The lines of a page, runs that show no letters marked as hidden.

    Text that is not drawn at all (``seen``) is that of a scan where the picture shows letters.
    """
    runs = [run for line in lines for run in line.runs if _is_judged(run)]
    hidden = {
        id(run)
        for run in runs
        if run.size < _SMALLEST or drawn.is_blank(*_inside(run), run.baseline, run.size)
    }
    if not hidden:
        return tuple(lines)
    return tuple(
        replace(
            line,
            runs=tuple(replace(r, flaw=HIDDEN) if id(r) in hidden else r for r in line.runs),
        )
        for line in lines
    )


def _is_judged(run: Run) -> bool:
    """Whether a run holds words or a sign that counts; one letter may be the bullet of another
    font.
    """
    text = run.text
    signs = any(char.isdigit() or char in SIGNS for char in text)
    return signs or sum(map(str.isalnum, text)) > 1


def _inside(run: Run) -> tuple[float, float]:
    """Where letters of a run stand; of one letter alone, where no neighbour’s ink does."""
    alone = len(run.text.strip()) == 1
    return (run.x0 + 0.5, run.x1 - 1) if alone else (run.x0, run.x1)


class Drawn:
    """A page as it is drawn. Greys first, which cost less: colours of one grey are looked at where
    there is no contrast.
    """

    def __init__(self, page: pymupdf.Page) -> None:
        self._page = page
        area = max(1.0, page.rect.width * page.rect.height)
        self._scale = min(1.0, sqrt(_MAX_PIXELS / area))

    @cached_property
    def _grey(self) -> _Pixels:
        return _Pixels(self._page, self._scale, pymupdf.csGRAY)

    @cached_property
    def _colours(self) -> _Pixels:
        return _Pixels(self._page, self._scale, pymupdf.csRGB)

    def is_blank(self, x0: float, x1: float, baseline: float, size: float) -> bool:
        """Whether what is drawn where small letters stand is of one colour."""
        place = (x0, x1, baseline, size)
        if not (self._grey.is_blank(*place) and self._colours.is_blank(*place)):
            return False
        return x1 - x0 > _FEW_PIXELS or self._is_blank_near(*place)

    def _is_blank_near(self, x0: float, x1: float, baseline: float, size: float) -> bool:
        """The same of a place of a few pixels, which may be of one grey, drawn larger."""
        clip = pymupdf.Rect(x0, baseline - _LETTER_EM * size, max(x1, x0 + 1), baseline)
        matrix = pymupdf.Matrix(_LARGER, _LARGER)
        image = self._page.get_pixmap(matrix=matrix, clip=clip, alpha=False)
        levels = [image.samples[colour :: image.n] for colour in range(image.n)]
        return all(max(level) - min(level) < _CONTRAST for level in levels if level)


class _Pixels:
    """A byte for each colour of each pixel of a page."""

    def __init__(self, page: pymupdf.Page, scale: float, colours: pymupdf.Colorspace) -> None:
        image = page.get_pixmap(
            matrix=pymupdf.Matrix(scale, scale), colorspace=colours, alpha=False
        )
        self._scale = scale
        self._colours = image.n
        self._width, self._height, self._stride = image.width, image.height, image.stride
        self._samples = bytes(image.samples_mv)

    def is_blank(self, x0: float, x1: float, baseline: float, size: float) -> bool:
        """See ``Drawn.is_blank``. The row through the middle of the letters is looked at first: it
        crosses nearly all.
        """
        left = max(0, int(x0 * self._scale))
        right = min(self._width, int(x1 * self._scale) + 1)
        high = baseline - _LETTER_EM * size
        top, bottom = int(max(0, high) * self._scale), int(baseline * self._scale) + 1
        bottom = min(bottom, self._height)
        if left >= right or top >= bottom:
            return False
        rows = ((top + bottom) // 2, *range(top, bottom))
        return all(self._is_even(rows, left, right, colour) for colour in range(self._colours))

    def _is_even(self, rows: Sequence[int], left: int, right: int, colour: int) -> bool:
        lowest, highest = 255, 0
        for row in rows:
            start = row * self._stride + colour
            part = self._samples[
                start + left * self._colours : start + right * self._colours : self._colours
            ]
            lowest, highest = min((lowest, *part)), max((highest, *part))
            if highest - lowest >= _CONTRAST:
                return False
        return True


def with_cuts(lines: Sequence[Line], unclipped: Sequence[Line], width: float) -> tuple[Line, ...]:
    """The lines of a page, those that run over its left or right edge marked as cut.

    ``unclipped``: the same lines with what stands outside the page.
    """
    over = [
        line
        for line in unclipped
        if _worded(line) and (line.x0 < -line.size < line.x1 or _end(line) > width + line.size)
    ]
    return tuple(
        replace(line, runs=tuple(replace(run, flaw=run.flaw or CUT) for run in line.runs))
        if any(_is_part(line, whole) for whole in over)
        else line
        for line in lines
    )


def _worded(line: Line) -> bool:
    return sum(map(str.isalnum, line.raw)) > 1


def _end(line: Line) -> float:
    """Right edge of its words, blanks at the end left out."""
    return max((run.x1 for run in line.runs if run.text.strip()), default=line.x0)


def _is_part(line: Line, whole: Line) -> bool:
    same = abs(line.baseline - whole.baseline) < 0.5 * line.size
    return same and line.x0 < whole.x1 and line.x1 > whole.x0


def near_edge(lines: Sequence[Line], width: float) -> bool:
    """Whether a line ends so near the left or right edge that it may go on beyond."""
    return any(line.x0 < line.size or line.x1 > width - line.size for line in lines)
