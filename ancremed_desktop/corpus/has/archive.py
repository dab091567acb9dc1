"""Finds the PDF files of a folder or of a zip archive, never trusting the names in an archive.

Members are unpacked one at a time under names of our own in a temporary folder: a hostile name
(``../x``, ``C:/x``, an absolute path) is reported and never used as a path.
"""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath

from ancremed_desktop.domain.documents import Refusal
from ancremed_desktop.errors import BadFileError

_MAX_MEMBERS = 20_000
_MAX_MEMBER_BYTES = 300 * 1024 * 1024
_MAX_TOTAL_BYTES = 4 * 1024 * 1024 * 1024
_MAX_RATIO = 200
"""PDF files hardly compress; a member that grows more than this is a bomb."""
_SMALL_BYTES = 1024 * 1024
_BLOCK_BYTES = 1024 * 1024
_ENCRYPTED_FLAG = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFile:
    """A PDF to read. ``name`` relative to the folder or archive; ``origin`` shown to the user."""

    path: Path
    name: str
    origin: str


def find_files(source: Path) -> Iterator[FoundFile | Refusal]:
    """PDF files of a folder (subfolders included), of a zip archive, or one PDF; by name.

    A zip found in the folder is opened as well. Each file of an archive exists on disk only
    until the next one is asked for.

    Raises: BadFileError when ``source`` is absent or nothing this reader knows.
    """
    if source.is_dir():
        for path in sorted(source.rglob("*")):
            suffix = path.suffix.lower()
            if suffix not in {".pdf", ".zip"} or not (path.is_file() or path.is_symlink()):
                continue
            name = path.relative_to(source).as_posix()
            if suffix == ".zip":
                yield from _members(path, f"{name}/")
            else:
                yield FoundFile(path=path, name=name, origin=str(path.absolute()))
    elif not source.exists():
        raise BadFileError(
            f"« {source} » est introuvable ; indiquez le dossier ou l’archive des PDF."
        )
    elif source.suffix.lower() == ".zip" or zipfile.is_zipfile(source):
        yield from _members(source, "")
    else:
        yield FoundFile(path=source, name=source.name, origin=str(source.absolute()))


def _members(archive: Path, prefix: str) -> Iterator[FoundFile | Refusal]:
    try:
        with zipfile.ZipFile(archive) as opened, tempfile.TemporaryDirectory() as folder:
            yield from _unpacked(archive, opened, Path(folder), prefix)
    except (zipfile.BadZipFile, OSError, NotImplementedError) as error:
        yield Refusal(
            file_name=prefix.rstrip("/") or archive.name,
            where="archive entière",
            reason=f"archive zip illisible ou endommagée ({error})",
        )


def _unpacked(
    archive: Path, opened: zipfile.ZipFile, folder: Path, prefix: str
) -> Iterator[FoundFile | Refusal]:
    seen: set[str] = set()
    total = 0
    members = [m for m in opened.infolist() if not m.is_dir()]
    for number, member in enumerate(sorted(members, key=lambda m: m.filename)):
        name = member.filename
        if not name.lower().endswith(".pdf"):
            continue
        total += member.file_size
        reason = _objection(member, seen)
        if number >= _MAX_MEMBERS or total > _MAX_TOTAL_BYTES:
            reason = "l’archive contient trop de fichiers ou de données"
        seen.add(name.casefold())
        if reason:
            yield Refusal(
                file_name=f"{prefix}{_shown(name)}", where="membre de l’archive", reason=reason
            )
            continue
        target = folder / f"{number}.pdf"
        problem = _extract(opened, member, target)
        if problem:
            yield Refusal(file_name=f"{prefix}{name}", where="membre de l’archive", reason=problem)
        else:
            yield FoundFile(
                path=target, name=f"{prefix}{name}", origin=f"{archive.absolute()}!{name}"
            )
        target.unlink(missing_ok=True)


def _objection(member: zipfile.ZipInfo, seen: set[str]) -> str:
    name = member.filename
    if (
        PurePosixPath(name).is_absolute()
        or PureWindowsPath(name).drive
        or name.startswith(("\\", "/"))
        or ".." in PurePosixPath(name.replace("\\", "/")).parts
        or any(ord(c) < 32 for c in name)
    ):
        return "nom de fichier dangereux (chemin absolu, « .. » ou caractère de contrôle)"
    if name.casefold() in seen:
        return "nom présent deux fois dans l’archive ; seul le premier fichier est lu"
    if member.flag_bits & _ENCRYPTED_FLAG:
        return "fichier protégé par un mot de passe dans l’archive"
    if member.file_size > _MAX_MEMBER_BYTES:
        return "fichier trop gros une fois décompressé"
    grown = member.file_size > _SMALL_BYTES
    if grown and member.file_size > _MAX_RATIO * max(1, member.compress_size):
        return "taux de compression anormal (archive piégée)"
    return ""


def _extract(opened: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path) -> str:
    """Write a member to ``target``; French reason when it cannot be, never more than announced."""
    written = 0
    try:
        with opened.open(member) as source, target.open("wb") as sink:
            while block := source.read(_BLOCK_BYTES):
                written += len(block)
                if written > min(member.file_size, _MAX_MEMBER_BYTES):
                    return "le fichier est plus gros que l’archive ne l’annonce (archive piégée)"
                sink.write(block)
    except (zipfile.BadZipFile, OSError, EOFError, NotImplementedError, RuntimeError) as error:
        return f"fichier endommagé dans l’archive ({error})"
    return ""


def _shown(name: str) -> str:
    """A hostile name made harmless for display."""
    return "".join(c if ord(c) >= 32 else "\ufffd" for c in name)
