"""Joins the tables of the dumps by CIS: current drugs, retired drugs, what joins to nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from ancremed_desktop.corpus.bdpm import rows
from ancremed_desktop.corpus.bdpm.dumps import Dump
from ancremed_desktop.corpus.bdpm.lines import Row, TableRows, read_rows
from ancremed_desktop.corpus.bdpm.schema import SCHEMAS, Table, schema_of
from ancremed_desktop.domain.documents import Refusal, Tally
from ancremed_desktop.domain.events import CancelToken, Progress, ProgressCallback
from ancremed_desktop.errors import BadFileError
from ancremed_desktop.text.french import plural

STAGE = "Lecture de la base publique des médicaments"
_SHOWN_LINES = 5
_BROKEN = "jointures rompues : CIS absent de la liste des spécialités"
_RETIRED = "spécialités retirées de la base (seules identité et composition sont gardées)"


@dataclass(slots=True, kw_only=True)
class Entry:
    """All that the base says of one drug. ``dump``: the dump its identity comes from."""

    drug: rows.Drug
    dump: Dump
    file: Path
    retired: bool = False
    presentations: list[rows.Presentation] = field(default_factory=list)
    components: list[rows.Component] = field(default_factory=list)
    opinions: list[rows.Opinion] = field(default_factory=list)
    groups: list[rows.GroupMember] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)
    availability: list[rows.Availability] = field(default_factory=list)
    safety: list[rows.SafetyNotice] = field(default_factory=list)
    atc: str = ""
    major_interest: bool = False


@dataclass(slots=True, kw_only=True)
class Catalogue:
    """``entries`` by CIS; ``groups``: members by group; ``links``: pages by dossier, newest first.

    ``editions``: ISO date by dump name; ``suppliers``: dump that supplies each table.
    ``hashes``: SHA-256 of the files of the drug list, by path.
    """

    entries: dict[str, Entry] = field(default_factory=dict)
    groups: dict[str, list[rows.GroupMember]] = field(default_factory=dict)
    links: dict[str, tuple[str, ...]] = field(default_factory=dict)
    editions: dict[str, str] = field(default_factory=dict)
    suppliers: dict[Table, Dump] = field(default_factory=dict)
    hashes: dict[Path, str] = field(default_factory=dict)
    refusals: list[Refusal] = field(default_factory=list)
    tallies: list[Tally] = field(default_factory=list)

    def edition_of(self, table: Table) -> str:
        """ISO date of the dump that supplies a table, empty when there is none."""
        dump = self.suppliers.get(table)
        return self.editions[dump.name] if dump else ""


def load_catalogue(
    dumps: tuple[Dump, ...], progress: ProgressCallback, cancel: CancelToken
) -> Catalogue:
    """Read the dumps (oldest first); the newest dump that has a table supplies it.

    Raises: BadFileError when no drug list can be read; Cancelled.
    """
    loader = _Loader(dumps, progress, cancel)
    loader.read_drugs()
    loader.read_compositions()
    for table, take in _TAKERS.items():
        loader.read_newest(table, take)
    loader.name_absent_tables()
    loader.date_undated()
    return loader.catalogue


class _Loader:
    """Reads file after file into one catalogue."""

    def __init__(
        self, dumps: tuple[Dump, ...], progress: ProgressCallback, cancel: CancelToken
    ) -> None:
        self.catalogue = Catalogue(editions={dump.name: dump.edition for dump in dumps})
        self.lossy = False
        """Whether the encoding of the file being read lacks ≥ and ≤."""
        self._newest_first = tuple(reversed(dumps))
        self._progress = progress
        self._cancel = cancel
        self._total = sum(len(dump.files) for dump in dumps)
        self._done = 0
        self._latest: dict[str, str] = {}

    def read_drugs(self) -> None:
        """Drug lists, newest first; drugs of the older lists only are retired."""
        found_one = False
        for dump in self._newest_first:
            content = self._open(dump, Table.DRUGS)
            path = dump.file_of(Table.DRUGS)
            if content is None or path is None:
                continue
            self.catalogue.hashes[path] = content.sha256
            ignored: Counter[str] = Counter()
            kept = 0
            for row in content.rows:
                if row[0] in self.catalogue.entries:
                    ignored[
                        "spécialités décrites par un fichier plus récent ou une ligne précédente"
                    ] += 1
                    continue
                kept += 1
                entry = Entry(
                    drug=rows.drug(row, content.notes), dump=dump, file=path, retired=found_one
                )
                self.catalogue.entries[row[0]] = entry
                self._see(dump, entry.drug.authorised)
            if found_one and kept:
                content.notes["spécialités retirées de la base depuis"] += kept
            self._close(dump, Table.DRUGS, content, kept, ignored)
            if not found_one:
                self.catalogue.suppliers[Table.DRUGS] = dump
            found_one = True
        if not found_one:
            causes = " ".join(f"[{r.file_name}] {r.reason}" for r in self.catalogue.refusals)
            raise BadFileError(f"Aucune liste de spécialités lisible (CIS_bdpm.txt). {causes}")

    def read_compositions(self) -> None:
        """Newest composition for current drugs; that of their own dump for retired ones."""
        for dump in self._newest_first:
            content = self._open(dump, Table.COMPOSITION)
            if content is None:
                continue
            supplier = self.catalogue.suppliers.setdefault(Table.COMPOSITION, dump)
            ignored: Counter[str] = Counter()
            kept = 0
            for row in content.rows:
                entry = self.catalogue.entries.get(row[0])
                if entry is None:
                    ignored[_BROKEN] += 1
                elif (entry.dump if entry.retired else supplier) is dump:
                    entry.components.append(rows.component(row, content.notes))
                    kept += 1
                else:
                    ignored["spécialités décrites par un autre fichier"] += 1
            self._close(dump, Table.COMPOSITION, content, kept, ignored)

    def read_newest(self, table: Table, take: _Taker) -> None:
        """One table from the newest dump in which it can be read; older files are only named."""
        for dump in self._newest_first:
            if dump.file_of(table) is None:
                continue
            if table in self.catalogue.suppliers:
                self._skip(dump, table)
                continue
            content = self._open(dump, table)
            if content is None:
                continue
            self.catalogue.suppliers[table] = dump
            self.lossy = content.encoding != "utf-8"
            ignored: Counter[str] = Counter()
            kept = 0
            for row in content.rows:
                reason = take(self, row, content.notes)
                kept += not reason
                if reason:
                    ignored[reason] += 1
            self._close(dump, table, content, kept, ignored)

    def name_absent_tables(self) -> None:
        """What no drug will have because no dump has its table."""
        present = {table for dump in self._newest_first for table, _path in dump.files}
        for table in Table:
            if table not in present:
                self.catalogue.refusals.append(
                    Refusal(
                        file_name=f"{table.value}.txt",
                        where="table absente",
                        reason="ce fichier manque dans le dossier : ce qu’il dit des médicaments "
                        "ne sera pas dans l’index ; téléchargez-le, puis recommencez",
                        lines=0,
                    )
                )

    def date_undated(self) -> None:
        """A dump whose folder says no date takes the newest day of its lines, today at most."""
        for name, edition in self.catalogue.editions.items():
            if not edition:
                self.catalogue.editions[name] = self._latest.get(name, "")

    def see(self, table: Table, day: str) -> None:
        """Note a day met in a table being read."""
        self._see(self.catalogue.suppliers[table], day)

    def entry(self, cis: str) -> tuple[Entry | None, str]:
        """The current drug of a code, or why there is none."""
        found = self.catalogue.entries.get(cis)
        if found is None:
            return None, _BROKEN
        return (None, _RETIRED) if found.retired else (found, "")

    def _see(self, dump: Dump, day: str) -> None:
        if self._latest.get(dump.name, "") < day <= datetime.now(UTC).date().isoformat():
            self._latest[dump.name] = day

    def _open(self, dump: Dump, table: Table) -> TableRows | None:
        path = dump.file_of(table)
        if path is None:
            return None
        self._cancel.raise_if_cancelled()
        label = dump.label_of(path)
        self._progress(Progress(stage=STAGE, done=self._done, total=self._total, detail=label))
        self._done += 1
        try:
            content = read_rows(path, schema_of(table), self._cancel)
        except BadFileError as error:
            self.catalogue.refusals.append(
                Refusal(file_name=label, where="fichier entier", reason=str(error), lines=0)
            )
            return None
        for reason, lines in content.refused.items():
            self.catalogue.refusals.append(
                Refusal(file_name=label, where=_lines(lines), reason=reason, lines=len(lines))
            )
        if not content.rows:
            # Not one line has the shape of the table: an older edition may supply it.
            self._close(dump, table, content, 0, Counter())
            return None
        return content

    def _skip(self, dump: Dump, table: Table) -> None:
        path = dump.file_of(table)
        self._done += 1
        if path is not None:
            note = ("fichier non lu : remplacé par une édition plus récente", 1)
            self.catalogue.tallies.append(
                Tally(file_name=dump.label_of(path), unit="ligne", read=0, kept=0, notes=(note,))
            )

    def _close(
        self, dump: Dump, table: Table, content: TableRows, kept: int, ignored: Counter[str]
    ) -> None:
        path = dump.file_of(table)
        if path is None:
            return
        if content.blank:
            ignored["lignes vides"] += content.blank
        if content.duplicates:
            ignored["doublons exacts"] += content.duplicates
        notes = Counter({f"encodage {content.encoding}": 1}) + ignored + content.notes
        self.catalogue.tallies.append(
            Tally(
                file_name=dump.label_of(path),
                unit="ligne",
                read=content.read,
                kept=kept,
                refused=sum(len(lines) for lines in content.refused.values()),
                ignored=ignored.total(),
                notes=tuple(notes.items()),
            )
        )


def _lines(numbers: list[int]) -> str:
    shown = ", ".join(str(number) for number in numbers[:_SHOWN_LINES])
    more = f"… ({len(numbers)} lignes)" if len(numbers) > _SHOWN_LINES else ""
    return f"{plural(len(numbers), 'ligne')} {shown}{more}"


_Taker = Callable[[_Loader, Row, Counter[str]], str]
"""Stores a row; the French reason when the row joins to nothing."""


def _take_presentation(loader: _Loader, row: Row, notes: Counter[str]) -> str:
    entry, reason = loader.entry(row[0])
    if entry is not None:
        item = rows.presentation(row, notes, loader.lossy)
        entry.presentations.append(item)
        loader.see(Table.PRESENTATIONS, item.declared)
    return reason


def _take_smr(loader: _Loader, row: Row, notes: Counter[str]) -> str:
    return _take_opinion(loader, row, notes, Table.SMR, "SMR")


def _take_asmr(loader: _Loader, row: Row, notes: Counter[str]) -> str:
    return _take_opinion(loader, row, notes, Table.ASMR, "ASMR")


def _take_opinion(loader: _Loader, row: Row, notes: Counter[str], table: Table, kind: str) -> str:
    entry, reason = loader.entry(row[0])
    if entry is None:
        return reason
    item = rows.opinion(row, kind, notes, loader.lossy)
    if row[1] not in loader.catalogue.links:
        notes["avis sans lien vers la HAS"] += 1
    entry.opinions.append(item)
    loader.see(table, item.given)
    return ""


def _take_link(loader: _Loader, row: Row, notes: Counter[str]) -> str:
    known = loader.catalogue.links.get(row[0], ())
    if known:
        notes["dossiers à plusieurs liens (tous gardés)"] += 1
    loader.catalogue.links[row[0]] = (*known, row[1])
    return ""


def _take_group(loader: _Loader, row: Row, notes: Counter[str]) -> str:
    entry, reason = loader.entry(row[2])
    if entry is None:
        return reason
    item = rows.group_member(row)
    if entry.groups:
        notes["spécialités dans plusieurs groupes"] += len(entry.groups) == 1
    entry.groups.append(item)
    loader.catalogue.groups.setdefault(item.group, []).append(item)
    return ""


def _take_condition(loader: _Loader, row: Row, _notes: Counter[str]) -> str:
    entry, reason = loader.entry(row[0])
    if entry is not None:
        entry.conditions.append(row[1])
    return reason


def _take_availability(loader: _Loader, row: Row, notes: Counter[str]) -> str:
    entry, reason = loader.entry(row[0])
    if entry is not None:
        item = rows.availability(row, notes)
        entry.availability.append(item)
        loader.see(Table.AVAILABILITY, item.updated)
    return reason


def _take_safety(loader: _Loader, row: Row, notes: Counter[str]) -> str:
    entry, reason = loader.entry(row[0])
    if entry is not None:
        entry.safety.append(rows.safety_notice(row, notes))
    return reason


def _take_major_interest(loader: _Loader, row: Row, notes: Counter[str]) -> str:
    entry, reason = loader.entry(row[0])
    if entry is not None:
        entry.major_interest, entry.atc = True, row[1]
        notes["noms différents de la liste des spécialités"] += row[2] != entry.drug.name
    return reason


# Links come before the opinions that cite them.
_TAKERS: dict[Table, _Taker] = {
    Table.PRESENTATIONS: _take_presentation,
    Table.LINKS: _take_link,
    Table.SMR: _take_smr,
    Table.ASMR: _take_asmr,
    Table.GENERICS: _take_group,
    Table.CONDITIONS: _take_condition,
    Table.SAFETY: _take_safety,
    Table.AVAILABILITY: _take_availability,
    Table.MITM: _take_major_interest,
}
assert {*_TAKERS, Table.DRUGS, Table.COMPOSITION} == {schema.table for schema in SCHEMAS}
