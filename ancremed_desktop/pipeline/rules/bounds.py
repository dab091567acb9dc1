"""How a value is bounded: by signs, by words, by a denied verb of exceeding."""

from __future__ import annotations

import re

from ancremed_desktop.text.clauses import Reading, Role
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.quantities import Quantity

_SIGNS = {"<": "<", ">": ">", "<=": "≤", ">=": "≥", "≤": "≤", "≥": "≥"}
_BEFORE: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (bound, re.compile(rf"(?:{pattern})\s*[:(]?\s*(?:a |de |d'|un |une |la |le |les |l'|age de "
        rf"|environ |score de |valeur de |du |debut d[eu] |fin d[eu] "
        r"|(?:dose|posologie|duree|quantite)(?: [a-z]+){0,2} (?:de |d'))*$"))
    for bound, pattern in (
        ("w", r"dans (?:les|l'|la|le)(?: premieres?| premiers?)?|d'ici|en moins de|au cours des"
            r"|durant|pendant"),
        ("a", r"apres|au bout de|passe|passes|passees?|au terme de|a l'issue de|au-dela des|suit"),
        ("b", r"avant|avant (?:la|le|l')|d'ici a"),
        ("≤", r"(?:ne |n')(?:doi(?:t|vent) |faut |peu(?:t|vent) )?(?:pas|jamais) (?:etre "
            r")?(?:depasser|exceder)|sans (?:jamais )?(?:depasser|exceder)|(?:ne|n') "
            r"?(?:depasse(?:nt)?|excede(?:nt)?) (?:pas|jamais)"
              r"|inferieure?s? ou egale?s? a|au plus|au maximum|maximum|maximale?s?(?: est)?(?: "
              r"de)?|jusqu'aux?|jusqu'au|jusqu'a|jusque|plafond\w*|limitee? a|(?:pas|jamais) plus d(?:e|')|n'excedant pas|ne "
              r"depassant pas|au plus tard|max|pas au-dela(?: de)?|pas plus tard que"),
        ("≥", r"superieure?s? ou egale?s? a|au moins|au minimum|minimum|minimale?s?|a partir de"
            r"|a partir d['u]|a compter de|(?:debut\w*|commenc\w*|demarr\w*) (?:a|vers|des) l'age"
            r" de|pas moins de|d'au moins|atteint(?! environ)|atteignant"),
        ("<", r"inferieure?s? a|moins de|moins d'|sous|en dessous de|au-dessous de|dessous de|en "
            r"deca de|n'atteint pas|sous le seuil de|plus bas que|plus petite? que|au "
            r"dessous de|de moins de|inferieure? au seuil de"),
        (">", r"superieure?s? a|plus de|plus d'|au-dela de|au dela de|au-dela|depass\w+"
            r"|excede\w*|excedant|au-dessus de|au dessus de|dessus de|plus (?:eleve|haut|grand)\w* que"
            r"|franchi\w*|passant"),
    )
)  # fmt: skip
_MEASURED: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (
        bound,
        re.compile(
            rf"\b(?:{pattern})(?:une?|la|le|les) (?:[\w-]+ ){{1,4}}?(?:de |d'|a |est de )?$"
        ),
    )
    for bound, pattern in (
        ("≥", r"a partir d[e'u] ?|des(?= un)"),
        (">", r"au-dela d[e'u] ?|au-dessus d[e'u] ?"),
        ("<", r"en dessous d[e'u] ?|au-dessous d[e'u] ?|sous "),
    )
)
"""« à partir d'un INR de 10 »: the bound stands before what is measured."""
_AFTER: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (bound, re.compile(rf"\s*\(?(?:{pattern})"))
    for bound, pattern in (
        (
            "≥",
            r"(?:(?:ans|mois|kg|points?|criteres?|d(?:e |')[\w-]+|[\w/%]+) )?(?:et|ou) (?:plus|davantage|au-dela"
            r"|au-dessus)\b|(?!si |avec )(?:(?:\w+ )?|(?:plus tot|plus tard|d'(?:ecart|intervalle|avance)|avant|apres) )"
            r"(?:au moins|au minimum|minimum|ou plus|et plus)\b(?! \d)",
        ),
        (
            "≤",
            r"(?:(?:est|sont|constituent?|representent?|constitue|represente) (?:la |le |une |un )?(?:maxim\w+|plafond|limite"
            r"|dose maxim))|(?:\w+ )?(?:au plus|au maximum|maximum|ou moins|et moins|max)\b|(?:\w+ )?(?:et|ou) "
            r"(?:moins|en dessous)\b",
        ),
        (">", r"(?:passes|revolus|depasses)\b"),
        ("pb", r"(?:avant|plus tot)\b"),
        ("pa", r"(?:apres|plus tard|suivant)\b"),
    )
)
_MARGIN = re.compile(r"\s*plus ou moins\b")
_NOT_BEYOND = re.compile(
    r"\b(?:sans|ne pas|ne (?:\w+ )?(?:pas|jamais)) (?:\w+ )?(?:aller|passer|monter|donner|prendre"
    r"|administrer|injecter|perfuser|prescrire) (?:\w+ ){0,3}?(?:au-dela|au dela|plus)(?: de| d')"
    r"(?: la| l')?\s*$"
)
_NOT_BELOW = re.compile(
    r"\b(?:sans|ne pas|ne (?:\w+ )?(?:pas|jamais)) (?:\w+ )?(?:aller|passer|descendre|tomber|baisser)"
    r" (?:sous|en dessous de|au-dessous de|a moins de)(?: la| l')?\s*$"
)
_NOT_REACHED = re.compile(
    r"\b(?:ne |n')(?:\w+ )?(?:pas|jamais) (?:encore )?(?:atteint|atteignent|atteindre|remont|reven|retrouv)\w*"
    r"(?: a| au moins| les| la| le)*\s*$"
    r"|\bn'(?:a|ont) pas (?:encore )?$"
)
_GOES = re.compile(
    r"\b(?:sans|ne pas|ne (?:\w+ )?(?:pas|jamais)) (?:\w+ )?(?:aller|passer|monter|donner|prendre"
    r"|administrer|injecter|perfuser|prescrire|descendre|tomber)(?: \w+)?\s*$"
)
_MAY_REACH = re.compile(
    r"\b(?:peu(?:t|vent)|pouvant|pourra\w*) (?:etre )?(?:monter|atteindre|augmenter|aller|s'elever|grimper"
    r"|porte\w*(?: (?:le |la |les |l')\w+)?|augmente\w*)(?: de| a)?\s*$"
)
_SELDOM = re.compile(
    r"\b(?:depass\w+|exced\w+) (?:rarement|exceptionnellement|peu souvent)\b"
    r"|\b(?:rarement|exceptionnellement)(?: (?:depass|exced)\w+)?\s*$"
)


_FROM_THEN = re.compile(r"\b[Dd]ès (?:l[ea] |les )?(?:(?:début|fin) d(?:u |e la |es |e ))?$")
_RARE = re.compile(r"^[^.;,]*\b(?:est|reste) (?:exceptionnel|rare|inhabituel)")
"""« plus de 5 jours est exceptionnel »."""


def bound_of(reading: Reading, quantity: Quantity, first: int) -> str:
    """How the value whose first word has index ``first`` is bounded.

    '<', '≤', '≥', '>', 'w' (within), 'a' (after), 'b' (before), 'pa' and 'pb' (so long after or
    before something), or ''.

    A bound under a denied or useless predicate is turned round: « il n'est pas nécessaire de
    dépasser 3 g » bounds from above.
    """
    chunk = reading.chunks[reading.chunk_of[first]]
    begin = reading.words[chunk.start].start
    before = fold(reading.text[begin : quantity.start])
    after = fold(reading.text[quantity.end : quantity.end + 40])
    bound = _SIGNS.get(quantity.comparator, "") or _worded(before, after)
    if _FROM_THEN.search(reading.text[begin : quantity.start]):
        bound = "≥"
    if quantity.dimension in _DOSES and _UNDER.search(before) and _DRUG.match(after):
        bound = ""  # « sous 300 mg d'allopurinol »
    if not bound and _SELDOM.search(before):
        return "≤"
    if bound == ">" and (_SELDOM.search(before) or _GOES.search(before)):
        return "≤"
    if bound == ">" and _RARE.search(fold(reading.text[quantity.end : quantity.end + 60])):
        return "≤"
    if (
        chunk.sign < 0
        and bound in _DENIED
        and quantity.dimension in _AMOUNTS
        and _direct(reading, chunk.start, first)
    ):
        return _DENIED[bound]
    if bound == "<" and _GOES.search(before):
        return "≥"
    if bound == ">" and chunk.sign < 0 and _useless(reading, chunk.start, first):
        return "≤"
    return bound


_TURNED = (("≤", _NOT_BEYOND), ("≥", _NOT_BELOW), ("<", _NOT_REACHED), ("≤", _MAY_REACH))
_UNDER = re.compile(r"\bsous\s*$")
_DRUG = re.compile(r" ?(?:par jour )?(?:de |d')[a-z]{5}")
_BRACKET = re.compile(r"\s*\($")
_SINCE = re.compile(r"\b(?:a partir d[eu']|a compter d[eu'])[^.;,()]*$")
_SIGN = re.compile(r"(<=|>=|[<>≤≥])\s*$")


_DOSES = frozenset("mass mass/time mass/mass mass/mass/time UI UI/time UI/mass".split())
_AMOUNTS = _DOSES | {"frequency", "time"}
"""What is given; a denied act « sous 30 mL/min » is denied there, not bounded."""
_DENIED = {">": "≤", "<": "≥"}


def _direct(reading: Reading, start: int, first: int) -> bool:
    """Whether an amount hangs on the denied verb itself, not on a condition."""
    if reading.role[first] is not Role.CORE:
        return False
    denied = next((i for i in range(first - 1, start, -1) if reading.words[i].key == "pas"), -1)
    return denied >= 0 and not any("," in reading.words[i].gap for i in range(denied, first + 1))


def _worded(before: str, after: str) -> str:
    bracket = _BRACKET.search(before)
    if bracket and _SINCE.search(before[: bracket.start()]):
        return "≥"  # « à partir du sixième mois (24 semaines d'aménorrhée) »
    sign = _SIGN.search(before)
    if sign:
        return _SIGNS[sign.group(1)]
    for bound, pattern in (*_TURNED, *_BEFORE, *_MEASURED):
        if pattern.search(before):
            return bound
    if _MARGIN.match(after):
        return ""
    for bound, pattern in _AFTER:
        if pattern.match(after):
            return bound
    return ""


def _useless(reading: Reading, start: int, first: int) -> bool:
    """Whether « dépasser », « plus de » stands under « pas nécessaire », « rarement utile »."""
    keys = [w.key for w in reading.words[start:first]]
    if any(k.startswith(("necessaire", "utile", "besoin", "inutile", "rarement")) for k in keys):
        return True
    acts = ("donner", "prendre", "depass", "administr", "exced")
    return "pas" in keys and any(k.startswith(acts) for k in keys)
