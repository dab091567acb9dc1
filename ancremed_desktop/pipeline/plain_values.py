"""How a question writes a value, made plain before it is read: the last of several (« DFG passé de
60 à 25 »), without what only says when or how it was measured (« kaliémie de contrôle »).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from ancremed_desktop.pipeline.laboratory import called_anyhow
from ancremed_desktop.text.normalise import fold, unfolded_range

_VALUE = r"\d+(?:[.,]\d+)?(?: ?/ ?\d+)?"
_UNIT = r"(?: ?(?:[a-zµ]{1,4}/(?:d?l|min)|mmhg|%))?"
_MOVED = r"(?:passe|monte|remonte|descendu|tombe|chute|baisse|augmente|diminue)\w*"
_SIGNS = r"ta|pas?|pad|fc|fr|spo2|sat|saturation|tension|pouls|temperature|hb|hemoglobine|lactates?"
_QUALIFIERS = (
    r"(?: ?(?:actuelle?|de controle|controlee?|ce (?:matin|jour|soir)|aujourd'hui|du jour|recente?"
    r"|estimee?|calculee?|mesuree?|(?:selon|par|de) (?:le |la |l')?(?:cockcroft|mdrd|ckd-?epi)"
    r"(?:(?: et|-)? ?gault)?|basse?|elevee?|plasmatique|serique|capillaire|veineuse|sanguine|est"
    rf"|etait|{_MOVED}|maintenant),?)"
)
_SPAN = re.compile(rf" ?de (?P<first>\d+(?:[.,]\d+)?){_UNIT} a ")
_SEIZURE = re.compile(r"\bconvuls|\bcomitial|\bepilep|\btonico")
_NUMBERS = {
    "cinq": 5, "six": 6, "sept": 7, "huit": 8, "neuf": 9, "dix": 10, "quinze": 15, "vingt": 20,
    "trente": 30, "quarante": 40, "une": 1, "deux": 2, "trois": 3,
}  # fmt: skip
_TIME = re.compile(
    rf"\b(?P<number>\d+|{'|'.join(_NUMBERS)}) ?"
    r"(?:(?P<hours>h(?:eures?)?)(?: ?(?P<rest>\d{2}))?(?: et (?P<half>demie))?"
    r"|(?:min(?:utes?)?|mn))\b"
)
_TERM = re.compile(r"\bt(?P<rank>[123])\b(?! ?[n-])")
_NO_TERM = re.compile(
    r"\bthyr|thyrox|\btsh\b|\bt4l?\b|\bt3l\b|cancer|tumeur|carcinom|adenocarcinom|\btnm\b|\bstade"
    r"|\birm\b|vertebr|\bn[0-3]\b|\bhormon|liothyron|cynomel|euthyral|nodule"
    r"|\b[tl][12]\b|\b[ltcd]\d{1,2}\b(?<!\bt3)|fractur|tassement|medull|rachi|cholesterol|diabet"
)
"""Where « T3 » is a hormone, a tumour, a vertebra or an image, and « T2 » a diabetes."""
_PREGNANT = re.compile(r"\b(?:enceinte|grossesse|gestation\w*)\b")
_RANKS = {"1": "premier", "2": "deuxième", "3": "troisième"}
_HALF = re.compile(r"(?<=mois) et demie?\b")
_RAISED_FIGURE = re.compile(r"(?<!\w)[⁰¹²³⁴-⁹]+(?!\w)")


@lru_cache(maxsize=256)
def plain_values(text: str) -> str:
    """A question with its values in the way they are read: each name right before its last value,
    the time of a seizure in minutes, the trimester of a pregnancy in words.
    """
    text = _RAISED_FIGURE.sub("", text).replace("⁺", "+")
    for pattern, plain in _rules():
        text = _rewritten(text, pattern, plain)
    if _SEIZURE.search(fold(text)):
        text = _rewritten(text, _TIME, _minutes)
    if _PREGNANT.search(fold(text)) or not _NO_TERM.search(fold(text)):
        text = _rewritten(text, _TERM, lambda m: f"{_RANKS[m['rank']]} trimestre de grossesse")
    return " ".join(text.split())


def _rewritten(text: str, pattern: re.Pattern[str], plain: Callable[[re.Match[str]], str]) -> str:
    """A text with what its fold holds of a pattern put plainly, from the last to the first."""
    for match in reversed(list(pattern.finditer(fold(text)))):
        named = match.end("name") if "name" in pattern.groupindex else match.start()
        start, end = unfolded_range(text, named, match.end())
        text = text[:start] + plain(match) + text[end:]
    return text


def _last(match: re.Match[str]) -> str:
    """Nothing before the last of several values; « DFG de 30 à 44 », that rises and does not say
    that it moved, is a range.
    """
    told = match.string[match.end("name") : match.end()]
    span = _SPAN.fullmatch(told)
    last = re.match(_VALUE, match.string[match.end() :])
    if span and last and "/" not in last[0] and _number(span["first"]) < _number(last[0]):
        return told
    return " "


def _number(written: str) -> float:
    return float(written.partition("/")[0].replace(",", "."))


def _minutes(match: re.Match[str]) -> str:
    number = _NUMBERS.get(match["number"]) or int(match["number"])
    if match["hours"]:
        number = 60 * number + int(match["rest"] or 0) + (30 if match["half"] else 0)
    return f"{number} min"


@lru_cache(1)
def _rules() -> tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...]:
    name = rf"(?<!\w)(?P<name>{called_anyhow()}|{_SIGNS})(?!\w)"
    first = rf"{_VALUE}{_UNIT}"
    then = r" ?(?:,? ?(?:et )?(?:puis|hier|->|→|=>)(?: maintenant)?(?: (?:de|a))?,?) ?"
    last = rf"(?={_VALUE}(?![\d,.]*\d)(?! ?(?:ans?|mois|kg|jours?|cm)\b))"
    moved = rf"{_QUALIFIERS}* ?(?:de|d'|depuis) {first} a "
    several = rf"{_QUALIFIERS}* ?(?:de|a|=|:)? ?(?:{first}{then})+"
    kidneys = rf"(?: (?:est|etait|estimee?))* ?(?:a|de|=|:)? ?(?={_VALUE} ?ml ?/ ?min)"
    return (
        (_HALF, lambda _m: ""),
        (
            re.compile(r"(?:\b(?:dont|avec) )?(?:\b(?:la|une?) )?\bfonction renale" + kidneys),
            lambda _m: "DFG ",
        ),
        (re.compile(rf"\bdont (?:la |le |l')(?=(?:{called_anyhow()}|{_SIGNS})\b)"), lambda _m: ""),
        (re.compile(rf"{name}(?:{moved}|{several}){last}"), _last),
        (re.compile(rf"{name}{_QUALIFIERS}+ ?(?:a|de|=|:)? ?{last}"), lambda _m: " "),
    )
