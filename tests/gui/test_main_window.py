"""Opening, pages, notice, colours, sizes, closing."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import pymupdf
import pytest
from fakes.fake_workbench import GUIDELINE, FakeWorkbench
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLineEdit
from pytestqt.qtbot import QtBot
from shiboken6 import getCppPointer

from ancremed_desktop.errors import IndexFileError
from ancremed_desktop.gui.main_window import MainWindow
from ancremed_desktop.gui.start import fit_to_screen, make_window
from ancremed_desktop.gui.theme import DARK, LIGHT, Palette
from ancremed_desktop.gui.widgets.prose import Prose
from ancremed_desktop.settings.preferences import PreferenceStore, Theme, preferences_file

CONTROL = Qt.KeyboardModifier.ControlModifier


def _idle(window: MainWindow) -> bool:
    return not window.background.busy


def about_text(window: MainWindow) -> str:
    return "\n".join(p.as_text() for p in window.about.findChildren(Prose))


def test_the_index_is_opened_behind_and_named(window: MainWindow) -> None:
    assert "76\u202f303 passages" in about_text(window).replace("\u00a0", " ")
    assert "essai-1" in about_text(window)


def test_the_answer_service_is_opened_before_a_question(qtbot: QtBot, qapp: QApplication) -> None:
    workbench = FakeWorkbench()
    PreferenceStore().update(notice_version=1)
    window = make_window(workbench, qapp)
    qtbot.addWidget(window)
    window.begin()
    qtbot.waitUntil(lambda: workbench.prepared == 1 and _idle(window), timeout=10_000)
    window.library.changed.emit()
    qtbot.waitUntil(lambda: workbench.prepared == 2 and _idle(window), timeout=10_000)
    window.close()


def test_an_index_that_cannot_be_opened_is_said_and_the_window_lives(
    qtbot: QtBot, qapp: QApplication
) -> None:
    workbench = FakeWorkbench()
    workbench.open_error = IndexFileError("L’index est abîmé : reprenez une copie saine.")
    PreferenceStore().update(notice_version=1)
    window = make_window(workbench, qapp)
    qtbot.addWidget(window)
    window.show()
    window.begin()
    qtbot.waitUntil(window.question.banner.isVisible, timeout=10_000)
    assert "reprenez une copie saine" in window.question.banner.message.as_text()
    assert "reprenez une copie saine" in about_text(window)
    window.close()


def test_a_window_is_no_larger_than_its_screen(window: MainWindow) -> None:
    room = window.screen().availableSize()
    window.resize(room.width() + 300, room.height() + 300)
    fit_to_screen(window)
    assert window.width() <= max(room.width(), window.minimumWidth())
    assert window.height() < max(room.height(), window.minimumHeight() + 1)


def test_pages_by_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    pages = (
        window.question,
        window.library,
        window.calculators,
        window.models,
        window.settings,
        window.about,
    )
    for number, page in enumerate(pages, 1):
        QTest.keyClick(window, Qt.Key(Qt.Key.Key_0 + number), CONTROL)
        assert window._stack.currentWidget() is page
    QTest.keyClick(window, Qt.Key.Key_L, CONTROL)
    assert window._stack.currentWidget() is window.question
    qtbot.waitUntil(lambda: not window.background.busy)


def test_the_keys_of_all_pages_are_told(window: MainWindow) -> None:
    assert f"Ctrl+1 à Ctrl+{len(window._pages)}" in about_text(window).replace("\u00a0", " ")


def test_the_notice_is_shown_until_it_is_read(qtbot: QtBot, qapp: QApplication) -> None:
    for accepted in (False, True, True):
        expected = PreferenceStore().current.notice_version == 0
        window = make_window(FakeWorkbench(), qapp)
        qtbot.addWidget(window)
        window.show()
        window.begin()
        assert (window._notice is not None) is expected
        if window._notice is not None:
            if accepted:
                window._notice.accept_button.click()
            else:
                window._notice.reject()
        qtbot.waitUntil(partial(_idle, window))
        window.close()
    assert PreferenceStore().current.notice_version == 1


def test_damaged_preferences_are_said(qtbot: QtBot, qapp: QApplication) -> None:
    preferences_file().write_text("{", encoding="utf-8")
    window = make_window(FakeWorkbench(), qapp)
    qtbot.addWidget(window)
    window.show()
    window.begin()
    assert "abîmé" in window.question.banner.message.as_text()
    qtbot.waitUntil(lambda: not window.background.busy)
    window.close()


def test_theme_is_applied_and_kept(window: MainWindow, qapp: QApplication) -> None:
    window._appearance.set_theme(Theme.DARK)
    assert qapp.palette().window().color() == QColor(DARK.ground)
    assert DARK.accent in window.styleSheet()
    window._appearance.set_theme(Theme.LIGHT)
    assert qapp.palette().window().color() == QColor(LIGHT.ground)
    assert PreferenceStore().current.theme is Theme.LIGHT


class _Fonts(QObject):
    """Counts how often the widgets it watches are given a font."""

    def __init__(self) -> None:
        super().__init__()
        self.given = 0

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt calls it
        self.given += event.type() == QEvent.Type.FontChange
        return False


def test_larger_text_reaches_each_paragraph_a_few_times(window: MainWindow, qtbot: QtBot) -> None:
    """A style sheet of the application gave each its font 26 times."""
    window.question.ask("embolie")
    qtbot.waitUntil(lambda: not window.question.running, timeout=10_000)
    fonts = _Fonts()
    texts = window.question.answer.findChildren(Prose)
    for text in texts:
        text.installEventFilter(fonts)
    before = texts[0].font().pixelSize()
    window._appearance.step_text_scale(1)
    assert texts[0].font().pixelSize() > before
    assert fonts.given <= 8 * len(texts)
    window._appearance.step_text_scale(-1)


def test_a_library_changed_elsewhere_is_taken_over(
    window: MainWindow, qtbot: QtBot, workbench: FakeWorkbench
) -> None:
    prepared = workbench.prepared
    workbench.changed_elsewhere = True
    window.question.ask("embolie")
    qtbot.waitUntil(lambda: workbench.prepared == prepared + 1 and _idle(window), timeout=10_000)
    assert not workbench.changed_elsewhere
    window.question.ask("embolie")
    qtbot.waitUntil(lambda: _idle(window), timeout=10_000)
    assert workbench.prepared == prepared + 1  # nothing changed since


def test_a_second_window_keeps_the_style_of_the_first(
    window: MainWindow, qtbot: QtBot, qapp: QApplication, workbench: FakeWorkbench
) -> None:
    before = getCppPointer(qapp.style())
    again = make_window(workbench, qapp)
    qtbot.addWidget(again)
    assert getCppPointer(qapp.style()) == before
    again.close()


def test_text_grows_and_shrinks_by_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    field = window.question.box.field
    before = field.fontMetrics().height()
    QTest.keyClick(window, Qt.Key.Key_Plus, CONTROL)
    QTest.keyClick(window, Qt.Key.Key_Plus, CONTROL)
    assert window._appearance.text_scale == 125
    assert field.fontMetrics().height() > before
    QTest.keyClick(window, Qt.Key.Key_Minus, CONTROL)
    assert window._appearance.text_scale == 110
    QTest.keyClick(window, Qt.Key.Key_0, CONTROL)
    assert PreferenceStore().current.text_scale == 100


def _luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2, https://www.w3.org/TR/WCAG22/#dfn-relative-luminance)."""
    channels = []
    for start in (1, 3, 5):
        value = int(colour[start : start + 2], 16) / 255
        channels.append(value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4)
    red, green, blue = channels
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_text_is_readable_on_every_ground(palette: Palette) -> None:
    pairs = [
        (ink, ground)
        for ink in (palette.text, palette.muted)
        for ground in (palette.ground, palette.rail, palette.surface, palette.raised)
    ]
    pairs += [
        (palette.accent, palette.surface),
        (palette.accent, palette.accent_soft),
        (palette.on_accent, palette.accent),
        (palette.warning, palette.warning_soft),
        (palette.danger, palette.danger_soft),
        (palette.danger, palette.surface),
        (palette.on_mark, palette.mark),
        (palette.text, palette.accent_soft),
        (palette.text, palette.warning_soft),
        (palette.text, palette.danger_soft),
        (palette.muted, palette.accent_soft),
        (palette.danger, palette.ground),
        (palette.accent, palette.ground),
        (palette.accent, palette.raised),
        (palette.on_accent, palette.accent_hover),
        (palette.warning, palette.surface),
    ]
    for ink, ground in pairs:
        light, dark = sorted((_luminance(ink), _luminance(ground)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (ink, ground)


@pytest.mark.parametrize("theme", [Theme.LIGHT, Theme.DARK])
def test_a_placeholder_is_as_readable_as_other_words(window: MainWindow, theme: Theme) -> None:
    """Qt would draw it at half strength, under the contrast asked of text."""
    window._appearance.set_theme(theme)
    muted = QColor(window._appearance.palette.muted)
    for field in (window.question.box.field, window.calculators.search, window.library.filter):
        field.ensurePolished()
        assert field.palette().placeholderText().color() == muted


def test_everything_that_takes_the_focus_has_a_name(window: MainWindow, qtbot: QtBot) -> None:
    for number in range(5):
        window.go_to(number)
    qtbot.waitUntil(lambda: not window.background.busy)
    window.calculators.open_formula("cha2ds2_vasc")
    window.question.ask("embolie")
    qtbot.waitUntil(lambda: not window.question.running, timeout=10_000)
    for kind in (QAbstractButton, QLineEdit, QComboBox):
        for widget in window.findChildren(kind):
            if widget.objectName().startswith("qt_") or isinstance(widget.parent(), QLineEdit):
                continue
            text = widget.text() if isinstance(widget, QAbstractButton) else ""
            assert widget.accessibleName() or text, widget


def test_closing_while_work_runs_leaves_no_thread(qtbot: QtBot, qapp: QApplication) -> None:
    workbench = FakeWorkbench()
    workbench.gate = threading.Event()
    PreferenceStore().update(notice_version=1)
    window = make_window(workbench, qapp)
    qtbot.addWidget(window)
    window.show()
    window.begin()
    window.question.ask("embolie")
    qtbot.waitUntil(lambda: bool(workbench.asked), timeout=10_000)
    start = time.perf_counter()
    window.close()
    assert time.perf_counter() - start < 1
    assert not [t for t in threading.enumerate() if t.name.startswith("ancremed")]


def test_the_page_of_a_pdf_opens_at_its_number(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    path = tmp_path / "reco.pdf"
    document = pymupdf.open()
    for number in range(1, 21):
        document.new_page().insert_text((72, 72), f"Page {number}. L'obstruction augmente.")
    document.save(path)
    document.close()
    workbench = FakeWorkbench(replace(GUIDELINE, details=(("chemin", str(path)),)))
    PreferenceStore().update(notice_version=1)
    window = make_window(workbench, qapp)
    qtbot.addWidget(window)
    window.show()
    window.question.ask("embolie")
    qtbot.waitUntil(lambda: len(window.question.answer.cards) == 4, timeout=10_000)
    qtbot.waitUntil(lambda: not window.question.running, timeout=10_000)
    window.question.open_source(window.question.answer.cards[1].span)
    panel = window.question.panel
    qtbot.waitUntil(panel.isVisible, timeout=10_000)
    assert panel.see_page.isVisible()
    assert str(path) not in panel.meta.as_text()
    QTest.mouseClick(panel.see_page, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.page.shown.text() == "Page 13 sur 20", timeout=10_000)
    assert panel.see_page.text() == "Voir le texte"
    pixmap = panel.page.sheet.pixmap()
    assert abs(pixmap.width() - panel.page.area.viewport().width()) <= 2
    QTest.mouseClick(panel.page.after, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.page.shown.text() == "Page 14 sur 20", timeout=10_000)
    path.write_bytes(b"not a pdf")
    panel.page.show_page(path, 13, "")
    qtbot.waitUntil(panel.page.problem.isVisible, timeout=10_000)
    assert "n’est pas un PDF lisible" in panel.page.problem.as_text()
    qtbot.waitUntil(lambda: not window.background.busy)
    window.close()


def test_ceasing_to_keep_questions_erases_those_kept(
    window: MainWindow, workbench: FakeWorkbench
) -> None:
    assert not window.settings.meaning.isChecked()
    window.settings.meaning.setChecked(True)
    assert PreferenceStore().current.search_by_meaning
    window.settings.keep.setChecked(True)
    assert workbench.forgotten == 0
    window.settings.keep.setChecked(False)
    assert workbench.forgotten == 1
