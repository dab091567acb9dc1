"""``calc list | show | run``: the formula bank on the command line."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from decimal import Decimal

from ancremed_desktop.cli.output import say
from ancremed_desktop.domain.formulas import CalculationResult, MissingInput
from ancremed_desktop.errors import CalculationError
from ancremed_desktop.formulas.bank import Formula, Need, Status, Variable, VariableType
from ancremed_desktop.formulas.evaluate import IncompleteInput
from ancremed_desktop.formulas.french import list_of, number, quantity
from ancremed_desktop.formulas.render import date_text
from ancremed_desktop.formulas.words import levels_text
from ancremed_desktop.services.calculator import CalculatorService
from ancremed_desktop.text.french import NBSP, plain

_STATUS = {
    Status.ACTIVE: "",
    Status.HISTORICAL: " [historique]",
    Status.STRUCTURE: " [structure seulement]",
}
_NEED = {
    Need.REQUIRED: "requis",
    Need.CRITERION: "critère, compté 0 s’il n’est pas renseigné",
    Need.OPTIONAL: "facultatif",
    Need.CONSTANT: "constante de la formule, modifiable",
}


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the ``calc`` command and its three actions."""
    calc = subparsers.add_parser("calc", help="calculs et scores cliniques")
    actions = calc.add_subparsers(dest="calc_action", required=True, metavar="action")
    listing = actions.add_parser("list", help="lister les formules")
    show = actions.add_parser("show", help="montrer une formule")
    run_parser = actions.add_parser("run", help="calculer")
    for parser in (show, run_parser):
        parser.add_argument("id", help="identifiant de la formule (voir « calc list »)")
    run_parser.add_argument(
        "--set",
        dest="values",
        action="append",
        default=[],
        metavar="VARIABLE=VALEUR",
        help="valeur d’une variable, avec son unité (creatinine=110umol/L) ; répétable",
    )
    for parser in (listing, show, run_parser):
        parser.add_argument("--json", action="store_true", help="sortie JSON")


def run(args: argparse.Namespace, calculator: CalculatorService) -> int:
    """Execute the chosen action; exit code 2 when values are missing or cannot be read."""
    try:
        match args.calc_action:
            case "list":
                return _list(calculator, args.json)
            case "show":
                return _show(calculator.show(args.id), args.json)
        return _run(calculator, args.id, args.values, args.json)
    except IncompleteInput as error:
        _report_missing(calculator.show(args.id), error.missing, args.json)
        return error.exit_code
    except CalculationError as error:
        if args.json:
            _print_json({"error": str(error)})
        say(str(error), error=True)
        if args.calc_action == "run" and args.id in {f.id for f in calculator.list()}:
            say(f"Valeurs de cette formule, avec --set{NBSP}:", error=True)
            for variable in calculator.show(args.id).variables:
                say(f"  {variable.id}{NBSP}: {_variable_line(variable)}", error=True)
        return error.exit_code


def _list(calculator: CalculatorService, as_json: bool) -> int:
    if as_json:
        _print_json([_summary_json(formula) for formula in calculator.list()])
        return 0
    category = ""
    for formula in calculator.list():
        if formula.category != category:
            category = formula.category
            say(f"\n{category.capitalize()}")
        say(f"  {formula.id:24} {formula.name}{_STATUS[formula.status]}")
    return 0


def _show(formula: Formula, as_json: bool) -> int:
    if as_json:
        _print_json(_formula_json(formula))
        return 0
    say(f"{formula.name} ({formula.id}){_STATUS[formula.status]}\n{formula.formula_text}")
    if formula.population:
        say(f"Population{NBSP}: {formula.population}")
    say("\nVariables")
    for variable in formula.variables:
        say(f"  {variable.id:20} {_variable_line(variable)}")
    _section("Interprétation", tuple(band.label for band in formula.bands))
    _section("Mises en garde", formula.caveats)
    _section("Divergences entre sources", formula.divergences)
    say(f"\nSource{NBSP}: {formula.source}\nVérification{NBSP}: {formula.verified_by}")
    say(f"Date{NBSP}: {date_text(formula.verified_date)}")
    return 0


def _variable_line(variable: Variable) -> str:
    parts = [variable.label, *_allowed(variable), _NEED[variable.need]]
    if variable.suggestion:
        parts.append(f"usuel{NBSP}: {variable.suggestion}")
    return " — ".join(parts)


def _allowed(variable: Variable) -> list[str]:
    """Units, choices, levels or range of a variable, as far as it has them."""
    parts = []
    if variable.type is VariableType.BOOLEAN:
        parts.append("oui ou non")
    if variable.type is VariableType.DATE:
        parts.append("date (10/03/2025)")
    if variable.units:
        parts.append(f"en {list_of(variable.units, 'ou')}")
    if variable.choices:
        parts.append(list_of(tuple(f"{c.key} ({c.label})" for c in variable.choices), "ou"))
    if variable.levels:
        parts.append(levels_text(variable))
    elif variable.minimum is not None and variable.maximum is not None:
        low = number(variable.minimum)
        parts.append(f"de {low} à {quantity(variable.maximum, variable.unit)}")
    return parts


def _section(title: str, lines: Sequence[str]) -> None:
    if lines:
        say(f"\n{title}")
        for line in lines:
            say(f"  • {line}")


def _run(calculator: CalculatorService, formula_id: str, pairs: list[str], as_json: bool) -> int:
    values: dict[str, str] = {}
    for pair in pairs:
        name, equal, value = pair.partition("=")
        if not equal or not value.strip():
            raise CalculationError(f"«{NBSP}{pair}{NBSP}» doit s’écrire VARIABLE=VALEUR (age=65).")
        if name.strip() in values:
            raise CalculationError(f"«{NBSP}{name.strip()}{NBSP}» est donné deux fois.")
        values[name.strip()] = value.strip()
    result = calculator.run(formula_id, values)
    if as_json:
        _print_json(result_json(result))
    else:
        _print_result(result, calculator.show(formula_id))
    return 0


def _print_result(result: CalculationResult, formula: Formula) -> None:
    choices = {c.key: c.label for v in formula.variables for c in v.choices}
    say(f"{result.name}\n{result.formula_text}")
    _section(
        "Valeurs",
        [
            f"{i.label}{NBSP}: {_value_text(i.value, i.unit, choices)} ({i.origin})"
            for i in result.inputs
        ],
    )
    _section(
        "Calcul",
        [f"{s.label}{NBSP}: {s.expression} → {s.result}" for s in result.steps],
    )
    say("\nRésultat")
    for output in result.outputs:
        value = output.value
        shown = (
            quantity(value, output.unit, output.decimals)
            if isinstance(value, Decimal)
            else date_text(value)
        )
        say(f"  {output.label}{NBSP}: {shown}")
    if result.provisional:
        say(f"  {result.provisional}")
    if result.band:
        say(f"  Interprétation{NBSP}: {result.band}")
    _section("Mises en garde", result.caveats)
    _section("Divergences entre sources", result.divergences)
    say(f"\nSource{NBSP}: {result.source}")
    say(f"{result.verified_by} ({date_text(result.verified_date)})")


def _value_text(value: Decimal | str | bool, unit: str, choices: Mapping[str, str]) -> str:
    if isinstance(value, bool):
        return "oui" if value else "non"
    if isinstance(value, Decimal):
        return quantity(value, unit)
    return choices.get(value) or date_text(value)


def _report_missing(formula: Formula, missing: tuple[MissingInput, ...], as_json: bool) -> None:
    if as_json:
        _print_json({"id": formula.id, "missing": [_missing_json(item) for item in missing]})
    say(f"Calcul impossible en l’état. À donner avec --set{NBSP}:", error=True)
    for item in missing:
        parts = [f"{item.label}, {item.problem}", *_allowed(formula.variable(item.id))]
        say(f"  {item.id}{NBSP}: {' — '.join(parts)}", error=True)


_Json = dict[str, object]


def _print_json(data: object) -> None:
    print(plain(json.dumps(data, ensure_ascii=False, indent=2)))


def _missing_json(item: MissingInput) -> _Json:
    return {
        "id": item.id,
        "label": item.label,
        "problem": item.problem,
        "units": list(item.units),
    }


def _number_or_text(value: Decimal | str | bool | None) -> float | int | str | bool | None:
    """A JSON number, whole when it is whole, unrounded otherwise; a yes/no as oui/non."""
    if isinstance(value, bool):
        return "oui" if value else "non"
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value


def result_json(result: CalculationResult) -> _Json:
    """The documented shape: numbers unrounded, identifiers those of the bank."""
    return {
        "id": result.formula_id,
        "name": result.name,
        "formula": result.formula_text,
        "inputs": [
            {
                "id": i.id,
                "label": i.label,
                "value": _number_or_text(i.value),
                "unit": i.unit,
                "canonical_value": _number_or_text(i.canonical),
                "canonical_unit": i.canonical_unit,
                "origin": i.origin,
            }
            for i in result.inputs
        ],
        "steps": [
            {"label": s.label, "expression": s.expression, "result": s.result} for s in result.steps
        ],
        "outputs": [
            {
                "id": o.id,
                "label": o.label,
                "value": _number_or_text(o.value),
                "unit": o.unit,
                "decimals": o.decimals,
            }
            for o in result.outputs
        ],
        "provisional": result.provisional,
        "band": result.band,
        "caveats": list(result.caveats),
        "divergences": list(result.divergences),
        "source": result.source,
        "verified_by": result.verified_by,
        "verified_date": result.verified_date,
    }


def _summary_json(formula: Formula) -> _Json:
    return {
        "id": formula.id,
        "name": formula.name,
        "aliases": list(formula.aliases),
        "category": formula.category,
        "status": str(formula.status),
        "variables": [variable.id for variable in formula.variables],
        "outputs": _output_ids(formula),
    }


def _output_ids(formula: Formula) -> list[str]:
    return [*(["total"] if formula.is_sum_of_points else []), *(o.id for o in formula.outputs)]


def _formula_json(formula: Formula) -> _Json:
    return _summary_json(formula) | {
        "formula": formula.formula_text,
        "population": formula.population,
        "variables": [_variable_json(variable) for variable in formula.variables],
        "bands": [{"output": b.output, "label": b.label} for b in formula.bands],
        "caveats": list(formula.caveats),
        "divergences": list(formula.divergences),
        "source": formula.source,
        "secondary_sources": list(formula.secondary_sources),
        "unverified": list(formula.unverified),
        "verified_by": formula.verified_by,
        "verified_date": formula.verified_date,
    }


def _variable_json(variable: Variable) -> _Json:
    return {
        "id": variable.id,
        "label": variable.label,
        "type": str(variable.type),
        "need": str(variable.need),
        "unit": variable.unit,
        "units": list(variable.units),
        "minimum": _number_or_text(variable.minimum),
        "maximum": _number_or_text(variable.maximum),
        "choices": {choice.key: choice.label for choice in variable.choices},
        "levels": {number(level.value): level.label for level in variable.levels},
        "suggestion": variable.suggestion,
    }
