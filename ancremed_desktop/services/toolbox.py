"""What the command line and the window are given: services, opened when first needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.services.ask import AskService
from ancremed_desktop.services.calculator import CalculatorService
from ancremed_desktop.services.library import LibraryService
from ancremed_desktop.services.models import ModelLibrary
from ancremed_desktop.services.online import OnlineModel
from ancremed_desktop.settings.preferences import PreferenceStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolbox:
    """``None`` for an index path means the shipped index (made from resources when absent)."""

    open_index: Callable[[Path | None], PassageIndex]
    ask: Callable[[Path | None], AskService]
    calculator: Callable[[], CalculatorService]
    library: LibraryService
    models: Callable[[], ModelLibrary]
    online: Callable[[PreferenceStore], OnlineModel]
    forget_questions: Callable[[], None]
    starter_folder: Path
