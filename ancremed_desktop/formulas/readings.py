"""Values of a formula's intermediates and criteria, by the table of the unit that was entered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from ancremed_desktop.formulas import expression
from ancremed_desktop.formulas.expression import AbsentValue, Environment, Expression, Scalar
from ancremed_desktop.formulas.inputs import Entered
from ancremed_desktop.formulas.model import Case, Criterion, Formula, Intermediate, Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """The tables of ``formula`` that apply to numbers ``entered`` in their own units."""

    formula: Formula
    entered: Mapping[str, Entered]

    def applies(self, reading: Reading) -> bool:
        """Whether every variable of the reading was entered in one of its units."""
        return all(
            v in self.entered and self.entered[v].unit in reading.units for v in reading.variables
        )

    def seen_in(self, reading: Reading, values: Environment) -> dict[str, Scalar | None] | None:
        """Values with the reading's variables in its own unit; None when one is absent."""
        seen = dict(values)
        for name in reading.variables:
            entered = self.entered.get(name)
            if entered is None:
                return None
            quantity_id = self.formula.variable(name).quantity
            seen[name] = self.formula.units.convert(
                entered.value, quantity_id, entered.unit, reading.unit
            )
        return seen

    def expression_of(
        self, item: Intermediate, values: Environment
    ) -> tuple[Expression, Environment]:
        """The expression to use for an intermediate, and the values it reads."""
        chosen, used = item.expression, values
        for reading in item.readings:
            seen = self.seen_in(reading, values)
            if seen is not None and reading.expression is not None and self.applies(reading):
                chosen, used = reading.expression, seen
        return chosen, used

    def points_of(self, criterion: Criterion, values: Environment) -> Fraction:
        """Points of one line."""
        _, points = first_case(criterion.cases, values)
        for reading in criterion.readings:
            seen = self.seen_in(reading, values)
            if seen is not None and self.applies(reading):
                _, points = first_case(reading.cases, seen)
        return points

    def computed(self, values: Environment, target: str) -> Fraction | None:
        """The result ``target`` for these canonical values; None when it is left out.

        Raises: CalculationError when the arithmetic is impossible.
        """
        known = dict(values)
        for item in self.formula.intermediates:
            known[item.id] = _value(*self.expression_of(item, known))
        if self.formula.criteria:
            known["total"] = sum(
                (self.points_of(c, known) for c in self.formula.criteria), Fraction(0)
            )
        for spec in self.formula.outputs:
            if spec.condition is None or expression.truth(spec.condition, known):
                known[spec.id] = _value(spec.expression, known)
        result = known.get(target)
        return result if isinstance(result, Fraction) else None


def first_case(cases: tuple[Case, ...], values: Environment) -> tuple[Case | None, Fraction]:
    """The first case that holds and its points; none and 0 when no case does."""
    for case in cases:
        if expression.truth(case.condition, values):
            return case, case.points
    return None, Fraction(0)


def _value(used: Expression, values: Environment) -> Scalar | None:
    try:
        return expression.evaluate(used, values)
    except AbsentValue:
        return None
