"""Widgets in a row where there is room for all, else on as many lines as they need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class _Flow(QLayout):
    """Lines of items; one that may expand takes what is left of its line."""

    def __init__(self, apart: int, spacing: int) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._apart = apart
        self.setSpacing(spacing)
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation.Horizontal

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        lines = list(self.lines(width))
        gaps = self.spacing() * max(0, len(lines) - 1)
        return sum(_height(line) for line in lines) + gaps

    def sizeHint(self) -> QSize:
        items = self._shown()
        gaps = self.spacing() * max(0, len(items) - 1)
        width = sum(item.sizeHint().width() for item in items) + gaps
        return QSize(width, max((item.sizeHint().height() for item in items), default=0))

    def minimumSize(self) -> QSize:
        items = self._shown()
        width = max((item.minimumSize().width() for item in items), default=0)
        return QSize(width, max((item.minimumSize().height() for item in items), default=0))

    def lines(self, width: int) -> Iterator[list[tuple[QLayoutItem, int]]]:
        """Items of each line with their widths."""
        line: list[tuple[QLayoutItem, int]] = []
        used = 0
        for item in self._shown():
            wanted = min(item.sizeHint().width(), width)
            if line and used + self.spacing() + wanted > width:
                yield self._filled(line, width - used)
                line, used = [], 0
            used += wanted + (self.spacing() if line else 0)
            line.append((item, wanted))
        if line:
            yield self._filled(line, width - used)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        lines = list(self.lines(rect.width()))
        y = rect.y()
        for line in lines:
            height = _height(line)
            gaps = self.spacing() * (len(line) - 1)
            left = rect.width() - gaps - sum(width for _, width in line)
            x = rect.x()
            for item, width in line:
                if len(lines) == 1 and item is self._first_apart():
                    x += left
                own = item.heightForWidth(width) if item.hasHeightForWidth() else -1
                tall = min(height, own if own > 0 else item.sizeHint().height())
                item.setGeometry(QRect(QPoint(x, y + (height - tall) // 2), QSize(width, tall)))
                x += width + self.spacing()
            y += height + self.spacing()

    def _filled(
        self, line: list[tuple[QLayoutItem, int]], left: int
    ) -> list[tuple[QLayoutItem, int]]:
        growing = [
            item for item, _ in line if item.expandingDirections() & Qt.Orientation.Horizontal
        ]
        if not growing:
            return line
        share = left // len(growing)
        return [(item, width + share if item in growing else width) for item, width in line]

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _first_apart(self) -> QLayoutItem | None:
        after = (item for item in self._items[self._apart :] if not item.isEmpty())
        return next(after, None)


def _height(line: list[tuple[QLayoutItem, int]]) -> int:
    heights = (
        item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()
        for item, width in line
    )
    return max(heights, default=0)


class FittingRow(QWidget):
    """Widgets in a row, or on several lines where there is no room.

    In one row, those before ``apart`` stand at the left, the others at the right.
    """

    def __init__(self, widgets: Sequence[QWidget], *, apart: int, spacing: int = 8) -> None:
        super().__init__()
        self._flow = _Flow(apart, spacing)
        for widget in widgets:
            self._flow.addWidget(widget)
        self.setLayout(self._flow)

    @property
    def wide(self) -> bool:
        """Whether all stand in one row."""
        return len(list(self._flow.lines(self.width()))) < 2
