"""Cuts a document of the user into passages; a numbered text is covered without overlap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from ancremed_desktop.corpus.chunking import Chunk, TextBlock, chunk_page
from ancremed_desktop.corpus.local.flow import SEPARATOR
from ancremed_desktop.corpus.local.model import LocalPage, LocalText
from ancremed_desktop.domain.documents import Passage, Source, passage_urn
from ancremed_desktop.domain.identifiers import PassageKind, Silo
from ancremed_desktop.text.sentences import sentence_spans

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
        for window in _windows(page.text, blocks):
            yield label, _chunk(page.text, window)


def _windows(text: str, blocks: Sequence[TextBlock]) -> Iterator[list[TextBlock]]:
    """Runs of blocks of at most 260 words under one heading; a longer block is cut at sentences."""
    window: list[TextBlock] = []
    words = 0
    for block in (piece for whole in blocks for piece in _pieces(text, whole)):
        size = len(text[block.start : block.end].split())
        if window and (words + size > _MAX_WORDS or window[-1].heading != block.heading):
            yield window
            window, words = [], 0
        window.append(block)
        words += size
    if window:
        yield window


def _pieces(text: str, block: TextBlock) -> Iterator[TextBlock]:
    piece = text[block.start : block.end]
    if len(piece.split()) <= _MAX_WORDS:
        yield block
        return
    for start, end in sentence_spans(piece):
        yield TextBlock(
            start=block.start + start,
            end=block.start + end,
            heading=block.heading,
            section=block.section,
            kind=block.kind,
            item=block.item,
        )


def _chunk(text: str, window: Sequence[TextBlock]) -> Chunk:
    first = window[0]
    start, end = first.start, window[-1].end
    table = all(block.kind is PassageKind.TABLE for block in window)
    return Chunk(
        text=text[start:end],
        start=start,
        heading=first.heading,
        section=first.section,
        kind=PassageKind.TABLE if table else PassageKind.PROSE,
    )
