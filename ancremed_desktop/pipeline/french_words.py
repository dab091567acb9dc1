"""Everyday French words: what the corpus lacks is not for that a typing mistake."""

from __future__ import annotations

import gzip
import math
import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from string import ascii_lowercase

from ancremed_desktop.errors import MachineError
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.normalise import fold

_FIRST_BYTE = b"\xc3"
"""Of every accented letter of the list in UTF-8."""
_PLAIN = bytes.maketrans(
    bytes(letter.encode()[1] for letter in "àâäçéèêëîïôöùûüÿ"), b"aaaceeeeiioouuuy"
)
_ALL_USES = 353_876_198
"""Of all words of the list: adding them up takes longer than the answer to a greeting."""
_BEFORE = b'\n"'
_AFTER = b"\n"
_LAST_LETTER = b'\n"z'
_CACHED = 4_096
_SMOOTHING = 20
"""Uses added to every word: a list made of films lacks rare words."""
_SPECIALISED = 6.0
"""Least logarithm of how much commoner a word is in the corpus than in everyday French.

Of the tuning gold questions 94 % hold such a word; « dialyse » 9, « rein » 5, « chien » below 0.
"""
_FEWEST = 3
"""Passages that must hold a specialised word: a misprint is none."""


_SPELT = {
    "a": "[aàâä]", "c": "[cç]", "e": "[eéèêë]", "i": "[iîï]", "o": "[oôö]", "u": "[uùûü]",
}  # fmt: skip
"""How a folded letter may be written."""


@lru_cache(1)
def everyday_words() -> bytes:
    """The word list of pyspellchecker, ``"word": count``, without accents, in ASCII.

    Its own loader takes 0.7 s and 40 MB for a structure to correct words with, and importing it
    longer than reading the list; only whether and how often a word is listed is asked here.

    Raises: MachineError when the list is not installed.
    """
    return _listed().translate(_PLAIN, _FIRST_BYTE)


@lru_cache(1)
def _listed() -> bytes:
    """The list as it is written, in UTF-8."""
    package = find_spec("spellchecker")
    if package is None or package.origin is None:
        raise MachineError(
            "La liste des mots français manque : relancez l’installation d’AncreMed."
        )
    packed = (Path(package.origin).parent / "resources" / "fr.json.gz").read_bytes()
    return gzip.decompress(packed)


@lru_cache(2)
def _sections(listing: bytes) -> dict[str, tuple[int, int]]:
    """Where the words of each first letter stand in the list, which is in order but for those that
    begin with an accent: these come last, and stand here under no letter.
    """
    last = listing.rindex(_LAST_LETTER)

    def letter_after(place: int) -> int:
        return listing[listing.index(_BEFORE, place) + len(_BEFORE)]

    places = [
        bisect_left(range(last + 1), ord(letter), key=letter_after) for letter in ascii_lowercase
    ]
    begins = [0, *(listing.index(_BEFORE, place) for place in places[1:])]
    begins.append(listing.index(_AFTER, last + 1))
    sections = {
        letter: (begin, end + 1)  # the line end belongs to what is looked for
        for letter, (begin, end) in zip(ascii_lowercase, pairwise(begins), strict=True)
    }
    return {**sections, "": (begins[-1], len(listing))}


def _parts(listing: bytes, folded: str) -> tuple[tuple[int, int], ...]:
    """Where words may stand that begin like a folded one."""
    sections = _sections(listing)
    letter = folded[:1]
    return (sections[letter], sections[""]) if letter in sections else ((0, len(listing)),)


def _found(folded: str) -> Iterator[int]:
    """Where the uses of a folded word stand in the list, in all its accents."""
    key, listing = f'"{folded}":'.encode(), everyday_words()
    for start, end in _parts(listing, folded):
        at = listing.find(key, start, end)
        while at >= 0:
            yield at + len(key)
            at = listing.find(key, at + len(key), end)


@lru_cache(_CACHED)
def is_french(folded: str) -> bool:
    """Whether a folded word (lower case, no accent) is in the French dictionary."""
    return next(_found(folded), -1) >= 0


@lru_cache(_CACHED)
def _uses(folded: str) -> int:
    """How often everyday French uses a folded word, in all its accents."""
    listing = everyday_words()
    return sum(int(listing[at : listing.find(_AFTER, at)].rstrip(b",")) for at in _found(folded))


def is_specialised(
    word: str, index: PassageIndex, least: float = _SPECIALISED, fewest: int = _FEWEST
) -> bool:
    """Whether the corpus uses a word far more than everyday French does: a term of its trade.

    ``least``: logarithm from which it does; ``fewest``: passages that must hold it.
    """
    held = index.document_frequency(word)
    if held < fewest:
        return False
    everyday = (_uses(fold(word)) + _SMOOTHING) / _ALL_USES
    return math.log(held / index.identity().passages / everyday) >= least


def begun_by(start: str) -> tuple[str, ...]:
    """Words of the French dictionary, as written, that go on from a folded start of a word, the
    commonest first.
    """
    if not (start.isascii() and start.isalpha()):
        return ()
    spelt = "".join(_SPELT.get(letter, letter) for letter in start)
    longer = re.compile(rf'^"({spelt}\w+)": (\d+)', re.MULTILINE)
    listing = _listed()
    parts = (listing[begin:end].decode() for begin, end in _parts(listing, start))
    found = sorted((-int(uses), word) for part in parts for word, uses in longer.findall(part))
    return tuple(word for _uses, word in found)
