"""Values as they are spoken: « 38,5 degrés », « 14/9 », « H4 ».

Each form is a predicate on a quantity of a text and one of its source, as in ``value_forms``.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ancremed_desktop.text.quantities import Quantity
from ancremed_desktop.text.value_base import after, bare, before, single

_BODY_HEAT = range(25, 46)
"""Degrees Celsius in which « degrés » says a temperature of the body."""
_TENSION = re.compile(r"\b(?:tension\w*|pression\w*|ta|pa|pas|hypertension)\b")
_HOUR = re.compile(r"h(\d+)$")
_MOMENT = re.compile(r" ?(?:apres|plus tard)\b")
_AT = re.compile(r"\b(?:a|a la) $")


def _degrees(quantity: Quantity, text: str, other: Quantity, source: str) -> bool:
    """« 38,5 degrés » of a temperature of 38,5 °C."""
    kinds = {quantity.dimension, other.dimension}
    if kinds != {"angle", "temperature"}:
        return False
    ours, theirs = bare(quantity), bare(other)
    if ours.low is None or (ours.low, ours.high) != (theirs.low, theirs.high):
        return False
    return int(ours.low) in _BODY_HEAT


def _tension(quantity: Quantity, text: str, other: Quantity, source: str) -> bool:
    """« une tension à 14/9 » is 140/90 mmHg; one of both is in centimetres of mercury."""
    spoken, full = (quantity, other) if other.unit == "mmHg" else (other, quantity)
    if not spoken.dimension == full.dimension == "ratio" or spoken.unit or full.unit != "mmHg":
        return False
    low, high = spoken.low, spoken.high
    if low is None or high is None or (10 * low, 10 * high) != (full.low, full.high):
        return False
    near = before(spoken, text if spoken is quantity else source, 60)
    return bool(_TENSION.search(near))


def _hour_of(quantity: Quantity) -> int | None:
    found = _HOUR.match(quantity.unit) if quantity.dimension == "name" else None
    return int(found.group(1)) if found else None


def _at_hour(quantity: Quantity, text: str, other: Quantity, source: str) -> bool:
    """« 4 heures après », « à la 4e heure » of « à H4 »; what lasts 4 hours is another thing."""
    for named, told, words in ((other, quantity, text), (quantity, other, source)):
        hour = _hour_of(named)
        if hour is None:
            continue
        if told.dimension == "ordinal":
            return told.low == hour and after(told, words, 8).startswith(" heure")
        at = _MOMENT.match(after(told, words, 12)) or _AT.search(before(told, words, 5))
        return told.dimension == "time" and single(told) == hour and bool(at)
    return False


def _nth_spell(quantity: Quantity, text: str, other: Quantity, source: str) -> bool:
    """« au troisième mois » of what is done « à 3 mois », « entre la 4e et la 6e semaine »."""
    if quantity.low is None or quantity.low != quantity.high:
        return False
    unit = quantity.unit if quantity.dimension == "rank" else ""
    if quantity.dimension == "ordinal":
        following = _AND_NTH.match(after(quantity, text, 24))
        unit = following.group(1) if following else ""
    hours = _SPELL_UNITS.get(unit)
    if hours is None or other.dimension != hours[0] or other.per or other.low is None:
        return False
    number = quantity.low * hours[1]
    if other.low == other.high:
        return number == other.low and bool(_AT.search(before(other, source, 5)))
    spread = _BETWEEN.search(before(quantity, text, 24))
    return bool(spread) and number in {other.low, other.high}


_AND_NTH = re.compile(r" et (?:la |le |l')?\w+ (semaine|mois)\b")
_BETWEEN = re.compile(r"\b(?:entre|de|du)\b[^.;,]*$")
_SPELL_UNITS = {
    "semaine": ("time", 168), "mois": ("calendar", 1), "an": ("calendar", 12),
}  # fmt: skip


def _end_of_range(quantity: Quantity, text: str, other: Quantity, source: str) -> bool:
    """« débute à 50 ans et se termine à 74 ans » of what is done « de 50 à 74 ans »."""
    same = (quantity.dimension, quantity.unit, quantity.per)
    if same != (other.dimension, other.unit, other.per) or other.comparator:
        return False
    value = single(quantity)
    if value is None or other.low is None or other.low == other.high:
        return False
    led = before(quantity, text, 30)
    return (value == other.low and bool(_BEGINS.search(led))) or (
        value == other.high and bool(_FINISHES.search(led))
    )


_BEGINS = re.compile(r"\b(?:debut|commenc|demarr)\w* (?:a|des|vers)(?: l'age de)? ?$")
_FINISHES = re.compile(
    r"\b(?:se termin|s'arret|s'achev|fini|cess)\w* (?:a|vers)(?: l'age de)? ?$|\bprend fin a ?$"
)


def _in_one(quantity: Quantity, text: str, other: Quantity, source: str) -> bool:
    """« 30 mg au petit déjeuner » of « 30 mg par jour, en une prise »: the day's dose is one intake."""
    if quantity.per or other.per != ("jour",) or other.dimension != f"{quantity.dimension}/time":
        return False
    ours, theirs = bare(quantity), bare(other)
    alike = (ours.low, ours.high, ours.unit) == (theirs.low, theirs.high, theirs.unit)
    return alike and bool(_ONE_INTAKE.match(after(other, source, 60)))


_ONE_INTAKE = re.compile(
    r"[^.;\d]{0,30}\ben une (?:seule )?(?:prise|fois|injection|administration)\b"
)


def _indexed(quantity: Quantity, text: str, other: Quantity, source: str) -> bool:
    """« 30 mL/min » of a filtration rate of 30 mL/min/1,73 m²: the surface goes without saying."""
    if quantity.per != ("minute",) or other.per[:1] != ("minute",) or len(other.per) != 2:
        return False
    ours, theirs = bare(quantity), bare(other)
    alike = (ours.low, ours.high, ours.unit) == (theirs.low, theirs.high, theirs.unit)
    return alike and other.per[1].startswith("1,73")


SPOKEN: tuple[Callable[[Quantity, str, Quantity, str], bool], ...] = (
    _degrees,
    _tension,
    _at_hour,
    _nth_spell,
    _end_of_range,
    _in_one,
    _indexed,
)
