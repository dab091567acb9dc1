"""Values that must not be taken as the patient's: another person's, signed, or a mere bound."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ancremed_desktop.formulas.patient import PATIENT
from ancremed_desktop.text.french import NBSP

PERSON = (
    r"(?:(?:grand-?)?(?:pere|mere|parents?)|(?:beau|belle)-?(?:pere|mere|frere|soeur)|frere|soeur"
    r"|oncle|tante|cousine?|neveu|niece|mari|conjointe?|epou(?:x|se)|compagn(?:on|e)"
    r"|dont (?:la |le |les |l')(?:femme|filles?|fils|dame|copine|copain|enfants?|bebe|nourrisson|amie?|garcon)"
    r"|(?:sa|leur) (?:femme|fille|dame|copine|petite-?fille)"
    r"|(?:son|ses|leurs?) (?:fils|enfants?|bebe|nourrisson|nouveau-?ne|amie?|copain|foetus|garcon)"
    r"|petit-?fils|voisine?|jum(?:eau|elle)|donneu(?:r|se)|aidante?)"
)
"""A person who is not the patient (folded text)."""

_KIN = re.compile(
    r"\b(?:fils|fille|bru|gendre|tut(?:eur|rice)|ainee?|cadet(?:te)?|belle-fille|beau-fils|infirmiere?)\b"
)
"""Another person too, where somebody else stands for the patient."""
_SOMEBODY = re.compile(r"\b(?:homme|femme|dame|monsieur|madame|mme|mr|patiente?|malade)\b")

_OWN = re.compile(r"\b(?:lui|elle|lui-meme|elle-meme|patiente?|mais|qu'il|il|malade)\b")
"""Words that bring the sentence back to the patient."""
_OTHER = re.compile(rf"(?<!\bmon )(?<!\bma )\b{PERSON}\b(?! (?:de famille|au foyer|porteuse))")
_MEASURE = r"\d[\d.,]* ?(?:ans|mois|kgs?|kilos?|cm|m(?: ?\d\d)?)\b"
_THING = re.compile(
    r"(?:\b(?:son|sa|ses|mon|ma|le|la|les|une?|l')[ ]?(?P<who>[a-z][a-z'-]*)"
    r"|\b(?:sac|valise|colis|chien|chat|charge|bagage)) (?:pesent|pese|pesant|mesure|mesurant)(?= )"
)
"""« son chien pèse 60 kg »: what is measured is neither the patient nor a person."""
_CLAUSE = re.compile(r"[^.;,\n?]*")
_CHAIN = re.compile(rf"(?:[ ,]+(?:agee? de |pesant |mesurant |et )*{_MEASURE})+")
_BEFORE = re.compile(
    rf"(?:{_MEASURE}|(?:\b[a-z][a-z0-9]* ?(?:(?:est )?(?:a|de) |[:=] ?)?)?(?<![\d.,/])\d[\d.,/]*(?: ?[a-zµ°/%]+)?)"
    r" (?:pour|chez|de) (?:la |le |les |l'|une? )?$"
)
_CHILD = re.compile(
    r"(?:(?<=pour l')|(?<=chez l'))enfant\b"
    r"|(?:(?<=pour le )|(?<=chez le ))(?:bebe|nourrisson|nouveau-?ne)\b"
)
"""The other of two patients, when a value stands before: « Glasgow 15 pour l’enfant »."""
_COMPANY = re.compile(
    r"\b(?:vi(?:t|vant)|heberge\w*|habit\w+|log\w+|accompagne\w*|amenee?|adressee?|vue?|venue?"
    r"|avec|par)(?: (?:chez|de|par|avec|la|le))? $"
)
"""The person is only present: what follows the next comma is the patient's."""
_SIGNED = re.compile(
    r"(?:(?<![^\s(:,;=])[-–—](?=\d)|(?:[<>≤≥]=?|\b(?:plus|moins) de|\bau (?:moins|plus)) ?(?=\d))"
    r"\d[\d.,/]*(?: ?m ?\d\d\b| ?[a-zµ°/%]+)?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Aside:
    """A stretch of the question whose values must be asked again; ``doubt`` is French."""

    text: str
    doubt: str


def of_others(text: str) -> tuple[str, tuple[Aside, ...]]:
    """The text with what is said of other persons blanked out, and what was blanked."""
    own, persons = _parted(text, _other_spans(text))
    own, things = _parted(own, _thing_spans(own))
    return own, (*persons, *things)


def of_bounds(text: str) -> tuple[str, tuple[Aside, ...]]:
    """The text with signed or bounded numbers (« -65 ans », « > 65 ans ») blanked out."""
    spans = [
        (*match.span(), f"signe ou borne devant la valeur («{NBSP}{match.group()}{NBSP}»)")
        for match in _SIGNED.finditer(text)
    ]
    return _parted(text, spans)


def _other_spans(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _persons(text):
        before = text[: match.start()]
        start, end = match.start(), _end_of_clause(text, match.end())
        if not _COMPANY.search(re.sub(r"(?:son|sa|ses) $", "", before)):
            chained = _CHAIN.match(text, match.end())
            end = max(end, chained.end() if chained else 0)
            if measured := _BEFORE.search(re.sub(r"(?<= )(?:son|sa|ses) $", "", before)):
                start = measured.start()
        yield start, end, f"valeur d’une autre personne («{NBSP}{match.group()}{NBSP}»)"


def _thing_spans(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _THING.finditer(text):
        if not (match["who"] and PATIENT.fullmatch(match["who"])):
            doubt = f"mesure d’autre chose («{NBSP}{match.group()}{NBSP}»)"
            yield match.start(), _end_of_clause(text, match.end()), doubt


def _persons(text: str) -> Iterator[re.Match[str]]:
    """Mentions of persons who are not the patient."""
    others = list(_OTHER.finditer(text))
    yield from others
    if others or _SOMEBODY.search(text):
        taken = [match.span() for match in others]
        for match in _KIN.finditer(text):
            if not any(start < match.end() and match.start() < end for start, end in taken):
                yield match
    if others:
        yield from (m for m in _CHILD.finditer(text) if _BEFORE.search(text[: m.start()]))


def _end_of_clause(text: str, start: int) -> int:
    clause = _CLAUSE.match(text, start)
    end = clause.end() if clause else start
    own = _OWN.search(text, start, end)
    return own.start() if own else end


def _parted(text: str, spans: Iterable[tuple[int, int, str]]) -> tuple[str, tuple[Aside, ...]]:
    asides = []
    own = text
    for start, end, doubt in spans:
        asides.append(Aside(text=text[start:end], doubt=doubt))
        own = own[:start] + " " * (end - start) + own[end:]
    return own, tuple(asides)
