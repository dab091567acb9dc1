"""The queries ``bench_search.py`` asks, drawn from the corpus or written for it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from search_engines import TOP, Query

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.evidence import MatchMode, SearchRequest
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.index.concepts import concepts_of
from ancremed_desktop.index.index_file import IndexFile
from ancremed_desktop.index.match_query import Group, all_tokens, expand, phrase_group, query_words
from ancremed_desktop.index.reader import SqlitePassageIndex
from ancremed_desktop.pipeline.lexicon import PlanningLexicon
from ancremed_desktop.pipeline.retrieve import ranked_request
from ancremed_desktop.pipeline.understand import understand
from tests.fakes.hostile_text import hostile

PHRASE, ALL, ANY, COMMON = "phrase", "AND, 3 words", "OR, 8 words", "OR, 6 common words"
RANKED, PIECE, CODE = "ranked", "LIKE", "look-up"
KINDS = (PHRASE, ALL, ANY, COMMON, RANKED, PIECE, CODE)
SAME_SCORES = (PHRASE, ALL, ANY, COMMON)
"""Kinds where every engine is asked the same and scores alike."""

_SOURCES = 400
_COMMON_WORDS = 60
_RARE_WORDS = 200
_LONG = 7


class Drawer:
    """Draws queries from the passages of an index, the same ones each time."""

    def __init__(self, index: SqlitePassageIndex, path: Path) -> None:
        self._random = random.Random(7)
        self._file = IndexFile(path)
        current = [s for s in index.sources() if not s.superseded]
        picked = self._random.sample(current, min(_SOURCES, len(current)))
        self._passages = [p for s in picked for p in index.passages_of(s.source_identifier)[:2]]
        self._codes = [s.source_identifier for s in current if s.silo is Silo.BDPM]
        words = sorted({w for p in self._passages for w in _plain_words(p)})
        frequency = {w: index.document_frequency(w) for w in words}
        self._words = [w for w in words if frequency[w]]
        self._common = sorted(self._words, key=lambda w: -frequency[w])[:_COMMON_WORDS]
        long = (w for w in self._words if len(w) > _LONG)
        self._rare = sorted(long, key=lambda w: frequency[w])[:_RARE_WORDS]

    def queries(self, count: int, questions: Iterable[str], lexicon: PlanningLexicon,
                index: SqlitePassageIndex) -> list[Query]:  # fmt: skip
        """``count`` queries of each kind, ``questions`` for the ranked ones."""
        makers: dict[str, Callable[[], Query]] = {
            PHRASE: self._phrase,
            ALL: lambda: self._worded(ALL, self._of_one_passage(3), MatchMode.ALL),
            ANY: lambda: self._worded(ANY, self._some(self._words, 8), MatchMode.ANY),
            COMMON: lambda: self._worded(COMMON, self._some(self._common, 6), MatchMode.ANY),
            PIECE: self._piece,
            CODE: self._code,
        }
        drawn = [make() for make in makers.values() for _ in range(count)]
        return drawn + [self._ranked(q, lexicon, index) for q in questions][:count]

    def close(self) -> None:
        """Release the file."""
        self._file.close()

    def _phrase(self) -> Query:
        words: list[str] = []
        while len(query_words(" ".join(words))) < 2:
            text = self._random.choice(self._passages).text.split()
            start = self._random.randrange(max(1, len(text) - 3))
            words = [w for w in text[start : start + 3] if w.isalpha()]
        query = " ".join(words)
        group = phrase_group(all_tokens(query), self._file.inverted.variants)
        return Query(kind=PHRASE, request=_request(query, MatchMode.PHRASE), groups=(group,))

    def _of_one_passage(self, count: int) -> str:
        words: list[str] = []
        while len(words) < count:
            words = sorted(set(_plain_words(self._random.choice(self._passages))))
        return self._some(words, count)

    def _worded(self, kind: str, query: str, mode: MatchMode) -> Query:
        groups = tuple(expand(word, self._file.inverted.variants) for word in query_words(query))
        return Query(kind=kind, request=_request(query, mode), groups=groups)

    def _ranked(self, text: str, lexicon: PlanningLexicon, index: SqlitePassageIndex) -> Query:
        request = ranked_request(understand(text, index, lexicon), index, lexicon, limit=TOP)
        concepts = concepts_of(request.query, request.meanings, self._file.inverted.variants)
        groups: tuple[Group, ...] = tuple(c.phrases for c in concepts)
        return Query(kind=RANKED, request=request, groups=groups)

    def _piece(self) -> Query:
        piece = self._random.choice(self._rare)[1:-1]
        return Query(kind=PIECE, request=_request(piece, MatchMode.SUBSTRING), piece=piece)

    def _code(self) -> Query:
        code = self._random.choice(self._codes)
        return Query(kind=CODE, request=_request(code, MatchMode.ALL), identifier=code)

    def _some(self, pool: Sequence[str], count: int) -> str:
        return " ".join(self._random.sample(pool, count))


def hostile_requests(count: int) -> Iterable[SearchRequest]:
    """Requests no user would write, of every mode."""
    drawn = random.Random(13)
    for _ in range(count):
        yield _request(hostile(drawn), drawn.choice(list(MatchMode)))


def _request(query: str, mode: MatchMode) -> SearchRequest:
    return SearchRequest(query=query, mode=mode, limit=TOP)


def _plain_words(passage: Passage) -> list[str]:
    return [w.lower() for w in passage.text.split() if w.isalpha() and len(w) > 5]
