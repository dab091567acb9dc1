"""Classes of drugs: a text that names amoxicillin speaks of an antibiotic, never the reverse."""

from __future__ import annotations

import re
from functools import lru_cache

from ancremed_desktop.settings.paths import RESOURCES
from ancremed_desktop.text.lexicon_files import load_lexicon
from ancremed_desktop.text.normalise import fold

_WORD = re.compile(r"[^\W_]+")


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
    """The classes a name stands for itself; none for a member of one."""
    lexicon = load_lexicon(RESOURCES / "lexicons")
    named = {f for hit in lexicon.hits(_WORD.findall(fold(name))) for f in hit.families}
    return lexicon.classes & named


@lru_cache(maxsize=1_024)
def narrowest_named(name: str) -> frozenset[str]:
    """The classes a name stands for, none that holds another of them: a direct oral anticoagulant
    is named, not any anticoagulant.
    """
    broader = load_lexicon(RESOURCES / "lexicons").broader
    named = class_named(name)
    return named - {wider for narrow in named for wider in broader[narrow]}
