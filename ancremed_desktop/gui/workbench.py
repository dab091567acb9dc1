"""What the window asks of the core. Views of sources have a worker of their own, ``calculators``,
``online`` and ``models`` need none, all else is for the one that holds the index.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ancremed_desktop.domain.answers import Answer
from ancremed_desktop.domain.documents import Source
from ancremed_desktop.domain.events import CancelToken, ProgressCallback
from ancremed_desktop.domain.evidence import IndexIdentity
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.services.approval import Approve
from ancremed_desktop.services.ask import AskService, SourceView, document_view, source_view
from ancremed_desktop.services.calculator import CalculatorService
from ancremed_desktop.services.library import BuildReport, CheckReport
from ancremed_desktop.services.model_desk import ModelDesk
from ancremed_desktop.services.online import OnlineModel
from ancremed_desktop.services.toolbox import Toolbox
from ancremed_desktop.settings.paths import user_index


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRow:
    """A source as the library lists it; ``passages``: how many are indexed, None if unknown."""

    source: Source
    passages: int | None = None


class Workbench(Protocol):
    """The services, opened once."""

    def open(self) -> IndexIdentity:
        """Open the index. Raises: UserError or MachineError, in French."""

    def refreshed(self) -> IndexIdentity | None:
        """Open the index again if another program changed the user's library, else ``None``.

        Raises: as ``open``.
        """

    def prepare(self) -> None:
        """Open what answers, so that the first question is as quick as the next. Raises: as
        ``open``.
        """

    def ask(
        self,
        raw: str,
        *,
        progress: ProgressCallback,
        cancel: CancelToken,
        on_answer: Callable[[Answer], None],
        approve: Approve,
    ) -> Answer:
        """See ``AskService.ask``."""

    def source_view(self, urn: str) -> SourceView:
        """Open a source, also while a question is answered.

        Raises: KeyError; IndexFileError when the stored text was altered.
        """

    def document_view(self, key: str) -> SourceView:
        """Open a source at its first passage. Raises: as ``source_view``."""

    def sources(self) -> tuple[SourceRow, ...]:
        """All sources, by title."""

    def kinds(self) -> tuple[str, ...]:
        """Kinds of folders that can be imported."""

    def import_paths(
        self, kind: str, paths: Sequence[Path], *, progress: ProgressCallback, cancel: CancelToken
    ) -> BuildReport:
        """Read folders or files into the user's library.

        Raises: Cancelled; UserError; MachineError.
        """

    def remove(
        self, keys: Sequence[str], *, progress: ProgressCallback, cancel: CancelToken
    ) -> BuildReport:
        """Take sources out of the user's library. Raises: Cancelled; UserError; MachineError."""

    def check(self, *, progress: ProgressCallback, cancel: CancelToken) -> tuple[CheckReport, ...]:
        """Read every passage of every index file back and compare it with its hash."""

    def calculators(self) -> CalculatorService:
        """The formula bank."""

    def kept_questions(self) -> tuple[str, ...]:
        """The question texts the log kept, oldest first. Raises: MachineError."""

    def forget_questions(self) -> None:
        """Erase the question texts the log kept. Raises: MachineError."""

    def online(self) -> OnlineModel:
        """Gemini, off until the user gives a key and consents; asks nothing yet."""

    def models(self) -> ModelDesk:
        """The models of this machine and the online one, with what each earned and is on for."""


_Stamp = tuple[int, int, int]


def _stamp_of(path: Path) -> _Stamp:
    """What tells a file from the one that takes its place; zeros: there is none."""
    try:
        found = path.stat()
    except OSError:
        return (0, 0, 0)
    return (found.st_ino, found.st_size, found.st_mtime_ns)


class ToolboxWorkbench:
    """The application's services behind the window; opens the index when first asked."""

    def __init__(self, toolbox: Toolbox) -> None:
        self._toolbox = toolbox
        self._ask: AskService | None = None
        self._index: PassageIndex | None = None
        # A connection belongs to one worker.
        self._reader: PassageIndex | None = None
        self._reader_old = False
        self._stamp: _Stamp | None = None

    def open(self) -> IndexIdentity:
        """Open the index, again when it was open: an import may have changed it."""
        if self._index is not None:
            self._index.close()
        self._ask = None
        self._reader_old = True
        self._stamp = _stamp_of(user_index())  # before: a change meanwhile is seen next time
        self._index = self._toolbox.open_index(None)
        return self._index.identity()

    def refreshed(self) -> IndexIdentity | None:
        """Open the index again if the user's file is another one than when it was opened."""
        return None if self._stamp == _stamp_of(user_index()) else self.open()

    def prepare(self) -> None:
        """Open the answer service."""
        self._service().prepare()

    def ask(
        self,
        raw: str,
        *,
        progress: ProgressCallback,
        cancel: CancelToken,
        on_answer: Callable[[Answer], None],
        approve: Approve,
    ) -> Answer:
        """See ``AskService.ask``."""
        return self._service().ask(
            raw, progress=progress, cancel=cancel, on_answer=on_answer, approve=approve
        )

    def source_view(self, urn: str) -> SourceView:
        """See ``services.ask.source_view``."""
        return source_view(self._read_only(), urn)

    def document_view(self, key: str) -> SourceView:
        """See ``services.ask.document_view``."""
        return document_view(self._read_only(), key)

    def _read_only(self) -> PassageIndex:
        if self._reader is not None and self._reader_old:
            self._reader.close()
            self._reader = None
        if self._reader is None:
            self._reader_old = False
            self._reader = self._toolbox.open_index(None)
        return self._reader

    def sources(self) -> tuple[SourceRow, ...]:
        """All sources, by title."""
        listed = self._toolbox.library.list(self._opened())
        return tuple(SourceRow(source=source) for source in listed)

    def kinds(self) -> tuple[str, ...]:
        """Kinds of folders that can be imported."""
        return self._toolbox.library.kinds

    def import_paths(
        self, kind: str, paths: Sequence[Path], *, progress: ProgressCallback, cancel: CancelToken
    ) -> BuildReport:
        """Add folders or files to the user's index."""
        library = self._toolbox.library
        target = user_index(to_write=True)
        return library.import_into(kind, paths, target, progress=progress, cancel=cancel)

    def remove(
        self, keys: Sequence[str], *, progress: ProgressCallback, cancel: CancelToken
    ) -> BuildReport:
        """Take sources out of the user's index."""
        library = self._toolbox.library
        return library.remove(keys, user_index(to_write=True), progress=progress, cancel=cancel)

    def check(self, *, progress: ProgressCallback, cancel: CancelToken) -> tuple[CheckReport, ...]:
        """Check the shipped index and, when there is one, the user's."""
        files = [Path(self._opened().identity().path), user_index()]
        return tuple(
            self._toolbox.library.check(path, progress=progress, cancel=cancel)
            for path in dict.fromkeys(files)
            if path.exists()
        )

    def calculators(self) -> CalculatorService:
        """The formula bank that comes with the application."""
        return self._toolbox.calculator()

    def kept_questions(self) -> tuple[str, ...]:
        """The question texts the log kept, oldest first."""
        return self._toolbox.kept_questions()

    def forget_questions(self) -> None:
        """Erase the question texts the log kept."""
        self._toolbox.forget_questions()

    def online(self) -> OnlineModel:
        """Gemini, off until the user gives a key and consents."""
        return self._toolbox.online()

    def models(self) -> ModelDesk:
        """The models of this machine and the online one."""
        return self._toolbox.desk()

    def _opened(self) -> PassageIndex:
        if self._index is None:
            self.open()
        assert self._index is not None
        return self._index

    def _service(self) -> AskService:
        if self._ask is None:
            self._ask = self._toolbox.ask(None)
        return self._ask
