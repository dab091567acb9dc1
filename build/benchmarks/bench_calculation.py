"""Time one calculation of every formula, as ``calc run`` does it (aim: 5 ms).

    .venv/bin/python build/benchmarks/bench_calculation.py

Values are typed texts, half way between the plausible bounds: they are read, checked, converted,
computed and traced. Figures are milliseconds of processor time, so that a busy machine changes
them little.
"""

from __future__ import annotations

import statistics
import sys
import time
from decimal import Decimal
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from ancremed_desktop.errors import CalculationError
from ancremed_desktop.formulas.bank import Formula, Variable, VariableType, load_bank
from ancremed_desktop.services.calculator import CalculatorService
from ancremed_desktop.settings.paths import RESOURCES

AIM_MS = 5.0
_ROUNDS = 30


def _typed(variable: Variable) -> str:
    """What a user could type for a variable."""
    match variable.type:
        case VariableType.CHOICE:
            return variable.choices[0].key
        case VariableType.BOOLEAN:
            return "oui"
        case VariableType.DATE:
            return "01/06/2026"
    middle = ((variable.minimum or Decimal(0)) + (variable.maximum or Decimal(100))) / 2
    if variable.step is not None:
        middle = variable.step * (middle // variable.step)
    return f"{middle} {variable.unit}".strip()


def _median(service: CalculatorService, formula: Formula) -> float | None:
    """Median milliseconds of one calculation; None where these values cannot be computed."""
    typed = {variable.id: _typed(variable) for variable in formula.variables}
    try:
        service.run(formula.id, typed)
    except CalculationError as error:
        print(f"left out, {formula.id}: {error}")
        return None
    times = []
    for _ in range(_ROUNDS):
        start = time.process_time()
        service.run(formula.id, typed)
        times.append((time.process_time() - start) * 1000)
    return statistics.median(times)


def main() -> None:
    """Print the median of all formulas and the slowest ones."""
    bank = load_bank(RESOURCES / "formulas")
    service = CalculatorService(bank)
    found = {formula.id: _median(service, formula) for formula in bank.entries}
    medians = {name: value for name, value in found.items() if value is not None}
    print(f"{len(medians)} formulas, {_ROUNDS} calculations each")
    print(f"median {statistics.median(medians.values()):.2f} ms (aim {AIM_MS:.0f})")
    for name in sorted(medians, key=medians.__getitem__, reverse=True)[:5]:
        met = "met" if medians[name] <= AIM_MS else "not met"
        print(f"{name}: {medians[name]:.2f} ms: {met}")


if __name__ == "__main__":
    main()
