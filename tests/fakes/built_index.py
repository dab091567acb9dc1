"""A small real index file, one source for each passage."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ancremed_desktop.domain.documents import Passage, Source, SourceDocument
from ancremed_desktop.index.writer import IndexWriter


def build_index(path: Path, passages: Iterable[Passage]) -> None:
    with IndexWriter(path) as writer:
        for part in passages:
            source = Source(
                key=part.source_key,
                silo=part.silo,
                title=part.origin_title,
                source_identifier=part.source_identifier,
                publisher="Essai",
                licence="CC0",
            )
            writer.add(SourceDocument(source=source, passages=(part,)))
        writer.finish()
