"""French numerals, in digits and in words, read at a position of a text."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction

_SUPER = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_SUPER_DIGITS = str.maketrans(_SUPER + "⁻⁺", "0123456789-+")
_SPECIAL = {"μ": "µ", "µ": "µ", "’": "'", "‘": "'", "ʼ": "'", "‐": "-", "‑": "-", "‒": "-",
            "–": "-", "—": "-", "−": "-", "⁄": "/", "∕": "/", "÷": "/", "İ": "I", "≦": "≤",
            "⩽": "≤", "≧": "≥", "⩾": "≥", "·": ".", "⋅": ".", "×": "×", "∙": "."}  # fmt: skip


class _Plain(dict[int, str]):
    """Character by character (length kept): accents, kinds of space, dash and digit off."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        plain = _SPECIAL.get(char)
        if plain is None:
            decimal = unicodedata.decimal(char, None)
            base = unicodedata.normalize("NFD", char)[0]
            if char in "\n\r\t\x0b\x0c\u2028\u2029\x85":
                plain = "\n"
            elif char.isspace():
                plain = " "
            elif decimal is not None:
                plain = str(decimal)
            else:
                plain = base if base.isascii() and base.isalpha() else char
        self[code] = plain
        return plain


_PLAIN = _Plain()


def plain(text: str) -> str:
    """``text`` without accents or typographic variants, case kept, offsets unchanged."""
    return text.translate(_PLAIN)


def lower(plain_text: str) -> str:
    """Lower case with offsets unchanged (a capital with a two-letter lower case is kept)."""
    low = plain_text.lower()
    if len(low) == len(plain_text):
        return low
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in plain_text)


@dataclass(frozen=True, slots=True)
class Number:
    """A numeral read from ``start`` to ``end``.

    ``value`` is ``None`` when the writing has two readings. ``kind``: digits, integer (digits
    alone, no mark), words, article (« un » alone), fraction (a part of one, in words or 1/2),
    ordinal, pair (135/85, second number in ``second``), code (1.2.3), about (« une dizaine »).
    """

    start: int
    end: int
    value: Fraction | None
    kind: str
    second: Fraction | None = None


# A comma or point is a decimal mark. Exactly three digits after one point and one to three
# before (« 10.000 », « 1.250 ») read as thousands in old French texts and as a decimal in
# others: such a writing has no value and equals only itself. « 0.125 » and two groups are clear.
_GROUPED = r"\d{1,3}(?: \d{3})+(?!\d)(?:[.,]\d+(?!\d))?"
_DOTTED = (
    r"[1-9]\d{0,2}(?:\.\d{3}){2,}(?!\d|\.\d)(?:,\d+)?"
    r"|[1-9]\d{0,2}(?:,\d{3}){2,}(?!\d|,\d)(?:\.\d+)?"
)
_DIGITS = re.compile(
    rf"(?P<group>{_GROUPED})|(?P<dot>{_DOTTED})|(?P<code>\d+(?:\.\d+){{2,}})"
    r"|(?P<plain>\d+(?:[.,]\d+)?)"
)
_AMBIGUOUS = re.compile(r"[1-9]\d{0,2}\.\d{3}")
_POWER = re.compile(
    rf"(?:(?P<lead>\d{{1,12}}(?:[.,]\d{{1,12}})?) ?(?:[.×x*] ?| (?=10[{_SUPER}⁻^])))?10"
    rf"(?:\^ ?(?P<caret>[-+]?\d{{1,3}})|(?P<super>[⁻⁺]?[{_SUPER}]{{1,3}}))(?!\d)"
)
# Longer runs of digits are no measure (and int() refuses them past some thousands).
_LONGEST = 40
_VULGAR = re.compile(r"[¼½¾⅐-⅞]")
_SLASH = re.compile(r" ?/ ?(\d{1,3}(?: \d{3})+(?!\d)|\d+(?:[.,]\d+)?)(?![\d]|[.,]\d|/\d)")
_MIXED = re.compile(r" (\d{1,3})/(\d{1,3})(?![\d/]|[.,]\d)")
_ORDINAL_END = re.compile(r" ?(?:ers?|eres?|res?|es?|emes?|iemes?|nde?s?|de)(?![a-z0-9])")
_SCALE = re.compile(r" (mille|millions?|milliards?)\b")
_SCALES = {
    "mille": 1000,
    "million": 10**6,
    "millions": 10**6,
    "milliard": 10**9,
    "milliards": 10**9,
}

_UNITS = {
    w: n
    for n, w in enumerate(
        "zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze "
        "seize".split()
    )
} | {"une": 1}  # fmt: skip
_TENS = {"vingt": 20, "trente": 30, "quarante": 40, "cinquante": 50, "soixante": 60,
         "septante": 70, "octante": 80, "huitante": 80, "nonante": 90}  # fmt: skip
NUMERALS = frozenset([*_UNITS, *_TENS, "vingts", "cent", "cents", *_SCALES])
_ABOUT = {"dizaine": 10, "douzaine": 12, "quinzaine": 15, "vingtaine": 20, "trentaine": 30,
          "quarantaine": 40, "cinquantaine": 50, "soixantaine": 60, "centaine": 100,
          "millier": 1000, "huitaine": 8, "dizaines": 10, "centaines": 100, "milliers": 1000,
}  # fmt: skip
_ROOTS = {"deux": 2, "trois": 3, "quatr": 4, "cinqu": 5, "six": 6, "sept": 7, "huit": 8, "neuv": 9,
          "dix": 10, "onz": 11, "douz": 12, "treiz": 13, "quatorz": 14, "quinz": 15, "seiz": 16,
          "vingt": 20, "trent": 30, "quarant": 40, "cinquant": 50, "soixant": 60, "cent": 100,
          "mill": 1000}  # fmt: skip
ORDINALS = {f"{root}ieme": n for root, n in _ROOTS.items()} | {
    "dix-septieme": 17, "dix-huitieme": 18, "dix-neuvieme": 19,
    "premier": 1, "premiere": 1, "second": 2, "seconde": 2,
}  # fmt: skip
ORDINALS |= {f"{word}s": n for word, n in ORDINALS.items()}
_PARTS = {"tiers": 3, "quart": 4, "quarts": 4, "demi": 2, "demie": 2, "demis": 2} | {
    word: n for word, n in ORDINALS.items() if n >= 5
}
_WORD = re.compile(r"([ \n]{1,3}|-\n?)?([a-z]+)")
_NEXT_WORD = re.compile(r"(?:[ \n-]|-\n)([a-z]+(?:-[a-z]+)?)")
_NO_SHARE = re.compile(r"[ -](?:payant|temps|monde|moyen|inferieur|superieur|externe|interne)")
_OF = re.compile(r"[ \n](?:de|d'|du|des|a|et|ou|sur|en)\b|[ \n]d'|\s*(?:$|[.,;:!?)»/])")


def _decimal(raw: str) -> Fraction:
    return Fraction(raw.replace(" ", "").replace(",", "."))


def read_digits(low: str, pos: int) -> Number | None:
    """The numeral that starts with a digit or a vulgar fraction at ``pos``."""
    if _VULGAR.match(low, pos):
        value = Fraction(unicodedata.numeric(low[pos])).limit_denominator(10)
        return Number(pos, pos + 1, value, "fraction")
    power = _POWER.match(low, pos)
    if power:
        exponent = int(power["caret"] or power["super"].translate(_SUPER_DIGITS))
        value = _decimal(power["lead"] or "1") * Fraction(10) ** exponent
        return Number(pos, power.end(), value, "digits")
    found = _DIGITS.match(low, pos)
    if not found:
        return None
    raw, end = found.group(), found.end()
    if found.lastgroup == "code" or len(raw) > _LONGEST:
        return Number(pos, end, None, "code")
    if found.lastgroup == "dot":
        mark = min((m for m in ".," if m in raw), key=raw.find)
        return Number(pos, end, _decimal(raw.replace(mark, "")), "digits")
    ambiguous = found.lastgroup == "plain" and _AMBIGUOUS.fullmatch(raw)
    single = None if ambiguous else _decimal(raw)
    return _extended(low, Number(pos, end, single, "integer" if raw.isdigit() else "digits"))


def _extended(low: str, number: Number) -> Number:
    """The numeral with what may follow it: ordinal ending, vulgar part, fraction, scale word."""
    pos, end, value = number.start, number.end, number.value
    if value is None:
        return number
    if number.kind == "integer":
        ordinal = _ORDINAL_END.match(low, end)
        if ordinal and (low[end] != " " or ordinal.group().strip() in {"eme", "emes", "ieme"}):
            return Number(pos, ordinal.end(), value, "ordinal")
        mixed = _MIXED.match(low, end)
        if mixed and 0 < int(mixed[1]) < int(mixed[2]):
            return Number(
                pos, mixed.end(), value + Fraction(int(mixed[1]), int(mixed[2])), "digits"
            )
        if _VULGAR.match(low, end) or (low[end : end + 1] == " " and _VULGAR.match(low, end + 1)):
            after = end if _VULGAR.match(low, end) else end + 1
            part = Fraction(unicodedata.numeric(low[after])).limit_denominator(10)
            return Number(pos, after + 1, value + part, "digits")
    scale = _SCALE.match(low, end)
    if scale:
        return Number(pos, scale.end(), value * _SCALES[scale[1]], "digits")
    return number


def read_slash(low: str, number: Number) -> Number:
    """``a/b`` as a fraction (a < b) or a pair (135/85), when a number follows a slash."""
    found = _SLASH.match(low, number.end)
    if not found or number.value is None:
        return number
    if len(found[1]) > _LONGEST:
        return number
    other = _decimal(found[1])
    whole = number.value.denominator == 1 and other.denominator == 1
    if whole and 0 <= number.value < other:
        return Number(number.start, found.end(), number.value / other, "fraction")
    return Number(number.start, found.end(), number.value, "pair", other)


def read_words(low: str, pos: int) -> Number | None:
    """The numeral in words at ``pos`` (start of a word), as long as it makes one number."""
    words = _numeral_words(low, pos)
    if not words:
        return None
    total, used = _compose([w for w, _ in words])
    if used == 0:
        return None
    end = words[used - 1][1]
    kind = "article" if used == 1 and words[0][0] in {"un", "une"} else "words"
    number = Number(pos, end, Fraction(total), kind)
    return _word_tail(low, number)


def _word_tail(low: str, number: Number) -> Number:
    following = _NEXT_WORD.match(low, number.end)
    if not following or number.value is None:
        return number
    word = following[1]
    if word in _ABOUT:
        return Number(number.start, following.end(), number.value * _ABOUT[word], "about")
    part = _PARTS.get(word)
    plural = number.kind != "article" and word.endswith("s")
    if part and (plural or (number.kind == "article" and _is_part(low, word, following.end()))):
        return Number(number.start, following.end(), number.value / part, "fraction")
    if word == "virgule":
        decimals = _numeral_words(low, following.end() + 1)
        value, used = _compose([w for w, _ in decimals])
        if used:
            zeros = 0
            while zeros < used - 1 and decimals[zeros][0] == "zero":
                zeros += 1
            scale = 10 ** (len(str(value)) + zeros)
            return Number(
                number.start, decimals[used - 1][1], number.value + Fraction(value, scale), "words"
            )
    return number


def _is_part(low: str, word: str, end: int) -> bool:
    """Whether « un tiers », « un dixième » is a share and not a person, a place or a rank."""
    if word in {"tiers", "quart"}:
        return _NO_SHARE.match(low, end) is None
    return _OF.match(low, end) is not None


def _numeral_words(low: str, pos: int) -> list[tuple[str, int]]:
    """(word, end) of the run of numeral words at ``pos``, « et » included, 24 at most."""
    words: list[tuple[str, int]] = []
    at = pos
    while len(words) < 24:
        found = _WORD.match(low, at)
        if not found or (words and found[1] is None) or (not words and found[1] is not None):
            break
        if found[2] not in NUMERALS and not (found[2] == "et" and words):
            break
        words.append((found[2], found.end()))
        at = found.end()
    return words


def _compose(words: list[str]) -> tuple[int, int]:
    """Value of the longest numeral at the head of ``words`` and how many words it takes."""
    total, index = 0, 0
    ceiling = 10**12
    while True:
        value, used = _below_thousand(words[index:])
        scale_at = index + used
        scale = _SCALES.get(words[scale_at], 0) if scale_at < len(words) else 0
        if scale and scale < ceiling and (used or scale == 1000):
            total += (value if used else 1) * scale
            index, ceiling = scale_at + 1, scale
            continue
        if used and (value < ceiling):
            total, index = total + value, index + used
        return total, index


def _below_thousand(words: list[str]) -> tuple[int, int]:
    head, used = _below_hundred(words)
    if (
        used < len(words)
        and words[used] in {"cent", "cents"}
        and (head in range(2, 10) or not used)
    ):
        hundreds = (head or 1) * 100
        rest, more = _below_hundred(words[used + 1 :])
        if more and rest:
            return hundreds + rest, used + 1 + more
        return hundreds, used + 1
    return head, used


def _below_hundred(words: list[str]) -> tuple[int, int]:
    if not words:
        return 0, 0
    first = words[0]
    if first == "quatre" and len(words) > 1 and words[1] in {"vingt", "vingts"}:
        rest, used = _below_twenty(words[2:])
        return (80 + rest, 2 + used) if used and 0 < rest < 20 else (80, 2)
    if first in _TENS:
        tens = _TENS[first]
        joined = 1 if len(words) > 1 and words[1] == "et" else 0
        rest, used = _below_twenty(words[1 + joined :])
        limit = 20 if tens == 60 else 10
        fits = used and 0 < rest < limit and (not joined or rest in {1, 11})
        return (tens + rest, 1 + joined + used) if fits else (tens, 1)
    return _below_twenty(words)


def _below_twenty(words: list[str]) -> tuple[int, int]:
    if not words or words[0] not in _UNITS:
        return 0, 0
    value = _UNITS[words[0]]
    if value == 10 and len(words) > 1 and _UNITS.get(words[1], 0) in {7, 8, 9}:
        return 10 + _UNITS[words[1]], 2
    return value, 1
