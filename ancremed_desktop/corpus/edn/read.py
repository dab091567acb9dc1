"""Reads the exam corpus: the R2C programme and sets of exam questions."""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ancremed_desktop.corpus.edn import programme as r2c
from ancremed_desktop.corpus.edn.exams import (
    ExamQuestion,
    ExamSet,
    exam_sentence,
    exam_set_of,
    read_question,
    unfit,
)
from ancremed_desktop.corpus.folders import require_folder
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
from ancremed_desktop.domain.identifiers import PassageKind, Silo
from ancremed_desktop.errors import BadFileError, reason_of
from ancremed_desktop.text.french import NBSP
from ancremed_desktop.text.normalise import fold, nfc

_STAGE = "Lecture des annales et du programme"
_SUFFIXES = (".tsv", ".json", ".json.gz", ".jsonl")
_MAX_BYTES = 512 * 1024 * 1024
_HEADERS = (r2c.ITEMS, r2c.OBJECTIVES, r2c.SUBJECTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    name: str
    text: str
    sha256: str


def read_edn(folder: Path, progress: ProgressCallback, cancel: CancelToken) -> Iterator[CorpusItem]:
    """R2C items with their objectives, then one source per file of exam questions.

    Files are known by their content (see ``programme`` and ``exams``); other files are refused by
    name. Wrong options never come out, nor do questions whose expected answer is false.
    Raises: BadFileError when the folder is absent or holds no such file; Cancelled.
    """
    paths = _paths(folder)
    tables: list[_File] = []
    seen: set[tuple[str, ...]] = set()
    for done, path in enumerate(paths):
        cancel.raise_if_cancelled()
        name = path.relative_to(folder).as_posix()
        progress(Progress(stage=_STAGE, done=done, total=len(paths), detail=name))
        try:
            file = _open(path, name)
        except BadFileError as error:
            yield Refusal(file_name=name, where="fichier entier", reason=str(error), lines=0)
            continue
        if path.suffix == ".tsv":
            tables.append(file)
        else:
            yield from _read_exam(file, seen, cancel)
    yield from _read_programme(tables, cancel)
    progress(Progress(stage=_STAGE, done=len(paths), total=len(paths)))


def _paths(folder: Path) -> list[Path]:
    require_folder(folder, "EDN")
    found = sorted(p for p in folder.rglob("*") if p.is_file() and p.name.endswith(_SUFFIXES))
    if not found:
        raise BadFileError(
            f"Le dossier « {folder} » ne contient ni table R2C (.tsv) ni annales (.json)."
        )
    return found


def _open(path: Path, name: str) -> _File:
    try:
        if path.suffix == ".gz":
            with gzip.open(path) as stream:
                content = stream.read(_MAX_BYTES)
        else:
            content = path.read_bytes()
        text = nfc(content.decode("utf-8-sig"))
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise BadFileError(
            f"Le fichier « {name} » ne peut pas être lu ({reason_of(error)})."
        ) from error
    return _File(name=name, text=text, sha256=hashlib.sha256(content).hexdigest())


def _read_programme(tables: list[_File], cancel: CancelToken) -> Iterator[CorpusItem]:
    programme = r2c.Programme()
    counts: list[tuple[_File, r2c.TableCount]] = []
    items: _File | None = None
    for file in tables:
        header = r2c.header_of(file.text)
        if header not in _HEADERS:
            reason = "la ligne d’en-tête n’est celle d’aucune table R2C"
            yield Refusal(file_name=file.name, where="ligne 1", reason=reason, lines=0)
            continue
        items = file if header == r2c.ITEMS else items
        count = r2c.add_table(file.text, programme)
        counts.append((file, count))
        for line, reason in count.refused:
            yield Refusal(file_name=file.name, where=f"ligne {line}", reason=reason)
    if items is not None:
        for document in r2c.item_documents(programme, items.name, items.sha256):
            cancel.raise_if_cancelled()
            yield document
    for file, count in counts:
        yield _table_tally(file, count, _lone_items(programme) if file is items else "")


def _lone_items(programme: r2c.Programme) -> str:
    """Numbers of the items without objective, « 75, 150, 239 »."""
    return ", ".join(str(i) for i in sorted(programme.titles) if i not in programme.objectives)


def _table_tally(file: _File, count: r2c.TableCount, lone_items: str) -> Tally:
    notes = [("doublons exacts", count.duplicates), ("lignes vides", count.blank)]
    if lone_items:
        label = f"items sans objectif{NBSP}: {lone_items}"
        notes.append((label, lone_items.count(",") + 1))
    return Tally(
        file_name=file.name,
        unit="ligne",
        read=count.read,
        kept=count.kept,
        refused=len(count.refused),
        ignored=count.duplicates + count.blank,
        notes=tuple(note for note in notes if note[1]),
    )


@dataclass(slots=True, kw_only=True)
class _Taken:
    passages: list[Passage] = field(default_factory=list)
    ignored: Counter[str] = field(default_factory=Counter)
    refused: int = 0


def _read_exam(
    file: _File, seen: set[tuple[str, ...]], cancel: CancelToken
) -> Iterator[CorpusItem]:
    try:
        records = _records(file)
    except (ValueError, RecursionError) as error:
        where = (
            f"ligne {error.lineno}, colonne {error.colno}"
            if isinstance(error, json.JSONDecodeError)
            else reason_of(error)
        )
        reason = f"le fichier n’est pas du JSON lisible ({where})"
        yield Refusal(file_name=file.name, where="fichier entier", reason=reason, lines=0)
        return
    exam_set = next(filter(None, map(exam_set_of, records)), None)
    if exam_set is None:
        reason = "aucune question aux champs connus (FrenchMedMCQA, CareMedEval, MediQAl)"
        yield Refusal(file_name=file.name, where="fichier entier", reason=reason, lines=0)
        return
    source = _source(file, exam_set)
    taken = _Taken()
    for number, record in enumerate(records, start=1):
        cancel.raise_if_cancelled()
        question = read_question(record, exam_set)
        if isinstance(question, str):
            taken.refused += 1
            yield Refusal(file_name=file.name, where=f"question {number}", reason=question)
        else:
            _take(question, number, source, exam_set, seen, taken)
    if taken.passages:
        yield SourceDocument(source=source, passages=tuple(taken.passages))
    yield Tally(
        file_name=file.name,
        unit="question",
        read=len(records),
        kept=len(taken.passages),
        refused=taken.refused,
        ignored=taken.ignored.total(),
        notes=tuple(taken.ignored.items()),
    )


def _records(file: _File) -> list[object]:
    if file.name.endswith(".jsonl"):
        return [json.loads(line) for line in file.text.splitlines() if line.strip()]
    content = json.loads(file.text)
    return content if isinstance(content, list) else [content]


def _source(file: _File, exam_set: ExamSet) -> Source:
    stem = file.name.split(".", maxsplit=1)[0].replace("/", "-")
    return Source(
        key=f"edn:{exam_set.slug}:{stem}",
        silo=Silo.EDN,
        title=f"{exam_set.title} ({file.name})",
        source_identifier=f"EDN-{exam_set.slug}-{stem}",
        publisher=exam_set.publisher,
        licence=exam_set.licence,
        url=exam_set.url,
        file_name=file.name,
        file_sha256=file.sha256,
        names=(exam_set.title,),
    )


def _take(
    question: ExamQuestion,
    number: int,
    source: Source,
    exam_set: ExamSet,
    seen: set[tuple[str, ...]],
    taken: _Taken,
) -> None:
    reason = unfit(question, exam_set)
    identity = (fold(question.stem), question.origin, *sorted(map(fold, question.right_answers)))
    if reason:
        taken.ignored[reason] += 1
    elif identity in seen:
        taken.ignored["questions répétées (même énoncé, mêmes réponses)"] += 1
    else:
        seen.add(identity)
        taken.passages.append(
            Passage(
                urn=passage_urn(Silo.EDN, source.source_identifier, f"q-{number}"),
                source_key=source.key,
                silo=Silo.EDN,
                origin_title=source.title,
                source_identifier=source.source_identifier,
                text=exam_sentence(question, exam_set),
                chunk_index=len(taken.passages),
                heading=f"Question d’examen {number}",
                kind=PassageKind.EXAM_ANSWER,
            )
        )
