"""Asking, watching, stopping, reading an answer and opening its sources."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import pytest
from fakes.fake_workbench import HOSTILE, SENTENCES, FakeWorkbench
from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from ancremed_desktop.domain.spans import VerifiedAssertion
from ancremed_desktop.gui.main_window import MainWindow
from ancremed_desktop.gui.safe_text import display_text, utf16_offset
from ancremed_desktop.gui.widgets.basics import Fold, WrappingButton
from ancremed_desktop.gui.widgets.prose import Prose

KEY = Qt.Key


def ask(window: MainWindow, qtbot: QtBot, text: str) -> None:
    window.question.ask(text)
    qtbot.waitUntil(lambda: not window.question.running, timeout=10_000)


def words_of(window: MainWindow) -> str:
    """All that the answer shows."""
    QApplication.processEvents()
    view = window.question.answer
    labels = [w.text() for w in view.findChildren(QLabel) if w.isVisibleTo(view)]
    texts = [w.as_text() for w in view.findChildren(Prose) if w.isVisibleTo(view)]
    return "\n".join([*labels, *texts]).replace("\u00a0", " ")


def open_first(window: MainWindow, qtbot: QtBot, position: int = 0) -> VerifiedAssertion:
    card = window.question.answer.cards[position]
    QTest.mouseClick(card, Qt.MouseButton.LeftButton, pos=QPoint(6, 6))
    qtbot.waitUntil(window.question.panel.isVisible, timeout=10_000)
    return card.span


def test_a_quote_is_copied_with_its_source_and_state(window: MainWindow, qtbot: QtBot) -> None:
    ask(window, qtbot, "embolie")
    card = window.question.answer.cards[0]
    card.setFocus()
    QTest.keyClick(card, KEY.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QApplication.clipboard().text().replace("\u00a0", " ")
    assert copied.startswith(f"« {card.span.anchored.quote.strip()} »".replace("\u00a0", " "))
    for words in ("Embolie pulmonaire", "2019", "brouillon, non relu par un clinicien"):
        assert words in copied.partition("»")[2]


def test_an_answer_has_its_sections_sources_and_marks(window: MainWindow, qtbot: QtBot) -> None:
    ask(window, qtbot, "Qu’est-ce que l’embolie pulmonaire ?")
    shown = words_of(window)
    for section, sentence in SENTENCES.items():
        assert section.capitalize() in shown
        assert display_text(sentence).replace("\u00a0", " ") in shown
    assert "brouillon, non relu par un clinicien" in shown
    assert "réponse d’examen" in shown
    assert "15 juillet 2018" in shown
    assert "p. 13" in shown
    assert "Non trouvé" in shown
    assert "oedeme → œdème" in shown
    assert "ne remplace ni la source, ni un avis médical" in shown
    assert len(window.question.answer.cards) == 4


@pytest.mark.parametrize(
    ("timings", "said"),
    [
        ((("Analyse", 4.0), ("Recherche", 61.0)), "65 ms"),
        ((("Recherche", 500.0), ("Modèles", 26_000.0)), "500 ms  ·  26 s de modèle"),
    ],
)
def test_the_time_of_a_model_is_told_apart(
    window: MainWindow, qtbot: QtBot, timings: tuple[tuple[str, float], ...], said: str
) -> None:
    ask(window, qtbot, "embolie")
    answer = window.question.answer._answer
    assert answer is not None
    window.question.answer.show_answer(replace(answer, timings_ms=timings))
    assert said in words_of(window)


def test_the_example_asks_its_question(
    window: MainWindow, qtbot: QtBot, workbench: FakeWorkbench
) -> None:
    example = window.question.examples.findChild(QPushButton)
    assert example is not None
    QTest.mouseClick(example, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(window.question.answer.cards) == 4, timeout=10_000)
    assert workbench.asked == [window.question.box.text()]
    assert not window.question.examples.isVisible()


def test_stages_are_shown_live(window: MainWindow, qtbot: QtBot, workbench: FakeWorkbench) -> None:
    workbench.gate = threading.Event()
    window.question.ask("embolie")
    qtbot.waitUntil(lambda: window.question.stages.current == "Analyse", timeout=10_000)
    assert window.question.stages.isVisible()
    assert window.question.box.stop.isVisible()
    assert not window.question.box.send.isVisible()
    workbench.gate.set()
    qtbot.waitUntil(lambda: not window.question.running, timeout=10_000)
    assert not window.question.stages.isVisible()
    assert window.question.box.send.isVisible()


def test_internal_stage_names_map_to_the_four(window: MainWindow) -> None:
    stages = window.question.stages
    stages.start(waiting=False)
    for told, expected in (
        ("Analyse", "Analyse"),
        ("Calcul", "Analyse"),
        ("Recherche", "Recherche"),
        ("Rédaction", "Rédaction"),
        ("Attribution", "Vérification"),
        ("Vérification", "Vérification"),
        ("Autre chose", "Vérification"),
    ):
        stages.show_stage(told)
        assert stages.current == expected


@pytest.mark.parametrize("way", ["escape", "button"])
def test_stop_gives_the_hand_back_within_a_second(
    window: MainWindow, qtbot: QtBot, workbench: FakeWorkbench, way: str
) -> None:
    workbench.gate = threading.Event()
    window.question.ask("embolie")
    qtbot.waitUntil(lambda: window.question.stages.current == "Analyse", timeout=10_000)
    start = time.perf_counter()
    if way == "escape":
        QTest.keyClick(window.question.box.field, KEY.Key_Escape)
    else:
        QTest.mouseClick(window.question.box.stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.question.running, timeout=1000)
    assert time.perf_counter() - start < 1
    assert window.question.banner.title.text() == "Arrêté"
    workbench.gate.set()
    qtbot.waitUntil(lambda: not window.background.busy)
    assert window.question.answer.cards == []
    ask(window, qtbot, "embolie")
    assert len(window.question.answer.cards) == 4


def test_a_new_question_replaces_the_one_under_way(
    window: MainWindow, qtbot: QtBot, workbench: FakeWorkbench
) -> None:
    workbench.gate = threading.Event()
    window.question.ask("embolie")
    window.question.ask("bonjour")
    workbench.gate.set()
    qtbot.waitUntil(lambda: not window.question.running, timeout=10_000)
    assert "Posez votre question" in words_of(window)
    assert window.question.answer.cards == []


def test_a_click_opens_the_source_with_the_quote_marked(window: MainWindow, qtbot: QtBot) -> None:
    ask(window, qtbot, "embolie")
    span = open_first(window, qtbot)
    panel = window.question.panel
    anchored = span.anchored
    assert panel.text.marked == (anchored.char_start, anchored.char_end)
    selections = panel.text.extraSelections()
    assert len(selections) == 1
    marked = selections[0].cursor.selectedText()
    assert marked == display_text(anchored.quote)
    assert panel.title.as_text() == "Embolie pulmonaire"
    assert "Licence" in panel.meta.as_text()
    assert window.question.answer.cards[0].property("opened") == "true"
    QTest.mouseClick(panel.see_details, Qt.MouseButton.LeftButton)
    assert panel.provenance.isVisible()
    assert "Consulté le\u00a0: 30\u00a0novembre\u00a02026".replace("\u00a0", " ") in (
        panel.provenance.toPlainText()
    )
    QTest.mouseClick(panel.see_details, Qt.MouseButton.LeftButton)
    assert panel.text.isVisible()


def test_a_wide_window_opens_the_first_source_by_itself(window: MainWindow, qtbot: QtBot) -> None:
    ask(window, qtbot, "embolie")
    assert not window.question.panel.isVisible()
    window.resize(1920, 1080)
    ask(window, qtbot, "embolie")
    qtbot.waitUntil(window.question.panel.isVisible, timeout=10_000)
    first = window.question.answer.cards[0]
    assert first.property("opened") == "true"
    assert window.question.panel.where.as_text()
    window.question.escape()
    assert not window.question.panel.isVisible()


def test_the_mark_is_right_after_characters_outside_the_first_plane(
    window: MainWindow, qtbot: QtBot
) -> None:
    ask(window, qtbot, "hostile")
    span = open_first(window, qtbot, position=1)
    qtbot.waitUntil(
        lambda: (
            window.question.panel.text.marked == (span.anchored.char_start, span.anchored.char_end)
        )
    )
    selections = window.question.panel.text.extraSelections()
    cursor = selections[0].cursor
    text = span.anchored.passage.text
    assert cursor.selectionStart() == utf16_offset(text, span.anchored.char_start) == 3
    assert cursor.selectionEnd() == utf16_offset(text, span.anchored.char_end)


def test_neighbours_are_reached_and_lose_the_mark(window: MainWindow, qtbot: QtBot) -> None:
    ask(window, qtbot, "embolie")
    open_first(window, qtbot)
    panel = window.question.panel
    assert panel.position.text() == "Passage 1 sur 4"
    assert not panel.before.isEnabled()
    QTest.mouseClick(panel.after, Qt.MouseButton.LeftButton)
    assert panel.position.text() == "Passage 2 sur 4"
    assert panel.text.marked is None
    assert SENTENCES["physiopathologie"] in panel.text.toPlainText()
    QTest.keyClick(panel, KEY.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert panel.text.marked is not None


def test_keyboard_from_question_to_source_and_back(window: MainWindow, qtbot: QtBot) -> None:
    window.activateWindow()
    field = window.question.box.field
    field.setFocus()
    QTest.keyClicks(field, "embolie")
    QTest.keyClick(field, KEY.Key_Return)
    qtbot.waitUntil(lambda: len(window.question.answer.cards) == 4, timeout=10_000)
    cards = window.question.answer.cards
    qtbot.waitUntil(lambda: not window.question.running)
    # A widget not yet laid out takes no focus.
    qtbot.waitUntil(lambda: cards[0].isVisible() and cards[1].isVisible(), timeout=10_000)
    cards[0].setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is cards[0], timeout=10_000)
    QTest.keyClick(cards[0], KEY.Key_Down)
    assert QApplication.focusWidget() is cards[1]
    QTest.keyClick(cards[1], KEY.Key_Return)
    qtbot.waitUntil(window.question.panel.isVisible, timeout=10_000)
    QTest.keyClick(cards[1], KEY.Key_Escape)
    assert not window.question.panel.isVisible()
    assert QApplication.focusWidget() is cards[1]
    QTest.keyClick(cards[1], KEY.Key_Escape)
    assert QApplication.focusWidget() is field


def test_shift_enter_starts_a_line_and_control_enter_asks(
    window: MainWindow, qtbot: QtBot, workbench: FakeWorkbench
) -> None:
    field = window.question.box.field
    QTest.keyClicks(field, "a")
    QTest.keyClick(field, KEY.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(field, "b")
    assert field.toPlainText() == "a\nb"
    QTest.keyClick(field, KEY.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: workbench.asked == ["a\nb"], timeout=10_000)


@pytest.mark.parametrize(
    ("length", "allowed"), [(0, False), (1, True), (2000, True), (2001, False)]
)
def test_the_counter_and_the_limits(window: MainWindow, length: int, allowed: bool) -> None:
    box = window.question.box
    box.set_text("x" * length)
    assert box.send.isEnabled() is allowed
    assert box.counter.text().startswith(f"{length:,}".replace(",", "\u202f"))
    assert ("trop longue" in box.hint.text()) is (length > 2000)


def test_a_megabyte_is_not_pasted(window: MainWindow) -> None:
    data = QMimeData()
    data.setText("x" * 1_000_000)
    window.question.box.field.insertFromMimeData(data)
    assert window.question.box.text() == ""
    assert "rien n’a été collé" in window.question.box.hint.text()


def test_pasted_markup_stays_text(window: MainWindow) -> None:
    data = QMimeData()
    data.setHtml("<b>gras</b>")
    data.setText("<b>gras</b>")
    window.question.box.field.insertFromMimeData(data)
    assert window.question.box.text() == "<b>gras</b>"


def test_a_fault_of_ours_is_told_in_french_with_its_detail(
    window: MainWindow, qtbot: QtBot
) -> None:
    ask(window, qtbot, "panne")
    banner = window.question.banner
    assert banner.isVisible()
    assert banner.title.text() == "Erreur interne"
    assert "Une erreur inattendue" in banner.message.as_text()
    assert "KeyError" not in banner.message.as_text()
    copy = next(b for b in banner.findChildren(QPushButton) if "Copier" in b.text())
    QTest.mouseClick(copy, Qt.MouseButton.LeftButton)
    assert "KeyError: 'une clef'" in QApplication.clipboard().text()
    ask(window, qtbot, "embolie")
    assert not banner.isVisible()


def test_a_users_error_is_shown_as_it_is(window: MainWindow, qtbot: QtBot) -> None:
    ask(window, qtbot, "   ")
    assert window.question.banner.title.text() == "À corriger"
    assert "La question est vide" in window.question.banner.message.as_text()


def test_hostile_text_is_shown_as_text(window: MainWindow, qtbot: QtBot) -> None:
    start = time.perf_counter()
    ask(window, qtbot, "hostile")
    card = window.question.answer.cards[0]
    expected = display_text(HOSTILE).replace("\u00a0", " ")
    assert card.statement.prose.as_text() == expected
    assert "<b>gras</b>" in expected
    assert "\u202e" not in expected
    assert "<i>éditeur</i>" in card.line.as_text()
    for prose in window.question.answer.findChildren(Prose):
        assert "font-weight:700" not in prose.document().toHtml().replace(" ", "")
        assert "<img" not in prose.document().toHtml()
    long = window.question.answer.cards[1]
    assert len(long.statement.prose.as_text()) < 2_000
    assert long.statement.width() <= window.width()
    QTest.mouseClick(long.statement.more, Qt.MouseButton.LeftButton)
    assert len(long.statement.prose.as_text()) > 100_000
    open_first(window, qtbot)
    assert window.question.panel.title.as_text() == expected
    assert time.perf_counter() - start < 20


def test_suggestion_asks_again_with_the_word(
    window: MainWindow, qtbot: QtBot, workbench: FakeWorkbench
) -> None:
    ask(window, qtbot, "trombose veineuse")
    links = window.question.answer.findChildren(QPushButton)
    link = next(b for b in links if "thrombose" in b.text())
    QTest.mouseClick(link, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: workbench.asked[-1] == "thrombose veineuse", timeout=10_000)


def test_refused_spans_are_behind_a_fold(window: MainWindow, qtbot: QtBot) -> None:
    ask(window, qtbot, "embolie")
    fold = window.question.answer.findChild(Fold)
    assert fold is not None
    assert fold.head.text() == "Pourquoi bloqué (2)"
    assert "bolus" not in words_of(window)
    QTest.mouseClick(fold.head, Qt.MouseButton.LeftButton)
    shown = words_of(window)
    assert "bolus" in shown
    assert "quantité absente de la source" in shown
    assert "reperfusion en urgence" in shown
    marked = [
        selection.cursor.selectedText()
        for prose in fold.findChildren(Prose)
        for selection in prose.extraSelections()
    ]
    assert marked == ["10 mg", "quelle que soit la probabilité clinique"]


def test_abstentions_of_one_reason_are_told_once(window: MainWindow, qtbot: QtBot) -> None:
    ask(window, qtbot, "zorvatine inconnu")
    shown = words_of(window)
    assert "Indication, posologie, contre-indications" in shown
    assert shown.count("Terme inconnu du corpus") == 1
    assert window.question.answer.cards == []


def test_a_passage_named_where_nothing_answers_opens(window: MainWindow, qtbot: QtBot) -> None:
    ask(window, qtbot, "zorvatine inconnu, voisin")
    assert "aucune phrase n’y a été reconnue comme une réponse" in words_of(window)
    assert "ne contient pas de quoi répondre" not in words_of(window)
    view = window.question.answer
    (choice,) = (b for b in view.findChildren(WrappingButton) if "Embolie" in b.accessibleName())
    choice.setFocus()
    QTest.keyClick(choice, KEY.Key_Space)
    qtbot.waitUntil(window.question.panel.isVisible, timeout=10_000)
    assert window.question.answer.cards == []


def test_the_card_of_an_emergency_stands_above_what_is_missing(
    window: MainWindow, qtbot: QtBot
) -> None:
    ask(window, qtbot, "zorvatine inconnu, voisin vital")
    view = window.question.answer
    (title,) = (w for w in view.findChildren(QLabel) if w.text() == "Fiche d’urgence à ouvrir")
    (choice,) = (b for b in view.findChildren(WrappingButton) if "Embolie" in b.accessibleName())
    (missing,) = (w for w in view.findChildren(Prose) if "Terme inconnu" in w.as_text())
    places = [w.mapTo(view, QPoint(0, 0)).y() for w in (title, choice, missing)]
    assert places == sorted(places)
    QTest.mouseClick(choice, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(window.question.panel.isVisible, timeout=10_000)


@pytest.mark.parametrize(
    ("question", "expected"),
    [("bonjour", "Posez votre question clinique"), ("couleur du ciel", "sort de mon domaine")],
)
def test_messages(window: MainWindow, qtbot: QtBot, question: str, expected: str) -> None:
    ask(window, qtbot, question)
    assert expected in words_of(window)


def test_a_calculation_shows_values_result_and_what_is_missing(
    window: MainWindow, qtbot: QtBot
) -> None:
    ask(window, qtbot, "clairance de la créatinine")
    shown = words_of(window)
    assert "43,8 mL/min" in shown
    assert "130 µmol/L" in shown
    assert "lu dans la question" in shown
    assert "Pour calculer, précisez" in shown
    assert "Créatininémie (en µmol/L ou mg/dL)" in shown


def test_copy_has_sources_and_notice(window: MainWindow, qtbot: QtBot) -> None:
    assert window.question.answer.copy() is False
    ask(window, qtbot, "embolie")
    assert window.question.answer.copy() is True
    copied = QApplication.clipboard().text()
    assert SENTENCES["définition"] in copied
    assert "Haute Autorité de santé" in copied
    assert "ne remplace ni la source" in copied


def test_an_altered_source_is_not_shown(
    window: MainWindow, qtbot: QtBot, workbench: FakeWorkbench
) -> None:
    ask(window, qtbot, "embolie")
    span = window.question.answer.cards[0].span
    other = next(v for urn, v in workbench.views.items() if urn != span.anchored.passage.urn)
    workbench.views[span.anchored.passage.urn] = other
    window.question.open_source(span)
    qtbot.waitUntil(window.question.banner.isVisible, timeout=10_000)
    assert not window.question.panel.isVisible()


@pytest.mark.parametrize("scale", [100, 200])
def test_the_placeholder_is_not_cut(window: MainWindow, qtbot: QtBot, scale: int) -> None:
    window.resize(window.minimumSize())
    window._appearance.set_text_scale(scale)
    QApplication.processEvents()
    field = window.question.box.field
    needed = field.fontMetrics().horizontalAdvance(field.placeholderText())
    assert needed < field.viewport().width() - 2 * field.document().documentMargin()
