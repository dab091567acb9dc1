"""Adds vectors to a finished index: in a copy beside it, put in place when all are there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import apsw

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.errors import IndexFileError
from ancremed_desktop.index import rows, schema
from ancremed_desktop.index.connection import (
    open_for_build,
    open_read_only,
    run_script,
    single_file,
    translated,
)
from ancremed_desktop.index.draft import copy_base, put_in_place
from ancremed_desktop.index.vectors import (
    LEFT_OUT,
    embedded_text,
    forget_stale,
    packed,
    stored_embedder,
)
from ancremed_desktop.ports import Vector

_BATCH = 50
"""Vectors between two commits: what a kill can lose is some seconds of computation."""
_MISSING = f"""
SELECT {rows.PASSAGE_COLUMNS} FROM {rows.PASSAGES}
WHERE d.rowid BETWEEN ? AND ? AND d.superseded = 0
    AND kind.label NOT IN ({", ".join("?" * len(LEFT_OUT))})
    AND d.id NOT IN (SELECT document_id FROM passage_vectors) ORDER BY d.rowid
"""


class VectorWriter:
    """The draft of ``target`` with vectors, ``target`` + ``.embedding`` until ``finish``.

    A draft of the same index by the same embedder is continued; vectors of another embedder and
    of passages that changed are dropped. The target is only read until it is replaced.

    Raises (any method): IndexFileError when ``target`` is not whole, MachineError.
    """

    def __init__(self, target: Path, embedder: str) -> None:
        self._target = target
        self._draft = target.with_name(target.name + ".embedding")
        build_id = _build_id(target)
        if not self._draft.exists() or not self._is_ours(build_id):
            self._remove_draft()
            copy_base(target, self._draft)
        self._db = open_for_build(self._draft)
        with translated(self._draft):
            run_script(self._db, (schema.INDEX.folder / "vectors.sql").read_text("utf-8"))
            with self._db:
                self._settle(embedder)

    def missing(self, silos: tuple[Silo, ...]) -> tuple[Passage, ...]:
        """Current passages of the silos that have no vector yet, in order."""
        found: list[Passage] = []
        with translated(self._draft):
            for silo in silos:
                span = rows.row_range((silo,), with_superseded=False)
                found += map(rows.passage_of, self._db.execute(_MISSING, (*span, *LEFT_OUT)))
        return tuple(found)

    def add_all(
        self,
        passages: tuple[Passage, ...],
        embed: Callable[[str], Vector],
        told: Callable[[int], None],
    ) -> None:
        """Embed and store; ``told`` how many are done, after each: what it raises stops the work
        and keeps what was done, as a kill keeps all but the last ``_BATCH``.
        """
        for start in range(0, len(passages), _BATCH):
            batch = []
            try:
                for number, passage in enumerate(passages[start : start + _BATCH], start + 1):
                    signs, vector = packed(embed(embedded_text(passage)))
                    batch.append((passage.urn, passage.sha256, signs, vector))
                    told(number)
            finally:
                with translated(self._draft), self._db:
                    self._db.executemany("INSERT INTO passage_vectors VALUES (?,?,?,?)", batch)

    def count(self) -> int:
        """Vectors stored so far."""
        row = self._db.execute("SELECT count(*) FROM passage_vectors").fetchone()
        return int(row[0]) if row else 0

    def finish(self) -> None:
        """Put the draft in the place of the target."""
        with translated(self._draft):
            single_file(self._db)
            self._db.close()
        with translated(self._target):
            put_in_place(self._draft, self._target)

    def close(self) -> None:
        """Release the draft, which stays to be continued."""
        self._db.close()

    def _settle(self, embedder: str) -> None:
        if stored_embedder(self._db) != embedder:
            self._db.execute("DELETE FROM passage_vectors")
            self._db.execute("DELETE FROM vector_source")
            self._db.execute("INSERT INTO vector_source VALUES (?)", (embedder,))
        forget_stale(self._db)

    def _is_ours(self, build_id: str) -> bool:
        try:
            return _build_id(self._draft) == build_id
        except IndexFileError:
            return False  # what a kill left of the copy: begin again

    def _remove_draft(self) -> None:
        with translated(self._draft):
            for suffix in ("", "-wal", "-shm", "-journal"):
                self._draft.with_name(self._draft.name + suffix).unlink(missing_ok=True)


def _build_id(path: Path) -> str:
    connection = open_read_only(path)
    try:
        with translated(path):
            schema.check_version(connection, schema.INDEX, path)
            row = connection.execute("SELECT value FROM meta WHERE name = 'build_id'").fetchone()
    except apsw.SQLError as error:
        raise IndexFileError(f"L’index « {path} » est incomplet : reconstruisez-le.") from error
    finally:
        connection.close()
    return str(row[0]) if row else ""
