"""A model that waits when its service asks for it: for measures, which nobody waits for."""

from __future__ import annotations

import time

from ancremed_desktop.domain.events import CancelToken, Progress, ProgressCallback
from ancremed_desktop.domain.models import (
    Completion,
    CompletionRequest,
    TextCallback,
    ignore_text,
)
from ancremed_desktop.errors import ModelUnavailableError
from ancremed_desktop.ports import LanguageModel
from ancremed_desktop.providers.base import WrappedModel

_LONGEST_S = 120.0
"""A free key is refilled each minute; a longer delay is the end of a day's quota."""
_MOST_WAITS = 5
"""For one request."""
_POLL_S = 0.1


class PacedModel(WrappedModel):
    """Another model, asked again after the delay its service asked for; that is no slowness."""

    def __init__(self, model: LanguageModel, progress: ProgressCallback) -> None:
        """``progress``: told of each wait."""
        super().__init__(model)
        self._progress = progress

    def complete(
        self,
        request: CompletionRequest,
        *,
        cancel: CancelToken,
        on_text: TextCallback = ignore_text,
    ) -> Completion:
        """See ``LanguageModel.complete``."""
        waits = 0
        while True:
            try:
                return super().complete(request, cancel=cancel, on_text=on_text)
            except ModelUnavailableError as error:
                waits += 1
                if error.after_s is None or error.after_s > _LONGEST_S or waits > _MOST_WAITS:
                    raise
                self._wait(error.after_s, cancel)

    def _wait(self, seconds: float, cancel: CancelToken) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._progress(
                Progress(stage="Attente demandée par le service", done=0, seconds_left=left)
            )
            cancel.raise_if_cancelled()
            time.sleep(min(_POLL_S, left))
