"""How likely a model finds a text after another: what ranking by likelihood is measured with.

Not part of the application: no model measured so far earned a role by it (docs/decisions/0013).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import llama_cpp
import numpy as np

from ancremed_desktop.providers.llama_cpp.engine import Engine, StopFlag
from ancremed_desktop.providers.llama_cpp.machine import threads

_CONTEXT = 4096
_BATCH = 512


class Likelihood(Engine):
    """One model in this process; what consecutive prompts share is read once."""

    def __init__(self, weights: Path) -> None:
        super().__init__(str(weights), _CONTEXT, threads(), StopFlag())
        self._words = int(llama_cpp.llama_vocab_n_tokens(self._vocabulary))

    def of(self, text: str, parts: Sequence[tuple[str, bool]]) -> tuple[float, int]:
        """Sum of the log-probabilities of ``text`` after a prompt (nats, ≤ 0), and its tokens.

        ``parts``: as of ``Engine.prompt``. Batches of another shape change the sum by half a nat
        at most (quantized kernels).
        """
        prompt, wanted = self.prompt(parts), self._tokens(text, mark=False)
        whole = [*prompt, *wanted]
        shared = self._rewind(prompt)
        total = 0.0
        for start in range(shared, len(whole) - 1, _BATCH):
            places = range(start, min(start + _BATCH, len(whole) - 1))
            total += self._read_places(whole, places, first=len(prompt) - 1)
        return total, len(wanted)

    def _read_places(self, whole: Sequence[int], places: range, first: int) -> float:
        """Read some tokens; log-probability of those that follow places from ``first`` on."""
        batch = llama_cpp.llama_batch_init(len(places), 0, 1)
        try:
            batch.n_tokens = len(places)
            for row, place in enumerate(places):
                batch.token[row], batch.pos[row] = whole[place], place
                batch.n_seq_id[row], batch.seq_id[row][0] = 1, 0
                batch.logits[row] = place >= first
            if code := int(llama_cpp.llama_decode(self._context, batch)):
                raise RuntimeError(f"llama_decode: {code}")
        finally:
            llama_cpp.llama_batch_free(batch)
        self._read += whole[places.start : places.stop]
        return sum(
            self._log_probability(row, whole[place + 1])
            for row, place in enumerate(places)
            if place >= first
        )

    def _log_probability(self, row: int, token: int) -> float:
        pointer = llama_cpp.llama_get_logits_ith(self._context, row)
        logits = np.ctypeslib.as_array(pointer, shape=(self._words,))
        most = logits.max()
        return float(logits[token] - most - np.log(np.exp(logits - most).sum()))
