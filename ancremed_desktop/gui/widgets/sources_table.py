"""All sources as a table that filters without regard to accents or case."""

from __future__ import annotations

import html
from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
)
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from ancremed_desktop.domain.documents import Source
from ancremed_desktop.domain.identifiers import SourceStatus
from ancremed_desktop.gui.safe_text import display_text
from ancremed_desktop.gui.wording import SILO, french_date, grouped
from ancremed_desktop.gui.workbench import SourceRow
from ancremed_desktop.text.normalise import fold

COLUMNS = ("Famille", "Titre", "Éditeur", "Date", "État", "Passages")
SILO_COLUMN, TITLE, PUBLISHER, DATE, STATE, PASSAGES = range(6)
_SORT_ROLE = Qt.ItemDataRole.UserRole
_FILTER_ROLE = Qt.ItemDataRole.UserRole + 1
_LONGEST_CELL = 300
_CELL_PADDING = 28
_TITLE_CHARACTERS = 32
_WIDEST = {
    SILO_COLUMN: "Mes documents",
    PUBLISHER: "Haute Autorité de santé",
    DATE: "30 septembre 2026",
    STATE: "brouillon, non relu",
    PASSAGES: "Passages",
}
"""A text as wide as the column should be."""

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()

_STATE = {
    SourceStatus.PUBLISHED: "publié",
    SourceStatus.DRAFT: "brouillon, non relu",
    SourceStatus.USER: "document personnel",
}


def state_of(source: Source) -> str:
    """Short state of a source; « remplacé » comes before all else."""
    return "remplacé" if source.superseded else _STATE[source.status]


class SourcesModel(QAbstractTableModel):
    """Rows of the library."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: Sequence[SourceRow] = ()
        self._cells: list[tuple[str, ...]] = []
        self._keys: list[str] = []

    def set_rows(self, rows: Sequence[SourceRow]) -> None:
        """Replace all rows."""
        self.beginResetModel()
        self._rows = rows
        self._cells = [_cells(row) for row in rows]
        self._keys = [
            fold(" ".join((*cells[:PASSAGES], row.source.source_identifier, *row.source.names)))
            for cells, row in zip(self._cells, rows, strict=True)
        ]
        self.endResetModel()

    def row_at(self, number: int) -> SourceRow:
        """The source of a row of this model."""
        return self._rows[number]

    def rowCount(self, parent: Index = _ROOT) -> int:  # noqa: N802 - Qt's name
        """How many sources."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _ROOT) -> int:  # noqa: N802 - Qt's name
        """How many columns."""
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Text, sort key or filter key of a cell."""
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._cells[row][column]
        if role == Qt.ItemDataRole.ToolTipRole and column in {TITLE, PUBLISHER}:
            # Qt renders a tool tip that looks like markup: ours is markup with the text escaped.
            return f"<p>{html.escape(self._cells[row][column])}</p>"
        if role == _FILTER_ROLE:
            return self._keys[row]
        if role == _SORT_ROLE:
            source = self._rows[row].source
            keys = {DATE: source.regulatory_date, PASSAGES: self._rows[row].passages or 0}
            return keys.get(column, fold(self._cells[row][column]))
        if role == Qt.ItemDataRole.TextAlignmentRole and column == PASSAGES:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def headerData(  # noqa: N802 - Qt's name
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
        source.publisher,
        french_date(source.regulatory_date) or "sans date",
        state_of(source),
        "" if row.passages is None else grouped(row.passages),
    )
    return tuple(display_text(cell[:_LONGEST_CELL]).replace("\n", " ") for cell in cells)


class _Filter(QSortFilterProxyModel):
    """Keeps rows that hold every word typed."""

    def __init__(self, model: SourcesModel) -> None:
        super().__init__()
        self._words: tuple[str, ...] = ()
        self.setSourceModel(model)
        self.setSortRole(_SORT_ROLE)

    def set_text(self, text: str) -> None:
        self.beginFilterChange()
        self._words = tuple(fold(text).split())
        self.endFilterChange()

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:  # noqa: N802 - Qt's name
        key = str(self.sourceModel().index(row, 0, parent).data(_FILTER_ROLE))
        return all(word in key for word in self._words)


class SourcesTable(QTableView):
    """The table; ``set_filter`` narrows it."""

    def __init__(self) -> None:
        super().__init__()
        self.sources = SourcesModel()
        self._filter = _Filter(self.sources)
        self.setModel(self._filter)
        self.setSortingEnabled(True)
        self.sortByColumn(TITLE, Qt.SortOrder.AscendingOrder)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setAccessibleName("Sources de la bibliothèque")
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(TITLE, QHeaderView.ResizeMode.Stretch)
        self.fit_columns()

    def set_rows(self, rows: Sequence[SourceRow]) -> None:
        """Replace the sources."""
        self.sources.set_rows(rows)
        self.setColumnHidden(PASSAGES, all(row.passages is None for row in rows))
        self.fit_columns()

    def set_filter(self, text: str) -> None:
        """Keep the sources that hold every word of ``text`` in any column."""
        self._filter.set_text(text)

    @property
    def shown(self) -> int:
        """How many sources pass the filter."""
        return self._filter.rowCount()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """The title keeps a readable width: the publisher goes first."""
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        widths = sum(
            self.columnWidth(n) for n in _WIDEST if n == PUBLISHER or not self.isColumnHidden(n)
        )
        title = self.fontMetrics().averageCharWidth() * _TITLE_CHARACTERS
        self.setColumnHidden(PUBLISHER, self.viewport().width() < widths + title)

    def fit_columns(self) -> None:
        """Widths and heights that suit the size of the text."""
        metrics = self.fontMetrics()
        for number, widest in _WIDEST.items():
            self.setColumnWidth(number, metrics.horizontalAdvance(widest) + _CELL_PADDING)
        self._make_room()
        self.verticalHeader().setDefaultSectionSize(round(self.fontMetrics().height() * 2.0))
