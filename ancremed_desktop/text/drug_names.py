"""Names by which a question may call a drug: denomination, brand, substances without their salt.

The salt or hydrate is dropped from a substance's name (« CHLORHYDRATE DE TRAMADOL » and
« TRAMADOL (CHLORHYDRATE DE) » are both tramadol), unless nothing but a mineral would be left
(« CHLORURE DE SODIUM »).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ancremed_desktop.text.normalise import fold

_ANIONS = (
    "monochlorhydrate dichlorhydrate trichlorhydrate chlorhydrate bromhydrate iodhydrate "
    "hemisulfate hydrogenosulfate bisulfate sulfate hydrogenophosphate dihydrogenophosphate "
    "phosphate nitrate acetate citrate hydrogenotartrate bitartrate tartrate hemitartrate "
    "hydrogenomaleate maleate malate hemifumarate hydrogenofumarate fumarate hydrogenosuccinate "
    "hemisuccinate succinate mesilate mesylate dimesilate besilate besylate tosilate tosylate "
    "esilate edisylate gluconate lactobionate lactate stearate palmitate pamoate embonate "
    "valerate propionate dipropionate furoate bromure iodure chlorure carbonate hydrogenocarbonate "
    "benzoate salicylate oxalate napsylate xinafoate decanoate enantate enanthate undecylenate "
    "glutamate aspartate isetionate di-isetionate adipate hippurate orotate pidolate "
    "camsilate camsylate hyclate lysinate digluconate "
    "hexacetonide butylbromure caproate hexanoate pivalate butyrate acetonide diacetate"
).split()
_COUNTER_IONS = (
    "sodique monosodique disodique trisodique tetrasodique potassique monopotassique "
    "dipotassique calcique dicalcique hemicalcique magnesique zincique meglumine erbumine "
    "trometamol tert-butylamine olamine"
).split()
_STATES = (
    "base anhydre monohydrate monohydratee dihydrate dihydratee trihydrate trihydratee hydrate "
    "hydratee hemihydrate hemihydratee sesquihydrate sesquihydratee pentahydrate pentahydratee "
    "hemipentahydrate hemipentahydratee heptahydrate heptahydratee hexahydrate hexahydratee "
    "tetrahydrate tetrahydratee micronise micronisee racemique amorphe"
).split()
_MINERALS = frozenset(
    "sodium potassium calcium magnesium zinc fer aluminium lithium ammonium cuivre argent or "
    "manganese bismuth strontium baryum cobalt selenium chrome gallium iode fluor ferreux "
    "ferrique benzyle methyle ethyle mercure plomb or cerium lanthane thallium rubidium "
    "choline betaine hydrogene".split()
)
_ANION = "|".join(sorted(_ANIONS, key=len, reverse=True))
_TRAILING = re.compile(rf"(?:\s+(?:{'|'.join(_COUNTER_IONS + _STATES)}))+$")
_PREFIX = re.compile(rf"(?:{_ANION})(?:\s+(?:acide|neutre|double))?\s+(?:de\s+l'|de\s+|d')(.+)$")
_SUFFIX = re.compile(rf"\s+(?:{_ANION})$")
_PARENTHESIS = re.compile(r"\s*\([^()]*\)\s*$")
_SALT_PARENTHESIS = re.compile(rf"\((?:{_ANION}|base|anhydre|sel)\b[^()]*\)")
_OF_MINERAL = re.compile(r"\s+de\s+(?:sodium|potassium|calcium|magnesium|lithium|zinc)$")
_ACID_LAST = re.compile(r"^(\S+) \(acide\)")
_UNFINISHED = re.compile(r"(?:\bde|'|-\d+|-)$")
_HOMEOPATHIC = "pour preparations homeopathiques"
_SALT_WORD = re.compile(rf"\b(?:{_ANION}|{'|'.join(_COUNTER_IONS)})\b")

_LETTERS = re.compile(r"[^\W\d_]")
_CUT_WORDS = frozenset(
    "enfant enfants nourrisson nourrissons adulte adultes lp l.p. l.p sans".split()
)
_HEAD_END = re.compile(r",(?!\d)")  # not the comma of « 2,5 mg »
_MIN_LETTERS = 3
_LETTERED_NUMBER = re.compile(r"\d")


@lru_cache(maxsize=8192)
def substance_words(name: str) -> str:
    """A substance in lower case, but for single letters and what holds digits (« B12 »)."""
    return " ".join(_lowered(word) for word in name.split())


def _lowered(word: str) -> str:
    if len(word) == 1 and word.isascii():
        return word
    return "-".join(
        part if _LETTERED_NUMBER.search(part) else part.lower() for part in word.split("-")
    )


@lru_cache(maxsize=8192)
def is_homeopathic(substance: str) -> bool:
    """Whether a substance is a homeopathic stock."""
    return _HOMEOPATHIC in fold(substance)


@lru_cache(maxsize=8192)
def is_salt(substance: str) -> bool:
    """Whether a substance is named as a salt or ester of another, minerals left out."""
    return _SALT_WORD.search(fold(substance)) is not None and bare_substance(
        substance
    ) != substance_words(substance)


@lru_cache(maxsize=8192)
def bare_substance(substance: str) -> str:
    """A substance in lower case without its salt, hydrate or form."""
    whole = _ACID_LAST.sub(r"acide \1", substance_words(substance))
    folded = fold(whole)
    if len(folded) != len(whole):  # œ, æ: offsets would not carry over
        return whole
    start, end = 0, len(folded)
    end = _strip_end(folded, start, end)
    prefix = _PREFIX.match(folded[:end])
    if prefix is not None:
        start = prefix.start(1)
        end = _strip_end(folded, start, end)
    rest = folded[start:end].strip()
    if rest.split(" ")[0] in _MINERALS or len(rest) < _MIN_LETTERS or _UNFINISHED.search(rest):
        return whole
    return whole[start:end].strip()


def _strip_end(folded: str, start: int, end: int) -> int:
    """Where the name ends once states, counter-ions and salts in parentheses are off."""
    while True:
        before = end
        for pattern in (_PARENTHESIS, _TRAILING, _SUFFIX):
            found = pattern.search(folded, start, end)
            if found is None or found.start() <= start or found.end() != end:
                continue
            if pattern is _PARENTHESIS and not _SALT_PARENTHESIS.search(found[0]):
                continue
            end = found.start()
        if end == before:
            return end


def brand_names(denomination: str) -> tuple[str, ...]:
    """Brand as written before the strength, then without what follows it (LP, ENFANTS)."""
    head = _HEAD_END.split(denomination, maxsplit=1)[0].strip()
    kept: list[str] = []
    for position, word in enumerate(head.split()):
        if position and word[0].isdigit():
            break
        kept.append(word)
    full = " ".join(kept).strip(" .-")
    short: list[str] = []
    for position, word in enumerate(kept):
        if position and fold(word) in _CUT_WORDS:
            break
        short.append(word)
    candidates = [full, " ".join(short).strip(" .-")] if _usable(full) else [head]
    numbered = head.split()
    if len(numbered) == len(kept) + 1 and numbered[-1].isdecimal():
        candidates.insert(0, head)  # « GARDASIL 9 »: the number is part of the brand
    return tuple(dict.fromkeys(name for name in candidates if _usable(name)))


def _usable(name: str) -> bool:
    return len(_LETTERS.findall(name)) >= _MIN_LETTERS


def drug_names(denomination: str, substances: Iterable[str]) -> tuple[str, ...]:
    """Denomination, brands, substances (bare); homeopathic stocks are named only in the text."""
    names = [denomination, *brand_names(denomination)]
    for substance in substances:
        if is_homeopathic(substance):
            continue
        bare = bare_substance(substance)
        names.append(bare)
        mineral = _OF_MINERAL.search(fold(bare))
        if mineral is not None and fold(bare)[: mineral.start()] not in _ANIONS:
            names.append(bare[: mineral.start()])
    unique = {fold(name): name for name in reversed(names) if _usable(name)}
    return tuple(name for name in dict.fromkeys(names) if unique.get(fold(name)) == name)
