"""What every provider does alike: limits, cancellation, streaming, reading the reply.

A provider is a subclass with five attributes and ``pieces`` (docs/add_a_provider.md).
"""

from __future__ import annotations

import json
import time
from abc import ABC, abstractmethod
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import NoReturn

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.models import (
    Completion,
    CompletionRequest,
    CompletionTimings,
    JsonSchema,
    TextCallback,
    Usage,
    ignore_text,
)
from ancremed_desktop.errors import InvalidReplyError, ModelRefusedError, ModelTimeoutError
from ancremed_desktop.ports import LanguageModel

_MAX_REPLY_CHARS = 200_000
"""Far above any ``max_tokens`` in use: a reply that passes it is a fault of the provider."""
_MESSAGE_TOKENS = 8
"""Upper estimate of what a chat format adds around one message."""


class Watch:
    """The cancel token and the time limit of one request, asked together."""

    def __init__(self, cancel: CancelToken, timeout_s: float) -> None:
        """Start the clock; ``timeout_s`` > 0."""
        self.cancel = cancel
        self._timeout_s = timeout_s
        self._start = time.monotonic()

    @property
    def elapsed_s(self) -> float:
        """Seconds since the call."""
        return time.monotonic() - self._start

    @property
    def seconds_left(self) -> float:
        """Seconds until the time limit, 0 once it is over."""
        return max(0.0, self._timeout_s - self.elapsed_s)

    def check(self) -> None:
        """Raises: Cancelled, ModelTimeoutError."""
        self.cancel.raise_if_cancelled()
        if self.elapsed_s >= self._timeout_s:
            shown = f"{self._timeout_s:.3g}".replace(".", ",")
            raise ModelTimeoutError(f"Le modèle n’a pas répondu dans le temps permis ({shown} s).")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyEnd:
    """What is known once a reply is over. ``sent``: what left the machine, word for word.

    ``tries``: requests made for it.
    """

    usage: Usage
    cost_usd: float = 0.0
    truncated: bool = False
    load_s: float = 0.0
    sent: str = ""
    tries: int = 1


Pieces = Generator[str, None, ReplyEnd]
"""Yields the reply piece by piece and returns what is known at its end."""


@dataclass(slots=True)
class _Reply:
    """Pieces as they come; ``end`` is set when they are over."""

    pieces: Pieces
    watch: Watch
    on_text: TextCallback
    parts: list[str] = field(default_factory=list)
    first_text_s: float = 0.0

    def read(self) -> ReplyEnd:
        """Read to the end. Raises: Cancelled, ModelTimeoutError, whatever the provider raises."""
        size = 0
        try:
            while True:
                self.watch.check()
                try:
                    piece = next(self.pieces)
                except StopIteration as stop:
                    end: ReplyEnd = stop.value
                    return end
                self.watch.check()
                if not piece:
                    continue
                self.first_text_s = self.first_text_s or self.watch.elapsed_s
                size += len(piece)
                if size > _MAX_REPLY_CHARS:
                    raise InvalidReplyError("La réponse du modèle dépasse la taille permise.")
                self.parts.append(piece)
                self.on_text(piece)
        finally:
            # Ends the provider's own work at once, whichever way the reading ended.
            self.pieces.close()


class BaseModel(ABC):
    """A ``LanguageModel`` made from one method, ``pieces``."""

    name: str
    identity: str
    context_tokens: int
    local: bool
    sends_data: bool

    @abstractmethod
    def pieces(self, request: CompletionRequest, watch: Watch) -> Pieces:
        """Yield the reply as it comes and return its end.

        A wait longer than a piece must call ``watch.check()`` at least twice a second; closing the
        generator must stop the work. Raises as ``LanguageModel.complete``.
        """

    def count_tokens(self, text: str, *, cancel: CancelToken | None = None) -> int:  # noqa: ARG002 - nothing to load
        """Half the bytes: too high for every tokeniser in use on French text."""
        return (len(text.encode()) + 1) // 2

    def complete(
        self,
        request: CompletionRequest,
        *,
        cancel: CancelToken,
        on_text: TextCallback = ignore_text,
    ) -> Completion:
        """See ``LanguageModel.complete``."""
        watch = Watch(cancel, request.timeout_s)
        watch.check()
        self.check_length(request)
        reply = _Reply(self.pieces(request, watch), watch, on_text)
        end = reply.read()
        text = "".join(reply.parts)
        total_s = watch.elapsed_s
        try:
            value = None if request.schema is None else read_reply(text, request.schema)
        except InvalidReplyError as error:
            error.tries = end.tries
            raise
        return Completion(
            text=text,
            value=value,
            model=self.identity,
            usage=end.usage,
            timings=CompletionTimings(
                load_s=end.load_s, first_text_s=reply.first_text_s or total_s, total_s=total_s
            ),
            cost_usd=end.cost_usd,
            truncated=end.truncated,
            sent=end.sent,
            tries=end.tries,
        )

    def close(self) -> None:  # noqa: B027 - most providers hold nothing between calls
        """Nothing is held by default."""

    def check_length(self, request: CompletionRequest) -> None:
        """Raises: ModelRefusedError, when prompt and reply do not fit in the context."""
        prompt = sum(self.count_tokens(m.content) + _MESSAGE_TOKENS for m in request.messages)
        if prompt + request.max_tokens > self.context_tokens:
            raise too_long(prompt, request.max_tokens, self.context_tokens)


class WrappedModel:
    """Another model, as it is: a subclass changes what ``complete`` does around it."""

    def __init__(self, model: LanguageModel) -> None:
        """``model``: closed with this one."""
        self._model = model
        self.name = model.name
        self.identity = model.identity
        self.context_tokens = model.context_tokens
        self.local = model.local
        self.sends_data = model.sends_data

    def count_tokens(self, text: str, *, cancel: CancelToken | None = None) -> int:
        """As the model counts."""
        return self._model.count_tokens(text, cancel=cancel)

    def complete(
        self,
        request: CompletionRequest,
        *,
        cancel: CancelToken,
        on_text: TextCallback = ignore_text,
    ) -> Completion:
        """See ``LanguageModel.complete``."""
        return self._model.complete(request, cancel=cancel, on_text=on_text)

    def close(self) -> None:
        """Close the model."""
        self._model.close()


def too_long(prompt: int, reply: int, context: int) -> ModelRefusedError:
    """The error for a prompt and a reply, in tokens, that pass the context."""
    return ModelRefusedError(
        f"La demande est trop longue pour ce modèle ({prompt} jetons et {reply} pour la réponse, "
        f"{context} au plus)."
    )


def read_reply(text: str, schema: JsonSchema) -> object:
    """The JSON value of a reply, checked against its schema. Raises: InvalidReplyError."""
    import fastjsonschema  # most answers need no model, and it loads an HTTP client

    try:
        value = json.loads(text, parse_constant=_no_constant)
        # `dict`: the library changes nothing but insists on the type.
        fastjsonschema.validate(dict(schema), value)
    except (ValueError, RecursionError) as error:
        raise InvalidReplyError(
            "La réponse du modèle n’est pas du JSON conforme à ce qui était demandé."
        ) from error
    return value


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON (RFC 8259 §6)")
