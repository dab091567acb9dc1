"""Words that the cited sentences do not hold and that what they say implies."""

from __future__ import annotations

import re
from functools import lru_cache

from ancremed_desktop.pipeline.rules.model import Mention, Statement, Value
from ancremed_desktop.text.lexicon import stem

_BEGINNINGS = frozenset({"beginning", "first_step", "acute_phase", "dose=initial"})
_EXTREMES = frozenset({"max_word", "min_word"})
CHANGES = frozenset({"increase", "decrease"})
_GOES_ON = frozenset({"continue", "continue_verb"})
_PASSES = frozenset({"passe", "portee", "porte", "puis", "ensuite", "portes", "portees"})
_ABSENT = {("consciousness", "unconscious"): ("consciousness", "awake")}
_MEANWHILE = re.compile(r"\b(?:dans l'attente d|en attendant )")
"""« dans l'attente des résultats » is « sans attendre les résultats »."""
_INFANT = 24
"""Months below which a child is an infant."""
_WAITING = frozenset({"wait", "delay"})
_IF = frozenset({"lorsque", "lorsqu", "quand"})
_AHEAD = 8
"""Words from « lorsque » to the value: « débuté lorsque l'INR est < 2 » is waited for."""
_TIMED = frozenset({"pa", "a", "w", "pb", "b"})
GIVING = frozenset({"give", "inject", "infuse", "swallow"})
"""Plain verbs of giving, which the passage's route decides."""
_EATS = frozenset({"manger", "boire"})
_UNCHANGED = frozenset({"same_word", "even_steady"})
_CHANGING = ("adapt", "ajust", "modifi", "chang")
_CRITERIA = frozenset("critere criteres condition conditions".split())
_PERIODS = {
    ("h", 24): "day", "jour": "day", ("h", 168): "week", "semaine": "week",
    ("mois", 1): "month", "mois": "month", ("mois", 12): "year", "an": "year",
}  # fmt: skip
"""Sides of the axis of rhythms, by (unit, length) of an interval or by denominator."""


def implied(assertion: Statement, mention: Mention, cited: Statement) -> bool:
    """« la phase initiale » of what is told in turn, « attendre » of what comes a day after."""
    if mention.concepts & _BEGINNINGS and {"puis", "ensuite"} & set(cited.keys):
        return True
    if mention.concepts & _GOES_ON and {"puis", "ensuite", "relais"} & set(cited.keys):
        return True  # « 4 g, puis 1 g/h »: « poursuivi à 1 g/h »
    if ("together", "together") in mention.axes and ("together", "apart") in cited.axes:
        return True  # « pas en même temps »: which of the two is a question of axes
    if "intact" in mention.concepts and "open_act" in cited.concepts:
        return True  # « avalé entier » of what is not opened: polarity judges it
    if "hurry" in mention.concepts and _MEANWHILE.search(cited.folded_text):
        return True
    if "gradual" in mention.concepts:
        return any("sudden" in m.concepts and cited.clauses[m.chunk].sign < 0 for m in cited.every)
    if mention.concepts & _WAITING and (
        "apres" in cited.keys
        or bool(cited.concepts & {"delay", "interval"})
        or any(v.bound in _TIMED for v in cited.values)
        or any(_IF & set(cited.keys[v.first - _AHEAD : v.first]) for v in cited.values)
    ):
        return True
    if mention.axes & implied_axes(cited):
        return True
    if _that_long(assertion, mention, cited):
        return True
    if mention.concepts & _EXTREMES:
        bounds = {"max_word": {"≤", "<", "w"}, "min_word": {"≥", ">"}}
        return any(v.bound in bounds[c] for c in mention.concepts & _EXTREMES for v in cited.values)
    if "associate" in mention.concepts and "et" in cited.keys:
        return True  # whether the source joins or offers a choice is a question of logic
    if mention.concepts & _UNCHANGED and any(
        c.sign < 0 and any(k.startswith(_CHANGING) for k in cited.keys[c.start : c.end])
        for c in cited.clauses
    ):
        return True  # « ne change pas » of what needs no adaptation: polarity judges it
    if "rule_met" in mention.concepts and _CRITERIA & set(assertion.keys):
        return True  # « le critère est rempli »
    if _done_again(mention, cited):
        return True
    if "repeat" in mention.concepts and any(
        v.quantity.dimension in {"interval", "frequency"} for v in cited.values
    ):
        return True
    if mention.concepts & GIVING and cited.concepts & GIVING:
        return True  # how it is given is a question of route
    return bool(mention.concepts & CHANGES) and _changes(mention, cited)


def _changes(mention: Mention, cited: Statement) -> bool:
    """« augmenter » of what passes from one amount to a higher one."""
    up = "increase" in mention.concepts
    return any(
        one.first < two.first
        and one.quantity.dimension == two.quantity.dimension
        and one.quantity.low is not None
        and two.quantity.low is not None
        and (one.quantity.low < two.quantity.low) == up
        for one in cited.values
        for two in cited.values
    ) and bool(_PASSES & set(cited.keys))


@lru_cache(maxsize=64)
def implied_axes(cited: Statement) -> frozenset[tuple[str, str]]:
    """Sides that a statement takes without naming them: « moins de 3 mois » is an infant."""
    found = {_ABSENT[a] for m in cited.every if m.sign < 0 for a in m.axes if a in _ABSENT}
    if any(
        (("meal", "fed") in m.axes or m.key in _EATS) and m.sign * cited.clauses[m.chunk].sign < 0
        for m in cited.every
    ):
        found.add(("meal", "fasting"))  # « pas avec de la nourriture »
    if any(
        v.bound in {"<", "≤"}
        and v.quantity.dimension == "calendar"
        and (v.quantity.high or 99) <= _INFANT
        for v in cited.values
    ):
        found |= {("age", "infant"), ("age", "child")}
    found |= {("period", p) for p in map(_period, cited.values) if p}
    for per, basis in (("jour", "day"), ("semaine", "week")):
        if any(per in v.quantity.per for v in cited.values):
            found.add(("basis", basis))
    found |= {
        ("period", _PERIODS[d])
        for v in cited.values
        for d in v.quantity.per
        if d in _PERIODS and d != "jour"
    }  # « < 4 doses/semaine »: « 4 doses hebdomadaires »
    return frozenset(found)


def _done_again(mention: Mention, cited: Statement) -> bool:
    """« redosée », « réinjectée » of what is dosed or injected anew, or at intervals."""
    again = mention.key.removeprefix("re")
    if again == mention.key or len(again) < _SHORT or " " in again:
        return False
    repeated = any(k.startswith(_ANEW) for k in cited.keys) or any(
        v.quantity.dimension in {"interval", "frequency"} for v in cited.values
    )
    return repeated and stem(again) in {stem(k) for k in cited.keys}


_SHORT = 4
"""Letters of the shortest verb told with « re- »."""
_ANEW = ("repet", "renouvel", "reiter", "nouveau", "encore", "chaque")


def _that_long(assertion: Statement, mention: Mention, cited: Statement) -> bool:
    """« dans la semaine qui suit » of what holds for the 7 days that follow."""
    spell = _SPELLS.get(mention.key)
    led = assertion.keys[max(0, mention.first - 2) : mention.first]
    after = assertion.keys[mention.first + 1 : mention.first + 3]
    if spell is None or led[:1] != ("dans",) or not any(k.startswith("sui") for k in after):
        return False
    return any(
        v.quantity.unit == spell[0] and v.quantity.low == spell[1] == v.quantity.high
        for v in cited.values
    )


_SPELLS = {
    "heure": ("h", 1), "journee": ("h", 24), "jour": ("h", 24), "semaine": ("h", 168),
    "mois": ("mois", 1), "annee": ("mois", 12),
}  # fmt: skip


def _period(value: Value) -> str:
    """« toutes les 24 heures », « une fois par jour » are each day."""
    number = value.quantity
    if number.low is None or number.low != number.high:
        return ""
    if number.dimension == "interval" and not number.per:
        return _PERIODS.get((number.unit, int(number.low)), "")
    once = number.dimension == "frequency" and number.low == 1 and len(number.per) == 1
    return _PERIODS.get(number.per[0], "") if once else ""
