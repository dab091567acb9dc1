"""A small arithmetic language, parsed once and evaluated exactly; nothing of it is executed.

Numbers are fractions, so a threshold is compared exactly; only roots, logarithms, exponentials
and non-integer powers are rounded, to 40 significant digits. A value that was not given is
``None``: a comparison with it is false (a criterion not met), arithmetic on it has no result.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache

from ancremed_desktop.errors import BugError, CalculationError

Scalar = Fraction | str | bool
Environment = Mapping[str, Scalar | None]

PRECISION = 40
_MAX_LENGTH = 1000
_MAX_EXPONENT = 300


class AbsentValue(Exception):  # noqa: N818 - a case to branch on, not a fault
    """Arithmetic met a value that was not given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expression:
    """A checked expression; ``names`` are the values it reads."""

    text: str
    tree: ast.expr
    names: frozenset[str]


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def _through_decimal(function: Callable[[Decimal], Decimal]) -> Callable[[Fraction], Fraction]:
    def apply(value: Fraction) -> Fraction:
        with localcontext() as context:
            context.prec = PRECISION
            return Fraction(function(_decimal(value)))

    return apply


def _sqrt(value: Decimal) -> Decimal:
    if value < 0:
        raise CalculationError("Racine carrée d’un nombre négatif\u00a0: vérifier les valeurs.")
    return value.sqrt()


def _log(name: str) -> Callable[[Decimal], Decimal]:
    def apply(value: Decimal) -> Decimal:
        if value <= 0:
            raise CalculationError(
                "Logarithme d’un nombre négatif ou nul\u00a0: vérifier les valeurs."
            )
        return value.ln() if name == "ln" else value.log10()

    return apply


def _round(value: Fraction, digits: Fraction = Fraction(0)) -> Fraction:
    scale = Fraction(10) ** int(digits)
    return (
        Fraction((abs(value) * scale + Fraction(1, 2)).__floor__())
        / scale
        * (-1 if value < 0 else 1)
    )


def _iso(value: str) -> date:
    try:
        return date.fromisoformat(value)
    except ValueError as error:
        raise CalculationError(
            f"Date illisible\u00a0: «\u00a0{value}\u00a0» (attendu\u00a0: 2025-03-10)."
        ) from error


def _add_months(value: str, months: Fraction) -> str:
    """Same day of another month; the month's last day where that day does not exist."""
    start = _iso(value)
    index = start.year * 12 + start.month - 1 + int(months)
    year, month = divmod(index, 12)
    following = date(year + (month == 11), (month + 1) % 12 + 1, 1)
    last = (following - timedelta(days=1)).day
    return date(year, month + 1, min(start.day, last)).isoformat()


def _add_days(value: str, days: Fraction) -> str:
    return (_iso(value) + timedelta(days=int(days))).isoformat()


_NUMERIC: dict[str, Callable[..., Fraction]] = {
    "min": min,
    "max": max,
    "abs": abs,
    "floor": lambda value: Fraction(value.__floor__()),
    "ceil": lambda value: Fraction(value.__ceil__()),
    "round": _round,
    "sqrt": _through_decimal(_sqrt),
    "ln": _through_decimal(_log("ln")),
    "log10": _through_decimal(_log("log10")),
    "exp": _through_decimal(lambda value: value.exp()),
}
FUNCTIONS = frozenset(_NUMERIC) | {"compte", "date_plus", "mois_plus", "jours_entre"}

_NODES = (
    ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Call, ast.Name, ast.Constant,
    ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.USub, ast.And, ast.Or,
    ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Load,
)  # fmt: skip


def parse(text: str) -> Expression:
    """Check an expression of the bank.

    Raises: ValueError, in French, on anything outside the grammar.
    """
    if len(text) > _MAX_LENGTH:
        raise ValueError(f"expression de plus de {_MAX_LENGTH} caractères")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, RecursionError, ValueError) as error:
        raise ValueError(f"expression illisible : {text}") from error
    names: set[str] = set()
    called = {id(n.func) for n in ast.walk(tree) if isinstance(n, ast.Call)}
    for node in ast.walk(tree):
        if not isinstance(node, _NODES):
            raise ValueError(f"« {type(node).__name__} » n’est pas permis : {text}")
        if isinstance(node, ast.Call):
            _check_call(node, text)
        elif isinstance(node, ast.Name) and id(node) not in called:
            names.add(node.id)
        elif isinstance(node, ast.Constant) and (
            isinstance(node.value, bool) or not isinstance(node.value, int | float | str)
        ):
            raise ValueError(f"constante « {node.value!r} » non permise : {text}")
    return Expression(text=text, tree=tree, names=frozenset(names))


def _check_call(node: ast.Call, text: str) -> None:
    if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS or node.keywords:
        raise ValueError(f"fonction inconnue : {text}")


def evaluate(expression: Expression, values: Environment) -> Scalar:
    """Value of an expression.

    Raises: AbsentValue when it needs a value that was not given, CalculationError when the
    arithmetic is impossible (division by zero, root of a negative number).
    """
    return _value(expression.tree, values)


def truth(expression: Expression, values: Environment) -> bool:
    """Whether a condition holds; false when it rests on a value that was not given."""
    try:
        return _truth(expression.tree, values)
    except AbsentValue:
        return False


def constant(node: ast.Constant) -> Fraction | str:
    """The literal; a float is read by its shortest decimal, so 17.1 is exactly 171/10."""
    if isinstance(node.value, str):
        return node.value
    return _literal(str(node.value))


@lru_cache(maxsize=4096)
def _literal(text: str) -> Fraction:
    """A number of the bank, read once: the same literals serve every calculation."""
    return Fraction(text)


def _value(node: ast.expr, values: Environment) -> Scalar:
    match node:
        case ast.Constant():
            return constant(node)
        case ast.Name():
            return _named(node.id, values)
        case ast.BinOp():
            return _operate(node.op, _number(node.left, values), _number(node.right, values))
        case ast.UnaryOp():
            return -_number(node.operand, values)
        case ast.IfExp():
            return _value(chosen_branch(node, values), values)
        case ast.Call():
            return _call(node, values)
        case ast.BoolOp() | ast.Compare():
            return _truth(node, values)
    raise BugError(f"expression node {type(node).__name__} slipped through the grammar")


def _named(name: str, values: Environment) -> Scalar:
    if name not in values:
        raise BugError(f"« {name} » is read before it has a value")
    value = values[name]
    if value is None:
        raise AbsentValue(name)
    return value


def _number(node: ast.expr, values: Environment) -> Fraction:
    value = _value(node, values)
    if isinstance(value, bool) or not isinstance(value, Fraction):
        raise BugError(f"a number was expected, not {value!r}")
    return value


def _text(node: ast.expr, values: Environment) -> str:
    value = _value(node, values)
    if not isinstance(value, str):
        raise BugError(f"a text was expected, not {value!r}")
    return value


def _operate(operator: ast.operator, left: Fraction, right: Fraction) -> Fraction:
    match operator:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Pow():
            return _power(left, right)
    if right == 0:
        raise CalculationError("Division par zéro\u00a0: vérifier les valeurs saisies.")
    match operator:
        case ast.Div():
            return left / right
        case ast.FloorDiv():
            return Fraction(left // right)
        case ast.Mod():
            return left % right
    raise BugError(f"operator {operator!r} slipped through the grammar")


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if base == 0 and exponent < 0:
        raise CalculationError("Puissance impossible\u00a0: vérifier les valeurs saisies.")
    if exponent.denominator == 1 and abs(exponent) <= _MAX_EXPONENT:
        return base ** int(exponent)
    if base < 0:
        raise CalculationError(
            "Puissance non entière d’un nombre négatif\u00a0: vérifier les valeurs."
        )
    with localcontext() as context:
        context.prec = PRECISION
        return Fraction(_decimal(base) ** _decimal(exponent))


def chosen_branch(node: ast.IfExp, values: Environment) -> ast.expr:
    """The branch of « a if c else b » that these values take."""
    return node.body if _truth(node.test, values) else node.orelse


def _call(node: ast.Call, values: Environment) -> Scalar:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    match name:
        case "compte":
            return Fraction(sum(_truth(argument, values) for argument in node.args))
        case "date_plus":
            return _add_days(_text(node.args[0], values), _number(node.args[1], values))
        case "mois_plus":
            return _add_months(_text(node.args[0], values), _number(node.args[1], values))
        case "jours_entre":
            first, second = (_iso(_text(argument, values)) for argument in node.args)
            return Fraction((second - first).days)
    return _NUMERIC[name](*(_number(argument, values) for argument in node.args))


def _truth(node: ast.expr, values: Environment) -> bool:
    match node:
        case ast.BoolOp():
            combine = all if isinstance(node.op, ast.And) else any
            return combine(_truth(part, values) for part in node.values)
        case ast.Compare():
            return _compare(node, values)
        case ast.Name():
            value = values.get(node.id)
            if value is None or isinstance(value, bool):
                return bool(value)
    raise BugError(f"a condition was expected, not {ast.unparse(node)}")


def _compare(node: ast.Compare, values: Environment) -> bool:
    try:
        sides = [_value(side, values) for side in (node.left, *node.comparators)]
    except AbsentValue:
        return False
    pairs = zip(node.ops, sides, sides[1:], strict=False)
    return all(_holds(operator, left, right) for operator, left, right in pairs)


def _holds(operator: ast.cmpop, left: Scalar, right: Scalar) -> bool:
    if isinstance(operator, ast.Eq | ast.NotEq):
        return (left == right) is isinstance(operator, ast.Eq)
    if isinstance(left, str) or isinstance(right, str):
        raise BugError("texts have no order")
    match operator:
        case ast.Lt():
            return left < right
        case ast.LtE():
            return left <= right
        case ast.Gt():
            return left > right
    return left >= right
