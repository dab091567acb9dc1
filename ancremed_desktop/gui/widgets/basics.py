"""Small building blocks: labels, badges, buttons, cards, columns of readable width, folds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from ancremed_desktop.gui.icons import Tint
from ancremed_desktop.gui.theme import READING_CHARACTERS, Appearance


def label(text: str, kind: str = "", *, wrap: bool = True) -> QLabel:
    """A label of ours; ``kind`` is a ``type`` of the style sheet. Never interprets markup."""
    widget = QLabel(text)
    widget.setTextFormat(Qt.TextFormat.PlainText)
    widget.setWordWrap(wrap)
    if kind:
        widget.setProperty("type", kind)
    return widget


def badge(text: str, kind: str = "plain") -> QLabel:
    """A short mark beside a source line; ``kind``: plain, accent, warning or danger."""
    widget = label(text, wrap=False)
    widget.setProperty("badge", kind)
    widget.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
    return widget


def button(text: str, role: str = "", *, tip: str = "") -> QPushButton:
    """A push button; ``role``: primary, stop, flat, link, fold, example or choice."""
    widget = QPushButton(text)
    widget.setCursor(Qt.CursorShape.PointingHandCursor)
    widget.setAutoDefault(False)
    if role:
        widget.setProperty("role", role)
    if tip:
        widget.setToolTip(tip)
    return widget


def column(spacing: int = 8, margins: tuple[int, int, int, int] = (0, 0, 0, 0)) -> QVBoxLayout:
    """A vertical layout; margins: left, top, right, bottom."""
    layout = QVBoxLayout()
    layout.setSpacing(spacing)
    layout.setContentsMargins(*margins)
    return layout


def row(spacing: int = 8, margins: tuple[int, int, int, int] = (0, 0, 0, 0)) -> QHBoxLayout:
    """A horizontal layout; margins: left, top, right, bottom."""
    layout = QHBoxLayout()
    layout.setSpacing(spacing)
    layout.setContentsMargins(*margins)
    return layout


def frame(role: str, layout: QLayout) -> QFrame:
    """A card of the style sheet around a layout."""
    widget = QFrame()
    widget.setProperty("role", role)
    widget.setLayout(layout)
    return widget


def restyle(widget: QWidget, name: str, value: str) -> None:
    """Set a property the style sheet looks at, and look again."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def clear(layout: QLayout) -> None:
    """Take everything out of a layout and delete it."""
    while (item := layout.takeAt(0)) is not None:
        widget, inner = item.widget(), item.layout()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        elif inner is not None:
            clear(inner)


class FittingRow(QWidget):
    """Widgets in a row where there is room for all, else one under the other.

    Those before ``apart`` stand at the left, the others at the right.
    """

    def __init__(self, widgets: Sequence[QWidget], *, apart: int, spacing: int = 8) -> None:
        super().__init__()
        self._widgets = list(widgets)
        self._spacing = spacing
        self._layout = row(spacing)
        # Else the row could never become narrower than itself.
        self._layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        for number, widget in enumerate(self._widgets):
            if number == apart:
                self._layout.addStretch(1)
            self._layout.addWidget(widget)
        if apart >= len(self._widgets):
            self._layout.addStretch(1)
        self.setLayout(self._layout)

    @property
    def wide(self) -> bool:
        """Whether all stand in one row."""
        return self._layout.direction() is QBoxLayout.Direction.LeftToRight

    def minimumSizeHint(self) -> QSize:
        """As narrow as its widest member."""
        width = max((w.minimumSizeHint().width() for w in self._widgets), default=0)
        return QSize(width, self._layout.minimumSize().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Beside one another, else under."""
        super().resizeEvent(event)
        needed = sum(w.sizeHint().width() + self._spacing for w in self._widgets)
        directions = QBoxLayout.Direction
        wanted = directions.LeftToRight if self.width() >= needed else directions.TopToBottom
        if self._layout.direction() is not wanted:
            self._layout.setDirection(wanted)
            for widget in self._widgets:
                side = Qt.AlignmentFlag.AlignLeft if wanted is directions.TopToBottom else None
                self._layout.setAlignment(widget, side or Qt.AlignmentFlag(0))
            self.updateGeometry()


class Column(QWidget):
    """Content centred in the available width, never wider than comfortable reading."""

    def __init__(
        self, content: QWidget, appearance: Appearance, characters: int = READING_CHARACTERS
    ) -> None:
        super().__init__()
        self._content = content
        self._characters = characters
        layout = row(0, (24, 0, 24, 0))
        layout.addStretch(1)
        layout.addWidget(content, 1000)
        layout.addStretch(1)
        self.setLayout(layout)
        self.setProperty("role", "ground")
        appearance.changed.connect(self._measure)
        self._measure()

    def _measure(self) -> None:
        self._content.setMaximumWidth(self.fontMetrics().averageCharWidth() * self._characters + 40)


def scrolling(content: QWidget) -> QScrollArea:
    """Content that scrolls when the window is too short for it."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(content)
    return area


class Fold(QWidget):
    """A heading that opens and closes what is under it; the content is built when first opened."""

    def __init__(self, title: str, build: Callable[[], QWidget], tint: Tint) -> None:
        super().__init__()
        self._build = build
        self._tint = tint
        self._content: QWidget | None = None
        self.head = button(title, "fold")
        self.head.setCheckable(True)
        self.head.toggled.connect(self._toggle)
        self.head.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._layout = column(8)
        self._layout.addWidget(self.head)
        self.setLayout(self._layout)
        tint(self.head, "chevron-right", "muted", 14)

    def _toggle(self, opened: bool) -> None:
        self._tint(self.head, "chevron-down" if opened else "chevron-right", "muted", 14)
        if self._content is None:
            self._content = self._build()
            self._layout.addWidget(self._content)
        self._content.setVisible(opened)
