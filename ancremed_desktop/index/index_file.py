"""One index file opened for reading: look-ups, hashes checked."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from ancremed_desktop.domain.documents import Passage, Source
from ancremed_desktop.domain.evidence import IndexIdentity
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.index import integrity, match_query, rows, schema
from ancremed_desktop.index.connection import damaged, open_read_only, translated
from ancremed_desktop.index.inverted import Inverted
from ancremed_desktop.index.rows import SqlValue
from ancremed_desktop.text.articles import label_of
from ancremed_desktop.text.normalise import fold

_log = logging.getLogger(__name__)


class IndexFile:
    """A finished index file. Safe from several threads: one query at a time.

    ``hidden``: keys of its sources that a later file replaces, with what replaces them.
    ``altered``: passages found with a text that is not the one that was indexed.
    ``lock``: to be held around what ``inverted`` is asked.

    Raises (constructor): IndexFileError.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.hidden: dict[str, str] = {}
        self.altered: set[str] = set()
        self.lock = threading.RLock()
        self.connection = open_read_only(path)
        try:
            with translated(path):
                integrity.check_at_open(self.connection, path)
                self._meta = {
                    str(name): str(value)
                    for name, value in self.connection.execute("SELECT name, value FROM meta")
                }
        except BaseException:
            self.connection.close()
            raise
        self.inverted = Inverted(
            self.connection, int(self._meta["passages"]), lambda detail: damaged(path, detail)
        )

    def close(self) -> None:
        """Release the file."""
        with self.lock:
            self.connection.close()

    def identity(self) -> IndexIdentity:
        """What the file says of itself."""
        return IndexIdentity(
            path=str(self.path),
            schema_version=schema.INDEX.version,
            build_id=self._meta["build_id"],
            built_at=self._meta["built_at"],
            passages=int(self._meta["passages"]),
            sources=int(self._meta["sources"]),
            counts=tuple(sorted(self.counts.items())),
        )

    @cached_property
    def counts(self) -> dict[str, int]:
        """Passages of each silo that has some."""
        return {str(silo): int(n) for silo, n in json.loads(self._meta["counts"]).items()}

    def query(self, statement: str, *arguments: SqlValue) -> list[tuple[SqlValue, ...]]:
        """All rows of a statement."""
        with self.lock, translated(self.path):
            return self.connection.execute(statement, arguments).fetchall()

    def occurrences(self, word: str) -> int:
        """How many passages hold a word as written (accents and case folded), or else in its
        other spellings and numbers; passages that hold two of these may count twice.
        """
        tokens = match_query.all_tokens(word)
        if not tokens:
            return 0
        with self.lock, translated(self.path):
            if len(tokens) > 1:
                group = match_query.expand(tokens, self.inverted.variants)
                return self.inverted.count_any(group)
            same = fold(tokens[0])
            variants = self.inverted.variants(tokens[0])
            exact = [v for v in variants if fold(v) == same]
            return sum(self.inverted.count((v,)) for v in exact or variants)

    def passage(self, urn: str) -> Passage | None:
        """A passage by its URN. Raises: IndexFileError when its text was altered."""
        statement = f"SELECT {rows.PASSAGE_COLUMNS} FROM {rows.PASSAGES} WHERE d.id = ?"
        found = self.query(statement, urn)
        if not found:
            return None
        passage = self._checked(found[0])
        if passage is None:
            raise damaged(self.path, f"le texte du passage « {urn} » a été altéré")
        return passage

    def passages_of(self, source_identifier: str) -> tuple[Passage, ...]:
        """Passages of an entity in document order; altered ones are left out."""
        extents = self.extents("source_identifier", (source_identifier,))
        return tuple(
            passage
            for band in (0, rows.SUPERSEDED_BAND)
            for first, last in extents
            for passage in self._between(first + band, last + band)
        )

    def at(self, rowids: Iterable[int]) -> dict[int, Passage]:
        """The passages of some rows by rowid; altered ones are left out."""
        found = self.query(
            f"SELECT {rows.PASSAGE_COLUMNS} FROM {rows.PASSAGES} "
            "WHERE d.rowid IN (SELECT value FROM json_each(?))",
            json.dumps(list(rowids)),
        )
        checked = ((int(str(row[0])), self._checked(row)) for row in found)
        return {rowid: passage for rowid, passage in checked if passage}

    @cached_property
    def spellings(self) -> list[tuple[int, str]]:
        """All folded words of each length, a space between: they are looked through one by one."""
        words: dict[int, list[str]] = {}
        for length, found in self.query("SELECT length, words FROM spellings ORDER BY length"):
            words.setdefault(int(str(length)), []).append(str(found))
        return [(length, " ".join(found)) for length, found in words.items()]

    def numbered(self, label: str) -> tuple[Passage, ...]:
        """Passages of a numbered text of the user's documents (and of the sections under it)."""
        urns = [
            urn
            for own, found in self._labels.items()
            if own == label or (label.startswith("sec-") and own.startswith(f"{label}."))
            for urn in found
        ]
        found = (self.passage(urn) for urn in urns)
        return tuple(p for p in found if p and not p.superseded)

    @cached_property
    def _labels(self) -> dict[str, list[str]]:
        """URNs by label (``text.articles``), in document order: the file does not change."""
        first, last = rows.row_range((Silo.LOCAL,), with_superseded=False)
        labels: dict[str, list[str]] = {}
        for (urn,) in self.query(
            "SELECT id FROM documents WHERE rowid BETWEEN ? AND ? ORDER BY rowid", first, last
        ):
            if label := label_of(str(urn)):
                labels.setdefault(label, []).append(str(urn))
        return labels

    def source(self, key: str) -> Source | None:
        """A source by its key. Raises: IndexFileError when it is there and not found by it."""
        found = self.sources("WHERE s.key = ?", key)
        if found:
            return found[0]
        if self.query("SELECT 1 FROM sources WHERE +key = ?", key):  # all of them, by no index
            raise damaged(self.path, f"la source « {key} » n’est plus à sa clé")
        return None

    def sources(self, condition: str = "", *arguments: SqlValue) -> tuple[Source, ...]:
        """Sources that meet an SQL condition of ours on ``sources s`` and ``editions e``."""
        found = self.query(
            f"SELECT {rows.SOURCE_COLUMNS} FROM {rows.SOURCES} {condition}", *arguments
        )
        try:
            return tuple(map(rows.source_of, found))
        except (ValueError, KeyError, TypeError) as error:
            raise damaged(self.path, "une source est illisible") from error

    def extents(self, column: str, values: Iterable[str]) -> list[tuple[int, int]]:
        """First and last row of the sources that have one of the values in ``key`` or
        ``source_identifier``.
        """
        found = self.query(
            f"SELECT first_row, last_row FROM sources WHERE {column} IN "
            "(SELECT value FROM json_each(?)) ORDER BY first_row",
            json.dumps(list(values)),
        )
        return [(int(str(first)), int(str(last))) for first, last in found]

    def _between(self, first: int, last: int) -> Iterator[Passage]:
        found = self.query(
            f"SELECT {rows.PASSAGE_COLUMNS} FROM {rows.PASSAGES} "
            "WHERE d.rowid BETWEEN ? AND ? ORDER BY d.rowid",
            first,
            last,
        )
        return filter(None, map(self._checked, found))

    def _checked(self, row: tuple[SqlValue, ...]) -> Passage | None:
        """The passage of a row, or ``None`` (and a trace) when its text was altered."""
        try:
            passage = rows.passage_of(row)
            intact = passage.sha256 == row[-1]
        except ValueError:
            intact = False
        if not intact:
            self.altered.add(str(row[1]))
            _log.info("%s: the text of %s was altered, left out", self.path, row[1])
            return None
        return replace(passage, superseded=True) if passage.source_key in self.hidden else passage
