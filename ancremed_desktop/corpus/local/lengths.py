"""Lengths and numbers of style sheets, worked out as far as they can be without a screen.

Source: CSS Values 4 (units, ``calc``, ``min``, ``max``, ``clamp``).
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable

_PX = {"pt": 4 / 3, "em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "%": 0.16, "vw": 10.0,
       "vh": 10.0, "cm": 38.0, "mm": 3.8, "in": 96.0, "px": 1.0}  # fmt: skip
"""Pixels of a screen one of a unit makes; « % » is of a usual letter."""
_TERM = re.compile(r"(\d*\.?\d+)(px|pt|rem|em|ex|ch|%|vw|vh|cm|mm|in)?(?![\w.])")
_PLAIN = re.compile(r"[\d.+\-*/(), ]|calc|min|max|clamp|e-?\d+")
_NUMBER = re.compile(r"([+-]?\d*\.?\d+)\s*(%)?")
_ARITHMETIC: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}  # fmt: skip
_MOST = 200
"""Characters of an expression: no one writes a longer one by hand."""


def pixels(value: str) -> float | None:
    """A length in pixels of a screen, arithmetic worked out; ``None`` of a word or what cannot be
    told.
    """
    value = value.strip().lower()
    if not value or len(value) > _MOST:
        return None
    told = _TERM.sub(lambda m: repr(float(m[1]) * _PX[m[2] or "px"]), value)
    if _PLAIN.sub("", told):
        return None
    try:
        return _worked(ast.parse(told, mode="eval").body)
    except (SyntaxError, ValueError, ZeroDivisionError, OverflowError, RecursionError):
        return None


def number(value: str) -> float | None:
    """A number, or a share of 100 as one of 1; ``None`` of anything else."""
    found = _NUMBER.fullmatch(value.strip())
    return float(found[1]) / (100 if found[2] else 1) if found else None


def _worked(node: ast.expr) -> float:
    """The value of an expression. Raises: ValueError when it is more than arithmetic."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        return _worked(node.operand) * (-1 if isinstance(node.op, ast.USub) else 1)
    if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
        return _ARITHMETIC[type(node.op)](_worked(node.left), _worked(node.right))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        values = [_worked(argument) for argument in node.args]
        if node.func.id == "clamp" and len(values) == 3:
            return max(values[0], min(values[1], values[2]))
        if node.func.id == "calc" and len(values) == 1:
            return values[0]
        if node.func.id in {"min", "max"} and values:
            return (min if node.func.id == "min" else max)(values)
    raise ValueError(ast.dump(node))
