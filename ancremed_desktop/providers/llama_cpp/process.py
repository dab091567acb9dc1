"""The parent's side of the child process: start, ask, stop, end; nothing native runs here."""

from __future__ import annotations

import json
import logging
import multiprocessing
import os
import tempfile
import time
from collections.abc import Generator
from contextlib import suppress
from multiprocessing.process import BaseProcess
from pathlib import Path

from ancremed_desktop.errors import ModelUnavailableError, reason_of
from ancremed_desktop.providers.base import Watch
from ancremed_desktop.providers.llama_cpp.child import Frame, send, serve

_log = logging.getLogger(__name__)

_POLL_S = 0.05
_GRACE_S = 0.6
"""Time a stopped computation has to leave; killed then, so that a Stop holds within a second."""
_MAX_FRAME = 1 << 20

Frames = Generator[Frame, None, None]
"""Replies to one request; closing it stops the computation."""


class ModelProcess:
    """One child process; used by one thread at a time."""

    def __init__(self, memory_bytes: int) -> None:
        """Start it. ``memory_bytes``: address space it may take (POSIX).

        Raises: ModelUnavailableError, when the machine has no room for one more process.
        """
        try:
            handle, name = tempfile.mkstemp(prefix="ancremed-modele-", suffix=".log")
        except OSError as error:
            raise _not_started(error) from error
        os.close(handle)
        self._stderr = Path(name)
        try:
            self._process = self._started(memory_bytes)
        except OSError as error:
            self._stderr.unlink(missing_ok=True)
            raise _not_started(error) from error
        self._number = 0
        self._closed = False
        self._can_stop = False
        """While it starts and loads, only its end stops it."""
        self._busy = True
        """Until the child has said that it is ready, then during each request."""

    def _started(self, memory_bytes: int) -> BaseProcess:
        """Raises: OSError."""
        context = multiprocessing.get_context("spawn")
        # Two one-way pipes: a two-way one would be a socket pair.
        their_requests, self._requests = context.Pipe(duplex=False)
        self._replies, their_replies = context.Pipe(duplex=False)
        process = context.Process(
            target=serve,
            args=(their_requests, their_replies, str(self._stderr), memory_bytes),
            daemon=True,
        )
        process.start()
        their_requests.close()
        their_replies.close()
        return process

    @property
    def pid(self) -> int | None:
        """Identifier of the process while it runs."""
        return None if self._closed else self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process runs: the system may have ended it between two requests."""
        return not self._closed and self._process.is_alive()

    def wait_ready(self, watch: Watch) -> None:
        """Wait for the child's first word. Raises: as ``ask``."""
        for _frame in self._replies_to(0, watch):
            pass

    def ask(self, frame: Frame, watch: Watch) -> Frames:
        """Send a request and give its frames, the last one included.

        Leaving the iteration early stops the computation, or the process when it does not obey.

        Raises:
            ModelUnavailableError: the process ended.
            Cancelled: the user stopped.
            ModelTimeoutError: the time is over.

        """
        self._number += 1
        self._busy = True
        self._can_stop = frame["do"] != "load"
        try:
            send(self._requests, {**frame, "id": self._number})
        except OSError as error:
            raise self._crashed() from error
        yield from self._replies_to(self._number, watch)

    def close(self) -> None:
        """End the process; its memory is returned. May be called again."""
        if self._closed:
            return
        self._closed = True
        self._requests.close()
        # A child that is idle leaves by itself; one that computes is not waited for.
        self._process.join(0 if self._busy else 1)
        self._process.kill()
        self._process.join()
        self._process.close()
        self._replies.close()
        self._stderr.unlink(missing_ok=True)

    def _replies_to(self, number: int, watch: Watch) -> Frames:
        try:
            while True:
                frame = self._next(watch)
                if frame.get("id") != number:
                    continue  # left over from a request that was stopped
                if "piece" not in frame:
                    self._busy = False
                yield frame
                if not self._busy:
                    return
        finally:
            if self._busy and not self._closed:
                self._stop(number)

    def _next(self, watch: Watch) -> Frame:
        while True:
            watch.check()
            if (frame := self._poll(min(_POLL_S, watch.seconds_left))) is not None:
                return frame

    def _poll(self, wait_s: float) -> Frame | None:
        try:
            if not self._replies.poll(wait_s):
                return None
            frame = json.loads(self._replies.recv_bytes(_MAX_FRAME))
        except (EOFError, OSError, ValueError, RecursionError) as error:
            raise self._crashed() from error
        if not isinstance(frame, dict):
            raise self._crashed()
        return frame

    def _stop(self, number: int) -> None:
        """Ask the computation to leave; end the process when it does not."""
        limit = time.monotonic() + (_GRACE_S if self._can_stop else 0)
        with suppress(OSError, ModelUnavailableError):
            send(self._requests, {"do": "stop", "id": number})
            while time.monotonic() < limit and not self._closed:
                frame = self._poll(_POLL_S)
                if frame and frame.get("id") == number and "piece" not in frame:
                    self._busy = False
                    return
        self.close()

    def _crashed(self) -> ModelUnavailableError:
        self._process.join(0.5)
        code = self._process.exitcode
        with suppress(OSError):
            _log.warning(
                "model process ended (%s): %s",
                code,
                self._stderr.read_text("utf-8", "replace")[-2000:],
            )
        self.close()
        return ModelUnavailableError(
            f"Le modèle s’est arrêté brutalement (code {code}). Il sera relancé à la prochaine "
            "demande ; si cela se répète, choisissez un autre modèle."
        )


def _not_started(error: OSError) -> ModelUnavailableError:
    return ModelUnavailableError(
        f"Le modèle n’a pas pu être lancé ({reason_of(error)}). Vérifiez la place libre du disque, "
        "fermez d’autres programmes, puis recommencez."
    )
