"""Values a question gives of what is measured (« TA 200/110 »): a threshold answers them first, and
one that no extract speaks of is said to be left without an answer.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import inf

from ancremed_desktop.pipeline.laboratory import (
    analyses_told,
    names_degree_of,
    speaks_of_analysis,
)
from ancremed_desktop.settings.paths import RESOURCES
from ancremed_desktop.text.french import NBSP
from ancremed_desktop.text.normalise import fold, unfolded_range
from ancremed_desktop.text.quantities import find_quantities

_CENTIMETRES = 26
_PRESSURE = "pression artérielle"
_DIASTOLIC = re.compile(r"pad|tad|.*diastol")
_DURATION = "durée"
_VALUE = r"\d+(?:[.,]\d+)?(?: ?/ ?\d+)?(?: ?(?:%|°c?|mmhg|bpm|/ ?min|[a-zµ]{1,4}/d?l))?"
_BETWEEN = r" ?(?:est |etait )?(?:a|=|:|>|<|≥|≤|de)? ?"
_HOURS = re.compile(r"\b\d+ ?(?:h(?:eures?)?(?: ?\d{2})?|min(?:utes?)?|mn)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A value as it is typed, ``text[start:end]`` of the question, and what it is the value of;
    from ``spare`` on it is no word of the subject (« fièvre » of « fièvre 39 » is one).
    """

    measure: str
    start: int
    end: int
    spare: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sign:
    name: str
    pattern: re.Pattern[str]
    said: re.Pattern[str]
    low: float
    """Below it the sign is what ``met`` names; 0 where nothing does."""
    met: re.Pattern[str]


def told_values(text: str) -> tuple[Told, ...]:
    """The values a question gives, in order, as ranges of its fold; ages, weights and doses are
    none.
    """
    folded = fold(text)
    found: list[Told] = []
    for told in sorted(_told(folded), key=lambda t: (t.start, -t.end)):
        if not found or told.start >= found[-1].end:
            found.append(told)
    return tuple(found)


def _told(folded: str) -> Iterator[Told]:
    for sign in _signs():
        for m in sign.pattern.finditer(folded):
            kept = m.end("kept") if m["kept"] else m.start()
            yield Told(measure=sign.name, start=m.start(), end=m.end(), spare=kept)
    for name, start, end in analyses_told(folded):
        yield Told(measure=name, start=start, end=end, spare=start)
    for m in _HOURS.finditer(folded):
        yield Told(measure=_DURATION, start=m.start(), end=m.end(), spare=m.start())


def without_values(text: str, told: Iterable[Told]) -> str:
    """A text, folded or not, with its values blanked, its length unchanged."""
    for value in told:
        start, end = unfolded_range(text, value.spare, value.end)
        text = text[:start] + " " * (end - start) + text[end:]
    return text


@lru_cache(maxsize=4_096)
def speaks_of(text: str, measure: str) -> bool:
    """Whether a sentence speaks of what a value is told of, with a figure or as a degree of it."""
    if names_degree_of(text, measure):
        return True
    if not any(char.isdigit() for char in text):
        return False
    if measure == _DURATION:
        return any(q.dimension == "time" for q in find_quantities(text))
    sign = next((s for s in _signs() if s.name == measure), None)
    if sign is None:
        return speaks_of_analysis(text, measure)
    return sign.said.search(fold(text)) is not None


def low_signs(text: str) -> tuple[re.Pattern[str], ...]:
    """What speaks, in a folded sentence, of the signs that a question gives a low value of (« TA
    85/50 »: « en cas d’hypotension »).
    """
    folded = fold(text)
    return tuple(
        sign.met
        for told in told_values(text)
        for sign in _signs()
        if sign.name == told.measure and _first(folded[told.start : told.end], sign) < sign.low
    )


def _first(value: str, sign: _Sign) -> float:
    """The first figure of a value, in mmHg where it is a pressure in cmHg (« 8/5 »)."""
    found = re.search(r"(?<!spo)(?<!sao)(?<!sato)\d+(?:[.,]\d+)?", value)
    number = float(found[0].replace(",", ".")) if found else inf
    cmhg = sign.name == _PRESSURE and number < _CENTIMETRES and not _DIASTOLIC.match(value)
    return 10 * number if cmhg else number


def unanswered_notice(text: str, quotes: Iterable[str], read: Iterable[str]) -> str:
    """What is said of the values of a question that no quote speaks of, in French; empty if none.

    ``read``: what of the question was read as the name of a disease, and is answered so.
    """
    shown, named = tuple(quotes), tuple(read)
    left = [
        text[slice(*unfolded_range(text, t.start, t.end))].strip()
        for t in told_values(text)
        if not any(speaks_of(quote, t.measure) for quote in shown)
        and not any(met.search(fold(q)) for met in low_signs(text[t.start : t.end]) for q in shown)
    ]
    left = [value for value in dict.fromkeys(left) if not any(value in n for n in named)]
    if not left:
        return ""
    values = ", ".join(f"«{NBSP}{value}{NBSP}»" for value in left)
    if len(left) == 1:
        return f"La valeur {values} n’est reprise par aucun extrait."
    return f"Les valeurs {values} ne sont reprises par aucun extrait."


@lru_cache(1)
def _signs() -> tuple[_Sign, ...]:
    entries = tomllib.loads((RESOURCES / "lexicons" / "vital_signs.toml").read_text("utf-8"))
    return tuple(
        _Sign(
            name=name,
            pattern=_pattern(entry),
            said=re.compile(entry["said"]),
            low=float(entry.get("low", 0)),
            met=re.compile(entry.get("met", "(?!)")),
        )
        for name, entry in entries.items()
    )


def _pattern(entry: dict[str, str]) -> re.Pattern[str]:
    kept = entry.get("kept", "(?!)")
    named = rf"(?<![\w/])(?:(?P<kept>{kept})|{entry['called']}){_BETWEEN}{_VALUE}"
    either = f"(?:{named}|(?<![\\w/.,])(?:{entry['bare']}))" if "bare" in entry else named
    return re.compile(rf"{either}(?![\w/]| ?(?:ans|mois|kg|mg|g|jours?|j)\b)")
