"""Comparison of quantities apart from their bounds, which the rules judge on their own."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from fractions import Fraction

from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.quantities import Quantity, find_quantities, holds
from ancremed_desktop.text.value_base import after, bare, before
from ancremed_desktop.text.value_forms import (
    HOURS,
    PER_WORDS,
    alike,
    equal_value,
    with_ranges,
)

__all__ = ["NAMED", "alike", "bare", "equal_value", "missing_values", "with_ranges"]

_TIMES_OF_DAY = re.compile(
    r"(?:le )?(?:matin|midi|soir|coucher)(?:(?:,| et|) (?:le |au )?(?:matin|midi|soir|coucher))*"
)
_SINGLE = re.compile(
    r"\b(?:une|en une|d'une) (?:seule )?(?:prise|injection|fois|administration)\b|\buniques?\b"
)
_NOT_A_DOSE = r"(?<!dose )(?<!doses )(?<!posologie )(?<!apport )(?<!quantite )(?<!maximale )"
_ONCE_A = {
    rate: re.compile(
        rf"{_NOT_A_DOSE}\b(?:(?:{adjective})\w*|chaque {noun}|tou(?:te)?s les {plural})\b"
    )
    for rate, adjective, noun, plural in (
        ("jour", "quotidien|journalier", "jour", "jours"),
        ("semaine", "hebdomadaire", "semaine", "semaines"),
        ("mois", "mensuel", "mois", "mois"),
        ("trimestre", "trimestriel", "trimestre", "trimestres"),
        ("semestre", "semestriel", "semestre", "semestres"),
        ("an", "annuel", "annee", "ans"),
    )
}
"""What says « once a … » without a number; « la dose quotidienne » is not one of them."""
_EVERY = {
    ("h", 24): "jour",
    ("h", 168): "semaine",
    ("mois", 1): "mois",
    ("mois", 3): "trimestre",
    ("mois", 6): "semestre",
    ("mois", 12): "an",
}
"""Intervals of one span, by (unit, length): « tous les 3 mois » is « chaque trimestre »."""
_RHYTHMS = {
    ("mois", 2): re.compile(r"\bbimestriel"),
    ("mois", 24): re.compile(r"\bbiennal"),
    ("h", 360): re.compile(r"\b(?:par|chaque) quinzaine\b"),
}
_TWICE_A = {
    "semaine": re.compile(r"\bbi-?hebdomadaire"),
    "mois": re.compile(r"\bbi-?mensuel"),
    "an": re.compile(r"\bbi-?annuel"),
}
_ONE_EACH = re.compile(r" (?:tous|toutes) les \w+")
"""« une fois tous les 3 ans » counts nothing that « tous les 3 ans » does not."""
_OCCASIONS = frozenset({"prise", "injection", "administration", "nebulisation", "perfusion"})
_BETWEEN_TWO = re.compile(r"\bentre (?:les |chaque )?deux(?: \w+)?$")
_THE_TWO = re.compile(r"\b(?:l|d)es $")
_NO_NOUN = re.compile(
    r"\s*(?:[.,;:!?)]|$|(?:sont|doi|peu|ne|n'|se|s'|ensemble|a la fois|simultane|en meme)\b)"
)
"""« les deux sont associés », « associer les deux »: a pronoun, for what was named."""
_DAY_PARTS = re.compile(r"matin|midi|soir|coucher")
_CHANGES = re.compile(
    r"\b(?:pass|augment|diminu|redui|port|mont|descend|baiss|abaiss|major|ramen)\w*[^.;,]{0,24}$"
)
_BEGINS = re.compile(
    r"\b(?:debut\w*|d'abord|initial\w*|commenc\w*|instaur\w*|demarr\w*|introdui\w*|d'emblee"
    r"|premi\w+|1re|1ere|1er|prealabl\w*|avant tout)\b"
)
_FOREMOST = re.compile(r"s? (?:caus|facteur|motif|agent|source|risque|complication|etiologie)")
_MAIN = re.compile(r"\bprincipa(?:l|le|ux|les)\b")
"""« la première cause » is « la principale cause »."""
_STEP = re.compile(r" (?:dose|prise|inject|comprime|perfusion|temps|etape|jour|ligne|administr)")
_REPEATED = re.compile(r"\b(?:renouvel|repet|reiter|reinject|refai)\w*")
_SPELL_OF_ONE = re.compile(r"\bune? (mois|semaine|an|jour)$")
_ONE_YEAR = re.compile(r"\b(?:1|un) an\b|\b12 mois\b|\bdouze mois\b")
_SEQUENCE = re.compile(r"\b(?:puis|ensuite|suivie? de|relaye?)\b")
_MULTIPLIES = {
    2: re.compile(r"\bdouble(?:nt|r|ra)?\b(?! aveugle| insu)"),
    3: re.compile(r"\btriple(?:nt|r|ra)?\b"),
}
_PREFIXED = {
    2: re.compile(r"\bbi(?:valent|therapi)"),
    3: re.compile(r"\btri(?:valent|therapi)"),
    4: re.compile(r"\b(?:quadri|tetra)(?:valent|therapi)"),
}
"""Numbers said by the beginning of a word."""
_ALL_TWO = re.compile(r"\b(?:tous|toutes)(?: les)? $")
_BOTH_SIDES = re.compile(r"\bbilateral|\bles deux\b|\bchacune?\b(?! des?\b)")
_ONCE_THAT = re.compile(
    r" (?:que |qu'|la |le |les |l'|(?:cel(?:ui|le)|ceux|celles)\b|(?:son|sa|ses|leurs?|ce|cet|cette|ces) "
    r"|(?!par\b|dans\b|tou|chaque)\w+(?:e|ee|es|ees|i|ie|is|u|ue|us|ite|its)[ ,](?!fois))"
)
"""« une fois le déficit corrigé » is « when », no number."""
_THESE = re.compile(r"\b(?:ces|tous les|toutes les|les) $")
_PAIR = re.compile(r" (?:et|ou|ni) ")
"""« ni A ni B : ces deux voies … » counts what the sentence named itself."""
_FROM_ONE = re.compile(r"\bd'$")
_TO_NEXT = re.compile(r" a l'autre")
"""« d'une semaine à l'autre » counts nothing."""
_SPELL = re.compile(r"\b(jours|semaines|mois)$")
_SPELT = {
    "c1g": r"cephalosporines? (?:\w+ )?de (?:premiere|1re|1ere) generation",
    "c2g": r"cephalosporines? (?:\w+ )?de (?:deuxieme|seconde|2e|2eme) generation",
    "c3g": r"cephalosporines? (?:\w+ )?de (?:troisieme|3e|3eme) generation",
    "ara2": r"sartans?|recepteurs? (?:a|de) l'angiotensine",
    "spo2": r"saturation",
    "hba1c": r"hemoglobine glyquee",
    "b9": r"acide folique|folates?",
    "b12": r"cobalamine",
    "isglt2": r"gliflozines?",
    "aglp1": r"(?:agonistes?|analogues?) du (?:recepteur du )?glp-?1",
}
"""Abbreviations that hold a digit, as the whole words say them."""
_CASES = frozenset({"type", "stage"})
NAMED = frozenset({"name", "reference"}) | _CASES
"""Dimensions that name a thing: it may be named once for the whole passage."""


def missing_values(text: str, support: str, passage: str) -> tuple[Quantity, ...]:
    """Quantities of ``text`` that ``support`` does not hold.

    ``passage``: where a name written with digits (CHA2DS2-VA, type 2) may be found as well.
    """
    said = find_quantities(text)
    if not said:
        return ()
    held = with_ranges(find_quantities(support))
    names = any(q.dimension in NAMED for q in said)
    named = [q for q in find_quantities(passage) if q.dimension in NAMED] if names else []
    plain = [bare(q) for q in held]
    return tuple(
        q
        for q in said
        if not (q.dimension and holds(plain, bare(q)))
        and not any(alike(q, text, other, support) for other in held)
        and not (_name_of_all(q, held) and any(equal_value(q, n) for n in named))
        and not _said_otherwise(q, text, support, held)
    )


def _name_of_all(quantity: Quantity, held: Sequence[Quantity]) -> bool:
    """Whether the whole passage may name it: not « stade 4 » where the quote says « stade 3 »."""
    rivals = quantity.dimension in _CASES and any(h.dimension == quantity.dimension for h in held)
    return quantity.dimension in NAMED and not rivals


def _spelt_out(quantity: Quantity, support: str) -> bool:
    """« C3G » where the source writes « céphalosporine de troisième génération »."""
    spelt = _SPELT.get(quantity.unit) if quantity.dimension == "name" else None
    return bool(spelt and re.search(spelt, support))


def _said_otherwise(quantity: Quantity, text: str, support: str, held: Sequence[Quantity]) -> bool:
    written, plain, folded = fold(quantity.text), bare(quantity), fold(support)
    single = plain.low if plain.low == plain.high else None
    if _same_rhythm(plain, single, folded):
        return True
    if _occasions(quantity, text, held) or _spelt_out(quantity, folded):
        return True
    if _change_between(quantity, text, held):
        return True
    if written == "une fois" and _ONCE_THAT.match(after(quantity, text, 24)):
        return True
    if written in {"une fois", "1 fois"} and _ONE_EACH.match(after(quantity, text, 24)):
        return True
    if _FROM_ONE.search(before(quantity, text, 4)) and _TO_NEXT.match(after(quantity, text, 10)):
        return True
    if (
        written == "deux"
        and _THE_TWO.search(before(quantity, text, 5))
        and _NO_NOUN.match(after(quantity, text, 14))
    ):
        return True
    if not quantity.dimension and single == 2 and _THESE.search(before(quantity, text, 6)):
        return bool(_PAIR.search(fold(text[: quantity.start])))
    if quantity.dimension == "time" and single == _DAY and _eve(quantity, text, folded):
        return True
    if single == 1 and _next_spell(written, folded):
        return True
    if quantity.dimension == "ordinal" and single == 2 and _REPEATED.search(folded):
        return bool(_STEP.match(after(quantity, text, 14)))
    if _BETWEEN_TWO.search(before(quantity, text, 12) + written):
        return True
    if _TIMES_OF_DAY.fullmatch(written):
        return set(_DAY_PARTS.findall(written)) <= set(_DAY_PARTS.findall(folded))
    if quantity.dimension == "ordinal" and single == 1:
        return _structural_first(quantity, text, folded)
    if single is None:
        return False
    if written.startswith(("un ", "une ")) and single == 1:
        # « un comprimé » where the source says « un nouveau comprimé », « une seule prise »
        unit = written.split()[-1]
        if quantity.dimension == "frequency" and quantity.per:
            rate = PER_WORDS.get(quantity.per[0])
            return bool(rate and rate.search(folded) and _SINGLE.search(folded))
        if unit == "fois" and _SINGLE.search(folded):
            return True
        counted = any(h.dimension == "count" and h.unit == quantity.unit for h in held)
        return quantity.dimension == "count" and unit[:5] in folded and not counted
    if quantity.dimension == "factor":
        verb = _MULTIPLIES.get(int(single))
        return bool(verb and verb.search(folded))
    if not quantity.dimension and single == 2 and _BOTH_SIDES.search(folded):
        return True
    if not quantity.dimension and int(single) in _PREFIXED:
        if _PREFIXED[int(single)].search(folded):
            return True
        if single == 2 and _ALL_TWO.search(before(quantity, text, 12)):
            return " et " in folded or " avec " in folded
    return _lasts_listed_weeks(plain, written, folded)


def _same_rhythm(plain: Quantity, single: Fraction | None, support: str) -> bool:
    """« une fois par an », « tous les 6 mois » where the source has « annuel », « semestriel »."""
    said: re.Pattern[str] | None = None
    if plain.dimension == "frequency" and len(plain.per) == 1:
        said = {1: _ONCE_A, 2: _TWICE_A}.get(int(single or 0), {}).get(plain.per[0])
    elif plain.dimension == "interval" and single is not None and not plain.per:
        span = (plain.unit, int(single))
        said = _RHYTHMS.get(span) or _ONCE_A.get(_EVERY.get(span, ""))
    return bool(said and said.search(support))


def _occasions(quantity: Quantity, text: str, held: Sequence[Quantity]) -> bool:
    """« trois prises quotidiennes », « 3 injections par jour » of what is given 3 times a day."""
    if quantity.unit not in _OCCASIONS or bare(quantity).low is None:
        return False
    plain = bare(quantity)
    for other in map(bare, held):
        same = (other.low, other.high) == (plain.low, plain.high)
        if other.dimension != "frequency" or len(other.per) != 1 or not same:
            continue
        rate = PER_WORDS.get(other.per[0])
        said = rate and rate.match(after(quantity, text, 20).lstrip())
        if quantity.per == other.per or (not quantity.per and said):
            return True
    return False


_DAY = 24
_EVES = (
    (re.compile(r" (?:avant|plus tot|auparavant)\b"), re.compile(r"\bveille\b")),
    (re.compile(r" (?:apres|plus tard)\b"), re.compile(r"\blendemain\b")),
)


def _eve(quantity: Quantity, text: str, support: str) -> bool:
    """« un jour avant » is « la veille », « un jour après » is « le lendemain »."""
    rest = after(quantity, text, 12)
    return any(side.match(rest) and day.search(support) for side, day in _EVES)


def _next_spell(written: str, support: str) -> bool:
    """« un mois après l'arrêt » of what holds for « le mois suivant »."""
    spell = _SPELL_OF_ONE.search(written)
    if spell is None:
        return False
    unit = spell.group(1).replace("an", "annee")
    return bool(re.search(rf"\b(?:le|la|l')\s?{unit} (?:suivante?|d'apres|qui suit)\b", support))


def _change_between(quantity: Quantity, text: str, held: Sequence[Quantity]) -> bool:
    """« passe de 5 à 10 mg » where the source gives 5 mg, then 10 mg."""
    if quantity.low == quantity.high or quantity.low is None or quantity.high is None:
        return False
    if not _CHANGES.search(before(quantity, text, 40)):
        return False
    ends = [
        dataclasses.replace(quantity, comparator="", low=end, high=end)
        for end in (quantity.low, quantity.high)
    ]
    return all(any(equal_value(end, other) for other in held) for end in ends)


def _structural_first(quantity: Quantity, text: str, support: str) -> bool:
    """« en premier lieu », « les premiers symptômes »: a beginning that the source tells too."""
    if _BEGINS.search(support):
        return True
    if _FOREMOST.match(after(quantity, text, 16)) and _MAIN.search(support):
        return True
    if after(quantity, text, 8).startswith(" annee") and _ONE_YEAR.search(support):
        return True
    return bool(_STEP.match(after(quantity, text, 14)) and _SEQUENCE.search(support))


def _lasts_listed_weeks(plain: Quantity, written: str, support: str) -> bool:
    """« pendant les semaines 1 et 2 » lasts two weeks."""
    spell = _SPELL.search(written)
    if spell is None or plain.dimension not in {"time", "calendar"} or plain.low is None:
        return False
    number = plain.low / HOURS[spell.group(1)[:4]]
    return number > 1 and bool(re.search(rf"\b{spell.group(1)} 1 (?:et|a) {number}\b", support))
