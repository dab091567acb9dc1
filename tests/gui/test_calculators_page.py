"""Calculators: live result, comma and point, units, what is missing, reset, copy."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPushButton,
    QStyle,
    QStyleOptionViewItem,
)
from pytestqt.qtbot import QtBot

from ancremed_desktop.errors import MachineError
from ancremed_desktop.gui.main_window import MainWindow
from ancremed_desktop.gui.widgets.calculation import ResultView
from ancremed_desktop.gui.widgets.calculator_fields import ChoiceField, TextField
from ancremed_desktop.gui.widgets.formula_form import FormulaForm
from ancremed_desktop.gui.widgets.prose import Prose
from ancremed_desktop.settings.preferences import PreferenceStore, preferences_file


@pytest.fixture
def form(window: MainWindow) -> FormulaForm:
    window.go_to(2)
    window.calculators.open_formula("cockcroft_gault")
    made = window.calculators.form
    assert made is not None
    return made


def put(form: FormulaForm, name: str, text: str) -> None:
    field = form.fields[name]
    if isinstance(field, TextField):
        field.edit.setText(text)
    else:
        assert isinstance(field, ChoiceField)
        field.choose(text)


def computed(form: FormulaForm) -> bool:
    return form.result is not None


def fill(form: FormulaForm) -> None:
    for name, text in (("age", "72"), ("poids", "68"), ("creatinine", "130"), ("sexe", "H")):
        put(form, name, text)


def shown(form: FormulaForm) -> str:
    QApplication.processEvents()
    labels = form.findChildren(QLabel)
    return "\n".join(w.text() for w in labels if w.isVisibleTo(form))


def test_nothing_is_computed_until_all_is_given(form: FormulaForm) -> None:
    assert not computed(form)
    assert "Âge, Poids, Créatininémie, Sexe" in shown(form)
    fill(form)
    assert computed(form)
    # 1,23 × (140 − 72) × 68 / 130 = 43,75 mL/min.
    assert "43,8\u00a0mL/min" in shown(form)


@pytest.mark.parametrize("weight", ["68,5", "68.5", " 68,5 kg"])
def test_comma_and_point_are_the_same(form: FormulaForm, weight: str) -> None:
    fill(form)
    put(form, "poids", weight)
    assert computed(form)
    # 1,23 × 68 × 68,5 / 130 = 44,07.
    assert "44,1\u00a0mL/min" in shown(form)


def test_the_unit_is_chosen_and_converted(form: FormulaForm) -> None:
    fill(form)
    field = form.fields["creatinine"]
    assert isinstance(field, TextField)
    assert field.unit is not None
    field.edit.setText("1,47")
    field.unit.setCurrentText("mg/dL")
    assert computed(form)
    # 1,47 mg/dL × 88,4 = 129,9 µmol/L, hence 43,8 mL/min.
    assert "43,8\u00a0mL/min" in shown(form)


@pytest.mark.parametrize("text", ["6,8", "abc", "12 13", "<50"])
def test_an_implausible_or_unreadable_value_is_said_at_its_field(
    form: FormulaForm, text: str
) -> None:
    fill(form)
    put(form, "poids", text)
    assert not computed(form)
    field = form.fields["poids"]
    assert isinstance(field, TextField)
    assert field.edit.property("invalid") == "true"
    put(form, "poids", "68")
    assert computed(form)
    assert field.edit.property("invalid") == "false"


def test_every_wrong_value_is_told_under_its_field_in_the_words_of_the_window(
    form: FormulaForm,
) -> None:
    put(form, "age", "douze")
    put(form, "poids", "6800")
    said = {name: form.fields[name]._problem.text() for name in ("age", "poids")}
    assert said["age"].startswith("«\u00a0douze\u00a0»"), "the name stands above the field"
    assert "6\u00a0800\u00a0kg est hors des valeurs attendues" in said["poids"]


@pytest.mark.parametrize("scale", [100, 125, 150])
@pytest.mark.parametrize("width", [1280, 1366, 1920])
def test_no_name_of_the_list_is_cut(window: MainWindow, scale: int, width: int) -> None:
    page = window.calculators
    window.go_to(2)
    window.resize(width, 720)
    window._appearance.set_text_scale(scale)
    QApplication.processEvents()
    tree = page.tree
    tree.doItemsLayout()
    style = tree.style()
    margin = style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin) + 1
    groups = [tree.topLevelItem(n) for n in range(tree.topLevelItemCount())]
    children = [group.child(n) for group in groups if group for n in range(group.childCount())]
    items = [child for child in children if child is not None]
    assert len(items) > 80
    for item in items:
        option = QStyleOptionViewItem()
        tree.initViewItemOption(option)
        option.features |= QStyleOptionViewItem.ViewItemFeature.HasDisplay
        option.text = item.text(0)
        option.rect = tree.visualItemRect(item)
        room = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, tree)
        needed = tree.fontMetrics().boundingRect(
            0, 0, room.width() - 2 * margin, 10_000, Qt.TextFlag.TextWordWrap, item.text(0)
        )
        assert needed.height() <= room.height(), item.text(0)
    window._appearance.set_text_scale(100)


def test_a_choice_can_be_taken_back(form: FormulaForm, qtbot: QtBot) -> None:
    fill(form)
    buttons = form.fields["sexe"].findChildren(QPushButton)
    QTest.mouseClick(buttons[1], Qt.MouseButton.LeftButton)
    assert computed(form)
    assert form.fields["sexe"].value() == "F"
    QTest.mouseClick(buttons[1], Qt.MouseButton.LeftButton)
    assert form.fields["sexe"].value() == ""
    assert not computed(form)


def test_reset_and_copy(form: FormulaForm) -> None:
    fill(form)
    form.copy()
    copied = QApplication.clipboard().text()
    assert "43,8\u00a0mL/min" in copied
    assert "Nephron 1976" in copied
    assert "ne remplace ni la source" in copied
    form.reset()
    assert not computed(form)
    assert all(field.value() == "" for field in form.fields.values())


def test_every_formula_has_a_form(window: MainWindow, qtbot: QtBot) -> None:
    window.go_to(2)
    calculator = window.calculators._calculator
    assert calculator is not None
    for formula in calculator.list():
        window.calculators.open_formula(formula.id)
        made = window.calculators.form
        assert made is not None
        assert set(made.fields) == {variable.id for variable in formula.variables}


def open_form(window: MainWindow, formula_id: str) -> FormulaForm:
    window.calculators.open_formula(formula_id)
    made = window.calculators.form
    assert made is not None
    return made


def test_a_patient_is_entered_once(window: MainWindow, form: FormulaForm) -> None:
    fill(form)
    other = open_form(window, "ckd_epi_2009")
    assert {n: f.value() for n, f in other.fields.items() if f.value()} == {
        "age": "72 ans",
        "creatinine": "130 µmol/L",
        "sexe": "H",
    }
    assert other.result is not None
    assert "Repris de vos autres calculs\u00a0: Âge, Créatininémie, Sexe" in shown(other)
    other.reset()
    assert not any(f.value() for f in open_form(window, "cockcroft_gault").fields.values())


def test_an_emptied_value_is_not_shared(window: MainWindow, form: FormulaForm) -> None:
    fill(form)
    put(form, "age", "")
    other = open_form(window, "ckd_epi_2009")
    assert other.fields["age"].value() == ""
    assert other.fields["creatinine"].value() == "130 µmol/L"


def test_yes_or_no_is_not_shared(window: MainWindow) -> None:
    window.go_to(2)
    put(open_form(window, "cha2ds2_vasc"), "hta", "oui")
    assert open_form(window, "cha2ds2_va").fields["hta"].value() == ""


def test_the_unit_last_chosen_is_the_users(window: MainWindow, form: FormulaForm) -> None:
    field = form.fields["creatinine"]
    assert isinstance(field, TextField)
    assert field.unit is not None
    field.unit.setCurrentText("mg/L")
    field.unit.textActivated.emit("mg/L")
    other = open_form(window, "ckd_epi_2009").fields["creatinine"]
    assert isinstance(other, TextField)
    assert other.unit is not None
    assert other.unit.currentText() == "mg/L"
    assert "creatinine=mg/L" in PreferenceStore().current.usual_units


def headings(window: MainWindow) -> dict[str, list[str]]:
    tree = window.calculators.tree
    found = {}
    for number in range(tree.topLevelItemCount()):
        item = tree.topLevelItem(number)
        assert item is not None
        members = (item.child(n) for n in range(item.childCount()))
        found[item.text(0)] = [member.text(0) for member in members if member is not None]
    return found


def test_favourites_and_recent_ones_come_first(window: MainWindow, form: FormulaForm) -> None:
    opened = open_form(window, "ckd_epi_2009")
    opened.favourite.setChecked(True)
    listed = headings(window)
    assert list(listed)[:2] == ["Favoris", "Récents"]
    assert [len(listed["Favoris"]), len(listed["Récents"])] == [1, 2]
    stored = PreferenceStore().current
    assert stored.favourite_formulas == ("ckd_epi_2009",)
    assert stored.recent_formulas == ("ckd_epi_2009", "cockcroft_gault")
    opened.favourite.setChecked(False)
    assert "Favoris" not in headings(window)


def test_no_value_of_the_patient_is_written(form: FormulaForm, tmp_path: Path) -> None:
    fill(form)
    put(form, "poids", "67,3")
    assert "67,3" not in preferences_file().read_text(encoding="utf-8")


def test_pdf_holds_values_result_and_source(form: FormulaForm, tmp_path: Path) -> None:
    fill(form)
    target = tmp_path / "sortie" / "calcul.pdf"
    target.parent.mkdir()
    form.save(target)
    with pymupdf.open(target) as document:
        text = " ".join(" ".join(page.get_text() for page in document).split())
    for expected in ("68 kg", "43,8 mL/min", "Nephron 1976", "ne remplace ni la source"):
        assert expected in text
    assert list(target.parent.iterdir()) == [target]


def test_a_pdf_that_cannot_be_written_is_said(form: FormulaForm, tmp_path: Path) -> None:
    fill(form)
    with pytest.raises(MachineError, match="n’a pas pu être enregistré"):
        form.save(tmp_path / "absent" / "calcul.pdf")


def test_a_calculation_is_saved_under_a_pdf_name_alone(
    window: MainWindow, form: FormulaForm, tmp_path: Path
) -> None:
    """« calcul.apkg » once wrote « calcul.pdf », over what stood there."""
    fill(form)
    form.choose_pdf()
    dialog = form.findChild(QFileDialog)
    assert dialog is not None
    assert dialog.defaultSuffix() == "pdf"
    dialog.fileSelected.emit(str(tmp_path / "calcul.apkg"))
    assert not [path for path in tmp_path.iterdir() if path.is_file()]
    assert "Rien n’a été enregistré" in window.calculators.banner.message.as_text()
    dialog.fileSelected.emit(str(tmp_path / "calcul.pdf"))
    assert (tmp_path / "calcul.pdf").read_bytes().startswith(b"%PDF")
    dialog.reject()


def test_all_by_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    """Search, open, fill and copy without the mouse."""
    QTest.keyClick(window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(window.calculators.search, "cockcroft")
    QTest.keyClick(window.calculators.search, Qt.Key.Key_Return)
    form = window.calculators.form
    assert form is not None
    wanted = {"age": "72", "poids": "68", "creatinine": "130"}
    for _ in range(40):
        QTest.keyClick(window, Qt.Key.Key_Tab)
        focused = QApplication.focusWidget()
        assert focused is not None
        for name, text in wanted.items():
            if form.fields[name].isAncestorOf(focused) and isinstance(focused, QLineEdit):
                QTest.keyClicks(focused, text)
        if form.fields["sexe"].isAncestorOf(focused):
            QTest.keyClick(focused, Qt.Key.Key_Space)
            break
    assert form.result is not None
    QTest.keyClick(
        window,
        Qt.Key.Key_C,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    assert "mL/min" in QApplication.clipboard().text()


def test_the_open_trace_stays_open_while_typing(form: FormulaForm) -> None:
    fill(form)
    form.findChildren(ResultView)[-1].steps.head.setChecked(True)
    put(form, "age", "73")
    assert form.findChildren(ResultView)[-1].steps.head.isChecked()


def test_search_then_enter_opens(window: MainWindow, qtbot: QtBot) -> None:
    window.go_to(2)
    page = window.calculators
    QTest.keyClicks(page.search, "cockcroft")
    QTest.keyClick(page.search, Qt.Key.Key_Return)
    assert page.form is not None
    assert page.form.formula.id == "cockcroft_gault"
    page.escape()
    assert page.tree.topLevelItemCount() > 5


def test_levels_are_chosen_by_their_words(window: MainWindow) -> None:
    window.go_to(2)
    form = open_form(window, "glasgow")
    field = form.fields["m"]
    assert isinstance(field, ChoiceField)
    assert field.combo is not None
    words = [field.combo.itemText(n).replace("\u00a0", " ") for n in range(field.combo.count())]
    assert words[:2] == ["Choisir…", "6  ·  Obéit aux ordres"]
    for name, value in (("y", "3"), ("v", "4"), ("m", "6")):
        put(form, name, value)
    assert form.result is not None
    # 3 + 4 + 6 = 13.
    assert form.result.outputs[0].value == 13


def test_structure_only_is_explained_and_bounds_are_shown(window: MainWindow) -> None:
    window.go_to(2)
    form = open_form(window, "mmse")
    texts = " ".join(prose.as_text() for prose in form.findChildren(Prose))
    assert "sous licence et ne sont pas reproduites" in texts
    field = form.fields["rappel"]
    assert isinstance(field, TextField)
    assert field.edit.placeholderText() == "de 0 à 3"


def test_a_situation_finds_its_scores(window: MainWindow) -> None:
    window.go_to(2)
    page = window.calculators
    QTest.keyClicks(page.search, "fibrillation")
    assert page.tree.topLevelItemCount() == 3
    QTest.keyClicks(page.search, "zzz")
    nothing = page.tree.topLevelItem(0)
    assert nothing is not None
    assert nothing.text(0).startswith("Aucun calculateur")
    QTest.keyClick(page.search, Qt.Key.Key_Return)
    assert page.form is None


def test_a_long_name_goes_on_the_next_line(window: MainWindow) -> None:
    window.go_to(2)
    tree = window.calculators.tree
    QTest.keyClicks(window.calculators.search, "score")
    QApplication.processEvents()
    heights = {}
    for number in range(tree.topLevelItemCount()):
        item = tree.topLevelItem(number)
        assert item is not None
        heights[item.text(0)] = tree.visualItemRect(item).height()
    assert heights["Score SOFA"] < max(heights.values())
