"""Tokens that keep numbers, signs and units whole, and the search of a quote by tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from ancremed_desktop.text.normalise import fold, nfc
from ancremed_desktop.text.sentences import sentence_spans


class TokenKind(StrEnum):
    """What a token is; only words may be matched across incidental spacing."""

    WORD = "word"
    NUMBER = "number"
    UNIT = "unit"
    SIGN = "sign"


class Token(NamedTuple):
    """``text[start:end]`` and the ``key`` it is compared by."""

    kind: TokenKind
    start: int
    end: int
    key: str


_SPACE = r"[ \u00a0\u202f\u2009\u2007\u2008]"
_NUMBER = rf"\d{{1,3}}(?:{_SPACE}\d{{3}})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)*"
_SUPER = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_SUB = "₀₁₂₃₄₅₆₇₈₉"
# Superscripts, subscripts and fractions count as alphanumeric for ``re``: not as letters here.
_LETTER = rf"[^\W\d_{_SUPER}{_SUB}½¼¾⅓⅔⅕⅛]"
_WORD = rf"{_LETTER}(?:{_LETTER}|[\u0300-\u036f\u00ad\u200b-\u200d\u2060\ufeff])*"
_JOINED = rf"{_WORD}(?:[-‐‑‒–][ \t]*\n?[ \t]*{_WORD})*"
_TOKEN = re.compile(
    rf"(?P<number>{_NUMBER})|(?P<super>[⁻⁺]?[{_SUPER}]+)|(?P<sub>[{_SUB}]+)|(?P<word>{_JOINED})"
    r"|(?P<sign><=|>=|=<|=>|\+/-|[<>≤≥≦≧⩽⩾=≠≈~±×*/÷⁄%‰°^+−‐‑‒–—-]|[½¼¾⅓⅔⅕⅛])"
)
_UNITS = {
    "g",
    "mg",
    "kg",
    "hg",
    "µg",
    "ug",
    "mcg",
    "ng",
    "pg",
    "fg",
    "L",
    "mL",
    "dL",
    "cL",
    "µL",
    "uL",
    "fL",
    "mol",
    "mmol",
    "µmol",
    "umol",
    "nmol",
    "pmol",
    "UI",
    "MUI",
    "mUI",
    "µUI",
    "kUI",
    "IU",
    "U",
    "MU",
    "mU",
    "kU",
    "UFC",
    "Eq",
    "mEq",
    "mOsm",
    "Osm",
    "G",
    "T",
    "h",
    "min",
    "s",
    "ms",
    "j",
    "Hz",
    "kHz",
    "mmHg",
    "cmH",
    "kPa",
    "Pa",
    "bar",
    "mbar",
    "cm",
    "mm",
    "m",
    "µm",
    "nm",
    "C",
    "Gy",
    "mGy",
    "Sv",
    "mSv",
    "Bq",
    "MBq",
    "GBq",
    "kBq",
    "kcal",
    "cal",
    "kJ",
    "J",
    "mV",
    "V",
    "mA",
    "W",
    "M",
    "SA",
    "ppm",
    "ml",
    "dl",
    "cl",
    "l",
    "µl",
    "fl",
}
_LITRE = {
    "l": "L",
    "ml": "mL",
    "dl": "dL",
    "cl": "cL",
    "µl": "µL",
    "fl": "fL",
    "ul": "µL",
    "uL": "µL",
    "ug": "µg",
    "mcg": "µg",
    "umol": "µmol",
    "IU": "UI",
}
_SIGNS = {
    "<=": "≤",
    "=<": "≤",
    "≦": "≤",
    "⩽": "≤",
    ">=": "≥",
    "=>": "≥",
    "≧": "≥",
    "⩾": "≥",
    "*": "×",
    "÷": "/",
    "⁄": "/",
    "+/-": "±",
    "−": "-",
    "‐": "-",
    "‑": "-",
    "‒": "-",
    "–": "-",
    "—": "-",
}
_ELIDED = re.compile(r"['’][^\W\d_]")
_STOPWORDS = frozenset(
    "le la les l un une des du de d au aux et ou a en dans par pour sur avec ce cet cette ces il "
    "elle ils elles on que qu qui se s est sont ete etre son sa ses leur leurs".split()
)


@lru_cache(maxsize=16_384)
def _word_key(raw: str) -> str:
    return re.sub(r"[-\s]", "", fold(nfc(raw)))


@lru_cache(maxsize=4_096)
def _number_key(raw: str) -> str:
    return re.sub(_SPACE, "", raw).replace(",", ".")


def _unit_key(raw: str) -> str:
    clean = nfc(raw).replace("μ", "µ").replace("\u00b5", "µ")
    return _LITRE.get(clean, clean)


_MEASURED = frozenset({TokenKind.NUMBER, TokenKind.UNIT})
_BEFORE_UNITS = frozenset({"/", "°", "%", "^"})


def _is_unit(raw: str, before: Token, text: str, start: int) -> bool:
    """Whether a word is the unit of the number, unit or sign before it: no « L’ » that begins a sentence, and
    no word of the next paragraph.
    """
    if nfc(raw).replace("μ", "µ") not in _UNITS:
        return False
    between = text[before.end : start]
    return not (between.strip() or "\n\n" in between or _ELIDED.match(text, start + len(raw)))


def _is_sign(text: str, match: re.Match[str]) -> bool:
    """A dash is a sign only against a digit; elsewhere it is punctuation or a bullet."""
    if _SIGNS.get(match.group(), match.group()) != "-":
        return True
    before, after = text[: match.start()].rstrip()[-1:], text[match.end() : match.end() + 1]
    return after.isdigit() or (before.isdigit() and text[match.end() :].lstrip()[:1].isdigit())


def _tokens(text: str) -> Iterator[Token]:
    last: Token | None = None
    for match in _TOKEN.finditer(text):
        start, end, raw = match.start(), match.end(), match.group()
        kind = match.lastgroup
        if kind == "word":
            measured = last is not None and (last.kind in _MEASURED or last.key in _BEFORE_UNITS)
            if last is not None and measured and _is_unit(raw, last, text, start):
                last = Token(TokenKind.UNIT, start, end, _unit_key(raw))
            else:
                last = Token(TokenKind.WORD, start, end, _word_key(raw))
        elif kind == "number":
            last = Token(TokenKind.NUMBER, start, end, _number_key(raw))
        elif kind == "sub":
            last = Token(TokenKind.NUMBER, start, end, fold(raw))
        elif kind == "super":
            power = last is not None and last.kind is TokenKind.NUMBER and last.end == start
            digits = fold(raw).replace("−", "-").replace("+", "")
            if power:
                last = Token(TokenKind.SIGN, start, end, "^" + digits)
            else:
                last = Token(TokenKind.NUMBER, start, end, digits)
        elif _is_sign(text, match):
            last = Token(TokenKind.SIGN, start, end, _SIGNS.get(raw, raw))
        else:
            continue
        yield last


def _merge_powers(tokens: Iterator[Token]) -> Iterator[Token]:
    """« 10^9 » and « 10⁹ » are one and the same exponent."""
    held: Token | None = None
    for token in tokens:
        if held is not None:
            if token.kind is TokenKind.NUMBER and token.start == held.end:
                yield Token(TokenKind.SIGN, held.start, token.end, "^" + token.key)
                held = None
                continue
            yield held
            held = None
        if token.key == "^":
            held = token
        else:
            yield token
    if held is not None:
        yield held


@lru_cache(maxsize=2048)
def tokenise(text: str) -> tuple[Token, ...]:
    """Tokens of ``text`` in order; punctuation other than signs yields none.

    Numbers are whole (``4 000`` and ``2,5`` are one token each, the decimal mark is neutral),
    unit symbols after a number keep their case, words are folded with their hyphens removed.
    """
    tokens = _tokens(text)
    return tuple(_merge_powers(tokens) if "^" in text else tokens)


def content_count(text: str) -> tuple[int, int]:
    """(tokens, tokens that are not function words) among words, numbers and units."""
    counted = [t for t in tokenise(text) if t.kind is not TokenKind.SIGN]
    return len(counted), sum(t.key not in _STOPWORDS for t in counted)


def _encode(tokens: tuple[Token, ...]) -> tuple[str, dict[int, int], dict[int, int]]:
    """One string in which words may run together and nothing else can.

    Returns the string, and the maps from its offsets to text offsets at token starts and ends.
    """
    parts: list[str] = []
    starts: dict[int, int] = {}
    ends: dict[int, int] = {}
    length = 0
    for token in tokens:
        piece = token.key if token.kind is TokenKind.WORD else f"\x01{token.key}\x02"
        if token.kind is TokenKind.UNIT:
            piece = f"\x03{token.key}\x04"
        starts[length] = token.start
        length += len(piece)
        ends[length] = token.end
        parts.append(piece)
    return "".join(parts), starts, ends


@lru_cache(maxsize=1024)
def encoded(text: str) -> tuple[str, dict[int, int], dict[int, int]]:
    """The tokens of a text as one string, with its maps to offsets of the text."""
    return _encode(tokenise(text))


def find_quotes(passage_text: str, quote: str) -> tuple[tuple[int, int], ...]:
    """Every occurrence of ``quote``, see ``find_quote``."""
    needle = _encode(tokenise(quote))[0]
    if not needle:
        return ()
    haystack, starts, ends = encoded(passage_text)
    found = []
    at = haystack.find(needle)
    while at >= 0:
        if at in starts and at + len(needle) in ends:
            span = starts[at], ends[at + len(needle)]
            if not _cuts_a_value(passage_text, *span):
                found.append(span)
        at = haystack.find(needle, at + 1)
    return tuple(found)


_AFTER_VALUE = re.compile(rf"[{_SUPER}]|{_SPACE}?(?:/|×|%|‰|°)|-{_LETTER}")


def _cuts_a_value(text: str, start: int, end: int) -> bool:
    """Whether a match would take a part of a value for the whole (« 3 mg » of « 3 mg/kg »)."""
    inside = [t for t in tokenise(text[start:end]) if t.kind is not TokenKind.WORD]
    tail = bool(inside) and start + inside[-1].end == end
    head = bool(inside) and inside[0].start == 0
    if tail and _AFTER_VALUE.match(text, end):
        return True
    return head and text[:start].rstrip()[-1:] in {"/", "×", "^", "−"}


def find_quote(passage_text: str, quote: str) -> tuple[int, int] | None:
    """Where ``quote`` stands in the passage: half-open offsets of the stored text, or ``None``.

    The match starts and ends on token boundaries. Case, accents, kinds of space, line-break
    hyphens and missing or added spaces between words are tolerated; numbers, signs, comparators
    and units must be the same ones in the same order, and are never joined or cut.
    """
    found = find_quotes(passage_text, quote)
    return found[0] if found else None


def nearest_sentence(passage_text: str, text: str) -> str:
    """The sentence of the passage that shares most tokens with ``text`` (empty if none does)."""
    wanted = {t.key for t in tokenise(text)} - _STOPWORDS
    best, best_score = "", 0.0
    for start, end in sentence_spans(passage_text):
        sentence = passage_text[start:end]
        keys = {t.key for t in tokenise(sentence)} - _STOPWORDS
        score = len(wanted & keys) / (len(keys) + 4) ** 0.5
        if score > best_score:
            best, best_score = sentence, score
    return best
