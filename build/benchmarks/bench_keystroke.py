"""Time a keystroke in every calculator: compute, rebuild the result, redraw (aim: 30 ms).

    .venv/bin/python build/benchmarks/bench_keystroke.py

Figures are milliseconds of processor time, so that a busy machine does not change them.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
_HOME = tempfile.TemporaryDirectory(prefix="ancremed-bench-")
os.environ["XDG_CONFIG_HOME"] = os.environ["XDG_DATA_HOME"] = _HOME.name

from PySide6.QtWidgets import QApplication  # noqa: E402 - after the environment it reads

from ancremed_desktop.app import toolbox  # noqa: E402
from ancremed_desktop.gui.start import make_window  # noqa: E402
from ancremed_desktop.gui.widgets.calculator_fields import ChoiceField, TextField  # noqa: E402
from ancremed_desktop.gui.widgets.formula_form import FormulaForm  # noqa: E402
from ancremed_desktop.gui.workbench import ToolboxWorkbench  # noqa: E402
from ancremed_desktop.settings.preferences import PreferenceStore  # noqa: E402

AIM_MS = 30.0
_KEYS = 20


def fill(form: FormulaForm) -> None:
    """Put a plausible value in every field."""
    for field in form.fields.values():
        variable = field.variable
        if isinstance(field, ChoiceField):
            field.choose(variable.choices[0].key if variable.choices else "oui")
        elif isinstance(field, TextField) and variable.type.value == "date":
            field.edit.setText("01/06/2026")
        elif isinstance(field, TextField):
            low, high = variable.minimum or 0, variable.maximum or 100
            field.edit.setText(f"{(low + high) // 2}")


def keystrokes(form: FormulaForm, application: QApplication) -> list[float]:
    """Milliseconds of processor time for each of twenty changes of one field."""
    field = next((f for f in form.fields.values() if isinstance(f, TextField)), None)
    if field is None:
        return []
    times = []
    text = field.edit.text()
    for number in range(_KEYS):
        start = time.process_time()
        field.edit.setText(text if number % 2 else text + "0")
        application.processEvents()
        times.append((time.process_time() - start) * 1000)
    return times


def main() -> None:
    """Print the median keystroke of all calculators and the slowest calculator."""
    application = QApplication([])
    PreferenceStore().update(notice_version=1)
    workbench = ToolboxWorkbench(toolbox())
    window = make_window(workbench, application)
    window.show()
    window.go_to(2)
    medians = {}
    for formula in workbench.calculators().list():
        window.calculators.open_formula(formula.id)
        form = window.calculators.form
        assert form is not None
        fill(form)
        application.processEvents()
        times = keystrokes(form, application)
        if times:
            medians[formula.id] = statistics.median(times)
    window.close()
    slowest = max(medians, key=medians.__getitem__)
    print(f"{len(medians)} calculators, {_KEYS} keystrokes each")
    print(f"median {statistics.median(medians.values()):.1f} ms (aim {AIM_MS:.0f})")
    met = "met" if medians[slowest] <= AIM_MS else "not met"
    print(f"slowest {slowest}: {medians[slowest]:.1f} ms: {met}")


if __name__ == "__main__":
    main()
