"""The case a question names beside a drug, and which sentences hold for it.

What forbids a drug in the case asked goes before any dose of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import IntEnum

from ancremed_desktop.domain.plans import Question, Range, Subject
from ancremed_desktop.pipeline.bearing import DOSE, names_drug
from ancremed_desktop.pipeline.holding import holds
from ancremed_desktop.pipeline.laboratory import ranges_in, values_told
from ancremed_desktop.pipeline.plain_values import plain_values
from ancremed_desktop.pipeline.population import (
    DEFAULTS,
    RESTRICTING,
    groups,
    is_of_another_age,
    without_failing_organ,
)
from ancremed_desktop.text.normalise import fold

_FORBIDDING = ("contre-indications", "grossesse et allaitement")
"""Sections that say in which case a drug is not given."""
MAY_FORBID = frozenset({*_FORBIDDING, "surveillance", "posologie", "traitement"})
"""Sections of which a sentence may forbid, or say when to stop."""
_FAILS = re.compile(r"\binsuffisan\w* renale?s?\b(?! aigu)")
WITH = re.compile(r"\bassociations? (?:avec|a|aux?)\b(?P<what>(?:(?!,? en raison|,? car )[^.;])*)")
"""What a sentence forbids a drug with, less why."""
_GROUP = {
    "débit de filtration glomérulaire": "fonction rénale",
    "terme de la grossesse": "grossesse",
}
_DOSED_APART = frozenset({"enfant", "sujet âgé"})
_FORBIDS = re.compile(
    r"(?<!sans )(?<!pas de )(?<!absence de )(?<!sauf )(?<!hors )(?<!absence de toute )"
    r"\bcontre-? ?indi|\bproscri|\bdeconseill|\binterdi"
    r"|\b(?:non|pas|jamais|ni) (?:etre )?(?:recommand|indiqu|commenc|utilis|administr|prescri|donne"
    r"|pris\b|prise\b|associ|debut|inject|melang)|\b(?:a|doit etre|sont|est) evite|\beviter?\b"
    r"|\b(?:est|sont|etre) (?:arrete|suspend|interromp)|\b(?:arreter|suspendre|interrompre)\b"
    r"|\b(?:impos\w+|fait|font|justifi\w+) (?:(?:d.|l.)?arret|(?:de )?suspen)|\btraitement arrete"
)
"""A contraindication, an advice against, or a rule to stop."""
_OF_THE_CARD = re.compile(r"\b(?:non|pas) donnee?s? par cette fiche")
"""What a card does not say of a drug forbids nothing."""


_MILLIGRAMS = {"mg": 1.0, "g": 1000.0, "µg": 0.001, "microgrammes": 0.001}
_DOSE_TOLD = re.compile(
    r"(?<![\w,.])(?P<number>\d+(?:[.,]\d+)?) ?(?P<unit>mg|g|µg|microgrammes)\b(?! ?/)"
)
_ABOVE_DOSE = re.compile(
    r"\bdoses? (?:superieures? a|de plus de|depassant) (?P<number>\d+(?:[.,]\d+)?) ?"
    r"(?P<unit>mg|g|µg|microgrammes)\b(?! ?/)"
)
_UNLESS = re.compile(r",? \b(?:sauf|hormis|excepte)\b[^.;]*")
"""The case in which a dose is not given."""


class Bearing(IntEnum):
    """How a sentence stands to the case asked, in the order in which it is shown."""

    FORBIDS = 0
    """It forbids, or advises against, in that very case."""
    HOLDS = 1
    """Its range holds the value asked."""
    SILENT = 2
    EXCLUDES = 3
    """Its range is another one: « DFG de 45 à 59 » of one of 25."""


def asked_doses(text: str) -> tuple[float, ...]:
    """The doses a question gives, in mg (« aspirine 75 mg »); none of one by weight or volume."""
    return tuple(
        float(m["number"].replace(",", ".")) * _MILLIGRAMS[m["unit"]]
        for m in _DOSE_TOLD.finditer(fold(text))
    )


def asked_values(question: Question) -> tuple[tuple[str, Range], ...]:
    """The values of a question as it was typed: what a value is called may replace it."""
    asked = plain_values(question.raw)
    said = ranges_in(asked)
    bare = (told for told in values_told(asked) if told[0] not in said)
    return (*((name, r) for name, ranges in said.items() for r in ranges), *bare)


def groups_of_values(question: Question) -> frozenset[str]:
    """The patients that values (« 30 SA ») and acronyms of a failing organ (« IR ») tell of."""
    acronyms = [fold(c.replacement) for c in question.corrections if c.kind == "acronym"]
    organs = [a for a in acronyms if without_failing_organ(a) != a]
    of_values = frozenset(_GROUP[name] for name, _range in asked_values(question) if name in _GROUP)
    return of_values.union(*map(groups, organs))


def is_of_a_case(subject: Subject) -> bool:
    """Whether a drug is asked about in patients, or at a value, for whom it may be forbidden; of
    children and the old it is more often the dose that differs.
    """
    frail = subject.populations - DEFAULTS - _DOSED_APART
    return names_drug(subject) and bool(subject.values or frail)


def dangers_first(sections: tuple[str, ...]) -> tuple[str, ...]:
    """Sections in their order, those that forbid before any other."""
    return tuple(sorted(sections, key=lambda s: s not in _FORBIDDING))


def forbids(text: str) -> bool:
    """Whether a sentence forbids a drug, advises against it or says when to stop it."""
    return _FORBIDS.search(_OF_THE_CARD.sub(" ", fold(text))) is not None


def bearing(text: str, subject: Subject) -> Bearing:
    """How a sentence stands to the case asked."""
    held = _held(text, subject.values)
    if held is False or is_of_another_age(text, subject.ages) or _is_above_dose(text, subject):
        return Bearing.EXCLUDES
    given = _UNLESS.sub(" ", fold(text))
    if held and given != fold(text) and DOSE.search(given) and not _held(given, subject.values):
        return Bearing.EXCLUDES  # a dose « sauf clairance inférieure à 30 » is not of this case
    here = held or (names_drug(subject) and _names_case(text, subject))
    if here and forbids(text) and not _is_with_another(text, subject):
        return Bearing.FORBIDS
    return Bearing.HOLDS if held else Bearing.SILENT


def _is_above_dose(text: str, subject: Subject) -> bool:
    """Whether a sentence is of doses above those asked (« à plus de 100 mg » of 75 mg)."""
    limit = _ABOVE_DOSE.search(fold(text))
    if limit is None or not subject.doses:
        return False
    above = float(limit["number"].replace(",", ".")) * _MILLIGRAMS[limit["unit"]]
    return all(dose <= above for dose in subject.doses)


def _is_with_another(text: str, subject: Subject) -> bool:
    """Whether a sentence forbids a drug together with another one that is not asked about: « avec
    l’aliskirène chez l’insuffisant rénal » forbids nothing to who takes none.
    """
    with_it = WITH.search(fold(text))
    asked = (*subject.concepts, *subject.beside)
    return with_it is not None and not any(holds(with_it["what"], c) for c in asked)


def holds_value(text: str, subject: Subject) -> bool:
    """Whether a range a sentence speaks of holds a value asked."""
    return bool(_held(text, subject.values))


def _held(text: str, values: Iterable[tuple[str, Range]]) -> bool | None:
    """Whether a range of a text holds a value asked; ``None`` where it speaks of none."""
    said = ranges_in(text)
    answers = [
        any(low <= high_asked and low_asked <= high for low, high in said[name])
        for name, (low_asked, high_asked) in values
        if name in said
    ]
    return any(answers) if answers else None


def _names_case(text: str, subject: Subject) -> bool:
    """Whether a text names the patients asked about, or what is asked beside the drug."""
    said = groups(text)
    if said & RESTRICTING - subject.populations:
        return False  # « évitées dans la cystite de la femme enceinte » is no case of a cystitis
    named = said & (subject.populations - DEFAULTS)
    if subject.values and not _FAILS.search(fold(text)):
        named -= {"fonction rénale"}  # « ce qui altère la fonction rénale » is no degree of it
    if named:
        return True
    drugs = [c for c in subject.concepts if c.mandatory and not c.exact]
    beside = (*subject.beside, *(c for c in subject.concepts if c not in drugs))
    if any(holds(text, c) for c in beside):
        return True
    return len(drugs) > 1 and all(holds(text, c) for c in drugs)
