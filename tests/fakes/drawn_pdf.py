"""Small PDF files drawn for the tests of the HAS reader."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pymupdf

LEFT = 60.0
LEADING = 14.0


class Drawn:
    """A PDF being drawn, page by page."""

    def __init__(self) -> None:
        self.document = pymupdf.open()
        self.page = self.document.new_page(width=595, height=842)
        self.y = 130.0

    def new_page(self) -> None:
        self.page = self.document.new_page(width=595, height=842)
        self.y = 130.0

    def at(
        self, x: float, y: float, text: str, size: float = 11, *, bold: bool = False,
        color: tuple[float, float, float] = (0, 0, 0),
    ) -> float:  # fmt: skip
        """Write at a point; the x where the text ends."""
        font = "hebo" if bold else "helv"
        self.page.insert_text((x, y), text, fontsize=size, fontname=font, color=color)
        return x + float(pymupdf.get_text_length(text, fontname=font, fontsize=size))

    def lines(self, *texts: str, size: float = 11, bold: bool = False, x: float = LEFT) -> None:
        """Lines of one paragraph, then a gap."""
        for text in texts:
            self.at(x, self.y, text, size, bold=bold)
            self.y += LEADING * size / 11
        self.y += LEADING

    def call(self, before: str, raised: str, after: str) -> None:
        """A line with a raised piece in it, smaller and higher."""
        x = self.at(LEFT, self.y, before)
        x = self.at(x, self.y - 4, raised, 6.5)
        self.at(x, self.y, after)
        self.y += 2 * LEADING

    def table(
        self, xs: Sequence[float], rows: Sequence[Sequence[str]], height: float = 22,
        *, header_bold: bool = True, across: Sequence[int] = (),
    ) -> None:  # fmt: skip
        """A ruled table; the first row is bold. ``across``: rows that are one cell."""
        top = self.y
        for number, row in enumerate(rows):
            for x, text in zip(xs, row, strict=False):
                self.at(x + 4, top + 15 + number * height, text, 9, bold=header_bold and not number)
        bottom = top + height * len(rows)
        for number in range(len(rows) + 1):
            y = top + number * height
            self.page.draw_line((xs[0], y), (xs[-1], y))
        for x in (xs[0], xs[-1]):
            self.page.draw_line((x, top), (x, bottom))
        for x in xs[1:-1]:
            for number in (n for n in range(len(rows)) if n not in across):
                y = top + number * height
                self.page.draw_line((x, y), (x, y + height))
        self.y = bottom + 2 * LEADING

    def save(self, path: Path, **options: object) -> Path:
        self.document.save(path, **options)
        self.document.close()
        return path
