"""Comparators and frames around a number, in signs and in words."""

from __future__ import annotations

import re

_TO = r"(?:a|au|aux)"
_BEYOND = r"(?:depass|exced)"
_NOT = r"(?:pas|jamais|plus|point)(?: \w+){0,2}?"
_MAX = (
    r"maxim(?:um|ales?|aux|a)\.?(?: (?:est|sont|etait|recommandee?s?|journaliere?s?|quotidienne?s?"
    r"|autorisee?s?|unitaires?|totale?s?|toleree?s?|fixee?s?|conseillee?s?|possible|admise)){0,3}"
)
_MIN = _MAX.replace("maxim", "minim")
_NEARLY = r"(?: (?:a peu pres|environ|presque|quasiment))?"
_WHAT = r"(?: (?:la|le|les|sa|cette|ces) [a-z]+(?: [a-z]+)?)?"  # « diviser la dose par deux »

# Signs by family; the words of each are alternatives of one pattern, the longer first.
_WORDS = (
    ("<=", rf"(?:inferieure?s?|egale?s?) ou (?:egale?s?|inferieure?s?) {_TO}|au (?:plus|maximum)"
           rf"|{_MAX}|maxi|max\.?|jusqu'{_TO}|(?:sans|ni) (?:jamais )?{_BEYOND}er"
           rf"|(?:ne |n')(?:\w+ ){{0,3}}?(?:pas|jamais)(?: (?!necessaire)\w+){{0,2}}?"
           rf" (?:a |d')?(?:etre )?{_BEYOND}\w+"
           rf"|(?:ne |n'){_BEYOND}\w+ {_NOT}|n'excedant pas|ne depassant pas"
           rf"|(?:ne |n')(?:\w+ ){{0,2}}?{_NOT} etre superieure?s? {_TO}"
           rf"|(?:pas|jamais) plus d[e']|plafonnee?s? {_TO}|plafond|dans la limite d[e']|limitee?s? {_TO}"),
    (">=", rf"(?:superieure?s?|egale?s?) ou (?:egale?s?|superieure?s?) {_TO}|au (?:moins|minimum)"
           rf"|{_MIN}|mini|min\.|a partir d[eu'](?:s(?= ))?|pas moins d[e']"),
    ("<", rf"(?:strictement )?inferieure?s?(?: strictement)? {_TO}|inf\.? {_TO}|moins d[e']"
          rf"|(?:en|au)(?: |-)?dessous d[e']|en deca d[e']|avant l'age d[e']"),
    (">", rf"(?:strictement )?superieure?s?(?: strictement)? {_TO}|sup\.? {_TO}|plus d[e']"
          rf"|au(?: |-)?dessus d[e']|au(?: |-)?dela d[e']|excedant|excede(?:nt|r)?"
          rf"|depasse(?:nt|ra)?|depassant"),
    ("≈", r"environ|approximativement|pres d[e']|de l'ordre d[e']|autour d[e']|aux alentours d[e']"
          r"|a peu pres|approx\."),
    ("entre", r"entre"),
    ("tous", r"tou(?:te)?s les|chaque"),
    ("×", rf"multipli(?:e|ee|es|ees|er|ez|ant){_WHAT}{_NEARLY} par|multiplication par"),
    ("±", r"plus ou moins"),
    ("÷", rf"divis(?:e|ee|es|ees|er|ez|ant){_WHAT}{_NEARLY} par|division par"),
)  # fmt: skip
_GROUPS = ("le", "ge", "lt", "gt", "about", "between", "every", "times", "margin", "over")
_SIGN_OF = dict(zip(_GROUPS, (sign for sign, _ in _WORDS), strict=True))
_PATTERN = re.compile(
    (
        "(?:"
        + "|".join(f"(?P<{g}>{p})" for g, (_, p) in zip(_GROUPS, _WORDS, strict=True))
        + r")(?![a-z0-9])"
    ).replace(" ", r"[ \n]{1,3}")
)
FIRST_WORDS = frozenset(
    (
        "jamais inferieur inferieure inferieurs inferieures egal egale egaux egales au maximum maximale "
        "maximales maximal maximaux maxima maxi max jusqu sans ni ne n pas plafonne plafonnee "
        "plafonnes plafonnees plafond dans limite limitee limites limitees superieur superieure "
        "superieurs superieures minimum minimale minimales minimal minimaux minima mini min a "
        "moins en avant plus excedant excede excedent exceder depassant depasse depassent "
        "depassera environ approximativement pres de autour aux approx entre tous toutes chaque "
        "strictement inf sup multiplie multipliee multiplies multipliees multiplier multipliez "
        "multipliant multiplication divise divisee divises divisees diviser divisez divisant "
        "division "
    ).split()
)
"""Folded first words of a phrase ``read_phrase`` may read."""

_SIGN = re.compile(
    r"(?:(?P<le><=|=<|≤|[<] ?ou ?=|≤ ?ou ?=)|(?P<ge>>=|=>|≥|[>] ?ou ?=)|(?P<lt><)"
    r"|(?P<gt>>)|(?P<about>≈|~|≃)|(?P<margin>±|\+/-))"
)
_SUFFIX = re.compile(
    r"(?P<open>[ \n]?[,(]?)[ \n]?(?:"
    r"(?P<ge>(?:ou|et)[ \n]{1,3}(?:plus|davantage|au[- ]dela)|au moins|au minimum"
    r"|minimum|minimales?|mini\b|et au[- ]dessus)"
    r"|(?P<le>(?:ou|et)[ \n]{1,3}moins|au (?:plus|maximum)|maximum|maximales?|maxi\b"
    r"|max\b|et au[- ]dessous)"
    r"|(?P<about>environ|approximativement))(?![a-z])"
)
# What may stand between a comparator and its number.
_FILLER = re.compile(
    r"[ \n]{0,2}(?::[ \n]?)?(?:(?:un total |une dose |un seuil )?(?:de |d'|a |au |a la"
    r" |des |du |les |la |le |l'|cet? )){0,2}"
)


def read_phrase(low: str, pos: int) -> tuple[str, int] | None:
    """(sign, end) of the comparator in words at ``pos``; 'entre', 'tous', '×', '÷', '±' are frames."""
    found = _PATTERN.match(low, pos)
    if not found:
        return None
    return _SIGN_OF[found.lastgroup or ""], found.end()


def read_sign(low: str, pos: int) -> tuple[str, int] | None:
    """(sign, end) of the comparator sign at ``pos``."""
    found = _SIGN.match(low, pos)
    if not found:
        return None
    return _SIGN_OF[found.lastgroup or ""], found.end()


def read_suffix(low: str, pos: int) -> tuple[str, int] | None:
    """(sign, end) of a comparator after a quantity (« 75 ans et plus »), never before a number."""
    found = _SUFFIX.match(low, pos)
    if not found:
        return None
    sign = {"ge": ">=", "le": "<=", "about": "≈"}[found.lastgroup or ""]
    return sign, found.end()


def gap_end(low: str, pos: int) -> int:
    """Where a number bound to a comparator that ends at ``pos`` must start."""
    found = _FILLER.match(low, pos)
    return found.end() if found else pos
