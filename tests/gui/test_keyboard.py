"""Every control is reached by Tab, in both directions, and has a name for screen readers."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QTableView,
    QTreeView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from ancremed_desktop.gui.main_window import MainWindow
from ancremed_desktop.gui.widgets.span_cards import QuoteCard

CONTROLS = (
    QAbstractButton,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTableView,
    QTreeView,
    QuoteCard,
)
_MOST_STEPS = 200


def controls(window: MainWindow) -> list[QWidget]:
    """Those of the page shown, but the parts of another one and unchecked ones of a choice."""
    page = window._stack.currentWidget()
    assert page is not None
    found = [w for w in page.findChildren(QWidget) if isinstance(w, CONTROLS)]
    return [
        w
        for w in found
        if w.isVisibleTo(page)
        and w.isEnabled()
        and not isinstance(w.parent(), QLineEdit | QComboBox | QTableView)
        and not (isinstance(w, QAbstractButton) and w.group() is not None)
    ]


def reached(key: Qt.Key) -> list[QWidget]:
    """What takes the keyboard in turn, until the first one has it again."""
    seen: list[QWidget] = []
    for _ in range(_MOST_STEPS):
        focused = QApplication.focusWidget()
        assert focused is not None
        if focused in seen:
            break
        seen.append(focused)
        QTest.keyClick(focused, key)
        QApplication.processEvents()
    return seen


def show(window: MainWindow, qtbot: QtBot, page: str) -> None:
    if page in {"answer", "source"}:
        window.question.ask("embolie")
        qtbot.waitUntil(lambda: not window.question.running, timeout=10_000)
    if page == "source":
        card = window.question.answer.cards[0]
        card.opened.emit(card.span)
        qtbot.waitUntil(window.question.panel.isVisible, timeout=10_000)
    numbers = {"library": 1, "import": 1, "calculator": 2, "models": 3, "settings": 4, "about": 5}
    if page in numbers:
        window.go_to(numbers[page])
        qtbot.waitUntil(lambda: not window.background.busy, timeout=10_000)
    if page == "import":
        window.library._open_import()
    if page == "calculator":
        window.calculators.open_formula("cockcroft_gault")
    QApplication.processEvents()  # what was just made is not shown before
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is not None, timeout=10_000)


PAGES = (
    "start", "answer", "source", "library", "import", "calculator", "models", "settings", "about",
)  # fmt: skip


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("key", [Qt.Key.Key_Tab, Qt.Key.Key_Backtab])
def test_every_control_is_reached(window: MainWindow, qtbot: QtBot, page: str, key: Qt.Key) -> None:
    show(window, qtbot, page)
    seen = reached(key)
    assert len(seen) > 1
    lacking = [w for w in controls(window) if w not in seen and w.focusProxy() not in seen]
    assert [f"{type(w).__name__} {w.accessibleName()}" for w in lacking] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_control_has_a_name_of_its_own(window: MainWindow, qtbot: QtBot, page: str) -> None:
    show(window, qtbot, page)
    names = []
    for control in controls(window):
        interface = QAccessible.queryAccessibleInterface(control)
        assert interface is not None
        name = interface.text(QAccessible.Text.Name)
        assert name, type(control).__name__
        if not isinstance(control, QuoteCard):
            names.append(name)
    assert len(set(names)) == len(names), sorted(names)


def test_tab_comes_to_the_page_shown_and_keys_scroll_what_has_no_control(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.resize(1280, 560)
    show(window, qtbot, "about")
    rail = [w for w in reached(Qt.Key.Key_Tab) if w in window._buttons.buttons()]
    assert rail == [window._buttons.button(5)]
    area = window.about.findChild(QScrollArea)
    assert area is not None
    area.setFocus()
    QTest.keyClick(area, Qt.Key.Key_PageDown)
    assert area.verticalScrollBar().value() > 0
