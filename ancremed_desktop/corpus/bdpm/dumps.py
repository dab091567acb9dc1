"""Finds the dumps of a folder, their dates, and the file that supplies each table."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ancremed_desktop.corpus.bdpm.schema import Table, table_of
from ancremed_desktop.corpus.folders import require_folder
from ancremed_desktop.errors import BadFileError

_FOLDER_DATE = re.compile(
    r"(?<!\d)(19|20)(\d{2})[-_.]?(0[1-9]|1[0-2])(?:[-_.]?(0[1-9]|[12]\d|3[01]))?(?!\d)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dump:
    """Files published together. ``edition``: ISO date of the folder's name, empty when none.

    ``name``: path of its folder below the folder read, ``""`` for that folder itself.
    """

    name: str
    edition: str
    files: tuple[tuple[Table, Path], ...]

    def file_of(self, table: Table) -> Path | None:
        """The file of a table, ``None`` when this dump lacks it."""
        return next((path for found, path in self.files if found is table), None)

    def label_of(self, path: Path) -> str:
        """Name under which a file is reported."""
        return f"{self.name}/{path.name}" if self.name else path.name


def find_dumps(folder: Path) -> tuple[Dump, ...]:
    """Dumps in ``folder`` and in its direct subfolders, oldest first.

    Raises: BadFileError when the folder is absent or holds no drug list.
    """
    require_folder(folder, "BDPM")
    subfolders = sorted(path for path in folder.iterdir() if path.is_dir())
    dumps = [_dump(path, "" if path == folder else path.name) for path in (folder, *subfolders)]
    found = [dump for dump in dumps if dump.files]
    if not any(dump.file_of(Table.DRUGS) for dump in found):
        raise BadFileError(
            f"Le dossier « {folder} » ne contient pas la liste des spécialités : attendu, "
            "CIS_bdpm.txt (ou CIS_bdpm.txt.gz) dans ce dossier ou dans ses sous-dossiers datés ; une "
            "archive zip se décompresse d’abord."
        )
    return tuple(sorted(found, key=lambda dump: (dump.edition, dump.name)))


def folder_date(name: str) -> str:
    """ISO date (``YYYY-MM`` or ``YYYY-MM-DD``) in a folder's name, empty when there is none."""
    found = _FOLDER_DATE.search(name)
    if found is None:
        return ""
    return f"{found[1]}{found[2]}-{found[3]}" + (f"-{found[4]}" if found[4] else "")


def _dump(folder: Path, name: str) -> Dump:
    files: dict[Table, Path] = {}
    for path in sorted(folder.iterdir()):
        table = table_of(path.name) if path.is_file() else None
        if table is not None:
            # Of two files of one table (compressed or stamped twice) the last name is the newest.
            files[table] = path
    return Dump(name=name, edition=folder_date(folder.name), files=tuple(files.items()))
