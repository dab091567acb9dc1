"""An answer is saved as PDF, page, text and Anki cards; sections are gone to; questions recalled."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pymupdf
import pytest
from fakes.fake_workbench import FakeWorkbench
from PySide6.QtCore import Qt
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QFrame, QLabel
from pytestqt.qtbot import QtBot

from ancremed_desktop.domain.spans import Abstention
from ancremed_desktop.gui.main_window import MainWindow
from ancremed_desktop.gui.printing import save_pdf
from ancremed_desktop.gui.saving import proposed_name
from ancremed_desktop.gui.start import make_application, make_window
from ancremed_desktop.settings.preferences import PreferenceStore

CONTROL = Qt.KeyboardModifier.ControlModifier


def ask(window: MainWindow, qtbot: QtBot, text: str) -> None:
    window.question.ask(text)
    qtbot.waitUntil(lambda: not window.question.running, timeout=10_000)


def read(path: Path) -> str:
    if path.suffix != ".pdf":
        return path.read_text(encoding="utf-8")
    with pymupdf.open(path) as document:
        return " ".join(" ".join(page.get_text() for page in document).split())


def sizes(path: Path) -> set[float]:
    """Heights of the texts of a PDF, in points."""
    with pymupdf.open(path) as document:
        blocks = [block for page in document for block in page.get_text("dict")["blocks"]]
    lines = [line for block in blocks for line in block.get("lines", ())]
    return {span["size"] for line in lines for span in line["spans"]}


@pytest.mark.parametrize("suffix", [".pdf", ".html", ".txt", ".tsv"])
def test_quotes_sources_and_notice_go_in(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, suffix: str
) -> None:
    ask(window, qtbot, "embolie")
    target = tmp_path / f"reponse{suffix}"
    window.question.answer.save_as(target)
    text = read(target).replace("\u00a0", " ")
    for words in (
        "obstruction d’une artère pulmonaire",
        "Maladie veineuse thromboembolique",
        "brouillon",
        "ne remplace ni la source",
    ):
        assert words in text
    assert [path for path in tmp_path.iterdir() if path.is_file()] == [target]


def test_the_texts_of_a_pdf_are_of_a_readable_size(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    ask(window, qtbot, "embolie")
    target = tmp_path / "reponse.pdf"
    window.question.answer.save_as(target)
    found = sizes(target)
    assert len(found) > 1
    assert all(8 <= size <= 24 for size in found), found


@pytest.mark.parametrize("size", ["font-size:16px", "font-size:12pt", "font:16px/1.6 serif"])
@pytest.mark.parametrize(
    "body",
    ["<p>mot <b>gras</b></p>", "<ul><li>mot</li></ul>", "<table><tr><td>mot</td></tr></table>"],
)
def test_a_pixel_is_the_96th_of_an_inch_on_paper(
    qapp: QApplication, tmp_path: Path, size: str, body: str
) -> None:
    target = tmp_path / "page.pdf"
    save_pdf(f"<html><body><div style='{size}'>{body}</div></body></html>", "page", target)
    foot_of_the_page = 8.5
    assert {round(found, 1) for found in sizes(target)} == {12, foot_of_the_page}


@pytest.mark.parametrize("name", ["x.apkg", "x.docx", "dose 1.5 mg", "x"])
def test_an_unknown_ending_is_refused(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, name: str
) -> None:
    ask(window, qtbot, "embolie")
    window.question.answer.save_as(tmp_path / name)
    assert not [path for path in tmp_path.iterdir() if path.is_file()]
    assert window.question.banner.isVisible()
    said = window.question.banner.message.as_text()
    for words in ("Rien n’a été enregistré", name, "Cartes Anki (.tsv)"):
        assert words in said.replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("name", "start"), [("x.PDF", b"%PDF"), ("x.Tsv", b"#separator"), ("x.HTML", b"<!doctype")]
)
def test_the_ending_typed_decides_whatever_the_kind_chosen(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, name: str, start: bytes
) -> None:
    ask(window, qtbot, "embolie")
    window.question.answer.save()
    dialog = window.question.answer.findChild(QFileDialog)
    assert dialog is not None
    assert dialog.selectedNameFilter() == "PDF (*.pdf)"
    dialog.fileSelected.emit(str(tmp_path / name))
    assert (tmp_path / name).read_bytes().startswith(start)
    dialog.reject()


def test_the_chooser_of_files_is_in_french(qapp: QApplication) -> None:
    make_application([])
    dialog = QFileDialog()
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    labels = [label.text() for label in dialog.findChildren(QLabel)]
    assert [text.replace("&", "") for text in labels if text] == [
        "Regarder dans\u00a0:",
        "Nom de fichier\u00a0:",
        "Type de fichiers\u00a0:",
    ]


@pytest.mark.parametrize("suffix", [".pdf", ".txt"])
def test_a_file_that_cannot_be_written_is_said(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, suffix: str
) -> None:
    ask(window, qtbot, "embolie")
    window.question.answer.save_as(tmp_path / "absent" / f"reponse{suffix}")
    assert window.question.banner.isVisible()
    assert "n’a pas pu être enregistré" in window.question.banner.message.as_text()


def test_the_chooser_follows_the_kind(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    ask(window, qtbot, "Contre-indications de l’œdème ?")
    QTest.keyClick(window, Qt.Key.Key_S, CONTROL)
    dialog = window.question.answer.findChild(QFileDialog)
    assert dialog is not None
    assert dialog.defaultSuffix() == "pdf"
    dialog.selectNameFilter("Cartes Anki (*.tsv)")
    dialog.filterSelected.emit("Cartes Anki (*.tsv)")
    assert dialog.defaultSuffix() == "tsv"
    dialog.fileSelected.emit(str(tmp_path / "cartes.tsv"))
    assert (tmp_path / "cartes.tsv").read_text(encoding="utf-8").startswith("#separator:tab\n")
    dialog.reject()
    answer = window.question.answer._answer
    assert answer is not None
    assert proposed_name(answer) == "contre-indications-de-l-oedeme"


def test_nothing_is_saved_before_an_answer(window: MainWindow) -> None:
    QTest.keyClick(window, Qt.Key.Key_S, CONTROL)
    assert window.question.answer.findChild(QFileDialog) is None


def test_sections_are_gone_to(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(900, 560)
    ask(window, qtbot, "embolie")
    view = window.question.answer
    names = [action.text() for action in view._head.menu.actions()]
    assert names == [head.title.text() for head in view._heads.values()]
    assert len(names) > 1
    area = window.question._scroll
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0)
    view._head.menu.actions()[1].trigger()
    head = list(view._heads.values())[1]
    bar = area.verticalScrollBar()
    top = head.mapTo(area, head.rect().topLeft()).y()
    assert 0 <= top < 20 or bar.value() == bar.maximum()


def test_what_was_found_comes_before_what_was_not(window: MainWindow, qtbot: QtBot) -> None:
    ask(window, qtbot, "embolie")
    view = window.question.answer
    answer = view._answer
    assert answer is not None
    view.show_answer(replace(answer, spans=answer.spans[::-1]))
    assert isinstance(answer.spans[-1], Abstention)
    QApplication.processEvents()
    frames = [w for w in view.findChildren(QFrame) if w.isVisibleTo(view)]
    missing = [w for w in frames if w.property("role") == "quiet"]
    assert min(w.y() for w in missing) > max(head.y() for head in view._heads.values())


def test_cards_of_one_source_in_a_row_name_it_once(window: MainWindow, qtbot: QtBot) -> None:
    ask(window, qtbot, "embolie")
    view = window.question.answer
    answer = view._answer
    assert answer is not None
    first, *others = answer.spans
    view.show_answer(replace(answer, spans=(first, first, first, *others)))
    QApplication.processEvents()
    joined = [card.property("joined") for card in view.cards]
    assert joined == ["first", "middle", "last", "", "", ""]
    assert [card.line.isVisible() for card in view.cards] == [False, False, True, True, True, True]
    for card in view.cards:
        assert card.cited[0] in card.accessibleDescription().replace("\u00a0", " ")


def test_questions_of_the_session_come_back(window: MainWindow, qtbot: QtBot) -> None:
    box = window.question.box
    assert not box.asked_before.isVisible()
    for text in ("première", "seconde"):
        ask(window, qtbot, text)
    assert box.asked_before.isVisible()
    assert [action.text() for action in box._menu.actions()] == ["seconde", "première"]
    box.set_text("en cours")
    shown = []
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Down):
        QTest.keyClick(box.field, key)
        shown.append(box.text())
    assert shown == ["seconde", "première", "première", "seconde", "en cours"]


def test_questions_of_earlier_sessions_come_back_only_where_they_may(
    window: MainWindow, qtbot: QtBot, workbench: FakeWorkbench, qapp: QApplication
) -> None:
    assert not window.question.box.asked_before.isVisible()
    PreferenceStore().update(keep_questions=True)
    again = make_window(workbench, qapp)
    qtbot.addWidget(again)
    again.show()
    again.begin()
    box = again.question.box
    qtbot.waitUntil(box.asked_before.isVisible, timeout=10_000)
    QTest.keyClick(box.field, Qt.Key.Key_Up)
    assert box.text() == "récente"
    again.settings.keep.setChecked(False)
    assert not box.asked_before.isVisible()
    assert box._menu.actions() == []
    qtbot.waitUntil(lambda: not again.background.busy, timeout=10_000)
    again.close()


@pytest.mark.parametrize("resolution", [96, 1200])
def test_an_answer_is_printed(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, resolution: int
) -> None:
    ask(window, qtbot, "embolie")
    QTest.keyClick(window, Qt.Key.Key_P, CONTROL)
    (dialog,) = window.findChildren(QPrintDialog)
    assert dialog.windowTitle() == "Imprimer la réponse"
    target = tmp_path / "papier.pdf"
    dialog.printer().setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    dialog.printer().setOutputFileName(str(target))
    dialog.printer().setResolution(resolution)
    dialog.accepted.emit(dialog.printer())
    text = read(target)
    assert all(8 <= size <= 24 for size in sizes(target))
    assert "obstruction d’une artère pulmonaire" in text
    assert "ne remplace ni la source" in text
    dialog.reject()


def test_the_keyboard_stays_in_the_answer_when_another_comes(
    window: MainWindow, qtbot: QtBot
) -> None:
    """The card that held it is gone; the first one of the new answer takes it."""
    for _ in range(2):
        ask(window, qtbot, "embolie")
        first = window.question.answer.cards[0]
        qtbot.waitUntil(first.hasFocus, timeout=10_000)
