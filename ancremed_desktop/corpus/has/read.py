"""Reads a folder (or zip) of HAS documents into sources and passages."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

from ancremed_desktop.corpus.archive import FoundFile, count_files, find_files
from ancremed_desktop.corpus.chunking import chunk_page
from ancremed_desktop.corpus.has.document import read_pdf
from ancremed_desktop.corpus.has.pdf_text import PdfText
from ancremed_desktop.corpus.ingest_worker import IngestWorker, WorkerLimits
from ancremed_desktop.domain.documents import (
    CorpusItem,
    Passage,
    Refusal,
    Source,
    SourceDocument,
    Tally,
    passage_urn,
)
from ancremed_desktop.domain.events import CancelToken, Progress, ProgressCallback
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.errors import BadFileError, MachineError
from ancremed_desktop.text.normalise import fold

_STAGE = "Documents de la HAS"
_WHOLE_FILE = "fichier entier"
_LICENCE = "document public de la HAS, à citer avec sa date, sans altération"
_OTHER_LICENCE = "licence non identifiée : à vérifier auprès de l’éditeur"
_OWN = ("HAS", "ANAES", "CEPP")
"""How the publishers begin whose documents are the HAS’s."""
_APART = re.compile(r"[^a-z0-9]+")
_SLUG_LENGTH = 80
_MAX_TOPIC_WORDS = 8
_TOPIC_LEAD = re.compile(
    r"(?:recommandations? pour |prise en charge (?:(?:diagnostique|thérapeutique|médicale"
    r"|chirurgicale|et|traitement|immédiat) )*|(?:le )?dépistage (?:et le diagnostic )?"
    r"|prévention |suivi |place |utilisation |critères? |indications? )+"
    r"(?:de la |de l[’']|du |des |de |d[’'])?",
    re.IGNORECASE,
)


def read_has(
    folder: Path,
    progress: ProgressCallback,
    cancel: CancelToken,
    limits: WorkerLimits | None = None,
) -> Iterator[CorpusItem]:
    """Documents, refusals and one tally (in pages) per PDF of a folder or zip archive.

    Each PDF is parsed in a child process within ``limits``; a file that crashes it, hangs or
    asks for too much memory is named in a ``Refusal`` and the others go on.

    Raises:
        BadFileError: ``folder`` does not exist or holds no PDF.
        Cancelled: the user stopped.

    """
    seen: dict[str, str] = {}
    read = 0
    started = time.monotonic()
    total = count_files(folder)
    with IngestWorker(read_pdf, limits) as worker:
        for done, found in enumerate(find_files(folder)):
            read += 1
            cancel.raise_if_cancelled()
            if isinstance(found, Refusal):
                yield found
                continue
            spent = time.monotonic() - started
            left = spent / done * (total - done) if done and total > done else None
            progress(
                Progress(stage=_STAGE, done=done, total=total, detail=found.name, seconds_left=left)
            )
            yield from _one(worker, found, seen, cancel)
    if not read:
        raise BadFileError(f"« {folder} » ne contient aucun PDF : vérifiez son emplacement.")
    progress(Progress(stage=_STAGE, done=read, total=read))


def _one(
    worker: IngestWorker[PdfText],
    found: FoundFile,
    seen: dict[str, str],
    cancel: CancelToken,
) -> Iterator[CorpusItem]:
    try:
        pdf = worker.run(found.path, cancel)
    except (BadFileError, MachineError) as error:
        yield Refusal(file_name=found.name, where=_WHOLE_FILE, reason=str(error))
        yield Tally(file_name=found.name, unit="fichier", read=1, kept=0, refused=1)
        return
    refused = {refusal.number for refusal in pdf.refusals if refusal.whole}
    twin = seen.setdefault(pdf.text_sha256, found.name) if pdf.pages else found.name
    if twin != found.name:
        yield Refusal(
            file_name=found.name,
            where=_WHOLE_FILE,
            reason=f"même texte que « {twin} », déjà lu ; ce second exemplaire est ignoré",
            lines=0,
        )
        yield _tally(found.name, pdf, kept=0, refused=0, note="second exemplaire du même texte")
        return
    for refusal in pdf.refusals:
        yield Refusal(
            file_name=found.name,
            where=f"page {refusal.number}" + (f", {refusal.part}" if refusal.part else ""),
            reason=refusal.reason,
            lines=int(refusal.whole),
        )
    if pdf.pages:
        yield _document(pdf, found)
    elif len(refused) < pdf.page_count or not pdf.refusals:
        yield Refusal(
            file_name=found.name,
            where=_WHOLE_FILE,
            reason="aucun texte lisible dans ce PDF",
            lines=0,
        )
    yield _tally(
        found.name, pdf, kept=len(pdf.pages), refused=len(refused), note="pages sans contenu"
    )


def _tally(name: str, pdf: PdfText, kept: int, refused: int, note: str) -> Tally:
    ignored = pdf.page_count - kept - refused
    parts = sum(1 for refusal in pdf.refusals if not refusal.whole)
    notes = ((note, ignored), ("tableaux refusés", parts))
    return Tally(
        file_name=name,
        unit="page",
        read=pdf.page_count,
        kept=kept,
        refused=refused,
        ignored=ignored,
        notes=tuple((label, count) for label, count in notes if count),
    )


def _document(pdf: PdfText, found: FoundFile) -> SourceDocument:
    identity = pdf.identity
    key = f"has:{pdf.file_sha256[:12]}"
    details = [("type de document", identity.kind), ("première édition", identity.first_date)]
    details += [("référence", identity.reference)]
    details += [("fichier", found.name), ("chemin", found.origin)]
    source = Source(
        key=key,
        silo=Silo.HAS,
        title=identity.title,
        source_identifier=_identifier(pdf),
        publisher=identity.publisher,
        licence=_LICENCE if identity.publisher.startswith(_OWN) else _OTHER_LICENCE,
        regulatory_date=identity.date,
        file_name=found.name,
        file_sha256=pdf.file_sha256,
        page_count=pdf.page_count,
        names=_names(identity.title),
        details=tuple((label, value) for label, value in details if value),
    )
    return SourceDocument(source=source, passages=tuple(_passages(pdf, source)))


def _passages(pdf: PdfText, source: Source) -> Iterator[Passage]:
    number = 0
    for page in pdf.pages:
        for chunk in chunk_page(page.text, page.blocks):
            yield Passage(
                urn=passage_urn(
                    Silo.HAS,
                    source.source_identifier,
                    f"{pdf.file_sha256[:8]}-p{page.number}-{number}",
                ),
                source_key=source.key,
                silo=Silo.HAS,
                origin_title=source.title,
                source_identifier=source.source_identifier,
                text=chunk.text,
                regulatory_date=source.regulatory_date,
                page_number=page.number,
                page_label=page.label,
                chunk_index=number,
                char_start=chunk.start,
                section=chunk.section,
                heading=chunk.heading,
                kind=chunk.kind,
            )
            number += 1


def _identifier(pdf: PdfText) -> str:
    """``HAS-`` and the official number, else kind and title: the same for every edition.

    The date is left out on purpose, so that a later edition is recognised as the same document;
    a document without a title of its own is identified by its bytes and supersedes nothing.
    """
    identity = pdf.identity
    if identity.reference:
        return f"HAS-{identity.reference}"
    if not identity.title_is_own:
        return f"HAS-{pdf.file_sha256[:12]}"
    slug = _APART.sub("-", fold(f"{identity.kind} {identity.title}")).strip("-")
    return f"HAS-{slug[:_SLUG_LENGTH].rstrip('-')}"


def _names(title: str) -> tuple[str, ...]:
    """The title, its part before a colon, and its topic without « Prise en charge de… »."""
    names = [title]
    head = re.split(r"\s*[:(,]\s*", title, maxsplit=1)[0]
    topic = _TOPIC_LEAD.sub("", head, count=1) if _TOPIC_LEAD.match(head) else head
    for candidate in (head, topic):
        name = candidate.strip(" -–")
        if 1 <= len(name.split()) <= _MAX_TOPIC_WORDS and len(name) > 3 and name not in names:
            names.append(name[0].upper() + name[1:])
    return tuple(dict.fromkeys(names))
