"""A ``PassageIndex`` over a few passages in memory, with the plainest of searches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rapidfuzz.distance import OSA

from ancremed_desktop.domain.documents import Passage, Source
from ancremed_desktop.domain.evidence import IndexIdentity, MatchMode, SearchHit, SearchRequest
from ancremed_desktop.domain.identifiers import Code, Silo
from ancremed_desktop.ports import EntityMention
from ancremed_desktop.text.articles import label_of
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import content_words, stem, stems, words

LOOSE = (MatchMode.ANY, MatchMode.RANKED)


class MemoryIndex:
    """Everything the port asks, computed on the spot; names are folded phrases → identifiers."""

    def __init__(
        self,
        passages: Sequence[Passage],
        names: dict[str, tuple[str, ...]] | None = None,
        extra_words: Sequence[str] = (),
        codes: Sequence[tuple[str, Code, str]] = (),
    ) -> None:
        self._codes = [(i, c, fold(v)) for i, c, v in codes]
        self._passages = {p.urn: p for p in passages}
        self._stems = {p.urn: stems((p.origin_title, p.heading, p.text)) for p in passages}
        self._names = {fold(n): ids for n, ids in (names or {}).items()}
        texts = [f"{p.origin_title} {p.text}" for p in passages]
        self._df = Counter(w for t in texts for w in set(words(t)))
        self._df.update(fold(w) for w in extra_words)
        self.requests: list[SearchRequest] = []

    def identity(self) -> IndexIdentity:
        return IndexIdentity(
            path=":memory:",
            schema_version=1,
            build_id="memory",
            built_at="2026-01-01T00:00:00Z",
            passages=len(self._passages),
            sources=len(self._passages),
        )

    def search(self, request: SearchRequest) -> tuple[SearchHit, ...]:
        self.requests.append(request)
        wanted = {stem(w) for w in content_words(request.query)}
        hits = []
        for urn, passage in self._passages.items():
            if request.silos and passage.silo not in request.silos:
                continue
            held = wanted & self._stems[urn]
            enough = held == wanted if request.mode not in LOOSE else bool(held)
            if wanted and enough:
                hits.append(SearchHit(passage=passage, score=float(len(held))))
        hits.sort(key=lambda h: (-h.score, h.passage.urn))
        return tuple(hits[: request.limit])

    def passage(self, urn: str) -> Passage:
        return self._passages[urn]

    def passages_of(self, source_identifier: str) -> tuple[Passage, ...]:
        return tuple(p for p in self._passages.values() if p.source_identifier == source_identifier)

    def numbered(self, label: str) -> tuple[Passage, ...]:
        return tuple(p for p in self._passages.values() if label_of(p.urn) == label)

    def source(self, key: str) -> Source:
        passage = next((p for p in self._passages.values() if p.source_key == key), None)
        if passage is None:
            raise KeyError(key)
        return Source(
            key=key,
            silo=passage.silo,
            title=passage.origin_title,
            source_identifier=passage.source_identifier,
            publisher="Essai",
            licence="CC0",
        )

    def sources(self, silo: str = "") -> tuple[Source, ...]:
        keys = dict.fromkeys(
            p.source_key for p in self._passages.values() if not silo or p.silo == silo
        )
        return tuple(self.source(k) for k in keys)

    def document_frequency(self, word: str) -> int:
        key = fold(word)
        return self._df[key] or sum(n for w, n in self._df.items() if stem(w) == stem(key))

    def vocabulary_matches(self, word: str, limit: int = 5) -> tuple[str, ...]:
        key = fold(word)
        bound = 1 if len(key) < 6 else 2
        near = sorted((OSA.distance(key, w), -n, w) for w, n in self._df.items())
        return tuple(w for d, _n, w in near if d <= bound)[:limit]

    def mentions(self, text: str) -> tuple[EntityMention, ...]:
        folded = fold(text)
        found = []
        for name, identifiers in sorted(self._names.items(), key=lambda n: -len(n[0])):
            at = folded.find(name)
            if at >= 0:
                found.append(
                    EntityMention(
                        start=at,
                        end=at + len(name),
                        label=name,
                        kind="drug" if identifiers[0].isdecimal() else "title",
                        identifiers=identifiers,
                    )
                )
        return tuple(found)

    def by_code(self, code: Code, values: Sequence[str]) -> tuple[str, ...]:
        wanted = {fold(v) for v in values}
        found = (i for i, c, v in self._codes if c is code and v in wanted)
        return tuple(dict.fromkeys(found))

    def codes_of(self, source_identifier: str, code: Code) -> tuple[str, ...]:
        return tuple(sorted({v for i, c, v in self._codes if i == source_identifier and c is code}))

    def close(self) -> None:
        pass


def passage(
    identifier: str, title: str, section: str, text: str, silo: Silo = Silo.FICHES
) -> Passage:
    """A passage of a card, as the tests write them."""
    return Passage(
        urn=f"urn:ancremed:{silo}:{identifier}#{section}",
        source_key=f"{silo}:{identifier}",
        silo=silo,
        origin_title=title,
        source_identifier=identifier,
        section=section,
        text=text,
    )
