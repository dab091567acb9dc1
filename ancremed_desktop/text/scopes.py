"""Words that open a scope: condition, exception, absence, rejection."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from ancremed_desktop.text.clauses import Role

Markers = Mapping[str, tuple[tuple[str, ...], ...]]
"""Phrases by their first word, the longest first."""


def by_first(phrases: Iterable[tuple[str, ...]]) -> Markers:
    """Phrases by their first word, so that most words are told from all of them at once."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for phrase in sorted(set(phrases), key=len, reverse=True):
        found.setdefault(phrase[0], []).append(phrase)
    return {first: tuple(of) for first, of in found.items()}


CLAUSAL = by_first(
    {
        ("si",),
        ("s", "il"),
        ("s", "ils"),
        ("s", "elle"),
        ("s", "elles"),
        ("lorsque",),
        ("lorsqu",),
        ("quand",),
        ("tant", "que"),
        ("tant", "qu"),
        ("a", "condition"),
        ("des", "que"),
        ("des", "lors"),
        ("apres", "que"),
        ("avant", "que"),
        ("pourvu",),
        ("une", "fois", "que"),
        ("une", "fois", "qu"),
        *((("une", "fois", d)) for d in "le la les l son sa ses ce cet cette celui celle".split()),
    }
)
_NOMINAL = by_first(
    {
        ("en", "cas"),
        ("chez",),
        ("devant",),
        ("pendant",),
        ("au", "cours"),
        ("en", "presence"),
        ("lors",),
        ("sous", "reserve"),
        ("face",),
        ("dans",),
        ("apres",),
        ("avant",),
        ("des",),
        ("au", "dela"),
        ("en", "situation"),
        ("en", "association"),
        ("en", "combinaison"),
        ("a", "partir"),
        ("hormis", "cas"),
        ("a", "defaut", "de"),
        ("a", "defaut", "d"),
    }
)
_EXCEPT = by_first(
    {
        ("sauf",),
        ("hormis",),
        ("excepte",),
        ("a", "l", "exception"),
        ("a", "l", "exclusion"),
        ("hors",),
        ("en", "dehors"),
        ("exception", "faite"),
        ("a", "moins", "que"),
        ("a", "moins", "qu"),
        ("a", "part"),
        ("excepte",),
        ("exceptes",),
        ("exceptee",),
    }
)
_ABSENT = by_first(
    {
        ("faute", "de"),
        ("faute", "d"),
        ("en", "l", "absence"),
        ("absence",),
        ("en", "absence"),
        ("sans",),
        ("incapable", "de"),
        ("incapable", "d"),
        ("incapables", "de"),
        ("incapables", "d"),
        ("indemne", "de"),
        ("indemne", "d"),
        ("depourvu", "de"),
        ("depourvue", "de"),
        ("exempt", "de"),
        ("exempte", "de"),
    }
)
_INSTEAD = by_first(
    {
        ("plutot", "que"),
        ("plutot", "qu"),
        ("au", "lieu"),
        ("et", "non"),
        ("et", "non", "pas"),
        ("non", "pas"),
        ("a", "la", "place"),
        ("non",),
    }
)
OPENERS = frozenset().union(CLAUSAL, _NOMINAL, _EXCEPT, _ABSENT, _INSTEAD)
"""First words of every phrase that opens a scope."""
_MADE = ("calcul", "estim", "mesur", "obten", "etabl", "prepar", "fabriqu", "produ", "evalu")
_FIXED = frozenset("attendre delai tarder retard reponse amelioration efficacite effet".split())
"""« sans délai et définitif », « en l'absence de réponse au traitement »: one word is absent."""
_PLACES = frozenset("hopital cabinet domicile reanimation etablissement hospitalisation".split())
_NOT_ABSENT = frozenset("depasser exceder exception tenir oublier negliger compter".split())

REASONS = by_first(
    {
        ("en", "raison"),
        ("a", "cause"),
        ("du", "fait"),
        ("par", "risque"),
        ("au", "risque"),
        ("compte", "tenu"),
        ("eu", "egard"),
        ("par", "crainte"),
        ("de", "peur"),
        ("car",),
        ("puisque",),
        ("puisqu",),
        ("parce", "que"),
        ("parce", "qu"),
    }
)
"""What they open says why: a predicate that is denied does not deny its reason."""
EXCEED = re.compile(r"(?:depass|exced)")


def marker_at(keys: Sequence[str], index: int, markers: Markers) -> int:
    """Length of the longest marker that starts at ``index``, 0 for none."""
    for marker in markers.get(keys[index], ()) if index < len(keys) else ():
        size = len(marker)
        if size == 1 or tuple(keys[index : index + size]) == marker:
            return size
    return 0


def open_scope(keys: Sequence[str], i: int) -> tuple[Role, int, int, bool, bool] | None:
    """(role, sign, marker length, clausal, one word only) of the scope opened at ``i``."""
    if keys[i] not in OPENERS:
        return None
    size = marker_at(keys, i, _EXCEPT)
    if size and _outside(keys, i + size):
        return Role.CORE, -1, size, False, True
    if size:
        return Role.EXCEPTION, -1, size, keys[i + size - 1] in {"que", "qu"}, False
    size = marker_at(keys, i, _ABSENT)
    if size:
        after = keys[i + size] if i + size < len(keys) else ""
        if (
            after in _NOT_ABSENT
            or "prealable" in keys[i + size : i + size + 4]
            or EXCEED.match(after)
        ):
            return None
        conditional = keys[i] in {"en", "faute"}
        on = "sur" in keys[i + size : i + size + 2] or "sur" in keys[i + size + 1 : i + size + 3]
        waits = (
            not on and next((k for k in keys[i + size : i + size + 3] if len(k) > 2), "") in _FIXED
        )
        return (Role.CONDITION if conditional else Role.CORE), -1, size, False, waits
    size = marker_at(keys, i, _INSTEAD)
    if size:
        return Role.CORE, -1, size, False, keys[i] == "non" and size == 1
    size = marker_at(keys, i, CLAUSAL)
    if size and keys[i + size : i + size + 1] not in (["possible"], ["besoin"], ["necessaire"]):
        return Role.CONDITION, 1, size, True, False
    size = marker_at(keys, i, _NOMINAL)
    if size == 2 and keys[i] == "a" and keys[i - 1].startswith(_MADE):
        return None  # « calculée à partir de la formule »
    if size and not (keys[i] == "des" and i + 1 < len(keys) and not _temporal_des(keys, i)):
        return Role.CONDITION, 1, size, False, False
    return None


def _outside(keys: Sequence[str], i: int) -> bool:
    """« hors de l'hôpital » says where; « hors urgence » excepts."""
    away = keys[i - 1 : i + 1] in (["hors", "de"], ["hors", "du"], ["hors", "d"])
    return away or bool(_PLACES & set(keys[i : i + 3]))


def _temporal_des(keys: Sequence[str], i: int) -> bool:
    """« dès » and « des » fold alike: only « dès le, dès la, dès l', dès que » opens a scope."""
    return not {"le", "la", "l", "que", "lors"}.isdisjoint(keys[i + 1 : i + 2])
