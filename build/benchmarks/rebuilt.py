"""An index built again from what a finished one holds."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import apsw
from common import Figure

from ancremed_desktop.domain.documents import SourceDocument
from ancremed_desktop.index.reader import SqlitePassageIndex
from ancremed_desktop.index.writer import IndexWriter


def stored_documents(index: SqlitePassageIndex) -> Iterator[SourceDocument]:
    """What an index was built of, in the order of its sources."""
    for source in index.sources():
        passages = [
            replace(p, superseded=source.superseded)
            for p in index.passages_of(source.source_identifier)
            if p.source_key == source.key
        ]
        yield SourceDocument(source=source, passages=tuple(passages))


def build_index(documents: Iterable[SourceDocument], path: Path) -> tuple[float, float]:
    """Build an index as the application does; CPU seconds of its rows and of the rest."""
    start = time.process_time()
    with IndexWriter(path) as writer:
        writer.begin_part("essai")
        for document in documents:
            writer.add(document)
        writer.end_part()
        stored = time.process_time()
        writer.finish()
    return stored - start, time.process_time() - stored


def size_figures(path: Path) -> list[Figure]:
    """Of the file, and of all in it but the rows of ``documents``, against titles and texts."""
    db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    text = "octet_length(origin_title) + octet_length(text_content)"
    text_bytes = int(str(db.execute(f"SELECT sum({text}) FROM documents").get))
    rows_bytes = int(str(db.execute("SELECT sum(pgsize) FROM dbstat WHERE name = 'documents'").get))
    db.close()
    size = path.stat().st_size
    return [
        Figure(name="file / text", value=size / text_bytes, unit="x"),
        Figure(name="index / text", value=(size - rows_bytes) / text_bytes, unit="x", aim=1.2),
    ]


def scaled(documents: Iterator[SourceDocument], factor: float) -> Iterator[SourceDocument]:
    """Sources spread over all of them for a ``factor`` under 1; else each, then copies of it."""
    for number, document in enumerate(documents):
        if factor < 1:
            if int(number * factor) != int((number + 1) * factor):
                yield document
            continue
        yield document
        for copy in range(1, int(factor)):
            yield _copied(document, copy)


def _copied(document: SourceDocument, copy: int) -> SourceDocument:
    """Another source under shifted identifiers, one word of each passage changed."""
    source = replace(
        document.source,
        key=f"{document.source.key}-{copy}",
        source_identifier=f"{document.source.source_identifier}-{copy}",
    )
    passages = []
    for passage in document.passages:
        words = passage.text.split(" ")
        words[copy % len(words)] = f"mot{copy}"
        passages.append(replace(
            passage, urn=f"{passage.urn}-{copy}", source_key=source.key,
            source_identifier=source.source_identifier, text=" ".join(words),
        ))  # fmt: skip
    return SourceDocument(source=source, passages=tuple(passages))
