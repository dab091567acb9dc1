"""What a PDF page looks like: text runs, lines, rulings; plain data without PyMuPDF.

Coordinates are in points (1/72 inch), origin at the top left of the visible page, y downwards.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A stretch of text of one style. ``baseline``: y of the baseline; ``colour``: 0xRRGGBB.

    ``symbol_font``: Adobe Symbol encoding; ``picture_font``: Wingdings and the like.
    ``seen``: it is drawn. ``flaw``: why it cannot be taken as it reads (French), or empty.
    """

    text: str
    x0: float
    x1: float
    y0: float
    y1: float
    baseline: float
    size: float
    bold: bool
    symbol_font: bool = False
    picture_font: bool = False
    colour: int = 0
    seen: bool = True
    flaw: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Runs of one baseline, left to right, as the page draws them. ``block``: drawing order."""

    runs: tuple[Run, ...]
    block: int

    @property
    def x0(self) -> float:
        """Left edge."""
        return self.runs[0].x0

    @property
    def x1(self) -> float:
        """Right edge."""
        return max(run.x1 for run in self.runs)

    @property
    def y0(self) -> float:
        """Top edge."""
        return min(run.y0 for run in self.runs)

    @property
    def y1(self) -> float:
        """Bottom edge."""
        return max(run.y1 for run in self.runs)

    @property
    def main(self) -> Run:
        """The run that sets the style: the one with most letters and digits, never blank."""
        return max(self.runs, key=lambda run: sum(map(str.isalnum, run.text)) * 100 + run.size)

    @property
    def size(self) -> float:
        """Font size of the main run."""
        return self.main.size

    @property
    def baseline(self) -> float:
        """Baseline of the main run."""
        return self.main.baseline

    @property
    def flaw(self) -> str:
        """Why some of its text cannot be taken as it reads (French), or empty."""
        return next((run.flaw for run in self.runs if run.flaw), "")

    @property
    def raw(self) -> str:
        """Text as drawn, without any repair."""
        return "".join(run.text for run in self.runs)

    @property
    def bold(self) -> bool:
        """Whether all its letters are bold."""
        lettered = [run for run in self.runs if any(map(str.isalnum, run.text))]
        return bool(lettered) and all(run.bold for run in lettered)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """A horizontal or vertical line. ``at``: its y (or x); from ``start`` to ``end`` along it."""

    at: float
    start: float
    end: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLayout:
    """One page. ``number`` from 1; ``overlaps``: runs drawn over one another.
    ``shade_*``: edges where a coloured background ends, which no ruling need mark.
    ``turned``: text of lines printed upright or slanted.
    """

    number: int
    label: str
    width: float
    height: float
    lines: tuple[Line, ...]
    horizontal: tuple[Ruling, ...]
    vertical: tuple[Ruling, ...]
    shade_horizontal: tuple[Ruling, ...] = ()
    shade_vertical: tuple[Ruling, ...] = ()
    overlaps: int = 0
    turned: tuple[str, ...] = ()
    has_image: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfLayout:
    """A whole file as laid out; ``metadata_title`` as its author typed it."""

    pages: tuple[PageLayout, ...]
    metadata_title: str = ""

    @property
    def margin_texts(self) -> tuple[str, ...]:
        """Turned lines of all pages: copyright, printer's marks; no part of the text."""
        return tuple(text for page in self.pages for text in page.turned)
