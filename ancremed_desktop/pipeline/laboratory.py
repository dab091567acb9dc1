"""A value of an analysis that has a name of its own: « kaliémie à 7 » is « hyperkaliémie »."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache

from ancremed_desktop.domain.plans import Correction
from ancremed_desktop.settings.paths import RESOURCES
from ancremed_desktop.text.normalise import fold, unfolded_range

_NUMBER = r"(?P<number>\d+(?:[.,]\d+)?)"
_UNIT = r"(?P<unit> ?[a-zµ]{1,4}/d?l)?"
_BETWEEN = r" ?(?:est |etait |mesuree )?(?:a|=|:)? ?"
_NOT_ALONE = re.compile(r"\b(?:calcul\w*|score|formule|corrige\w*|cible|objectif|a jeun|hba1c)\b")
_FIGURE = re.compile(r"\d+(?:[.,]\d+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """What a value beyond ``limit`` is called; ``beside``: what the question must also say."""

    limit: float
    name: str
    beside: re.Pattern[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Analysis:
    pattern: re.Pattern[str]
    units: frozenset[str]
    below: _Side | None
    above: _Side | None


def named_value(text: str) -> tuple[str, tuple[Correction, ...]]:
    """(a question with the only value it holds named, what was read so).

    A question with other figures, or that asks for a calculation, is left as it is.
    """
    folded = fold(text)
    if len(_FIGURE.findall(folded)) != 1 or _NOT_ALONE.search(folded):
        return text, ()
    for analysis in _analyses():
        match = analysis.pattern.search(folded)
        if match is None or (match["unit"] or "").strip() not in {"", *analysis.units}:
            continue
        name = _name(analysis, float(match["number"].replace(",", ".")), folded)
        if name:
            start, end = unfolded_range(text, *match.span())
            read = Correction(original=text[start:end], replacement=name, kind="value")
            return text[:start] + name + text[end:], (read,)
    return text, ()


def _name(analysis: _Analysis, value: float, folded: str) -> str:
    below, above = analysis.below, analysis.above
    if below and value < below.limit and below.beside.search(folded):
        return below.name
    if above and value > above.limit and above.beside.search(folded):
        return above.name
    return ""


@lru_cache(1)
def _analyses() -> tuple[_Analysis, ...]:
    entries = tomllib.loads((RESOURCES / "lexicons" / "laboratory.toml").read_text("utf-8"))
    return tuple(
        _Analysis(
            pattern=re.compile(rf"\b{fold(name)}{_BETWEEN}{_NUMBER}{_UNIT}(?![\w/])"),
            units=frozenset(entry["units"]),
            below=_side(entry.get("below")),
            above=_side(entry.get("above")),
        )
        for name, entry in entries.items()
    )


def _side(entry: dict[str, str] | None) -> _Side | None:
    if entry is None:
        return None
    limit, name = float(entry["limit"]), str(entry["name"])
    return _Side(limit=limit, name=name, beside=re.compile(entry.get("beside", "")))
