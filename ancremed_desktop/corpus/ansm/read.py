"""Reads editions of the ANSM thesaurus of interactions; the newest is the one in force."""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from ancremed_desktop.corpus.ansm import documents
from ancremed_desktop.corpus.ansm.documents import Edition
from ancremed_desktop.corpus.ansm.substances import SubstanceIndex
from ancremed_desktop.corpus.ansm.thesaurus import Pair, merged, read_pair
from ancremed_desktop.domain.documents import CorpusItem, Refusal, Tally
from ancremed_desktop.domain.events import CancelToken, Progress, ProgressCallback
from ancremed_desktop.errors import BadFileError, reason_of
from ancremed_desktop.text.dates import date_in_name, figures

STAGE = "Lecture du thésaurus des interactions"
_SUFFIXES = (".json", ".json.gz", ".pdf")
_MAX_BYTES = 256 * 1024 * 1024
_UNDATED = (
    "la date de l’édition manque : nommez le fichier « thesaurus_AAAA-MM-JJ.json » (ou « AAAA-MM »)"
)


@dataclass(slots=True, kw_only=True)
class _Book:
    """One thesaurus file as read."""

    edition: Edition
    pairs: dict[tuple[str, str], list[Pair]]
    entries: tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class _Shelf:
    """What a folder holds: thesauri, indexes of substances by date, what was refused."""

    books: list[_Book] = field(default_factory=list)
    indexes: list[tuple[str, SubstanceIndex]] = field(default_factory=list)
    items: list[CorpusItem] = field(default_factory=list)


def read_ansm(
    folder: Path, progress: ProgressCallback, cancel: CancelToken
) -> Iterator[CorpusItem]:
    """One source a pair of each thesaurus of ``folder``, and one a substance, class or entry of
    the newest; older editions come as superseded, and so do pairs the newest no longer lists.

    Files are JSON lists (``.json``, ``.json.gz``), known by their content, dated by their name;
    the index of substances nearest before or at the date of the newest thesaurus is used.
    Raises: BadFileError when the folder is absent or holds no thesaurus; Cancelled.
    """
    shelf = _Shelf()
    paths = _paths(folder)
    for done, path in enumerate(paths):
        cancel.raise_if_cancelled()
        name = path.relative_to(folder).as_posix() if folder.is_dir() else path.name
        progress(Progress(stage=STAGE, done=done, total=len(paths), detail=name))
        try:
            _read_file(path, name, shelf)
        except BadFileError as error:
            shelf.items.append(
                Refusal(file_name=name, where="fichier entier", reason=str(error), lines=0)
            )
    books = _in_force(shelf.books)
    if not books:
        causes = " ".join(
            f"[{r.file_name}] {r.reason}" for r in shelf.items if isinstance(r, Refusal)
        )
        raise BadFileError(f"Aucun thésaurus lisible dans « {folder} ». {causes}".strip())
    yield from _documents(books, _index_for(books[0].edition.date, shelf), cancel)
    yield from shelf.items
    progress(Progress(stage=STAGE, done=len(paths), total=len(paths)))


def _paths(folder: Path) -> list[Path]:
    if folder.is_file():
        return [folder]
    if not folder.is_dir():
        raise BadFileError(f"Le dossier « {folder} » n’existe pas : vérifiez son nom.")
    return sorted(p for p in folder.rglob("*") if p.is_file() and p.name.endswith(_SUFFIXES))


def _read_file(path: Path, name: str, shelf: _Shelf) -> None:
    if path.suffix == ".pdf":
        raise BadFileError("le thésaurus en PDF n’est pas lu : fournissez l’édition en JSON")
    content = _bytes(path, name)
    try:
        records = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise BadFileError(f"ce n’est pas du JSON lisible ({reason_of(error)})") from error
    first = records[0] if isinstance(records, list) and records else None
    if not isinstance(records, list) or not isinstance(first, Mapping):
        raise BadFileError("ce n’est ni une liste de paires ni un index de substances")
    date = date_in_name(path.name)
    if not date:
        raise BadFileError(_UNDATED)
    if "substance" in first:
        shelf.indexes.append((date, _index(records, name, shelf.items)))
    elif "main_drug" in first:
        edition = Edition(
            date=date, file_name=name, file_sha256=hashlib.sha256(content).hexdigest()
        )
        shelf.books.append(_book(records, edition, shelf.items))
    else:
        raise BadFileError("ce n’est ni une liste de paires ni un index de substances")


def _bytes(path: Path, name: str) -> bytes:
    try:
        if path.suffix != ".gz":
            return path.read_bytes()
        with gzip.open(path) as stream:
            content = stream.read(_MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise BadFileError(f"le fichier est illisible ou incomplet ({reason_of(error)})") from error
    if len(content) > _MAX_BYTES:
        raise BadFileError(f"« {name} » dépasse 256 Mo une fois décompressé")
    return content


def _index(records: list[object], name: str, items: list[CorpusItem]) -> SubstanceIndex:
    index = SubstanceIndex()
    refused = 0
    for number, record in enumerate(records, start=1):
        reason = index.add(record)
        if reason:
            refused += 1
            items.append(Refusal(file_name=name, where=f"substance {number}", reason=reason))
    items.append(
        Tally(
            file_name=name,
            unit="substance",
            read=len(records),
            kept=len(records) - refused,
            refused=refused,
        )
    )
    return index


def _book(records: list[object], edition: Edition, items: list[CorpusItem]) -> _Book:
    pairs: list[Pair] = []
    for number, record in enumerate(records, start=1):
        pair = read_pair(record)
        if isinstance(pair, str):
            items.append(Refusal(file_name=edition.file_name, where=f"paire {number}", reason=pair))
        else:
            pairs.append(pair)
    ignored: Counter[str] = Counter()
    found = merged(pairs, ignored)
    lost = sum(not pair.complete for kept in found.values() for pair in kept)
    notes = Counter(ignored)
    if lost:
        notes["paires dont le détail a perdu des caractères (niveau seul)"] = lost
    items.append(
        Tally(
            file_name=edition.file_name,
            unit="paire",
            read=len(records),
            kept=len(pairs) - ignored.total(),
            refused=len(records) - len(pairs),
            ignored=ignored.total(),
            notes=tuple(notes.items()),
        )
    )
    entries = tuple(dict.fromkeys(n for pair in pairs for n in (pair.first, pair.second)))
    return _Book(edition=edition, pairs=found, entries=entries)


def _in_force(books: list[_Book]) -> list[_Book]:
    """Newest first; the others marked as replaced by it, the second of one date left out."""
    ordered: dict[str, _Book] = {}
    for book in sorted(books, key=lambda b: (b.edition.date, b.edition.file_name), reverse=True):
        ordered.setdefault(book.edition.date, book)
    found = list(ordered.values())
    for book in found[1:]:
        book.edition = replace(book.edition, superseded_by=found[0].edition.key)
    return found


def _index_for(date: str, shelf: _Shelf) -> SubstanceIndex:
    """The last index at or before an edition, else the first after it, else an empty one."""
    before = [i for i in shelf.indexes if i[0][: len(date)] <= date]
    chosen = max(before, default=None, key=lambda i: i[0]) or min(
        shelf.indexes, default=None, key=lambda i: i[0]
    )
    return chosen[1] if chosen else SubstanceIndex()


def _documents(
    books: list[_Book], index: SubstanceIndex, cancel: CancelToken
) -> Iterator[CorpusItem]:
    newest = books[0]
    edition = newest.edition
    yield documents.thesaurus_document(edition, len(newest.pairs), index)
    yield from documents.entry_documents(edition, index, newest.entries)
    absent = f"paire absente du thésaurus du {figures(edition.date)}"
    for book in books:
        for key, pairs in book.pairs.items():
            cancel.raise_if_cancelled()
            gone = "" if key in newest.pairs else absent
            yield documents.pair_document(book.edition, key, pairs, gone)
