"""How deep in a list each item of a PDF stands: by its left edge and its mark."""

from __future__ import annotations

from ancremed_desktop.corpus.pdf.paragraphs import Paragraph
from ancremed_desktop.text.announcing import WITHHELD
from ancremed_desktop.text.list_marks import Nesting, mark_class

UNKNOWN_LEVEL = f"{WITHHELD}\u00a0: à quoi se rattache ce qui suit n’est pas sûr, voir l’original.]"
"""Stands before an item of which it cannot be known within which item it stands."""
_SAME_EM = 0.45
"""Left edges nearer than that are one margin."""
_DEEPER_EM = 6.0
"""An item further right than that stands in another column or box."""


class ItemDepths:
    """Follows the lists of a document; a list may go on overleaf or in the next column."""

    def __init__(self) -> None:
        self._bottom = 0.0
        self._restart()

    def turn_page(self) -> None:
        """The next paragraph stands on another page."""
        self._bottom = 0.0

    def indent(self, paragraph: Paragraph) -> int | None:
        """Levels of list around a paragraph, 0 for what is no item; None: that cannot be known."""
        risen = paragraph.y0 < self._bottom - paragraph.size
        self._bottom = paragraph.y1
        if not paragraph.item:
            self._restart()
            return 0
        nested_alike = len(self._depths) > 1 and len(self._marks) == 1
        if risen or self._far(paragraph):
            self._restart()
        unknown = risen and nested_alike
        mark = mark_class(paragraph.text)
        depth = self._nesting.depth(self._margin(paragraph), mark)
        self._marks.add(mark)
        self._depths.add(depth)
        return None if unknown else depth

    def _far(self, paragraph: Paragraph) -> bool:
        return bool(self._margins) and (
            paragraph.x0 - max(self._margins) > _DEEPER_EM * paragraph.size
        )

    def _margin(self, paragraph: Paragraph) -> int:
        """Number of the margin an item stands at, margins further right having greater ones."""
        for margin in self._margins:
            if abs(margin - paragraph.x0) < _SAME_EM * paragraph.size:
                return round(margin)
        self._margins.append(paragraph.x0)
        return round(paragraph.x0)

    def _restart(self) -> None:
        self._margins: list[float] = []
        self._marks: set[str] = set()
        self._depths: set[int] = set()
        self._nesting = Nesting()
