"""Noun, adjective and verb that may share the root of a word."""

from __future__ import annotations

from collections.abc import Iterator

from ancremed_desktop.pipeline.french_words import is_french
from ancremed_desktop.text.words import stem

_ENDS = (
    ("ie", "ique"), ("e", "ien"), ("e", "ienne"), ("ome", "omateux"), ("ose", "otique"),
    ("ace", "acite"), ("able", "abilite"), ("ique", "icite"), ("er", "age"), ("er", "ation"),
    ("er", "ement"), ("er", "ion"), ("use", "usion"), ("ir", "issement"), ("er", "ance"),
    ("er", "ence"), ("er", "ee"), ("er", "e"), ("er", ""), ("re", "ation"),
    ("ine", "inemie"), ("al", "o"), ("ale", "o"), ("ese", "esite"), ("axie", "actique"),
    ("teur", "trice"), ("epsie", "eptique"), ("eptique", "eptogene"),
)  # fmt: skip
"""Ends of words of one root. None makes « -ite » of « -e »: an artery is no arteritis."""
_DONE = ("ation", "e")
"""« transplantation », « transplantée »; not the reverse: a gesture is no gestation."""
_CONJUGATED = ("ent", "ait", "ant", "ee", "e")
"""Ends of forms of verbs in -er."""
_ROOT_LETTERS = 4


def same_root(word: str) -> tuple[str, ...]:
    """Noun, adjective and verb that may share the root of a folded word, in the singular."""
    single = word.rstrip("s")
    verbs = tuple(_infinitives(single))
    found = (*_derived(single), *verbs, *(noun for verb in verbs for noun in _derived(verb)))
    own = stem(single)  # its number and gender are found with it
    return tuple(dict.fromkeys(kin for kin in found if stem(kin) != own))


def _derived(single: str) -> Iterator[str]:
    pairs = (*_ENDS, *(pair[::-1] for pair in _ENDS), _DONE)
    for own, other in pairs:
        if single.endswith(own) and len(single) - len(own) >= _ROOT_LETTERS:
            yield f"{single[: len(single) - len(own)]}{other}"


def _infinitives(single: str) -> Iterator[str]:
    """« arrêter » of « arrêtant », « traiter » of « traite »: the French dictionary must know it,
    so that a gesture is nothing that is done.
    """
    for end in _CONJUGATED:
        if single.endswith(end) and len(single) - len(end) >= _ROOT_LETTERS:
            verb = f"{single[: -len(end)]}er"
            if is_french(verb):
                yield verb
