"""Classes of drugs: a text that names amoxicillin speaks of an antibiotic, never the reverse."""

from __future__ import annotations

import re
from functools import lru_cache

from ancremed_desktop.settings.paths import RESOURCES
from ancremed_desktop.text.lexicon_files import load_lexicon
from ancremed_desktop.text.normalise import fold

_WORD = re.compile(r"[^\W_]+")
_OF = frozenset({"de", "du", "des", "d", "dans"})
"""What opens a complement."""


@lru_cache(maxsize=8_192)
def classes_in(text: str) -> frozenset[str]:
    """Classes a text names, by name or by one of their members."""
    return frozenset().union(*map(_classes_of, set(_WORD.findall(fold(text)))))


@lru_cache(maxsize=65_536)
def _classes_of(word: str) -> frozenset[str]:
    """Of one folded word: read apart, the words of a whole passage cost next to nothing."""
    lexicon = load_lexicon(RESOURCES / "lexicons")
    families = {f for hit in lexicon.hits((word,)) for f in hit.families}
    wider = {b for family in families for b in lexicon.broader[family]}
    return lexicon.classes & (families | wider)


@lru_cache(maxsize=1_024)
def class_named(name: str) -> frozenset[str]:
    """The classes a name stands for itself; none for a member of one, nor for what is given of it
    in a disease: « anticoagulation de l’embolie pulmonaire » is not held by any anticoagulant.
    """
    lexicon = load_lexicon(RESOURCES / "lexicons")
    words = _WORD.findall(fold(name))
    hits = [h for h in lexicon.hits(words) if lexicon.classes & h.families]
    told = max((h.end for h in hits), default=0)
    if _OF.intersection(words[told:-1]):
        return frozenset()
    return lexicon.classes & {f for h in hits for f in h.families}


@lru_cache(maxsize=1_024)
def narrowest_named(name: str) -> frozenset[str]:
    """The classes a name stands for, none that holds another of them: a direct oral anticoagulant
    is named, not any anticoagulant.
    """
    return narrowest(class_named(name))


@lru_cache(maxsize=1_024)
def narrowest_said(sentence: str) -> frozenset[str]:
    """The classes a sentence names in one word or more, none that holds another of them."""
    return narrowest(classes_said(sentence))


@lru_cache(maxsize=1_024)
def classes_said(sentence: str) -> frozenset[str]:
    """The classes a sentence names in one word or more."""
    return load_lexicon(RESOURCES / "lexicons").classes & kinds_said(sentence)


def narrowest(named: frozenset[str]) -> frozenset[str]:
    """Of some classes those that hold no other of them."""
    broader = load_lexicon(RESOURCES / "lexicons").broader
    return named - {wider for narrow in named for wider in broader[narrow]}


def wider(classes: frozenset[str]) -> frozenset[str]:
    """Some classes with those that hold one of them."""
    lexicon = load_lexicon(RESOURCES / "lexicons")
    return classes | lexicon.classes & {w for c in classes for w in lexicon.broader[c]}


def wider_kinds(classes: frozenset[str]) -> frozenset[str]:
    """What some classes are kinds of without being members (« héparine » of « HBPM »)."""
    lexicon = load_lexicon(RESOURCES / "lexicons")
    return frozenset(w for c in classes for w in lexicon.broader[c]) - lexicon.classes


@lru_cache(maxsize=1_024)
def kinds_said(sentence: str) -> frozenset[str]:
    """All that a sentence names in one word or more, by its names in the lexicon."""
    lexicon = load_lexicon(RESOURCES / "lexicons")
    return frozenset(f for h in lexicon.hits(_WORD.findall(fold(sentence))) for f in h.families)
