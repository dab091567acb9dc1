"""Comparison of quantities apart from their bounds, which the rules judge on their own."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.quantities import Quantity, find_quantities, holds, same_value

_PER_WORDS = {
    "jour": re.compile(r"par jour|/ ?j\b|/ ?jour|quotidien|journali|chaque jour|par 24 ?h"),
    "semaine": re.compile(r"par semaine|hebdomadaire|/ ?sem|chaque semaine"),
    "mois": re.compile(r"par mois|mensuel|chaque mois"),
    "an": re.compile(r"par an\b|annuel|chaque annee"),
    "heure": re.compile(r"par heure|/ ?h\b|horaire|chaque heure"),
    "minute": re.compile(r"par minute|/ ?min\b"),
    "prise": re.compile(r"par prise|/ ?prise|chaque prise"),
    "kg": re.compile(r"par kilo|par kg|/ ?kg"),
    "dose": re.compile(r"par dose|chaque dose"),
    "L": re.compile(r"par litre|/ ?l\b"),
}
_TIMES_OF_DAY = re.compile(
    r"(?:le )?(?:matin|midi|soir|coucher)(?:(?:,| et|) (?:le |au )?(?:matin|midi|soir|coucher))*"
)
_FIRST = re.compile(r"\s*premi(?:er|ère)s\b")
_SINGLE = re.compile(
    r"\b(?:une|en une|d'une) (?:seule )?(?:prise|injection|fois|administration)\b|\bunique\b"
)
_FIRST_N = re.compile(r"\bpremi(?:ere|er)s (jours|semaines|mois)$")
_NOT_A_DOSE = r"(?<!dose )(?<!doses )(?<!posologie )(?<!apport )(?<!quantite )(?<!maximale )"
_ONCE_A = {
    rate: re.compile(rf"{_NOT_A_DOSE}\b(?:{adjective}\w*|chaque {noun}|tou(?:te)?s les {plural})\b")
    for rate, adjective, noun, plural in (
        ("jour", "quotidien|journalier", "jour", "jours"),
        ("semaine", "hebdomadaire", "semaine", "semaines"),
        ("mois", "mensuel", "mois", "mois"),
        ("trimestre", "trimestriel", "trimestre", "trimestres"),
        ("semestre", "semestriel", "semestre", "semestres"),
        ("an", "annuel", "annee", "ans"),
    )
}
"""What says « once a … » without a number; « la dose quotidienne » is not one of them."""
_SPELL = re.compile(r"\b(jours|semaines|mois)$")
_HOURS = {"jour": 24, "sema": 168, "mois": 1}
_BETWEEN_TWO = re.compile(r"\bentre (?:les |chaque )?deux(?: \w+)?$")
_NTH_UNIT = re.compile(r" (heure|minute)\b")
_INTAKES = frozenset({"prise", "injection", "administration", "dose"})
_SPELT = {
    "c1g": r"cephalosporines? (?:\w+ )?de (?:premiere|1re|1ere) generation",
    "c2g": r"cephalosporines? (?:\w+ )?de (?:deuxieme|seconde|2e|2eme) generation",
    "c3g": r"cephalosporines? (?:\w+ )?de (?:troisieme|3e|3eme) generation",
    "ara2": r"sartans?|recepteurs? (?:a|de) l'angiotensine",
    "spo2": r"saturation",
    "hba1c": r"hemoglobine glyquee",
    "b9": r"acide folique|folates?",
    "b12": r"cobalamine",
    "isglt2": r"gliflozines?",
    "aglp1": r"(?:agonistes?|analogues?) du (?:recepteur du )?glp-?1",
}
"""Abbreviations that hold a digit, as the whole words say them."""
NAMED = frozenset({"name", "reference", "type", "stage"})
"""Dimensions that name a thing: it may be named once for the whole passage."""


@lru_cache(maxsize=16384)
def bare(quantity: Quantity) -> Quantity:
    """The quantity without its comparator, as the plain number it is built on."""
    if not quantity.comparator:
        return quantity
    low = quantity.high if quantity.low is None else quantity.low
    high = quantity.low if quantity.high is None else quantity.high
    return dataclasses.replace(quantity, comparator="", low=low, high=high)


def equal_value(a: Quantity, b: Quantity) -> bool:
    """Whether two quantities have the same value and unit, whatever bounds them.

    « J5 » and « le 5e jour » count alike.
    """
    if same_value(bare(a), bare(b)):
        return True
    kinds = {a.dimension, b.dimension}
    return kinds == {"rank", "ordinal"} and bare(a).low == bare(b).low and bare(a).low is not None


def missing_values(text: str, support: str, passage: str) -> tuple[Quantity, ...]:
    """Quantities of ``text`` that ``support`` does not hold.

    ``passage``: where a name written with digits (CHA2DS2-VA, type 2) may be found as well.
    """
    held = find_quantities(support)
    named = [q for q in find_quantities(passage) if q.dimension in NAMED]
    plain = [bare(q) for q in held]
    return tuple(
        q
        for q in find_quantities(text)
        if not holds(plain, bare(q))
        and not any(equal_value(q, other) for other in held)
        and not (q.dimension in NAMED and any(equal_value(q, n) for n in named))
        and not any(_held_apart(q, other, text) for other in held)
        and not _said_otherwise(q, text, support, held)
    )


def _moment(quantity: Quantity, text: str) -> Fraction | None:
    """Hours that « la 48e heure », « 48 heures » or « les 48 premières heures » count, or None."""
    plain = bare(quantity)
    if plain.low is None or plain.low != plain.high:
        return None
    if plain.dimension == "time":
        return plain.low
    unit = _NTH_UNIT.match(fold(text[quantity.end : quantity.end + 12]))
    if plain.dimension != "ordinal" or unit is None:
        return None
    return plain.low / (60 if unit.group(1) == "minute" else 1)


def _same_moment(quantity: Quantity, text: str, held: Sequence[Quantity], support: str) -> bool:
    ours = _moment(quantity, text)
    return ours is not None and any(
        other.dimension != quantity.dimension and _moment(other, support) == ours for other in held
    )


def _spelt_out(quantity: Quantity, support: str) -> bool:
    """« C3G » where the source writes « céphalosporine de troisième génération »."""
    spelt = _SPELT.get(quantity.unit) if quantity.dimension == "name" else None
    return bool(spelt and re.search(spelt, fold(support)))


def _in_intakes(quantity: Quantity, text: str, held: Sequence[Quantity]) -> bool:
    """« répartis en deux fois » where the source says « en deux prises »."""
    before = fold(text[max(0, quantity.start - 4) : quantity.start])
    return (
        quantity.unit == "fois"
        and before.endswith("en ")
        and any(q.unit in _INTAKES and q.low == quantity.low == q.high for q in held)
    )


def _held_apart(quantity: Quantity, other: Quantity, text: str) -> bool:
    """« 25 mg de méthotrexate par semaine »: the denominator stands further on in the text."""
    extra = [p for p in other.per if p not in quantity.per]
    if not extra or len(other.per) != len(quantity.per) + len(extra):
        return False
    rest = fold(text[quantity.end : quantity.end + 80])
    if not all(p in _PER_WORDS and _PER_WORDS[p].search(rest) for p in extra):
        return False
    ours, theirs = bare(quantity), bare(other)
    kind = ours.dimension.split("/")[0] == theirs.dimension.split("/")[0]
    return kind and ours.unit == theirs.unit and ours.low is not None and ours.low == theirs.low


def _said_otherwise(quantity: Quantity, text: str, support: str, held: Sequence[Quantity]) -> bool:
    written = fold(text[quantity.start : quantity.end])
    plain = bare(quantity)
    if plain.dimension == "frequency" and plain.low == plain.high == 1 and len(plain.per) == 1:
        once = _ONCE_A.get(plain.per[0])
        if once and once.search(fold(support)):
            return True
    if _same_moment(quantity, text, held, support) or _spelt_out(quantity, support):
        return True
    if _in_intakes(quantity, text, held):
        return True
    if _BETWEEN_TWO.search(fold(text[max(0, quantity.start - 12) : quantity.end])):
        return True
    if _TIMES_OF_DAY.fullmatch(written):
        words = set(re.findall(r"matin|midi|soir|coucher", written))
        return words <= set(re.findall(r"matin|midi|soir|coucher", fold(support)))
    if written.startswith(("un ", "une ")) and bare(quantity).low == 1:
        # « un comprimé » where the source says « un nouveau comprimé », « une seule prise »
        unit = written.split()[-1]
        if quantity.dimension == "frequency" and quantity.per:
            rate = _PER_WORDS.get(quantity.per[0])
            return bool(rate and rate.search(fold(support)) and _SINGLE.search(fold(support)))
        return quantity.dimension == "count" and unit[:5] in fold(support)
    spell = _SPELL.search(written)
    if spell and plain.dimension in {"time", "calendar"} and plain.low is not None:
        # « pendant les semaines 1 et 2 » lasts two weeks
        number = plain.low / _HOURS[spell.group(1)[:4]]
        weeks = rf"\b{spell.group(1)} 1 (?:et|a) {number}\b"
        if number > 1 and re.search(weeks, fold(support)):
            return True
    first = _FIRST_N.search(written)
    if first and quantity.low is not None:
        number = quantity.low / _HOURS.get(first.group(1)[:4], 1)
        return any(q.dimension == "rank" and q.low == number for q in held)
    if not quantity.dimension and _FIRST.match(text, quantity.end):
        # « les deux premières semaines » are weeks 1 and 2
        return any(q.dimension == "rank" and q.low == quantity.low for q in held)
    return False
