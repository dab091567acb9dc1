"""Reads the rows that hold a token out of the pages of a finished FTS5 index.

SQL tells the same row by row, ten times slower. The format is that of ``fts5_index.c``
(https://sqlite.org/src/file/ext/fts5/fts5_index.c, « SEGMENT B-TREE »).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from ancremed_desktop.index.full_text_pages import Pages, content_end, first_term, number_at
from ancremed_desktop.index.postings import Array

_HEADER = 4
_MAIN = b"0"
"""Begins the terms of the main index."""
_COLUMN_MARK = 1
_LAST = 0x7F
"""Bytes of a number up to this one end it."""
_PADDING = bytes(24)
_MANY_PAGES = 12
"""Walked abreast: at each step a row of every page."""
_STEPS = 32
_BLOCK_BYTES = 1 << 16
_MOST_BYTES = 4
"""Of the size of a row; a passage has no list of places of 128 MiB."""
PLACE_BITS = 32


def read(pages: Pages, token: str) -> tuple[bytes, list[int]] | None:
    """The list of rows of a token, and where in it rowids stand whole: at its beginning and at
    that of each page. ``None`` when there is no such token.

    Raises: ValueError or IndexError when the pages are damaged.
    """
    term = term_of(token)
    parts: list[bytes] = []
    wholes = [0]
    size = 0
    for block in pages.from_term(term):
        if not parts:
            bounds = _find(block, term)
            if bounds is None:
                return None
            first, stop = bounds
        else:
            first, stop = _HEADER, first_term(block)
            rowid = int.from_bytes(block[:2], "big")
            if first <= rowid < (len(block) if stop is None else stop):
                wholes.append(size + rowid - _HEADER)
        parts.append(block[first : content_end(block) if stop is None else stop])
        size += len(parts[-1])
        if stop is not None:
            break
    return (b"".join(parts), wholes) if parts else None


def term_of(token: str) -> bytes:
    """A token as the pages write it."""
    return _MAIN + token.encode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Doclist:
    """Rows that hold a token, ascending (int64), how often their titles and texts do (int32), and
    where their places are written: ``raw[begins[n] : ends[n]]`` of row ``n``.
    """

    rowids: Array
    titles: Array
    texts: Array
    raw: Array
    begins: Array
    ends: Array


def decode(data: bytes, wholes: list[int]) -> Doclist:
    """What a list as ``read`` says.

    A row is the gap from the one before, twice the size of what follows, and its places: those
    of the title, then, after a mark and the number of the column, those of the text.
    Raises: ValueError or IndexError when it is damaged.
    """
    raw = np.frombuffer(data + _PADDING, np.uint8)
    widths = _widths(raw, len(data))
    ends = _ends(raw, widths)
    rows = (_walked if len(wholes) < _MANY_PAGES else _walked_abreast)(ends, wholes)
    begins = rows + widths[rows]
    begins += widths[begins]
    ends = ends[rows]
    titles, texts = _counts(raw, begins, ends)
    rowids = _rowids(raw, widths, rows, np.searchsorted(rows, wholes))
    if (begins == ends).any() or (np.diff(rowids) <= 0).any():
        raise ValueError("rows hold no place or do not ascend")
    return Doclist(
        rowids=rowids,
        titles=titles,
        texts=texts,
        raw=raw,
        begins=begins,
        ends=ends,
    )


def places(found: Doclist, rows: Array) -> Array:
    """Where some rows (places in the list, ascending) hold the token: ascending int64, in each the
    place of the row among ``rows``, then a bit for the text, then the place of the token, from 0.

    A place is written as its distance from the one before, plus 2.
    """
    begins, sizes = found.begins[rows], found.ends[rows] - found.begins[rows]
    owners = np.repeat(np.arange(len(rows)), sizes)
    firsts = np.cumsum(sizes) - sizes
    digits = found.raw[np.arange(len(owners)) + (begins - firsts)[owners]]
    lasts = np.flatnonzero(digits <= _LAST)
    widths = np.diff(lasts, prepend=-1)
    numbers = digits[lasts].astype(np.int64)
    for place in range(1, int(widths.max(initial=1))):
        wide = np.flatnonzero(widths > place)
        numbers[wide] |= (digits[lasts[wide] - place].astype(np.int64) & _LAST) << (7 * place)
    owner = owners[lasts]
    # The mark and the number of the column, both 1, before the places of the text.
    is_mark = numbers == _COLUMN_MARK
    marks = np.cumsum(is_mark)
    begun = np.searchsorted(owner, np.arange(len(rows)))
    in_text = marks > (marks - is_mark)[begun][owner]
    field = 2 * owner + in_text
    gaps = np.where(is_mark, 0, numbers - 2)
    sums = np.cumsum(gaps)
    starts = np.flatnonzero(np.diff(field, prepend=-1))
    base = (sums - gaps)[starts]
    place = sums - np.repeat(base, np.diff(starts, append=len(field)))
    found_at: Array = ((field << PLACE_BITS) + place)[~is_mark]
    return found_at


def _widths(raw: Array, size: int) -> Array:
    """How many bytes a number would take that began at each place (uint8)."""
    high = raw > _LAST
    widths = np.ones(size, np.uint8)
    wider = high[:size]
    place = 0
    while wider.any():
        widths += wider
        place += 1
        wider = wider & high[place : size + place]
    return widths


def _ends(raw: Array, widths: Array) -> Array:
    """Where a row would end that began at each place, and the end of the list once more (int32).

    Made block by block, each small enough for the cache of a processor. Most numbers have a byte
    or two: bytes are then chosen by their bits, which is faster than reading them by place.
    """
    ends = np.arange(len(widths) + 1, dtype=np.int32)
    for first in range(0, len(widths), _BLOCK_BYTES):
        width = widths[first : first + _BLOCK_BYTES]
        after = first + len(width)
        near, far = raw[first + 1 : after + 1], raw[first + 2 : after + 2]
        sizes = near ^ ((near ^ far) & -(width > 1).view(np.uint8))
        rest = np.flatnonzero((sizes > _LAST) | (width > 2))
        sizes >>= 1  # the last bit marks a row that was deleted, or written again
        sizes += width
        sizes += 1
        ends[first:after] += sizes
        rest += first
        ends[rest] = _ends_of_long(raw, rest + widths[rest])
    return ends


def _ends_of_long(raw: Array, at: Array) -> Array:
    """Where rows end whose size is at some places; of one byte or more, up to ``_MOST_BYTES``."""
    sizes = raw[at].astype(np.int64)
    left = np.flatnonzero(sizes > _LAST)
    sizes &= _LAST
    for _ in range(_MOST_BYTES - 1):
        at[left] += 1
        digits = raw[at[left]]
        sizes[left] = (sizes[left] << 7) | (digits & _LAST)
        left = left[digits > _LAST]
    ends: Array = at + 1 + (sizes >> 1)
    return ends


def _walked(ends: Array, wholes: list[int]) -> Array:
    """Where each row begins (int64): each begins where the one before ends (``_ends``)."""
    following = ends.data
    end = len(following) - 1
    found = []
    place = wholes[0]
    while place < end:
        found.append(place)
        place = following[place]
    if place != end:
        raise ValueError("rows do not end where their list does")
    return np.array(found, np.int64)


def _walked_abreast(ends: Array, wholes: list[int]) -> Array:
    """The same, a row of every page at each step: many pages take as long as one."""
    places = ends[wholes]
    stops = np.array([*wholes[1:], len(ends) - 1], ends.dtype)
    after_stops = ends[stops]
    ends[stops] = stops  # where a page ends its walk stays
    blocks = [np.array([wholes], ends.dtype)]
    while not np.array_equal(places, stops):
        block = np.empty((_STEPS, len(places)), ends.dtype)
        block[0] = places
        for before, after in itertools.pairwise(block):
            ends.take(before, out=after, mode="clip")
        if np.array_equal(block[0], block[-1]):
            raise ValueError("rows do not end where the next page begins")
        blocks.append(block)
        places = ends[block[-1]]
    ends[stops] = after_stops
    walks = np.concatenate(blocks).T
    found: Array = walks[walks != stops[:, None]].astype(np.int64)
    return found


def _rowids(raw: Array, widths: Array, rows: Array, wholes: Array) -> Array:
    width = widths[rows]
    gaps = (raw[rows] & _LAST).astype(np.int64)
    left = np.flatnonzero(width > 1)
    place = 1
    while len(left):
        gaps[left] = (gaps[left] << 7) | (raw[rows[left] + place] & _LAST)
        place += 1
        left = left[width[left] > place]
    whole = gaps[wholes]
    gaps[wholes] = 0
    sums = np.cumsum(gaps)
    return sums + np.repeat(whole - sums[wholes], np.diff(np.append(wholes, len(rows))))


def _counts(raw: Array, begins: Array, ends: Array) -> tuple[Array, Array]:
    """How many places lie in the title and in the text: the last bytes of numbers are counted,
    those of the title one by one, for they are few.
    """
    last = raw <= _LAST
    numbers = _summed(last, _narrow(begins, ends))
    titles = np.zeros(len(begins), np.int32)
    texts = (numbers[ends] - numbers[begins]).astype(np.int32) - 2
    left = np.flatnonzero(raw[begins] != _COLUMN_MARK)
    at, stops = begins[left], ends[left]
    while len(left):
        is_last = last[at]
        titles[left] += is_last
        at += 1
        is_over = at == stops
        texts[left[is_over]] = 0
        is_mark = is_last & (raw[at] == _COLUMN_MARK) & ~is_over
        marked = left[is_mark]
        texts[marked] -= titles[marked]
        goes_on = ~(is_over | is_mark)
        left, at, stops = left[goes_on], at[goes_on], stops[goes_on]
    return titles, texts


def _narrow(begins: Array, ends: Array) -> type[np.uint8 | np.int32]:
    """The narrowest type in which sums over any of the ranges differ as they should: adding up
    bytes as bytes is three times faster, and what overflows in both sums goes when they are
    subtracted.
    """
    return np.uint8 if int((ends - begins).max(initial=0)) <= np.iinfo(np.uint8).max else np.int32


def _summed(held: Array, kind: type[np.uint8 | np.int32]) -> Array:
    """How many hold before each place, and before the end (``kind``)."""
    sums = np.zeros(len(held) + 1, kind)
    np.cumsum(held.view(np.uint8), dtype=kind, out=sums[1:])
    return sums


def _find(block: bytes, wanted: bytes) -> tuple[int, int | None] | None:
    """Where the list of a term begins in its page, and where it ends, unless the next page has
    more of it; ``None`` when the page has no such term.

    The first term is written whole, each other as the length it shares with the one before, then
    the rest.
    """
    listed = content_end(block)
    offset = 0
    term = b""
    while listed < len(block):
        step, listed = number_at(block, listed)
        shared, place = number_at(block, offset + step) if offset else (0, step)
        offset += step
        length, place = number_at(block, place)
        term = term[:shared] + block[place : place + length]
        if term == wanted:
            stop = offset + number_at(block, listed)[0] if listed < len(block) else None
            return place + length, stop
        if term > wanted:
            return None
    return None
