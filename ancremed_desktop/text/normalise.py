"""Reduce French text to comparable form without ever touching the stored text itself."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_LIGATURES = {
    "œ": "oe",
    "æ": "ae",
    "ß": "ss",
    "ﬀ": "ff",
    "ﬁ": "fi",
    "ﬂ": "fl",
    "ﬃ": "ffi",
    "ﬄ": "ffl",
    "ﬅ": "st",
    "ﬆ": "st",
    "ø": "o",
    "ł": "l",
    "đ": "d",
}
_GREEK = {
    "α": "alpha",
    "β": "beta",
    "γ": "gamma",
    "δ": "delta",
    "ε": "epsilon",
    "ζ": "zeta",
    "η": "eta",
    "θ": "theta",
    "ι": "iota",
    "κ": "kappa",
    "λ": "lambda",
    "ν": "nu",
    "ξ": "xi",
    "π": "pi",
    "ρ": "rho",
    "σ": "sigma",
    "ς": "sigma",
    "τ": "tau",
    "υ": "upsilon",
    "φ": "phi",
    "χ": "chi",
    "ψ": "psi",
    "ω": "omega",
}
# Micro sign and mu name a unit prefix far more often than the letter: one symbol for both.
_MICRO = {"μ": "µ", "µ": "µ"}
_APOSTROPHES = "’‘ʼ′´`＇"
_DASHES = "‐‑‒–—―⁃"
_QUOTES = '«»“”„‟"‹›'
_SOFT = "\u00ad"

ZERO_WIDTH = frozenset("\u200b\u200c\u200d\u2060\ufeff\u180e\u00ad\u034f\u2061\u2062\u2063\u2064")
BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_RAISED = re.compile(r"(?<![^\s(])[\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089]+(?=\s+\w)")
_SCRIPT_WORD = re.compile(r"[^\W\d_]+")


def nfc(text: str) -> str:
    """Canonical composition (Unicode Annex 15): the form in which all text is stored."""
    return unicodedata.normalize("NFC", text)


def _fold_char(char: str) -> str:
    low = char.lower()
    if low in _MICRO:
        return _MICRO[low]
    if low in _GREEK:
        return _GREEK[low]
    if low in _LIGATURES:
        return _LIGATURES[low]
    if char in _APOSTROPHES:
        return "'"
    if char in _DASHES:
        return "-"
    if char in _QUOTES:
        return '"'
    if char in ZERO_WIDTH or char in BIDI:
        return ""
    if char.isspace():
        return " "
    if unicodedata.category(char) == "Sm":  # signs keep their identity (≠ is not =)
        return char
    plain = unicodedata.normalize("NFKD", low)
    plain = "".join(c for c in plain if not unicodedata.combining(c)).lower()
    return " " if plain.isspace() else "".join(_GREEK.get(c, c) for c in plain)


_BLANK = re.compile(r"\s")
_WORD_LENGTH = 24
_SENTENCE_LENGTH = 400


class _Folds(dict[int, str]):
    """Code point → fold, filled as characters are met: ``str.translate`` then stays in C."""

    def __missing__(self, code: int) -> str:
        folded = self[code] = _fold_char(chr(code))
        return folded


_FOLDS = _Folds()


def fold(text: str) -> str:
    """Lower case without accents, ligatures, typographic variants; length may change.

    ``œ``→``oe``, subscripts and superscripts → digits, Greek letters by name (``µ`` kept as the
    unit prefix), apostrophes → ``'``, dashes → ``-``, every kind of space → one ``" "`` each;
    soft hyphens, zero-width and bidirectional marks vanish.
    """
    if len(text) <= _WORD_LENGTH:
        return _fold_word(text)
    return _fold_sentence(text) if len(text) <= _SENTENCE_LENGTH else _fold(text)


def unfolded_range(text: str, start: int, end: int) -> tuple[int, int]:
    """The range of an NFC ``text`` that ``fold(text)[start:end]`` comes from.

    A letter folded to two (``œ``) is taken whole; an empty range stays empty.
    """
    begin, position = len(text), 0
    for index, char in enumerate(text):
        if position >= end and index >= begin:
            return begin, index
        width = len(fold(char))
        if position + width > start and begin == len(text):
            begin = index
            if start == end:
                return index, index
        position += width
    return begin, len(text)


def _fold(text: str) -> str:
    if text.isascii():
        return _BLANK.sub(" ", text.lower())
    return nfc(text).translate(_FOLDS)


@lru_cache(maxsize=65536)
def _fold_word(text: str) -> str:
    """The words of a language come back again and again; whole texts do not."""
    return _fold(text)


@lru_cache(maxsize=1024)
def _fold_sentence(text: str) -> str:
    """A sentence is judged by many rules, one after the other."""
    return _fold(text)


@lru_cache(maxsize=4096)
def _script(char: str) -> str:
    name = unicodedata.name(char, "")
    for script in ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "MATHEMATICAL"):
        if name.startswith(script) or (script == "LATIN" and char in "ªº"):
            return script
    return ""


def _mixed_script(text: str) -> set[int]:
    """Positions of foreign letters inside words that also hold Latin letters.

    A lone Greek letter is ordinary medicine (``β2``, ``γGT``, ``µg``); inside a Latin word of the
    look-alike kind it is a disguise. Cyrillic, Armenian and mathematical letters have no business
    in French medical text at all.
    """
    found: set[int] = set()
    for match in _SCRIPT_WORD.finditer(text):
        word = match.group()
        if word.isascii():
            continue
        scripts = [_script(c) for c in word]
        latin = scripts.count("LATIN")
        for offset, (char, script) in enumerate(zip(word, scripts, strict=True)):
            foreign = script in {"CYRILLIC", "ARMENIAN", "CHEROKEE", "MATHEMATICAL"}
            hidden_greek = script == "GREEK" and latin > 2 and char.lower() in "αειικνορτυχ"
            if foreign or hidden_greek:
                found.add(match.start() + offset)
    return found


@lru_cache(maxsize=4096)
def _is_unsafe(char: str) -> bool:
    """Whether a character is unsafe wherever it stands."""
    return (
        char in ZERO_WIDTH
        or char in BIDI
        or "\uff01" <= char <= "\uff5e"
        or (unicodedata.category(char) in {"Cc", "Cn"} and char not in "\t\n\r")
        or (unicodedata.category(char) == "Nd" and not char.isascii())
    )


def unsafe_characters(text: str) -> tuple[int, ...]:
    """Offsets of characters that make a text read otherwise than it is stored.

    Zero-width and bidirectional controls (soft hyphen included), other control characters than
    tab and line ends, full-width forms, look-alike letters of another script inside a word, a
    letter O or l written in place of a digit (« O,5 »), and raised or lowered digits that stand
    for a number of their own (« ² jours »).
    """
    if text.isascii():
        found = {m.start() for m in re.finditer(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", text)}
    else:
        found = _mixed_script(text)
        unsafe = set(filter(_is_unsafe, set(text)))
        if unsafe:
            found |= {index for index, char in enumerate(text) if char in unsafe}
    found |= {i for m in _RAISED.finditer(text) for i in range(*m.span())}
    found |= {m.start() for m in re.finditer(r"(?<!\w)[OoIl](?=[.,]\d)", text)}
    found |= {m.start() + 1 for m in re.finditer(r"\d[OoIl](?=[\d.,]\d?)", text)}
    return tuple(sorted(found))
