"""The smallest window, and large text in it: nothing is cut, one pane at a time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from ancremed_desktop.gui.main_window import MainWindow
from ancremed_desktop.gui.widgets.sources_table import PUBLISHER

SMALLEST = (820, 560)
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture(params=[100, 150], ids=["100 %", "150 %"])
def narrow(window: MainWindow, request: pytest.FixtureRequest) -> Iterator[MainWindow]:
    window.resize(*SMALLEST)
    window._appearance.set_text_scale(request.param)
    QApplication.processEvents()
    yield window
    window._appearance.set_text_scale(100)


def cut(page: QWidget) -> list[str]:
    """What is shown narrower than it must be, or leaves its page at a side."""
    QApplication.processEvents()
    found = []
    for widget in page.findChildren(QWidget):
        if not widget.isVisibleTo(page):
            continue
        one_line = isinstance(widget, QLabel) and not widget.wordWrap()
        if (one_line or isinstance(widget, QAbstractButton)) and widget.property("text"):
            left = widget.mapTo(page, QPoint(0, 0)).x()
            inside = left >= 0 and left + widget.width() <= page.width()
            if not inside or widget.width() < widget.minimumSizeHint().width():
                found.append(
                    f"{type(widget).__name__} {widget.property('text')!r} {widget.width()}"
                )
    return found


def test_nothing_is_cut_on_any_page(narrow: MainWindow, qtbot: QtBot) -> None:
    for number in range(6):
        narrow.go_to(number)
        qtbot.waitUntil(lambda: not narrow.background.busy, timeout=10_000)
        page = narrow._stack.currentWidget()
        assert page is not None
        assert cut(page) == [], number
    narrow.go_to(1)
    narrow.library._open_import()
    assert cut(narrow.library) == []


def test_nothing_of_an_answer_is_cut(narrow: MainWindow, qtbot: QtBot) -> None:
    narrow.question.ask("embolie")
    qtbot.waitUntil(lambda: not narrow.question.running, timeout=10_000)
    assert cut(narrow.question) == []
    narrow.question.box.set_running(True)
    narrow.question.stages.start(waiting=False)
    assert cut(narrow.question) == []
    narrow.question._ended()


@pytest.mark.parametrize("name", ["cockcroft_gault", "sofa"])
def test_nothing_of_a_calculator_is_cut(narrow: MainWindow, name: str) -> None:
    narrow.go_to(2)
    narrow.calculators.open_formula(name)
    assert cut(narrow.calculators) == []
    assert narrow.calculators.form is not None
    assert narrow.calculators.form.width() <= narrow.calculators.width()


def test_a_source_takes_the_whole_page_and_gives_it_back(narrow: MainWindow, qtbot: QtBot) -> None:
    narrow.question.ask("embolie")
    qtbot.waitUntil(lambda: not narrow.question.running, timeout=10_000)
    card = narrow.question.answer.cards[0]
    card.opened.emit(card.span)
    qtbot.waitUntil(narrow.question.panel.isVisible, timeout=10_000)
    assert not narrow.question.box.isVisible()
    assert cut(narrow.question.panel) == []
    QTest.keyClick(narrow, Qt.Key.Key_Escape)
    assert narrow.question.box.isVisible()
    assert QApplication.focusWidget() is card
    card.opened.emit(card.span)
    qtbot.waitUntil(narrow.question.panel.isVisible, timeout=10_000)
    QTest.keyClick(narrow, Qt.Key.Key_K, CONTROL)
    assert QApplication.focusWidget() is narrow.question.box.field


def test_the_list_of_calculators_and_the_form_take_turns(narrow: MainWindow) -> None:
    page = narrow.calculators
    narrow.go_to(2)
    assert page.tree.isVisible()
    QTest.keyClicks(page.search, "cockcroft")
    QTest.keyClick(page.search, Qt.Key.Key_Return)
    assert page.form is not None
    assert page.form.isVisible()
    assert not page.tree.isVisible()
    focused = QApplication.focusWidget()
    assert focused is not None
    assert page.form.isAncestorOf(focused)
    QTest.keyClick(narrow, Qt.Key.Key_Escape)
    assert page.tree.isVisible()
    page.back.click()
    narrow.resize(1600, 900)
    QApplication.processEvents()
    assert page.tree.isVisible()
    assert page.form.isVisible()
    assert not page.back.isVisible()


def test_arrows_do_not_leave_the_list(narrow: MainWindow) -> None:
    """Alone on screen the list waits for Enter; beside the form it shows each one."""
    page = narrow.calculators
    narrow.go_to(2)
    page.tree.setFocus()
    for _ in range(3):
        QTest.keyClick(page.tree, Qt.Key.Key_Down)
    assert page.form is None
    QTest.keyClick(page.tree, Qt.Key.Key_Return)
    assert page.form is not None


def test_the_words_of_the_rail_go_before_anything_is_cut(narrow: MainWindow) -> None:
    for entry in narrow._buttons.buttons():
        assert isinstance(entry, QToolButton)
        assert narrow.rect().contains(entry.geometry())


def test_a_tall_window_does_not_keep_its_start_at_the_top(window: MainWindow, qtbot: QtBot) -> None:
    def above() -> int:
        QApplication.processEvents()
        layout = window.question.welcome.layout()
        assert layout is not None
        return layout.contentsMargins().top()

    window.resize(1366, 768)
    low = above()
    window.resize(1920, 1080)
    assert above() > low >= 36
    assert cut(window.question) == []


def test_a_wide_window_gives_room_to_publishers(window: MainWindow, qtbot: QtBot) -> None:
    window.go_to(1)
    table = window.library.table
    qtbot.waitUntil(lambda: table.sources.total == 16, timeout=10_000)
    window.resize(1280, 800)
    QApplication.processEvents()
    before = table.columnWidth(PUBLISHER)
    window.resize(1920, 1080)
    QApplication.processEvents()
    wide = table.columnWidth(PUBLISHER)
    assert wide > before
    window.resize(1280, 800)
    QApplication.processEvents()
    assert table.columnWidth(PUBLISHER) == before


@pytest.mark.parametrize("scale", [100, 125, 150, 200])
@pytest.mark.parametrize("size", [(1280, 720), (1366, 768), (1920, 1080)])
def test_nothing_of_a_source_beside_its_answer_is_cut(
    window: MainWindow, qtbot: QtBot, scale: int, size: tuple[int, int]
) -> None:
    window.question.ask("embolie")
    qtbot.waitUntil(lambda: not window.question.running, timeout=10_000)
    card = window.question.answer.cards[1]
    card.opened.emit(card.span)
    qtbot.waitUntil(window.question.panel.isVisible, timeout=10_000)
    panel = window.question.panel
    panel.position.setText("Passage 135 sur 138")
    for widget in (panel.before, panel.position, panel.after, panel.see_details, panel.see_page):
        widget.show()
    window.resize(*size)
    window._appearance.set_text_scale(scale)
    QApplication.processEvents()
    assert cut(window.question) == []
    window._appearance.set_text_scale(100)
