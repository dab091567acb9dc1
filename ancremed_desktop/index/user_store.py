"""The user's own database: one row a question, kept between runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, fields, replace
from pathlib import Path

import apsw

from ancremed_desktop.index import schema
from ancremed_desktop.index.connection import open_read_write, run_script, translated
from ancremed_desktop.ports import QueryLogRow

_JSON = ("silos_touched", "abstained_sections", "stage_latency_ms")
_NAMES = tuple(field.name for field in fields(QueryLogRow))


class UserStore:
    """``ports.QueryLog`` in the file ``path``, created at the first use and upgraded when old.

    ``sql_folder`` holds the schema scripts. The file is opened for each call: several windows
    may write to it.

    Raises (any method): MachineError when the file cannot be read or written, IndexFileError
    when it is damaged, someone else's or newer than the program.
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
        with self._open() as db:
            db.execute(
                f"INSERT OR REPLACE INTO query_log ({', '.join(_NAMES)}) VALUES ({marks})", values
            )

    def rows(self, limit: int = 1000) -> tuple[QueryLogRow, ...]:
        """Latest rows first."""
        statement = (
            f"SELECT {', '.join(_NAMES)} FROM query_log ORDER BY timestamp DESC, rowid DESC LIMIT ?"
        )
        with self._open() as db:
            return tuple(_row(values) for values in db.execute(statement, (limit,)).fetchall())

    def clear(self) -> None:
        """Forget every question, and overwrite what the file held of them."""
        with self._open() as db:
            run_script(db, "PRAGMA secure_delete = ON")
            run_script(db, "DELETE FROM query_log")

    @contextmanager
    def _open(self) -> Iterator[apsw.Connection]:
        with translated(self._path, "Vérifiez l’espace libre et les droits du dossier."):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            db = open_read_write(self._path)
            try:
                schema.upgrade(db, self._schema, self._path)
                yield db
            finally:
                db.close()


def _row(values: tuple[object, ...]) -> QueryLogRow:
    found = dict(zip(_NAMES, values, strict=True))
    for name in _JSON:
        content = json.loads(str(found[name]))
        found[name] = tuple(content) if isinstance(content, list) else content
    found["gate_blocked"] = bool(found["gate_blocked"])
    return QueryLogRow(**found)  # type: ignore[arg-type]  # the columns are the fields themselves
