"""The searchable corpus: the shipped file and the user's file, seen as one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ancremed_desktop.domain.documents import Passage, Source
from ancremed_desktop.domain.evidence import IndexIdentity, MatchMode, SearchHit, SearchRequest
from ancremed_desktop.domain.identifiers import Code
from ancremed_desktop.errors import IndexFileError
from ancremed_desktop.index import lookup
from ancremed_desktop.index.index_file import IndexFile
from ancremed_desktop.index.mentions import MentionFinder
from ancremed_desktop.index.rescore import Spread
from ancremed_desktop.index.search import Searcher
from ancremed_desktop.index.spelling import SpellingFinder
from ancremed_desktop.ports import EntityMention
from ancremed_desktop.text.normalise import fold

MAX_LIMIT = 100
_KEPT_SOURCES = 1_000
"""Of a silo, in memory: 2 MB."""


def open_index(paths: Sequence[Path]) -> SqlitePassageIndex:
    """Open index files as one; a later file's edition of a source replaces an earlier file's.

    Raises: IndexFileError when a file is absent, damaged, newer than the program or unfinished.
    """
    return SqlitePassageIndex(paths)


class SqlitePassageIndex:
    """``ports.PassageIndex`` over one or more index files. Safe from several threads.

    ``altered_passages``: how many were left out because their text is not what was indexed.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        """See ``open_index``."""
        if not paths:
            raise IndexFileError("Aucun index à ouvrir : indiquez au moins un fichier.")
        self._files: list[IndexFile] = []
        try:
            for path in paths:
                self._files.append(IndexFile(path))
            _hide_replaced(self._files)
        except BaseException:
            self.close()
            raise
        self._searchers = [Searcher(file) for file in self._files]
        self._mentions = MentionFinder(self._files)
        self._spelling = SpellingFinder(self._files)
        self._listed: dict[str, tuple[Source, ...]] = {}

    @property
    def altered_passages(self) -> int:
        """Passages met so far whose text was altered."""
        return sum(len(file.altered) for file in self._files)

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files it reads."""
        return tuple(file.path for file in self._files)

    def identity(self) -> IndexIdentity:
        """The first file's identity; counts and ``build_id`` cover all files."""
        parts = [file.identity() for file in self._files]
        counts: dict[str, int] = {}
        for silo, number in (pair for part in parts for pair in part.counts):
            counts[silo] = counts.get(silo, 0) + number
        return IndexIdentity(
            path=parts[0].path,
            schema_version=parts[0].schema_version,
            build_id="+".join(part.build_id for part in parts),
            built_at=max(part.built_at for part in parts),
            passages=sum(part.passages for part in parts),
            sources=sum(part.sources for part in parts),
            counts=tuple(sorted(counts.items())),
        )

    def search(self, request: SearchRequest) -> tuple[SearchHit, ...]:
        """Hits by decreasing score. Raises: ValueError when ``limit`` is not 1 to 100."""
        if not 1 <= request.limit <= MAX_LIMIT:
            raise ValueError(f"limit must be 1 to {MAX_LIMIT}, not {request.limit}")
        found = [
            hit for one, beside in self._beside(request) for hit in one.search(request, beside)
        ]
        found.sort(key=lambda hit: -hit.score)
        return tuple(found[: request.limit])

    def _beside(self, request: SearchRequest) -> Iterator[tuple[Searcher, list[Spread]]]:
        """Each searcher with how the wordings of a ranked request are spread over the others."""
        shared = request.mode is MatchMode.RANKED and len(self._searchers) > 1
        spreads = [one.spread(request) for one in self._searchers] if shared else []
        for number, one in enumerate(self._searchers):
            yield one, spreads[:number] + spreads[number + 1 :]

    def passage(self, urn: str) -> Passage:
        """A passage, hash checked; the last file that has it wins.

        Raises: KeyError if unknown, IndexFileError if its text was altered.
        """
        for file in reversed(self._files):
            passage = file.passage(urn) if _storable(urn) else None
            if passage is not None:
                return passage
        raise KeyError(urn)

    def passages_of(self, source_identifier: str) -> tuple[Passage, ...]:
        """Passages of an entity, in document order, superseded ones last; altered left out."""
        if not _storable(source_identifier):
            return ()
        found: dict[str, Passage] = {}
        for file in reversed(self._files):
            for passage in file.passages_of(source_identifier):
                found.setdefault(passage.urn, passage)
        return tuple(sorted(found.values(), key=lambda p: p.superseded))

    def numbered(self, label: str) -> tuple[Passage, ...]:
        """Passages of a numbered text of the user's documents, in document order.

        Raises: IndexFileError if one was altered: the rest would read as the whole.
        """
        return tuple(p for file in self._files for p in file.numbered(label))

    def source(self, key: str) -> Source:
        """A source by its key. Raises: KeyError."""
        for file in reversed(self._files):
            found = file.source(key) if _storable(key) else None
            if found is not None:
                return found
        raise KeyError(key)

    def sources(self, silo: str = "") -> tuple[Source, ...]:
        """All sources (of a silo), by title. A short list is read once: files do not change."""
        if silo in self._listed:
            return self._listed[silo]
        found: dict[str, Source] = {}
        for file in self._files:
            for source in file.sources("WHERE ? IN ('', s.silo)", silo):
                found[source.key] = source
        listed = tuple(sorted(found.values(), key=lambda s: (fold(s.title), s.key)))
        if len(listed) <= _KEPT_SOURCES:
            self._listed[silo] = listed
        return listed

    def document_frequency(self, word: str) -> int:
        """How many passages hold the word (0: out of vocabulary), see ``occurrences``."""
        return sum(file.occurrences(word) for file in self._files)

    def vocabulary_matches(self, word: str, limit: int = 5) -> tuple[str, ...]:
        """Words of the vocabulary within 2 edits (1 under 6 letters), nearest then commonest."""
        return self._spelling.nearest(word, limit)

    def mentions(self, text: str) -> tuple[EntityMention, ...]:
        """Names of the corpus that occur in a text, longest first, never overlapping."""
        return self._mentions.find(text)

    def by_code(self, code: Code, values: Sequence[str]) -> tuple[str, ...]:
        """Identifiers of the sources that carry one of the codes, see ``lookup.by_code``."""
        return lookup.by_code(self._files, code, [v for v in values if _storable(v)])

    def codes_of(self, source_identifier: str, code: Code) -> tuple[str, ...]:
        """Codes of a kind that the current sources of an entity carry, folded, sorted."""
        return lookup.codes_of(self._files, source_identifier, code)

    def close(self) -> None:
        """Release the files."""
        for file in self._files:
            file.close()


def _storable(text: str) -> bool:
    """Whether a text can be a key at all (a lone surrogate cannot be sent to SQLite)."""
    return not any("\ud800" <= char <= "\udfff" for char in text)


def _hide_replaced(files: Sequence[IndexFile]) -> None:
    """Of two editions of an entity in different files only the later counts (same date: the
    later file's); within one file the build has seen to it.
    """
    for position, file in enumerate(files):
        for other in files[position + 1 :]:
            for source in other.sources("WHERE s.superseded = 0"):
                _settle(file, other, source)


def _settle(earlier: IndexFile, later: IndexFile, source: Source) -> None:
    for rival in earlier.sources(
        "WHERE s.source_identifier = ? AND s.silo = ? AND s.superseded = 0",
        source.source_identifier,
        source.silo.value,
    ):
        same = rival.key == source.key
        if source.regulatory_date > rival.regulatory_date != "" or same:
            earlier.hidden[rival.key] = source.key
        elif source.regulatory_date and source.regulatory_date < rival.regulatory_date:
            later.hidden[source.key] = rival.key
