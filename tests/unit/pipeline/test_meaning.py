"""Two lists become one, and what is only near in meaning is judged like the rest."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from fakes.hash_embedder import HashEmbedder
from fakes.memory_index import MemoryIndex, passage

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.evidence import Evidence, SearchHit
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.pipeline.deep_search import deep_search, none_near
from ancremed_desktop.pipeline.lexicon import load_lexicon
from ancremed_desktop.pipeline.meaning import fused, no_meaning, search_by_meaning
from ancremed_desktop.pipeline.plan import make_plan
from ancremed_desktop.pipeline.retrieve import ranked_hits, ranked_request
from ancremed_desktop.pipeline.understand import understand
from ancremed_desktop.ports import Vector
from ancremed_desktop.settings.paths import RESOURCES

LEXICON = load_lexicon(RESOURCES / "lexicons")
PASSAGES = [passage(f"P{n}", f"Titre {n}", "définition", f"Texte {n}.") for n in range(12)]


class OneVectorIndex:
    """Gives the same passages whatever the question; keeps what it was asked."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._passages = passages
        self.asked: list[tuple[Silo, ...]] = []

    def embedder(self) -> str:
        return HashEmbedder().name

    def nearest(
        self, _vector: Vector, silos: tuple[Silo, ...], limit: int
    ) -> tuple[SearchHit, ...]:
        self.asked.append(silos)
        return _hits(*self._passages)[:limit]


def _hits(*passages: Passage, coverage: float = 0.0) -> tuple[SearchHit, ...]:
    return tuple(SearchHit(passage=p, score=9.0, coverage=coverage) for p in passages)


def _order(hits: Sequence[SearchHit]) -> list[str]:
    return [h.passage.source_identifier for h in hits]


def test_a_hit_of_both_lists_rises_and_each_stands_once() -> None:
    words, near = PASSAGES[:4], [PASSAGES[2], PASSAGES[7]]
    merged = fused(_hits(*words, coverage=0.5), _hits(*near), 10)
    assert _order(merged) == ["P2", "P0", "P1", "P3", "P7"]
    assert [h.coverage for h in merged] == [0.5, 0.5, 0.5, 0.5, 0.0]
    assert [h.score for h in merged] == sorted((h.score for h in merged), reverse=True)
    assert _order(fused(_hits(*words), _hits(*near), 2)) == ["P2", "P0"]


def test_words_outweigh_meaning() -> None:
    merged = fused(_hits(*PASSAGES[:6]), _hits(PASSAGES[5], PASSAGES[9]), 10)
    assert _order(merged)[0] == "P0"
    assert _order(merged)[-1] == "P9"


def test_without_meaning_the_hits_are_as_they_were() -> None:
    words = _hits(*PASSAGES[:4])
    assert fused(words, (), 3) == words[:3]


def test_one_question_is_embedded_once() -> None:
    embedder, vectors = HashEmbedder(), OneVectorIndex(PASSAGES)
    search = search_by_meaning(embedder, vectors)
    assert search("fièvre", (), 3) == search("fièvre", (), 3)
    assert embedder.embedded == ["fièvre"]
    assert vectors.asked == [()]


@pytest.mark.parametrize("asked", ["zzyzx", "le la les"])
def test_a_question_of_unknown_words_has_no_hit_by_meaning(asked: str) -> None:
    index = MemoryIndex(PASSAGES)
    question = understand(asked, index, LEXICON)
    request = ranked_request(question, index, LEXICON)
    meaning = search_by_meaning(HashEmbedder(), OneVectorIndex(PASSAGES))
    assert ranked_hits(question, request, index, meaning) == ()


def test_off_the_hits_are_those_of_the_index() -> None:
    index = MemoryIndex(PASSAGES)
    question = understand("titre", index, LEXICON)
    request = ranked_request(question, index, LEXICON)
    assert ranked_hits(question, request, index, no_meaning) == index.search(request)


BACTERIA = passage("EDN-1", "Bactéries", "définition", "Les bactéries sont des êtres à paroi.")
NAMED = passage("EDN-2", "Bactéries", "épidémiologie", "La fréquence des bactéries croît.")
STRANGER = passage("EDN-3", "Planètes", "épidémiologie", "La fréquence des planètes croît.")


class NoAnySearch(MemoryIndex):
    """Words find the definition alone."""

    def search(self, request: object) -> tuple[SearchHit, ...]:
        return _hits(BACTERIA)

    def passages_of(self, source_identifier: str) -> tuple[Passage, ...]:
        return ()


def _evidence(near: tuple[Passage, ...]) -> Evidence:
    index = NoAnySearch([BACTERIA, NAMED, STRANGER])
    plan = make_plan(understand("Parle-moi des bactéries", index, LEXICON), index, LEXICON)
    nearest = (lambda _silos, _limit: _hits(*near)) if near else none_near
    return deep_search(plan, index, LEXICON.sections, CancelToken(), nearest)


def test_near_in_meaning_is_no_pass_through_the_relevance_rule() -> None:
    def found(evidence: Evidence) -> frozenset[str]:
        return evidence.urns

    assert found(_evidence(())) == {BACTERIA.urn}
    assert found(_evidence((STRANGER,))) == {BACTERIA.urn}
    assert found(_evidence((STRANGER, NAMED))) == {BACTERIA.urn, NAMED.urn}


def test_the_trace_says_that_meaning_was_searched() -> None:
    def modes(evidence: Evidence) -> set[str]:
        return {q.mode for r in evidence.rounds for q in r.queries}

    assert "classés + sens" in modes(_evidence((NAMED,)))
    assert not any("sens" in mode for mode in modes(_evidence(())))
