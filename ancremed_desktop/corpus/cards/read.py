"""Reads a folder of sourced cards: Markdown files of one card, JSON files of several."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ancremed_desktop.corpus.cards.atlas import parse_records, read_record
from ancremed_desktop.corpus.cards.card import read_card
from ancremed_desktop.corpus.cards.problems import CardProblem
from ancremed_desktop.corpus.folders import require_folder
from ancremed_desktop.domain.documents import CorpusItem, Refusal, SourceDocument, Tally
from ancremed_desktop.domain.events import CancelToken, Progress, ProgressCallback
from ancremed_desktop.errors import BadFileError, reason_of


def read_cards(
    folder: Path, progress: ProgressCallback, cancel: CancelToken
) -> Iterator[CorpusItem]:
    """Cards of every ``.md`` and ``.json`` file under ``folder``, files in order of path.

    A card that is wrong is refused by name and the rest goes on; each file ends with its tally
    in cards. A second card with the id of an earlier one is refused.
    Raises: BadFileError when the folder is absent or holds no card file; Cancelled.
    """
    files = _card_files(folder)
    seen: dict[str, str] = {}
    for done, path in enumerate(files):
        cancel.raise_if_cancelled()
        name = path.relative_to(folder).as_posix()
        progress(Progress(stage="Lecture des fiches", done=done, total=len(files), detail=name))
        yield from _read_file(path, name, seen)
    progress(Progress(stage="Lecture des fiches", done=len(files), total=len(files)))


def _card_files(folder: Path) -> list[Path]:
    require_folder(folder, "de fiches")
    files = sorted(
        path
        for path in folder.rglob("*")
        if path.suffix.lower() in {".md", ".json"} and path.is_file()
    )
    if not files:
        raise BadFileError(
            f"Le dossier « {folder} » ne contient aucune fiche : attendu, des fichiers .md ou "
            ".json."
        )
    return files


def _read_file(path: Path, name: str, seen: dict[str, str]) -> Iterator[CorpusItem]:
    try:
        content = path.read_bytes()
        attempts = _attempts(content, path.suffix.lower(), name)
    except OSError as error:
        content = b""
        attempts = [CardProblem("fichier", f"lecture impossible ({reason_of(error)}).")]
    sha256 = hashlib.sha256(content).hexdigest()
    kept = 0
    for attempt in attempts:
        item = _settle(attempt, name, sha256, seen)
        kept += isinstance(item, SourceDocument)
        yield item
    refused = len(attempts) - kept
    yield Tally(file_name=name, unit="fiche", read=len(attempts), kept=kept, refused=refused)


def _attempts(content: bytes, suffix: str, name: str) -> list[SourceDocument | CardProblem]:
    """Each card of the file, or why it cannot be taken; a broken file counts as one card."""
    try:
        if suffix == ".md":
            return [read_card(content, name)]
        records = parse_records(content)
    except CardProblem as problem:
        return [problem]
    return [_record(record, number, name) for number, record in enumerate(records, start=1)]


def _record(record: object, number: int, name: str) -> SourceDocument | CardProblem:
    card_id = record.get("id") if isinstance(record, dict) else None
    where = f"fiche {number}" + (f" ({card_id})" if isinstance(card_id, str) else "")
    try:
        return read_record(record, where, name)
    except CardProblem as problem:
        return problem


def _settle(
    attempt: SourceDocument | CardProblem, name: str, sha256: str, seen: dict[str, str]
) -> SourceDocument | Refusal:
    if isinstance(attempt, CardProblem):
        return Refusal(file_name=name, where=attempt.where, reason=attempt.reason)
    source = replace(attempt.source, file_sha256=sha256)
    if source.key in seen:
        reason = f"l’identifiant de la fiche est déjà pris par « {seen[source.key]} »."
        return Refusal(file_name=name, where=f"fiche {source.key}", reason=reason)
    seen[source.key] = name
    return replace(attempt, source=source)
