"""Widgets in a row where there is room for all, else on as many lines as they need."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget


class FittingRow(QWidget):
    """In one row, those before ``apart`` stand at the left, the others at the right; where there
    is no room the others begin a line of their own.

    One that may expand takes what is left of its line. The places are computed here rather than
    by a layout of our own: a layout written in Python shares its items with Qt, which deletes them.
    """

    def __init__(self, widgets: Sequence[QWidget], *, apart: int, spacing: int = 8) -> None:
        super().__init__()
        self._widgets = list(widgets)
        self._apart = self._widgets[apart:]
        self._spacing = spacing
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        for widget in self._widgets:
            widget.setParent(self)

    @property
    def wide(self) -> bool:
        """Whether all stand in one row."""
        return len(self._lines(self._room().width())) < 2

    def heightForWidth(self, width: int) -> int:
        """Height of the lines at a width, margins included in both."""
        margins = self.contentsMargins()
        lines = self._lines(width - margins.left() - margins.right())
        gaps = self._spacing * max(0, len(lines) - 1)
        return sum(map(_height, lines)) + gaps + margins.top() + margins.bottom()

    def sizeHint(self) -> QSize:
        """All in one row."""
        shown = self._shown()
        width = sum(map(_wanted, shown)) + self._spacing * max(0, len(shown) - 1)
        return self._around(width, _height([(widget, _wanted(widget)) for widget in shown]))

    def minimumSizeHint(self) -> QSize:
        """As narrow as its widest member."""
        shown = self._shown()
        widths = (max(w.minimumSizeHint().width(), w.minimumWidth()) for w in shown)
        heights = (w.minimumSizeHint().height() for w in shown)
        return self._around(max(widths, default=0), max(heights, default=0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Other lines for another width."""
        super().resizeEvent(event)
        self._place()

    def event(self, event: QEvent) -> bool:
        """A member that was shown, hidden or renamed may need other lines."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._place()
        return super().event(event)

    def _around(self, width: int, height: int) -> QSize:
        margins = self.contentsMargins()
        return QSize(
            width + margins.left() + margins.right(), height + margins.top() + margins.bottom()
        )

    def _room(self) -> QRect:
        return self.contentsRect()

    def _shown(self) -> list[QWidget]:
        return [widget for widget in self._widgets if not widget.isHidden()]

    def _lines(self, width: int) -> list[list[tuple[QWidget, int]]]:
        """Members of each line with their widths."""
        shown = self._shown()
        lines = _broken(shown, width, self._spacing)
        if len(lines) > 1:
            first = [widget for widget in shown if widget not in self._apart]
            others = [widget for widget in shown if widget in self._apart]
            lines = [
                *_broken(first, width, self._spacing),
                *_broken(others, width, self._spacing),
            ]
        return [_filled(line, width - self._used(line)) for line in lines]

    def _used(self, line: list[tuple[QWidget, int]]) -> int:
        return sum(width for _, width in line) + self._spacing * (len(line) - 1)

    def _place(self) -> None:
        room = self._room()
        lines = self._lines(room.width())
        apart = next((widget for widget in self._apart if not widget.isHidden()), None)
        y = room.y()
        for line in lines:
            height, x = _height(line), room.x()
            for widget, width in line:
                if len(lines) == 1 and widget is apart:
                    x += room.width() - self._used(line)
                tall = min(height, _height([(widget, width)]))
                widget.setGeometry(x, y + (height - tall) // 2, width, tall)
                x += width + self._spacing
            y += height + self._spacing


def _broken(
    widgets: Sequence[QWidget], width: int, spacing: int
) -> list[list[tuple[QWidget, int]]]:
    """As many widgets on each line as there is room for, with the widths they want."""
    lines: list[list[tuple[QWidget, int]]] = []
    left = 0
    for widget in widgets:
        wanted = min(_wanted(widget), width)
        if not lines or spacing + wanted > left:
            lines.append([])
            left = width + spacing
        lines[-1].append((widget, wanted))
        left -= wanted + spacing
    return lines


def _wanted(widget: QWidget) -> int:
    least = max(widget.minimumWidth(), widget.minimumSizeHint().width())
    return min(max(widget.sizeHint().width(), least), widget.maximumWidth())


def _filled(line: list[tuple[QWidget, int]], left: int) -> list[tuple[QWidget, int]]:
    growing = [
        widget
        for widget, _ in line
        if widget.sizePolicy().expandingDirections() & Qt.Orientation.Horizontal
    ]
    share = left // len(growing) if growing else 0
    return [(widget, width + share if widget in growing else width) for widget, width in line]


def _height(line: Sequence[tuple[QWidget, int]]) -> int:
    heights = (
        widget.heightForWidth(width) if widget.hasHeightForWidth() else widget.sizeHint().height()
        for widget, width in line
    )
    return max(heights, default=0)
