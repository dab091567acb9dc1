"""Reads RCP and notices: pages of the public drug database and infomedicament exports."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

from ancremed_desktop.corpus.archive import FoundFile, find_files
from ancremed_desktop.corpus.rcp.document import leaflet_document
from ancremed_desktop.corpus.rcp.html import read_page
from ancremed_desktop.corpus.rcp.pieces import LeafletText
from ancremed_desktop.corpus.rcp.tree import read_record
from ancremed_desktop.domain.documents import CorpusItem, Refusal, SourceDocument, Tally
from ancremed_desktop.domain.events import CancelToken, Progress, ProgressCallback
from ancremed_desktop.errors import BadFileError, reason_of

_STAGE = "Lecture des RCP et des notices"
_SUFFIXES = frozenset({".html", ".htm", ".jsonl", ".txt", ".pdf"})
_MAX_BYTES = 64 * 1024 * 1024
_UNREAD = {
    ".txt": (
        "extrait en texte brut : ses tableaux y sont mis à plat et des signes y sont perdus, il ne "
        "peut pas être cité sûrement ; fournissez la page HTML ou l’export JSON"
    ),
    ".pdf": "RCP en PDF : importez-le comme document local",
}


def read_rcp(folder: Path, progress: ProgressCallback, cancel: CancelToken) -> Iterator[CorpusItem]:
    """One source a document; passages filed by rubric (4.1 indication, 4.2 posologie…).

    ``folder``: a folder, an archive or one file of ``.html``/``.htm`` pages (UTF-8 or
    windows-1252) and ``.jsonl`` exports. Files of another form are refused by name.
    Raises: BadFileError when nothing in it can be read; Cancelled.
    """
    kept = 0
    seen: dict[str, str] = {}
    for done, found in enumerate(find_files(folder, _SUFFIXES)):
        cancel.raise_if_cancelled()
        if isinstance(found, Refusal):
            yield found
            continue
        progress(Progress(stage=_STAGE, done=done, detail=found.name))
        for item in _read_file(found, seen):
            kept += isinstance(item, SourceDocument)
            yield item
    if not kept:
        raise BadFileError(
            f"« {folder} » ne contient aucun RCP ni notice lisible (pages .html, exports .jsonl)."
        )
    progress(Progress(stage=_STAGE, done=1, total=1))


def _read_file(found: FoundFile, seen: dict[str, str]) -> Iterator[CorpusItem]:
    suffix = found.path.suffix.lower()
    if suffix in _UNREAD:
        yield Refusal(file_name=found.name, where="fichier entier", reason=_UNREAD[suffix], lines=0)
        return
    try:
        content = _bytes(found.path)
        texts = _records(content) if suffix == ".jsonl" else [_text(content)]
    except BadFileError as error:
        yield Refusal(file_name=found.name, where="fichier entier", reason=str(error))
        yield Tally(file_name=found.name, unit="document", read=1, kept=0, refused=1)
        return
    digest = hashlib.sha256(content).hexdigest()
    refused = withheld = twins = 0
    for number, text in enumerate(texts, start=1):
        try:
            leaflet = _parse(text, suffix)
            fallback = f"{Path(found.name).stem}-{number}"
            document, lost = leaflet_document(leaflet, found.name, digest, _slug(fallback))
        except BadFileError as error:
            refused += 1
            yield Refusal(file_name=found.name, where=f"document {number}", reason=str(error))
            continue
        if document.source.key in seen:
            twins += 1
            continue
        seen[document.source.key] = found.name
        withheld += lost
        yield document
    notes = (
        ("textes omis : signe de comparaison illisible", withheld),
        ("éditions déjà lues", twins),
    )
    yield Tally(
        file_name=found.name,
        unit="document",
        read=len(texts),
        kept=len(texts) - refused - twins,
        refused=refused,
        ignored=twins,
        notes=tuple(note for note in notes if note[1]),
    )


def _bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise BadFileError("le fichier dépasse 64 Mo")
        return path.read_bytes()
    except OSError as error:
        raise BadFileError(f"fichier inaccessible ({reason_of(error)})") from error


def _text(content: bytes) -> str:
    """UTF-8 where it is, else windows-1252 as the public database writes."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    try:
        return content.decode("cp1252")
    except UnicodeDecodeError as error:
        raise BadFileError("le fichier n’est ni en UTF-8 ni en windows-1252") from error


def _records(content: bytes) -> list[str]:
    lines = [line for line in _text(content).splitlines() if line.strip()]
    if not lines:
        raise BadFileError("le fichier est vide")
    return lines


def _parse(text: str, suffix: str) -> LeafletText:
    if suffix != ".jsonl":
        return read_page(text)
    try:
        return read_record(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise BadFileError(f"ce n’est pas du JSON lisible ({reason_of(error)})") from error


def _slug(name: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in name)
