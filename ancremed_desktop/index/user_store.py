"""The user's own database: the query log."""

from __future__ import annotations

import json
from dataclasses import astuple, fields
from pathlib import Path

import apsw

from ancremed_desktop.errors import MachineError
from ancremed_desktop.ports import QueryLogRow

_LISTS = ("silos_touched", "abstained_sections", "stage_latency_ms")


class UserStore:
    """Implements ``ports.QueryLog`` in ``journal.db``; opened at the first row."""

    def __init__(self, path: Path, sql_folder: Path) -> None:
        self._path = path
        self._schema = (sql_folder / "journal.sql").read_text("utf-8")

    def append(self, row: QueryLogRow) -> None:
        """Store one row. Raises: MachineError when it cannot be written."""
        names = [f.name for f in fields(row)]
        values = [
            json.dumps(v, ensure_ascii=False) if n in _LISTS else v
            for n, v in zip(names, astuple(row), strict=True)
        ]
        marks = ",".join("?" * len(names))
        try:
            with self._open() as db:
                db.execute(f"INSERT INTO query_log ({','.join(names)}) VALUES ({marks})", values)
        except apsw.Error as error:
            raise MachineError(
                f"Le journal {self._path} ne peut pas être écrit : {error}. "
                "Vérifiez l’espace libre et les droits du dossier."
            ) from error

    def rows(self, limit: int = 1000) -> tuple[QueryLogRow, ...]:
        """Latest rows first."""
        names = [f.name for f in fields(QueryLogRow)]
        sql = f"SELECT {','.join(names)} FROM query_log ORDER BY timestamp DESC LIMIT ?"
        with self._open() as db:
            found = db.execute(sql, (limit,)).fetchall()
        return tuple(_row(dict(zip(names, r, strict=True))) for r in found)

    def _open(self) -> apsw.Connection:
        db = apsw.Connection(str(self._path))
        db.set_busy_timeout(2000)
        db.execute(self._schema)
        return db


def _row(values: dict[str, object]) -> QueryLogRow:
    for name in _LISTS:
        values[name] = json.loads(str(values[name]))
    values["gate_blocked"] = bool(values["gate_blocked"])
    return QueryLogRow(**values)  # type: ignore[arg-type]  # columns are the fields themselves
