"""One index file opened for reading: look-ups and ranked searches, hashes checked."""

from __future__ import annotations

import itertools
import json
import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path

import apsw

from ancremed_desktop.domain.documents import Passage, Source
from ancremed_desktop.domain.evidence import IndexIdentity, MatchMode, SearchHit, SearchRequest
from ancremed_desktop.domain.identifiers import PassageKind, Silo
from ancremed_desktop.index import integrity, match_query, ranking, rescore, rows, schema
from ancremed_desktop.index.concepts import concepts_of
from ancremed_desktop.index.connection import damaged, open_read_only, translated
from ancremed_desktop.index.match_query import Group, Phrase
from ancremed_desktop.index.ranking import Scope, Scored
from ancremed_desktop.index.rescore import Rescorer, ScoredQuery
from ancremed_desktop.index.rows import SqlValue
from ancremed_desktop.index.words import word_class
from ancremed_desktop.text.articles import label_of
from ancremed_desktop.text.normalise import fold

_log = logging.getLogger(__name__)

_CACHED_WORDS = 4_096
_CACHED_PIECES = 256
_SUBSTRING_S = 0.5
"""Longest a search of word pieces may take: it is the last resort, not worth a wait."""
_SUBSTRING_TOKENS = 64
_MIN_PIECE = 4
_STEPS = 1_000
_NEIGHBOURED = 12
_REACH = 2
_FETCHED = 50
"""Rows read at a time."""
POOL = 100
"""Rows scored anew: wide enough for the best ten under any other weights (seed: bm25_tuning)."""

_JOIN = "FROM documents d JOIN passages p ON p.document_id = d.id"


class IndexFile:
    """A finished index file. Safe from several threads: one query at a time.

    ``hidden``: keys of its sources that a later file replaces, with what replaces them.
    ``altered``: passages found with a text that is not the one that was indexed.

    Raises (constructor): IndexFileError.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.hidden: dict[str, str] = {}
        self.altered: set[str] = set()
        self._lock = threading.RLock()
        self._db = open_read_only(path)
        try:
            with translated(path):
                integrity.check_at_open(self._db, path)
                self._meta = {
                    str(name): str(value)
                    for name, value in self._db.execute("SELECT name, value FROM meta")
                }
        except BaseException:
            self._db.close()
            raise
        self._variants = lru_cache(_CACHED_WORDS)(self._read_variants)
        self._frequency = lru_cache(_CACHED_WORDS)(self._count)
        self._count_in = lru_cache(_CACHED_WORDS)(self._count_group)
        self._cut = lru_cache(_CACHED_PIECES)(self._pieces_of)

    def close(self) -> None:
        """Release the file."""
        with self._lock:
            self._db.close()

    def identity(self) -> IndexIdentity:
        """What the file says of itself."""
        return IndexIdentity(
            path=str(self.path),
            schema_version=schema.INDEX.version,
            build_id=self._meta["build_id"],
            built_at=self._meta["built_at"],
            passages=int(self._meta["passages"]),
            sources=int(self._meta["sources"]),
            counts=tuple(sorted(json.loads(self._meta["counts"]).items())),
        )

    def query(self, statement: str, *arguments: SqlValue) -> list[tuple[SqlValue, ...]]:
        """All rows of a statement."""
        with self._lock, translated(self.path):
            return self._db.execute(statement, arguments).fetchall()

    def variants(self, word: str) -> tuple[str, ...]:
        """Tokens of the vocabulary in the class of a word: same letters first, then common."""
        return self._variants(word)

    def frequency(self, phrase: Phrase) -> int:
        """How many passages hold these tokens of the vocabulary next to each other."""
        return self._frequency(phrase)

    def occurrences(self, word: str) -> int:
        """How many passages hold a word as written (accents and case folded), or else in its
        other spellings and numbers; passages that hold two of these may count twice.
        """
        tokens = match_query.all_tokens(word)
        if not tokens:
            return 0
        if len(tokens) > 1:
            group = match_query.expand(tokens, self.variants)
            with self._lock, translated(self.path):
                return ranking.count_rows(self._db, match_query.any_of(group))
        same = fold(tokens[0])
        variants = self.variants(tokens[0])
        exact = [v for v in variants if fold(v) == same]
        return sum(self.frequency((v,)) for v in exact or variants)

    def search(self, request: SearchRequest) -> tuple[SearchHit, ...]:
        """Hits by decreasing score; altered passages are left out."""
        with self._lock, translated(self.path):
            ranker = self._ranker(request)
            if ranker is None:
                return ()
            is_scored_anew = request.mode is MatchMode.RANKED
            limit = max(request.limit, POOL) if is_scored_anew else request.limit
            scored = itertools.chain.from_iterable(ranking.widening(ranker, limit))
            hits = tuple(itertools.islice(self._hits(scored, request), limit))
            if is_scored_anew:
                hits = self._scored_anew(hits, request)
            return hits[: request.limit]

    def _scored_anew(
        self, hits: tuple[SearchHit, ...], request: SearchRequest
    ) -> tuple[SearchHit, ...]:
        """The hits and the neighbours of the best, best first.

        The full text holds no heading: what is asked may stand there alone, above a passage
        beside one that was found.
        """
        rescored = Rescorer(self.scored_query(request))
        best = rescored(hits)
        known = {h.passage.urn for h in hits}
        around = [
            hit
            for h in best[:_NEIGHBOURED]
            if h.passage.kind is not PassageKind.RECORD
            for hit in self._neighbours(h.passage, request)
        ]
        fresh = {h.passage.urn: h for h in around if h.passage.urn not in known}
        return rescored((*hits, *fresh.values())) if fresh else best

    def _neighbours(self, passage: Passage, request: SearchRequest) -> Iterator[SearchHit]:
        """Passages of the same source just before and after one."""
        found = self.query("SELECT rowid FROM documents WHERE id = ?", passage.urn)
        if not found:
            raise damaged(self.path, "un passage trouvé n’y est plus à son nom")
        rowid = int(str(found[0][0]))
        near = range(rowid - _REACH, rowid + _REACH + 1)
        for hit in self._hits(((0.0, row) for row in near), request):
            if hit.passage.source_key == passage.source_key:
                yield hit

    def scored_query(self, request: SearchRequest) -> ScoredQuery:
        """What the scoring of a ``RANKED`` request needs to know of the rows it runs over."""
        concepts = concepts_of(request.query, request.meanings, self.variants)
        scope = self._scope(request)
        counts = json.loads(self._meta["counts"])
        total = sum(n for silo, n in counts.items() if not request.silos or silo in request.silos)
        return ScoredQuery(
            concepts=concepts,
            idfs=tuple(
                tuple(rescore.idf(self._count_in(group, scope), total) for group in c.wordings)
                for c in concepts
            ),
            sections=request.sections,
        )

    def passage(self, urn: str) -> Passage | None:
        """A passage by its URN. Raises: IndexFileError when its text was altered."""
        found = self.query(f"SELECT {rows.PASSAGE_COLUMNS} {_JOIN} WHERE d.id = ?", urn)
        if not found:
            return None
        passage = self._checked(found[0])
        if passage is None:
            raise damaged(self.path, f"le texte du passage « {urn} » a été altéré")
        return passage

    def passages_of(self, source_identifier: str) -> tuple[Passage, ...]:
        """Passages of an entity in document order; altered ones are left out."""
        found = self.query(
            f"SELECT {rows.PASSAGE_COLUMNS} {_JOIN} WHERE d.source_identifier = ? ORDER BY d.rowid",
            source_identifier,
        )
        return tuple(p for p in map(self._checked, found) if p)

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

    def sources(self, condition: str = "", *arguments: SqlValue) -> tuple[Source, ...]:
        """Sources that meet an SQL condition of ours."""
        found = self.query(
            f"SELECT {rows.SOURCE_COLUMNS} FROM sources {condition}",
            *arguments,
        )
        try:
            return tuple(map(rows.source_of, found))
        except (ValueError, KeyError, TypeError) as error:
            raise damaged(self.path, "une source est illisible") from error

    def _ranker(self, request: SearchRequest) -> Callable[[int], tuple[Scored, ...]] | None:
        """How to rank the rows of a request; ``None`` when it has no usable word."""
        groups = self._groups(request)
        if not groups:
            return None
        require = self._words(" ".join(request.require))
        scope = self._scope(request)
        total = int(self._meta["passages"])
        if request.mode in (MatchMode.ANY, MatchMode.RANKED):
            return lambda n: ranking.best_of_any(
                self._db, groups, self.frequency, scope, require, total, n
            )
        match = match_query.match_text(groups, request.mode, require)
        return lambda n: ranking.best_rows(self._db, match, scope, n)

    def _groups(self, request: SearchRequest) -> tuple[Group, ...]:
        if request.mode is MatchMode.PHRASE:
            tokens = match_query.all_tokens(request.query)
            usable = tokens and match_query.query_words(request.query)
            return (match_query.phrase_group(tokens, self.variants),) if usable else ()
        if request.mode is MatchMode.SUBSTRING:
            return self._pieces(match_query.query_words(request.query))
        if request.mode is MatchMode.RANKED:
            concepts = concepts_of(request.query, request.meanings, self.variants)
            return tuple(c.phrases for c in concepts)
        return self._words(request.query)

    def _words(self, text: str) -> tuple[Group, ...]:
        words = match_query.query_words(text)
        return tuple(match_query.expand(word, self.variants) for word in words)

    def _scope(self, request: SearchRequest) -> Scope:
        first, last = rows.row_range(request.silos, with_superseded=request.include_superseded)
        return Scope(
            first=first,
            last=last,
            identifiers=json.dumps(request.identifiers) if request.identifiers else "",
        )

    def _hits(self, scored: Iterable[Scored], request: SearchRequest) -> Iterator[SearchHit]:
        rows_left = iter(scored)
        while batch := tuple(itertools.islice(rows_left, _FETCHED)):
            wanted = [
                r for _, r in batch if not request.silos or rows.silo_of_row(r) in request.silos
            ]
            found = self._db.execute(
                f"SELECT d.rowid, {rows.PASSAGE_COLUMNS} {_JOIN} "
                "WHERE d.rowid IN (SELECT value FROM json_each(?))",
                (json.dumps(wanted),),
            )
            columns = {int(rowid): tuple(row) for rowid, *row in found}
            for score, rowid in batch:
                passage = self._checked(columns[rowid]) if rowid in columns else None
                if passage and (request.include_superseded or not passage.superseded):
                    yield SearchHit(passage=passage, score=-score)

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

    def _read_variants(self, word: str) -> tuple[str, ...]:
        same = fold(word)
        found = self.query(
            "SELECT token FROM vocabulary WHERE class = ? ORDER BY fold <> ?, documents DESC "
            f"LIMIT {match_query.MAX_VARIANTS}",
            word_class(word),
            same,
        )
        return tuple(str(token) for (token,) in found)

    def _count(self, phrase: Phrase) -> int:
        if len(phrase) > 1:
            with self._lock, translated(self.path):
                return ranking.count_rows(self._db, match_query.phrase_text(phrase))
        found = self.query(
            "SELECT documents FROM vocabulary WHERE class = ? AND token = ?",
            word_class(phrase[0]),
            phrase[0],
        )
        return int(str(found[0][0])) if found else 0

    def _count_group(self, group: Group, scope: Scope) -> int:
        """How many rows of a scope hold one of the phrases."""
        with self._lock, translated(self.path):
            return ranking.count_rows(self._db, match_query.any_of(group), scope)

    def _pieces(self, words: Sequence[Phrase]) -> tuple[Group, ...]:
        """For each word the tokens it is a piece of, or else the longest pieces it is made of."""
        deadline = time.monotonic() + _SUBSTRING_S
        self._db.set_progress_handler(lambda: time.monotonic() > deadline, _STEPS)
        try:
            return tuple(self._cut(fold("".join(word))) for word in words)
        except apsw.InterruptError:
            return ()
        finally:
            self._db.set_progress_handler(None)

    def _pieces_of(self, word: str) -> Group:
        order = f"ORDER BY length(fold), documents DESC LIMIT {_SUBSTRING_TOKENS}"
        found = self._db.execute(
            f"SELECT token FROM vocabulary WHERE instr(fold, ?) {order}", (word,)
        ).fetchall()
        if not found:
            found = self._db.execute(
                f"SELECT token FROM vocabulary WHERE length(fold) >= {_MIN_PIECE} "
                "AND instr(?, fold) ORDER BY length(fold) DESC, documents DESC LIMIT 2",
                (word,),
            ).fetchall()
        return tuple((str(token),) for (token,) in found) or ((word,),)
