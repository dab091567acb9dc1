"""French numerals of every written form, each with its value, for tests of whatever reads them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

_SMALL = (
    "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"
).split()
_TENS = {20: "vingt", 30: "trente", 40: "quarante", 50: "cinquante", 60: "soixante"}
_SPACES = (" ", "\u00a0", "\u202f", "\u2009")


@dataclass(frozen=True, slots=True, kw_only=True)
class Numeral:
    """``text`` stands for ``value`` of ``dimension``; ``form`` names the way it is written."""

    text: str
    value: Fraction
    form: str
    dimension: str = ""
    comparator: str = ""


def in_words(value: int, *, join: str = "-") -> str:
    """``value`` (0 to 999,999,999) in French words; ``join`` between tens and units."""
    if value >= 10**6:
        millions, rest = divmod(value, 10**6)
        head = f"{in_words(millions, join=join)} million{'s' if millions > 1 else ''}"
        return f"{head} {in_words(rest, join=join)}" if rest else head
    if value >= 1000:
        thousands, rest = divmod(value, 1000)
        head = "mille" if thousands == 1 else f"{in_words(thousands, join=join)} mille"
        return f"{head} {in_words(rest, join=join)}" if rest else head
    if value >= 100:
        hundreds, rest = divmod(value, 100)
        head = "cent" if hundreds == 1 else f"{_SMALL[hundreds]} cent"
        return f"{head} {in_words(rest, join=join)}" if rest else head
    return _below_hundred(value, join)


def _below_hundred(value: int, join: str) -> str:
    if value <= 16:
        return _SMALL[value]
    if value < 20:
        return f"dix{join}{_SMALL[value - 10]}"
    if value >= 80:
        rest = value - 80
        return f"quatre{join}vingt" + (f"{join}{_below_hundred(rest, join)}" if rest else "s")
    tens = 60 if value >= 60 else value // 10 * 10
    rest = value - tens
    if rest in {1, 11} and tens <= 60:
        return f"{_TENS[tens]} et {_SMALL[rest]}"
    return _TENS[tens] + (f"{join}{_below_hundred(rest, join)}" if rest else "")


def _grouped(value: int, space: str) -> str:
    return f"{value:,}".replace(",", space)


def _one(rng: random.Random, form: str) -> Numeral:
    n = rng.choice((rng.randint(2, 20), rng.randint(2, 99), rng.randint(100, 1799)))
    space = rng.choice(_SPACES)
    if form == "integer":
        return Numeral(text=str(n), value=Fraction(n), form=form)
    if form == "decimal":
        mark, digits = rng.choice(",."), rng.randint(1, 99)
        return Numeral(text=f"{n}{mark}{digits}", value=Fraction(f"{n}.{digits}"), form=form)
    if form == "grouped":
        n = rng.randint(1000, 9_999_999)
        return Numeral(text=_grouped(n, space), value=Fraction(n), form=form)
    if form == "dotted":
        n = rng.randint(1_000_000, 9_999_999)
        return Numeral(text=_grouped(n, "."), value=Fraction(n), form=form)
    if form == "words":
        n = rng.choice((n, rng.randint(2, 999_999), rng.randint(10**6, 9 * 10**6)))
        n += n == 9  # « neuf » alone also means new
        return Numeral(text=in_words(n, join=rng.choice("- ")), value=Fraction(n), form=form)
    if form == "millions":
        n = rng.randint(2, 900)
        return Numeral(text=f"{n} millions", value=Fraction(n * 10**6), form=form)
    if form == "negative":
        return Numeral(text=f"−{n}", value=Fraction(-n), form=form)
    if form == "power":
        k = rng.randint(2, 12)
        written = rng.choice(
            (f"10^{k}", "10" + str(k).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")))
        )
        return Numeral(text=f"{n}{space}×{space}{written}", value=Fraction(n * 10**k), form=form)
    return _marked(rng, form, n, space)


def _marked(rng: random.Random, form: str, n: int, space: str) -> Numeral:
    if form == "percent":
        text = rng.choice((f"{n}{space}%", f"{n}%", f"{n} pour cent", f"{in_words(n)} pour cent"))
        return Numeral(text=text, value=Fraction(n), form=form, dimension="percent")
    if form == "fraction":
        b = rng.randint(3, 20)
        a = rng.randint(1, b - 1)
        text = rng.choice((f"{a}/{b}", f"{a} sur {b}", f"{in_words(a)} sur {in_words(b)}"))
        return Numeral(text=text, value=Fraction(100 * a, b), form=form, dimension="percent")
    if form == "part":
        text, value = rng.choice(_PARTS)
        return Numeral(text=text, value=value * 100, form=form, dimension="percent")
    if form == "ordinal":
        n = rng.randint(2, 99)
        return Numeral(
            text=f"{n}{rng.choice(('e', 'ème'))}", value=Fraction(n), form=form, dimension="ordinal"
        )
    if form == "roman":
        rank = rng.randint(1, 5)
        roman = ("I", "II", "III", "IV", "V")[rank - 1]
        word = rng.choice(("stade", "grade", "classe"))
        return Numeral(text=f"{word} {roman}", value=Fraction(rank), form=form, dimension="stage")
    sign, words = rng.choice(_COMPARATORS)
    n = rng.randint(1100, 1799) if n == 9 else n
    return Numeral(
        text=f"{rng.choice(words)}{space}{n}", value=Fraction(n), form=form, comparator=sign
    )


_PARTS = (
    ("la moitié", Fraction(1, 2)), ("un tiers", Fraction(1, 3)), ("deux tiers", Fraction(2, 3)),
    ("trois quarts", Fraction(3, 4)), ("un dixième de la dose", Fraction(1, 10)),
    ("½", Fraction(1, 2)),
    ("¼", Fraction(1, 4)), ("un cinquième de la dose", Fraction(1, 5)),
)  # fmt: skip
_COMPARATORS = (
    ("<", ("<", "moins de", "inférieur à", "en dessous de")),
    ("<=", ("≤", "<=", "au plus", "inférieur ou égal à", "au maximum", "sans dépasser",
            "pas plus de")),
    (">", (">", "plus de", "supérieure à", "au-delà de", "au-dessus de")),
    (">=", ("≥", ">=", "au moins", "supérieur ou égal à", "au minimum", "à partir de", "dès")),
    ("≈", ("environ", "près de", "approximativement", "~")),
)  # fmt: skip
FORMS = (
    "integer", "decimal", "grouped", "dotted", "words", "millions", "negative", "power", "percent",
    "fraction", "part", "ordinal", "roman", "comparator",
)  # fmt: skip


def numerals(count: int, *, seed: int = 0) -> Iterator[Numeral]:
    """``count`` numerals, the forms of ``FORMS`` in turn; the same ones for the same seed.

    None is a point between one to three digits and exactly three (« 10.000 »): two readings.
    """
    rng = random.Random(seed)
    made = 0
    while made < count:
        numeral = _one(rng, FORMS[made % len(FORMS)])
        if numeral.form == "decimal" and len(numeral.text.rpartition(".")[2]) == 3:
            continue
        made += 1
        yield numeral
