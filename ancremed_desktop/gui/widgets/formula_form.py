"""A calculator: its fields, its live result, favourite, copy, PDF, new patient."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QGridLayout, QWidget

from ancremed_desktop.domain.formulas import CalculationResult
from ancremed_desktop.errors import CalculationError
from ancremed_desktop.formulas.bank import Formula, Status
from ancremed_desktop.formulas.evaluate import IncompleteInput
from ancremed_desktop.gui.calculator_memory import CalculatorMemory
from ancremed_desktop.gui.icons import Tint
from ancremed_desktop.gui.printing import save_pdf
from ancremed_desktop.gui.saving import ONLY_PDF, choose_target, known_suffix
from ancremed_desktop.gui.widgets.basics import badge, button, clear, column, frame, label, row
from ancremed_desktop.gui.widgets.calculation import ResultView
from ancremed_desktop.gui.widgets.calculator_fields import Field, TextField, field_of
from ancremed_desktop.gui.widgets.flow import FittingRow
from ancremed_desktop.gui.widgets.prose import Prose
from ancremed_desktop.gui.wording import capital
from ancremed_desktop.services.calculation_text import NOTICE, result_to_html, result_to_text
from ancremed_desktop.services.calculator import CalculatorService
from ancremed_desktop.text.french import NBSP, no_break

_STATUS = {
    Status.HISTORICAL: (
        "formule historique",
        "warning",
        "Formule historique : gardée pour relire d’anciens résultats, une autre est recommandée.",
    ),
    Status.STRUCTURE: (
        "structure seulement",
        "plain",
        "Structure seulement : les questions de ce test sont sous licence et ne sont pas reproduites. "
        "Cotez-le avec sa grille officielle, puis reportez ici chaque sous-score ; ils sont additionnés.",
    ),
}
_COLUMNS = 2


class FormulaForm(QWidget):
    """Computes at each change; nothing is ever assumed for a value that is not given."""

    favourite_changed = Signal()

    def __init__(
        self,
        formula: Formula,
        calculator: CalculatorService,
        memory: CalculatorMemory,
        tint: Tint,
        attempt: Callable[[Callable[[], object]], None],
    ) -> None:
        """``attempt`` runs what may fail on the disk and shows what went wrong."""
        super().__init__()
        self.formula = formula
        self._calculator = calculator
        self._memory = memory
        self._tint = tint
        self._attempt = attempt
        self.result: CalculationResult | None = None
        self._steps_open = False
        self._grid = QGridLayout()
        self._columns = 0
        self.fields: dict[str, Field] = {v.id: field_of(v, memory) for v in formula.variables}
        self._outcome = column(10, (18, 16, 18, 16))
        self._taken = label("", "small")
        self._copy = button("Copier", tip="Copier le calcul, sa source et sa date (Ctrl+Maj+C)")
        self._pdf = button("PDF…", tip="Enregistrer en PDF, pour lire ou imprimer (Ctrl+P)")
        self._reset = button(
            "Nouveau patient",
            "flat",
            tip="Effacer toutes les valeurs, même celles des autres calculateurs (Ctrl+N)",
        )
        self.favourite = button("", "flat", tip="Favori (Ctrl+D)")
        self.favourite.setCheckable(True)
        self.favourite.setChecked(formula.id in memory.favourites)
        self.favourite.setAccessibleName("Favori")
        self.favourite.toggled.connect(self._set_favourite)
        tint(self._copy, "copy", "accent", 16)
        tint(self._pdf, "print", "accent", 16)
        tint(self._reset, "reset", "muted", 16)
        self._draw_star()
        self._copy.clicked.connect(self.copy)
        self._pdf.clicked.connect(self.choose_pdf)
        self._reset.clicked.connect(self.reset)
        self._lay_out()
        self._take_known_values()
        for field in self.fields.values():
            field.changed.connect(self._value_keeper(field))
            if isinstance(field, TextField):
                field.unit_chosen.connect(self._unit_keeper(field))
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
            view = ResultView(self.result, self._tint, with_inputs=False)
            view.steps.head.setChecked(self._steps_open)
            view.steps.head.toggled.connect(self._remember_steps)
            self._outcome.addWidget(view)
        self._copy.setEnabled(self.result is not None)
        self._pdf.setEnabled(self.result is not None)

    def focus_first(self) -> None:
        """Put the keyboard on the first field."""
        next(iter(self.fields.values())).setFocus()

    def reset(self) -> None:
        """Another patient: empty every field, here and in the other calculators."""
        for field in self.fields.values():
            field.reset()
        self._memory.new_patient()
        self._taken.hide()

    def copy(self) -> None:
        """Result, values, source and notice on the clipboard."""
        if self.result is not None:
            QApplication.clipboard().setText(result_to_text(self.result, date.today()))

    def choose_pdf(self) -> None:
        """Ask where, then write the calculation as a PDF."""
        if self.result is not None:
            choose_target(
                self,
                "Enregistrer le calcul en PDF",
                self.formula.id,
                ONLY_PDF,
                lambda target: self._attempt(lambda: self.save(target)),
            )

    def save(self, target: Path) -> None:
        """Write the finished calculation as a PDF. Raises: MachineError, BadFileError."""
        assert self.result is not None
        known_suffix(target, ONLY_PDF)
        save_pdf(result_to_html(self.result, date.today()), self.result.name, target)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fields stand two by two where the widest of them has room."""
        super().resizeEvent(event)
        least = max(field.comfortable_width() for field in self.fields.values())
        wide = self.width() >= _COLUMNS * least + 60
        columns = _COLUMNS if wide else 1
        if columns != self._columns:
            self._arrange(columns)

    def _arrange(self, columns: int) -> None:
        self._columns = columns
        for place, field in enumerate(self.fields.values()):
            self._grid.addWidget(
                field, place // columns, place % columns, Qt.AlignmentFlag.AlignTop
            )
        for place in range(_COLUMNS):
            self._grid.setColumnStretch(place, 1 if place < columns else 0)

    def _remember_steps(self, opened: bool) -> None:
        self._steps_open = opened

    def _take_known_values(self) -> None:
        taken = []
        for field in self.fields.values():
            entry = self._memory.known(field.variable)
            if entry is not None:
                field.restore(entry)
                taken.append(field.variable.label)
        self._taken.setVisible(bool(taken))
        if taken:
            names = ", ".join(taken)
            self._taken.setText(
                f"Repris de vos autres calculs{NBSP}: {names}. Pour un autre patient, "
                f"choisissez «{NBSP}Nouveau patient{NBSP}»."
            )

    def _value_keeper(self, field: Field) -> Callable[[], None]:
        def changed() -> None:
            self._memory.keep(field.variable, field.entry())
            self.compute()

        return changed

    def _unit_keeper(self, field: TextField) -> Callable[[str], None]:
        return lambda unit: self._attempt(lambda: self._memory.set_unit(field.variable, unit))

    def _set_favourite(self, on: bool) -> None:
        self._attempt(lambda: self._memory.set_favourite(self.formula.id, on=on))
        self._draw_star()
        self.favourite_changed.emit()

    def _draw_star(self) -> None:
        on = self.favourite.isChecked()
        self._tint(self.favourite, "star-full" if on else "star", "accent" if on else "muted", 18)

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
        """Put under each field what is wrong with its value."""
        found = False
        for name, value in values.items():
            if problem := self._problem(name, value):
                self.fields[name].say(capital(problem))
                found = True
        if found:
            self._outcome.addWidget(label("Une valeur est à corriger.", "muted"))
        else:
            self._outcome.addWidget(Prose(str(error)))

    def _problem(self, name: str, value: str) -> str:
        """What is wrong with a value given alone, or nothing."""
        try:
            self._calculator.run(self.formula.id, {name: value})
        except IncompleteInput as error:
            return next((item.problem for item in error.missing if item.id == name), "")
        except CalculationError as error:
            return str(error.__cause__ or error)  # without the name, which stands above the field
        return ""

    def _lay_out(self) -> None:
        formula = self.formula
        head = row(8)
        head.addWidget(label(formula.name, "title"), 1)
        if formula.status in _STATUS:
            head.addWidget(badge(*_STATUS[formula.status][:2]), 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self.favourite, 0, Qt.AlignmentFlag.AlignTop)
        grid = self._grid
        grid.setHorizontalSpacing(22)
        grid.setVerticalSpacing(14)
        grid.setContentsMargins(18, 16, 18, 16)
        self._arrange(_COLUMNS)
        heading = label("Résultat", "section", wrap=False)
        tools = FittingRow([heading, self._reset, self._copy, self._pdf], apart=1, spacing=6)
        layout = column(12)
        layout.addLayout(head)
        if formula.status in _STATUS:
            layout.addWidget(Prose(no_break(_STATUS[formula.status][2]), tone="muted"))
        if formula.population:
            layout.addWidget(Prose(f"Population{NBSP}: {formula.population}", tone="muted"))
        layout.addWidget(self._taken)
        layout.addWidget(frame("card", grid))
        layout.addWidget(tools)
        layout.addWidget(frame("card", self._outcome))
        layout.addWidget(label(NOTICE, "small"))
        layout.addStretch(1)
        self.setLayout(layout)
