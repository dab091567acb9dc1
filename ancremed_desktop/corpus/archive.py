"""Finds the files of a folder or of a zip or tar archive, never trusting names in an archive.

Members are unpacked one at a time under names of our own in a temporary folder: a hostile name
(``../x``, ``C:/x``, an absolute path) is reported and never used as a path.
"""

from __future__ import annotations

import os
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO

from ancremed_desktop.domain.documents import Refusal
from ancremed_desktop.errors import BadFileError, MachineError, is_disk_full, reason_of
from ancremed_desktop.text.visible import is_storable, visible

_MAX_MEMBERS = 20_000
_MAX_DOCUMENTS = 5_000
"""Read in some ten seconds; more in one archive is no library that one puts together."""
_MAX_MEMBER_BYTES = 300 * 1024 * 1024
_MAX_TOTAL_BYTES = 4 * 1024 * 1024 * 1024
_MAX_RATIO = 200
"""Documents compress less than that; a member that grows more is a bomb."""
_SMALL_BYTES = 1024 * 1024
_BLOCK_BYTES = 1024 * 1024
_ENCRYPTED_FLAG = 1
_PDF = frozenset({".pdf"})
_ZIP = ".zip"
_TAR = (".tar.gz", ".tgz", ".tar")
_TOO_MUCH = "l’archive contient trop de fichiers ou de données"
_TOO_MANY = (
    "l’archive contient plus de 5\u00a0000 documents ; répartissez-les en plusieurs archives, ou "
    "décompressez-la et importez le dossier"
)
_NESTED = "archive dans une archive : décompressez-la d’abord"
_LINK = "lien ou fichier spécial dans l’archive ; seuls les vrais fichiers sont lus"
_LEADS_OUT = "lien vers un fichier hors du dossier importé ; importez ce fichier lui-même"
_LOOP = "lien qui renvoie à lui-même ; importez le fichier voulu à sa place"
_NO_NAME = "nom de fichier qui n’est pas en UTF-8 ; renommez le fichier ou son dossier"
_BIGGER = "le fichier est plus gros que l’archive ne l’annonce (archive piégée)"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFile:
    """A file to read. ``name`` relative to the folder or archive, and ``origin``, where it lies:
    as they are shown, without control characters.
    """

    path: Path
    name: str
    origin: str


def find_files(source: Path, suffixes: frozenset[str] = _PDF) -> Iterator[FoundFile | Refusal]:
    """Files of a folder (subfolders included) or of a zip or tar archive, or one file; by name.

    ``suffixes``: endings that are taken, in lower case. An archive found in the folder is opened
    as well, one inside an archive is not. Each file of an archive exists on disk only until the
    next one is asked for.

    Raises: BadFileError when ``source`` is absent or nothing this reader knows.
    """
    if source.is_dir():
        for path in _candidates(source, suffixes):
            name = path.relative_to(source).as_posix()
            found = _found(path, name, source)
            if is_archive(path) and isinstance(found, FoundFile):
                yield from _members(path, f"{name}/", suffixes)
            else:
                yield found
    elif not source.exists():
        raise BadFileError(
            f"« {source} » est introuvable ; indiquez le dossier ou l’archive des documents."
        )
    elif is_archive(source):
        yield from _members(source, "", suffixes)
    else:
        yield _found(source, source.name)


def count_files(source: Path, suffixes: frozenset[str] = _PDF) -> int:
    """How many files and refusals ``find_files`` gives at most; 0 where nobody can say: a tar tells
    what it holds only when it is read to its end.
    """
    paths = _candidates(source, suffixes) if source.is_dir() else [source]
    counts = [_held_by(path, suffixes) if is_archive(path) else 1 for path in paths]
    known = [number for number in counts if number is not None]
    return sum(known) if len(known) == len(counts) else 0


def _candidates(folder: Path, suffixes: frozenset[str]) -> list[Path]:
    """Files and links of a folder whose names are those of documents or archives, by name."""
    return [
        path
        for path in sorted(folder.rglob("*"))
        if (path.is_file() or path.is_symlink())
        and (is_archive(path) or path.suffix.lower() in suffixes)
    ]


def _held_by(archive: Path, suffixes: frozenset[str]) -> int | None:
    """Documents and archives in a zip; 1 of one that is refused whole, ``None`` of a tar."""
    if not archive.name.lower().endswith(_ZIP):
        return None
    try:
        with zipfile.ZipFile(archive) as opened:
            names = [member.filename for member in opened.infolist() if not member.is_dir()]
    except (zipfile.BadZipFile, OSError, NotImplementedError):
        return 1
    kept = [PurePosixPath(name).suffix.lower() in suffixes for name in names]
    if sum(kept) > _MAX_DOCUMENTS:
        return 1
    return sum(kept) + sum(map(_named_as_archive, names))


def _found(path: Path, name: str, folder: Path | None = None) -> FoundFile | Refusal:
    """A file; one that a link in ``folder`` leads out of it to is none of that folder."""
    origin = str(path.absolute())
    if folder and path.is_symlink():
        reason = _link_objection(path, folder)
        if reason:
            return Refusal(file_name=visible(name), where="fichier entier", reason=reason)
    if not is_storable(origin):
        return Refusal(file_name=visible(name), where="fichier entier", reason=_NO_NAME)
    return FoundFile(path=path, name=visible(name), origin=visible(origin))


def _link_objection(link: Path, folder: Path) -> str:
    # ``Path.resolve`` raises RuntimeError of a link to itself, up to Python 3.12.
    target = Path(os.path.realpath(link))
    if not target.is_relative_to(folder.resolve()):
        return _LEADS_OUT
    return _LOOP if target.is_symlink() else ""


def is_archive(path: Path) -> bool:
    """Whether a file is named as an archive that ``find_files`` opens."""
    return _named_as_archive(path.name)


def _named_as_archive(name: str) -> bool:
    return name.lower().endswith((_ZIP, *_TAR))


def _members(archive: Path, prefix: str, suffixes: frozenset[str]) -> Iterator[FoundFile | Refusal]:
    unpack = _zip_members if archive.name.lower().endswith(_ZIP) else _tar_members
    try:
        with tempfile.TemporaryDirectory() as folder:
            yield from unpack(archive, Path(folder), prefix, suffixes)
    except (
        zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, OSError, NotImplementedError
    ) as error:  # fmt: skip
        _stop_if_full(error)
        yield Refusal(
            file_name=visible(prefix.rstrip("/") or archive.name),
            where="archive entière",
            reason=f"archive illisible ({reason_of(error)})",
        )


def _zip_members(
    archive: Path, folder: Path, prefix: str, suffixes: frozenset[str]
) -> Iterator[FoundFile | Refusal]:
    seen: set[str] = set()
    total = 0
    with zipfile.ZipFile(archive) as opened:
        members = [m for m in opened.infolist() if not m.is_dir()]
        documents = (m for m in members if PurePosixPath(m.filename).suffix.lower() in suffixes)
        if sum(1 for _ in documents) > _MAX_DOCUMENTS:
            name = visible(prefix.rstrip("/") or archive.name)
            yield Refusal(file_name=name, where="archive entière", reason=_TOO_MANY)
            return
        for number, member in enumerate(sorted(members, key=lambda m: m.filename)):
            suffix = PurePosixPath(member.filename).suffix.lower()
            if _named_as_archive(member.filename):
                yield _taken(archive, member.filename, prefix, folder, _NESTED)
            if suffix not in suffixes:
                continue
            total += member.file_size
            reason = _objection(member.filename, member.file_size, seen) or _zip_objection(member)
            if number >= _MAX_MEMBERS or total > _MAX_TOTAL_BYTES:
                reason = _TOO_MUCH
            target = folder / f"{number}{suffix}"
            if not reason:
                reason = _extract_zip(opened, member, target)
            yield _taken(archive, member.filename, prefix, target, reason)
            target.unlink(missing_ok=True)


def _tar_members(
    archive: Path, folder: Path, prefix: str, suffixes: frozenset[str]
) -> Iterator[FoundFile | Refusal]:
    """Read front to back: going past a member unpacks it, so that every member counts."""
    seen: set[str] = set()
    total = read = 0
    with tarfile.open(archive, "r|*") as opened:
        for number, member in enumerate(opened):
            total += member.size
            if number >= _MAX_MEMBERS or total > _MAX_TOTAL_BYTES:
                yield _taken(archive, member.name, prefix, folder, _TOO_MUCH)
                return
            suffix = PurePosixPath(member.name).suffix.lower()
            if member.isreg() and _named_as_archive(member.name):
                yield _taken(archive, member.name, prefix, folder, _NESTED)
            if member.isdir() or suffix not in suffixes:
                continue
            read += 1
            if read > _MAX_DOCUMENTS:  # those before are read: a tar does not say how many it has
                yield _taken(archive, member.name, prefix, folder, _TOO_MANY)
                return
            reason = "" if member.isreg() else _LINK
            reason = reason or _objection(member.name, member.size, seen)
            target = folder / f"{number}{suffix}"
            source = None if reason else opened.extractfile(member)
            if source is not None:
                reason = _copy(source, target, member.size)
            yield _taken(archive, member.name, prefix, target, reason)
            target.unlink(missing_ok=True)


def _taken(archive: Path, name: str, prefix: str, target: Path, reason: str) -> FoundFile | Refusal:
    shown = visible(f"{prefix}{name}")
    origin = f"{archive.absolute()}!{name}"
    reason = reason or ("" if is_storable(origin) else _NO_NAME)
    if reason:
        return Refusal(file_name=shown, where="membre de l’archive", reason=reason)
    return FoundFile(path=target, name=shown, origin=visible(origin))


def _objection(name: str, size: int, seen: set[str]) -> str:
    """Why a member is not unpacked, or empty; its name joins ``seen``."""
    twice = name.casefold() in seen
    seen.add(name.casefold())
    if (
        PurePosixPath(name).is_absolute()
        or PureWindowsPath(name).drive
        or name.startswith(("\\", "/"))
        or ".." in PurePosixPath(name.replace("\\", "/")).parts
        or any(ord(c) < 32 for c in name)
    ):
        return "nom de fichier dangereux (chemin absolu, « .. » ou caractère de contrôle)"
    if twice:
        return "nom présent deux fois dans l’archive ; seul le premier fichier est lu"
    if size > _MAX_MEMBER_BYTES:
        return "fichier trop gros une fois décompressé"
    return ""


def _zip_objection(member: zipfile.ZipInfo) -> str:
    if member.flag_bits & _ENCRYPTED_FLAG:
        return "fichier protégé par un mot de passe dans l’archive"
    grown = member.file_size > _SMALL_BYTES
    if grown and member.file_size > _MAX_RATIO * max(1, member.compress_size):
        return "taux de compression anormal (archive piégée)"
    return ""


def _extract_zip(opened: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path) -> str:
    """Write a member to ``target``; French reason when it cannot be."""
    try:
        with opened.open(member) as source:
            return _copy(source, target, member.file_size)
    except (zipfile.BadZipFile, OSError, EOFError, NotImplementedError, RuntimeError) as error:
        _stop_if_full(error)
        return "fichier endommagé dans l’archive"


def _copy(source: IO[bytes], target: Path, announced: int) -> str:
    """Write a member to ``target``, never more than announced; French reason when it is more."""
    written = 0
    with target.open("wb") as sink:
        while block := source.read(_BLOCK_BYTES):
            written += len(block)
            if written > min(announced, _MAX_MEMBER_BYTES):
                return _BIGGER
            sink.write(block)
    return ""


def _stop_if_full(error: Exception) -> None:
    """A full disk is no fault of the archive: each later file would fail as well."""
    if is_disk_full(error):
        raise MachineError(
            f"Plus de place dans le dossier temporaire « {tempfile.gettempdir()} » pour ouvrir une "
            "archive. Libérez de la place, puis recommencez."
        ) from error
