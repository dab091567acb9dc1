"""Whether a criterion mentioned in a question is said present, absent, or left in doubt."""

from __future__ import annotations

import re
from enum import Enum

_BOUNDARY = re.compile(r"[.;\n]|\bmais\b|\bavec\b|\bpar contre\b")
_CUE = re.compile(
    r"\b(?:pas(?! ?(?:[<>=:]|a|de|est a)? ?\d)|sans|ni|aucune?s?|absence|jamais|nie|non"
    r"|exclue?|elimine|indemne|negatif|negative|ne presente pas|n'a pas)\b"
)
_ITEM_LINK = re.compile(r"^ *(?:de |d'|ni |ou |et (?:de |d'|ni ))")
_AFTER_NO = re.compile(
    r"^ ?(?:(?:pas|plus|jamais)\b(?! (?:de\b|d'|[<>=:]? ?\d))"
    r"|(?:[:=(-] ?)?(?:non(?! (?:control|equil))|absente?s?|negati[fv]e?s?|0(?!\d|[.,]\d)|aucune?"
    r"|exclue?)\b"
    r"|[:=(] ?-(?!\d)| ?-(?= ?(?:[,;)]|$))|-(?= ))"
)
_AFTER_YES = re.compile(r"^ ?(?:[:=(-] ?)?(?:oui\b|presente?s?\b|\+)")
_AFTER_DOUBT = re.compile(
    r"^ ?(?:\(? ?\?(?! *$)|possible\b|probable\b|eventuel)"
    r"|^(?: [a-z'-]+){0,3} (?:en remission|gueri\w*|sevre\w*)"
)
"""A question mark at the very end closes the question; anywhere else it is a doubt."""
_BEFORE_DOUBT = re.compile(
    r"(?:suspicion|suspect\w*|possible|eventuel\w*|doute\w*|recherche[rz]?)\b"
    r"(?: (?:de|d'|une?|du|la|le|l'|des|sur))*[ ']*$"
)
_OTHERS = re.compile(
    r"\b(?:pere|mere|frere|soeur|oncle|tante|parents?|famil\w+|mari|conjoint\w*|fils|cousine?)\b"
    r"[^.;,]{0,30}$"
)
_AFTER_OTHERS = re.compile(
    r"^ ?(?:familia\w+|(?:chez|de) (?:son|sa|le|la|un|ses) "
    r"(?:pere|mere|frere|soeur|oncle|parents?|fils))"
)
_NOT_SAID = re.compile(
    r"\b(?:(?:risque|prevention|depistage|allergi\w*|intoleran\w*|contre-?indication)"
    r"(?: (?:a|au|aux|de|du|des|la|les|eleve|majeur|l'|d'))*"
    r"|(?:faut-il|peut-on|puis-je|dois-je|donner|prescrire|introduire|debuter)[^.?;,]{0,25})[ ']*$"
)
"""A risk, an allergy or a treatment that is asked about says nothing of the patient's state."""
_ADJECTIVE = re.compile(
    r"(?:iques?|eurs?|euses?|[iy]ses?|fuse?s?|ues?|u|ntes?|aires?|ifs?|ives?|ile|riens?|rienne)$"
)
"""« non diabétique » denies; in « diabète non AVC oui » the « non » is not about the stroke."""
_MAX_DISTANCE = 70


class Polarity(Enum):
    """What a mention says; OTHER: it is not about the patient's present state."""

    PRESENT = "présent"
    ABSENT = "absent"
    DOUBT = "incertain"
    OTHER = "autre"


def polarity(text: str, start: int, end: int) -> Polarity:
    """Polarity of the mention ``text[start:end]`` (folded text)."""
    before, after = text[:start], text[end:]
    if _OTHERS.search(before) or _AFTER_OTHERS.match(after) or _NOT_SAID.search(before):
        return Polarity.OTHER
    if _AFTER_YES.match(after):
        return Polarity.PRESENT
    if _AFTER_NO.match(after):
        return Polarity.ABSENT
    if _AFTER_DOUBT.match(after) or _BEFORE_DOUBT.search(before):
        return Polarity.DOUBT
    if re.search(r"\bnon $", before) and not _ADJECTIVE.search(text[start:end]):
        return Polarity.DOUBT
    return Polarity.ABSENT if _negated(before, after) else Polarity.PRESENT


def _negated(before: str, after: str) -> bool:
    limit = max((m.end() for m in _BOUNDARY.finditer(before)), default=0)
    cues = list(_CUE.finditer(before, limit))
    if not cues:
        return False
    cue = cues[-1]
    between = before[cue.end() :]
    if len(between) > _MAX_DISTANCE:
        return False
    if cue.group() == "non" and between.strip(" -"):
        return False
    if _crosses_verdict(between):
        return False
    items = between.split(",")
    if len(items) == 1:
        return not re.search(r"\bet\b(?! (?:de|d'|ni))", between)
    linked = all(_ITEM_LINK.match(item) for item in items[1:] if item.strip())
    if linked and (items[-1].strip() or _closes_with_or(after)):
        return True
    return _listed_with_or(items, after)


def _crosses_verdict(between: str) -> bool:
    """A value or a « oui » between the cue and the mention ends the scope of the cue."""
    return bool(re.search(r"\boui\b|\d|:", between))


def _listed_with_or(items: list[str], after: str) -> bool:
    """« sans HTA, diabète ou AVC »: « ou » (or « ni ») carries the negation over the list."""
    short = all(len(item.split()) <= 4 for item in items)
    return short and (bool(re.search(r"\b(?:ou|ni)\b", items[-1])) or _closes_with_or(after))


def _closes_with_or(after: str) -> bool:
    rest = re.split(r"[.;:?\n]|\bet\b", after, maxsplit=1)[0]
    return bool(re.match(r"^(?:[^,]{0,25},){0,4}[^,]{0,25} (?:ou|ni) ", rest))
