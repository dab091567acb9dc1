"""Whether an index file is whole: cheaply each time it is opened, to the last hash on demand."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

import apsw

from ancremed_desktop.domain.documents import Refusal, Tally
from ancremed_desktop.domain.events import CancelToken, Progress, ProgressCallback
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.errors import BadFileError, BugError, IndexFileError, MachineError
from ancremed_desktop.index import derived, rows, schema
from ancremed_desktop.index.connection import (
    damaged,
    has_mark,
    open_read_only,
    translated,
)
from ancremed_desktop.index.match_query import quoted

_log = logging.getLogger(__name__)

_PROBES = 12
_COUNTED = (("documents_fts_docsize", "passages"), ("documents_fts_idx", "full_text_pages"))
"""Small tables of the full text with the count of ``meta`` they must reach."""
_IN_RANGE = "SELECT count(*) FROM documents_fts_docsize WHERE id BETWEEN ? AND ?"
_TABLES = (
    "documents", "passages", "labels", "sources", "editions", "source_names", "source_codes",
    "vocabulary", "spellings", "derived",
)  # fmt: skip


def measure(connection: apsw.Connection, tokens: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Counts and probes of a finished index with these tokens, to be kept in ``meta``.

    A probe is a token with the first row that holds it: SQLite says « ok » of a file whose full
    text was destroyed, because a search in it is no error and finds nothing.
    """
    counts = _passages_of_silos(connection)
    step = max(1, len(tokens) // _PROBES)
    probes = [(token, _first_row(connection, token)) for token in tokens[::step]]
    return (
        ("passages", str(sum(counts.values()))),
        ("sources", str(_count(connection, "sources"))),
        ("counts", json.dumps(counts, ensure_ascii=False)),
        ("full_text_pages", str(_count(connection, "documents_fts_idx"))),
        ("probes", json.dumps(probes, ensure_ascii=False)),
    )


def _passages_of_silos(connection: apsw.Connection) -> dict[str, int]:
    """Passages of each silo that has some, told by the rowids in the smallest table that has
    them: the rows and all their text are not read.
    """
    found = {}
    for silo in Silo:
        first, last = rows.row_range((silo,), with_superseded=False)
        bands = ((first + band, last + band) for band in (0, rows.SUPERSEDED_BAND))
        found[silo.value] = sum(int(str(connection.execute(_IN_RANGE, b).get)) for b in bands)
    return {silo: count for silo, count in found.items() if count}


def check_at_open(connection: apsw.Connection, path: Path) -> None:
    """Refuse a file that is not ours, newer, unfinished or whose full text does not answer.

    Takes a millisecond or two. Raises: IndexFileError.
    """
    version = schema.check_version(connection, schema.INDEX, path)
    if version < schema.INDEX.version:
        raise IndexFileError(
            f"La construction de l’index « {path} » n’est pas terminée, ou il vient d’une version "
            "plus ancienne d’AncreMed. Relancez « library build »."
        )
    try:
        probes = [
            (str(token), int(row)) for token, row in json.loads(_stored(connection, "probes"))
        ]
        for table, name in _COUNTED:
            if _count(connection, table) < int(_stored(connection, name)):
                raise damaged(path, "le plein texte est incomplet")
        for token, row in probes:
            if _first_row(connection, token) != row:
                raise damaged(path, "la recherche plein texte ne répond plus")
        connection.execute(
            " UNION ALL ".join(f"SELECT 1 FROM {table} WHERE 0" for table in _TABLES)
        )
    except (apsw.SQLError, ValueError, TypeError, RecursionError) as error:
        raise damaged(path, "des tables manquent ou sont illisibles") from error


def check_base(connection: apsw.Connection, path: Path) -> None:
    """Refuse a file whose rows another build cannot take over: one that is not ours, newer, not
    finished or not whole. Finished files of earlier versions pass. Raises: IndexFileError.
    """
    if schema.check_version(connection, schema.INDEX, path) not in schema.OLD_FINISHED_VERSIONS:
        check_at_open(connection, path)
        return
    for table in ("documents", "passages", "sources"):
        told = _stored(connection, "sources" if table == "sources" else "passages")
        if str(_count(connection, table)) != told:
            raise damaged(path, "des lignes manquent")
    if next(iter(connection.execute("PRAGMA quick_check(1)")))[0] != "ok":
        raise damaged(path, "sa structure est illisible")


def made_of(path: Path) -> str:
    """The inputs a finished index of this version was built from (``IndexWriter.begin``); empty
    when it does not open (``check_at_open``), whatever is wrong.
    """
    try:
        connection = open_read_only(path)
        try:
            with translated(path):
                check_at_open(connection, path)
                return _stored(connection, "made_of")
        finally:
            connection.close()
    except (IndexFileError, MachineError):
        return ""


def check_target(path: Path) -> None:
    """Refuse to build over anything but an index of ours (whole or damaged) or a free name.

    Reads the header alone (application_id: https://www.sqlite.org/fileformat.html §1.3.9).
    Raises: BadFileError.
    """
    if path.is_dir():
        raise BadFileError(
            f"« {path} » est un dossier : indiquez le nom du fichier d’index à écrire."
        )
    if not path.exists():
        return
    if not path.is_file() or not has_mark(path, schema.INDEX.application_id):
        raise BadFileError(
            f"« {path} » existe et n’est pas un index AncreMed : il n’est pas remplacé. "
            "Choisissez un autre nom, ou déplacez ce fichier."
        )


def ingest_report(path: Path) -> tuple[tuple[str, Tally | Refusal], ...]:
    """What the build of an index noted, with the part it belongs to. Raises: IndexFileError."""
    connection = open_read_only(path)
    try:
        with translated(path):
            check_at_open(connection, path)
            return rows.read_report(connection)
    finally:
        connection.close()


def check(path: Path, progress: ProgressCallback, cancel: CancelToken) -> tuple[str, ...]:
    """Everything that is wrong with an index file, in French; empty when it is whole.

    Checks the structure, the full text against the rows, row counts and the hash of every
    passage. Raises: IndexFileError when the file cannot be opened at all; Cancelled.
    """
    connection = open_read_only(path)
    try:
        with translated(path):
            check_at_open(connection, path)
            connection.set_progress_handler(lambda: cancel.cancelled, 20_000)
            progress(Progress(stage="Structure de la base", done=0, total=3))
            problems = list(_structure(connection))
            progress(Progress(stage="Plein texte", done=1, total=3))
            problems += _full_text(connection)
            problems += _counts(connection)
            progress(Progress(stage="Empreintes des passages", done=2, total=3))
            problems += _hashes(connection)
            progress(Progress(stage="Empreintes des passages", done=3, total=3))
    finally:
        connection.close()
    return tuple(problems)


def _structure(connection: apsw.Connection) -> Iterator[str]:
    for (line,) in connection.execute("PRAGMA integrity_check(5)"):
        if line != "ok":
            yield f"structure de la base : {line}"


def _full_text(connection: apsw.Connection) -> Iterator[str]:
    """Walk the whole full text and compare it with what was derived from it when it was built.

    FTS5's own « integrity-check » is an INSERT, which a file opened read-only refuses.
    """
    try:
        yield from derived.differences(connection)
    except (BugError, ValueError, IndexError) as error:
        _log.info("the full text does not read", exc_info=error)
        yield "plein texte : ses pages sont illisibles"


def _counts(connection: apsw.Connection) -> Iterator[str]:
    documents = _count(connection, "documents")
    for table, label in (("passages", "empreintes"), ("documents_fts_docsize", "textes indexés")):
        found = _count(connection, table)
        if found != documents:
            yield f"{documents} passages mais {found} {label}"


def _hashes(connection: apsw.Connection) -> Iterator[str]:
    found = connection.execute(
        "SELECT d.id, d.text_content, p.sha256 FROM documents d "
        "LEFT JOIN passages p ON p.row = d.rowid"
    )
    for urn, text, sha256 in found:
        if hashlib.sha256(str(text).encode()).digest() != sha256:
            yield f"le texte du passage {urn} a été altéré"


def _count(connection: apsw.Connection, table: str) -> int:
    row = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
    return int(row[0]) if row else 0


def _stored(connection: apsw.Connection, name: str) -> str:
    row = connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return str(row[0]) if row else ""


def _first_row(connection: apsw.Connection, token: str) -> int:
    row = connection.execute(
        "SELECT rowid FROM documents_fts WHERE documents_fts MATCH ? LIMIT 1", (quoted(token),)
    ).fetchone()
    return int(row[0]) if row else -1
