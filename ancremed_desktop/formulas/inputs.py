"""Turn what was given into exact canonical values, or say what is missing or doubtful."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from ancremed_desktop.domain.formulas import InputValue, MissingInput, RawInput, Step
from ancremed_desktop.errors import CalculationError
from ancremed_desktop.formulas import expression
from ancremed_desktop.formulas.expression import Scalar
from ancremed_desktop.formulas.french import list_of, number, quantity, to_decimal
from ancremed_desktop.formulas.model import Formula, Need, Variable, VariableType
from ancremed_desktop.text.french import NBSP

NOT_GIVEN = "non renseigné, compté 0"
TODAY = "aujourdhui"
"""Name of the present day in the constraints of the bank."""
_YEARS = range(1900, 2101)


class IncompleteInput(CalculationError):  # noqa: N818 - named for what the user sees
    """Values are missing or doubtful; ``missing`` lists them all."""

    def __init__(self, missing: tuple[MissingInput, ...]) -> None:
        """``missing``: one entry a variable to ask for."""
        lines = [f"{item.label}{NBSP}: {item.problem}" for item in missing]
        super().__init__(f"Calcul impossible en l’état.\n{chr(10).join(lines)}")
        self.missing = missing


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered:
    """A number as it was given, in one of the variable's units."""

    value: Fraction
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Understood:
    """``values``: canonical value of every variable, None when absent."""

    values: Mapping[str, Scalar | None]
    entered: Mapping[str, Entered]
    inputs: tuple[InputValue, ...]
    conversions: tuple[Step, ...]
    missing: tuple[MissingInput, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """One variable understood (``shown``), or the reason why it cannot be (``problem``)."""

    shown: InputValue | None = None
    value: Scalar | None = None
    entered: Entered | None = None
    conversion: Step | None = None
    problem: str = ""


def understand(
    formula: Formula, inputs: Mapping[str, RawInput], today: date | None = None
) -> Understood:
    """Read every variable of a formula; ``today`` (None: the clock's day) is ``aujourdhui``.

    Raises: CalculationError when a given name is no variable of the formula.
    """
    unknown = sorted(set(inputs) - {variable.id for variable in formula.variables})
    if unknown:
        known = list_of(tuple(variable.id for variable in formula.variables))
        raise CalculationError(
            f"«{NBSP}{unknown[0]}{NBSP}» n’est pas une variable de «{NBSP}{formula.id}{NBSP}»."
            f" Variables attendues{NBSP}: {known}."
        )
    readings = {v.id: _read(formula, v, inputs.get(v.id)) for v in formula.variables}
    missing = tuple(
        MissingInput(id=v.id, label=v.label, problem=readings[v.id].problem, units=v.units)
        for v in formula.variables
        if readings[v.id].problem
    )
    values = {name: reading.value for name, reading in readings.items()}
    if not missing:
        missing = _broken_constraints(formula, values, today)
    return Understood(
        values=values,
        entered={n: r.entered for n, r in readings.items() if r.entered is not None},
        inputs=tuple(r.shown for r in readings.values() if r.shown is not None),
        conversions=tuple(r.conversion for r in readings.values() if r.conversion is not None),
        missing=missing,
    )


def missing_inputs(formula: Formula, inputs: Mapping[str, RawInput]) -> tuple[MissingInput, ...]:
    """What must be asked before the formula can be computed; empty when it can."""
    return understand(formula, inputs).missing


def _broken_constraints(
    formula: Formula, values: Mapping[str, Scalar | None], today: date | None
) -> tuple[MissingInput, ...]:
    """Constraints on values that are all known."""
    broken = []
    known = {**values, TODAY: (today or date.today()).isoformat()}
    for constraint in formula.constraints:
        read = constraint.condition.names
        given = all(known[name] is not None for name in read)
        if given and not expression.truth(constraint.condition, known):
            first = next(v for v in formula.variables if v.id in read)
            broken.append(
                MissingInput(
                    id=first.id, label=first.label, problem=constraint.message, units=first.units
                )
            )
    return tuple(broken)


def _read(formula: Formula, variable: Variable, raw: RawInput | None) -> _Reading:
    if raw is None:
        return _absent(variable)
    match variable.type:
        case VariableType.NUMBER:
            return _number(formula, variable, raw)
        case VariableType.BOOLEAN:
            return _boolean(variable, raw)
        case VariableType.CHOICE:
            return _choice(variable, raw)
    return _date(variable, raw)


def _absent(variable: Variable) -> _Reading:
    match variable.need:
        case Need.REQUIRED:
            hint = f" (usuel{NBSP}: {variable.suggestion})" if variable.suggestion else ""
            return _Reading(problem=f"à préciser{hint}")
        case Need.CONSTANT if variable.constant is not None:
            shown = _shown(variable, variable.constant, variable.unit, "constante de la formule")
            return _Reading(shown=shown, value=Fraction(variable.constant))
        case Need.CRITERION:
            origin = NOT_GIVEN
            if variable.type is VariableType.BOOLEAN:
                return _Reading(shown=_shown(variable, False, "", origin), value=False)
        case _:
            origin = f"non renseigné{NBSP}: résultats qui en dépendent non calculés"
    return _Reading(shown=_shown(variable, "non renseigné", "", origin))


def _shown(variable: Variable, value: Decimal | str | bool, unit: str, origin: str) -> InputValue:
    return InputValue(
        id=variable.id,
        label=variable.label,
        value=value,
        unit=unit,
        canonical=None if value == "non renseigné" else value,
        canonical_unit=variable.unit,
        origin=origin,
    )


def _number(formula: Formula, variable: Variable, raw: RawInput) -> _Reading:
    if isinstance(raw.value, bool) or not isinstance(raw.value, Decimal):
        return _Reading(problem="un nombre est attendu")
    if not raw.value.is_finite():
        return _Reading(problem="un nombre fini est attendu")
    unit = _unit(formula, variable, raw.unit)
    if unit is None:
        return _Reading(problem=_unknown_unit(variable, raw.unit))
    value = Fraction(raw.value)
    canonical = value
    if unit != variable.unit:
        canonical = formula.units.convert(value, variable.quantity, unit)
    if variable.need is Need.OPTIONAL and value == 0 and (variable.minimum or 0) > 0:
        return _absent(variable)
    problem = _out_of_range(formula, variable, value, canonical, unit) or _off_step(
        variable, canonical
    )
    if problem:
        return _Reading(problem=problem)
    origin = raw.origin
    if not raw.unit and variable.quantity:
        origin += _assumed_unit(formula, variable, value)
    return _Reading(
        shown=InputValue(
            id=variable.id,
            label=variable.label,
            value=raw.value,
            unit=unit,
            canonical=to_decimal(canonical),
            canonical_unit=variable.unit,
            origin=origin,
        ),
        value=canonical,
        entered=Entered(value=value, unit=unit),
        conversion=_conversion(formula, variable, value, unit) if unit != variable.unit else None,
    )


def _unit(formula: Formula, variable: Variable, written: str) -> str | None:
    if not written:
        return variable.unit
    if not variable.quantity:
        return variable.unit if written == variable.unit else None
    return formula.units.match(written, variable.units)


def _unknown_unit(variable: Variable, written: str) -> str:
    if not variable.units:
        return f"cette valeur s’écrit sans unité («{NBSP}{written}{NBSP}» reçu)"
    return (
        f"unité «{NBSP}{written}{NBSP}» non reconnue ici{NBSP}; "
        f"unités acceptées{NBSP}: {list_of(variable.units, 'ou')}"
    )


def _inside(variable: Variable, canonical: Fraction) -> bool:
    low, high = variable.minimum, variable.maximum
    above = low is None or canonical >= _bound(low)
    return above and (high is None or canonical <= _bound(high))


@lru_cache(maxsize=4096)
def _bound(value: Decimal) -> Fraction:
    """A bound of the bank, made a fraction once."""
    return Fraction(value)


def _other_units(formula: Formula, variable: Variable, value: Fraction) -> tuple[str, ...]:
    """Units other than the canonical one in which the bare number would be plausible."""
    if not variable.quantity:
        return ()
    measured = formula.units.quantities[variable.quantity]
    seen = {unit: formula.units.convert(value, measured.id, unit) for unit in measured.factors}
    return tuple(unit for unit, read in seen.items() if read != value and _inside(variable, read))


def _out_of_range(
    formula: Formula, variable: Variable, value: Fraction, canonical: Fraction, unit: str
) -> str:
    if _inside(variable, canonical):
        return ""
    low, high = (number(Fraction(b or 0)) for b in (variable.minimum, variable.maximum))
    wide = f"de {low} à {quantity(Fraction(variable.maximum or 0), variable.unit)}"
    if not variable.unit:
        wide = f"de {low} à {high}"
    problem = f"{quantity(value, unit)} est hors des valeurs attendues ({wide})"
    hints = [
        f"{other}{NBSP}? "
        f"({quantity(formula.units.convert(value, variable.quantity, other), variable.unit)})"
        for other in _other_units(formula, variable, value)
        if other != unit
    ]
    if unit != variable.unit and _inside(variable, value):
        hints.insert(0, f"{variable.unit}{NBSP}?")
    return f"{problem}{NBSP}: {list_of(tuple(hints), 'ou')}" if hints else problem


def _off_step(variable: Variable, canonical: Fraction) -> str:
    if variable.step is None or canonical % Fraction(variable.step) == 0:
        return ""
    if variable.step == 1:
        return "un nombre entier est attendu"
    return f"un multiple de {number(variable.step)} est attendu"


def _assumed_unit(formula: Formula, variable: Variable, value: Fraction) -> str:
    measured = formula.units.quantities[variable.quantity]
    if measured.usual or all(factor == 1 for factor in measured.factors.values()):
        return ""
    if _other_units(formula, variable, value):
        return f" sans unité{NBSP}: {variable.unit} supposé, à confirmer"
    if measured.tacit:
        return ""
    return f" sans unité{NBSP}: {variable.unit}, seule unité plausible"


def _conversion(formula: Formula, variable: Variable, value: Fraction, unit: str) -> Step:
    measured = formula.units.quantities[variable.quantity]
    factor, offset = measured.factors[unit], measured.offsets.get(unit)
    factor_text = number(factor) if factor.numerator != 1 else f"1/{factor.denominator}"
    return Step(
        label=f"Conversion{NBSP}: {variable.label}",
        expression=f"{quantity(value, unit)} × {factor_text}"
        + (f" + {number(offset)}" if offset else ""),
        result=quantity(formula.units.convert(value, measured.id, unit), variable.unit),
    )


def _boolean(variable: Variable, raw: RawInput) -> _Reading:
    if not isinstance(raw.value, bool):
        return _Reading(problem="«\u00a0oui\u00a0» ou «\u00a0non\u00a0» est attendu")
    return _Reading(shown=_shown(variable, raw.value, "", raw.origin), value=raw.value)


def _choice(variable: Variable, raw: RawInput) -> _Reading:
    keys = tuple(choice.key for choice in variable.choices)
    if not isinstance(raw.value, str) or raw.value not in keys:
        return _Reading(problem=f"choix attendu{NBSP}: {list_of(keys, 'ou')}")
    return _Reading(shown=_shown(variable, raw.value, "", raw.origin), value=raw.value)


def _date(variable: Variable, raw: RawInput) -> _Reading:
    try:
        day = date.fromisoformat(raw.value if isinstance(raw.value, str) else "")
    except ValueError:
        return _Reading(problem=f"date illisible (attendu{NBSP}: 10/03/2025)")
    if day.year not in _YEARS:
        return _Reading(problem=f"année {day.year} hors du possible")
    value = day.isoformat()
    return _Reading(shown=_shown(variable, value, "", raw.origin), value=value)
