"""A value that the source only names for the harm it does is not told without it."""

from __future__ import annotations

import re
from typing import NamedTuple

from ancremed_desktop.domain.spans import DropReason
from ancremed_desktop.pipeline.rules.align import Source, same
from ancremed_desktop.pipeline.rules.model import Clause, Finding, Mention, Statement, Value
from ancremed_desktop.text.clauses import Role
from ancremed_desktop.text.predicates import VERBS
from ancremed_desktop.text.scopes import REASONS, marker_at
from ancremed_desktop.text.value_forms import PER_WORDS
from ancremed_desktop.text.values import alike

_HARMS = frozenset({"expose_risk", "toxic", "lethal", "adverse", "overdose", "death"})
_DOSES = ("mass", "amount", "UI", "volume", "frequency", "count")
"""Beginnings of the dimensions of what is given."""
_LEADS = re.compile(
    r"(?:provoqu|entrain|caus(?:e|ent|er)$|indui|declench|responsable|mortel|letal|fatal|toxi|dangere)"
)
"""What leads from a value to what it does."""
_ARISES = re.compile(
    r"(?:survien|survenu|apparai|apparu|observe|rapporte|decrit|constate|se produi|aggrav|allong)"
)
_GOOD = re.compile(
    r"(?:cicatris|guer|amelior|effic|soulag|effet|repon|remission|dimin|redu|baiss|abaiss|normalis"
    r"|control|prote|immun|dispar|sedat|anesth|endor|pic|concentr|stabil|augment|correct|elev)"
)
"""Effects that are sought, or measured."""
_LASTS = re.compile(r"\b(?:dur(?:e|ent|er|ee)|pendant|poursui\w+|prolong\w+)\b")
_LINKS = frozenset(
    "est sont de d a partir des serait environ l la chez au aux dela plus que".split()
)
_CARRIED = frozenset("qui que dont et".split())
_FINITE = VERBS - frozenset("a ont on il elle n ne".split())
_OPPOSITE = {">": "≤w<", "≥": "<", "<": "≥>", "≤": ">"}


def made_harmless(assertion: Statement, source: Source) -> Finding | None:
    """« une prise quotidienne expose à une toxicité » said as « une prise par jour »."""
    if all(c.sign > 0 for c in assertion.clauses):
        cured = _made_remedy(assertion, source.cited)
        if cured:
            return Finding(
                DropReason.POLARITY,
                "La source en fait un risque, l’affirmation un traitement.",
                ((cured.start, cured.end),),
            )
    for value in assertion.values:
        if assertion.clauses[value.chunk].sign < 0:
            continue
        places = _places(assertion, value, source.cited)
        if places and all(_harms(source.cited, p, assertion, value) for p in places):
            return Finding(
                DropReason.BINDING,
                "La source dit ce que cette valeur a de dangereux, l’affirmation ne le dit pas.",
                ((value.quantity.start, value.quantity.end),),
            )
    return None


class _Place(NamedTuple):
    """Words ``first`` to ``last`` of a clause of the source that give a value, and its bound."""

    clause: Clause
    first: int
    last: int
    bound: str


def _places(assertion: Statement, value: Value, cited: Statement) -> list[_Place]:
    """Where the source gives the value, or its rate by a word alone."""
    found = [
        _Place(cited.clauses[v.chunk], v.first, v.last, v.bound)
        for v in cited.values
        if alike(value.quantity, assertion.text, v.quantity, cited.text)
    ]
    if found:
        return found
    rates = [PER_WORDS[p] for p in value.quantity.per if p in PER_WORDS]
    named = [c for c in cited.clauses if any(r.search(cited.folded(c)) for r in rates)]
    return [_Place(c, c.start, c.start, "") for c in named]


def _harms(cited: Statement, place: _Place, assertion: Statement, value: Value) -> bool:
    """Whether a place of the source only says what harm its value does, untold by the assertion."""
    if place.clause.sign < 0 or (value.bound and value.bound in _OPPOSITE.get(place.bound, "")):
        return False
    harm = _exposed(cited, place)
    dimension = value.quantity.dimension
    if not harm and dimension.startswith((*_DOSES, "time")):
        harm = _led_to(cited, place) or _called(cited, place)
    if not harm and (dimension.startswith(_DOSES) or _LASTS.search(assertion.folded_text)):
        harm = _arisen(cited, place)
    told = any(same(a, m) for a in assertion.every if not a.neutral for m in harm)
    warned = any(a.concepts & _HARMS for a in assertion.every)
    return bool(harm) and not told and not warned


def _exposed(cited: Statement, place: _Place) -> list[Mention]:
    """Harm that the words from a value on expose to."""
    clause = place.clause
    words = range(clause.start, clause.end)
    why = next((i for i in words if marker_at(cited.keys, i, REASONS)), clause.end)
    inside = [m for m in cited.every if clause.start <= m.first < clause.end]
    exposed = sorted(m.first for m in inside if m.concepts & _HARMS and m.sign > 0)
    if not exposed or exposed[0] > why or exposed[0] < place.first:
        return []  # « tous les 3 mois compte tenu du risque »: what the value guards against
    if _told_before(cited, place, exposed[0]):
        return []
    led = [m for m in clause.mentions if m.first >= exposed[0] and not m.neutral]
    return [m for m in led if m.role is Role.CORE] or led


def _told_before(cited: Statement, place: _Place, effect: int) -> bool:
    """« la dose est de 20 mg, ce qui provoque … »: the value is told for itself."""
    before = cited.keys[place.clause.start : place.first]
    return not _FINITE.isdisjoint(before) or not _CARRIED.isdisjoint(
        cited.keys[place.last + 1 : effect]
    )


def _led_to(cited: Statement, place: _Place) -> list[Mention]:
    """« 150 mg/kg provoque une cytolyse », « est mortelle »."""
    clause = place.clause
    for index in range(place.last + 1, clause.end):
        if not _LEADS.match(cited.keys[index]):
            continue
        if _told_before(cited, place, index):
            return []
        return _bad(cited, range(index, clause.end))
    return []


def _arisen(cited: Statement, place: _Place) -> list[Mention]:
    """« la cytolyse survient à partir de 10 g », « au-delà de 200 mg, des chutes sont rapportées »."""
    clause = place.clause
    words = range(clause.start, clause.end)
    verb = next((i for i in words if _ARISES.match(cited.keys[i])), -1)
    if verb < 0:
        return []
    if verb < place.first:
        return _bad(cited, range(clause.start, verb))
    apart = [i for i in range(place.last + 1, verb) if "," in cited.gaps[i]]
    return _bad(cited, range(apart[0], verb)) if apart else []


def _bad(cited: Statement, words: range) -> list[Mention]:
    """What stands in ``words``, unless it is an effect that is sought."""
    told = [m for m in cited.mentions if m.first in words and not m.neutral]
    told = [m for m in told if m.role is Role.CORE]
    return [] if any(_GOOD.match(cited.keys[i]) for i in words) else told


def _called(cited: Statement, place: _Place) -> list[Mention]:
    """« la dose létale est de 5 g », « un surdosage (plus de 4 g) »."""
    first = place.first
    while first > place.clause.start and cited.keys[first - 1] in _LINKS:
        first -= 1
    return [
        m
        for m in cited.mentions
        if m.chunk == cited.clauses.index(place.clause)
        and m.first + len(m.key.split()) == first
        and (m.concepts & _HARMS or ("dose", "toxic") in m.axes)
    ]


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
