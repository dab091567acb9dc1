"""Where the words and phrases of one index file occur, and what each occurrence is worth.

Worth is what FTS5's ``bm25`` gives a row for a phrase, title five times the body (specification
§5.5): what a row scores is the sum over the phrases it holds, so they can be looked up one by one
(https://www.sqlite.org/fts5.html §5.1.1).
"""

from __future__ import annotations

import itertools
import math
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

import apsw
import numpy as np

from ancremed_desktop.errors import IndexFileError
from ancremed_desktop.index import derived, doclists, postings
from ancremed_desktop.index.doclists import Doclist
from ancremed_desktop.index.full_text_pages import Pages, Segment
from ancremed_desktop.index.match_query import MAX_VARIANTS, Group, Phrase, any_of, phrase_text
from ancremed_desktop.index.postings import NOWHERE, Array, Occurrences, shared, span
from ancremed_desktop.index.rows import blob_of
from ancremed_desktop.index.words import word_class
from ancremed_desktop.text.normalise import fold

TITLE_WEIGHT = 5.0
K1 = 1.2
B = 0.75
_LEAST_IDF = 1e-6
_CACHED_CLASSES = 4_096
_CACHED_OCCURRENCES = 3_000_000
"""In memory, of the phrases asked last: 20 bytes each, 35 of common tokens."""
_FEW = 200
"""Rows up to which SQL is faster than the pages."""
_APART = 1024
"""Weight of a title against a text by which one ``bm25`` tells the counts of both."""
_ALIKE = 16
"""Times as many rows as the rarest word of a phrase has, from which SQL is faster as well."""
_LONG = 4_000
"""Rows from which the list of a word is not read only to see whether a phrase may occur."""
_AT_ONCE = 8
"""Rare words from which they are asked together."""
_UNREADABLE = "les passages du mot « {} » sont illisibles"
_OTHER_TEXT = "le plein texte n’est pas celui des passages"
_ROUNDED = 0.05
"""How far from a whole number a count may be that SQLite's score tells."""
_FOUND = "FROM documents_fts WHERE documents_fts MATCH ?"
_COUNTS = f"SELECT rowid, bm25(documents_fts, {_APART}.0, 1.0) {_FOUND}"
_WORTH = f"SELECT rowid, bm25(documents_fts, {TITLE_WEIGHT}, 1.0) {_FOUND}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """Occurrences of a phrase, what each is worth, and for a common token their places."""

    found: Occurrences
    worth: Array
    listed: Doclist | None


class Inverted:
    """Occurrences by phrase, among ``rows`` passages. Not safe from several threads: its caller
    holds a lock.

    ``damaged`` makes the error for a file whose content does not hold together, of a French
    detail; errors of SQLite pass.
    """

    def __init__(
        self,
        connection: apsw.Connection,
        rows: int,
        damaged: Callable[[str], IndexFileError],
    ) -> None:
        self._db = connection
        self._rows = rows
        self._damaged = damaged
        self._kept: OrderedDict[Phrase, _Entry] = OrderedDict()
        self._held = 0
        self._tokens = lru_cache(_CACHED_CLASSES)(self._read_tokens)

    @cached_property
    def rowids(self) -> Array:
        """Rowids of ``documents``, ascending (int64): what an ordinal is the place in."""
        _begins, shifts, lengths = self._runs
        rowids: Array = np.arange(self._rows) + np.repeat(shifts, lengths)
        return rowids

    @cached_property
    def text_lengths(self) -> Array:
        """Tokens in the text of each row (int64), by ordinal."""
        return self._lengths(derived.TEXTS)

    @cached_property
    def _norms(self) -> Array:
        """``k1 * (1 - b + b * length / mean length)`` of each row (float64), by ordinal."""
        lengths = self._lengths(derived.TITLES) + self.text_lengths
        mean = lengths.mean() if lengths.any() else 1.0
        return K1 * (1 - B + B * lengths / mean)

    def variants(self, word: str) -> tuple[str, ...]:
        """Tokens of the vocabulary in the class of a word: same letters first, then common."""
        same = fold(word)
        tokens = self._tokens(word_class(word)).items()
        found = sorted(tokens, key=lambda t: (fold(t[0]) != same, -t[1]))
        return tuple(token for token, _ in found[:MAX_VARIANTS])

    def count(self, phrase: Phrase) -> int:
        """How many rows hold these tokens of the vocabulary next to each other."""
        if len(phrase) > 1:
            return len(self.occurrences(phrase))
        return self._tokens(word_class(phrase[0])).get(phrase[0], 0)

    def count_any(self, group: Group, first: int = 0, after: int | None = None) -> int:
        """How many rows (from ordinal ``first`` to ``after``) hold one of the phrases."""
        last = (self._rows if after is None else after) - 1
        found = [rows for p in dict.fromkeys(group) if len(rows := self.occurrences(p).rows)]
        if len(found) < 2:
            begin, end = span(found[0], first, last) if found else (0, 0)
            return end - begin
        held: Array = np.zeros(self._rows, np.bool_)
        for rows in found:
            held[rows] = True
        return int(np.count_nonzero(held[first:after]))

    def occurrences(self, phrase: Phrase) -> Occurrences:
        """Every row that holds a phrase. Raises: IndexFileError."""
        return self._entry(phrase).found

    def worth(self, phrase: Phrase) -> Array:
        """What each occurrence adds to the score of its row (float64), above 0."""
        return self._entry(phrase).worth

    def worths(self, group: Group) -> Iterator[tuple[Array, Array]]:
        """Rows that hold phrases of a group (ordinals), with what they add to their score; added
        up already for many rare words, which the full text finds at once.
        """
        phrases = dict.fromkeys(group)
        rare = [p for p in phrases if len(p) == 1 and p not in self._kept and self.count(p) <= _FEW]
        if len(rare) >= _AT_ONCE:
            self.verify(itertools.chain(*rare))
            found = self._db.execute(_WORTH, (any_of(rare),)).fetchall()
            if found:
                table = np.array(found, np.float64)
                yield self._known_rows(table), -table[:, 1]
        else:
            rare = []
        for phrase in (p for p in phrases if p not in rare):
            yield self.occurrences(phrase).rows, self.worth(phrase)

    def verify(self, tokens: Iterable[str]) -> None:
        """Compare the pages that hold some tokens with what they were when the index was finished:
        SQLite, which is to read them next, does not. Raises: IndexFileError.
        """
        for token in {*tokens}:
            try:
                self._pages.verify(doclists.term_of(token))
            except (ValueError, IndexError) as error:
                raise self._damaged(_UNREADABLE.format(token)) from error

    def _entry(self, phrase: Phrase) -> _Entry:
        entry = self._kept.get(phrase)
        if entry is not None:
            self._kept.move_to_end(phrase)
            return entry
        entry = self._kept[phrase] = self._made(phrase)
        self._held += len(entry.found) + 1
        while self._held > _CACHED_OCCURRENCES and len(self._kept) > 1:
            self._held -= len(self._kept.popitem(last=False)[1].found) + 1
        return entry

    def _made(self, phrase: Phrase) -> _Entry:
        counts = [self.count((token,)) for token in phrase]
        is_common = (
            min(counts) > _FEW and max(counts) <= _ALIKE * min(counts) and self._segment is not None
        )
        listed = None
        if len(phrase) == 1 and is_common:
            listed, found = self._of_token(phrase[0])
        elif len(phrase) > 1 and not self._may_occur(phrase):
            found = NOWHERE
        else:
            found = self._of_tokens(phrase) if is_common else self._of_few(phrase)
        if len(phrase) == 1 and 0 < counts[0] != len(found):
            raise self._damaged(_UNREADABLE.format(phrase[0]))
        frequency = TITLE_WEIGHT * found.titles + found.texts
        worth = self._most(len(found)) * frequency / (frequency + self._norms[found.rows])
        return _Entry(found=found, worth=worth, listed=listed)

    def _of_token(self, token: str) -> tuple[Doclist, Occurrences]:
        """Read in the pages of the full text."""
        try:
            stored = doclists.read(self._pages, token)
            if stored is None:
                raise ValueError("no such token")
            listed = doclists.decode(*stored)
            rows = self._ordinals(listed.rowids)
        except (ValueError, IndexError) as error:
            raise self._damaged(_UNREADABLE.format(token)) from error
        return listed, Occurrences(rows=rows, titles=listed.titles, texts=listed.texts)

    def _of_tokens(self, phrase: Phrase) -> Occurrences:
        """A phrase of common tokens: rows that hold all, then places next to each other."""
        entries = [self._entry((token,)) for token in phrase]
        rows = min((entry.found.rows for entry in entries), key=len)
        for entry in entries:
            rows = shared(rows, entry.found.rows)
        begins: Array | None = None
        for distance, entry in enumerate(entries):
            assert entry.listed is not None
            at = np.searchsorted(entry.found.rows, rows)
            found = doclists.places(entry.listed, at) - distance
            begins = found if begins is None else shared(begins, found)
        assert begins is not None
        fields = np.bincount(begins >> doclists.PLACE_BITS, minlength=2 * len(rows)).reshape(-1, 2)
        held = fields.any(axis=1)
        titles, texts = fields[held].T
        return Occurrences(rows=rows[held], titles=titles, texts=texts)

    def _of_few(self, phrase: Phrase) -> Occurrences:
        """A phrase with a rare token, asked of the full text. ``bm25`` is undone for the counts."""
        self.verify(phrase)
        found = self._db.execute(_COUNTS, (phrase_text(phrase),)).fetchall()
        if not found:
            return NOWHERE
        table = np.array(found, np.float64)
        rows = self._known_rows(table)
        share = -table[:, 1] / self._most(len(found))
        if share.max() >= 1:
            raise self._damaged(_OTHER_TEXT)
        exact = self._norms[rows] * share / (1 - share)
        counts = np.rint(exact).astype(np.int32)
        if (abs(exact - counts) > _ROUNDED).any():
            raise self._damaged(_OTHER_TEXT)
        return Occurrences(rows=rows, titles=counts // _APART, texts=counts % _APART)

    def _known_rows(self, table: Array) -> Array:
        try:
            return self._ordinals(table[:, 0].astype(np.int64))
        except (ValueError, IndexError) as error:
            raise self._damaged(_OTHER_TEXT) from error

    def _may_occur(self, phrase: Phrase) -> bool:
        """Whether some row may hold the two rarest tokens of a phrase: most spellings of a phrase
        stand nowhere, which is told without the full text. Not where that takes the list of a far
        commoner word (« crise d’ »), which the full text skips through faster.
        """
        first, second, *_ = sorted(phrase, key=lambda token: self.count((token,)))
        most = self.count((second,))
        is_long = most > _LONG and most > _ALIKE * self.count((first,))
        if is_long and (second,) not in self._kept:
            return True
        few, more = (self.occurrences((token,)).rows for token in (first, second))
        return len(shared(few, more)) > 0

    def _ordinals(self, rowids: Array) -> Array:
        """Of ascending rowids (int32). Raises: ValueError or IndexError when one is unknown."""
        begins, shifts, _lengths = self._runs
        bounds = np.empty(len(begins) + 1, np.int64)
        bounds[:-1] = rowids.searchsorted(begins)
        bounds[-1] = len(rowids)
        rows = rowids - shifts.repeat(bounds[1:] - bounds[:-1])
        if len(rows) != len(rowids) or (self.rowids[rows] != rowids).any():
            raise ValueError("unknown rows")
        found: Array = rows.astype(np.int32)
        return found

    @cached_property
    def _runs(self) -> tuple[Array, Array, Array]:
        """Of each run of rowids without a gap, the first, its distance from its ordinal, and the
        length (int64).
        """
        begins, lengths = self._stored(derived.RUNS, pairs=True).T
        if (lengths < 1).any() or lengths.sum() != self._rows:
            raise self._damaged("des passages manquent au plein texte")
        return begins, begins - (np.cumsum(lengths) - lengths), lengths

    def _most(self, rows: int) -> float:
        """Most a row can score for a phrase that so many rows hold; as FTS5 computes it."""
        total = self._rows
        idf = math.log((total - rows + 0.5) / (rows + 0.5)) if rows <= total else 0.0
        return (K1 + 1) * max(_LEAST_IDF, idf)

    def _read_tokens(self, kind: str) -> dict[str, int]:
        """Tokens of a class, with how many rows hold each."""
        statement = "SELECT token, documents FROM vocabulary WHERE class = ?"
        found = {str(t): int(str(n)) for t, n in self._db.execute(statement, (kind,))}
        if derived.is_code(kind) and kind not in found and (rare := len(self._of_few((kind,)))):
            found[kind] = rare
        return found

    @cached_property
    def _pages(self) -> Pages:
        has_sums = self._db.execute("SELECT 1 FROM derived WHERE name = ?", (derived.PAGES,)).get
        return Pages(self._db, self._stored(derived.PAGES) if has_sums else NOWHERE.rows)

    @cached_property
    def _segment(self) -> Segment | None:
        try:
            return self._pages.segment
        except ValueError as error:
            raise self._damaged(_OTHER_TEXT) from error

    def _lengths(self, name: str) -> Array:
        """A value for each row (int64)."""
        values = self._stored(name)
        if len(values) != self._rows:
            raise self._damaged("les longueurs des passages sont illisibles")
        return values

    def _stored(self, name: str, *, pairs: bool = False) -> Array:
        """A list, or one of pairs (int64)."""
        stored = self._db.execute("SELECT data FROM derived WHERE name = ?", (name,)).fetchall()
        try:
            values = postings.unpack(blob_of(stored[0][0]))
            return values.reshape(-1, 2) if pairs else values
        except (ValueError, TypeError, IndexError, zlib.error) as error:
            raise self._damaged("les longueurs des passages sont illisibles") from error
