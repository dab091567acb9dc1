"""All sources as a table that filters without regard to accents or case."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from ancremed_desktop.domain.documents import Source
from ancremed_desktop.domain.identifiers import SourceStatus
from ancremed_desktop.gui.safe_text import display_text
from ancremed_desktop.gui.wording import SILO
from ancremed_desktop.gui.workbench import SourceRow
from ancremed_desktop.text.french import french_date, grouped
from ancremed_desktop.text.normalise import fold

COLUMNS = ("Famille", "Titre", "Éditeur", "Date", "État", "Passages")
SILO_COLUMN, TITLE, PUBLISHER, DATE, STATE, PASSAGES = range(6)
_LONGEST_CELL = 300
_CELL_PADDING = 28
_TITLE_CHARACTERS = 56
_WIDEST = {
    SILO_COLUMN: "Mes documents",
    PUBLISHER: "Haute Autorité de santé",
    DATE: "30 septembre 2026",
    STATE: SourceStatus.USER.value,
    PASSAGES: "Passages",
}
"""A text as wide as the column should be."""
_KEPT_LONGEST = (SILO_COLUMN, STATE, DATE, PASSAGES, PUBLISHER)
"""Columns beside the title; where there is no room the last ones go first."""
_FEWEST_LINES = 10

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()

_STATE = {
    SourceStatus.PUBLISHED: "publié",
    SourceStatus.DRAFT: "brouillon, non relu",
    SourceStatus.USER: SourceStatus.USER.value,
}


def state_of(source: Source) -> str:
    """Short state of a source; « remplacé » comes before all else."""
    return "remplacé" if source.superseded else _STATE[source.status]


class SourcesModel(QAbstractTableModel):
    """Rows of the library, sorted and filtered here: a proxy would ask for each cell in turn."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: Sequence[SourceRow] = ()
        self._cells: list[tuple[str, ...]] = []
        self._keys: list[str] = []
        self._shown: list[int] = []
        self._words: tuple[str, ...] = ()
        self._sorted_by = (TITLE, Qt.SortOrder.AscendingOrder)

    @property
    def total(self) -> int:
        """How many sources there are, shown or not."""
        return len(self._rows)

    def source(self, row: int) -> Source:
        """The source shown in a row."""
        return self._rows[self._shown[row]].source

    def set_rows(self, rows: Sequence[SourceRow]) -> None:
        """Replace all rows."""
        self._rows = rows
        self._cells = [_cells(row) for row in rows]
        self._keys = [
            fold(" ".join((*cells[:PASSAGES], row.source.source_identifier, *row.source.names)))
            for cells, row in zip(self._cells, rows, strict=True)
        ]
        self._arrange()

    def set_filter(self, text: str) -> None:
        """Show only the sources that hold every word of ``text``."""
        self._words = tuple(fold(text).split())
        self._arrange()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; equal rows stay by title."""
        self._sorted_by = (column, order)
        self._arrange()

    def _arrange(self) -> None:
        column, order = self._sorted_by
        self.beginResetModel()
        kept = [n for n, key in enumerate(self._keys) if all(word in key for word in self._words)]
        kept.sort(key=lambda n: fold(self._cells[n][TITLE]))
        kept.sort(key=self._sort_key(column), reverse=order is Qt.SortOrder.DescendingOrder)
        self._shown = kept
        self.endResetModel()

    def _sort_key(self, column: int) -> Callable[[int], tuple[int, str]]:
        if column == PASSAGES:
            return lambda n: (self._rows[n].passages or 0, "")
        if column == DATE:
            return lambda n: (0, self._rows[n].source.regulatory_date)
        return lambda n: (0, fold(self._cells[n][column]))

    def rowCount(self, parent: Index = _ROOT) -> int:
        """How many sources pass the filter."""
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """How many columns."""
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Text, tool tip or alignment of a cell."""
        text, column = self._cells[self._shown[index.row()]][index.column()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return text
        if role == Qt.ItemDataRole.ToolTipRole and column in {TITLE, PUBLISHER}:
            # Qt renders a tool tip that looks like markup: ours is markup with the text escaped.
            return f"<p>{html.escape(text)}</p>"
        if role == Qt.ItemDataRole.TextAlignmentRole and column == PASSAGES:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Names of the columns."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = (
                Qt.AlignmentFlag.AlignRight if section == PASSAGES else Qt.AlignmentFlag.AlignLeft
            )
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        return None


def _cells(row: SourceRow) -> tuple[str, ...]:
    source = row.source
    cells = (
        SILO[source.silo],
        source.title,
        "" if source.publisher == source.status.value else source.publisher,
        french_date(source.regulatory_date) or "sans date",
        state_of(source),
        "" if row.passages is None else grouped(row.passages),
    )
    return tuple(display_text(cell[:_LONGEST_CELL]).replace("\n", " ") for cell in cells)


class SourcesTable(QTableView):
    """The table; ``set_filter`` narrows it."""

    opened = Signal(object)
    """A ``Source`` to read, by double click or Enter."""

    def __init__(self) -> None:
        super().__init__()
        self.sources = SourcesModel()
        self._counted = False
        self.setColumnHidden(PASSAGES, True)
        self.setModel(self.sources)
        self.setSortingEnabled(True)
        self.sortByColumn(TITLE, Qt.SortOrder.AscendingOrder)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setAccessibleName("Sources de la bibliothèque")
        self.setAccessibleDescription("Entrée ouvre la source choisie.")
        self.activated.connect(lambda at: self.opened.emit(self.sources.source(at.row())))
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(TITLE, QHeaderView.ResizeMode.Stretch)
        self.fit_columns()

    def set_rows(self, rows: Sequence[SourceRow]) -> None:
        """Replace the sources."""
        self.sources.set_rows(rows)
        self._counted = any(row.passages is not None for row in rows)
        self.setColumnHidden(PASSAGES, not self._counted)
        self.fit_columns()

    def set_filter(self, text: str) -> None:
        """Keep the sources that hold every word of ``text`` in any column."""
        self.sources.set_filter(text)

    @property
    def shown(self) -> int:
        """How many sources pass the filter."""
        return self.sources.rowCount()

    @property
    def selected(self) -> tuple[Source, ...]:
        """Sources of the selected rows."""
        return tuple(self.sources.source(i.row()) for i in self.selectionModel().selectedRows())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The title keeps a readable width: the publisher goes first, then the date, the state."""
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        room = self.viewport().width() - self.fontMetrics().averageCharWidth() * _TITLE_CHARACTERS
        for number in _KEPT_LONGEST:
            if number == PASSAGES and not self._counted:
                continue
            kept = 0 if number == PUBLISHER else self.columnWidth(number)
            room -= kept or self._width_of(number)
            self.setColumnHidden(number, room < 0)
        # The rest is shared: a publisher is as long as many titles.
        self.setColumnWidth(PUBLISHER, self._width_of(PUBLISHER) + max(0, room) // 2)

    def _width_of(self, number: int) -> int:
        return self.fontMetrics().horizontalAdvance(_WIDEST[number]) + _CELL_PADDING

    def fit_columns(self) -> None:
        """Widths and heights that suit the size of the text."""
        for number in _WIDEST:
            self.setColumnWidth(number, self._width_of(number))
        self.setMinimumHeight(self.fontMetrics().height() * _FEWEST_LINES)
        self._make_room()
        self.verticalHeader().setDefaultSectionSize(round(self.fontMetrics().height() * 2.0))
