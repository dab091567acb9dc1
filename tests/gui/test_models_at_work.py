"""Models in the window: extracts first, stages, what would leave, marks, records, stop."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
from fakes.fake_workbench import OUTGOING, REWORDED, SENTENCES, FakeWorkbench
from gui.test_question_page import ask, open_first, words_of
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from ancremed_desktop.gui.main_window import MainWindow
from ancremed_desktop.gui.safe_text import display_text
from ancremed_desktop.gui.widgets.basics import Fold
from ancremed_desktop.gui.widgets.span_cards import SectionHead
from ancremed_desktop.services.approval import Approval


@pytest.fixture
def gate(workbench: FakeWorkbench) -> Iterator[threading.Event]:
    """Models wait for it."""
    workbench.model_gate = threading.Event()
    yield workbench.model_gate
    workbench.model_gate.set()


def _begin(window: MainWindow, qtbot: QtBot, question: str) -> None:
    """Ask, until the extracts are there and the model is at work."""
    window.question.ask(question)
    qtbot.waitUntil(lambda: len(window.question.answer.cards) == 4, timeout=10_000)


def _finish(window: MainWindow, qtbot: QtBot, gate: threading.Event) -> None:
    gate.set()
    qtbot.waitUntil(lambda: not window.question.running, timeout=10_000)


def _marks(window: MainWindow) -> dict[str, str]:
    heads = window.question.answer.findChildren(SectionHead)
    return {h.title.text(): h.mark.text() for h in heads if h.mark.text()}


def test_the_extracts_stand_while_a_model_works(
    window: MainWindow, qtbot: QtBot, gate: threading.Event
) -> None:
    _begin(window, qtbot, "embolie modèle")
    assert window.question.running
    assert window.question.box.stop.isVisible()
    assert SENTENCES["définition"] in words_of(window)
    qtbot.waitUntil(lambda: window.question.stages.current == "Plan", timeout=10_000)
    assert "gemini-essai cherche à faire mieux" in window.question.stages.said.text()
    assert _marks(window) == {}
    _finish(window, qtbot, gate)
    assert not window.question.stages.isVisible()
    assert _marks(window) == {"Définition": "rédigé par gemini-essai, vérifié"}
    shown = words_of(window)
    assert display_text(REWORDED).replace("\u00a0", " ") in shown
    assert f"Dans la source : « {SENTENCES['définition']} »" in shown
    assert len(window.question.answer.cards) == 4


def test_a_source_is_read_while_a_model_works_and_stays_open(
    window: MainWindow, qtbot: QtBot, gate: threading.Event
) -> None:
    _begin(window, qtbot, "embolie modèle")
    span = open_first(window, qtbot, position=1)
    assert window.question.running, "the source did not wait for the model"
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=10_000)
    window.question.answer.cards[1].setFocus()
    qtbot.waitUntil(window.question.answer.cards[1].hasFocus, timeout=10_000)
    _finish(window, qtbot, gate)
    card = window.question.answer.cards[1]
    assert card.span == span
    assert card.property("opened") == "true"
    qtbot.waitUntil(lambda: QApplication.focusWidget() is card, timeout=10_000)
    assert window.question.panel.isVisible()
    first = open_first(window, qtbot)
    assert first.anchored.quote == SENTENCES["définition"]
    qtbot.waitUntil(lambda: window.question.panel.text.marked is not None, timeout=10_000)


def test_what_a_model_left_alone_is_not_drawn_again(
    window: MainWindow, qtbot: QtBot, gate: threading.Event
) -> None:
    _begin(window, qtbot, "embolie modèle inutile")
    before = list(window.question.answer.cards)
    _finish(window, qtbot, gate)
    assert window.question.answer.cards == before
    assert _marks(window) == {}
    assert "gemini-essai n’a rien trouvé de mieux que ces extraits." in words_of(window)


@pytest.mark.parametrize("question", ["embolie modèle", "embolie modèle en ligne"])
def test_a_stop_keeps_the_extracts_and_is_quick(
    window: MainWindow, qtbot: QtBot, gate: threading.Event, question: str
) -> None:
    _begin(window, qtbot, question)
    if "en ligne" in question:
        qtbot.waitUntil(window.question.approval.isVisible, timeout=10_000)
    start = time.perf_counter()
    QTest.mouseClick(window.question.box.stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.background.busy, timeout=1000)
    window.background.run(lambda _job: None, done=lambda _r: None, failed=lambda _e: None)
    qtbot.waitUntil(lambda: not window.background.busy, timeout=1000)
    assert time.perf_counter() - start < 1, "the worker is idle too"
    assert not window.question.approval.isVisible()
    assert "reste faite d’extraits" in window.question.banner.message.as_text()
    assert len(window.question.answer.cards) == 4
    assert SENTENCES["définition"] in words_of(window)
    gate.set()
    ask(window, qtbot, "embolie")
    assert len(window.question.answer.cards) == 4
    assert not window.question.banner.isVisible()


def test_a_fault_of_ours_keeps_the_extracts(
    window: MainWindow, qtbot: QtBot, gate: threading.Event
) -> None:
    _begin(window, qtbot, "embolie modèle casse")
    _finish(window, qtbot, gate)
    assert window.question.banner.title.text() == "Erreur interne"
    assert len(window.question.answer.cards) == 4


def _asked(window: MainWindow, qtbot: QtBot) -> None:
    _begin(window, qtbot, "embolie modèle en ligne")
    qtbot.waitUntil(window.question.approval.isVisible, timeout=10_000)


def test_what_would_leave_is_shown_word_for_word(
    window: MainWindow, qtbot: QtBot, workbench: FakeWorkbench, gate: threading.Event
) -> None:
    _asked(window, qtbot)
    card = window.question.approval
    assert card.text.toPlainText() == OUTGOING
    marked = [s.cursor.selectedText() for s in card.text.extraSelections()]
    assert marked == ["[NOM]", "[DATE DE NAISSANCE]"]
    assert workbench.approvals == [], "nothing is decided for the user"
    QTest.keyClick(card.text, Qt.Key.Key_Return)
    assert workbench.approvals == [], "nor by the Enter key"
    QTest.mouseClick(card.send, Qt.MouseButton.LeftButton)
    assert not card.isVisible()
    _finish(window, qtbot, gate)
    assert workbench.approvals == [Approval.ONCE]
    assert "Envoyé à Gemini : 1 demande, environ 0,0004 $." in words_of(window)
    folds = window.question.answer.findChildren(Fold)
    fold = next(f for f in folds if f.head.text() == "Voir ce qui a été envoyé")
    QTest.mouseClick(fold.head, Qt.MouseButton.LeftButton)
    assert OUTGOING in words_of(window)


def _click(name: str) -> Approval:
    return {"send_all": Approval.QUESTION, "refuse": Approval.REFUSED}[name]


@pytest.mark.parametrize("name", ["send_all", "refuse"])
def test_the_other_answers(
    window: MainWindow, qtbot: QtBot, workbench: FakeWorkbench, gate: threading.Event, name: str
) -> None:
    _asked(window, qtbot)
    control: QPushButton = getattr(window.question.approval, name)
    QTest.mouseClick(control, Qt.MouseButton.LeftButton)
    _finish(window, qtbot, gate)
    assert workbench.approvals == [_click(name)]


@pytest.mark.parametrize(
    ("name", "given"), [("send", Approval.SESSION), ("refuse", Approval.REFUSED)]
)
def test_the_session_is_agreed_to_by_sending_only(
    window: MainWindow,
    qtbot: QtBot,
    workbench: FakeWorkbench,
    gate: threading.Event,
    name: str,
    given: Approval,
) -> None:
    _asked(window, qtbot)
    card = window.question.approval
    card.silent.click()
    getattr(card, name).click()
    _finish(window, qtbot, gate)
    assert workbench.approvals == [given]
    _asked(window, qtbot)
    assert not card.silent.isChecked()
    card.refuse.click()


def test_escape_sends_nothing_and_keeps_the_question_going(
    window: MainWindow, qtbot: QtBot, workbench: FakeWorkbench, gate: threading.Event
) -> None:
    _asked(window, qtbot)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: workbench.approvals == [Approval.REFUSED], timeout=10_000)
    _finish(window, qtbot, gate)
    assert "Rien n’a été envoyé à Gemini, à votre demande." in words_of(window)
    assert not window.question.banner.isVisible()


def test_closing_the_window_while_a_text_waits_sends_nothing(
    window: MainWindow, qtbot: QtBot, workbench: FakeWorkbench, gate: threading.Event
) -> None:
    _asked(window, qtbot)
    window.close()
    assert workbench.approvals == []
