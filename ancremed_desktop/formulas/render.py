"""Show an expression with its values put in, the way it would be written by hand."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from fractions import Fraction

from ancremed_desktop.formulas.expression import (
    Environment,
    Expression,
    Scalar,
    chosen_branch,
    constant,
)
from ancremed_desktop.formulas.french import number

Legend = Mapping[str, str]
"""For each name: the unit of a number, or how the chosen value of a choice is called."""

_BINARY: dict[type[ast.operator], tuple[str, int]] = {
    ast.Add: (" + ", 4),
    ast.Sub: (" − ", 4),
    ast.Mult: (" × ", 5),
    ast.Div: (" / ", 5),
    ast.FloorDiv: (" div ", 5),
    ast.Mod: (" mod ", 5),
    ast.Pow: ("^", 7),
}
_COMPARISON: dict[type[ast.cmpop], str] = {
    ast.Eq: "=",
    ast.NotEq: "≠",
    ast.Lt: "<",
    ast.LtE: "≤",
    ast.Gt: ">",
    ast.GtE: "≥",
}
_FUNCTION = {"sqrt": "√", "round": "arrondi", "log10": "log", "compte": "nombre de critères vrais"}
_DATE_STEP = {"date_plus": "j", "mois_plus": "mois"}
_ATOM = 9


def value_text(value: Scalar | None) -> str:
    """A value as French prints it; dates as day/month/year."""
    if value is None:
        return "non renseigné"
    if isinstance(value, bool):
        return "oui" if value else "non"
    if isinstance(value, Fraction):
        return number(value)
    return date_text(value)


def date_text(value: str) -> str:
    """``2025-03-10`` → ``10/03/2025``; any other text is left as it is."""
    parts = value.split("-")
    if len(parts) == 3 and all(part.isdigit() for part in parts):
        return "/".join(reversed(parts))
    return value


def substituted(expression: Expression, values: Environment, legend: Legend | None = None) -> str:
    """The expression with each name replaced by its value (and its legend, when given)."""
    return _render(expression.tree, values, legend or {})[0]


def _render(node: ast.expr, values: Environment, legend: Legend) -> tuple[str, int]:
    match node:
        case ast.Constant():
            return value_text(constant(node)), _ATOM
        case ast.Name():
            return _name(node.id, values, legend)
        case ast.IfExp():
            return _render(chosen_branch(node, values), values, legend)
        case ast.UnaryOp():
            return f"−{_wrapped(node.operand, 6, values, legend)}", 6
        case ast.BinOp():
            return _binary(node, values, legend)
        case ast.Compare():
            return _comparison(node, values, legend), 3
        case ast.BoolOp():
            word = " et " if isinstance(node.op, ast.And) else " ou "
            return word.join(_wrapped(part, 2, values, legend) for part in node.values), 1
        case ast.Call():
            return _call(node, values, legend), _ATOM
    return ast.unparse(node), _ATOM


def _name(name: str, values: Environment, legend: Legend) -> tuple[str, int]:
    value = values.get(name)
    shown = value_text(value)
    if isinstance(value, Fraction):
        unit = legend.get(name, "")
        return (f"{shown}\u00a0{unit}" if unit else shown), 6 if value < 0 else _ATOM
    return shown, _ATOM


def _wrapped(node: ast.expr, level: int, values: Environment, legend: Legend) -> str:
    text, own = _render(node, values, legend)
    return f"({text})" if own < level else text


def _binary(node: ast.BinOp, values: Environment, legend: Legend) -> tuple[str, int]:
    sign, level = _BINARY[type(node.op)]
    tighter = isinstance(node.op, ast.Sub | ast.Div | ast.FloorDiv | ast.Mod)
    left_level = level + 1 if isinstance(node.op, ast.Pow) else level
    left = _wrapped(node.left, left_level, values, legend)
    right = _wrapped(node.right, level + 1 if tighter else level, values, legend)
    if right.startswith("−"):
        right = f"({right})"
    return f"{left}{sign}{right}", level


def _comparison(node: ast.Compare, values: Environment, legend: Legend) -> str:
    if isinstance(node.left, ast.Name) and isinstance(values.get(node.left.id), str):
        return legend.get(node.left.id) or value_text(values[node.left.id])
    parts = [_wrapped(node.left, 4, values, legend)]
    for operator, side in zip(node.ops, node.comparators, strict=True):
        if isinstance(operator, ast.Eq) and _wrapped(side, 4, values, legend) == parts[-1]:
            continue  # an item that is its own score: « 2 », not « 2 = 2 »
        parts += [_COMPARISON[type(operator)], _wrapped(side, 4, values, legend)]
    return " ".join(parts)


def _call(node: ast.Call, values: Environment, legend: Legend) -> str:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    inner: Callable[[ast.expr], str] = lambda n: _render(n, values, legend)[0]  # noqa: E731 - partial
    if name in _DATE_STEP:
        return f"{inner(node.args[0])} + {inner(node.args[1])} {_DATE_STEP[name]}"
    if name == "jours_entre":
        return f"jours du {inner(node.args[0])} au {inner(node.args[1])}"
    arguments = "\u00a0; ".join(inner(argument) for argument in node.args)
    return f"{_FUNCTION.get(name, name)}({arguments})"


def described(
    expression: Expression, names: Mapping[str, tuple[str, str]], choices: Mapping[str, str]
) -> str:
    """A condition in words: ``names`` give (label, unit), ``choices`` the labels of their keys."""
    return _describe(expression.tree, names, choices)


def _describe(
    node: ast.expr, names: Mapping[str, tuple[str, str]], choices: Mapping[str, str]
) -> str:
    match node:
        case ast.Name():
            return names[node.id][0]
        case ast.BoolOp():
            word = " et " if isinstance(node.op, ast.And) else " ou "
            parts = [_describe(part, names, choices) for part in node.values]
            return word.join(
                f"({text})" if isinstance(part, ast.BoolOp) else text
                for part, text in zip(node.values, parts, strict=True)
            )
        case ast.Compare(left=ast.Name() as name, ops=[operator], comparators=[side]):
            label, unit = names.get(name.id, (name.id, ""))
            if isinstance(side, ast.Constant) and isinstance(side.value, str):
                return f"{label}\u00a0: {choices[side.value]}"
            bound = _render(side, {}, {})[0]
            return f"{label} {_COMPARISON[type(operator)]} {bound}" + (
                f"\u00a0{unit}" if unit else ""
            )
    return ast.unparse(node)
