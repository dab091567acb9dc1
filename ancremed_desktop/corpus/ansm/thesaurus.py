"""Pairs of a thesaurus file: levels, conduct to follow, mechanism."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ancremed_desktop.corpus.ansm.repair import LOST, cut_squeezed, join_lines, squeezed
from ancremed_desktop.text.normalise import fold, nfc

LEVELS = (
    "CONTRE-INDICATION",
    "Association DECONSEILLEE",
    "Précaution d'emploi",
    "A prendre en compte",
)
"""Levels of constraint as the thesaurus writes them, gravest first."""
_LEVEL_OF = {fold(level): level for level in LEVELS} | {
    "il convient de prendre en compte": "A prendre en compte"
}
_ABBREVIATIONS = {"CI": 0, "ASDEC": 1, "PE": 2, "APEC": 3}
_NAMES = "CI|ASDEC|APEC|PE"
_HEADER = re.compile(rf"(?:{_NAMES})(?: - (?:{_NAMES}))+")
_OPENING = "Il convient de prendre en compte"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two entries that interact, in the order of the file.

    ``levels`` gravest first; ``conduct`` (empty: none) and ``mechanism``: paragraphs of the
    source. ``complete`` is false when characters were lost and the paragraphs are left out.
    """

    first: str
    second: str
    levels: tuple[str, ...]
    conduct: str
    mechanism: str
    complete: bool = True


def read_pair(record: object) -> Pair | str:
    """A record of the JSON file, or the French reason why it cannot be taken."""
    if not isinstance(record, Mapping):
        return "l’enregistrement n’est pas une paire"
    texts = {
        name: record.get(name)
        for name in ("main_drug", "plus_drug", "description", "interaction_mechanism")
    }
    for name, value in texts.items():
        if not isinstance(value, str) or not value.strip():
            return f"le champ « {name} » est absent ou vide"
    first, second, description, mechanism = (nfc(str(value)) for value in texts.values())
    levels = _levels(record.get("severity_levels"))
    if isinstance(levels, str):
        return levels
    header = _HEADER.match(description.lstrip())
    if header is not None:  # « CI - APEC »: the page itself lists the levels
        levels = _sorted(LEVELS[_ABBREVIATIONS[name]] for name in header[0].split(" - "))
    if LOST in description or LOST in first or LOST in second:
        conduct, mechanism, complete = "", "", False
    else:
        conduct, mechanism = _parts(description, mechanism, levels)
        complete = True
    return Pair(
        first=" ".join(first.split()),
        second=" ".join(second.split()),
        levels=levels,
        conduct=conduct,
        mechanism=mechanism,
        complete=complete,
    )


def _levels(raw: object) -> tuple[str, ...] | str:
    if not isinstance(raw, Sequence) or isinstance(raw, str) or not raw:
        return "aucun niveau de contrainte"
    found = []
    for entry in raw:
        name = entry.get("level") if isinstance(entry, Mapping) else None
        level = _LEVEL_OF.get(fold(str(name)))
        if level is None:
            return f"niveau de contrainte inconnu : « {name} »"
        found.append(level)
    return _sorted(found)


def _sorted(levels: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(dict.fromkeys(levels), key=LEVELS.index))


def _parts(description: str, mechanism: str, levels: tuple[str, ...]) -> tuple[str, str]:
    """(conduct, mechanism) out of the whole text; all of it is conduct when it cannot be cut."""
    body = description.lstrip()
    if squeezed(body).startswith(squeezed(_OPENING)):
        return "", join_lines(body)  # one sentence that opens with its level
    body = _after_header(body, levels)
    whole, tail = squeezed(body).rstrip("."), squeezed(mechanism).rstrip(".")
    if not tail or not whole.endswith(tail):
        return join_lines(body), ""
    cut = cut_squeezed(body, len(whole) - len(tail))
    return join_lines(body[:cut]), join_lines(body[cut:])


def _after_header(body: str, levels: tuple[str, ...]) -> str:
    """The text after its level (« Précaution d'emploi ») or its abbreviations (« CI - PE »)."""
    header = _HEADER.match(body)
    if header is not None:
        return body[header.end() :]
    start = next((level for level in levels if body.startswith(level)), "")
    return body[len(start) :]


def pair_key(pair: Pair) -> tuple[str, str]:
    """The two entries, folded, in alphabetical order: the same for « A + B » and « B + A »."""
    first, second = sorted((fold(pair.first), fold(pair.second)))
    return first, second


def merged(pairs: Sequence[Pair], notes: Counter[str]) -> dict[tuple[str, str], list[Pair]]:
    """Pairs by key; the mirrored copy counts once, and stays when it says something else."""
    found: dict[tuple[str, str], list[Pair]] = {}
    for pair in pairs:
        known = found.setdefault(pair_key(pair), [])
        if any(_says(pair) == _says(other) for other in known):
            notes["paires répétées sous leur second nom"] += 1
        else:
            known.append(pair)
    return found


def _says(pair: Pair) -> tuple[tuple[str, ...], str, str]:
    return pair.levels, squeezed(pair.conduct), squeezed(pair.mechanism)
