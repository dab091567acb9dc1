"""The pages of a finished FTS5 index, each compared with its checksum before it is read.

FTS5 keeps no checksum: a bit that flips changes what a search finds and is no error. Its format
is that of ``fts5_index.c`` (https://sqlite.org/src/file/ext/fts5/fts5_index.c, « %_data »).
"""

from __future__ import annotations

import zlib
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import apsw
import numpy as np

from ancremed_desktop.index.postings import Array
from ancremed_desktop.index.rows import SqlValue, blob_of

_FORMAT = 4
"""Of the lists of rows; FTS5 writes 5 once ``secure-delete`` was on (FTS5_CURRENT_VERSION)."""
_COOKIE = 4
_LATER_STRUCTURE = b"\xff\x00\x00\x01"
"""After the cookie of a structure that tells of deleted rows as well (FTS5_STRUCTURE_V2)."""
_SEGMENT_SHIFT = 37
_LAST = 0x7F
"""Bytes of a number up to this one end it."""
_RECORDS = 2
"""Rows before the pages: averages (id 1) and structure (id 10)."""

_BLOCKS = "SELECT block FROM documents_fts_data WHERE id BETWEEN ? AND ? ORDER BY id"
_HEADS = "SELECT block FROM documents_fts_data WHERE id IN (1, 10) ORDER BY id"
_STRUCTURE = "SELECT block FROM documents_fts_data WHERE id = 10"
_VERSION = "SELECT v FROM documents_fts_config WHERE k = 'version'"
_DECLARED = "SELECT sql FROM sqlite_schema WHERE name = 'documents_fts'"
_FIRST_TERMS = "SELECT term, pgno >> 1 FROM documents_fts_idx WHERE segid = ? ORDER BY term"


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """The one segment of a full text; 0 and no pages in an empty one. Pages are 1 to ``last``."""

    number: int
    last: int


def only_segment(connection: apsw.Connection) -> Segment | None:
    """The segment of a full text, as ``optimize`` leaves it, in the format read here.

    ``None`` when there are several, or in any other format: only SQLite reads these.
    """
    declared = str(connection.execute(_DECLARED).get)
    if connection.execute(_VERSION).get != _FORMAT or "detail" in declared.lower():
        return None
    block = connection.execute(_STRUCTURE).get
    if not isinstance(block, bytes) or block[_COOKIE:].startswith(_LATER_STRUCTURE):
        return None
    try:
        return _segment_of(list(_numbers(block[_COOKIE:])))
    except IndexError:
        return None


def _segment_of(numbers: list[int]) -> Segment | None:
    """Levels, segments, a counter; of each level merges, segments, then of each segment its
    number, first and last page.
    """
    levels, segments, _written, *rest = numbers
    if not segments and not any(rest):
        return Segment(number=0, last=0)
    if segments != 1:
        return None
    for level in range(levels):
        _merges, here = rest[2 * level : 2 * level + 2]
        if here:
            number, first, last = rest[2 * level + 2 : 2 * level + 5]
            return Segment(number=number, last=last) if here == 1 and first == 1 else None
    return None


def checksums(connection: apsw.Connection) -> Array:
    """CRC-32 of the records of the full text, then of each page (int64); none where
    ``only_segment`` is none.
    """
    segment = only_segment(connection)
    if segment is None:
        return np.empty(0, np.int64)
    base = segment.number << _SEGMENT_SHIFT
    found = [*connection.execute(_HEADS)]
    found += connection.execute(_BLOCKS, (base + 1, base + segment.last))
    return np.array([_checksum(block) for (block,) in found], np.int64)


class Pages:
    """Pages of a full text. ``sums``: ``checksums`` of when it was finished; none of an index
    finished before they were kept, whose pages are read as they are.
    """

    def __init__(self, connection: apsw.Connection, sums: Array) -> None:
        self._db = connection
        self._sums = sums
        self._known: set[int] = set()
        self._runs: set[int] = set()
        """Pages from which all is known up to the next that begins a term."""

    @cached_property
    def segment(self) -> Segment | None:
        """See ``only_segment``. Raises: ValueError when the records were altered."""
        if len(self._sums):
            for place, (block,) in enumerate(self._db.execute(_HEADS)):
                self._compare(place, block)
        found = only_segment(self._db)
        if len(self._sums) and (found is None or len(self._sums) != _RECORDS + found.last):
            raise ValueError("the full text has other pages than when it was finished")
        return found

    def from_term(self, term: bytes) -> Iterator[bytes]:
        """The page that holds a term if any does, and all that follow; none without a segment.

        Raises: ValueError when a page was altered.
        """
        first = self._page_of(term)
        yield from self._from(first) if first else ()

    def verify(self, term: bytes) -> None:
        """Compare the pages that hold a term, and perhaps the next. Raises: as ``from_term``."""
        if not len(self._sums):
            return
        first = self._page_of(term)
        if not first or first in self._runs:
            return
        pages = self._from(first)
        next(pages, None)
        for block in pages:
            if first_term(block) is not None:
                break
        self._runs.add(first)

    def _page_of(self, term: bytes) -> int:
        """The page where a term is if anywhere; 0 without a segment."""
        if self.segment is None:
            return 0
        terms, pages = self._first_terms
        place = bisect_right(terms, term)
        return pages[place - 1] if place else 1

    @cached_property
    def _first_terms(self) -> tuple[list[bytes], list[int]]:
        """What the first term of some pages begins with, ascending, and these pages: one look-up
        in the table costs as much as thirty here, and it has one row for four pages.
        """
        assert self.segment is not None
        found = self._db.execute(_FIRST_TERMS, (self.segment.number,)).fetchall()
        return [blob_of(term) for term, _ in found], [int(str(page)) for _, page in found]

    def _from(self, first: int) -> Iterator[bytes]:
        segment = self.segment
        assert segment is not None
        base = segment.number << _SEGMENT_SHIFT
        blocks = self._db.execute(_BLOCKS, (base + first, base + segment.last))
        for page, (block,) in enumerate(blocks, first):
            if len(self._sums) and page not in self._known:
                self._compare(_RECORDS + page - 1, block)
                self._known.add(page)
            yield blob_of(block)

    def _compare(self, place: int, block: SqlValue) -> None:
        if place >= len(self._sums) or _checksum(block) != self._sums[place]:
            raise ValueError("a page of the full text was altered")


def _checksum(block: SqlValue) -> int:
    return zlib.crc32(blob_of(block))


def _numbers(data: bytes) -> Iterator[int]:
    """Raises: IndexError when the last one does not end."""
    at = 0
    while at < len(data):
        value, at = number_at(data, at)
        yield value


def content_end(block: bytes) -> int:
    """Where the content of a page ends and its list of terms begins."""
    return int.from_bytes(block[2:4], "big")


def first_term(block: bytes) -> int | None:
    """Where the first term of a page is, if it has one. Raises: IndexError when it is damaged."""
    end = content_end(block)
    return number_at(block, end)[0] if end < len(block) else None


def number_at(data: bytes, place: int) -> tuple[int, int]:
    """A number, and where the next one begins. Raises: IndexError past the end."""
    value = 0
    while True:
        byte = data[place]
        place += 1
        value = (value << 7) | (byte & _LAST)
        if byte <= _LAST:
            return value, place
