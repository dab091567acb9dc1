"""Calculators: live result, comma and point, units, what is missing, reset, copy."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from ancremed_desktop.gui.main_window import MainWindow
from ancremed_desktop.gui.widgets.calculator_fields import ChoiceField, TextField
from ancremed_desktop.gui.widgets.formula_form import FormulaForm


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


def test_search_then_enter_opens(window: MainWindow, qtbot: QtBot) -> None:
    window.go_to(2)
    page = window.calculators
    QTest.keyClicks(page.search, "cockcroft")
    QTest.keyClick(page.search, Qt.Key.Key_Return)
    assert page.form is not None
    assert page.form.formula.id == "cockcroft_gault"
    page.escape()
    assert page.tree.topLevelItemCount() > 5
