"""SHA-256 of the files of models, computed once for each state of a file and checked before use."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.models import ModelCard
from ancremed_desktop.errors import MachineError, ModelUnavailableError
from ancremed_desktop.services.model_files import read_json, sha256, unusable, write_json


class KnownDigests:
    """Digests already computed, kept in a small file that may be thrown away at any time."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def of(self, file: Path, cancel: CancelToken) -> str:
        """SHA-256 of a file, computed again when it was written or replaced since.

        Raises: MachineError, Cancelled.
        """
        stamp = _stamp(file)
        entry = read_json(self._path).get(str(file))
        if isinstance(entry, list) and entry[:-1] == stamp:
            return str(entry[-1])
        digest = sha256(file, progress=ignore_progress, cancel=cancel)
        if _stamp(file) == stamp:  # else it is being written to at this very moment
            self.remember(file, digest)
        return digest

    def remember(self, file: Path, digest: str) -> None:
        """Keep what was just computed; where it cannot be written, it is computed again."""
        known = read_json(self._path)
        with suppress(MachineError):
            write_json(self._path, {**known, str(file): [*_stamp(file), digest]})

    def check(self, card: ModelCard, file: Path, cancel: CancelToken) -> None:
        """Raises: ModelUnavailableError, when the file is not the card's any more; Cancelled."""
        if not file.is_file():
            raise ModelUnavailableError(
                f"Le fichier du modèle « {card.name} » n’est plus là ({file}) : installez-le à "
                "nouveau, ou choisissez un autre modèle."
            )
        try:
            altered = self.of(file, cancel) != card.sha256
        except MachineError as error:
            raise ModelUnavailableError(str(error)) from error
        if altered:
            raise ModelUnavailableError(
                f"Le fichier du modèle « {card.name} » a changé depuis son installation ({file}) : "
                "il n’est pas chargé. Supprimez-le et installez-le à nouveau."
            )


def _stamp(file: Path) -> list[int]:
    """What changes with a file's content: size, dates of its content and of its entry (a copy may
    carry the former date along).
    """
    try:
        state = file.stat()
    except OSError as error:
        raise unusable(file, error) from error
    return [state.st_size, state.st_mtime_ns, state.st_ctime_ns]
