"""One way to ask a model, with a record of what was asked of whom and what came of it."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ancremed_desktop.domain.answers import ModelUse
from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.models import Completion, CompletionRequest, JsonSchema, Message
from ancremed_desktop.errors import (
    AncremedError,
    BugError,
    Cancelled,
    InvalidReplyError,
    ModelError,
    ModelRefusedError,
    ModelTimeoutError,
)
from ancremed_desktop.pipeline.prompt_budget import PROMPT_TOKENS
from ancremed_desktop.pipeline.prompts import Prompt
from ancremed_desktop.ports import LanguageModel

_log = logging.getLogger(__name__)
_REMOTE_TOKENS = 6000
_OUTCOMES = (
    (ModelTimeoutError, "late"),
    (InvalidReplyError, "invalid"),
    (ModelRefusedError, "refused"),
    (Cancelled, "cancelled"),
)


@dataclass(slots=True)
class ModelWork:
    """The calls made for one answer, in order; safe to add to from the verifier's thread.

    ``patience``: times the time allowed, where what a model says is measured and not its speed.
    """

    patience: float = 1.0
    uses: list[ModelUse] = field(default_factory=list)

    def ask(
        self,
        model: LanguageModel,
        prompt: Prompt,
        values: Mapping[str, str],
        schema: JsonSchema,
        *,
        max_tokens: int,
        timeout_s: float,
        cancel: CancelToken,
        note: str = "",
    ) -> Completion | None:
        """The reply under ``schema``; None, recorded and logged, when there is none to be had.

        ``note``: added to the prompt's end (what was wrong with the reply before).
        Raises: Cancelled, when the user stopped.
        """
        request = CompletionRequest(
            messages=_with_note(prompt.messages(values), note),
            schema=schema,
            max_tokens=max_tokens,
            timeout_s=timeout_s * self.patience,
        )
        start = time.monotonic()
        completion = None
        outcome = "fault"
        try:
            if prompt_tokens(model, request.messages) > budget(model):
                outcome = "too_long"
            else:
                completion = model.complete(request, cancel=cancel)
                outcome = "ok"
        except Exception as error:
            outcome = _outcome(error)
            if isinstance(error, Cancelled):
                raise
        finally:
            self._note(model, prompt, outcome, time.monotonic() - start, completion)
        return completion

    def failed(self, model: LanguageModel, prompt: Prompt, error: ModelError) -> None:
        """Record a model that could not even be asked."""
        self._note(model, prompt, _outcome(error), 0.0, None)

    def _note(
        self,
        model: LanguageModel,
        prompt: Prompt,
        outcome: str,
        elapsed_s: float,
        completion: Completion | None,
    ) -> None:
        self.uses.append(
            ModelUse(
                role=prompt.name,
                prompt=prompt.identity,
                model=model.name,
                identity=model.identity,
                outcome=outcome,
                elapsed_ms=1000 * elapsed_s,
                cost_usd=completion.cost_usd if completion else 0.0,
                sent=completion.sent if completion else "",
            )
        )


def budget(model: LanguageModel) -> int:
    """Longest prompt of a model; one elsewhere reads more, and counts too high."""
    return PROMPT_TOKENS if model.local else _REMOTE_TOKENS


def prompt_tokens(model: LanguageModel, messages: tuple[Message, ...]) -> int:
    """Tokens of a prompt as the model counts them. Raises: ModelError."""
    return sum(model.count_tokens(m.content) for m in messages)


def _with_note(messages: tuple[Message, ...], note: str) -> tuple[Message, ...]:
    if not note:
        return messages
    last = messages[-1]
    return (*messages[:-1], replace(last, content=f"{last.content}\n{note}"))


def _outcome(error: Exception) -> str:
    """Name of a failed call. The answer goes on without the model, whatever the fault was."""
    for kind, name in _OUTCOMES:
        if isinstance(error, kind):
            return name
    if isinstance(error, AncremedError) and not isinstance(error, BugError):
        _log.warning("%s", error)
        return "unavailable"
    _log.error("fault in a language model", exc_info=error)
    return "fault"
