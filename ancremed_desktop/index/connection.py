"""Opens SQLite files, one small function a setting, and turns its errors into ours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from ancremed_desktop.errors import Cancelled, IndexFileError, MachineError, reason_of

_MAGIC = b"SQLite format 3\x00"
_HEADER_BYTES = 100
_REBUILD = (
    "Reconstruisez-le (« library build » ; si c’est votre bibliothèque, déplacez ce fichier, puis "
    "« library import ») ou reprenez une copie saine."
)
_CACHE_KIB = 16 * 1024
_APPENDING_CACHE_KIB = 2 * 1024
BUSY_MS = 5_000


def open_read_only(path: Path) -> apsw.Connection:
    """A finished file, read as it lies on the disk and never written to.

    ``immutable=1`` (https://www.sqlite.org/uri.html): works from read-only media, and a
    ``-wal`` or ``-journal`` that a stranger left beside the file is neither replayed nor read.

    Raises: IndexFileError when the file is absent, empty, truncated or not a database.
    """
    check_header(path)
    with translated(path):
        connection = apsw.Connection(
            path.resolve().as_uri() + "?immutable=1",
            flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI,
        )
        try:
            limit_cache(connection)
            no_memory_map(connection)
            temporary_in_memory(connection)
            distrust_schema(connection)
        except BaseException:
            connection.close()
            raise
        return connection


def open_for_build(path: Path) -> apsw.Connection:
    """A file being built: ours alone, crash-safe and fast.

    Raises: MachineError when another build holds it or the folder cannot be written.
    """
    connection = open_read_write(path)
    with translated(path):
        try:
            hold_alone(connection)
            write_ahead(connection)
            limit_cache(connection)
            temporary_in_memory(connection)
        except BaseException:
            connection.close()
            raise
        return connection


def open_read_write(path: Path) -> apsw.Connection:
    """A file that is read and written, created when absent.

    Raises: MachineError when the folder cannot be written; IndexFileError when it is no database.
    """
    with translated(path, "Vérifiez que le dossier existe et que vous pouvez y écrire."):
        connection = apsw.Connection(str(path))
        connection.set_busy_timeout(BUSY_MS)
        return connection


def pragma(connection: apsw.Connection, text: str) -> object:
    """Run a pragma to its end and return its first value (``None`` when it has none)."""
    rows = list(connection.execute(f"PRAGMA {text}"))
    return rows[0][0] if rows else None


def run_script(connection: apsw.Connection, script: str) -> None:
    """Run every statement: an unread row would stop the script at its statement."""
    for _row in connection.execute(script):
        pass


def limit_cache(connection: apsw.Connection) -> None:
    """16 MiB of pages: enough for the hot part of the full text; the system caches the rest."""
    pragma(connection, f"cache_size = -{_CACHE_KIB}")


def no_memory_map(connection: apsw.Connection) -> None:
    """Cold queries are ten times faster without mmap, and a vanished medium is an error, not
    a crash of the process.
    """
    pragma(connection, "mmap_size = 0")


def temporary_in_memory(connection: apsw.Connection) -> None:
    """Sorting must not need a writable folder."""
    pragma(connection, "temp_store = MEMORY")


def distrust_schema(connection: apsw.Connection) -> None:
    """A file may come from a stranger: its views and triggers get no dangerous function
    (https://www.sqlite.org/security.html).
    """
    pragma(connection, "trusted_schema = OFF")
    pragma(connection, "cell_size_check = ON")


def write_ahead(connection: apsw.Connection) -> None:
    """WAL with synchronous NORMAL: safe against a kill at the price of one sync a checkpoint,
    and a checkpoint only where the writer asks for one, instead of one a commit.
    """
    pragma(connection, "journal_mode = WAL")
    pragma(connection, "synchronous = NORMAL")
    pragma(connection, "wal_autocheckpoint = 0")


def hold_alone(connection: apsw.Connection) -> None:
    """A second build of the same file must fail at once, not mix with the first."""
    connection.set_busy_timeout(0)
    pragma(connection, "locking_mode = EXCLUSIVE")


def single_file(connection: apsw.Connection) -> None:
    """Fold the WAL in and go back to one plain file, which ``immutable=1`` needs.

    What is added from now on is written once, not to the WAL first, and not read again: it needs
    a rollback journal of the few pages that change, and little cache.
    """
    checkpoint(connection)
    pragma(connection, "journal_mode = DELETE")
    pragma(connection, "synchronous = FULL")
    pragma(connection, f"cache_size = -{_APPENDING_CACHE_KIB}")


def checkpoint(connection: apsw.Connection) -> None:
    """Move what was committed from the WAL into the file."""
    pragma(connection, "wal_checkpoint(TRUNCATE)")


def check_header(path: Path) -> None:
    """Cheap refusal of what is no SQLite file, before SQLite is asked.

    Raises: IndexFileError; see https://www.sqlite.org/fileformat.html §1.3 for the fields.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            header = file.read(_HEADER_BYTES)
    except FileNotFoundError:
        raise IndexFileError(
            f"L’index « {path} » n’existe pas. Construisez-le avec « library build », ou indiquez "
            "son emplacement avec « --index »."
        ) from None
    except OSError as error:
        raise IndexFileError(
            f"L’index « {path} » ne peut pas être lu ({reason_of(error)}). Vérifiez son "
            "emplacement et vos droits d’accès."
        ) from error
    if not size:
        raise IndexFileError(f"L’index « {path} » est vide (0 octet). {_REBUILD}")
    if len(header) < _HEADER_BYTES or not header.startswith(_MAGIC):
        raise IndexFileError(f"Le fichier « {path} » n’est pas un index AncreMed. {_REBUILD}")
    page = int.from_bytes(header[16:18], "big")
    expected = (65536 if page == 1 else page) * int.from_bytes(header[28:32], "big")
    if size < expected:
        raise IndexFileError(
            f"L’index « {path} » est tronqué : {size} octets au lieu de {expected}. {_REBUILD}"
        )


def has_mark(path: Path, application_id: int) -> bool:
    """Whether a regular file begins as an SQLite file of that ``application_id``.

    Raises: MachineError when it cannot be read.
    """
    with translated(path), path.open("rb") as file:
        header = file.read(_HEADER_BYTES)
    return header.startswith(_MAGIC) and header[68:72] == application_id.to_bytes(4, "big")


def damaged(path: Path, detail: str) -> IndexFileError:
    """The error for a file whose content does not hold together; ``detail`` is French."""
    return IndexFileError(f"L’index « {path} » est endommagé : {detail}. {_REBUILD}")


_BROKEN_SCHEMA = re.compile(
    r"no such (?:table|column|module|index)|malformed|unrecognized token"
    r"|constructor failed|has no column|error in (?:table|index|view|trigger)"
)
"""What SQLite says when the schema of a file has changed under our statements."""


@contextmanager
def translated(path: Path, advice: str = "") -> Iterator[None]:
    """Turn SQLite's errors about ``path`` into the two families of ours; bugs pass untouched."""
    try:
        yield
    except apsw.InterruptError as error:
        raise Cancelled("Arrêté à votre demande.") from error
    except apsw.FullError as error:
        raise MachineError(
            f"Le disque est plein : « {path} » n’a pas pu être écrit. Libérez de la place, puis "
            "recommencez : le travail reprendra où il s’est arrêté."
        ) from error
    except (apsw.BusyError, apsw.LockedError) as error:
        raise MachineError(
            f"« {path} » est utilisé par un autre travail. Attendez sa fin, puis recommencez."
        ) from error
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError) as error:
        raise MachineError(
            f"« {path} » ne peut pas être ouvert en écriture. "
            f"{advice or 'Vérifiez vos droits d’accès.'}"
        ) from error
    except apsw.IOError as error:
        raise MachineError(
            f"Lecture ou écriture impossible de « {path} ». Vérifiez le disque et la "
            "place libre, puis recommencez : le travail reprendra où il s’est arrêté."
        ) from error
    except (apsw.CorruptError, apsw.NotADBError) as error:
        raise damaged(path, "sa structure est illisible") from error
    except apsw.SQLError as error:
        if not _BROKEN_SCHEMA.search(str(error)):
            raise
        raise damaged(path, "ses tables ne sont pas celles attendues") from error
    except UnicodeDecodeError as error:
        raise damaged(path, "un de ses textes est illisible") from error
    except OSError as error:
        raise MachineError(
            f"« {path} » ne peut pas être écrit ({reason_of(error)}). "
            f"{advice or 'Vérifiez la place libre et vos droits d’accès.'}"
        ) from error
