"""A list in groups whose long names go on the next line instead of being cut."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QTreeWidget

_PADDING = (34, 14)
"""Around the text of an item: margins and padding of both sides, of above and below, in pixels."""


class _Wrapping(QStyledItemDelegate):
    """Asks for the height a name needs at the width of the list."""

    def __init__(self, tree: WrappingTree) -> None:
        super().__init__(tree)
        self._tree = tree

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        del option  # its rectangle does not know the width yet
        depth = 1 if index.parent().isValid() else 0
        room = self._tree.viewport().width() - (depth + 1) * self._tree.indentation() - _PADDING[0]
        text = self._tree.fontMetrics().boundingRect(
            0, 0, max(room, 80), 10_000, Qt.TextFlag.TextWordWrap, str(index.data())
        )
        return QSize(room, text.height() + _PADDING[1])


class WrappingTree(QTreeWidget):
    """One column without header."""

    def __init__(self) -> None:
        super().__init__()
        self.setHeaderHidden(True)
        self.setIndentation(8)
        self.setRootIsDecorated(False)
        self.setWordWrap(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setItemDelegate(_Wrapping(self))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width may mean other heights."""
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()
