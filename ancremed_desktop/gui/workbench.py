"""What the window asks of the core; every method but ``calculators`` runs on the worker thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ancremed_desktop.domain.answers import Answer, AnswerSpan
from ancremed_desktop.domain.documents import Source
from ancremed_desktop.domain.events import CancelToken, ProgressCallback
from ancremed_desktop.domain.evidence import IndexIdentity
from ancremed_desktop.services.ask import SourceView
from ancremed_desktop.services.calculator import CalculatorService
from ancremed_desktop.services.library import BuildReport, CheckReport


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRow:
    """A source as the library lists it; ``passages`` counts what is indexed of it."""

    source: Source
    passages: int


class Workbench(Protocol):
    """The services, opened once."""

    def open(self) -> IndexIdentity:
        """Open the index. Raises: UserError or MachineError, in French."""

    def ask(
        self,
        raw: str,
        *,
        progress: ProgressCallback,
        cancel: CancelToken,
        on_span: Callable[[AnswerSpan], None],
    ) -> Answer:
        """Answer a question; ``on_span`` gets each span as it passes."""

    def source_view(self, urn: str) -> SourceView:
        """Open a source. Raises: KeyError; IndexFileError when the stored text was altered."""

    def sources(self) -> tuple[SourceRow, ...]:
        """All sources, by title."""

    def kinds(self) -> tuple[str, ...]:
        """Kinds of folders that can be imported."""

    def import_folder(
        self, kind: str, folder: Path, *, progress: ProgressCallback, cancel: CancelToken
    ) -> BuildReport:
        """Read a folder into the user's library. Raises: Cancelled; UserError; MachineError."""

    def check(self, *, progress: ProgressCallback, cancel: CancelToken) -> CheckReport:
        """Read every passage back and compare it with its hash."""

    def calculators(self) -> CalculatorService:
        """The formula bank."""
