"""Small building blocks: labels, badges, buttons, cards, columns of readable width, folds."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
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


class WrappingButton(QPushButton):
    """A button whose long text goes on the next line instead of being cut."""

    def __init__(self, text: str, role: str) -> None:
        super().__init__()
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAutoDefault(False)
        self.setProperty("role", role)
        self.setAccessibleName(text)
        words = label(text)
        words.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._words = column(0, (14, 9, 14, 9))
        self._words.addWidget(words)
        self.setLayout(self._words)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def sizeHint(self) -> QSize:
        """As its text."""
        return self._words.sizeHint()

    def heightForWidth(self, width: int) -> int:
        """As tall as its lines."""
        return self._words.heightForWidth(width)


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


def reading_page(content: QVBoxLayout, appearance: Appearance) -> QVBoxLayout:
    """The layout of a page that is read from top to bottom: one column, which scrolls."""
    content.addStretch(1)
    inner = QWidget()
    inner.setLayout(content)
    whole = column(0)
    whole.addWidget(scrolling(Column(inner, appearance)))
    return whole


def keyboard_scrolled(page: QWidget, name: str) -> None:
    """Let the keyboard scroll a page in which nothing else takes it; ``name`` for screen readers."""
    area = page.findChild(QScrollArea)
    assert area is not None
    area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    area.setAccessibleName(name)
    page.setFocusProxy(area)


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
