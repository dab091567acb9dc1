"""Builds an index beside its target and puts it in place only when it is whole."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

import apsw

from ancremed_desktop.domain.documents import Refusal, SourceDocument, Tally
from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.errors import BadFileError
from ancremed_desktop.index import derived, draft, integrity, rows, schema
from ancremed_desktop.index.connection import (
    checkpoint,
    open_read_only,
    run_script,
    single_file,
    translated,
)
from ancremed_desktop.index.names import code_rows, name_rows
from ancremed_desktop.index.numbers import EDITIONS, LABELS, Numbers, forget_unused
from ancremed_desktop.index.removal import forget_removed, remove_earlier, remove_source
from ancremed_desktop.index.rows import FormulaRow, SqlValue
from ancremed_desktop.index.vectors import forget_stale

_BATCH_CHARACTERS = 4_000_000
"""Text between two commits: what a kill can lose, and what memory must hold."""
_CANCEL_STEPS = 20_000
"""SQLite steps between two looks at the cancel token: some milliseconds."""

_WRITABLE = "Vérifiez que le dossier existe, que vous pouvez y écrire et l’espace libre."
_INSERTS = {
    "documents": "(rowid, id, origin_title, category_silo, source_identifier, regulatory_date, "
    "superseded, page_number, chunk_index, text_content) VALUES (?,?,?,?,?,?,?,?,?,?)",
    "passages": "VALUES (?,?,?,?,?,?,?,?)",
    "sources": "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
    "source_names": "VALUES (?,?,?,?,?)",
    "source_codes": "VALUES (?,?,?)",
}
_LATER = """FROM sources AS later JOIN editions AS theirs ON theirs.number = later.edition
    WHERE later.silo = sources.silo AND later.source_identifier = sources.source_identifier
        AND later.superseded = 0 AND theirs.regulatory_date > ("""
_OWN_DATE = "SELECT regulatory_date FROM editions WHERE number = sources.edition"
_SUPERSEDE_SOURCES = f"""
UPDATE sources SET superseded = 1, superseded_by = (
    SELECT later.key {_LATER}{_OWN_DATE}) ORDER BY theirs.regulatory_date DESC, later.key LIMIT 1)
WHERE source_identifier IN (
        SELECT source_identifier FROM sources GROUP BY source_identifier HAVING count(*) > 1)
    AND superseded = 0 AND ({_OWN_DATE}) <> '' AND EXISTS (SELECT 1 {_LATER}{_OWN_DATE}))
"""
_MOVE_SUPERSEDED = f"""
UPDATE documents SET superseded = 1, rowid = rowid + {rows.SUPERSEDED_BAND}
WHERE rowid < {rows.SUPERSEDED_BAND} AND rowid IN (
    SELECT row FROM passages JOIN sources ON number = source WHERE superseded = 1);
UPDATE passages SET row = row + {rows.SUPERSEDED_BAND}
WHERE row < {rows.SUPERSEDED_BAND} AND source IN (SELECT number FROM sources WHERE superseded = 1);
"""


class IndexWriter:
    """One build of ``target``, in ``target`` + ``.building`` until ``finish`` replaces it.

    A context manager. ``sql_folder`` holds the schema scripts. Work is cut into parts
    (``begin_part`` … ``end_part``): a finished part is never read again, and what an unfinished
    one had stored is kept.

    Raises (any method): MachineError (disk full, file in use, folder not writable).
    """

    def __init__(self, target: Path, sql_folder: Path = schema.SQL) -> None:
        self.target = target
        self.building = target.with_name(target.name + ".building")
        self._schema = replace(schema.INDEX, folder=sql_folder / "index")
        self._pending_characters = 0
        self._inputs = ""
        self._connection: apsw.Connection | None = None
        self._part = ""
        self._seen: set[str] = set()
        self._had_rows = False
        self._is_new = False
        with translated(target, _WRITABLE):
            target.parent.mkdir(parents=True, exist_ok=True)

    def __enter__(self) -> Self:
        return self

    def begin(self, inputs: str = "", base: Path | None = None) -> None:
        """Begin, or continue the interrupted build of the same ``inputs``.

        ``inputs`` names what the build is made of; a build without it is never continued.
        ``base``: a finished index to add to. Raises: IndexFileError when ``base`` is not whole.
        """
        self.close()
        self._inputs = inputs
        self._had_rows = base is not None
        self._connection = self._open(inputs, base)
        with translated(self.target):
            self._build_id = draft.stored(self._db, "build_id")
            self._labels = Numbers(self._db, "labels", LABELS)
            self._editions = Numbers(self._db, "editions", EDITIONS)
            self._next_source = int(str(self._value("SELECT ifnull(max(number), 0) FROM sources")))
            self._is_new = not self._next_source
            self._next_row = {silo: self._first_free_row(silo) for silo in Silo}
            run_script(self._db, "BEGIN")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def begin_part(self, part: str) -> bool:
        """Start a part of the build; ``False`` when an earlier run finished it."""
        with translated(self.target):
            if draft.stored(self._db, f"part:{part}"):
                return False
            # An unfinished part is read again from its start and reports again.
            self._db.execute("DELETE FROM ingest_report WHERE part = ?", (part,))
        self._part = part
        return True

    def end_part(self) -> None:
        """Record the part as finished; what it stored is safe from now on."""
        with translated(self.target):
            self._set_meta(f"part:{self._part}", "fini")
            run_script(self._db, "COMMIT")
            checkpoint(self._db)
            run_script(self._db, "BEGIN")
        self._pending_characters = 0

    def add(self, document: SourceDocument) -> None:
        """Store a source and its passages; an edition of ``base`` under the same key goes, and so
        does the earlier content of a document of the user.

        Raises: BadFileError when this build already has the source or one of its passages.
        """
        key = document.source.key
        if key in self._seen:
            raise BadFileError(f"la source « {key} » est déjà dans cet index")
        self._seen.add(key)
        with translated(self.target):
            stored_by = None if self._is_new else self._stored_by(key)
            if stored_by == self._build_id:
                return  # the run that was interrupted had it
            with self._all_or_nothing(document):
                if stored_by is not None:
                    remove_source(self._db, key)
                if document.source.silo is Silo.LOCAL:
                    remove_earlier(self._db, document.source, self._build_id)
                self._insert(document)
        self._pending_characters += sum(len(p.text) for p in document.passages)
        if self._pending_characters >= _BATCH_CHARACTERS:
            self.commit()

    def remove(self, key: str) -> bool:
        """Take a source of ``base`` out with its passages; ``False`` when it is not there."""
        with translated(self.target):
            if self._value("SELECT 1 FROM sources WHERE key = ?", key) is None:
                return False
            with self._db:
                remove_source(self._db, key)
        return True

    def add_formulas(self, formulas: Iterable[FormulaRow]) -> None:
        """Fill ``clinical_formulas``; a formula with the same id is replaced."""
        with translated(self.target):
            self._db.executemany(
                "INSERT OR REPLACE INTO clinical_formulas VALUES (?,?,?,?,?,?,?,?,?,?)",
                (rows.formula_row(f) for f in formulas),
            )

    def note(self, entry: Refusal | Tally) -> None:
        """Keep what an input file gave, for the report."""
        with translated(self.target):
            self._db.execute(
                "INSERT INTO ingest_report VALUES (?,?,?,?,?,?,?,?,?,?,?)",
                rows.report_row(self._part, entry),
            )

    def report(self) -> tuple[tuple[str, Refusal | Tally], ...]:
        """Everything noted with its part, in this run and in the one it continues."""
        with translated(self.target):
            return rows.read_report(self._db)

    def discard(self) -> None:
        """Throw the draft away: what stopped it would stop its continuation too."""
        self._inputs = ""
        self.close()

    def counts(self) -> tuple[int, int]:
        """Sources and passages stored so far, those of ``base`` included."""
        with translated(self.target):
            sources = self._value("SELECT count(*) FROM sources")
            passages = self._value("SELECT count(*) FROM passages")
        return int(str(sources)), int(str(passages))

    def commit(self) -> None:
        """Make what was added safe from a kill."""
        with translated(self.target):
            run_script(self._db, "COMMIT; BEGIN")
        self._pending_characters = 0

    def finish(self, cancel: CancelToken | None = None) -> None:
        """Mark superseded editions, make the full text, check, and replace the target.

        Raises: Cancelled; the build then stays, to be continued. IndexFileError when what was
        written does not read back.
        """
        token = cancel or CancelToken()
        with translated(self.target):
            # FTS5 rebuilds in one statement: only this handler can stop it.
            self._db.set_progress_handler(lambda: token.cancelled, _CANCEL_STEPS)
            if self._had_rows:
                forget_unused(self._db)
            forget_stale(self._db)
            run_script(self._db, _SUPERSEDE_SOURCES)
            if self._db.changes():  # reads every row; others came into their band already
                run_script(self._db, _MOVE_SUPERSEDED)
            run_script(self._db, "COMMIT")
            if self._had_rows:
                forget_removed(self._db)
            single_file(self._db)
            schema.upgrade(self._db, self._schema, self.building)
            self._db.set_progress_handler(None)
            self._seal()
            integrity.check_at_open(self._db, self.building)
            self._db.close()
            self._connection = None
            draft.put_in_place(self.building, self.target)

    def close(self) -> None:
        """Release the file; a build with ``inputs`` stays beside the target, to be continued."""
        db, self._connection = self._connection, None
        if db is None:
            return
        if db.in_transaction:
            run_script(db, "ROLLBACK")
        db.close()
        if not self._inputs:
            draft.remove(self.building)

    @property
    def _db(self) -> apsw.Connection:
        """The draft; a writer that was not told what it builds begins a build of no name."""
        if self._connection is None:
            self.begin()
        assert self._connection is not None
        return self._connection

    def _open(self, inputs: str, base: Path | None) -> apsw.Connection:
        if self.building.exists():
            db = draft.resumed(self.building, self._schema, inputs)
            if db is not None:
                return db
        db = draft.begun(self.building, self._schema, base)
        with translated(self.target):
            self._start(db, inputs)
        return db

    @staticmethod
    def _start(db: apsw.Connection, inputs: str) -> None:
        db.execute("DELETE FROM meta")
        db.execute("DELETE FROM ingest_report")
        build_id = (inputs or uuid.uuid4().hex)[:12]
        values = (("build_id", build_id), ("inputs", inputs))
        db.executemany("INSERT INTO meta VALUES (?, ?)", values)

    @contextmanager
    def _all_or_nothing(self, document: SourceDocument) -> Iterator[None]:
        numbers = dict(self._next_row)
        title = document.source.title
        try:
            with self._db:
                yield
        except (apsw.ConstraintError, UnicodeEncodeError) as error:
            self._next_row = numbers
            self._labels.read_again()
            self._editions.read_again()
            if isinstance(error, apsw.ConstraintError):
                raise BadFileError(
                    f"un passage de « {title} » porte le numéro (URN) d’un autre"
                ) from error
            raise BadFileError(
                f"« {title} » contient des caractères qui n’existent pas en Unicode"
            ) from error

    def _stored_by(self, key: str) -> SqlValue:
        """The build that stored a source which another run, or ``base``, had; ``None``: none."""
        return self._value(
            "SELECT build_id FROM sources JOIN editions ON editions.number = edition WHERE key = ?",
            key,
        )

    def _insert(self, document: SourceDocument) -> None:
        source = document.source
        passages = document.passages
        if source.superseded:
            passages = tuple(replace(p, superseded=True) for p in passages)
        self._next_source += 1
        number = self._next_source
        first = self._next_row[source.silo]
        last = first + len(passages) - 1
        numbered = [
            (n + rows.SUPERSEDED_BAND if p.superseded else n, p)
            for n, p in enumerate(passages, first)
        ]
        edition = self._editions.of(*rows.edition_row(source, self._build_id))
        label = self._labels.of
        tables: dict[str, list[tuple[SqlValue, ...]]] = {
            "documents": [rows.document_row(n, p) for n, p in numbered],
            "passages": [rows.passage_row(n, number, label, p) for n, p in numbered],
            "sources": [(number, *rows.source_row(source, edition, first, last, label))],
            "source_names": [
                (n.name, number, n.kind, n.label, n.singular) for n in name_rows(source)
            ],
            "source_codes": [(code, kind, number) for code, kind in code_rows(source)],
        }
        for table, values in tables.items():
            self._db.executemany(f"INSERT INTO {table} {_INSERTS[table]}", values)
        self._next_row[source.silo] = last + 1

    def _seal(self) -> None:
        """Write what is derived from the full text, and what is checked each time it is opened."""
        with self._db:
            tokens = derived.write(self._db)
            self._db.execute("DELETE FROM meta WHERE name LIKE 'part:%'")
            self._db.execute("UPDATE meta SET name = 'made_of' WHERE name = 'inputs'")
            self._set_meta("built_at", _now().isoformat(timespec="seconds"))
            for name, value in integrity.measure(self._db, tokens):
                self._set_meta(name, value)

    def _first_free_row(self, silo: Silo) -> int:
        first, last = rows.row_range((silo,), with_superseded=False)
        highest = first - 1
        for offset in (0, rows.SUPERSEDED_BAND):
            found = self._value(
                f"SELECT max(rowid) - {offset} FROM documents WHERE rowid BETWEEN ? AND ?",
                first + offset,
                last + offset,
            )
            highest = max(highest, highest if found is None else int(str(found)))
        return highest + 1

    def _value(self, statement: str, *arguments: SqlValue) -> SqlValue:
        row = self._db.execute(statement, arguments).fetchone()
        return row[0] if row else None

    def _set_meta(self, name: str, value: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))


def _now() -> datetime:
    """The time, or the one to stamp so that a build can be made again byte for byte
    (https://reproducible-builds.org/specs/source-date-epoch/).
    """
    stamp = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.fromtimestamp(int(stamp), UTC) if stamp.isdecimal() else datetime.now(UTC)


def upgrade_old(path: Path, sql_folder: Path = schema.SQL) -> None:
    """Write a finished index of an earlier version again in the format of this one.

    Others are left as they are. Raises: IndexFileError when it is not whole, MachineError.
    """
    connection = open_read_only(path)
    try:
        with translated(path):
            version = schema.check_version(connection, schema.INDEX, path)
    finally:
        connection.close()
    if version in schema.OLD_FINISHED_VERSIONS:
        with IndexWriter(path, sql_folder) as writer:
            writer.begin(base=path)
            writer.finish()
