"""A calculation shown in full: values as understood, what is missing, steps, result, source."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QVBoxLayout, QWidget

from ancremed_desktop.domain.formulas import (
    CalculationRequest,
    CalculationResult,
    InputValue,
    MissingInput,
    Output,
)
from ancremed_desktop.formulas.words import input_words, output_words
from ancremed_desktop.gui.icons import Tint
from ancremed_desktop.gui.widgets.basics import Fold, column, frame, label, row
from ancremed_desktop.gui.widgets.prose import Prose
from ancremed_desktop.text.french import NBSP, french_date, no_break


def calculation_card(request: CalculationRequest, tint: Tint) -> QFrame:
    """A calculation read in a question."""
    layout = column(12, (18, 16, 18, 16))
    head = row(10)
    icon = QLabel()
    tint(icon, "calculator", "accent", 20)
    head.addWidget(icon)
    head.addWidget(label(request.name, "section"), 1)
    layout.addLayout(head)
    if request.inputs and request.result is None:
        layout.addWidget(inputs_grid(request.inputs))
    if request.missing:
        layout.addWidget(_missing(request.missing))
    if request.result is not None:
        layout.addWidget(ResultView(request.result, tint, with_inputs=True))
    card = frame("card", layout)
    card.setAccessibleName(f"Calcul : {request.name}")
    return card


def _missing(missing: tuple[MissingInput, ...]) -> QFrame:
    layout = column(4, (14, 10, 14, 10))
    layout.addWidget(label(f"Pour calculer, précisez{NBSP}:", "strong"))
    for item in missing:
        units = f" (en {' ou '.join(item.units)})" if item.units else ""
        layout.addWidget(Prose(f"{item.label}{units}{NBSP}: {no_break(item.problem)}"))
    return frame("warning", layout)


def inputs_grid(inputs: tuple[InputValue, ...]) -> QWidget:
    """Each value as understood, its conversion, and where it comes from."""
    grid = QGridLayout()
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(18)
    grid.setVerticalSpacing(4)
    top = Qt.AlignmentFlag.AlignTop
    for number, item in enumerate(inputs):
        grid.addWidget(label(item.label, "muted"), number, 0, top)
        grid.addWidget(label(input_words(item)), number, 1, top)
        grid.addWidget(label(item.origin, "small"), number, 2, top)
    grid.setColumnStretch(0, 3)
    grid.setColumnStretch(1, 2)
    grid.setColumnStretch(2, 2)
    holder = QWidget()
    holder.setLayout(grid)
    return holder


class ResultView(QWidget):
    """A finished calculation."""

    def __init__(self, result: CalculationResult, tint: Tint, *, with_inputs: bool) -> None:
        super().__init__()
        layout = column(10)
        for number, output in enumerate(result.outputs):
            layout.addLayout(_output(output, main=number == 0))
        if result.provisional:
            layout.addWidget(_remark(result.provisional, tint))
        if result.band:
            layout.addWidget(Prose(result.band, size="large"))
        if with_inputs:
            layout.addWidget(inputs_grid(result.inputs))
        for text in result.divergences:
            layout.addWidget(_remark(text, tint))
        self.steps = Fold("Détail du calcul", lambda: _steps(result), tint)
        layout.addWidget(self.steps)
        if result.caveats:
            title = f"Limites ({len(result.caveats)})"
            layout.addWidget(Fold(title, lambda: _caveats(result), tint))
        layout.addWidget(Prose(f"Source{NBSP}: {result.source}", size="small", tone="muted"))
        self.setLayout(layout)


def _output(output: Output, *, main: bool) -> QVBoxLayout:
    layout = column(0)
    layout.addWidget(label(output.label, "small"))
    value = label(output_words(output), "result" if main else "strong", wrap=False)
    value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    layout.addWidget(value)
    return layout


def _remark(text: str, tint: Tint) -> QFrame:
    mark = QLabel()
    tint(mark, "warning", "warning", 16)
    mark.setAlignment(Qt.AlignmentFlag.AlignTop)
    layout = row(10, (12, 8, 12, 8))
    layout.addWidget(mark)
    layout.addWidget(Prose(text, size="small"), 1)
    return frame("warning", layout)


def _steps(result: CalculationResult) -> QWidget:
    layout = column(8, (20, 2, 0, 4))
    layout.addWidget(Prose(result.formula_text, tone="muted"))
    for step in result.steps:
        layout.addWidget(label(step.label, "small-strong"))
        layout.addWidget(Prose(f"{step.expression} → {step.result}"))
    checked = f"Formule vérifiée le {french_date(result.verified_date)}{NBSP}: {result.verified_by}"
    layout.addWidget(Prose(checked, size="small", tone="muted"))
    holder = QWidget()
    holder.setLayout(layout)
    return holder


def _caveats(result: CalculationResult) -> QWidget:
    layout = column(4, (20, 2, 0, 4))
    for text in result.caveats:
        layout.addWidget(Prose(f"•{NBSP}{text}", tone="muted"))
    holder = QWidget()
    holder.setLayout(layout)
    return holder
