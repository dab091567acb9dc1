"""Sentences on how a drug is supplied: boxes, prices, availability, generics, prescription."""

from __future__ import annotations

from ancremed_desktop.corpus.bdpm.catalogue import Catalogue, Entry
from ancremed_desktop.corpus.bdpm.french import (
    COLON,
    SEMICOLON,
    as_subject,
    enumeration,
    file_label,
    inline,
    lower_first,
    of,
    sentence,
    written_date,
)
from ancremed_desktop.corpus.bdpm.parts import Part
from ancremed_desktop.corpus.bdpm.rows import Availability, GroupMember, Presentation
from ancremed_desktop.corpus.bdpm.schema import Table
from ancremed_desktop.corpus.bdpm.values import written_price

_START_MEANS_START = "2023-10-06"
"""Before this day the start column of CIS_CIP_Dispo_Spec holds the day of the last update."""

_KINDS = {
    "0": "est le princeps (médicament de référence)",
    "1": "est un générique",
    "2": "est un générique par complémentarité posologique",
    "4": "est un générique substituable",
}
_STATES = {
    "1": "en rupture de stock",
    "2": "en tension d’approvisionnement",
    "3": "en arrêt de commercialisation",
    "4": "de nouveau à disposition",
}
_NAMED = 4
_A_SENTENCE = 12
"""Names of drugs in one sentence of a list."""


def presentations(entry: Entry, catalogue: Catalogue) -> Part | None:
    """One sentence a box, with its code, state, rate and price."""
    if not entry.presentations:
        return None
    name = inline(entry.drug.name)
    edition = file_label(catalogue.edition_of(Table.PRESENTATIONS))
    sentences = tuple(_box(name, box, edition) for box in entry.presentations)
    return Part(slug="presentations", heading="Présentations et prix", sentences=sentences)


def _box(name: str, box: Presentation, edition: str) -> str:
    label = inline(box.label)
    pieces = [f"{label} (code CIP13 {box.cip13})" if box.cip13 else label]
    marketing = lower_first(box.marketing)
    if box.declared:
        marketing += f" du {written_date(box.declared)}"
    pieces.append(f"{lower_first(box.status)}, {marketing}")
    pieces.append(_price(box, edition))
    if box.hospital == "oui":
        pieces.append("agréée aux collectivités")
    elif box.hospital == "non":
        pieces.append("non agréée aux collectivités")
    text = SEMICOLON.join(piece for piece in pieces if piece)
    return sentence(f"Présentation {of(name)}{COLON}{text}")


def _price(box: Presentation, edition: str) -> str:
    said: list[str] = []
    if box.rates:
        choice = " selon l’indication" if len(box.rates) > 1 else ""
        said.append(f"remboursement à {' ou '.join(box.rates)}{choice}")
    if box.price is not None:
        said.append(f"prix de {written_price(box.price)} hors honoraire de dispensation")
    if box.fee is not None:
        said.append(f"honoraire de {written_price(box.fee)}")
    if box.public_price is not None:
        said.append(f"prix public de {written_price(box.public_price)}")
    if not said:
        return f"ni taux de remboursement ni prix publiés ({edition})"
    return f"{', '.join(said)} ({edition})"


def reimbursed_indications(entry: Entry) -> list[Part]:
    """Indications that open reimbursement, each text once with the boxes it is for."""
    boxes: dict[str, list[str]] = {}
    for box in entry.presentations:
        if box.indications:
            boxes.setdefault(box.indications, []).append(box.cip13)
    name = inline(entry.drug.name)
    return [
        Part(
            slug="remboursement",
            heading="Indications ouvrant droit au remboursement",
            section="indication",
            sentences=(
                sentence(
                    f"Indications ouvrant droit au remboursement {of(name)} "
                    f"(CIP13 {enumeration(codes)}){COLON}{lower_first(inline(text))}"
                ),
            ),
        )
        for text, codes in boxes.items()
    ]


def availability(entry: Entry, catalogue: Catalogue) -> Part | None:
    """Out of stock, short supply, back again, with their dates."""
    if not entry.availability:
        return None
    name = inline(entry.drug.name)
    edition = file_label(catalogue.edition_of(Table.AVAILABILITY))
    sentences = tuple(_state(name, item, edition) for item in entry.availability)
    return Part(slug="disponibilite", heading="Disponibilité", sentences=sentences)


def _state(name: str, item: Availability, edition: str) -> str:
    state = _STATES.get(item.code, lower_first(item.label))
    box = f" pour la présentation CIP13 {item.cip13}" if item.cip13 else ""
    since = item.returned if item.code == "4" and item.returned else item.started
    when = ""
    if since >= _START_MEANS_START:
        when = f" depuis le {written_date(since)}"
    elif since:
        when = f" (situation signalée le {written_date(since)})"
    updated = f", fiche mise à jour le {written_date(item.updated)}" if item.updated else ""
    return sentence(f"Selon l’ANSM, {as_subject(name)} est {state}{box}{when} ({edition}{updated})")


def generic_groups(entry: Entry, catalogue: Catalogue) -> Part | None:
    """The generic groups of a drug, with their princeps and size."""
    if not entry.groups:
        return None
    name = inline(entry.drug.name)
    sentences: list[str] = []
    for member in entry.groups:
        label = f"«\u00a0{inline(member.label)}\u00a0»"
        kind = _KINDS.get(member.kind, "fait partie")
        sentences.append(
            sentence(f"{as_subject(name)} {kind} du groupe générique {label}")
            if kind != _KINDS["1"]
            else sentence(f"{as_subject(name)} est un générique du groupe {label}")
        )
        sentences.append(_group_size(name, member, catalogue))
        if member.kind == "0":
            sentences += _members(name, member, catalogue)
    return Part(slug="generiques", heading="Groupe générique", sentences=tuple(sentences))


def _group_size(name: str, member: GroupMember, catalogue: Catalogue) -> str:
    others = [item for item in catalogue.groups[member.group] if item.cis != member.cis]
    princeps = [
        inline(catalogue.entries[item.cis].drug.name) for item in others if item.kind == "0"
    ]
    edition = file_label(catalogue.edition_of(Table.GENERICS))
    size = f"Le groupe générique {of(name)} compte {len(others) + 1} spécialités de la base"
    if len(others) == 0:
        size = f"Le groupe générique {of(name)} ne compte que cette spécialité de la base"
    if princeps:
        shown = SEMICOLON.join(princeps[:_NAMED])
        more = f", et {len(princeps) - _NAMED} autres" if len(princeps) > _NAMED else ""
        return sentence(f"{size} ({edition}), dont le princeps{COLON}{shown}{more}")
    if member.kind != "0":
        return sentence(f"{size} ({edition}), sans princeps présent dans la base")
    return sentence(f"{size} ({edition})")


def _members(name: str, member: GroupMember, catalogue: Catalogue) -> list[str]:
    """The generics of a princeps by name; those of one group are named with it alone."""
    generics = [i.cis for i in catalogue.groups[member.group] if i.kind != "0"]
    names = sorted(inline(catalogue.entries[cis].drug.name) for cis in generics)
    edition = file_label(catalogue.edition_of(Table.GENERICS))
    batches = (names[i : i + _A_SENTENCE] for i in range(0, len(names), _A_SENTENCE))
    return [
        sentence(f"Génériques {of(name)} ({edition}){COLON}{SEMICOLON.join(batch)}")
        for batch in batches
    ]


def conditions(entry: Entry, catalogue: Catalogue) -> Part | None:
    """Conditions of prescription and delivery, as one sentence."""
    if not entry.conditions:
        return None
    name = inline(entry.drug.name)
    edition = file_label(catalogue.edition_of(Table.CONDITIONS))
    listed = SEMICOLON.join(lower_first(inline(text)) for text in entry.conditions)
    text = f"Conditions de prescription et de délivrance {of(name)} ({edition}){COLON}{listed}"
    return Part(
        slug="prescription",
        heading="Prescription et délivrance",
        section="prescription et délivrance",
        sentences=(sentence(text),),
    )
