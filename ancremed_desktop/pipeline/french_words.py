"""Everyday French words: what the corpus lacks is not for that a typing mistake."""

from __future__ import annotations

from functools import lru_cache

from spellchecker import SpellChecker

_PLAIN = str.maketrans("àâäçéèêëîïôöùûüÿ’", "aaaceeeeiioouuuy'", "")


@lru_cache(1)
def _words() -> frozenset[str]:
    # Loaded at the first unknown word (0.2 s): most questions need none.
    spelling = SpellChecker(language="fr", distance=1)
    listed = spelling.word_frequency.dictionary
    return frozenset(str(word).translate(_PLAIN).replace("œ", "oe") for word in listed)


def is_french(folded: str) -> bool:
    """Whether a folded word (lower case, no accent) is in the French dictionary."""
    return folded in _words()
