"""A list in groups whose long names go on the next line instead of being cut."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeWidget

_TALLEST = 10_000
"""Pixels, more than any name needs."""


class _Wrapping(QStyledItemDelegate):
    """Asks for the height a name needs at the width of the list."""

    def __init__(self, tree: WrappingTree) -> None:
        super().__init__(tree)
        self._tree = tree

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        tree = self._tree
        depth = 1 if index.parent().isValid() else 0
        room = tree.viewport().width() - (depth + 1) * tree.indentation()
        item = QStyleOptionViewItem(option)
        self.initStyleOption(item, index)
        # The rectangle given does not know the width yet. The style knows the padding, which grows
        # with the text.
        item.rect = QRect(0, 0, room, _TALLEST)
        style = tree.style()
        text = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, item, tree)
        margin = style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, item, tree) + 1
        wrapped = item.fontMetrics.boundingRect(
            0, 0, text.width() - 2 * margin, _TALLEST, Qt.TextFlag.TextWordWrap, item.text
        )
        return QSize(room, wrapped.height() + _TALLEST - text.height())


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
