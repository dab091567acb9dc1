"""Versions of our SQLite files: numbered SQL scripts, each run once in an exclusive transaction.

``PRAGMA application_id`` says whose file it is, ``PRAGMA user_version`` which script was last.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import apsw

from ancremed_desktop.errors import IndexFileError
from ancremed_desktop.index.connection import pragma, run_script
from ancremed_desktop.settings.paths import RESOURCES
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import stem

SQL = RESOURCES / "sql"


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """A kind of file. ``folder`` holds ``NNN_name.sql``; ``label`` names the file in French."""

    folder: Path
    application_id: int
    label: str

    def scripts(self) -> tuple[Path, ...]:
        """Upgrade scripts; the one at position ``n`` leads to version ``n + 1``."""
        return tuple(sorted(self.folder.glob("[0-9][0-9][0-9]_*.sql")))

    @property
    def version(self) -> int:
        """The version this program writes and reads."""
        return len(self.scripts())


INDEX = Schema(folder=SQL / "index", application_id=0x414E4352, label="L’index")
JOURNAL = Schema(folder=SQL / "journal", application_id=0x414E434A, label="Le journal")

TABLES_VERSION = 3
"""An index whose rows may still change: the full text comes with the next version."""
OLD_FINISHED_VERSIONS = (2,)
"""Finished indexes of earlier programs: their rows can be taken over."""


def check_version(connection: apsw.Connection, schema: Schema, path: Path) -> int:
    """The file's version, 0 for a new file.

    Raises: IndexFileError when the file is someone else's or newer than the program.
    """
    version = int(str(pragma(connection, "user_version")))
    owner = int(str(pragma(connection, "application_id")))
    is_new = version == 0 and owner == 0 and not pragma(connection, "schema_version")
    if not is_new and owner != schema.application_id:
        raise IndexFileError(
            f"Le fichier « {path} » est une base de données d’un autre logiciel. Indiquez un "
            "fichier créé par AncreMed."
        )
    if version > schema.version:
        raise IndexFileError(
            f"{schema.label} « {path} » vient d’une version plus récente d’AncreMed (format "
            f"{version}, format connu : {schema.version}). Mettez l’application à jour."
        )
    return version


def upgrade(
    connection: apsw.Connection, schema: Schema, path: Path, to_version: int | None = None
) -> None:
    """Run the scripts the file lacks, all or nothing, up to ``to_version`` (default: the last).

    Raises: IndexFileError as ``check_version``.
    """
    wanted = schema.version if to_version is None else to_version
    if check_version(connection, schema, path) >= wanted:
        return
    register_functions(connection)
    run_script(connection, "BEGIN EXCLUSIVE")
    try:
        # Read again: another process may have upgraded the file before we got the lock.
        version = check_version(connection, schema, path)
        for script in schema.scripts()[version:wanted]:
            run_script(connection, script.read_text(encoding="utf-8"))
        pragma(connection, f"application_id = {schema.application_id}")
        pragma(connection, f"user_version = {max(version, wanted)}")
        run_script(connection, "COMMIT")
    except BaseException:
        if connection.in_transaction:
            run_script(connection, "ROLLBACK")
        raise


def register_functions(connection: apsw.Connection) -> None:
    """The SQL functions the scripts call."""
    for name, function in (("word_fold", fold), ("word_stem", stem)):
        connection.create_scalar_function(name, _on_text(function), 1, deterministic=True)


def _on_text(function: Callable[[str], str]) -> Callable[..., str]:
    return lambda *arguments: function(str(arguments[0]))


def open_rows(connection: apsw.Connection, schema: Schema, path: Path) -> None:
    """Take a new file, or an index of any version, to the version whose rows may change.

    Raises: IndexFileError as ``check_version``.
    """
    if check_version(connection, schema, path) > TABLES_VERSION:
        with connection:
            run_script(connection, (schema.folder / "reopen.sql").read_text(encoding="utf-8"))
    upgrade(connection, schema, path, TABLES_VERSION)
