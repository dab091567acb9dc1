"""The file of a build beside its target: begun, continued, thrown away, put in place."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import apsw

from ancremed_desktop.errors import IndexFileError
from ancremed_desktop.index import integrity, schema
from ancremed_desktop.index.connection import open_for_build, open_read_only, translated
from ancremed_desktop.index.schema import Schema


def begun(building: Path, kind: Schema, base: Path | None) -> apsw.Connection:
    """A new draft whose rows may change, with the rows of ``base`` if any.

    Raises: IndexFileError when ``base`` is not whole, MachineError.
    """
    if base is not None:
        copy_base(base, building)
    db = open_for_build(building)
    with translated(building):
        schema.open_rows(db, kind, building)
    return db


def resumed(building: Path, kind: Schema, inputs: str) -> apsw.Connection | None:
    """The interrupted build of the same inputs, or ``None``: another's is removed."""
    db = None
    try:
        db = open_for_build(building)
        found = schema.check_version(db, kind, building) and stored(db, "inputs")
        if found and found == inputs:
            schema.open_rows(db, kind, building)
            return db
    except (apsw.Error, IndexFileError):
        pass  # what a kill left is no build: begin again
    if db is not None:
        db.close()
    remove(building)
    return None


def remove(building: Path) -> None:
    """Delete a draft and what SQLite keeps beside it."""
    with translated(building):
        for suffix in ("", "-wal", "-shm", "-journal"):
            building.with_name(building.name + suffix).unlink(missing_ok=True)


def copy_base(base: Path, building: Path) -> None:
    """Begin ``building`` with a finished index. Raises: IndexFileError when it is not whole."""
    checked = open_read_only(base)
    try:
        with translated(base):
            integrity.check_base(checked, base)
    finally:
        checked.close()
    with translated(building):
        shutil.copyfile(base, building)
        building.chmod(0o644)  # the base may come from read-only media


def put_in_place(building: Path, target: Path) -> None:
    """Atomic on POSIX and Windows; synced first so that a power cut leaves one of the two."""
    with building.open("rb+") as file:
        os.fsync(file.fileno())
    building.replace(target)
    if os.name == "posix":
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def stored(db: apsw.Connection, name: str) -> str:
    """A value of ``meta``; empty when there is none."""
    row = db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return str(row[0]) if row else ""
