"""Compute a formula and keep every step: conversions, points, substitution, band, doubts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from ancremed_desktop.domain.formulas import CalculationResult, Output, RawInput, Step
from ancremed_desktop.formulas import expression
from ancremed_desktop.formulas.expression import AbsentValue, Expression, Scalar
from ancremed_desktop.formulas.french import (
    number,
    points_text,
    quantity,
    round_half_up,
    to_decimal,
)
from ancremed_desktop.formulas.inputs import (
    NOT_GIVEN,
    IncompleteInput,
    Understood,
    missing_inputs,
    understand,
)
from ancremed_desktop.formulas.model import Band, Case, Criterion, Formula, Intermediate, OutputSpec
from ancremed_desktop.formulas.provisional import QUALIFIED, reach, sentence
from ancremed_desktop.formulas.readings import Tables, first_case
from ancremed_desktop.formulas.render import date_text, substituted, value_text
from ancremed_desktop.text.french import NBSP

__all__ = ["IncompleteInput", "evaluate", "missing_inputs"]


@dataclass(slots=True, kw_only=True)
class _Work:
    """The calculation under way; ``values`` grows with each intermediate and output."""

    formula: Formula
    understood: Understood
    tables: Tables
    values: dict[str, Scalar | None]
    steps: list[Step]
    doubts: list[str]


def evaluate(
    formula: Formula, inputs: Mapping[str, RawInput], today: date | None = None
) -> CalculationResult:
    """Compute a formula from values as given; units are converted, thresholds read in the unit.

    ``today``: what is later is no past date (None: the clock's day). ``provisional`` of the
    result gives the extremes that the criteria not given leave open.
    Raises: IncompleteInput with everything that is missing or doubtful; CalculationError when
    the arithmetic is impossible or a name is unknown.
    """
    understood = understand(formula, inputs, today)
    if understood.missing:
        raise IncompleteInput(understood.missing)
    work = _Work(
        formula=formula,
        understood=understood,
        tables=Tables(formula=formula, entered=understood.entered),
        values=dict(understood.values),
        steps=list(understood.conversions),
        doubts=[],
    )
    for intermediate in formula.intermediates:
        _intermediate(work, intermediate)
    outputs = _points(work) if formula.criteria else []
    outputs += [o for spec in formula.outputs if (o := _output(work, spec)) is not None]
    band, provisional = _interpret(work)
    return CalculationResult(
        formula_id=formula.id,
        name=formula.name,
        formula_text=formula.formula_text,
        inputs=understood.inputs,
        steps=tuple(work.steps),
        outputs=tuple(outputs),
        band=band,
        caveats=formula.caveats,
        divergences=(*work.doubts, *formula.divergences),
        source=formula.source,
        verified_by=formula.verified_by,
        verified_date=formula.verified_date,
        provisional=provisional,
    )


def _legend(work: _Work) -> dict[str, str]:
    """Unit of each number, label of each choice made."""
    legend = {}
    for variable in work.formula.variables:
        legend[variable.id] = variable.unit
        for choice in variable.choices:
            if choice.key == work.values[variable.id]:
                legend[variable.id] = choice.label
    return legend


def _intermediate(work: _Work, item: Intermediate) -> None:
    used, values = work.tables.expression_of(item, work.values)
    try:
        result = expression.evaluate(used, values)
    except AbsentValue:
        work.values[item.id] = None
        return
    _doubt_intermediate(work, item, result)
    work.values[item.id] = result
    text = _shown_expression(work, used, values, result)
    work.steps.append(Step(label=item.label, expression=text, result=value_text(result)))


def _shown_expression(
    work: _Work, used: Expression, values: Mapping[str, Scalar | None], result: Scalar
) -> str:
    """The substituted expression, or what was read to choose when it is only a choice."""
    text = substituted(used, values)
    if text != value_text(result):
        return text
    names = {v.id: v.label for v in work.formula.variables}
    names |= {item.id: item.label for item in work.formula.intermediates}
    legend = _legend(work)
    read = []
    for name, label in names.items():
        if name in used.names:
            value = values.get(name)
            chosen = legend.get(name) if isinstance(value, str) else None
            read.append(f"{label}{NBSP}: {chosen or value_text(value)}")
    return f"{NBSP}; ".join(read) or text


def _doubt_intermediate(work: _Work, item: Intermediate, result: Scalar) -> None:
    for reading in item.readings:
        seen = work.tables.seen_in(reading, work.values)
        if seen is None or reading.expression is None:
            continue
        others = (
            expression.evaluate(item.expression, work.values),
            expression.evaluate(reading.expression, seen),
        )
        if any(other != result for other in others):
            work.doubts.append(
                f"«{NBSP}{item.label}{NBSP}»{NBSP}: à cette valeur, le seuil en {reading.unit} et "
                f"celui en {work.formula.variable(reading.variables[0]).unit} ne concluent pas de "
                f"même{NBSP}; celui de l’unité saisie est appliqué."
            )


def _points(work: _Work) -> list[Output]:
    total = Fraction(0)
    scores = []
    alternatives: list[tuple[Criterion, str, Fraction, Fraction]] = []
    for criterion in work.formula.criteria:
        points = _criterion(work, criterion, alternatives)
        scores.append(points)
        total += points
    work.values["total"] = total
    work.steps.append(
        Step(
            label="Total",
            expression=_sum_text(scores),
            result=points_text(total),
        )
    )
    for criterion, unit, own, other in alternatives:
        _doubt_points(work, criterion, unit, own, other)
    decimals = 0 if total.denominator == 1 else 1
    value = to_decimal(total)
    return [Output(id="total", label="Total", value=value, unit="points", decimals=decimals)]


def _sum_text(scores: list[Fraction]) -> str:
    counted = [number(s) if s >= 0 else f"({number(s)})" for s in scores if s]
    if not counted:
        return "aucun critère ne donne de point"
    if len(counted) == 1:
        return "un seul critère donne des points"
    return " + ".join(counted)


def _criterion(
    work: _Work,
    criterion: Criterion,
    alternatives: list[tuple[Criterion, str, Fraction, Fraction]],
) -> Fraction:
    """Points of one line, by the table of the unit entered; other tables that differ are kept."""
    values: Mapping[str, Scalar | None] = work.values
    legend = _legend(work)
    case, points = first_case(criterion.cases, values)
    canonical = points
    for reading in criterion.readings:
        seen = work.tables.seen_in(reading, work.values)
        if seen is None:
            continue
        other_case, other = first_case(reading.cases, seen)
        own_unit = work.formula.variable(reading.variables[0]).unit
        if work.tables.applies(reading):
            case, points, values = other_case, other, seen
            legend |= dict.fromkeys(reading.variables, reading.unit)
            if canonical != other:
                alternatives.append((criterion, own_unit, other, canonical))
        elif other != canonical:
            alternatives.append((criterion, reading.unit, canonical, other))
    work.steps.append(
        Step(
            label=criterion.label,
            expression=_reason(work, criterion, case, values, legend),
            result=points_text(points),
        )
    )
    return points


def _reason(
    work: _Work,
    criterion: Criterion,
    case: Case | None,
    values: Mapping[str, Scalar | None],
    legend: Mapping[str, str],
) -> str:
    if case is not None:
        return substituted(case.condition, values, legend)
    names = {name for c in criterion.cases for name in c.condition.names}
    absent = {i.id for i in work.understood.inputs if i.origin == NOT_GIVEN}
    if names <= absent:
        return NOT_GIVEN
    shown = []
    for variable in work.formula.variables:
        if variable.id in names:
            value, mark = values[variable.id], legend.get(variable.id, "")
            if isinstance(value, str):
                shown.append(mark or value)
            else:
                shown.append(
                    f"{value_text(value)}{NBSP}{mark}"
                    if mark and value is not None
                    else value_text(value)
                )
    return f"{NBSP}; ".join(shown)


def _doubt_points(
    work: _Work, criterion: Criterion, unit: str, own: Fraction, other: Fraction
) -> None:
    total = work.values["total"]
    assert isinstance(total, Fraction)
    changed = total - own + other
    message = (
        f"«{NBSP}{criterion.label}{NBSP}»{NBSP}: à cette valeur, la table en {unit} donne "
        f"{points_text(other)} au lieu de {number(own)} (total {number(changed)} au lieu de "
        f"{number(total)})"
    )
    here, there = _band(work, "total", total), _band(work, "total", changed)
    if there is not None and here is not there:
        message += f", ce qui change l’interprétation{NBSP}: {there.label}"
    work.doubts.append(f"{message}. La table de l’unité saisie est appliquée.")


def _output(work: _Work, spec: OutputSpec) -> Output | None:
    if spec.condition is not None and not expression.truth(spec.condition, work.values):
        return None
    try:
        value = expression.evaluate(spec.expression, work.values)
    except AbsentValue:
        return None
    work.values[spec.id] = value
    text = _shown_expression(work, spec.expression, work.values, value)
    if isinstance(value, Fraction):
        result = quantity(value, spec.unit, spec.decimals)
        work.steps.append(Step(label=spec.label, expression=text, result=result))
        return Output(
            id=spec.id,
            label=spec.label,
            value=to_decimal(value),
            unit=spec.unit,
            decimals=spec.decimals,
        )
    shown = str(value)
    work.steps.append(Step(label=spec.label, expression=text, result=date_text(shown)))
    unit = "" if spec.unit == "date" else spec.unit
    return Output(id=spec.id, label=spec.label, value=shown, unit=unit)


def _band(work: _Work, output: str, value: Fraction) -> Band | None:
    for band in work.formula.bands:
        if band.output == output and band.holds(value):
            return band
    return None


def _interpret(work: _Work) -> tuple[str, str]:
    """The interpretation of the first interpreted output computed, and how far it may move."""
    for output in dict.fromkeys(band.output for band in work.formula.bands):
        value = work.values.get(output)
        if not isinstance(value, Fraction):
            continue
        found = reach(work.formula, work.understood, output)
        extremes = (found.low, found.high) if found else (value, value)
        least, greatest = (_band(work, output, extreme) for extreme in extremes)
        provisional = sentence(work.formula, found, (least, greatest))
        band = _band(work, output, value)
        if band is None:
            return "", provisional
        _doubt_rounding(work, output, value, band)
        changes = least is not greatest
        return f"{QUALIFIED if changes else ''}{band.label}", provisional
    return "", ""


def _doubt_rounding(work: _Work, output: str, value: Fraction, band: Band) -> None:
    """Say so where the result as shown would fall in another class than the exact one."""
    for spec in work.formula.outputs:
        if spec.id != output:
            continue
        rounded = round_half_up(value, spec.decimals)
        if _band(work, output, Fraction(rounded)) is not band:
            work.doubts.append(
                f"«{NBSP}{spec.label}{NBSP}»{NBSP}: interprété sur la valeur non arrondie, "
                f"{number(value)}{NBSP}; la valeur affichée, {quantity(rounded, spec.unit)}, "
                "tomberait dans une autre classe."
            )
