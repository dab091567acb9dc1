"""Which text of a page is struck through or cannot be seen; what it says must not be taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ancremed_desktop.corpus.omitted import HIDDEN, STRUCK
from ancremed_desktop.corpus.pdf.layout import Line, Ruling, Run

_BAND = (0.12, 0.55)
"""Where a stroke strikes a word, in heights of letters above its baseline."""
_BEYOND_EM = 2.5
"""How far a stroke may stick out of the words it strikes: a ruling goes on to the margins."""
Box = tuple[float, float, float, float]
"""Left, top, right and bottom, in points."""


def marked(
    lines: Sequence[Line],
    strokes: Sequence[Ruling],
    struck_boxes: Callable[[], Sequence[Box]],
    by_hand: Sequence[Ruling] = (),
) -> tuple[Line, ...]:
    """The lines, each run with its flaw. ``strokes``: all that is drawn level; ``struck_boxes``:
    where the library sees struck letters, asked only when a stroke crosses some: each of the two
    also takes a decoration for a strike. ``by_hand``: what strikes whatever the library sees.

    Text that is not drawn is the text of a scanned page when it is most of it, else hidden.
    """
    letters = [(run.seen, len(run.text.strip())) for line in lines for run in line.runs]
    unseen = sum(count for seen, count in letters if not seen)
    hides = 2 * unseen <= sum(count for _seen, count in letters)
    crossed = [[s for s in strokes if _strikes(s, line)] for line in lines]
    sure = struck_boxes() if any(crossed) else ()
    made = []
    for line, strikes in zip(lines, crossed, strict=True):
        struck = strikes if any(_covers(box, line) for box in sure) else []
        struck += [s for s in by_hand if _strikes(s, line)]
        runs = tuple(replace(run, flaw=_flaw(run, line, struck, hides=hides)) for run in line.runs)
        made.append(replace(line, runs=runs))
    return tuple(made)


def _strikes(stroke: Ruling, line: Line) -> bool:
    above = (line.baseline - stroke.at) / line.size
    beyond = _BEYOND_EM * line.size
    inside = line.x0 - beyond <= stroke.start and stroke.end <= line.x1 + beyond
    return _BAND[0] < above < _BAND[1] and inside


def _covers(box: Box, line: Line) -> bool:
    left, top, right, bottom = box
    middle = line.baseline - 0.3 * line.size
    return top < middle < bottom and left < line.x1 and right > line.x0


def _flaw(run: Run, line: Line, struck: Sequence[Ruling], *, hides: bool) -> str:
    if run.flaw:
        return run.flaw
    raised = line.baseline - run.baseline > 0.1 * line.size
    if raised or not any(map(str.isalnum, run.text)):
        return ""
    if hides and not run.seen:
        return HIDDEN
    return STRUCK if any(s.start < run.x1 - 1 and s.end > run.x0 + 1 for s in struck) else ""
