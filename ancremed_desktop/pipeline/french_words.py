"""Everyday French words: what the corpus lacks is not for that a typing mistake."""

from __future__ import annotations

import gzip
import math
import re
from functools import lru_cache
from importlib.resources import files

from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.normalise import fold

_PLAIN = bytes.maketrans("àâäçéèêëîïôöùûüÿ".encode("latin-1"), "aaaceeeeiioouuuy".encode("latin-1"))
_SMOOTHING = 20
"""Uses added to every word: a list made of films lacks rare words."""
_SPECIALISED = 6.0
"""Least logarithm of how much commoner a word is in the corpus than in everyday French.

Of the tuning gold questions 94 % hold such a word; « dialyse » 9, « rein » 5, « chien » below 0.
"""
_FEWEST = 3
"""Passages that must hold a specialised word: a misprint is none."""


@lru_cache(1)
def _listing() -> bytes:
    """The word list of pyspellchecker, ``"word": count``, without accents, in ASCII.

    Its own loader takes 0.7 s and 40 MB for a structure to correct words with; only whether and
    how often a word is listed is asked here. Read at the first unknown word: most questions need
    none.
    """
    packed = (files("spellchecker") / "resources" / "fr.json.gz").read_bytes()
    text = gzip.decompress(packed).decode().replace("œ", "oe").replace("’", "'")
    return text.encode("latin-1", errors="replace").translate(_PLAIN)


def is_french(folded: str) -> bool:
    """Whether a folded word (lower case, no accent) is in the French dictionary."""
    return f'"{folded}":'.encode("latin-1", errors="replace") in _listing()


@lru_cache(1)
def _all_uses() -> int:
    return sum(map(int, re.findall(rb'": ?(\d+)', _listing())))


def _uses(folded: str) -> int:
    """How often everyday French uses a folded word, in all its accents."""
    key = f'"{folded}":'.encode("latin-1", errors="replace")
    return sum(map(int, re.findall(re.escape(key) + rb" ?(\d+)", _listing())))


def is_specialised(word: str, index: PassageIndex) -> bool:
    """Whether the corpus uses a word far more than everyday French does: a term of its trade."""
    held = index.document_frequency(word)
    if held < _FEWEST:
        return False
    everyday = (_uses(fold(word)) + _SMOOTHING) / _all_uses()
    return math.log(held / index.identity().passages / everyday) >= _SPECIALISED
