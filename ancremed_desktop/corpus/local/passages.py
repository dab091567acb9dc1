"""Cuts a document of the user into passages; a numbered text is covered without overlap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from ancremed_desktop.corpus.chunking import (
    Chunk,
    TextBlock,
    chunk_page,
    same_heading,
    whole_ranges,
)
from ancremed_desktop.corpus.local.flow import SEPARATOR
from ancremed_desktop.corpus.local.model import LocalPage, LocalText
from ancremed_desktop.domain.documents import Passage, Source, passage_urn
from ancremed_desktop.domain.identifiers import Silo

_MAX_WORDS = 260
"""Of a passage of a numbered text: an article longer than that is shown piece by piece."""


def passages_of(
    source: Source, parts: Sequence[tuple[LocalText, tuple[str, ...]]]
) -> tuple[Passage, ...]:
    """Passages of the files of one document, each with the headings that stand above it."""
    return tuple(_passages(source, parts))


def _passages(
    source: Source, parts: Sequence[tuple[LocalText, tuple[str, ...]]]
) -> Iterator[Passage]:
    number = 0
    for text, above in parts:
        for page in text.pages:
            for label, chunk in _chunks(page):
                place = label or (f"p{page.number}" if page.number else "t")
                part = f"{source.file_sha256[:8]}-{place}-{number}"
                yield Passage(
                    urn=passage_urn(Silo.LOCAL, source.source_identifier, part),
                    source_key=source.key,
                    silo=Silo.LOCAL,
                    origin_title=source.title,
                    source_identifier=source.source_identifier,
                    text=chunk.text,
                    regulatory_date=source.regulatory_date,
                    page_number=page.number,
                    page_label=page.label,
                    chunk_index=number,
                    char_start=chunk.start,
                    section=chunk.section,
                    heading=SEPARATOR.join(filter(None, (*above, chunk.heading))),
                    kind=chunk.kind,
                )
                number += 1


def _chunks(page: LocalPage) -> Iterator[tuple[str, Chunk]]:
    """(label, chunk) in order; the label is empty for a text without number."""
    labelled = zip(page.labels, page.blocks, strict=True)
    for label, entries in groupby(labelled, key=lambda entry: entry[0]):
        blocks = [block for _label, block in entries]
        if not label:
            yield from (("", chunk) for chunk in chunk_page(page.text, blocks))
            continue
        for chunk in _windows(page.text, blocks):
            yield label, chunk


def _windows(text: str, blocks: Sequence[TextBlock]) -> Iterator[Chunk]:
    """Passages of at most 260 words under one heading; a list is never cut from its lead-in."""
    window: Chunk | None = None
    for group in same_heading(blocks):
        for start, end in whole_ranges(text, group):
            same = window is not None and (window.heading, window.kind) == (
                group[0].heading,
                group[0].kind,
            )
            if window is not None and same:
                joined = text[window.start : end]
                if len(joined.split()) <= _MAX_WORDS:
                    window = replace(window, text=joined)
                    continue
            if window is not None:
                yield window
            window = Chunk(
                text=text[start:end],
                start=start,
                heading=group[0].heading,
                section=group[0].section,
                kind=group[0].kind,
            )
    if window is not None:
        yield window
