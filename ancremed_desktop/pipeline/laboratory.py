"""Values of analyses in a question: what one beyond its limits is called (« kaliémie à 7 » is
« hyperkaliémie »), and the ranges a text speaks of.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import Any

from ancremed_desktop.domain.plans import Correction, Range
from ancremed_desktop.settings.paths import RESOURCES
from ancremed_desktop.text.normalise import fold, unfolded_range
from ancremed_desktop.text.quantities import Quantity, find_quantities

_NUMBER = r"(?P<number>\d{1,3}(?: \d{3})+(?!\d)|\d+(?:[.,]\d+)?)"
_UNIT = r"(?P<unit> ?(?:[a-zµ]{1,4}/d?l|/ ?(?:mm3|µl)|min(?:utes?)?\b|mn\b))?"
_BETWEEN = (
    r" ?(?:(?:qui|est|etait|mesuree|dure|persiste|evolue|depuis) )*"
    r"(?:a|=|:)? ?(?P<more>>|≥|plus d[e']|superieure? a|au moins)? ?"
)
_NOT_ALONE = re.compile(r"\b(?:calcul\w*|score|formule|corrige\w*|cible|objectif|a jeun|hba1c)\b")
_OF_A_FORMULA = re.compile(
    r"(?:\b(?:chlor\w*|cl-?|hco3-?|bicar\w*|albumin\w*|uree|urem\w*|osmol\w*|asat|alat|tgo|tgp"
    r"|bilirub\w*)[ :=a]{1,4}\d|\b(?:natremie|na)\b.*\b(?:glycemie|poids)|\bglycemie\b.*\bnatremie)"
)
"""Values beside which one is what a formula is worked out from (anion gap, corrected sodium)."""
_SCALES = {
    "ml/min": ("volume/time", 1000),
    "mmol/l": ("amount/volume", 1000),
    "g/l": ("mass/volume", 1),
    "min": ("time", 60),
    "sa": ("gestation", 1 / 7),
    "": ("", 1),
}
"""Unit of a limit → (dimension as quantities are read, how many of it make one read)."""
_PER_MM3 = 1000
"""A count of platelets from which, without a unit, it is told per mm³."""
_NAMED_BEFORE = 90
"""Characters before a figure where a source names what it is the value of."""
_CLOSE = re.compile(r"^[\s:=(]*(?:(?:est|etait|mesuree?|estimee?|a|de|d'|avec|reste) ?)*$")
_FROM = re.compile(r"\b(?:a partir d|des |au-dela d|apres )[^.;,]{0,50}(?:,? soit )?[^.;,]{0,9}$")
_UNTIL = re.compile(r"\b(?:avant |jusqu.a )[^.;,]{0,30}$")
_STEP = 0.001
"""How far a value is from a limit that it does not reach."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """What a value beyond ``limit`` (or that has ``reached`` it) is called; ``beside``: what the
    question must also say.
    """

    limit: float
    name: str
    beside: re.Pattern[str]
    reached: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Analysis:
    """``called``: its names; ``unless``: what may not stand before them; ``degrees``: wordings of
    a range, in ``unit``.
    """

    name: str
    called: re.Pattern[str]
    pattern: re.Pattern[str]
    unless: re.Pattern[str] | None
    unit: str
    units: Mapping[str, float]
    """Unit a question may use → how many of the first of them make one of it."""
    spoken: re.Pattern[str] | None
    below: _Side | None
    above: _Side | None
    degrees: tuple[tuple[re.Pattern[str], float, float], ...]


def named_value(text: str) -> tuple[str, tuple[Correction, ...]]:
    """(a question with a value it holds named, what was read so): the first of the lexicon where
    several are beyond their limits, since the others are read as values.

    A question that asks for a calculation, or gives what one is worked out from, is left as it is.
    """
    folded = fold(text)
    if _NOT_ALONE.search(folded) or _OF_A_FORMULA.search(folded):
        return text, ()
    for analysis in _analyses():
        match = analysis.pattern.search(folded)
        value = _value(analysis, match) if match else None
        if match is None or value is None:
            continue
        if analysis.unless and analysis.unless.search(folded[: match.start()]):
            continue
        name = _name(analysis, value + (_STEP if match["more"] else 0), folded)
        if name:
            start, end = unfolded_range(text, *match.span())
            read = Correction(original=text[start:end], replacement=name, kind="value")
            return text[:start] + name + text[end:], (read,)
    return text, ()


@lru_cache(maxsize=4_096)
def ranges_in(text: str) -> Mapping[str, tuple[Range, ...]]:
    """Analysis → the ranges of its value a text speaks of, by figures or degrees (« clairance
    inférieure à 30 mL/min », « insuffisance rénale sévère »), in the unit of its limits.
    """
    folded = fold(text)
    found = {a.name: tuple(_ranges(a, text, folded)) for a in _analyses()}
    return {name: spans for name, spans in found.items() if spans}


def values_told(text: str) -> Iterator[tuple[str, Range]]:
    """(analysis, range) of the values a question gives right after the name of an analysis, in its
    first unit or none (« clairance 20 dose »).
    """
    for analysis, match in _told(fold(text)):
        value = _value(analysis, match)
        if value is not None:
            yield analysis.name, (value + _STEP, inf) if match["more"] else (value, value)


def analyses_told(folded: str) -> Iterator[tuple[str, int, int]]:
    """(analysis, start, end) of each value a folded text gives right after its name."""
    for analysis, match in _told(folded):
        yield analysis.name, *match.span()


def _told(folded: str) -> Iterator[tuple[_Analysis, re.Match[str]]]:
    """Each figure that stands right after the name of an analysis."""
    for analysis in _analyses():
        for match in analysis.pattern.finditer(folded):
            if not (analysis.unless and analysis.unless.search(folded[: match.start()])):
                yield analysis, match


def called_anyhow() -> str:
    """A pattern of every name of an analysis in a folded text."""
    return "|".join(f"(?:{a.called.pattern})" for a in _analyses())


@lru_cache(1)
def value_names() -> frozenset[str]:
    """What values beyond their limits are called, folded."""
    sides = (side for a in _analyses() for side in (a.below, a.above) if side)
    return frozenset(fold(side.name) for side in sides)


def speaks_of_analysis(text: str, name: str) -> bool:
    """Whether a text speaks of a range of an analysis, or of what a value of it is called."""
    if name in ranges_in(text):
        return True
    folded = fold(text)
    own = next(a for a in _analyses() if a.name == name)
    called = (fold(side.name) for side in (own.below, own.above) if side)
    return own.called.search(folded) is not None or any(c in folded for c in called)


def names_degree_of(text: str, name: str) -> bool:
    """Whether a text speaks of an analysis without a figure: of a degree, of its failing organ, or
    of what a value of it is called.
    """
    folded = fold(text)
    own = next((a for a in _analyses() if a.name == name), None)
    if own is None:
        return False
    called = (fold(side.name) for side in (own.below, own.above) if side)
    degrees = (said.search(folded) for said, _low, _high in own.degrees)
    spoken = own.spoken is not None and own.spoken.search(folded) is not None
    return spoken or any(degrees) or any(c in folded for c in called)


def _ranges(analysis: _Analysis, text: str, folded: str) -> Iterator[Range]:
    for said, low, high in analysis.degrees:
        if match := said.search(folded):
            before = folded[: match.start()] if analysis.unit == "sa" else ""
            # « à partir du sixième mois » has no end, « avant le troisième trimestre » no beginning
            since, until = _FROM.search(before), _UNTIL.search(before)
            yield (-inf, low - _STEP) if until else (low, inf if since else high - _STEP)
    dimension, scale = _SCALES[analysis.unit]
    last: Quantity | None = None
    for q in find_quantities(text):
        if q.low is None or q.high is None:
            continue
        before = fold(text[max(0, q.start - _NAMED_BEFORE) : q.start])
        dimensions = {dimension, f"{dimension}/area"} if dimension else {""}
        goes_on = last is not None and fold(text[last.end : q.start]).strip() in {"a", "et", "-"}
        if q.dimension in dimensions and dimension:
            told = dimension == "gestation" or analysis.called.search(before) is not None
        else:
            told = q.dimension == "" and (goes_on or _is_called(analysis, before))
        if not told:
            last = None
            continue
        plain = 1 if q.dimension == "" else scale
        span = _bounded(q, float(q.low) * plain, float(q.high) * plain, before)
        if goes_on and last is not None and last.low is not None:
            span = (float(last.low) * plain, span[1])
        last = q
        yield span


def _is_called(analysis: _Analysis, before: str) -> bool:
    """Whether a bare figure stands right after the name of an analysis."""
    for match in analysis.called.finditer(before):
        if analysis.unless and analysis.unless.search(before[: match.start()]):
            continue
        if _CLOSE.match(before[match.end() :]):
            return True
    return False


def _bounded(q: Quantity, low: float, high: float, before: str) -> Range:
    """The range of a quantity with its comparator; « 30 à 44 » ends where 45 begins."""
    if q.comparator in {"<", "<="}:
        return -inf, high - (_STEP if q.comparator == "<" else 0)
    if q.comparator in {">", ">="}:
        return low + (_STEP if q.comparator == ">" else 0), inf
    if low == high and _FROM.search(before):
        return low, inf
    if low == high and _UNTIL.search(before):
        return -inf, high - _STEP
    whole = low != high and high == int(high)
    return low, high + (1 - _STEP if whole else 0)


def _value(analysis: _Analysis, match: re.Match[str]) -> float | None:
    """A value told, in the first unit of its analysis; ``None`` in a unit that is none of it."""
    unit = (match["unit"] or "").replace(" ", "")
    number = float(match["number"].replace(" ", "").replace(",", "."))
    if not unit and "/mm3" in analysis.units and number >= _PER_MM3:
        unit = "/mm3"
    scale = 1.0 if not unit else analysis.units.get(unit)
    return None if scale is None else number * scale


def _name(analysis: _Analysis, value: float, folded: str) -> str:
    below, above = analysis.below, analysis.above
    if below and value < below.limit and below.beside.search(folded):
        return below.name
    if above is None or not above.beside.search(folded):
        return ""
    beyond = value > above.limit or (above.reached and value == above.limit)
    return above.name if beyond else ""


@lru_cache(1)
def _analyses() -> tuple[_Analysis, ...]:
    entries = tomllib.loads((RESOURCES / "lexicons" / "laboratory.toml").read_text("utf-8"))
    return tuple(_analysis(name, entry) for name, entry in entries.items())


def _analysis(name: str, entry: Mapping[str, Any]) -> _Analysis:
    called = rf"(?<!\w)(?:{entry.get('called', fold(name))})(?!\w)"
    return _Analysis(
        name=name,
        called=re.compile(called),
        pattern=re.compile(
            rf"{called}{_BETWEEN}{_NUMBER}{_UNIT}(?![\w/]| ?%| ?(?:mg|g|kg|ui|ml)\b)"
        ),
        unless=re.compile(entry["unless"]) if "unless" in entry else None,
        unit=entry["units"][0],
        units={**dict.fromkeys(entry["units"], 1.0), **entry.get("scaled", {})},
        spoken=re.compile(entry["spoken"]) if "spoken" in entry else None,
        below=_side(entry.get("below")),
        above=_side(entry.get("above")),
        degrees=tuple(
            (re.compile(d["said"]), d["low"], d["high"]) for d in entry.get("degrees", ())
        ),
    )


def _side(entry: Mapping[str, Any] | None) -> _Side | None:
    if entry is None:
        return None
    return _Side(
        limit=float(entry["limit"]),
        name=str(entry["name"]),
        beside=re.compile(entry.get("beside", "")),
        reached=bool(entry.get("reached")),
    )
