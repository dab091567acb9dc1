"""Runs one reading task per file in a child process that a bad file cannot outlive.

A native crash, an endless loop or a memory blow-up of a parser ends the child, never the
application: the parent gets an error that names the cause and starts a new child for the next
file. One child serves many files, because starting Python again costs more than most files do.
Parent and child exchange plain picklable data only.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import TracebackType
from typing import Generic, Self, TypeVar

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.errors import BadFileError, MachineError, reason_of

try:
    import resource
except ImportError:  # Windows has no resource limits
    resource = None  # type: ignore[assignment]  # the module object stands for "unsupported"

_log = logging.getLogger(__name__)

T = TypeVar("T")

_POLL_S = 0.05
"""How often a cancel is looked for; a Stop must be obeyed well within a second."""
_START_S = 60.0
"""Time a child may take to start: a cold disk and an antivirus make imports slow."""
_MEMORY_WORDS = ("malloc", "calloc", "realloc", "out of memory", "memory limit")


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerLimits:
    """``seconds_per_file`` > 0; ``memory_bytes``: address space of the child, 0 for no limit.

    The memory limit is POSIX ``RLIMIT_AS``; Windows has none and macOS does not enforce it
    (see ``memory_limit_supported``).
    """

    seconds_per_file: float = 90.0
    memory_bytes: int = 1536 * 1024 * 1024


def memory_limit_supported() -> bool:
    """Whether this system lets a process bound its own memory."""
    return resource is not None


@dataclass(frozen=True, slots=True)
class _Done:
    """What the child answers: a value, or a French reason (``memory``: the limit was hit)."""

    value: object = None
    reason: str = ""
    memory: bool = False


class IngestWorker(Generic[T]):
    """Applies ``task`` (a module-level function) to files, in a child process; a context manager.

    Not safe from several threads at once: one worker belongs to one loop over files.
    """

    def __init__(self, task: Callable[[Path], T], limits: WorkerLimits | None = None) -> None:
        self._task = task
        self._limits = limits or WorkerLimits()
        self._process: BaseProcess | None = None
        self._connection: Connection[object, object] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def run(self, path: Path, cancel: CancelToken) -> T:
        """The task's result for one file.

        Raises:
            BadFileError: the task refused the file (its French message), or could not read it.
            MachineError: the child crashed, ran out of time or of memory on this file.
            Cancelled: the user stopped; the child is gone.

        """
        connection = self._ready(cancel)
        try:
            connection.send(str(path))
            done = self._wait(connection, self._limits.seconds_per_file, cancel)
        except (EOFError, OSError, pickle.UnpicklingError) as error:
            code = self._stop()
            raise MachineError(
                f"la lecture s’est arrêtée brutalement (code {code}) ; "
                "le fichier est sans doute endommagé"
            ) from error
        if done.memory:
            self._stop()
            limit = self._limits.memory_bytes // (1024 * 1024)
            raise MachineError(f"la lecture demande plus de mémoire que permis ({limit} Mo)")
        if done.reason:
            raise BadFileError(done.reason)
        return done.value  # type: ignore[return-value]  # pickled from the task's own result

    def close(self) -> None:
        """End the child, if any; the worker may be used again afterwards."""
        self._stop()

    def _ready(self, cancel: CancelToken) -> Connection[object, object]:
        cancel.raise_if_cancelled()
        if self._process is not None and self._connection is not None and self._process.is_alive():
            return self._connection
        self._stop()
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe(duplex=True)
        process = context.Process(
            target=_serve, args=(theirs, self._task, self._limits.memory_bytes), daemon=True
        )
        process.start()
        theirs.close()
        self._process, self._connection = process, ours
        try:
            self._wait(ours, _START_S, cancel)
        except (EOFError, OSError) as error:
            code = self._stop()
            raise MachineError(f"le lecteur de fichiers n’a pas démarré (code {code})") from error
        return ours

    def _wait(
        self, connection: Connection[object, object], limit_s: float, cancel: CancelToken
    ) -> _Done:
        deadline = time.monotonic() + limit_s
        while not connection.poll(_POLL_S):
            if cancel.cancelled:
                self._stop()
                cancel.raise_if_cancelled()
            if time.monotonic() > deadline:
                self._stop()
                raise MachineError(f"la lecture dépasse le temps permis ({limit_s:.0f} s)")
        done = connection.recv()
        if not isinstance(done, _Done):
            raise EOFError
        return done

    def _stop(self) -> int | None:
        process, connection = self._process, self._connection
        self._process = self._connection = None
        if connection is not None:
            connection.close()
        if process is None:
            return None
        process.join(0.2 if not process.is_alive() else 0)
        process.kill()
        process.join()
        code = process.exitcode
        process.close()
        return code


def _serve(
    connection: Connection[object, object], task: Callable[[Path], object], memory_bytes: int
) -> None:
    """Child: answer one message per path until the parent closes the pipe, or is killed."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _limit_memory(memory_bytes)
    with suppress(EOFError, OSError, KeyboardInterrupt):
        connection.send(_Done())
        while True:
            connection.send(_attempt(task, Path(str(connection.recv()))))


def _end_with_parent() -> None:
    """End this process with its parent: nobody is left to stop a file that takes for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _limit_memory(memory_bytes: int) -> None:
    if resource is None or not memory_bytes:
        return
    # macOS accepts the call on some releases and refuses it on others: no limit then.
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))


def _attempt(task: Callable[[Path], object], path: Path) -> _Done:
    try:
        return _Done(value=task(path))
    except BadFileError as error:
        return _Done(reason=str(error))
    except MemoryError:
        return _Done(memory=True)
    except Exception as error:  # a parser may raise anything on a damaged file
        if any(word in str(error).lower() for word in _MEMORY_WORDS):
            return _Done(memory=True)
        _log.exception("reading %s", path.name)
        return _Done(reason=f"lecture impossible ({reason_of(error)})")
