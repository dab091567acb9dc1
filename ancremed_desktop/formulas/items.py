"""Answers to the items of a questionnaire, given as a list or one by one, after its name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

from ancremed_desktop.domain.formulas import RawInput
from ancremed_desktop.formulas.model import Formula, Variable, VariableType
from ancremed_desktop.formulas.patient import READ
from ancremed_desktop.text.normalise import fold

_RUN = re.compile(r"(?<![\w.,/-])\d{1,2}(?:(?: ?[,;+] ?| - | )\d{1,2})+(?!\w|[.,/]\d)")
_EDGE = r"(?![\w.,/%°]*\w)"


def read_items(formula: Formula, text: str) -> Mapping[str, RawInput]:
    """Points of the formula's own items, by concept; empty when the list is not whole.

    ``text`` is folded. A list (« PHQ-9 : 1 0 2 1 0 0 1 0 0 ») must have exactly one whole number
    for each item, each within its bounds; else nothing is read from it. Items are also read by
    number (« item 3 : 2 ») and by name (« habillage 10 »), unless the label codes its answers:
    « 3 verres » is a count there, not the code of an answer.
    """
    items = [v for v in formula.variables if _is_item(formula, v)]
    if len(items) < 3:
        return {}
    read = _listed(items, text)
    if not read:
        for number, variable in enumerate(items, 1):
            names = [rf"(?:item|question|q) ?{number}"]
            if "(" not in variable.label:
                names.append(re.escape(fold(variable.label)))
            found = re.findall(rf"\b(?:{'|'.join(names)}) ?[:=]? ?(\d{{1,2}}){_EDGE}", text)
            if len(found) == 1:
                read[variable.concept] = Decimal(found[0])
    kept = {v.concept: read[v.concept] for v in items if v.concept in read and _fits(v, read)}
    return {
        concept: RawInput(value=value, origin=READ)
        for concept, value in kept.items()
        if len(kept) == len(read)
    }


def _is_item(formula: Formula, variable: Variable) -> bool:
    return (
        variable.type is VariableType.NUMBER
        and not variable.unit
        and variable.concept.startswith(f"{formula.id}.")
    )


def _listed(items: list[Variable], text: str) -> dict[str, Decimal]:
    runs = [re.findall(r"\d+", match.group()) for match in _RUN.finditer(text)]
    if [len(run) for run in runs] != [len(items)]:
        return {}
    return {v.concept: Decimal(n) for v, n in zip(items, runs[0], strict=True)}


def _fits(variable: Variable, read: Mapping[str, Decimal]) -> bool:
    value = read[variable.concept]
    low, high = variable.minimum, variable.maximum
    return (low is None or value >= low) and (high is None or value <= high)
