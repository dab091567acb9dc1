"""No input makes a search raise, and a fast OR finds what a plain one does."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from fakes.built_index import build_index
from fakes.hostile_text import PIECES, WORDS, hostile
from fakes.memory_index import passage
from hypothesis import given, settings
from hypothesis import strategies as st

from ancremed_desktop.domain.evidence import MatchMode, SearchRequest
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.index import match_query, ranking
from ancremed_desktop.index.index_file import IndexFile
from ancremed_desktop.index.match_query import Group, Phrase
from ancremed_desktop.index.ranking import Scope
from ancremed_desktop.index.reader import SqlitePassageIndex, open_index


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqlitePassageIndex]:
    path = tmp_path_factory.mktemp("hostile") / "index.db"
    rng = random.Random(11)
    parts = []
    for number in range(300):
        # Squared so that some words are common and some rare, as in a corpus.
        picked = [WORDS[int(len(WORDS) * rng.random() ** 2)] for _ in range(rng.randint(3, 30))]
        parts.append(passage(f"E-{number}", picked[0], "signes", " ".join(picked), Silo.EDN))
    build_index(path, parts)
    opened = open_index([path])
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def file(index: SqlitePassageIndex) -> Iterator[IndexFile]:
    opened = IndexFile(Path(index.identity().path))
    yield opened
    opened.close()


_HOSTILE = st.lists(st.sampled_from((*WORDS, *PIECES)) | st.text(max_size=20), max_size=40).map(
    " ".join
)


@given(query=_HOSTILE, mode=st.sampled_from(MatchMode), silo=st.sampled_from((*Silo, None)))
@settings(max_examples=2000, deadline=None)
def test_no_query_raises(
    index: SqlitePassageIndex, query: str, mode: MatchMode, silo: Silo | None
) -> None:
    silos = () if silo is None else (silo,)
    request = SearchRequest(query=query, mode=mode, silos=silos, require=(query[:9],), limit=3)
    hits = index.search(request)
    assert len(hits) <= 3
    assert all(not silos or hit.passage.silo in silos for hit in hits)
    assert [h.score for h in hits] == sorted((h.score for h in hits), reverse=True)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_ten_thousand_queries_do_not_raise(index: SqlitePassageIndex) -> None:
    drawn = random.Random(17)
    found = 0
    for _ in range(10_000):
        request = SearchRequest(query=hostile(drawn), mode=drawn.choice(list(MatchMode)), limit=3)
        found += bool(index.search(request))
    assert found > 1_000  # the queries do reach the index


@given(text=_HOSTILE)
@settings(max_examples=300, deadline=None)
def test_no_text_breaks_a_look_up(index: SqlitePassageIndex, text: str) -> None:
    for mention in index.mentions(text):
        assert 0 <= mention.start < mention.end <= len(text)
    assert index.document_frequency(text) >= 0
    assert len(index.vocabulary_matches(text[:30], 3)) <= 3
    assert index.passages_of(text) == ()
    with pytest.raises(KeyError):
        index.passage(text)


_PHRASES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=2).map(" ".join)
_GROUPS = st.lists(st.lists(_PHRASES, min_size=1, max_size=3, unique=True), min_size=1, max_size=7)


@given(
    drawn=_GROUPS, required=st.lists(_PHRASES, max_size=2, unique=True), limit=st.integers(1, 20)
)
@settings(max_examples=300, deadline=None)
def test_the_fast_or_finds_the_scores_of_a_plain_or(
    file: IndexFile, drawn: list[list[str]], required: list[str], limit: int
) -> None:
    total = file.identity().passages
    groups = [tuple(_stored(file, p) for p in group) for group in drawn]
    require = [(_stored(file, p),) for p in required]
    found = ranking.rank(file.inverted, groups, require, Scope(first=0, after=total), every=False)
    fast = [score for _, score in itertools.islice(found.best_first(2), limit)]
    kept, needed = _weighing(file, groups), _weighing(file, require)
    plain: list[float] = []
    if kept and (needed or not require):
        match = match_query.match_text(kept, MatchMode.ANY, needed)
        plain = [
            s for _, s in itertools.islice(ranking.best_matches(file.connection, match, 3), limit)
        ]
    assert fast == pytest.approx(plain, rel=1e-6, abs=1e-11)


def _stored(file: IndexFile, words: str) -> Phrase:
    """Words as the vocabulary holds them."""
    return tuple((*file.inverted.variants(t), t)[0] for t in match_query.all_tokens(words))


def _weighing(file: IndexFile, groups: Sequence[Group]) -> list[Group]:
    """Groups that some row holds, without those of more than half of the rows if there are others."""
    counts = {g: sum(_rows(file, p) for p in g) for g in groups}
    held = [g for g in groups if counts[g]]
    return [g for g in held if counts[g] <= file.identity().passages / 2] or held


def _rows(file: IndexFile, phrase: Phrase) -> int:
    statement = "SELECT count(*) FROM documents_fts WHERE documents_fts MATCH ?"
    return int(str(file.query(statement, match_query.phrase_text(phrase))[0][0]))


@given(drawn=_GROUPS, limit=st.integers(1, 20))
@settings(max_examples=300, deadline=None)
def test_the_fast_and_finds_the_rows_and_scores_of_a_plain_and(
    file: IndexFile, drawn: list[list[str]], limit: int
) -> None:
    groups = [tuple(_stored(file, p) for p in group) for group in drawn]
    scope = Scope(first=0, after=file.identity().passages)
    found = ranking.rank(file.inverted, groups, (), scope, every=True)
    match = match_query.match_text(list(dict.fromkeys(groups)), MatchMode.ALL, ())
    plain = dict(ranking.best_matches(file.connection, match, 3))
    assert {int(file.inverted.rowids[r]) for r in found.rows} == set(plain)
    fast = [score for _, score in itertools.islice(found.best_first(2), limit)]
    assert fast == sorted(fast, reverse=True)
