"""Marks of list items and how deep each stands: « • », « 1. », « a) », by margin and mark."""

from __future__ import annotations

import re

MARK = re.compile(
    r"[ \t]*(?:([•·▪■●○◦‣∙►▶➢✓✗□❖→´])[ \t\u00a0]*"
    r"|([-–—‒−*o]|\d{1,2}[.)°](?!\d)|\(\d{1,2}\)|[a-z]\))[ \t\u00a0]+)(?=\S)"
)
"""The mark of a list item or note, at the start of its line."""
INDENT = "  "
"""Before a line, once for each level of list within a list."""


def is_item(text: str) -> bool:
    """Whether a text begins with the mark of a list item."""
    return bool(MARK.match(text))


class Nesting:
    """Follows a list from item to item: how deep each stands, by its margin and mark.

    An item with the margin of one before but another mark stands within it.
    """

    def __init__(self) -> None:
        self._open: list[tuple[int, str]] = []

    def depth(self, margin: int, mark: str) -> int:
        """Depth of the next item, from 0."""
        key = (margin, mark)
        if key in self._open:
            del self._open[self._open.index(key) + 1 :]
        else:
            while self._open and self._open[-1][0] > margin:
                self._open.pop()
            self._open.append(key)
        return len(self._open) - 1

    def under(self, margin: int) -> int:
        """Depth of a line without mark: within the last item that stands further left."""
        return sum(1 for left, _mark in self._open if left < margin)


def mark_class(text: str) -> str:
    """The mark of an item, numbers and letters being one class each; empty: no item."""
    found = MARK.match(text)
    if not found:
        return ""
    return re.sub(r"[a-z]\)", "a)", re.sub(r"\d+", "1", found[1] or found[2]))
