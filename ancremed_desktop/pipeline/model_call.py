"""One way to ask a model, with a record of what was asked of whom and what came of it."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ancremed_desktop.domain.answers import ModelUse
from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.models import (
    MOST_TRIES,
    Completion,
    CompletionRequest,
    JsonSchema,
    Message,
)
from ancremed_desktop.errors import (
    AncremedError,
    BugError,
    Cancelled,
    InvalidReplyError,
    ModelError,
    ModelRefusedError,
    ModelTimeoutError,
    ModelUnavailableError,
)
from ancremed_desktop.pipeline.prompt_budget import PROMPT_TOKENS
from ancremed_desktop.pipeline.prompts import Prompt
from ancremed_desktop.ports import LanguageModel

_log = logging.getLogger(__name__)
_REMOTE_TOKENS = 6000
_MOST_FAULTS = 2
"""Late or unreadable replies after which a model is asked nothing more for this answer."""
_FINAL = ("refused", "unavailable", "fault")
_FAULT = "Erreur inattendue d’un modèle : elle est inscrite au journal technique."
_OUTCOMES = (
    (ModelTimeoutError, "late"),
    (InvalidReplyError, "invalid"),
    (ModelRefusedError, "refused"),
    (Cancelled, "cancelled"),
)


@dataclass(slots=True)
class ModelWork:
    """The calls made for one answer, in order; safe to add to from the verifier's thread.

    ``measuring``: every call counts, whatever became of the others, and a service that cannot be
    reached is an error: it says nothing of the model. ``patience``: times the time allowed, where
    what a model says is measured and not its speed.
    """

    measuring: bool = False
    patience: float = 1.0
    uses: list[ModelUse] = field(default_factory=list)
    _in_vain: Counter[str] = field(default_factory=Counter)
    """Requests that gave nothing, by the model's identity."""

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

        A model that failed is not asked again for the same answer: each try costs the reader
        seconds, and may cost money and privacy. Nor is one elsewhere after ``MOST_TRIES`` requests
        in vain, repeated ones included, whatever they were for. ``note``: added to the prompt's end
        (what was wrong with the reply before).
        Raises: Cancelled, when the user stopped; ModelUnavailableError, when ``measuring``.
        """
        if self.given_up(model):
            return None
        request = CompletionRequest(
            messages=_with_note(prompt.messages(values), note),
            schema=schema,
            max_tokens=max_tokens,
            timeout_s=timeout_s * self.patience,
            max_tries=self._tries(model),
        )
        start = time.monotonic()
        try:
            if prompt_tokens(model, request.messages, cancel) > budget(model):
                self._note(model, prompt, "too_long", 0.0)
                return None
            completion = model.complete(request, cancel=cancel)
        except Exception as error:
            self._in_vain[model.identity] += error.tries if isinstance(error, ModelError) else 1
            self._note(model, prompt, _outcome(error), time.monotonic() - start, error=error)
            away = isinstance(error, ModelUnavailableError) and not model.local
            if isinstance(error, Cancelled) or (self.measuring and away):
                raise
            return None
        self._in_vain[model.identity] += completion.tries - 1
        self._note(model, prompt, "ok", completion.timings.total_s, completion=completion)
        return completion

    def useless(self, model: LanguageModel) -> None:
        """Count a reply that came and cannot serve."""
        self._in_vain[model.identity] += 1

    def failed(self, model: LanguageModel, prompt: Prompt, error: Exception) -> None:
        """Record a model that could not even be asked."""
        self._note(model, prompt, _outcome(error), 0.0, error=error)

    def _tries(self, model: LanguageModel) -> int:
        """Requests that the next one may take."""
        return MOST_TRIES if self.measuring else max(1, MOST_TRIES - self._in_vain[model.identity])

    def given_up(self, model: LanguageModel) -> bool:
        """Whether a model is asked nothing more for this answer."""
        if self.measuring:
            return False
        if not model.local and self._in_vain[model.identity] >= MOST_TRIES:
            return True
        ends = Counter(use.outcome for use in self.uses if use.identity == model.identity)
        failed = sum(ends[passing] for passing in ("late", "invalid"))
        return failed >= _MOST_FAULTS or any(ends[final] for final in _FINAL)

    def _note(
        self,
        model: LanguageModel,
        prompt: Prompt,
        outcome: str,
        elapsed_s: float,
        *,
        completion: Completion | None = None,
        error: Exception | None = None,
    ) -> None:
        known = error if isinstance(error, ModelError | Cancelled) else None
        told = completion or known
        self.uses.append(
            ModelUse(
                role=prompt.name,
                prompt=prompt.identity,
                model=model.name,
                identity=model.identity,
                outcome=outcome,
                elapsed_ms=1000 * elapsed_s,
                cost_usd=told.cost_usd if told else 0.0,
                sent=told.sent if told else "",
                problem=str(known) if known else _FAULT if error else "",
            )
        )


def budget(model: LanguageModel) -> int:
    """Longest prompt of a model; one elsewhere reads more, and counts too high."""
    return PROMPT_TOKENS if model.local else _REMOTE_TOKENS


def prompt_tokens(model: LanguageModel, messages: tuple[Message, ...], cancel: CancelToken) -> int:
    """Tokens of a prompt as the model counts them. Raises: ModelError, Cancelled."""
    return sum(model.count_tokens(m.content, cancel=cancel) for m in messages)


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
