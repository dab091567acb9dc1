"""Everyday French words: what the corpus lacks is not for that a typing mistake."""

from __future__ import annotations

import gzip
import itertools
import math
import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.util import find_spec
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


def _listed() -> bytes:
    package = find_spec("spellchecker")
    if package is None or package.origin is None:
        raise MachineError(
            "La liste des mots français manque : relancez l’installation d’AncreMed."
        )
    packed = (Path(package.origin).parent / "resources" / "fr.json.gz").read_bytes()
    return gzip.decompress(packed)


@lru_cache(1)
def _sections() -> dict[str, tuple[int, int]]:
    """Where the words of each first letter stand in the list, which is in order but for the
    accented ones: these come last, and stand here under no letter.
    """
    listing = everyday_words()
    sections: dict[str, tuple[int, int]] = {}
    begin = 0
    for letter, following in itertools.pairwise(f"{ascii_lowercase}{ascii_lowercase[0]}"):
        end = listing.index(_BEFORE + following.encode(), begin)
        sections[letter] = begin, end + 1
        begin = end
    return {**sections, "": (begin, len(listing))}


def _found(folded: str) -> Iterator[int]:
    """Where the uses of a folded word stand in the list, in all its accents."""
    key, listing = f'"{folded}":'.encode(), everyday_words()
    sections = _sections()
    whole = ((0, len(listing)),)
    looked = (sections[folded[:1]], sections[""]) if folded[:1] in sections else whole
    for start, end in looked:
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
    if not (start.isascii() and start.isalpha()) or f'"{start}'.encode() not in everyday_words():
        return ()
    spelt = "".join(_SPELT.get(letter, letter) for letter in start)
    longer = re.compile(rf'^"({spelt}\w+)": (\d+)', re.MULTILINE)
    found = sorted((-int(uses), word) for word, uses in longer.findall(_as_written()))
    return tuple(word for _uses, word in found)


@lru_cache(1)
def _as_written() -> str:
    return _listed().decode()
