"""Gemini as a language model: both key and consent, few tries, nothing kept."""

from __future__ import annotations

import asyncio
import random
import sys
import threading
import time
from collections.abc import AsyncGenerator, Callable, Generator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Self

from ancremed_desktop.domain.models import CompletionRequest, Message, Usage
from ancremed_desktop.errors import (
    BugError,
    ModelError,
    ModelTimeoutError,
    ModelUnavailableError,
)
from ancremed_desktop.providers.base import BaseModel, Pieces, ReplyEnd, Watch
from ancremed_desktop.providers.gemini import faults
from ancremed_desktop.providers.gemini.card import GeminiCard, read_gemini_card
from ancremed_desktop.providers.gemini.faults import TryAgain, fault
from ancremed_desktop.providers.gemini.outgoing import Redact, as_shown, masked
from ancremed_desktop.providers.options import ModelOptions

if TYPE_CHECKING:
    from ancremed_desktop.providers.gemini.wire import Call, Heard

_SERVICE = "https://generativelanguage.googleapis.com/"
_WIRE = "ancremed_desktop.providers.gemini.wire"
_BACKOFF_S = 1.0
"""Before the second try; twice that before the third."""
_LONGEST_WAIT_S = 20.0
_POLL_S = 0.1
_FINISHED = frozenset({"STOP", "MAX_TOKENS"})
_UNUSABLE = frozenset({"OTHER", "MALFORMED_RESPONSE", "MALFORMED_FUNCTION_CALL", "CONTINUATION"})


class GeminiModel(BaseModel):
    """Asks Google; holds neither key nor connection between two requests."""

    local = False
    sends_data = True

    def __init__(self, card: GeminiCard, options: ModelOptions, redact: Redact) -> None:
        """``options``: key, consent, record of what leaves, and address (Google's when empty)."""
        self.name = f"gemini:{card.model}"
        # The service says what answered; another model than this one is refused.
        self.identity = card.model
        self.context_tokens = card.context_tokens
        self._card = card
        self._options = options
        self._redact = redact

    @classmethod
    def from_options(cls, options: ModelOptions) -> Self:
        """The model of the card. Raises: BadFileError."""
        if options.redact is None:
            raise BugError("an online model was opened without a way to mask what it sends")
        return cls(read_gemini_card(), options, options.redact)

    def pieces(self, request: CompletionRequest, watch: Watch) -> Pieces:
        """See ``BaseModel.pieces``; the text is masked before it is sent."""
        self._check_consent()
        key = self._options.api_key()
        if not key:
            raise fault(faults.NO_KEY)
        messages = masked(request.messages, self._redact)
        sent = as_shown(messages)
        start = watch.elapsed_s
        _import_library(watch)
        load_s = watch.elapsed_s - start
        heard = _Heard(self._card.model, request.max_tries)
        call = self._call(request, messages, key)
        try:
            yield from _in_tries(call, self._once(sent), self._check_consent, heard, watch)
        except ModelError as error:
            error.tries = heard.tries
            raise
        usage = heard.usage or Usage(  # never too low: it prices the reply
            prompt_tokens=self.count_tokens(sent), completion_tokens=self.count_tokens(heard.text)
        )
        return ReplyEnd(
            usage=usage,
            cost_usd=self._card.cost_usd(usage),
            truncated=heard.finish == "MAX_TOKENS",
            load_s=load_s,
            sent=sent,
            tries=heard.tries,
        )

    def _check_consent(self) -> None:
        """Raises: ModelRefusedError."""
        if not self._options.consented():
            raise fault(faults.NO_CONSENT)

    def _call(self, request: CompletionRequest, messages: tuple[Message, ...], key: str) -> Call:
        from ancremed_desktop.providers.gemini.wire import Call

        return Call(
            model=self._card.model,
            key=key,
            base_url=self._options.base_url or _SERVICE,
            messages=messages,
            schema=request.schema,
            max_tokens=request.max_tokens,
            temperature=request.temperature,
            seed=request.seed,
            thinking_level=self._card.thinking_level,
        )

    def _once(self, sent: str) -> Callable[[], None]:
        """Records the text the first time it leaves, whatever becomes of the request."""
        told: list[str] = []

        def leaving() -> None:
            if not told:
                told.append(sent)
                self._options.on_sent(sent)

        return leaving


@dataclass(slots=True)
class _Heard:
    """What a reply said so far. ``tries``: requests made, of ``max_tries``."""

    model: str
    max_tries: int
    tries: int = 0
    text: str = ""
    finish: str = ""
    usage: Usage | None = None

    def take(self, piece: Heard) -> None:
        """Raises: ModelRefusedError when blocked, ModelUnavailableError from another model."""
        if piece.version and not piece.version.removeprefix("models/").startswith(self.model):
            raise ModelUnavailableError(
                f"Google a répondu avec un autre modèle que « {self.model} » : sa réponse n’est "
                "pas utilisée. Mettez AncreMed à jour."
            )
        if piece.blocked or piece.finish not in {"", *_FINISHED, *_UNUSABLE}:
            raise fault(faults.BLOCKED)
        self.text += piece.text
        self.finish = piece.finish or self.finish
        if piece.prompt_tokens:
            self.usage = Usage(
                prompt_tokens=piece.prompt_tokens,
                completion_tokens=piece.completion_tokens,
                cached_tokens=min(piece.cached_tokens, piece.prompt_tokens),
            )

    def check_end(self) -> None:
        """Raises: InvalidReplyError, when the reply is cut, malformed or empty."""
        if self.finish not in _FINISHED:
            raise fault(faults.UNREADABLE)
        if not self.text and self.finish == "STOP":
            raise fault(faults.EMPTY)


def _in_tries(
    call: Call,
    leaving: Callable[[], None],
    check_consent: Callable[[], None],
    heard: _Heard,
    watch: Watch,
) -> Generator[str, None, None]:
    """Pieces of the reply. A passing fault is tried again, but never once a piece was given.

    A service that failed before the time was over is at fault, not late: it is not asked again for
    the same answer.
    """
    from ancremed_desktop.providers.gemini.wire import converse

    failed: ModelError | None = None
    loop = asyncio.new_event_loop()
    try:
        for number in range(1, heard.max_tries + 1):
            heard.tries = number
            replies = converse(call, leaving)
            try:
                while (piece := _next(loop, replies, watch)) is not None:
                    heard.take(piece)
                    if piece.text:
                        yield piece.text
                heard.check_end()
                return
            except TryAgain as trouble:
                wait_s = trouble.after_s
                if wait_s is None:
                    wait_s = _BACKOFF_S * 2 ** (number - 1) * (1 + random.random() / 4)  # noqa: S311 - spreads retries
                longest = min(_LONGEST_WAIT_S, watch.seconds_left)
                if heard.text or number == heard.max_tries or wait_s >= longest:
                    raise trouble.error from trouble
                failed = trouble.error
            except ModelTimeoutError as late:
                if failed is None:
                    raise
                raise failed from late
            finally:
                loop.run_until_complete(replies.aclose())
            _wait(wait_s, watch)
            check_consent()  # it may have been taken back while we waited
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


def _next(
    loop: asyncio.AbstractEventLoop, replies: AsyncGenerator[Heard, None], watch: Watch
) -> Heard | None:
    """The next piece, None at the end; the watch is asked while waiting."""

    async def step() -> Heard | None:
        return await anext(replies, None)

    task = loop.create_task(step())
    try:
        while True:
            loop.run_until_complete(asyncio.wait({task}, timeout=_POLL_S))
            if task.done():
                return task.result()
            watch.check()
    finally:
        if not task.done():
            task.cancel()
            loop.run_until_complete(asyncio.wait({task}))


def _wait(seconds: float, watch: Watch) -> None:
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        watch.check()
        time.sleep(min(_POLL_S, left))


def _import_library(watch: Watch) -> None:
    """Import Google's library (seconds on an old machine) while the watch is asked."""
    if _WIRE in sys.modules:
        return
    if find_spec("google.genai") is None:
        raise fault(faults.NO_LIBRARY)
    failed: list[Exception] = []

    def load() -> None:
        try:
            import_module(_WIRE)
        except Exception as error:
            failed.append(error)

    thread = threading.Thread(target=load, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(_POLL_S)
        watch.check()
    if failed:
        # Python 3.11 may fault where two threads read source at once (« AST constructor recursion
        # depth mismatch »): once more, alone.
        import_module(_WIRE)
