"""A value that the source only names for the harm it does is not told without it."""

from __future__ import annotations

from ancremed_desktop.domain.spans import DropReason
from ancremed_desktop.pipeline.rules.align import Source, same
from ancremed_desktop.pipeline.rules.model import Clause, Finding, Mention, Statement, Value
from ancremed_desktop.text.scopes import REASONS, marker_at
from ancremed_desktop.text.value_forms import PER_WORDS
from ancremed_desktop.text.values import alike

_HARMS = frozenset({"expose_risk", "toxic", "lethal"})


def made_harmless(assertion: Statement, source: Source) -> Finding | None:
    """« une prise quotidienne expose à une toxicité » said as « une prise par jour »."""
    if any(c.sign < 0 for c in assertion.clauses):
        return None
    cured = _made_remedy(assertion, source.cited)
    if cured:
        return Finding(
            DropReason.POLARITY,
            "La source en fait un risque, l’affirmation un traitement.",
            ((cured.start, cured.end),),
        )
    for value in assertion.values:
        places = _places(assertion, value, source.cited)
        if places and all(_exposes(source.cited, *p, assertion) for p in places):
            return Finding(
                DropReason.BINDING,
                "La source dit ce que cette valeur a de dangereux, l’affirmation ne le dit pas.",
                ((value.quantity.start, value.quantity.end),),
            )
    return None


def _places(assertion: Statement, value: Value, cited: Statement) -> list[tuple[Clause, int]]:
    """(clause, word) of each place that gives the value, or its rate by a word alone."""
    found = [
        (cited.clauses[v.chunk], v.first)
        for v in cited.values
        if alike(value.quantity, assertion.text, v.quantity, cited.text)
    ]
    if found:
        return found
    rates = [PER_WORDS[p] for p in value.quantity.per if p in PER_WORDS]
    return [(c, c.start) for c in cited.clauses if any(r.search(cited.folded(c)) for r in rates)]


def _exposes(cited: Statement, clause: Clause, first: int, assertion: Statement) -> bool:
    """Whether a clause says what harm follows from its words ``first`` on, and they do not."""
    words = range(clause.start, clause.end)
    why = next((i for i in words if marker_at(cited.keys, i, REASONS)), clause.end)
    exposed = [m.first for m in clause.mentions if m.concepts & _HARMS and m.sign > 0]
    if exposed and exposed[0] > why:
        return False  # « tous les 3 mois compte tenu du risque »: what the value guards against
    if not exposed or clause.sign < 0 or exposed[0] < first:
        return False
    harm = [m for m in clause.mentions if m.first >= exposed[0] and not m.neutral]
    return not any(same(a, m) for a in assertion.every for m in harm)


_TREATS = ("traite", "traitent", "soigne", "gueri", "soulage", "combat")
_RISKS = (
    "risque",
    "expos",
    "provoqu",
    "entrain",
    "caus",
    "favoris",
    "indui",
    "declench",
    "survenue",
)
_CURES = ("trait", "soign", "gueri", "indiqu", "soulag")
_NEAR, _LED = 3, 6
"""Words from a verb to its object, and from « risque » to what is risked."""


def _made_remedy(assertion: Statement, cited: Statement) -> Mention | None:
    """« A traite X » of what the source only says that it exposes to X."""
    if any(k.startswith(_CURES) for k in cited.keys):
        return None
    for index, key in enumerate(assertion.keys):
        if not key.startswith(_TREATS):
            continue
        near = [m for m in assertion.mentions if 0 < m.first - index <= _NEAR and not m.neutral]
        for treated in near[:1]:
            places = [m for m in cited.every if same(treated, m)]
            if places and all(_risked(cited, m) for m in places):
                return treated
    return None


def _risked(cited: Statement, place: Mention) -> bool:
    led = cited.keys[max(0, place.first - _LED) : place.first]
    return any(k.startswith(_RISKS) for k in led)
