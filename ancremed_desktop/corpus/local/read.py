"""Reads the user's own files, folders and archives into sources and passages."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from ancremed_desktop.corpus.archive import FoundFile, count_files, find_files
from ancremed_desktop.corpus.ingest_worker import IngestWorker, WorkerLimits
from ancremed_desktop.corpus.local.document import KNOWN, SAVED, read_file
from ancremed_desktop.corpus.local.model import LocalText
from ancremed_desktop.corpus.local.passages import passages_of
from ancremed_desktop.domain.documents import CorpusItem, Refusal, Source, SourceDocument, Tally
from ancremed_desktop.domain.events import CancelToken, Progress, ProgressCallback
from ancremed_desktop.domain.identifiers import Silo, SourceStatus
from ancremed_desktop.errors import BadFileError, MachineError
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.visible import visible

_STAGE = "Mes documents"
_WHOLE_FILE = "fichier entier"
_LICENCE = "document personnel, jamais diffusé"
_DATE = re.compile(
    r"(?<!\d)((?:19|20)\d\d)(?:[-_.](0[1-9]|1[0-2])(?:[-_.](0[1-9]|[12]\d|3[01]))?)?(?!\d)"
)
_APART = re.compile(r"[^a-z0-9]+")
_SUFFIXES = re.compile(r"(?:\.tar)?\.[A-Za-z0-9]{1,8}$")
_SLUG_LENGTH = 40
_Part = tuple[FoundFile, LocalText]


def read_local(
    folder: Path,
    progress: ProgressCallback,
    cancel: CancelToken,
    limits: WorkerLimits | None = None,
) -> Iterator[CorpusItem]:
    """Documents, refusals and a tally (in files) of one file, folder or archive of the user.

    Each file is parsed in a child process within ``limits``; one that cannot be read is named in
    a ``Refusal`` and the others go on. Files that hold a single numbered article each are one
    document together, named after the folder or archive.

    Raises:
        BadFileError: ``folder`` does not exist or holds no document.
        Cancelled: the user stopped.

    """
    total = count_files(folder, KNOWN)
    articles: list[_Part] = []
    read = 0
    with IngestWorker(read_file, limits) as worker:
        for found in find_files(folder, KNOWN):
            read += 1
            cancel.raise_if_cancelled()
            if isinstance(found, Refusal):
                yield found
                yield Tally(file_name=found.file_name, unit="fichier", read=1, kept=0, refused=1)
                continue
            progress(Progress(stage=_STAGE, done=read - 1, total=total, detail=found.name))
            yield from _one(worker, found, folder, articles, cancel)
    if not read:
        raise BadFileError(
            f"« {folder} » ne contient aucun document lisible (PDF, DOCX, Markdown, HTML, texte)."
        )
    if articles:
        yield _together(articles, folder) if len(articles) > 1 else _alone(*articles[0])
    progress(Progress(stage=_STAGE, done=read, total=read))


def _one(
    worker: IngestWorker[LocalText],
    found: FoundFile,
    folder: Path,
    articles: list[_Part],
    cancel: CancelToken,
) -> Iterator[CorpusItem]:
    try:
        text = worker.run(found.path, cancel)
    except (BadFileError, MachineError) as error:
        yield Refusal(file_name=found.name, where=_WHOLE_FILE, reason=visible(str(error)))
        yield Tally(file_name=found.name, unit="fichier", read=1, kept=0, refused=1)
        return
    for refusal in text.refusals:
        page = f"page {refusal.number}" if refusal.number else ""
        yield Refusal(
            file_name=found.name,
            where=", ".join(filter(None, (page, refusal.part))),
            reason=refusal.reason,
            lines=0,
        )
    if not any(page.blocks for page in text.pages):
        reason = "aucun texte lisible dans ce fichier"
        yield Refusal(file_name=found.name, where=_WHOLE_FILE, reason=reason)
        yield Tally(file_name=found.name, unit="fichier", read=1, kept=0, refused=1)
        return
    if _is_one_article(text) and found.path != folder:
        articles.append((found, text))
    else:
        yield _alone(found, text)
    refused = sum(1 for refusal in text.refusals if refusal.whole)
    notes = (
        ("pages gardées", len(text.pages) if text.page_count else 0),
        ("pages refusées", refused),
        ("paragraphes et tableaux refusés", len(text.refusals) - refused),
    )
    yield Tally(
        file_name=found.name,
        unit="fichier",
        read=1,
        kept=1,
        notes=tuple((label, count) for label, count in notes if count),
    )


def _is_one_article(text: LocalText) -> bool:
    labels = text.labels
    return len(labels) == 1 and next(iter(labels)).startswith("art-")


def _alone(found: FoundFile, text: LocalText) -> SourceDocument:
    """A file that is a document by itself."""
    stem = _spaced(PurePosixPath(found.name).name)
    facts = [("fichier", found.name), ("chemin", found.origin)]
    if found.origin == visible(str(found.path.absolute())):
        changed = datetime.fromtimestamp(found.path.stat().st_mtime, UTC)
        facts.append(("fichier modifié le", changed.date().isoformat()))
    date, dated_by = _dated(found, text)
    if dated_by:
        facts.append(("date", dated_by))
    source = Source(
        key=f"local:{text.file_sha256[:16]}",
        silo=Silo.LOCAL,
        title=visible(text.title) or stem,
        source_identifier=_identifier(stem, found.origin),
        publisher=SourceStatus.USER.value,
        licence=_LICENCE,
        regulatory_date=date,
        file_name=found.name,
        file_sha256=text.file_sha256,
        page_count=text.page_count,
        status=SourceStatus.USER,
        names=_names(text.title, stem),
        details=tuple(facts),
    )
    return SourceDocument(source=source, passages=passages_of(source, [(text, ())]))


def _dated(found: FoundFile, text: LocalText) -> tuple[str, str]:
    """(ISO date, where it was found): the document's own words, its file name, its properties.

    A file made from a template keeps the date of the template in its properties.
    """
    named = _date(found.name)
    if named and text.dated_by == SAVED:
        return named, "lue dans le nom du fichier"
    if text.date:
        return text.date, text.dated_by
    return named, "lue dans le nom du fichier" if named else ""


def _together(parts: Sequence[_Part], folder: Path) -> SourceDocument:
    """Files of one article each as one document, in the order of their numbers."""
    title = visible(_spaced(folder.resolve().name))
    ordered = sorted(parts, key=lambda part: _place(*part))
    digest = hashlib.sha256("".join(text.file_sha256 for _, text in ordered).encode())
    source = Source(
        key=f"local:{digest.hexdigest()[:16]}",
        silo=Silo.LOCAL,
        title=title,
        source_identifier=_identifier(title, str(folder.absolute())),
        publisher=SourceStatus.USER.value,
        licence=_LICENCE,
        regulatory_date=_date(folder.name),
        file_name=visible(folder.name),
        file_sha256=digest.hexdigest(),
        status=SourceStatus.USER,
        names=_names("", title),
        details=(("chemin", visible(str(folder.absolute()))), ("fichiers", str(len(parts)))),
    )
    above = [(text, PurePosixPath(found.name).parts[:-1]) for found, text in ordered]
    return SourceDocument(source=source, passages=passages_of(source, above))


def _place(found: FoundFile, text: LocalText) -> tuple[tuple[str, ...], list[tuple[int, str]]]:
    """Folders first, then the number: « 55 » before « 55-1 » before « 101 »."""
    label = next(iter(text.labels))
    pieces = re.findall(r"\d+|[a-z]+", label)
    key = [(int(piece), "") if piece.isdecimal() else (-1, piece) for piece in pieces]
    return PurePosixPath(found.name).parts[:-1], key


def _spaced(name: str) -> str:
    """A file name as words: « code_civil_2015.tar.gz » → « Code civil 2015 »."""
    words = " ".join(_SUFFIXES.sub("", name).replace("_", " ").split()) or name
    return words[0].upper() + words[1:]


def _names(title: str, stem: str) -> tuple[str, ...]:
    """The title, the file name, and what stands in it before a date."""
    dated = _DATE.search(stem)
    short = stem[: dated.start()].strip(" -–(") if dated else ""
    return tuple(dict.fromkeys(name for name in (title, stem, short) if name))


def _date(name: str) -> str:
    """Date in a file name, ISO: « code_civil_2015-03 » → ``2015-03``; empty: none."""
    found = _DATE.search(name)
    return "-".join(filter(None, found.groups())) if found else ""


def _identifier(stem: str, origin: str) -> str:
    """The same for every edition of the file at this place, so that a later one replaces it."""
    slug = _APART.sub("-", fold(stem))[:_SLUG_LENGTH].strip("-") or "document"
    place = hashlib.sha256(origin.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"DOC-{slug}-{place}"
