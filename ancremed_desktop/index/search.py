"""Ranked searches of one index file: which rows, in what order, then their passages."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache

import apsw
import numpy as np

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.evidence import MatchMode, SearchHit, SearchRequest
from ancremed_desktop.domain.identifiers import PassageKind, Silo
from ancremed_desktop.index import match_query, ranking, rescore, rows
from ancremed_desktop.index.concepts import Concept, concepts_of
from ancremed_desktop.index.connection import damaged, translated
from ancremed_desktop.index.index_file import IndexFile
from ancremed_desktop.index.match_query import Group, Phrase
from ancremed_desktop.index.own_headings import OwnHeadings
from ancremed_desktop.index.postings import Array, span
from ancremed_desktop.index.ranking import Ranking, Scope
from ancremed_desktop.index.rescore import Counted, Place, ScoredQuery, Spread
from ancremed_desktop.index.spelling import pieces_of
from ancremed_desktop.text.normalise import fold

POOL = 100
"""Rows scored anew: wide enough for the best ten under any other weights (seed: bm25_tuning)."""
_CACHED_PIECES = 256
_CACHED_PLACES = 16_384
_SUBSTRING_S = 0.5
"""Longest a search of word pieces may take: it is the last resort, not worth a wait."""
_STEPS = 1_000
_NEIGHBOURED = 12
_REACH = 2
_FETCHED = 50
"""Passages read at a time."""
_IN_FULL_TEXT = (MatchMode.PHRASE, MatchMode.NEAR)
"""Modes that only the full text can answer: it alone knows where words stand."""

_PLACES = """
SELECT p.row, p.source, s.title, section.label, heading.label, kind.label
FROM passages p JOIN sources s ON s.number = p.source
JOIN labels section ON section.number = p.section
JOIN labels heading ON heading.number = p.heading JOIN labels kind ON kind.number = p.kind
WHERE p.row IN (SELECT value FROM json_each(?))
"""


class Searcher:
    """Searches one file. Safe from several threads: one search at a time."""

    def __init__(self, file: IndexFile) -> None:
        self._file = file
        self._inverted = file.inverted
        self._weights = rescore.load_weights()
        self._cut = lru_cache(_CACHED_PIECES)(self._pieces_of)
        self._known_places: dict[int, Place] = {}

    def search(
        self, request: SearchRequest, beside: Sequence[Spread] = ()
    ) -> tuple[SearchHit, ...]:
        """Hits by decreasing score; altered passages are left out. ``beside``: how the wordings of
        a ``RANKED`` request are spread over the other files searched with this one.
        """
        with self._file.lock, translated(self._file.path):
            first, after = self._bounds(request)
            if first == after:
                return ()  # nothing of these silos: no list of rows is worth reading
            if request.mode is MatchMode.RANKED:
                return self._ranked(request, beside)
            groups = self._groups(request)
            if not groups:
                return ()
            if request.mode in _IN_FULL_TEXT:
                return self._in_full_text(groups, request)
            found = self._ranking(groups, request)
            best = ((row, score, 0.0) for row, score in found.best_first(2 * request.limit))
            return self._hits(best, request.limit)

    def spread(self, request: SearchRequest) -> Spread:
        """How the wordings of a request are spread over the passages of its silos.

        Raises: IndexFileError.
        """
        with self._file.lock, translated(self._file.path):
            return self._spread(self._concepts(request), request)

    def scored_query(self, request: SearchRequest) -> ScoredQuery:
        """What the scoring of a ``RANKED`` request needs to know of the rows it runs over."""
        return self._scored_query(self._concepts(request), request, ())

    def _concepts(self, request: SearchRequest) -> tuple[Concept, ...]:
        return concepts_of(request.query, request.meanings, self._inverted.variants)

    def _ranked(self, request: SearchRequest, beside: Sequence[Spread]) -> tuple[SearchHit, ...]:
        concepts = self._concepts(request)
        if not concepts:
            return ()
        found = self._ranking([concept.phrases for concept in concepts], request)
        return self._scored_anew(found, self._scored_query(concepts, request, beside), request)

    def _scored_query(
        self, concepts: tuple[Concept, ...], request: SearchRequest, beside: Sequence[Spread]
    ) -> ScoredQuery:
        spread = sum(beside, self._spread(concepts, request))
        return ScoredQuery(concepts=concepts, idfs=spread.idfs, sections=request.sections)

    def _spread(self, concepts: tuple[Concept, ...], request: SearchRequest) -> Spread:
        first, after = self._bounds(request)
        counts = self._file.counts
        return Spread(
            held=tuple(
                tuple(self._inverted.count_any(group, first, after) for group in concept.wordings)
                for concept in concepts
            ),
            total=sum(n for silo, n in counts.items() if silo in (request.silos or counts)),
        )

    def counted(self, passages: Sequence[Passage], query: ScoredQuery) -> Counted:
        """What passages of the file hold of a query."""
        with self._file.lock:
            stored = self._file.query(
                "SELECT id, rowid FROM documents WHERE id IN (SELECT value FROM json_each(?))",
                json.dumps([p.urn for p in passages]),
            )
            rowids = {str(urn): int(str(rowid)) for urn, rowid in stored}
            wanted = np.array([rowids[p.urn] for p in passages], np.int64)
            found = np.searchsorted(self._inverted.rowids, wanted).tolist()
            return self._counted(found, self._places(found), query)

    def _groups(self, request: SearchRequest) -> tuple[Group, ...]:
        variants = self._inverted.variants
        if request.mode is MatchMode.PHRASE:
            tokens = match_query.all_tokens(request.query)
            usable = tokens and match_query.query_words(request.query)
            return (match_query.phrase_group(tokens, variants),) if usable else ()
        if request.mode is MatchMode.SUBSTRING:
            return self._pieces(match_query.query_words(request.query))
        return self._words(request.query)

    def _words(self, text: str) -> tuple[Group, ...]:
        words = match_query.query_words(text)
        return tuple(match_query.expand(word, self._inverted.variants) for word in words)

    def _ranking(self, groups: Sequence[Group], request: SearchRequest) -> Ranking:
        return ranking.rank(
            self._inverted,
            groups,
            self._words(" ".join(request.require)),
            self._scope(request),
            every=request.mode in (MatchMode.ALL, MatchMode.SUBSTRING),
        )

    def _in_full_text(
        self, groups: Sequence[Group], request: SearchRequest
    ) -> tuple[SearchHit, ...]:
        require = self._words(" ".join(request.require))
        match = match_query.match_text(groups, request.mode, require)
        self._inverted.verify(
            token for group in (*groups, *require) for phrase in group for token in phrase
        )
        found = ranking.best_matches(self._file.connection, match, 2 * request.limit)
        scope = self._scope(request)
        rowids = self._inverted.rowids

        def within() -> Iterator[tuple[int, float, float]]:
            for rowid, score in found:
                row = int(np.searchsorted(rowids, rowid))
                if scope.first <= row < scope.after and _allows(scope, row):
                    yield row, score, 0.0

        return self._hits(within(), request.limit)

    def _bounds(self, request: SearchRequest) -> tuple[int, int]:
        """Ordinals of the smallest range that holds the silos asked for."""
        first, last = rows.row_range(request.silos, with_superseded=request.include_superseded)
        return span(self._inverted.rowids, first, last)

    def _scope(self, request: SearchRequest) -> Scope:
        first, after = self._bounds(request)
        allowed = None
        if self._file.hidden and not request.include_superseded:
            allowed = ~self._rows_of(self._file.extents("key", self._file.hidden))
        if request.silos:
            ranges = [rows.row_range((silo,), with_superseded=False) for silo in request.silos]
            mine = self._rows_of(ranges)
            allowed = mine if allowed is None else allowed & mine
        if request.identifiers:
            extents = self._file.extents("source_identifier", request.identifiers)
            named = self._rows_of(extents)
            allowed = named if allowed is None else allowed & named
        return Scope(first=first, after=after, allowed=allowed)

    def _rows_of(self, extents: Iterable[tuple[int, int]]) -> Array:
        """Which rows lie in one of the ranges of rowids, in either band (bool, by ordinal)."""
        held: Array = np.zeros(len(self._inverted.rowids), np.bool_)
        for first, last in extents:
            for band in (0, rows.SUPERSEDED_BAND):
                held[slice(*span(self._inverted.rowids, first + band, last + band))] = True
        return held

    def _scored_anew(
        self, found: Ranking, query: ScoredQuery, request: SearchRequest
    ) -> tuple[SearchHit, ...]:
        """The best of the rows found and the neighbours of the very best, scored anew.

        The full text holds no heading: what is asked may stand there alone, above a passage
        beside one that was found.
        """
        best = itertools.islice(found.best_first(2 * POOL), POOL)
        pool = [row for row, _ in best]
        pool += self._headed(query, self._scope(request), pool)
        places = self._places(pool)
        counted = self._counted(pool, places, query)
        order = np.argsort(-rescore.score(counted, query, self._weights), kind="stable")
        top = [pool[place] for place in order[:_NEIGHBOURED] if not places[pool[place]].is_record]
        around = self._neighbours(top, self._scope(request), places)
        if around:
            counted = counted.and_of(self._counted(around, places, query))
            pool += around
        scores = rescore.score(counted, query, self._weights)
        shares = rescore.coverage(counted, query)
        order = np.argsort(-scores, kind="stable")
        return self._hits(
            ((pool[n], float(scores[n]), float(shares[n])) for n in order), request.limit
        )

    def _headed(self, query: ScoredQuery, scope: Scope, known: Collection[int]) -> list[int]:
        """Rows of the user's documents under the headings that name what is asked."""
        if not self._file.counts.get(Silo.LOCAL.value):
            return []
        stored = self._inverted.rowids
        found = np.searchsorted(stored, self._headings.rowids(query)).tolist()
        taken = set(known)
        return [
            row
            for row in dict.fromkeys(found)
            if row not in taken and scope.first <= row < scope.after and _allows(scope, row)
        ]

    @cached_property
    def _headings(self) -> OwnHeadings:
        return OwnHeadings(self._file)

    def _neighbours(self, best: Sequence[int], scope: Scope, places: dict[int, Place]) -> list[int]:
        """Rows of the same source just before and after the best that have no place yet; they get
        theirs.
        """
        near = [
            (row, row + step)
            for row in best
            for step in range(-_REACH, _REACH + 1)
            if row + step not in places
            and scope.first <= row + step < scope.after
            and _allows(scope, row + step)
            and self._gap(row, row + step) <= _REACH
        ]
        places.update(self._places({beside for _, beside in near}))
        beside_its_own = (b for row, b in near if places[row].source == places[b].source)
        return list(dict.fromkeys(beside_its_own))

    def _gap(self, row: int, other: int) -> int:
        rowids = self._inverted.rowids
        return abs(int(rowids[row]) - int(rowids[other]))

    def _counted(
        self, found: Sequence[int], places: dict[int, Place], query: ScoredQuery
    ) -> Counted:
        own = [places[row] for row in found]
        return rescore.counted(self._inverted, np.array(found, np.int32), own, query)

    def _places(self, found: Collection[int]) -> dict[int, Place]:
        """Where the passages of some rows stand, by row. The searches of one question find much
        the same passages: these are remembered.
        """
        known = self._known_places
        new = [row for row in found if row not in known]
        if new and len(known) + len(new) > _CACHED_PLACES:
            known.clear()
            new = list(found)
        if new:
            known.update(self._read_places(new))
        return {row: known[row] for row in found}

    def _read_places(self, found: Sequence[int]) -> dict[int, Place]:
        rowids = self._inverted.rowids[found].tolist()
        by_rowid = dict(zip(rowids, found, strict=True))
        stored = self._file.query(_PLACES, json.dumps(rowids))
        if len(stored) != len(by_rowid):
            raise damaged(self._file.path, "des passages trouvés n’y sont plus")
        places = {}
        for row, source, title, section, heading, kind in stored:
            rowid = int(str(row))
            # A title repeated above the text is no heading.
            own = str(heading).removeprefix(str(title))
            places[by_rowid[rowid]] = Place(
                silo=rows.silo_of_row(rowid) or Silo.LOCAL,
                source=int(str(source)),
                heading=rescore.padded_heading(own, str(section)),
                section=str(section),
                is_record=kind == PassageKind.RECORD,
            )
        return places

    def _hits(
        self, scored: Iterable[tuple[int, float, float]], limit: int
    ) -> tuple[SearchHit, ...]:
        """The first ``limit`` passages of (ordinal, score, coverage) that are what was indexed."""
        hits: list[SearchHit] = []
        left = iter(scored)
        while len(hits) < limit:
            batch = list(itertools.islice(left, min(limit - len(hits), _FETCHED)))
            if not batch:
                break
            rowids = [int(self._inverted.rowids[row]) for row, *_ in batch]
            passages = self._file.at(rowids)
            hits += (
                SearchHit(passage=passages[rowid], score=score, coverage=share)
                for rowid, (_, score, share) in zip(rowids, batch, strict=True)
                if rowid in passages
            )
        return tuple(hits)

    def _pieces(self, words: Sequence[Phrase]) -> tuple[Group, ...]:
        """For each word the tokens it is a piece of, or else the longest pieces it is made of."""
        deadline = time.monotonic() + _SUBSTRING_S
        db = self._file.connection
        db.set_progress_handler(lambda: time.monotonic() > deadline, _STEPS)
        try:
            return tuple(self._cut(fold("".join(word))) for word in words)
        except apsw.InterruptError:
            return ()
        finally:
            db.set_progress_handler(None)

    def _pieces_of(self, word: str) -> Group:
        return tuple((token,) for token in pieces_of(word, self._file)) or ((word,),)


def _allows(scope: Scope, row: int) -> bool:
    return scope.allowed is None or bool(scope.allowed[row])
