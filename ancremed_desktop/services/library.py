"""Build an index from folders of sources, list it, check it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ancremed_desktop.domain.documents import CorpusItem, Refusal, SourceDocument, Tally
from ancremed_desktop.domain.events import CancelToken, Progress, ProgressCallback
from ancremed_desktop.ports import CorpusReader, PassageIndex, PassageWriter


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildReport:
    """What a build read, kept and refused; ``seconds`` by part, in order."""

    sources: int
    passages: int
    tallies: tuple[Tally, ...]
    refusals: tuple[Refusal, ...]
    seconds: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """``altered``: passages whose stored text is not what was indexed."""

    sources: int
    passages: int
    altered: int


class LibraryService:
    """Readers by kind (bdpm, has, edn, cards) in, one index file out."""

    def __init__(
        self,
        readers: Mapping[str, CorpusReader],
        writer: Callable[[Path], PassageWriter],
        own_documents: Callable[[], Iterable[SourceDocument]],
    ) -> None:
        self._readers = readers
        self._writer = writer
        self._own_documents = own_documents

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of folders that can be read."""
        return tuple(self._readers)

    def build(
        self,
        folders: Mapping[str, Path],
        out: Path,
        *,
        progress: ProgressCallback,
        cancel: CancelToken,
    ) -> BuildReport:
        """Read each folder, write ``out`` in one step at the end.

        A bad file is in the report and the rest goes on; ``out`` is untouched on any error.

        Raises:
            Cancelled: the user stopped.
            MachineError: the index cannot be written.

        """
        sources = passages = 0
        tallies: list[Tally] = []
        refusals: list[Refusal] = []
        seconds: list[tuple[str, float]] = []
        with self._writer(out) as writer:
            for kind, items in self._streams(folders, progress, cancel):
                start = time.perf_counter()
                for item in items:
                    cancel.raise_if_cancelled()
                    if isinstance(item, SourceDocument):
                        writer.add(item)
                        sources += 1
                        passages += len(item.passages)
                        continue
                    writer.note(item)
                    if isinstance(item, Tally):
                        tallies.append(item)
                    else:
                        refusals.append(item)
                seconds.append((kind, time.perf_counter() - start))
            progress(Progress(stage="Indexation", done=0))
            start = time.perf_counter()
            writer.finish()
            seconds.append(("index", time.perf_counter() - start))
        return BuildReport(
            sources=sources,
            passages=passages,
            tallies=tuple(tallies),
            refusals=tuple(refusals),
            seconds=tuple(seconds),
        )

    def _streams(
        self, folders: Mapping[str, Path], progress: ProgressCallback, cancel: CancelToken
    ) -> Iterator[tuple[str, Iterable[CorpusItem]]]:
        yield "formules", self._own_documents()
        for kind, folder in folders.items():
            yield kind, self._readers[kind](folder, progress, cancel)

    @staticmethod
    def check(index: PassageIndex) -> CheckReport:
        """Read every passage back and compare it with its SHA-256."""
        identity = index.identity()
        intact = 0
        for identifier in dict.fromkeys(s.source_identifier for s in index.sources()):
            intact += len(index.passages_of(identifier))
        return CheckReport(
            sources=identity.sources,
            passages=identity.passages,
            altered=identity.passages - intact,
        )
