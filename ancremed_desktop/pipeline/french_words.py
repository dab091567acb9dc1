"""Everyday French words: what the corpus lacks is not for that a typing mistake."""

from __future__ import annotations

import gzip
from functools import lru_cache
from importlib.resources import files

_PLAIN = bytes.maketrans("àâäçéèêëîïôöùûüÿ".encode("latin-1"), "aaaceeeeiioouuuy".encode("latin-1"))


@lru_cache(1)
def _listing() -> bytes:
    """The word list of pyspellchecker, ``"word": count``, without accents, in ASCII.

    Its own loader takes 0.7 s and 40 MB for a structure to correct words with; only whether a
    word is listed is asked here. Read at the first unknown word: most questions need none.
    """
    packed = (files("spellchecker") / "resources" / "fr.json.gz").read_bytes()
    text = gzip.decompress(packed).decode().replace("œ", "oe").replace("’", "'")
    return text.encode("latin-1", errors="replace").translate(_PLAIN)


def is_french(folded: str) -> bool:
    """Whether a folded word (lower case, no accent) is in the French dictionary."""
    return f'"{folded}":'.encode("latin-1", errors="replace") in _listing()
