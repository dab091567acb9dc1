"""Numbers that name rather than measure: stages, types, dates, references, names with digits."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from ancremed_desktop.text.fixed_names import is_fixed_name, name_key
from ancremed_desktop.text.numbers import read_words


@dataclass(frozen=True, slots=True)
class Label:
    """``start:end`` with its bounds; ``dimension`` '' means: no quantity (a fixed name)."""

    start: int
    end: int
    dimension: str
    low: Fraction | None
    high: Fraction | None
    unit: str = ""


# « Stade III de la NYHA », « classe III » and « NYHA III » are one scale: same family.
_FAMILY = {"stade": "stade", "classe": "stade", "nyha": "stade", "figo": "stade", "oms": "stade",
           "asa": "stade",            "killip": "stade", "fontaine": "stade",
           "tanner": "stade", "grade": "grade",
           "type": "type", "phase": "phase",
           "groupe": "groupe", "niveau": "niveau", "categorie": "categorie", "palier": "palier",
           "degre": "degre", "step": "palier"}  # fmt: skip
_RANKS = {
    "semaine": "semaine",
    "jour": "jour",
    "mois": "mois",
    "cycle": "cycle",
    "visite": "visite",
}
_REFERENCE = frozenset(
    (
        "article articles art page pages p pp tableau tableaux figure figures fig annexe annexes "
        "item items chapitre chapitres rubrique rubriques section sections paragraphe paragraphes "
        "numero n question questions encadre encadres etape alinea cis cip amm no ref "
    ).split()
)
STAGE_WORDS = frozenset([*_FAMILY, *(f"{w}s" for w in _FAMILY)])
RANK_WORDS = frozenset([*_RANKS, *(f"{w}s" for w in _RANKS)])
REFERENCE_WORDS = _REFERENCE
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10}
_SCALE_NAME = r"(?:(?: de la| de l'| selon la)? (?:NYHA|OMS|FIGO|ASA|Killip))?"
_VALUE = (
    r"(?:(?P<{0}r>[IVX]{{1,5}})(?P<{0}s>[A-Da-d])?"
    r"|(?P<{0}d>\d{{1,2}})(?P<{0}t>[A-Ea-e])?)(?![A-Za-z0-9]|[.,]\d)"
)
_STAGE = re.compile(rf"{_SCALE_NAME}[ \n]{{0,2}}(?:n° ?)?" + _VALUE.format("a"))
_NEXT_STAGE = re.compile(
    r"(?P<join>[ \n]?(?:,|et|ou|à|a|-|/|puis|jusqu'à)[ \n]?)" + _VALUE.format("a")
)
_RANK_VALUE = re.compile(
    r"[ \n](?P<ad>\d{1,3})(?![\d%/]|[.,]\d|[ \n]?[a-zµ°])|[ \n](?P<b>\d{1,3})(?= (?:et"
    r"|a|ou|puis) \d| et\b)"
)
_NEXT_RANK = re.compile(r" (?:et|ou|a|puis|,) (\d{1,3})(?![\d%/]|[.,]\d|[ \n]?[a-zµ°])")
_REFERENCE_VALUE = re.compile(
    r"(?:[ \n]|[.°] ?|s ?|\. ?n° ?)?(?P<code>(?:[A-Z]{1,2}\.?"
    r" ?)?\d+(?:[-.]\d+)*(?:[a-z](?![a-z]))?)(?![\w]|[.,]\d)"
)
_MORE_REFERENCE = re.compile(
    r"(?:, | et | ou | à |-)(?P<code>(?:[A-Z]{1,2}\.? ?)?\d+(?:[-.]\d+)*)(?![\w]"
    r"|[.,]\d| ?[a-zµ%]{1,3}\b)"
)
_ORDINAL_NOUN = re.compile(
    r"(?P<between>[ \n](?:au|et|ou|a)[ \n](?:le |la )?[\da-z]+)?[ \n](?P<scale>degre|stade|grade"
    r"|palier|phase)s?(?![a-z])"
)
_ORDINAL_RANK = re.compile(
    r"(?P<between>[ \n](?:au|et|ou|a|-)[ \n](?:le |la )?[\da-z]+)?[ \n](?P<unit>jour"
    r"|semaine|mois)(?![a-z])"
)
_MONTHS = {m: i for i, m in enumerate(
    ("janvier fevrier mars avril mai juin juillet aout septembre octobre novembre "
     "decembre").split(), 1)}  # fmt: skip
MONTH_WORDS = frozenset(_MONTHS)
_MONTH_NAMES = "|".join(_MONTHS)
_DATE = re.compile(
    rf"(?P<d>\d{{1,2}})(?:er)?[ \n](?P<m>{_MONTH_NAMES})(?:[ \n](?P<y>(?:1[89]"
    rf"|20)\d\d)(?!\d))?(?![a-z])"
    r"|(?P<d2>0?[1-9]|[12]\d|3[01])[/.-](?P<m2>0?[1-9]|1[0-2])[/.-](?P<y2>(?:1[89]|20)\d\d)(?![\d])"
    r"|(?P<d3>0?[1-9]|[12]\d|3[01])/(?P<m3>0?[1-9]|1[0-2])/(?P<y3>\d\d)(?![\d/])"
    r"|(?P<y4>(?:19|20)\d\d)-(?P<m4>0[1-9]|1[0-2])(?:-(?P<d4>0[1-9]|[12]\d|3[01]))?(?![\d-])"
    r"|(?P<m5>0?[1-9]|1[0-2])/(?P<y5>(?:19|20)\d\d)(?![\d/])"
)
_MONTH_YEAR = re.compile(rf"(?P<m>{_MONTH_NAMES})[ \n](?P<y>(?:1[89]|20)\d\d)(?!\d)")
_YEAR = re.compile(r"(?:1[89]|20)\d\d(?![\d]|[.,]\d)")
_PEOPLE = re.compile(r"[ \n](?:patient|cas|sujet|malade|femme|homme|enfant|personne|participant)")
_SUB = "₀-₉"
_GREEK = "\u0370-\u03ff"
_NAME = re.compile(
    rf"[A-Za-zµ{_GREEK}]+(?:-[A-Za-z]{{1,12}}){{0,3}}(?:\.? ?(?=\d+[-.]\d)(?<=[LRD]\. "
    rf"|.[LRD]\.))?[-.]?[0-9{_SUB}]+"
    rf"(?:[A-Za-z{_GREEK}0-9{_SUB}]|\+(?!\d)|[-.](?=[A-Za-z0-9]))*"
)
_LEADING_DIGITS = re.compile(r"\d+(?:[,']\d+)?-?[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*")
_GREEK_NAMES = frozenset("alpha beta gamma delta omega anti p q t h v".split())
_DAY = re.compile(r"j[-+ ]?(\d{1,3})")


def _roman(raw: str) -> int:
    values = [_ROMAN_VALUES[c] for c in raw]
    return sum(-v if v < max(values[i:]) else v for i, v in enumerate(values))


def _stage_value(found: re.Match[str]) -> tuple[Fraction, str]:
    if found["ar"]:
        return Fraction(_roman(found["ar"])), (found["as"] or "").upper()
    return Fraction(int(found["ad"])), (found["at"] or "").upper()


def read_stages(text: str, low: str, word: str, end: int) -> list[Label]:
    """Values after a scale's word that ends at ``end``: « stade 3B », « grades II à IV »."""
    family = _FAMILY[word if word in _FAMILY else word[:-1]]
    dimension = "type" if family == "type" else "stage"
    found = _STAGE.match(text, end)
    if not found:
        return _stage_in_words(low, family, dimension, end)
    labels: list[Label] = []
    while found:
        value, suffix = _stage_value(found)
        join = found.groupdict().get("join") or ""
        at = found.start("ar") if found["ar"] else found.start("ad")
        unit = f"{family} {suffix}".strip()
        if labels and join.strip() in {"à", "a", "-", "jusqu'à"} and (labels[-1].low or 0) <= value:
            last = labels.pop()
            unit = last.unit if last.unit == unit else f"{last.unit}-{suffix}"
            labels.append(Label(last.start, found.end(), dimension, last.low, value, unit))
        else:
            labels.append(Label(at, found.end(), dimension, value, value, unit))
        found = _NEXT_STAGE.match(text, found.end())
    return labels


def _stage_in_words(low: str, family: str, dimension: str, end: int) -> list[Label]:
    if low[end : end + 1] != " ":
        return []
    number = read_words(low, end + 1)
    if number is None or number.kind != "words" or number.value is None or number.value > 12:
        return []
    return [Label(number.start, number.end, dimension, number.value, number.value, family)]


def read_ordinal_stage(low: str, value: Fraction, end: int) -> tuple[int, str] | None:
    """(end, family) of the scale word after an ordinal: « deuxième ou troisième degré »."""
    found = _ORDINAL_NOUN.match(low, end)
    if found is None or value >= 13:
        return None
    return (end if found["between"] else found.end()), _FAMILY[found["scale"]]


def read_ordinal_rank(low: str, end: int) -> tuple[int, str] | None:
    """(end, unit) when an ordinal ranks a day, week or month: « du 5e au 10e jour »."""
    found = _ORDINAL_RANK.match(low, end)
    if not found:
        return None
    return (end if found["between"] else found.end()), found["unit"]


def read_ranks(low: str, word: str, end: int) -> list[Label]:
    """« semaine 2 », « jour 5 »: the rank in a series, when no unit follows the number."""
    found = _RANK_VALUE.match(low, end)
    if not found:
        return []
    group = "ad" if found["ad"] else "b"
    value = Fraction(int(found[group]))
    unit = _RANKS[word if word in _RANKS else word[:-1]]
    labels = [Label(found.start(group), found.end(group), "rank", value, value, unit)]
    more = _NEXT_RANK.match(low, found.end(group))
    if more:
        value = Fraction(int(more[1]))
        labels.append(Label(more.start(1), more.end(1), "rank", value, value, unit))
    return labels


def read_references(text: str, end: int) -> list[Label]:
    """Codes after « article », « page », « tableau »...: equal to the same code only."""
    labels: list[Label] = []
    found = _REFERENCE_VALUE.match(text, end)
    while found:
        code = re.sub(r"[ .]", "", found["code"]) if found["code"][0].isalpha() else found["code"]
        labels.append(
            Label(found.start("code"), found.end("code"), "reference", None, None, code.upper())
        )
        found = _MORE_REFERENCE.match(text, found.end())
    return labels


def _date(year: str | None, month: str | int, day: str | None) -> Fraction:
    number = int(year or 0)
    number += 2000 if year and len(year) == 2 else 0
    return Fraction(number * 10000 + int(month) * 100 + int(day or 0))


def read_date(low: str, pos: int) -> Label | None:
    """A date with its month, in digits or words, at ``pos``."""
    found = _DATE.match(low, pos) or _MONTH_YEAR.match(low, pos)
    if not found:
        return None
    g = found.groupdict()
    month = _MONTHS.get(g.get("m") or "") or g.get("m2") or g.get("m3") or g.get("m4") or g["m5"]
    year = g["y"] or g.get("y2") or g.get("y3") or g.get("y4") or g.get("y5")
    value = _date(year, month, g.get("d") or g.get("d2") or g.get("d3") or g.get("d4"))
    return Label(pos, found.end(), "date", value, value)


def is_year(low: str, start: int, end: int) -> bool:
    """Whether a bare integer is written like a year (1800 to 2099) and counts no people."""
    found = _YEAR.match(low, start)
    return bool(found and found.end() == end and not _PEOPLE.match(low, end))


def read_name(text: str, pos: int, word: str) -> Label | None:
    """A name with digits that starts with letters (« CD4 », « IL-6 », « J5 ») at ``pos``.

    A lower-case word run into a number (« dose10 ») is no name unless it spells a Greek letter.
    """
    if (
        (word == word.lower() and len(word) > 1 and word not in _GREEK_NAMES)
        or word in "xXaàd"
        or word == "IC"
    ):
        return None
    found = _NAME.match(text, pos)
    if not found:
        return None
    name = found.group().rstrip(".-")
    end = pos + len(name)
    day = _DAY.fullmatch(name.lower())
    if day:
        value = Fraction(int(day[1]))
        return Label(pos, end, "rank", value, value, "jour")
    return _named(text, pos, end)


def read_leading_name(text: str, pos: int) -> Label | None:
    """A name with digits that starts with them (« 5-FU », « 3TC ») at ``pos``."""
    found = _LEADING_DIGITS.match(text, pos)
    # A footnote call run into the next word (« 49Correspondant ») leaves a number and a word.
    if found and re.fullmatch(r"\d+[A-Z][a-z]{3,}", found.group()):
        return None
    return _named(text, pos, found.end()) if found else None


def _named(text: str, start: int, end: int) -> Label:
    name = text[start:end]
    digits = (i for i in range(start, end) if text[i].isdecimal())
    if all(is_fixed_name(text, i, i + 1) for i in digits):
        return Label(start, end, "", None, None)
    return Label(start, end, "name", None, None, name_key(name))
