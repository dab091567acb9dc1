"""The library: list, filter, import with progress and stop, report, check."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from fakes.fake_workbench import FakeWorkbench
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from ancremed_desktop.domain.documents import Source
from ancremed_desktop.domain.identifiers import Silo, SourceStatus
from ancremed_desktop.gui.main_window import MainWindow
from ancremed_desktop.gui.widgets.basics import Fold
from ancremed_desktop.gui.widgets.prose import Prose
from ancremed_desktop.gui.widgets.sources_table import DATE, PASSAGES, STATE, TITLE, SourcesTable
from ancremed_desktop.gui.workbench import SourceRow


def open_library(window: MainWindow, qtbot: QtBot) -> None:
    window.go_to(1)
    qtbot.waitUntil(lambda: window.library.table.sources.total == 16, timeout=10_000)


def test_sources_are_listed_and_filtered_without_accents(window: MainWindow, qtbot: QtBot) -> None:
    open_library(window, qtbot)
    assert window.library.total.text() == "16\u00a0sources"
    QTest.keyClicks(window.library.filter, "haute autorite 2018")
    assert window.library.table.shown == 1
    assert window.library.total.text() == "1 sur 16\u00a0sources"
    window.library.escape()
    assert window.library.table.shown == 16
    QTest.keyClicks(window.library.filter, "ibuprofene")
    assert window.library.table.shown == 1
    window.library.filter.setText("remplacé")
    assert window.library.table.shown == 1


def test_a_source_of_the_list_is_read_by_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    open_library(window, qtbot)
    window.library.filter.setText("Embolie pulmonaire")
    table = window.library.table
    table.setFocus()
    table.selectRow(0)
    QTest.keyClick(table, Qt.Key.Key_Return)
    panel = window.question.panel
    qtbot.waitUntil(panel.isVisible, timeout=10_000)
    assert panel.title.as_text() == "Embolie pulmonaire"
    assert panel.close_button.hasFocus()
    window.question.escape()
    assert not panel.isVisible()


def test_progress_then_the_report_with_named_refusals(
    window: MainWindow, qtbot: QtBot, workbench: FakeWorkbench, tmp_path: Path
) -> None:
    open_library(window, qtbot)
    workbench.gate = threading.Event()
    card = window.library.card
    QTest.mouseClick(window.library.import_button, Qt.MouseButton.LeftButton)
    card.kind.setCurrentIndex(1)
    card.folder.setText(str(tmp_path))
    QTest.mouseClick(card.start, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: card.progress.bar.value() == 1, timeout=10_000)
    assert card.progress.bar.maximum() == 40
    assert card.progress.stage.text() == "Lecture des PDF\u00a0: reco-001.pdf"
    assert card.progress.left.text().endswith("encore 1\u00a0min 18\u00a0s")
    assert not window.library.import_button.isEnabled()
    workbench.gate.set()
    qtbot.waitUntil(lambda: not window.library.running, timeout=10_000)
    assert workbench.imported == [("has", (tmp_path,))]
    assert window.library.import_button.isEnabled()
    folds = {fold.head.text(): fold for fold in card.findChildren(Fold)}
    refused = folds["Refusés (2)"].findChild(Prose)
    assert refused is not None
    assert "reco-017.pdf\u00a0: le fichier est protégé" in refused.as_text().replace(
        " :", "\u00a0:"
    )
    copy = next(b for b in card.findChildren(QPushButton) if "compte rendu" in b.text())
    QTest.mouseClick(copy, Qt.MouseButton.LeftButton)
    copied = QApplication.clipboard().text()
    assert "39\u00a0sources, 1\u202f234\u00a0passages en 1\u00a0min 23\u00a0s." in copied
    assert "48 pages, 46 gardés, 2 refusés, 0 ignoré" in copied.replace("\u00a0", " ")
    qtbot.waitUntil(lambda: not window.background.busy)


def test_stop_ends_the_import(
    window: MainWindow, qtbot: QtBot, workbench: FakeWorkbench, tmp_path: Path
) -> None:
    open_library(window, qtbot)
    workbench.gate = threading.Event()
    window.library.import_folder("has", tmp_path)
    qtbot.waitUntil(lambda: window.library.card.progress.bar.value() == 1, timeout=10_000)
    window.library.escape()
    assert not window.library.running
    assert window.library.banner.title.text() == "Arrêté"
    assert window.library.import_button.isEnabled()
    workbench.gate = None
    qtbot.waitUntil(lambda: not window.background.busy)


def test_own_documents_are_added_by_choice_or_by_drop(
    window: MainWindow, qtbot: QtBot, workbench: FakeWorkbench, tmp_path: Path
) -> None:
    open_library(window, qtbot)
    assert [window.library.card.kind.itemData(n) for n in range(4)] == [
        "bdpm",
        "has",
        "edn",
        "cards",
    ]
    file = tmp_path / "protocole.pdf"
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file)), QUrl("https://exemple.fr/x.pdf")])
    point, left, none = QPointF(5, 5), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.library.dropEvent(QDropEvent(point, Qt.DropAction.CopyAction, data, left, none))
    qtbot.waitUntil(lambda: not window.library.running, timeout=10_000)
    window.library.add_button.wanted.emit((tmp_path,))
    qtbot.waitUntil(lambda: not window.library.running, timeout=10_000)
    assert workbench.imported == [("local", (file,)), ("local", (tmp_path,))]
    qtbot.waitUntil(lambda: not window.background.busy)


def test_only_own_documents_can_be_removed(
    window: MainWindow,
    qtbot: QtBot,
    workbench: FakeWorkbench,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = Source(
        key="local:1", silo=Silo.LOCAL, title="Protocole de sédation", source_identifier="DOC-1",
        publisher="document de l’utilisateur", licence="", status=SourceStatus.USER,
    )  # fmt: skip
    workbench.own = (own,)
    library = window.library
    window.go_to(1)
    qtbot.waitUntil(lambda: library.table.sources.total == 17, timeout=10_000)
    assert not library.remove_button.isEnabled()
    library.table.selectAll()
    assert not library.remove_button.isEnabled()
    library.filter.setText("sédation")
    library.table.selectRow(0)
    assert library.table.selected == (own,)
    assert library.remove_button.isEnabled()
    state = library.table.sources.index(0, STATE)
    assert state.data() == "document de l’utilisateur"
    answers = iter((QMessageBox.StandardButton.Cancel, QMessageBox.StandardButton.Yes))
    monkeypatch.setattr(QMessageBox, "exec", lambda _self: next(answers))
    QTest.mouseClick(library.remove_button, Qt.MouseButton.LeftButton)
    assert workbench.own == (own,)
    QTest.mouseClick(library.remove_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: library.table.sources.total == 16, timeout=10_000)
    assert list(workbench.own) == []
    assert "1 document de moins" in library.banner.message.as_text()
    assert not library.remove_button.isEnabled()
    qtbot.waitUntil(lambda: not window.background.busy)


def test_a_folder_that_does_not_exist_is_said_before_anything_starts(
    window: MainWindow, qtbot: QtBot, workbench: FakeWorkbench, tmp_path: Path
) -> None:
    open_library(window, qtbot)
    window.library.import_folder("has", tmp_path / "absent")
    assert "n’existe pas" in window.library.banner.message.as_text()
    assert workbench.imported == []


def test_check_tells_whole_or_altered(
    window: MainWindow, qtbot: QtBot, workbench: FakeWorkbench
) -> None:
    open_library(window, qtbot)
    for problems, title in (
        ((), "Bibliothèque intacte"),
        (("2 passages altérés.",), "Bibliothèque altérée"),
    ):
        workbench.problems = problems
        window.library.check()
        qtbot.waitUntil(lambda: not window.library.running, timeout=10_000)
        assert window.library.banner.title.text() == title
    assert "2 passages altérés." in window.library.banner.message.as_text()


def test_a_table_cell_never_renders_markup(qtbot: QtBot) -> None:
    table = SourcesTable()
    qtbot.addWidget(table)
    title = "<img src='file:///x'>\u202etitre\n"
    source = Source(
        key="k",
        silo=Silo.LOCAL,
        title=title,
        source_identifier="i",
        publisher="p",
        licence="",
    )
    table.set_rows((SourceRow(source=source),))
    index = table.sources.index(0, TITLE)
    assert index.data() == "<img src='file:///x'>\ufffdtitre "
    tip = str(index.data(Qt.ItemDataRole.ToolTipRole))
    assert "<img" not in tip
    assert "&lt;img" in tip
    assert table.isColumnHidden(PASSAGES)


def test_eighteen_thousand_sources_filter_fast(qtbot: QtBot) -> None:
    table = SourcesTable()
    qtbot.addWidget(table)
    rows = tuple(
        SourceRow(
            source=Source(
                key=str(n),
                silo=Silo.BDPM,
                title=f"Médicament {n}",
                source_identifier=f"{n:08d}",
                publisher="ANSM",
                licence="",
            ),
            passages=n,
        )
        for n in range(18_000)
    )
    table.set_rows(rows)
    table.set_filter("medicament 17999")
    assert table.shown == 1


def test_columns_sort_by_date_and_by_count(window: MainWindow, qtbot: QtBot) -> None:
    open_library(window, qtbot)
    table = window.library.table
    table.sortByColumn(DATE, Qt.SortOrder.AscendingOrder)
    assert table.sources.index(0, DATE).data() == "février\u00a02009"
    table.sortByColumn(PASSAGES, Qt.SortOrder.DescendingOrder)
    counts = [int(table.sources.index(n, PASSAGES).data()) for n in range(16)]
    assert counts == sorted(counts, reverse=True)
