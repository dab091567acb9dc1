"""The same value in other words: « matin et soir », « la 48e heure », « le dixième de la dose ».

Each form is a predicate on a quantity of a text and one of its source; nothing is approximated.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.quantities import Quantity, find_quantities, same_value
from ancremed_desktop.text.spoken_forms import SPOKEN
from ancremed_desktop.text.value_base import after, bare, before, single

PER_WORDS = {
    "jour": re.compile(r"par jour|/ ?j\b|/ ?jour|quotidien|journali|chaque jour|par 24 ?h"
                       r"|dans la journee|de la journee|tous les jours"),
    "semaine": re.compile(r"par semaine|dans la semaine|hebdomadaire|/ ?sem|chaque semaine"),
    "mois": re.compile(r"par mois|dans le mois|mensuel|chaque mois"),
    "an": re.compile(r"par an\b|annuel|chaque annee"),
    "heure": re.compile(r"par heure|/ ?h\b|horaire|chaque heure"),
    "minute": re.compile(r"par minute|/ ?min\b"),
    "prise": re.compile(r"par prise|/ ?prise|chaque prise|par dose|dose unitaire"),
    "kg": re.compile(r"par kilo|par kg|/ ?kg"),
    "dose": re.compile(r"par dose|chaque dose|par prise|dose unitaire"),
    "injection": re.compile(r"par injection|chaque injection|dose unitaire"),
    "L": re.compile(r"par litre|/ ?l\b"),
}  # fmt: skip
_OCCASIONS = frozenset({"prise", "injection", "administration", "dose"})
_UNIT_DOSE = re.compile(r"dose unitaire|par (?:dose|prise|injection)|chaque (?:dose|prise|inject)")
_EVENTS = re.compile(
    r" ?(?:mesur|prise|inject|nebulis|administr|applicat|seance|perfus|bolus|bouffee|dose|examen"
    r"|control|consult|visite|fois)"
)
_EVENT_UNITS = frozenset(
    {"prise", "injection", "administration", "dose", "fois", "nebulisation", "perfusion", "bouffee"}
)
HOURS = {"jour": 24, "sema": 168, "mois": 1}
_NTH_UNIT = re.compile(r" (heure|minute)\b")
_FIRST_SPELL = re.compile(r"\bpremi(?:ere|er)s? (?:jour|semaine|mois|heure)s?$")
_SCALED = re.compile(
    r"(?:[A-Z][\w-]*)(?: (?:de |du |au )?)(?:(?:stade|grade|degre) )?(?:\d ?(?:,|et|ou|à|a)? ?)*$"
)
_FALLS_TO = re.compile(r" ?a (?=\d)")
_NUMBER = re.compile(r"[\d ,.]*\d")
_SHARE_OF = re.compile(r" (?:de|et|a) |\s*$")
_SHARE_ARTICLE = re.compile(r"(?:\ble|\bun|\bau|\bdu) $")
_COUNTED = re.compile(r" [a-z]+(?: [a-z]+)? (?=par |/)")
_HOUR_LIST = re.compile(r"\bheures? (?:\d+(?:,| et| ou)? ?)*$")
_OR_MORE = re.compile(r" ou (?:[a-z]+|\d+)")
_NEXT_BOUND = 8
"""Characters from one bound to the other in « ≥ 4 et < 6 »."""
_NEXT_SIGN = 26
"""Characters from one sign to the other in « 30 ≤ clairance < 60 »."""
_SPANS = {("jour", "h"): 24, ("semaine", "h"): 168, ("an", "mois"): 12}
_STOP = re.compile(r"[;\n]|[.] ")


def equal_value(a: Quantity, b: Quantity) -> bool:
    """Whether two quantities have the same value and unit, whatever bounds them.

    « J5 » and « le 5e jour » count alike.
    """
    if same_value(bare(a), bare(b)):
        return True
    kinds = {a.dimension, b.dimension}
    return kinds == {"rank", "ordinal"} and bare(a).low == bare(b).low and bare(a).low is not None


def alike(quantity: Quantity, text: str, other: Quantity, source: str) -> bool:
    """Whether ``other`` of ``source`` is the value that ``text`` gives as ``quantity``."""
    if equal_value(quantity, other):
        return _rate_held(quantity, text, other, source)
    return any(form(quantity, text, other, source) for form in _FORMS)


def _rate_held(quantity: Quantity, text: str, other: Quantity, source: str) -> bool:
    """« 3 mesures par jour » is not « 3 mesures le matin »: a rate said apart is one of both."""
    if quantity.dimension:
        return True
    rest = after(quantity, text, 40)
    found = _COUNTED.match(rest)
    if found is None:
        return True
    said = [p for p in PER_WORDS.values() if p.match(rest, found.end())]
    return not said or said[0].search(_surroundings(other, source)) is not None


def with_ranges(quantities: Sequence[Quantity]) -> tuple[Quantity, ...]:
    """Quantities with « ≥ 4 et < 6 » also read as the range 4 to 6."""
    ranges = [
        dataclasses.replace(one, end=two.end, comparator="", high=bare(two).high)
        for one, two in itertools.pairwise(quantities)
        if one.comparator in {">", ">="}
        and two.comparator in {"<", "<="}
        and two.start - one.end <= (_NEXT_SIGN if one.text[-1] in "<≤" else _NEXT_BOUND)
        and (one.dimension, one.unit, one.per) == (two.dimension, two.unit, two.per)
        and single(one) is not None
        and single(two) is not None
    ]
    return (*quantities, *ranges)


def _held_apart(quantity: Quantity, text: str, other: Quantity, source: str) -> bool:
    """« 25 mg de méthotrexate par semaine »: one of the two says its denominator further off."""
    return _apart(quantity, text, other) or _apart(other, source, quantity)


def _apart(short: Quantity, text: str, full: Quantity) -> bool:
    extra = [p for p in full.per if p not in short.per]
    if not extra or len(full.per) != len(short.per) + len(extra):
        return False
    ours, theirs = bare(short), bare(full)
    if ours.low is None or ours.low != theirs.low or ours.unit != theirs.unit:
        return False
    if ours.dimension.split("/")[0] != theirs.dimension.split("/")[0]:
        return False
    around = _surroundings(short, text, rates=False)
    return all(p in PER_WORDS and PER_WORDS[p].search(around) for p in extra)


def _surroundings(quantity: Quantity, text: str, *, rates: bool = True) -> str:
    """Folded text around a quantity, up to the next amount of its kind and a stop.

    ``rates``: with what says how often (« 1 g trois fois par jour » is no gram a day).
    """
    kind = quantity.dimension.split("/")[0]
    others = [q for q in find_quantities(text) if q is not quantity]
    rivals = [q for q in others if q.dimension.split("/")[0] == kind and not _inserted(q, text)]
    if not rates:
        for often in others:
            if often.dimension == "frequency" and often.low != 1:
                text = text[: often.start] + "_" * (often.end - often.start) + text[often.end :]
    start = max((q.end for q in rivals if q.end <= quantity.start), default=0)
    end = min((q.start for q in rivals if q.start >= quantity.end), default=len(text))
    left = _STOP.split(fold(text[max(start, quantity.start - 60) : quantity.start]))[-1]
    right = _STOP.split(fold(text[quantity.end : min(end, quantity.end + 80)]))[0]
    return f"{left} {right}"


def _inserted(quantity: Quantity, text: str) -> bool:
    """« 1 000 mg (deux comprimés de 500 mg) »: what spells an amount out is no rival of it."""
    opened, closed = text.rfind("(", 0, quantity.start), text.find(")", quantity.end)
    return opened >= 0 and closed >= 0 and ")" not in text[opened:closed]


def moment(quantity: Quantity, text: str) -> Fraction | None:
    """Hours that « la 48e heure », « 48 heures » or « les 48 premières heures » count, or None."""
    low = single(quantity)
    if low is None or quantity.dimension == "time":
        return low
    unit = _NTH_UNIT.match(after(quantity, text, 12))
    if quantity.dimension != "ordinal" or unit is None:
        return None
    return low / (60 if unit.group(1) == "minute" else 1)


def _same_moment(quantity: Quantity, text: str, other: Quantity, source: str) -> bool:
    if quantity.dimension == other.dimension or {quantity.dimension, other.dimension} != {
        "ordinal",
        "time",
    }:
        return False
    ours = moment(quantity, text)
    return ours is not None and moment(other, source) == ours


def _events(quantity: Quantity, text: str) -> bool:
    return quantity.unit in _EVENT_UNITS or (
        not quantity.dimension and bool(_EVENTS.match(after(quantity, text, 16)))
    )


def _same_events(quantity: Quantity, text: str, other: Quantity, source: str) -> bool:
    """« répartis en deux fois » for « en deux prises », « trois fois » for « 3 mesures »."""
    if quantity.per or other.per or bare(quantity).low != bare(other).low:
        return False
    if "fois" not in {quantity.unit, other.unit} or bare(quantity).high != bare(other).high:
        return False
    return _events(quantity, text) and _events(other, source)


def _on_scale(quantity: Quantity, text: str, other: Quantity, source: str) -> bool:
    """« BAV 2 ou 3 » where the source says « du deuxième ou troisième degré »."""
    if quantity.dimension or quantity.low is None or other.dimension not in {"stage", "type"}:
        return False
    return quantity.low == other.low == other.high and bool(
        _SCALED.search(text[max(0, quantity.start - 24) : quantity.start])
    )


def _first_spell(quantity: Quantity, text: str, other: Quantity, source: str) -> bool:
    """« la première semaine », « les deux premières semaines » of what lasts as long."""
    kinds = {quantity.dimension, other.dimension}
    if not kinds <= {"rank", "time", "calendar"} or quantity.dimension == other.dimension:
        return False
    for one, spell in ((quantity, other), (other, quantity)):
        if one.dimension != "rank" or not _FIRST_SPELL.search(fold(one.text)):
            continue
        unit = HOURS.get(one.unit[:4])
        return unit is not None and one.low == 1 and single(spell) == unit
    return False


def _falls(quantity: Quantity, text: str, other: Quantity, source: str) -> bool:
    """« passe de 10 à 5 mg »: the first number takes the unit of the second."""
    if quantity.dimension or not _FALLS_TO.match(after(quantity, text, 6)):
        return False
    following = next((q for q in find_quantities(text) if q.start >= quantity.end), None)
    if following is None or not following.dimension:
        return False
    unit = _NUMBER.sub("", fold(following.text), count=1).strip()
    read = find_quantities(f"{quantity.text} {unit}")
    return len(read) == 1 and equal_value(read[0], other)


def _share(quantity: Quantity, text: str, other: Quantity, source: str) -> bool:
    """« entre le dixième et le sixième de la dose » is 1/10 to 1/6 of it."""
    if quantity.dimension != "ordinal" or other.dimension != "percent" or not quantity.low:
        return False
    share = 100 / quantity.low
    return (
        share in {bare(other).low, bare(other).high}
        and bool(_SHARE_ARTICLE.search(before(quantity, text, 4)))
        and bool(_SHARE_OF.match(after(quantity, text, 5)))
    )


def _counted(quantity: Quantity, text: str, other: Quantity, source: str) -> bool:
    """« moins de 10 respirations par minute » is a rate of 10/min."""
    if quantity.dimension or other.dimension != "frequency" or len(other.per) != 1:
        return False
    rest = after(quantity, text, 40)
    found = _COUNTED.match(rest)
    rate = PER_WORDS.get(other.per[0])
    return (
        found is not None
        and bare(quantity).low == bare(other).low
        and bool(rate and rate.match(rest, found.end()))
    )


def _hour_names(quantity: Quantity, text: str, other: Quantity, source: str) -> bool:
    """« aux heures 0, 12 et 24 » where the source says « H0, H12 et H24 »."""
    if quantity.dimension or other.dimension != "name" or quantity.low is None:
        return False
    return other.unit == f"h{quantity.low}" and bool(_HOUR_LIST.search(before(quantity, text, 24)))


def _unit_dose(quantity: Quantity, text: str, other: Quantity, source: str) -> bool:
    """« 3 mg/kg par injection » where « la dose unitaire est de 3 mg/kg »."""
    extra = [p for p in quantity.per if p not in other.per]
    if len(extra) != 1 or extra[0] not in _OCCASIONS or len(other.per) != len(quantity.per) - 1:
        return False
    ours, theirs = bare(quantity), bare(other)
    return (
        ours.low is not None
        and (ours.low, ours.high, ours.unit) == (theirs.low, theirs.high, theirs.unit)
        and bool(_UNIT_DOSE.search(before(other, source, 60)))
    )


def _one_of_ranks(quantity: Quantity, text: str, other: Quantity, source: str) -> bool:
    """« du deuxième ou du troisième degré »: the first takes the scale of the second."""
    if quantity.dimension != "ordinal" or other.dimension != "stage":
        return False
    return quantity.low == bare(other).low and bool(_OR_RANK.match(after(quantity, text, 40)))


_OR_RANK = re.compile(r" (?:ou|et) (?:du |de la |le |la |un |une )?\w+ (?:degre|stade|grade)")


def _choice(quantity: Quantity, text: str, other: Quantity, source: str) -> bool:
    """« deux ou trois fois par jour » where the source says « 2 à 3 fois »."""
    low, high = bare(other).low, bare(other).high
    value = single(quantity)
    if low is None or high is None or high - low != 1 or value is None or value not in {low, high}:
        return False
    if value == low:
        return not quantity.dimension and bool(_OR_MORE.match(after(quantity, text, 12)))
    return before(quantity, text, 4).endswith("ou ")


def _spaced(quantity: Quantity, text: str, other: Quantity, source: str) -> bool:
    """« espacés de 4 semaines », « à un intervalle de 4 semaines » of « toutes les 4 semaines »."""
    if {quantity.dimension, other.dimension} not in (
        {"time", "interval"},
        {"calendar", "interval"},
    ):
        return False
    told, words = (quantity, text) if other.dimension == "interval" else (other, source)
    apart = _APART.search(before(told, words, 34)) or _OF_INTERVAL.match(after(told, words, 16))
    ours, theirs = bare(quantity), bare(other)
    return (
        bool(apart)
        and ours.low is not None
        and not (quantity.per or other.per or quantity.comparator or other.comparator)
        and (ours.low, ours.high, ours.unit) == (theirs.low, theirs.high, theirs.unit)
    )


_APART = re.compile(
    r"\b(?:(?:espac|separ|distant)\w* (?:[^.;,]{0,12} )?(?:de |d')|intervalles? (?:[a-z]+ )?(?:de |d'))$"
)
_OF_INTERVAL = re.compile(r" (?:d'intervalle|d'ecart|entre (?:chaque|deux|les))\b")


def _as_often(quantity: Quantity, text: str, other: Quantity, source: str) -> bool:
    """« deux fois par jour » is a looser « toutes les 12 heures »; not the reverse."""
    if quantity.dimension != "frequency" or other.dimension != "interval":
        return False
    times, spell = single(quantity), single(other)
    whole = _SPANS.get((quantity.per[0], other.unit)) if len(quantity.per) == 1 else None
    return None not in {times, spell} and whole == (times or 0) * (spell or 0)


def _weeks_listed(quantity: Quantity, text: str, other: Quantity, source: str) -> bool:
    """« les deux premières semaines » are weeks 1 and 2 (J1 and J2 of days)."""
    written = fold(quantity.text)
    if other.dimension != "rank" or other.low is None:
        return False
    first = _FIRST_SPELL.search(written)
    if first and quantity.dimension in {"time", "calendar"} and quantity.low is not None:
        unit = written[first.start() :].split()[1]
        return bare(quantity).low == other.low * HOURS.get(unit[:4], 0)
    listed = not quantity.dimension and after(quantity, text, 12).lstrip().startswith("premi")
    return listed and quantity.low == other.low


def _unit_understood(quantity: Quantity, text: str, other: Quantity, source: str) -> bool:
    """« un DFG de 30 à 44 » is in mL/min: who reads the name of a measure knows its unit."""
    if quantity.dimension or quantity.per or not other.dimension or other.dimension in _SPELLS:
        return False
    read = find_quantities(f"{quantity.text} {_UP_TO_UNIT.sub('', other.text, count=1)}")
    if len(read) != 1 or not equal_value(read[0], other):
        return False
    near = before(quantity, text, 40)
    measure = next((m for m in _MEASURES if re.search(rf"\b(?:{m})\b[^.;,]{{0,20}}$", near)), "")
    return bool(measure and re.search(rf"\b(?:{measure})\b", _surroundings(other, source)))


_UP_TO_UNIT = re.compile(r"\D*\d[\d\s.,]*(?:(?:à|-|–|et)\s*\d[\d\s.,]*)?")
_SPELLS = frozenset({"time", "calendar", "rank", "ordinal", "interval", "count"})
_MEASURES = (
    r"dfg\w*|debit de filtration\w*|clairance",
    r"hba1c|hemoglobine glyquee",
    r"ta|pa|pas|pad|tension\w*|pression\w*|systolique|diastolique",
    r"imc|indice de masse\w*",
    r"glycemie|dextro",
    r"fievre|temperature",
    r"saturation|spo2|sao2",
    r"kaliemie|potassium",
    r"natremie|sodium",
    r"calcemie|calcium",
    r"creatinin\w*",
    r"plaquettes",
    r"neutrophiles|pnn",
    r"hemoglobine|hb",
    r"fevg|fraction d'ejection",
    r"poids|pes\w+",
    r"pouls|frequence cardiaque",
    r"lithiemie",
    r"uricemie",
    r"ferritin\w*",
    r"lactat\w*",
    r"ldl\w*",
    r"triglycerid\w*",
    r"bilirubin\w*",
)


_FORMS: tuple[Callable[[Quantity, str, Quantity, str], bool], ...] = (
    _held_apart,
    _same_moment,
    _same_events,
    _on_scale,
    _first_spell,
    _falls,
    _share,
    _counted,
    _hour_names,
    _unit_dose,
    _choice,
    _as_often,
    _spaced,
    _unit_understood,
    _weeks_listed,
    _one_of_ranks,
    *SPOKEN,
)
