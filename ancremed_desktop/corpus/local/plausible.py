"""Tells text from bytes that were read in the wrong encoding: « Äîçà » is « Доза »."""

from __future__ import annotations

import re

_BESIDE_FRENCH = ("äöß", "áíóúñ", "ãõáíóú", "áíóúòï", "ìò", "åäöø")
"""Letters of German, Spanish, Portuguese, Catalan, Italian and the Nordic languages."""
_ALPHABETS = tuple(
    frozenset("àâçéèêëîïôùûüÿœæ" + letters).__contains__ for letters in _BESIDE_FRENCH
)
_ACCENTED = re.compile(r"[À-ÖØ-öø-ÿŒœŠšŽžŸ]")
_FOREIGN_SHARE = 0.1
"""Share of the accented letters up to which those of no alphabet are of names."""
_WORD = re.compile(r"[^\W\d_]{4,}")
_SIGN_WITHIN = re.compile(r"(?<=[^\W\d_])[¡-©«¬®-³¶-¹»-¿×÷†‡‰‹›\u2500-\u259f](?=[^\W\d_])")
"""A sign where no writing has one: « doros³ych » is « dorosłych »."""
_STRANGE_SHARE = 0.02
_CONVERTED_TWICE = re.compile(
    r"Ã[\x80-\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|Â[°«»µ§±²³·\xa0]|â€[™œ\x9c\x9d“”¦˜]|Å[“’]"
)
"""« Ã© », « â€™ »: UTF-8 that was read as Windows-1252 and stored again."""


def is_plausible(text: str) -> bool:
    """Whether a text read in an encoding of western Europe may be one of its languages.

    Its accented letters are those of French and at most one language more, its words hold no
    signs, and are not made of accented letters.
    """
    accented = [letter.lower() for letter in _ACCENTED.findall(text)]
    if not accented:
        return True
    foreign = min(sum(not has(letter) for letter in accented) for has in _ALPHABETS)
    words = _WORD.findall(text)
    strange = sum(2 * len(_ACCENTED.findall(word)) > len(word) for word in words)
    strange += len(_SIGN_WITHIN.findall(text))
    return foreign <= _FOREIGN_SHARE * len(accented) and strange <= _STRANGE_SHARE * len(words)


def is_converted_twice(text: str) -> bool:
    """Whether letters of a text were lost in a wrong conversion before it was stored."""
    return bool(_CONVERTED_TWICE.search(text))
