"""Noun, adjective and verb that may share the root of a word."""

from __future__ import annotations

_ENDS = (
    ("ie", "ique"), ("e", "ien"), ("e", "ienne"), ("ome", "omateux"), ("ose", "otique"),
    ("ace", "acite"), ("able", "abilite"), ("ique", "icite"), ("er", "age"), ("er", "ation"),
    ("er", "ement"), ("er", "ion"), ("use", "usion"), ("ir", "issement"),
    ("ine", "inemie"), ("al", "o"), ("ale", "o"), ("ese", "esite"), ("axie", "actique"),
    ("teur", "trice"),
)  # fmt: skip
"""Ends of words of one root. None makes « -ite » of « -e »: an artery is no arteritis."""
_DONE = ("ation", "e")
"""« transplantation », « transplantée »; not the reverse: a gesture is no gestation."""
_ROOT_LETTERS = 4


def same_root(word: str) -> tuple[str, ...]:
    """Noun, adjective and verb that may share the root of a folded word, in the singular."""
    single = word.rstrip("s")
    pairs = (*_ENDS, *(pair[::-1] for pair in _ENDS), _DONE)
    return tuple(
        f"{single[: -len(own)]}{other}"
        for own, other in pairs
        if single.endswith(own) and len(single) - len(own) >= _ROOT_LETTERS
    )
