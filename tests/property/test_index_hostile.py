"""No input makes a search raise, and a fast OR finds what a plain one does."""

from __future__ import annotations

import random
from collections.abc import Iterator

import apsw
import pytest
from fakes.built_index import build_index
from fakes.hostile_text import PIECES, WORDS, hostile
from fakes.memory_index import passage
from hypothesis import given, settings
from hypothesis import strategies as st

from ancremed_desktop.domain.evidence import MatchMode, SearchRequest
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.index import match_query, ranking
from ancremed_desktop.index.match_query import Phrase
from ancremed_desktop.index.ranking import Scope, Scored
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
    index: SqlitePassageIndex, drawn: list[list[str]], required: list[str], limit: int
) -> None:
    db = apsw.Connection(index.identity().path, flags=apsw.SQLITE_OPEN_READONLY)
    total = index.identity().passages

    def count(phrase: Phrase) -> int:
        return ranking.count_rows(db, match_query.phrase_text(phrase))

    groups = [tuple(match_query.all_tokens(p) for p in group) for group in drawn]
    kept = [g for g in groups if 0 < sum(map(count, g)) <= total / 2]
    require = [(match_query.all_tokens(p),) for p in required]
    scope = Scope(first=0, last=1 << 60)
    fast = ranking.best_of_any(db, kept, count, scope, require, total, limit)
    held = [tuple(p for p in g if count(p)) for g in kept]
    telling = [g for g in require if 0 < count(g[0]) <= total / 2] or [
        g for g in require if count(g[0])
    ]
    plain: tuple[Scored, ...] = ()
    if held and (telling or not require):
        plain = ranking.best_rows(
            db, match_query.match_text(held, MatchMode.ANY, telling), scope, limit
        )
    db.close()
    assert [s for s, _ in fast] == pytest.approx([s for s, _ in plain], rel=1e-6)
