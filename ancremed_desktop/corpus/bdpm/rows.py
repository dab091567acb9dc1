"""The records a BDPM row stands for, typed; what a field fails to say is counted, not guessed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal

from ancremed_desktop.corpus.bdpm.clean import hides_comparison, tidy_prose
from ancremed_desktop.corpus.bdpm.lines import Row
from ancremed_desktop.corpus.bdpm.values import read_compact_day, read_day, read_price, read_rates
from ancremed_desktop.text.sentences import sentence_spans

CUT_LENGTH = 1950
"""Opinions are stored in about 2,000 characters; a longer one without final stop was cut."""

WITHHELD = (
    "[Phrase omise\u00a0: le fichier y écrit «\u00a0=\u00a0» là où l’original peut dire "
    "«\u00a0≥\u00a0» ou «\u00a0≤\u00a0».]"
)
"""Stands for a sentence whose threshold cannot be trusted (see ``hides_comparison``)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drug:
    """A line of CIS_bdpm; dates ISO, empty when absent."""

    cis: str
    name: str
    form: str
    routes: tuple[str, ...]
    status: str
    procedure: str
    marketing: str
    authorised: str
    warning: str
    european_number: str
    holders: tuple[str, ...]
    reinforced: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Presentation:
    """A box. Prices in euros; ``public_price`` includes ``fee`` when the file says all three."""

    cip13: str
    label: str
    status: str
    marketing: str
    declared: str
    hospital: str
    rates: tuple[str, ...]
    price: Decimal | None
    public_price: Decimal | None
    fee: Decimal | None
    indications: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """``active`` (SA: the substance as it is weighed, often a salt) or therapeutic fraction.

    ``dosage`` is free text; lines of one element with the same ``link`` describe one substance.
    """

    element: str
    substance: str
    dosage: str
    reference: str
    active: bool
    link: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """One value of one opinion of the Commission de la Transparence. ``kind``: SMR or ASMR."""

    kind: str
    dossier: str
    reason: str
    given: str
    value: str
    text: str
    cut: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupMember:
    """``kind``: 0 princeps, 1 generic, 2 by complementarity of dosage, 4 substitutable."""

    cis: str
    group: str
    label: str
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Availability:
    """``code``: 1 out of stock, 2 short supply, 3 end of marketing, 4 available again."""

    cip13: str
    code: str
    label: str
    started: str
    updated: str
    returned: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyNotice:
    """A dated safety notice (CIS_InfoImportantes)."""

    started: str
    ended: str
    text: str


def _day(field: str, notes: Counter[str], compact: bool = False) -> str:
    if not field:
        return ""
    iso = read_compact_day(field) if compact else read_day(field)
    if iso is None:
        notes["dates illisibles laissées de côté"] += 1
        return ""
    return iso


def _price(field: str, notes: Counter[str]) -> Decimal | None:
    if not field:
        return None
    price = read_price(field)
    if price is None:
        notes["prix illisibles laissés de côté"] += 1
    elif field.count(",") > 1:
        notes["prix avec une virgule de milliers"] += 1
    return price


def drug(row: Row, notes: Counter[str]) -> Drug:
    """A row of CIS_bdpm."""
    return Drug(
        cis=row[0],
        name=row[1],
        form=row[2],
        routes=_several(row[3]),
        status=row[4],
        procedure=row[5],
        marketing=row[6],
        authorised=_day(row[7], notes),
        warning=row[8],
        european_number=row[9],
        holders=_several(row[10]),
        reinforced=row[11].lower() == "oui",
    )


def _several(field: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in field.split(";") if part.strip())


def presentation(row: Row, notes: Counter[str], lossy: bool) -> Presentation:
    """A row of CIS_CIP_bdpm. ``lossy``: the file cannot hold ≥ and ≤.

    When price + fee differs from the total, all three stay as they are.
    """
    price, public_price, fee = (_price(row[column], notes) for column in (9, 10, 11))
    rates = read_rates(row[8]) if row[8] else ()
    if rates is None:
        notes["taux illisibles laissés de côté"] += 1
        rates = ()
    if price is not None and fee is not None and price + fee != public_price:
        notes["prix public différent de prix + honoraire (gardé tel quel)"] += 1
    if not rates and price is None and public_price is None:
        notes["présentations sans taux ni prix"] += 1
    return Presentation(
        cip13=row[6],
        label=row[2],
        status=row[3],
        marketing=row[4],
        declared=_day(row[5], notes),
        hospital=row[7].lower(),
        rates=rates,
        price=price,
        public_price=public_price,
        fee=fee,
        indications=_trusted(tidy_prose(row[12]), lossy, notes),
    )


def component(row: Row, notes: Counter[str]) -> Component:
    """A row of CIS_COMPO_bdpm. The format note calls the therapeutic fraction ST, the files FT."""
    if not row[4]:
        notes["composants sans dosage"] += 1
    return Component(
        element=row[1],
        substance=row[3],
        dosage=row[4],
        reference=row[5],
        active=row[6] not in {"FT", "ST"},
        link=row[7],
    )


def _trusted(text: str, lossy: bool, notes: Counter[str]) -> str:
    """The text without the sentences whose comparison sign may be lost."""
    if not lossy or "=" not in text or not hides_comparison(text):
        return text
    kept: list[str] = []
    for start, end in sentence_spans(text):
        sentence = text[start:end]
        if hides_comparison(sentence):
            notes["phrases omises : « = » y remplace peut-être « ≥ » ou « ≤ »"] += 1
            sentence = WITHHELD
        if not (kept and kept[-1] == sentence == WITHHELD):
            kept.append(sentence)
    return " ".join(kept)


def opinion(row: Row, kind: str, notes: Counter[str], lossy: bool) -> Opinion:
    """A row of CIS_HAS_SMR_bdpm or CIS_HAS_ASMR_bdpm. ``lossy``: the file cannot hold ≥ and ≤."""
    text = tidy_prose(row[5])
    cut = len(text) >= CUT_LENGTH and not text.endswith((".", "»", "!", ")"))
    if cut:
        notes["textes coupés vers 2 000 caractères"] += 1
    text = _trusted(text, lossy, notes)
    return Opinion(
        kind=kind,
        dossier=row[1],
        reason=row[2],
        given=_day(row[3], notes, compact=True),
        value=row[4],
        text=text,
        cut=cut,
    )


def group_member(row: Row) -> GroupMember:
    """A row of CIS_GENER_bdpm."""
    return GroupMember(cis=row[2], group=row[0], label=row[1].rstrip(" ."), kind=row[3])


def availability(row: Row, notes: Counter[str]) -> Availability:
    """A row of CIS_CIP_Dispo_Spec."""
    return Availability(
        cip13=row[1],
        code=row[2],
        label=row[3],
        started=_day(row[4], notes),
        updated=_day(row[5], notes),
        returned=_day(row[6], notes),
    )


def safety_notice(row: Row, notes: Counter[str]) -> SafetyNotice:
    """A row of CIS_InfoImportantes."""
    return SafetyNotice(
        started=_day(row[1], notes), ended=_day(row[2], notes), text=tidy_prose(row[3])
    )
