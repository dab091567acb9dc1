"""The user's own database: one row a question, kept between runs."""

from __future__ import annotations

import glob
import json
import logging
from collections.abc import Callable
from dataclasses import astuple, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import apsw

from ancremed_desktop.index import schema
from ancremed_desktop.index.connection import BUSY_MS, run_script, translated
from ancremed_desktop.ports import QueryLogRow

_log = logging.getLogger(__name__)

T = TypeVar("T")

_ASIDE = ".endommagé-"
_ADVICE = "Vérifiez l’espace libre et les droits du dossier."
_DAMAGE = (apsw.CorruptError, apsw.NotADBError, apsw.FormatError, apsw.SQLError)
"""``SQLError``: a table or a column of ours is gone (our statements are fixed)."""
_JSON = ("silos_touched", "abstained_sections", "stage_latency_ms")
_NAMES = tuple(field.name for field in fields(QueryLogRow))


class UserStore:
    """``ports.QueryLog`` in the file ``path``, created at the first use and upgraded when old.

    ``sql_folder`` holds the schema scripts. The file is opened for each call: several windows
    may write to it. A damaged file is set aside beside it (``.endommagé-<date>``) and a new one
    takes its place.

    Raises (any method): MachineError when the file cannot be read or written, IndexFileError
    when it is someone else's or newer than the program.
    """

    def __init__(self, path: Path, sql_folder: Path = schema.SQL) -> None:
        self._path = path
        self._schema = replace(schema.JOURNAL, folder=sql_folder / "journal")

    def append(self, row: QueryLogRow) -> None:
        """Store one row; a row with the same ``request_id`` is replaced."""
        values = tuple(
            json.dumps(value, ensure_ascii=False) if name in _JSON else value
            for name, value in zip(_NAMES, astuple(row), strict=True)
        )
        marks = ", ".join("?" * len(_NAMES))
        statement = f"INSERT OR REPLACE INTO query_log ({', '.join(_NAMES)}) VALUES ({marks})"
        self._run(lambda db: db.execute(statement, values).fetchall())

    def rows(self, limit: int = 1000) -> tuple[QueryLogRow, ...]:
        """Latest rows first."""
        statement = (
            f"SELECT {', '.join(_NAMES)} FROM query_log ORDER BY timestamp DESC, rowid DESC LIMIT ?"
        )
        return tuple(map(_row, self._run(lambda db: db.execute(statement, (limit,)).fetchall())))

    def questions(self, limit: int = 30) -> tuple[str, ...]:
        """The latest question texts that were kept, each once, oldest first."""
        statement = (
            "SELECT question_text FROM query_log WHERE question_text IS NOT NULL "
            "GROUP BY question_text ORDER BY max(timestamp) DESC LIMIT ?"
        )
        found = self._run(lambda db: db.execute(statement, (limit,)).fetchall())
        return tuple(str(text) for (text,) in reversed(found))

    def clear(self) -> None:
        """Forget every query, and overwrite what the files held of them."""
        self._erase("DELETE FROM query_log")

    def forget_questions(self) -> None:
        """Forget the texts of the questions, keep the figures; overwrite what the files held."""
        self._erase("UPDATE query_log SET question_text = NULL WHERE question_text IS NOT NULL")

    def _erase(self, statement: str) -> None:
        # VACUUM: pages that SQLite moved rows from may still hold copies of them.
        script = f"PRAGMA synchronous = FULL; {statement}; VACUUM"
        self._run(lambda db: run_script(db, script))
        with translated(self._path, _ADVICE):
            for old in self._path.parent.glob(f"{glob.escape(self._path.name)}{_ASIDE}*"):
                old.unlink(missing_ok=True)

    def _run(self, work: Callable[[apsw.Connection], T]) -> T:
        with translated(self._path, _ADVICE):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            try:
                return self._with_file(work)
            except _DAMAGE:
                self._set_aside()
                return self._with_file(work)

    def _with_file(self, work: Callable[[apsw.Connection], T]) -> T:
        db = apsw.Connection(str(self._path))
        try:
            db.set_busy_timeout(BUSY_MS)
            # The four syncs a row of FULL take longer than the answer to a greeting; WAL, which
            # would need none, does not work in a home on the network.
            run_script(db, "PRAGMA secure_delete = ON; PRAGMA synchronous = NORMAL")
            schema.upgrade(db, self._schema, self._path)
            return work(db)
        finally:
            db.close()

    def _set_aside(self) -> None:
        """Rename the file with its journals: a stale one would be replayed into the new file."""
        name = f"{self._path.name}{_ASIDE}{datetime.now(UTC):%Y-%m-%d-%H%M%S-%f}"
        for suffix in ("", "-journal", "-wal", "-shm"):
            old = self._path.with_name(self._path.name + suffix)
            if old.exists():
                old.replace(self._path.with_name(name + suffix))
        _log.warning(
            "Le journal des questions était endommagé : il est mis de côté sous « %s », "
            "et un journal neuf le remplace.",
            self._path.with_name(name),
        )


def _row(values: tuple[object, ...]) -> QueryLogRow:
    found = dict(zip(_NAMES, values, strict=True))
    for name in _JSON:
        content = json.loads(str(found[name]))
        found[name] = tuple(content) if isinstance(content, list) else content
    found["gate_blocked"] = bool(found["gate_blocked"])
    return QueryLogRow(**found)  # type: ignore[arg-type]  # the columns are the fields themselves
