"""What this process did on the network since it started: the meter the user sees. Counts only."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

NO_CONNECTION = "Aucune connexion"


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkUse:
    """Counts since the start. ``questions``: of which something was sent to Gemini. ``trials``:
    texts of ours sent to it (test, qualification). ``downloads``: begun, whatever became of them.
    """

    questions: int = 0
    trials: int = 0
    downloads: int = 0

    @property
    def label(self) -> str:
        """What the meter says, French."""
        sent = _listed((self.questions, "question", "questions"), (self.trials, "essai", "essais"))
        parts = [f"Envoyé à Gemini : {sent}"] if sent else []
        if fetched := _listed((self.downloads, "téléchargement", "téléchargements")):
            parts.append(fetched)
        return " ; ".join(parts) or NO_CONNECTION


class NetworkMeter:
    """Counts from any thread, and tells who listens."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._use = NetworkUse()
        self._listeners: list[Callable[[], None]] = []

    @property
    def use(self) -> NetworkUse:
        """The counts now."""
        return self._use

    def listen(self, listener: Callable[[], None]) -> None:
        """Have ``listener`` called after each change, in the thread that made it."""
        self._listeners.append(listener)

    def question_sent(self) -> None:
        """A text of a question is leaving; once a question."""
        self._add(questions=1)

    def trial_sent(self) -> None:
        """A text of ours is leaving."""
        self._add(trials=1)

    def download_begun(self) -> None:
        """A file is about to be fetched."""
        self._add(downloads=1)

    def _add(self, *, questions: int = 0, trials: int = 0, downloads: int = 0) -> None:
        with self._lock:
            use = self._use
            self._use = replace(
                use,
                questions=use.questions + questions,
                trials=use.trials + trials,
                downloads=use.downloads + downloads,
            )
        for listener in self._listeners:
            listener()


def _listed(*counts: tuple[int, str, str]) -> str:
    return ", ".join(f"{n} {one if n == 1 else many}" for n, one, many in counts if n)
