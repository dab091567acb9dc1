"""The child process: reads requests from its parent, answers them one at a time.

Frames are JSON objects in UTF-8, length-prefixed by ``multiprocessing``'s pipes. Pickle is never
read back from here: a child taken over by a hostile file can only send text.

    parent → child   {"do": "load" | "count" | "complete" | "stop", "id": int, ...}
    child → parent   {"id": int, "piece": str} ... {"id": int, "end": {...}}
                     or {"id": int, "fault": str, "detail": str}
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import sys
import threading
import time
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ancremed_desktop.providers.llama_cpp.engine import Engine, StopFlag

Frame = dict[str, object]

_BETWEEN_S = 0.05
"""Between two pieces: each wakes the parent, which takes a core from the computation."""


def serve(
    requests: Connection[bytes, bytes],
    replies: Connection[bytes, bytes],
    stderr: str,
    memory_bytes: int,
) -> None:
    """Answer until the parent closes the pipe; what native code prints goes to ``stderr``."""
    _contain(stderr, memory_bytes)
    # Set before llama.cpp's library is loaded. Waiting threads that spin take the core of whoever
    # else needs it: 2.4 tokens/s instead of 36 beside one busy process.
    os.environ["OMP_WAIT_POLICY"] = "passive"
    os.environ["GOMP_SPINCOUNT"] = "0"
    os.environ["GGML_NO_BACKTRACE"] = "1"
    from ancremed_desktop.providers.llama_cpp.engine import StopFlag

    inbox: queue.SimpleQueue[Frame | None] = queue.SimpleQueue()
    stops = _Stops(StopFlag())
    threading.Thread(target=_listen, args=(requests, inbox, stops), daemon=True).start()
    send(replies, {"id": 0, "end": {}})
    session = _Session(replies, stops)
    with contextlib.suppress(OSError):  # the parent is gone
        while (frame := inbox.get()) is not None:
            session.answer(frame)


def send(connection: Connection[bytes, bytes], frame: Frame) -> None:
    """Write one frame. Raises: OSError when the other side is gone."""
    connection.send_bytes(json.dumps(frame).encode())


class _Stops:
    """Which requests were stopped: a stop that comes late must not end the next one."""

    def __init__(self, flag: StopFlag) -> None:
        self.flag = flag
        self._lock = threading.Lock()
        self._stopped = 0
        self._current = 0

    def begin(self, number: int) -> None:
        with self._lock:
            self._current = number
            self.flag.set(self._stopped >= number)

    def stop(self, number: int) -> None:
        with self._lock:
            self._stopped = max(self._stopped, number)
            self.flag.set(self._stopped >= self._current)


class _Session:
    """Answers requests, with the model the first one loads."""

    def __init__(self, replies: Connection[bytes, bytes], stops: _Stops) -> None:
        self._replies = replies
        self._stops = stops
        self._engine: Engine | None = None

    def answer(self, frame: Frame) -> None:
        """One request: pieces, then its end or its fault."""
        number = int(str(frame["id"]))
        self._stops.begin(number)
        try:
            end = self._do(frame, number)
        except MemoryError:
            self._reply(number, fault="memory", detail="")
        except OSError:
            raise
        except Exception as error:  # named to the parent, which decides
            self._reply(number, fault=type(error).__name__, detail=str(error)[-2000:])
        else:
            self._reply(number, end=end)

    def _do(self, frame: Frame, number: int) -> Frame:
        from ancremed_desktop.providers.llama_cpp import engine

        if frame["do"] == "load":
            self._engine = engine.Engine(
                str(frame["path"]),
                int(str(frame["context_tokens"])),
                int(str(frame["threads"])),
                self._stops.flag,
            )
            return {}
        if self._engine is None:
            raise RuntimeError("no model is loaded")
        if frame["do"] == "count":
            return {"tokens": self._engine.count(str(frame["text"]))}
        parts = frame["parts"]
        assert isinstance(parts, list)
        counts = engine.Generation()
        held, sent = "", 0.0
        for piece in self._engine.generate(
            self._engine.prompt([(str(text), bool(mark)) for text, mark in parts]),
            max_tokens=int(str(frame["max_tokens"])),
            schema=str(frame["schema"]),
            temperature=float(str(frame["temperature"])),
            seed=int(str(frame["seed"])),
            end_mark=str(frame["end_mark"]),
            counts=counts,
        ):
            held += piece
            if held and time.monotonic() - sent >= _BETWEEN_S:
                self._reply(number, piece=held)
                held, sent = "", time.monotonic()
        if held:
            self._reply(number, piece=held)
        return {
            "prompt_tokens": counts.prompt_tokens,
            "cached_tokens": counts.cached_tokens,
            "completion_tokens": counts.completion_tokens,
            "truncated": counts.truncated,
        }

    def _reply(self, number: int, **fields: object) -> None:
        send(self._replies, {"id": number, **fields})


def _listen(
    requests: Connection[bytes, bytes], inbox: queue.SimpleQueue[Frame | None], stops: _Stops
) -> None:
    """Queue what is asked; stops act at once, while the main thread computes."""
    try:
        while True:
            frame: Frame = json.loads(requests.recv_bytes())
            if frame["do"] == "stop":
                stops.stop(int(str(frame["id"])))
            else:
                inbox.put(frame)
    except (EOFError, OSError):
        inbox.put(None)
        stops.stop(sys.maxsize)  # nobody waits for the answer any more


def _contain(stderr: str, memory_bytes: int) -> None:
    """Keep native prints out of the terminal, bound the memory, leave no core file."""
    target = os.open(stderr, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for stream in (1, 2):
        os.dup2(target, stream)
    os.close(target)
    try:
        import resource
    except ImportError:  # Windows has no resource limits
        return
    # macOS accepts the call on some releases and refuses it on others: no limit then.
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
