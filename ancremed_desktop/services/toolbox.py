"""What the command line and the window are given: services, opened when first needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ancremed_desktop.domain.events import CancelToken, ProgressCallback
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.services.ask import AskService
from ancremed_desktop.services.calculator import CalculatorService
from ancremed_desktop.services.library import LibraryService
from ancremed_desktop.services.meaning import Embedded
from ancremed_desktop.services.model_desk import ModelDesk
from ancremed_desktop.services.models import ModelLibrary
from ancremed_desktop.services.online import OnlineModel


class AskOpener(Protocol):
    """Opens the service that answers from an index."""

    def __call__(
        self, path: Path | None, *, hybrid: bool | None = None, own: bool | None = None
    ) -> AskService:
        """``hybrid``: search by meaning too, or not; ``None``: as the preferences say. ``own``:
        search the user's documents too, or not; ``None``: beside the shipped index only, since an
        evaluation of a named one must not depend on them.

        Raises: IndexFileError, and ModelError when it is demanded and cannot be done.
        """


class IndexEmbedder(Protocol):
    """Gives the passages of an index file their vectors, see ``services.meaning``."""

    def __call__(
        self,
        path: Path,
        silos: tuple[Silo, ...],
        *,
        progress: ProgressCallback,
        cancel: CancelToken,
    ) -> Embedded:
        """Raises: ModelError, IndexFileError, MachineError, Cancelled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolbox:
    """``None`` for an index path means the shipped index (made from resources when absent).

    ``online``: one for the whole process, opened when first asked.
    """

    open_index: Callable[[Path | None], PassageIndex]
    ask: AskOpener
    embed: IndexEmbedder
    calculator: Callable[[], CalculatorService]
    library: LibraryService
    models: Callable[[], ModelLibrary]
    online: Callable[[], OnlineModel]
    desk: Callable[[], ModelDesk]
    kept_questions: Callable[[], tuple[str, ...]]
    forget_questions: Callable[[], None]
    starter_folder: Path
