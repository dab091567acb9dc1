"""Builds an index from folders of sources, adds to the user's own, lists and checks them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from ancremed_desktop.domain.documents import CorpusItem, Refusal, Source, SourceDocument, Tally
from ancremed_desktop.domain.events import CancelToken, Progress, ProgressCallback
from ancremed_desktop.errors import BadFileError, UserError
from ancremed_desktop.index import integrity
from ancremed_desktop.index.rows import FormulaRow
from ancremed_desktop.ports import CorpusReader, PassageIndex, PassageWriter
from ancremed_desktop.services.fingerprint import fingerprint

_NAMED = 5
"""Refusals named in an error; more would hide what it says."""
OWN_PART = "formules"
"""The part of a build that comes with the application."""


class IndexBuild(PassageWriter, Protocol):
    """A build that can be continued: parts that were finished are not read again."""

    def begin(self, inputs: str = "", base: Path | None = None) -> None:
        """Begin, or continue the interrupted build of the same inputs, from ``base`` if any."""

    def begin_part(self, part: str) -> bool:
        """Start a part; ``False`` when an earlier run finished it."""

    def end_part(self) -> None:
        """Record the part as finished."""

    def add_formulas(self, formulas: Iterable[FormulaRow]) -> None:
        """Fill ``clinical_formulas``."""

    def report(self) -> tuple[tuple[str, Refusal | Tally], ...]:
        """Everything noted with its part, in this run and in the one it continues."""

    def discard(self) -> None:
        """Throw the draft away: it cannot be continued."""

    def remove(self, key: str) -> bool:
        """Take a source of ``base`` out; ``False`` when it is not there."""

    def counts(self) -> tuple[int, int]:
        """Sources and passages stored so far."""

    def finish(self, cancel: CancelToken | None = None) -> None:
        """Index all and put the file in place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartReport:
    """What one part (kind of folder) of a build gave, summed over its files.

    ``counts``: one sum a unit (« ligne », « pages »), its ``file_name`` empty. ``refused_files``:
    files of which nothing was kept. ``refusals``: how many were noted.
    """

    part: str
    files: int
    refused_files: int
    counts: tuple[Tally, ...]
    refusals: int

    @property
    def is_empty(self) -> bool:
        """Whether nothing at all was kept."""
        return not any(tally.kept for tally in self.counts)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildReport:
    """What a build read, kept and refused; ``seconds`` by part, in order.

    Parts are the kinds of folders (reading), then ``insertion`` and ``index``. ``resumed``:
    parts that an interrupted run had finished. Each tally adds up (see ``Tally``). ``parts``: the
    sums of the tallies and refusals, one a part that noted any.
    """

    sources: int
    passages: int
    tallies: tuple[Tally, ...]
    refusals: tuple[Refusal, ...]
    seconds: tuple[tuple[str, float], ...]
    resumed: tuple[str, ...] = ()
    parts: tuple[PartReport, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """``problems``: everything that is wrong with the file, in French; empty when whole."""

    path: Path
    problems: tuple[str, ...]


class LibraryService:
    """Readers by kind (bdpm, has, edn, cards, local) in, one index file out.

    ``own_documents`` and ``formulas``: what the application itself adds to a built index, which
    it makes of ``own_files``.
    """

    def __init__(
        self,
        readers: Mapping[str, CorpusReader],
        writer: Callable[[Path], IndexBuild],
        own_documents: Callable[[], Iterable[SourceDocument]] = tuple,
        formulas: Callable[[], Iterable[FormulaRow]] = tuple,
        own_files: Path | None = None,
    ) -> None:
        self._own_files = own_files
        self._readers = readers
        self._writer = writer
        self._own_documents = own_documents
        self._formulas = formulas

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
        """Read each folder (by kind), write ``out`` in one step at the end.

        A bad file is in the report and the rest goes on; ``out`` is untouched on any error, and
        the same call continues a build that was cancelled or killed.

        Raises: BadFileError (unknown kind, absent or empty folder, or one of which nothing can be
        read; ``out`` is something else than an index), Cancelled, MachineError.
        """
        integrity.check_target(out)
        self._check_folders(folders)
        with self._writer(out) as writer, _discarding(writer):
            writer.begin(self._inputs(folders))
            run = _Run(writer, progress, cancel)
            run.part(OWN_PART, lambda _progress: iter(self._own_documents()))
            writer.add_formulas(self._formulas())
            self._read_all(run, folders)
            return run.finish()

    def is_made_of(self, out: Path, folders: Mapping[str, Path]) -> bool:
        """Whether ``out`` is a whole index that ``build`` would make of these folders again."""
        return integrity.made_of(out) == self._inputs(folders)

    def _inputs(self, folders: Mapping[str, Path]) -> str:
        own = {OWN_PART: self._own_files} if self._own_files else {}
        return fingerprint({**folders, **own})

    def import_into(
        self,
        kind: str,
        paths: Sequence[Path],
        user_index: Path,
        *,
        progress: ProgressCallback,
        cancel: CancelToken,
    ) -> BuildReport:
        """Add folders or files to the user's index, created when absent; known sources and
        earlier contents of the same files are replaced.

        Raises: as ``build``, and IndexFileError when the user's index is not whole.
        """
        for path in paths:
            self._check_folders({kind: path})
        base = user_index if user_index.exists() else None
        inputs = {f"{kind} {number}": path for number, path in enumerate(paths)}
        read = self._readers[kind]
        with self._writer(user_index) as writer, _discarding(writer):
            writer.begin(fingerprint(inputs | ({"base": base} if base else {})), base)
            run = _Run(writer, progress, cancel)
            run.part(
                kind,
                lambda told: (item for path in paths for item in read(path, told, cancel)),
            )
            return run.finish()

    def remove(
        self,
        keys: Sequence[str],
        user_index: Path,
        *,
        progress: ProgressCallback,
        cancel: CancelToken,
    ) -> BuildReport:
        """Take sources (by key) out of the user's index; what is left is in the report.

        Raises: BadFileError when one is not in it, IndexFileError, Cancelled, MachineError.
        """
        if not user_index.exists():
            raise BadFileError("Votre bibliothèque est vide : il n’y a rien à retirer.")
        with self._writer(user_index) as writer, _discarding(writer):
            writer.begin(base=user_index)
            for key in keys:
                if not writer.remove(key):
                    raise BadFileError(f"La source « {key} » n’est pas dans votre bibliothèque.")
            return _Run(writer, progress, cancel).finish()

    @staticmethod
    def list(index: PassageIndex, silo: str = "") -> tuple[Source, ...]:
        """Sources of an index (of a silo), by title."""
        return index.sources(silo)

    @staticmethod
    def check(path: Path, *, progress: ProgressCallback, cancel: CancelToken) -> CheckReport:
        """Structure, full text, counts and the SHA-256 of every passage of an index file.

        Raises: IndexFileError when the file cannot be opened at all; Cancelled.
        """
        return CheckReport(path=path, problems=integrity.check(path, progress, cancel))

    @staticmethod
    def report(path: Path) -> tuple[tuple[Tally, ...], tuple[Refusal, ...]]:
        """Everything the build of an index noted. Raises: IndexFileError."""
        noted = [entry for _part, entry in integrity.ingest_report(path)]
        return _of(Tally, noted), _of(Refusal, noted)

    def _check_folders(self, folders: Mapping[str, Path]) -> None:
        for kind, folder in folders.items():
            if kind not in self._readers:
                known = ", ".join(self._readers)
                raise BadFileError(f"« {kind} » n’est pas un type de source connu ({known}).")
            if not folder.exists():
                link = folder.is_symlink()
                what = "est un lien qui ne mène à rien" if link else "n’existe pas"
                raise BadFileError(f"« {folder} » ({kind}) {what} : vérifiez son emplacement.")
            if folder.is_dir():
                if not any(path.is_file() for path in folder.rglob("*")):
                    raise BadFileError(
                        f"Le dossier « {folder} » ({kind}) ne contient aucun fichier : vérifiez "
                        "son emplacement."
                    )
            elif not folder.is_file():
                raise BadFileError(f"« {folder} » ({kind}) n’est ni un dossier ni un fichier.")

    def _read_all(self, run: _Run, folders: Mapping[str, Path]) -> None:
        for kind, folder in folders.items():
            run.part(kind, partial(self._readers[kind], folder, cancel=run.cancel))


class _Run:
    """One run of a build: drives the readers and keeps the times."""

    def __init__(self, writer: IndexBuild, progress: ProgressCallback, cancel: CancelToken) -> None:
        self.cancel = cancel
        self._writer = writer
        self._progress = progress
        self._seconds: list[tuple[str, float]] = []
        self._inserting_s = 0.0
        self._resumed: list[str] = []

    def part(self, name: str, read: Callable[[ProgressCallback], Iterator[CorpusItem]]) -> None:
        """Read one part to its end, unless an interrupted run had."""
        start = time.perf_counter()
        before = self._inserting_s
        if not self._writer.begin_part(name):
            self._resumed.append(name)
            return
        for item in read(_with_time_left(self._progress)):
            self.cancel.raise_if_cancelled()
            self._store(item)
        stored = time.perf_counter()
        self._writer.end_part()
        self._inserting_s += time.perf_counter() - stored
        spent = time.perf_counter() - start
        self._seconds.append((name, spent - (self._inserting_s - before)))

    def finish(self) -> BuildReport:
        """Make the index and report."""
        self._progress(Progress(stage="Indexation du plein texte", done=0, total=1))
        sources, passages = self._writer.counts()
        noted = self._writer.report()
        self._refuse_if_empty(noted)
        start = time.perf_counter()
        self._writer.finish(self.cancel)
        spent = time.perf_counter() - start
        self._progress(Progress(stage="Indexation du plein texte", done=1, total=1))
        return BuildReport(
            sources=sources,
            passages=passages,
            tallies=_of(Tally, [entry for _part, entry in noted]),
            refusals=_of(Refusal, [entry for _part, entry in noted]),
            seconds=(*self._seconds, ("insertion", self._inserting_s), ("index", spent)),
            resumed=tuple(self._resumed),
            parts=_sums(noted),
        )

    def _refuse_if_empty(self, noted: Iterable[tuple[str, Tally | Refusal]]) -> None:
        """A folder of which nothing could be read must not replace what an earlier build read."""
        listed = list(noted)
        for part in _sums(listed):
            if part.is_empty:
                refusals = _of(Refusal, [entry for name, entry in listed if name == part.part])
                causes = [f"{r.file_name}, {r.where} : {r.reason}" for r in refusals[:_NAMED]]
                more = [f"… et {len(refusals) - _NAMED} autres refus"] * (len(refusals) > _NAMED)
                raise BadFileError(
                    f"Aucun document lisible dans le dossier « {part.part} » : l’index n’est pas "
                    f"modifié. {' ; '.join([*causes, *more])}".rstrip(" .")
                    + "."
                )

    def _store(self, item: CorpusItem) -> None:
        start = time.perf_counter()
        if isinstance(item, SourceDocument):
            try:
                self._writer.add(item)
            except BadFileError as error:
                name = item.source.file_name or item.source.title
                where = f"source {item.source.key}"
                self._writer.note(Refusal(file_name=name, where=where, reason=f"{error}."))
        else:
            self._writer.note(item)
        self._inserting_s += time.perf_counter() - start


@contextmanager
def _discarding(writer: IndexBuild) -> Iterator[None]:
    """Bad input ends the build for good: no half of it is left beside the target."""
    try:
        yield
    except UserError:
        writer.discard()
        raise


_Noted = TypeVar("_Noted", Tally, Refusal)


def _of(kind: type[_Noted], noted: Iterable[Tally | Refusal]) -> tuple[_Noted, ...]:
    return tuple(entry for entry in noted if isinstance(entry, kind))


def _sums(noted: Iterable[tuple[str, Tally | Refusal]]) -> tuple[PartReport, ...]:
    parts: dict[str, list[Tally | Refusal]] = {}
    for part, entry in noted:
        parts.setdefault(part, []).append(entry)
    return tuple(_sum(part, entries) for part, entries in parts.items())


def _sum(part: str, entries: list[Tally | Refusal]) -> PartReport:
    tallies, refusals = _of(Tally, entries), _of(Refusal, entries)
    kept = {tally.file_name for tally in tallies if tally.kept}
    refused = {entry.file_name for entry in refusals}
    return PartReport(
        part=part,
        files=len({tally.file_name for tally in tallies} | refused),
        refused_files=len(refused - kept),
        counts=tuple(
            _sum_of_unit(unit, [tally for tally in tallies if tally.unit == unit])
            for unit in dict.fromkeys(tally.unit for tally in tallies)
        ),
        refusals=len(refusals),
    )


def _sum_of_unit(unit: str, tallies: list[Tally]) -> Tally:
    notes: Counter[str] = Counter()
    for tally in tallies:
        notes.update(dict(tally.notes))
    return Tally(
        file_name="",
        unit=unit,
        read=sum(tally.read for tally in tallies),
        kept=sum(tally.kept for tally in tallies),
        refused=sum(tally.refused for tally in tallies),
        ignored=sum(tally.ignored for tally in tallies),
        notes=tuple(notes.items()),
    )


def _with_time_left(progress: ProgressCallback) -> ProgressCallback:
    """The same callback, told the time left when the reader does not say it."""
    started: dict[str, float] = {}

    def forward(step: Progress) -> None:
        begun = started.setdefault(step.stage, time.monotonic())
        if step.seconds_left is None and 0 < step.done < step.total:
            spent = time.monotonic() - begun
            left = spent / step.done * (step.total - step.done)
            step = replace(step, seconds_left=left)
        progress(step)

    return forward
