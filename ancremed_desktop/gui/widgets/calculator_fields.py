"""One field for each kind of variable of a formula; numbers take a comma or a point."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QButtonGroup, QComboBox, QLabel, QLineEdit, QWidget

from ancremed_desktop.formulas.bank import Level, Need, Variable, VariableType
from ancremed_desktop.formulas.french import number, quantity
from ancremed_desktop.gui.calculator_memory import CalculatorMemory, Entry
from ancremed_desktop.gui.widgets.basics import button, column, label, restyle, row
from ancremed_desktop.gui.wording import capital, dotted
from ancremed_desktop.text.french import NBSP, no_break

_SEGMENTS = 3
_LONGEST_SEGMENT = 14


class _CalmCombo(QComboBox):
    """The wheel scrolls the page; it never changes a clinical value."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class Field(QWidget):
    """A variable with its label, its unit and what is wrong with its value."""

    changed = Signal()

    def __init__(self, variable: Variable) -> None:
        super().__init__()
        self.variable = variable
        self._problem = label("", "small-danger")
        self._problem.hide()
        self._note: QLabel = label(_note(variable), "small")
        self._note.setVisible(bool(self._note.text()))
        self._line = row(8)
        layout = column(4)
        title = capital(variable.label)
        layout.addWidget(label(title, "strong" if variable.required else ""))
        layout.addLayout(self._line)
        layout.addWidget(self._note)
        layout.addWidget(self._problem)
        self.setLayout(layout)

    def value(self) -> str:
        """What was entered, as ``CalculatorService.run`` reads it; empty when nothing was."""
        raise NotImplementedError

    def entry(self) -> Entry:
        """What was entered, to be put back by ``restore``."""
        raise NotImplementedError

    def restore(self, entry: Entry) -> None:
        """Enter again what another field of the same notion held."""
        raise NotImplementedError

    def reset(self) -> None:
        """Back to nothing entered."""
        raise NotImplementedError

    def comfortable_width(self) -> int:
        """Narrowest width at which nothing of it is cut, in pixels."""
        return self._line.sizeHint().width()

    def say(self, problem: str) -> None:
        """Show what is wrong (empty: nothing)."""
        self._problem.setText(no_break(problem))
        self._problem.setVisible(bool(problem))

    def _name(self, widget: QWidget) -> None:
        self.setFocusProxy(widget)
        widget.setAccessibleName(self.variable.label)
        if self._note.text():
            widget.setAccessibleDescription(self._note.text())


class TextField(Field):
    """A number with its unit, or a date."""

    unit_chosen = Signal(str)

    def __init__(self, variable: Variable, unit: str) -> None:
        """``unit``: the one shown at first, of ``variable.units``."""
        super().__init__(variable)
        self._first_unit = unit
        self.edit = QLineEdit()
        self.edit.setMaxLength(40)
        if variable.type is VariableType.DATE:
            self.edit.setPlaceholderText("JJ/MM/AAAA")
        elif variable.suggestion:
            self.edit.setPlaceholderText(f"usuel{NBSP}: {variable.suggestion}")
        elif variable.minimum is not None and variable.maximum is not None and not variable.unit:
            bounds = f"de {number(variable.minimum)} à {number(variable.maximum)}"
            self.edit.setPlaceholderText(bounds)
        self._name(self.edit)
        self._line.addWidget(self.edit, 1)
        self.unit: QComboBox | None = None
        if len(variable.units) > 1:
            self.unit = _CalmCombo()
            self.unit.addItems(variable.units)
            self.unit.setCurrentText(unit)
            self.unit.setAccessibleName(f"Unité{NBSP}: {variable.label}")
            self.unit.currentIndexChanged.connect(self.changed)
            self.unit.textActivated.connect(self._choose_unit)
            self._line.addWidget(self.unit)
        elif variable.unit:
            self._line.addWidget(label(variable.unit, "muted", wrap=False))
        self.edit.textChanged.connect(self.changed)

    def comfortable_width(self) -> int:
        """Room for ten digits and the unit."""
        others = self._line.sizeHint().width() - self.edit.sizeHint().width()
        return others + self.edit.fontMetrics().averageCharWidth() * 10 + 24

    def value(self) -> str:
        """The text with its unit, unless a unit was typed with the number."""
        text = self.edit.text().strip()
        if not text or self.variable.type is VariableType.DATE:
            return text
        return (
            text
            if any(letter.isalpha() or letter == "%" for letter in text)
            else f"{text} {self._shown_unit()}"
        )

    def entry(self) -> Entry:
        """The text and the unit shown beside it."""
        return Entry(text=self.edit.text().strip(), unit=self._shown_unit())

    def restore(self, entry: Entry) -> None:
        """Text and unit as they were entered."""
        if self.unit is not None:
            self.unit.setCurrentText(entry.unit)
        self.edit.setText(entry.text)

    def reset(self) -> None:
        """Empty, in the user's unit."""
        self.edit.clear()
        if self.unit is not None:
            self.unit.setCurrentText(self._first_unit)

    def _shown_unit(self) -> str:
        return self.unit.currentText() if self.unit is not None else self.variable.unit

    def _choose_unit(self, unit: str) -> None:
        self._first_unit = unit
        self.unit_chosen.emit(unit)

    def say(self, problem: str) -> None:
        """Mark the field too."""
        super().say(problem)
        restyle(self.edit, "invalid", "true" if problem else "false")


class ChoiceField(Field):
    """Yes or no, one of a few choices, or a level; nothing is chosen at first."""

    def __init__(self, variable: Variable) -> None:
        super().__init__(variable)
        if variable.type is VariableType.BOOLEAN:
            self._choices: tuple[tuple[str, str], ...] = (("non", "Non"), ("oui", "Oui"))
        elif variable.levels:
            self._choices = tuple(_level(level) for level in variable.levels)
        else:
            self._choices = tuple((c.key, capital(c.label)) for c in variable.choices)
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self.combo: QComboBox | None = None
        short = all(len(text) <= _LONGEST_SEGMENT for _, text in self._choices)
        if len(self._choices) <= _SEGMENTS and short:
            self._add_segments()
        else:
            self._add_combo()

    def value(self) -> str:
        """Key of the choice made."""
        if self.combo is not None:
            return str(self.combo.currentData() or "")
        place = next((self._group.id(b) for b in self._group.buttons() if b.isChecked()), -1)
        return self._choices[place][0] if place >= 0 else ""

    def entry(self) -> Entry:
        """The key of the choice made."""
        return Entry(text=self.value())

    def restore(self, entry: Entry) -> None:
        """Make the same choice."""
        self.choose(entry.text)

    def choose(self, key: str) -> None:
        """Make a choice."""
        position = [name for name, _ in self._choices].index(key)
        if self.combo is not None:
            self.combo.setCurrentIndex(position + 1)
        else:
            self._group.button(position).setChecked(True)

    def reset(self) -> None:
        """Nothing chosen."""
        if self.combo is not None:
            self.combo.setCurrentIndex(0)
        for choice in self._group.buttons():
            choice.setChecked(False)

    def _add_segments(self) -> None:
        for place, (_, text) in enumerate(self._choices):
            choice = button(text, "choice")
            choice.setCheckable(True)
            choice.setAccessibleName(f"{self.variable.label}{NBSP}: {text}")
            choice.toggled.connect(lambda on, place=place: self._toggled(place, on))
            self._group.addButton(choice, place)
            if place == 0:
                self.setFocusProxy(choice)
            self._line.addWidget(choice)
        self._line.addStretch(1)

    def comfortable_width(self) -> int:
        """Its longest choice is read whole."""
        if self.combo is None:
            return super().comfortable_width()
        metrics = self.combo.fontMetrics()
        longest = max(metrics.horizontalAdvance(text) for _, text in self._choices)
        return longest + 4 * metrics.height()

    def _toggled(self, place: int, on: bool) -> None:
        """One at most; pressing the chosen one again takes the choice back."""
        if on:
            for other in self._group.buttons():
                if self._group.id(other) != place:
                    other.setChecked(False)
        self.changed.emit()

    def _add_combo(self) -> None:
        self.combo = _CalmCombo()
        self.combo.addItem("Choisir…", "")
        for key, text in self._choices:
            self.combo.addItem(text, key)
        self.combo.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.combo.setMinimumContentsLength(12)
        self.combo.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self._name(self.combo)
        self.combo.currentIndexChanged.connect(self.changed)
        self._line.addWidget(self.combo, 1)


def field_of(variable: Variable, memory: CalculatorMemory) -> Field:
    """The field that suits a variable, in the unit the user reads it in."""
    if variable.type in {VariableType.NUMBER, VariableType.DATE} and not variable.levels:
        return TextField(variable, memory.unit(variable))
    return ChoiceField(variable)


def _level(level: Level) -> tuple[str, str]:
    """Key and words of a level: « 2 · Hémianopsie complète »."""
    return f"{level.value}", dotted((number(level.value), capital(level.label)))


def _note(variable: Variable) -> str:
    parts = []
    if variable.need is Need.CRITERION:
        parts.append("Non renseigné, compté 0.")
    elif variable.need is Need.OPTIONAL:
        parts.append("Facultatif.")
    elif variable.need is Need.CONSTANT and variable.constant is not None:
        usual = quantity(variable.constant, variable.unit)
        parts.append(f"Constante de la formule{NBSP}: {usual}, modifiable.")
    if variable.note:
        parts.append(no_break(variable.note))
    return " ".join(parts)
