"""Progress and cancellation, the only things long work exchanges with its caller."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from ancremed_desktop.errors import Cancelled


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """One step of a long job. ``done`` of ``total`` (``total`` 0: unknown); ``stage`` French."""

    stage: str
    done: int
    total: int = 0
    detail: str = ""
    seconds_left: float | None = None


ProgressCallback = Callable[[Progress], None]


def ignore_progress(_progress: Progress) -> None:
    """Progress callback of callers that show none."""


class CancelToken:
    """Set once by the user, asked often by the work; safe from any thread."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        """Ask the work to stop at its next check."""
        self._event.set()

    @property
    def cancelled(self) -> bool:
        """Whether a stop was asked."""
        return self._event.is_set()

    def raise_if_cancelled(self) -> None:
        """Raises: Cancelled, when a stop was asked."""
        if self._event.is_set():
            raise Cancelled("Arrêté à votre demande.")
