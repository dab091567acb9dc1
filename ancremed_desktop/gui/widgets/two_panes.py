"""Two panes side by side where there is room for both, else one at a time."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from ancremed_desktop.gui.theme import Appearance


class TwoPanes(QSplitter):
    """The second pane stands beside the first when both have their least width."""

    narrowed = Signal(bool)
    """Whether one pane at a time is shown from now on."""

    def __init__(
        self,
        first: QWidget,
        second: QWidget,
        appearance: Appearance,
        least: tuple[int, int],
        *,
        both: bool,
    ) -> None:
        """``least``: narrowest useful width of each pane at 100 %, in pixels. ``both``: the
        second pane is always shown where there is room, else only when it is asked for.
        """
        super().__init__(Qt.Orientation.Horizontal)
        self._appearance = appearance
        self._least = least
        self._first, self._second = first, second
        self._both = both
        self._wanted = False
        self.narrow = False
        """Whether one pane at a time is shown."""
        self.setChildrenCollapsible(False)
        self.setHandleWidth(5)
        self.addWidget(first)
        self.addWidget(second)
        appearance.changed.connect(self._arrange)
        self._place()

    def show_second(self, wanted: bool) -> None:
        """Show the second pane, alone when there is no room for both; else the first."""
        self._wanted = wanted
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """There may be room for both now, or no more."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        narrow = self.width() < sum(self._appearance.px(width) for width in self._least)
        if narrow is not self.narrow:
            self.narrow = narrow
            self._place()
            self.narrowed.emit(narrow)

    def _place(self) -> None:
        self._first.setVisible(not (self.narrow and self._wanted))
        self._second.setVisible(self._wanted or (self._both and not self.narrow))
