"""Follows references between the numbered texts of the user's documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ancremed_desktop.domain.documents import Passage, Source
from ancremed_desktop.domain.evidence import QueryTrace
from ancremed_desktop.domain.identifiers import OWN_SECTIONS, Silo
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.articles import Reference, label_of, references, spoken
from ancremed_desktop.text.words import holds_word, stems

MAX_DEPTH = 2
"""References followed: of the article asked, and of those it refers to."""
MAX_CITED = 12
_CITED = OWN_SECTIONS[1]
_Key = tuple[str, str]
"""(source identifier, label) of a numbered text."""


@dataclass(slots=True)
class Chain:
    """Numbered texts reached from those asked; each once, so that no cycle is followed."""

    index: PassageIndex
    documents: Sequence[Source]
    taken: set[_Key] = field(default_factory=set)
    cited: list[Passage] = field(default_factory=list)
    traces: list[QueryTrace] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    more: bool = False

    def follow(self, start: Sequence[Passage]) -> None:
        """Gather what the texts refer to, nearest first, to the depth and number allowed."""
        level = texts_of(start)
        self.taken |= set(level)
        for _ in range(MAX_DEPTH):
            following: dict[_Key, tuple[Passage, ...]] = {}
            for (identifier, label), passages in level.items():
                for key, found in self._referred(identifier, passages):
                    if key in self.taken:
                        continue
                    if len(self.taken) - len(texts_of(start)) >= MAX_CITED:
                        self.more = True
                        return
                    self.taken.add(key)
                    following[key] = found
                    self.cited += found
                    self.traces.append(
                        trace(_CITED, f"{spoken(key[1])} (cité par {spoken(label)})", found)
                    )
            level = following

    def _referred(
        self, identifier: str, passages: Sequence[Passage]
    ) -> Iterator[tuple[_Key, tuple[Passage, ...]]]:
        for reference in references("\n".join(p.text for p in passages)):
            owners = [identifier]
            if reference.document:
                named = called(self.documents, reference.document)
                owners = [s.source_identifier for s in named]
            found = False
            for owner in owners:
                for key, texts in members(self.index, owner, reference).items():
                    found = True
                    yield key, texts
            if not found and reference.label.startswith("art-"):
                where = f" ({' '.join(reference.document)})" if reference.document else ""
                missing = f"{spoken(reference.label)}{where}"
                if missing not in self.absent:
                    self.absent.append(missing)


def asked_texts(
    index: PassageIndex, documents: Sequence[Source], reference: Reference, name: Sequence[str]
) -> tuple[Passage, ...]:
    """Passages of a numbered text, in the document named if any, ranges filled in."""
    found = index.numbered(reference.label)
    if name:
        owned = {s.source_identifier for s in called(documents, name)}
        found = tuple(p for p in found if p.source_identifier in owned)
    if not reference.through:
        return found
    owners = dict.fromkeys(p.source_identifier for p in found)
    ranges = (members(index, owner, reference).values() for owner in owners)
    return tuple(p for texts in ranges for group in texts for p in group)


def members(
    index: PassageIndex, identifier: str, reference: Reference
) -> dict[_Key, tuple[Passage, ...]]:
    """The numbered texts of a document that a reference names, in document order."""
    texts = texts_of([p for p in index.passages_of(identifier) if not p.superseded])
    order = [label for _, label in texts]
    if reference.label not in order:
        return {}
    first = order.index(reference.label)
    last = order.index(reference.through) if reference.through in order else first
    return {key: texts[key] for key in list(texts)[first : max(first, last) + 1]}


def texts_of(passages: Sequence[Passage]) -> dict[_Key, tuple[Passage, ...]]:
    """Passages by numbered text; those without a number are left out."""
    found: dict[_Key, tuple[Passage, ...]] = {}
    for passage in passages:
        if label := label_of(passage.urn):
            key = (passage.source_identifier, label)
            found[key] = (*found.get(key, ()), passage)
    return found


def called(documents: Sequence[Source], name: Sequence[str]) -> list[Source]:
    """Documents whose title, file or other names hold every word of a name."""
    return [
        source
        for source in documents
        if all(holds_word(stems((source.title, *source.names, source.file_name)), w) for w in name)
    ]


def trace(section: str, query: str, found: Sequence[Passage]) -> QueryTrace:
    """What a look-up gave, for the trace of the answer."""
    return QueryTrace(
        section=section, query=query, silo=Silo.LOCAL.value, mode="numéro",
        hits=len(found), fresh=len(found),
    )  # fmt: skip
