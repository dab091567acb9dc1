"""Cuts the text of a page into overlapping passages made of whole sentences.

Pure and shared by the corpora whose sources are running text. A passage is always an exact slice
of the page's text, so that its offset leads back to it; it never mixes text under different
headings, since its heading is what tells what it is about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ancremed_desktop.domain.identifiers import PassageKind
from ancremed_desktop.text.lists import MAX_STATEMENT, runs

MIN_WORDS = 120
MAX_WORDS = 200
_OVERLAP_MAX_WORDS = 45
"""A longer last sentence is not repeated in the next passage."""
_TAIL_WORDS = 40
"""A shorter remainder joins the passage before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextBlock:
    """A paragraph, list item or table row: ``page_text[start:end]``, half-open."""

    start: int
    end: int
    heading: str = ""
    section: str = ""
    kind: PassageKind = PassageKind.PROSE


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A passage to be: ``text == page_text[start : start + len(text)]``."""

    text: str
    start: int
    heading: str
    section: str
    kind: PassageKind


@dataclass(frozen=True, slots=True)
class _Atom:
    """A stretch that is not cut: a sentence, or a list with its introduction."""

    start: int
    end: int
    words: int


def chunk_page(page_text: str, blocks: Sequence[TextBlock]) -> tuple[Chunk, ...]:
    """Passages of about 120 to 200 words of one page, in order, overlapping by a sentence.

    Blocks are in page order and do not overlap; text between blocks (headings) is left out of
    passages unless it stands between two sentences of one passage.
    """
    chunks: list[Chunk] = []
    for group in same_heading(blocks):
        first = group[0]
        overlap = first.kind is not PassageKind.TABLE  # each row stands by itself
        atoms = [
            _Atom(start, end, len(page_text[start:end].split()))
            for start, end in whole_ranges(page_text, group)
        ]
        for start, end in _windows(atoms, overlap=overlap):
            chunks.append(
                Chunk(
                    text=page_text[start:end],
                    start=start,
                    heading=first.heading,
                    section=first.section,
                    kind=first.kind,
                )
            )
    return tuple(chunks)


def same_heading(blocks: Sequence[TextBlock]) -> Iterator[list[TextBlock]]:
    """Runs of blocks of one heading, section and kind."""
    group: list[TextBlock] = []
    for block in blocks:
        if group and _key(group[-1]) != _key(block):
            yield group
            group = []
        group.append(block)
    if group:
        yield group


def _key(block: TextBlock) -> tuple[str, str, PassageKind]:
    return block.heading, block.section, block.kind


def whole_ranges(text: str, blocks: Sequence[TextBlock]) -> Iterator[tuple[int, int]]:
    """Stretches of blocks under one heading that are not cut: sentences, rows, lists.

    A list is kept whole, however long: the items of its second half would lose what announces
    them, or stand for the whole of it. Only one that nothing announces is cut when it is long.
    """
    if blocks[0].kind is PassageKind.TABLE:  # a row is one statement with its headings
        yield from ((block.start, block.end) for block in blocks)
        return
    start = blocks[0].start
    for run in runs(text[start : blocks[-1].end], blocks[0].heading):
        long = not run.introduced and run.end - run.start > MAX_STATEMENT
        cut = long or (run.alone and not run.whole)
        for left, right in run.parts if cut else ((run.start, run.end),):
            yield start + left, start + right


def _windows(atoms: Sequence[_Atom], *, overlap: bool) -> list[tuple[int, int]]:
    """(start, end) of each passage."""
    windows: list[tuple[int, int]] = []
    current: list[_Atom] = []
    words = 0
    repeated = False
    for atom in atoms:
        full = words >= MIN_WORDS or (words and words + atom.words > MAX_WORDS)
        if full:
            windows.append((current[0].start, current[-1].end))
            last = current[-1]
            repeated = overlap and len(current) > 1 and last.words <= _OVERLAP_MAX_WORDS
            current = [last] if repeated else []
            words = last.words if repeated else 0
        current.append(atom)
        words += atom.words
    if current:
        own = words - (current[0].words if repeated and len(current) > 1 else 0)
        if windows and own < _TAIL_WORDS:
            windows[-1] = (windows[-1][0], current[-1].end)
        else:
            windows.append((current[0].start, current[-1].end))
    return windows
