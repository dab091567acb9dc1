"""Reads dumps of the Base de données publique des médicaments into one source per drug."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ancremed_desktop.corpus.bdpm.catalogue import Catalogue, Entry, load_catalogue
from ancremed_desktop.corpus.bdpm.composition import composition, substances_of
from ancremed_desktop.corpus.bdpm.dumps import find_dumps
from ancremed_desktop.corpus.bdpm.french import file_label
from ancremed_desktop.corpus.bdpm.identity import identity
from ancremed_desktop.corpus.bdpm.opinions import opinions
from ancremed_desktop.corpus.bdpm.parts import Part, to_passages
from ancremed_desktop.corpus.bdpm.schema import Table
from ancremed_desktop.corpus.bdpm.supply import (
    availability,
    conditions,
    generic_groups,
    presentations,
    reimbursed_indications,
)
from ancremed_desktop.domain.documents import CorpusItem, Source, SourceDocument
from ancremed_desktop.domain.events import CancelToken, Progress, ProgressCallback
from ancremed_desktop.domain.identifiers import Code, Silo
from ancremed_desktop.text.drug_names import bare_substance, drug_names, is_homeopathic

PUBLISHER = "ANSM – Base de données publique des médicaments"
LICENCE = "Licence Ouverte / Etalab 2.0"
_PAGE = "https://base-donnees-publique.medicaments.gouv.fr/extrait.php?specid="
_STAGE = "Mise en forme des fiches de médicaments"
_REPORT_EVERY = 200


def read_bdpm(
    folder: Path, progress: ProgressCallback, cancel: CancelToken
) -> Iterator[CorpusItem]:
    """One source per CIS of ``folder``: one dump (CIS_*.txt[.gz]) or dated subfolders of dumps.

    The newest dump in which a table can be read supplies it. Drugs that only older dumps hold
    come as superseded sources, with identity and composition. Files and lines that cannot be
    taken are refused by name; each file has its tally in lines, after the documents.
    Source of the format: ANSM, « Contenu et format des fichiers téléchargeables », 27/08/2025.
    Raises: BadFileError when the folder is absent or holds no readable drug list; Cancelled.
    """
    catalogue = load_catalogue(find_dumps(folder), progress, cancel)
    yield from catalogue.refusals
    total = len(catalogue.entries)
    for done, entry in enumerate(catalogue.entries.values()):
        if done % _REPORT_EVERY == 0:
            progress(Progress(stage=_STAGE, done=done, total=total, detail=entry.drug.name))
        cancel.raise_if_cancelled()
        yield _document(entry, catalogue)
    yield from catalogue.tallies
    progress(Progress(stage=_STAGE, done=total, total=total))


def _document(entry: Entry, catalogue: Catalogue) -> SourceDocument:
    source = _source(entry, catalogue)
    return SourceDocument(source=source, passages=to_passages(source, _parts(entry, catalogue)))


def _parts(entry: Entry, catalogue: Catalogue) -> list[Part]:
    parts = [
        identity(entry, catalogue),
        composition(entry),
        conditions(entry, catalogue),
        presentations(entry, catalogue),
        *reimbursed_indications(entry),
        availability(entry, catalogue),
        generic_groups(entry, catalogue),
        *opinions(entry, catalogue),
    ]
    return [part for part in parts if part is not None]


def _source(entry: Entry, catalogue: Catalogue) -> Source:
    drug = entry.drug
    newest = file_label(catalogue.edition_of(Table.DRUGS))
    return Source(
        key=f"bdpm:{drug.cis}",
        silo=Silo.BDPM,
        title=drug.name,
        source_identifier=drug.cis,
        publisher=PUBLISHER,
        licence=LICENCE,
        regulatory_date=catalogue.editions[entry.dump.name],
        url=f"{_PAGE}{drug.cis}",
        file_name=entry.dump.label_of(entry.file),
        file_sha256=catalogue.hashes[entry.file],
        superseded=entry.retired,
        superseded_by=f"spécialité retirée de la base ({newest})" if entry.retired else "",
        names=drug_names(drug.name, _substances(entry)),
        codes=_codes(entry),
        details=_details(entry, catalogue),
    )


def _substances(entry: Entry) -> list[str]:
    """Substances by which the drug is known: the fraction where there is one."""
    return [
        line.substance
        for substance in substances_of(entry.components)
        for line in substance
        if not line.active or len(substance) == 1
    ]


def _codes(entry: Entry) -> tuple[tuple[Code, str], ...]:
    """What the drug is looked up by, beside its CIS, which is its identifier."""
    found = [(Code.CIP, box.cip13) for box in entry.presentations]
    found += [
        (Code.SUBSTANCE, bare_substance(name))
        for name in _substances(entry)
        if not is_homeopathic(name)
    ]
    if entry.atc:
        found.append((Code.ATC, entry.atc))
    return tuple(dict.fromkeys(found))


def _details(entry: Entry, catalogue: Catalogue) -> tuple[tuple[str, str], ...]:
    found = [("Édition", file_label(catalogue.editions[entry.dump.name]))]
    if entry.opinions:
        labels = {file_label(catalogue.edition_of(Table[item.kind])) for item in entry.opinions}
        found.append(("Avis de la HAS", ", ".join(sorted(labels))))
    if entry.atc:
        found.append(("Code ATC", entry.atc))
    return tuple(found)
