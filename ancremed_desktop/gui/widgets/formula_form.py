"""A calculator: its fields, its live result, copy and reset."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QGridLayout, QWidget

from ancremed_desktop.domain.formulas import CalculationResult
from ancremed_desktop.errors import CalculationError
from ancremed_desktop.formulas.bank import Formula, Status
from ancremed_desktop.formulas.evaluate import IncompleteInput
from ancremed_desktop.gui.icons import Tint
from ancremed_desktop.gui.widgets.basics import badge, button, clear, column, frame, label, row
from ancremed_desktop.gui.widgets.calculation import ResultView, output_words, value_words
from ancremed_desktop.gui.widgets.calculator_fields import Field, field_of
from ancremed_desktop.gui.widgets.prose import Prose
from ancremed_desktop.gui.wording import NBSP, capital
from ancremed_desktop.services.calculator import CalculatorService
from ancremed_desktop.services.export import NOTICE

_STATUS = {
    Status.HISTORICAL: ("formule historique", "warning"),
    Status.STRUCTURE: ("structure seulement", "plain"),
}


class FormulaForm(QWidget):
    """Computes at each change; nothing is ever assumed for a value that is not given."""

    def __init__(self, formula: Formula, calculator: CalculatorService, tint: Tint) -> None:
        super().__init__()
        self.formula = formula
        self._calculator = calculator
        self._tint = tint
        self.result: CalculationResult | None = None
        self.fields: dict[str, Field] = {v.id: field_of(v) for v in formula.variables}
        self._outcome = column(10, (18, 16, 18, 16))
        self._copy = button("Copier")
        self._reset = button("Effacer", "flat")
        tint(self._copy, "copy", "accent", 16)
        tint(self._reset, "reset", "muted", 16)
        self._copy.clicked.connect(self.copy)
        self._reset.clicked.connect(self.reset)
        self._lay_out()
        for field in self.fields.values():
            field.changed.connect(self.compute)
        self.compute()

    def compute(self) -> None:
        """Compute from what is entered, or say what is missing."""
        values = {name: f.value() for name, f in self.fields.items() if f.value()}
        for field in self.fields.values():
            field.say("")
        clear(self._outcome)
        self.result = None
        try:
            self.result = self._calculator.run(self.formula.id, values)
        except IncompleteInput as error:
            self._say_missing(error, values)
        except CalculationError as error:
            self._say_unreadable(error, values)
        else:
            self._outcome.addWidget(ResultView(self.result, self._tint, with_inputs=False))
        self._copy.setEnabled(self.result is not None)

    def reset(self) -> None:
        """Empty every field."""
        for field in self.fields.values():
            field.reset()

    def copy(self) -> None:
        """Result, values, source and notice on the clipboard."""
        if self.result is not None:
            QApplication.clipboard().setText(result_text(self.result))

    def _say_missing(self, error: IncompleteInput, values: dict[str, str]) -> None:
        absent = []
        for item in error.missing:
            if item.id in values:
                self.fields[item.id].say(item.problem)
            else:
                absent.append(item.label)
        if absent:
            self._outcome.addWidget(label("Il manque", "small-strong"))
            self._outcome.addWidget(label(capital(", ".join(absent)), "muted"))
        else:
            self._outcome.addWidget(label("Une valeur est à corriger.", "muted"))

    def _say_unreadable(self, error: CalculationError, values: dict[str, str]) -> None:
        """Put the message under the first field that cannot be read alone."""
        for name, value in values.items():
            try:
                self._calculator.run(self.formula.id, {name: value})
            except IncompleteInput:
                continue
            except CalculationError as own:
                if str(own) == str(error):
                    self.fields[name].say(str(error))
                    self._outcome.addWidget(label("Une valeur est à corriger.", "muted"))
                    return
        self._outcome.addWidget(Prose(str(error)))

    def _lay_out(self) -> None:
        formula = self.formula
        head = row(8)
        head.addWidget(label(formula.name, "title"), 1)
        if formula.status in _STATUS:
            head.addWidget(badge(*_STATUS[formula.status]))
        grid = QGridLayout()
        grid.setHorizontalSpacing(22)
        grid.setVerticalSpacing(14)
        grid.setContentsMargins(18, 16, 18, 16)
        for number, field in enumerate(self.fields.values()):
            grid.addWidget(field, number // 2, number % 2, Qt.AlignmentFlag.AlignTop)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        tools = row(6)
        tools.addWidget(label("Résultat", "section"), 1)
        tools.addWidget(self._reset)
        tools.addWidget(self._copy)
        layout = column(12)
        layout.addLayout(head)
        if formula.population:
            layout.addWidget(Prose(f"Population{NBSP}: {formula.population}", tone="muted"))
        layout.addWidget(frame("card", grid))
        layout.addLayout(tools)
        layout.addWidget(frame("card", self._outcome))
        layout.addWidget(label(NOTICE, "small"))
        layout.addStretch(1)
        self.setLayout(layout)


def result_text(result: CalculationResult) -> str:
    """A result to paste elsewhere: values, results, reading, source and notice."""
    lines = [result.name]
    for item in result.inputs:
        lines.append(f"  {item.label}{NBSP}: {value_words(item.value, item.unit)} ({item.origin})")
    lines += [f"{output.label}{NBSP}: {output_words(output)}" for output in result.outputs]
    if result.provisional:
        lines.append(result.provisional)
    if result.band:
        lines.append(result.band)
    return "\n".join([*lines, *result.divergences, f"Source{NBSP}: {result.source}", NOTICE])
