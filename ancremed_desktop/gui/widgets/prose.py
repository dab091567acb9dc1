"""Running text as plain text: selectable, wrapped anywhere, as tall as it needs."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QMouseEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextEdit

from ancremed_desktop.gui.safe_text import display_text, utf16_offset

LINE_HEIGHT_PERCENT = 128
LONGEST_WORD = 500
"""Beyond this many characters, looking for a word boundary at each line takes seconds."""


def fill(editor: QTextEdit, text: str) -> None:
    """Put ``text`` in as plain text with comfortable lines; offsets stay those of ``text``."""
    endless = any(len(word) > LONGEST_WORD for word in text.split())
    modes = QTextOption.WrapMode
    editor.setWordWrapMode(modes.WrapAnywhere if endless else modes.WrapAtWordBoundaryOrAnywhere)
    editor.setPlainText(display_text(text))
    block = QTextBlockFormat()
    block.setLineHeight(
        LINE_HEIGHT_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
    )
    cursor = QTextCursor(editor.document())
    cursor.select(QTextCursor.SelectionType.Document)
    cursor.mergeBlockFormat(block)


def mark(
    editor: QTextEdit,
    text: str,
    ranges: Sequence[tuple[int, int]],
    ground: QColor,
    ink: QColor,
) -> None:
    """Colour the ranges (character offsets of ``text``, half-open)."""
    selections = []
    for start, end in ranges:
        selection = QTextEdit.ExtraSelection()
        cursor = QTextCursor(editor.document())
        cursor.setPosition(utf16_offset(text, start))
        cursor.setPosition(utf16_offset(text, end), QTextCursor.MoveMode.KeepAnchor)
        selection.cursor = cursor
        selection.format.setBackground(ground)
        selection.format.setForeground(ink)
        selections.append(selection)
    editor.setExtraSelections(selections)


class Prose(QTextEdit):
    """A paragraph. ``size``: small, large, title or empty; ``tone``: muted or empty."""

    clicked = Signal()
    """A click that selected nothing."""

    def __init__(self, text: str, *, size: str = "", tone: str = "") -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setAcceptRichText(False)
        self.setUndoRedoEnabled(False)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setProperty("role", "prose")
        self.setProperty("textSize", size)
        self.setProperty("tone", tone)
        self.document().setDocumentMargin(0)
        self.viewport().setAutoFillBackground(False)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self.set_text(text)

    def set_text(self, text: str) -> None:
        """Replace the text."""
        fill(self, text)
        self.setAccessibleName(self.toPlainText()[:300])
        self._fit()

    def as_text(self) -> str:
        """What is shown."""
        return self.toPlainText()

    def _fit(self) -> None:
        height = math.ceil(self.document().size().height()) + 2
        if height != self.height() or height != self.maximumHeight():
            self.setFixedHeight(height)

    def sizeHint(self) -> QSize:
        """As wide as it may be: a QTextEdit would ask for 256 pixels."""
        return QSize(400, max(self.minimumHeight(), 1))

    def minimumSizeHint(self) -> QSize:
        """Narrow columns are allowed."""
        return QSize(80, self.minimumHeight())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A new width means a new height."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """A new font means a new height."""
        super().changeEvent(event)
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.StyleChange}:
            self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The page scrolls, not the paragraph."""
        event.ignore()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A plain click belongs to the card around the text."""
        super().mouseReleaseEvent(event)
        if event.button() is Qt.MouseButton.LeftButton and not self.textCursor().hasSelection():
            self.clicked.emit()
