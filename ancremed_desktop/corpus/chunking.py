"""Cuts the text of a page into overlapping passages made of whole sentences.

Pure and shared by the corpora whose sources are running text. A passage is always an exact slice
of the page's text, so that its offset leads back to it; it never mixes text under different
headings, since its heading is what tells what it is about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ancremed_desktop.domain.identifiers import PassageKind
from ancremed_desktop.text.sentences import sentence_spans

MIN_WORDS = 120
MAX_WORDS = 200
_LIST_MAX_WORDS = 260
"""A list is kept whole up to this size: half a list reads as the whole of it."""
_OVERLAP_MAX_WORDS = 45
"""A longer last sentence is not repeated in the next passage."""
_TAIL_WORDS = 40
"""A shorter remainder joins the passage before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextBlock:
    """A paragraph, list item or table row: ``page_text[start:end]``, half-open.

    ``item``: an element of a list, which belongs with what introduces it.
    """

    start: int
    end: int
    heading: str = ""
    section: str = ""
    kind: PassageKind = PassageKind.PROSE
    item: bool = False


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
    for group in _same_heading(blocks):
        first = group[0]
        overlap = first.kind is not PassageKind.TABLE  # each row stands by itself
        for start, end in _windows(list(_atoms(page_text, group)), overlap=overlap):
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


def _same_heading(blocks: Sequence[TextBlock]) -> Iterator[list[TextBlock]]:
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


def _atoms(text: str, blocks: Sequence[TextBlock]) -> Iterator[_Atom]:
    """Sentences, with lists kept whole behind the sentence that introduces them."""
    pending: list[_Atom] = []
    for position, block in enumerate(blocks):
        follows = position + 1 < len(blocks) and blocks[position + 1].item
        sentences = _sentences(text, block)
        if block.item:
            pending.extend(sentences)
        else:
            yield from _list(text, pending)
            pending = []
            if follows and sentences:
                *before, last = sentences
                yield from before
                pending = [last]
            else:
                yield from sentences
    yield from _list(text, pending)


def _sentences(text: str, block: TextBlock) -> list[_Atom]:
    if block.kind is PassageKind.TABLE:  # a row is one statement with its headings
        return [_atom(text, block.start, block.end)]
    piece = text[block.start : block.end]
    return [_atom(text, block.start + s, block.start + e) for s, e in sentence_spans(piece)]


def _atom(text: str, start: int, end: int) -> _Atom:
    return _Atom(start, end, len(text[start:end].split()))


def _list(text: str, atoms: Sequence[_Atom]) -> Iterator[_Atom]:
    if not atoms:
        return
    if sum(atom.words for atom in atoms) <= _LIST_MAX_WORDS:
        yield _atom(text, atoms[0].start, atoms[-1].end)
    else:
        yield from atoms


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
