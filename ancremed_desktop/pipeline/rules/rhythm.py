"""How often an amount is given, where the source gives it at another rhythm."""

from __future__ import annotations

import re

from ancremed_desktop.domain.spans import DropReason
from ancremed_desktop.pipeline.rules.model import Finding, Statement, Value
from ancremed_desktop.text.value_base import after, bare
from ancremed_desktop.text.values import alike

_NEXT = 3
"""Words from an amount to its rhythm (« 10 mg tous les 3 jours »)."""
_SPELLS = frozenset({"jour", "semaine", "mois", "an", "heure"})
_EACH = re.compile(
    r"\s*(?:par|chaque|tous les|toutes les) (?:jours?|matins?|soirs?|semaines?|mois|heures?)\b"
    r"|\s*quotidiennement\b"
)


def rhythm_changed(assertion: Statement, cited: Statement) -> Finding | None:
    """« 10 mg chaque jour » of « 10 mg tous les 3 ou 4 jours », whatever else is told a day."""
    for value in assertion.values:
        if not value.quantity.dimension or not _paced(assertion, value):
            continue
        paces = [_pace(cited, v) for v in cited.values if _same_amount(value, v)]
        told = [p for p in paces if p is not None]
        if not told or len(told) < len(paces):
            continue
        kept = any(
            alike(v.quantity, assertion.text, p.quantity, cited.text)
            for v in assertion.values
            for p in told
        )
        if not kept:
            return Finding(
                DropReason.QUANTITY,
                "La source donne cette quantité à un autre rythme.",
                ((value.quantity.start, value.quantity.end),),
            )
    return None


def _paced(statement: Statement, value: Value) -> bool:
    """Whether an amount is told by day, week…, in its unit or right behind it."""
    if _SPELLS & set(value.quantity.per):
        return True
    return bool(_EACH.match(after(value.quantity, statement.text, 20)))


def _pace(cited: Statement, amount: Value) -> Value | None:
    """The interval told right behind an amount; None where its unit tells its rate."""
    if _SPELLS & set(amount.quantity.per):
        return None
    return next(
        (
            v
            for v in cited.values
            if v.quantity.dimension == "interval" and 0 < v.first - amount.last <= _NEXT
        ),
        None,
    )


def _same_amount(value: Value, other: Value) -> bool:
    ours, theirs = bare(value.quantity), bare(other.quantity)
    return ours.low is not None and (ours.low, ours.high, ours.unit) == (
        theirs.low,
        theirs.high,
        theirs.unit,
    )
