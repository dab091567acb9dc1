"""The only module that knows threads: one worker for all that touches the database."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot

from ancremed_desktop.domain.events import CancelToken, Progress
from ancremed_desktop.errors import Cancelled

Result = TypeVar("Result")
_POLL_S = 0.05


class Reply:
    """What the screen answers to a question of the work; the first answer holds."""

    def __init__(self) -> None:
        self._given = threading.Event()
        self._value: object = None

    def give(self, value: object) -> None:
        """Answer (window's thread)."""
        if not self._given.is_set():
            self._value = value
            self._given.set()

    def wait(self, cancel: CancelToken) -> object:
        """The answer (the work's thread). Raises: Cancelled, when the work is stopped instead."""
        while not self._given.wait(_POLL_S):
            cancel.raise_if_cancelled()
        return self._value


class Job:
    """One piece of work under way, as the work sees it and as the screen holds it.

    The work calls ``report``, ``send`` and ``ask`` from its thread and hands ``cancel_token`` down;
    the screen calls ``stop``. Exactly one of the screen's ``done`` or ``failed`` is called, once.
    """

    def __init__(self, post: Callable[[Callable[[], None]], None]) -> None:
        """``post`` runs a function on the window's thread."""
        self.cancel_token = CancelToken()
        self._post = post
        self._lock = threading.Lock()
        self._latest: Progress | None = None
        self._over = False
        self.on_progress: Callable[[Progress], None] | None = None
        self.on_item: Callable[[object], None] | None = None
        self.on_question: Callable[[object, Reply], None] | None = None
        self.on_failure: Callable[[BaseException], None] | None = None

    @property
    def running(self) -> bool:
        """Whether neither success nor failure was told yet (window's thread)."""
        return not self._over

    def report(self, progress: Progress) -> None:
        """Progress of the work. Only the latest is shown, however fast they come."""
        with self._lock:
            pending = self._latest is not None
            self._latest = progress
        if not pending:
            self._post(self._show_progress)

    def send(self, item: object) -> None:
        """A partial result; every one arrives, in order."""
        self._post(lambda: self._show_item(item))

    def ask(self, item: object) -> object:
        """Put a question to the screen and wait for its answer. Raises: Cancelled."""
        reply = Reply()
        self._post(lambda: self._show_question(item, reply))
        return reply.wait(self.cancel_token)

    def stop(self) -> None:
        """Ask the work to stop and tell the screen at once; a later result is thrown away."""
        self.cancel_token.cancel()
        self.fail(Cancelled("Arrêté à votre demande."))

    def finish(self, tell: Callable[[], None]) -> None:
        """Tell a success, unless the end was told already (window's thread)."""
        if not self._over:
            self._over = True
            tell()

    def fail(self, error: BaseException) -> None:
        """Tell a failure, unless the end was told already (window's thread)."""
        if not self._over:
            self._over = True
            if self.on_failure is not None:
                self.on_failure(error)

    def abandon(self) -> None:
        """Stop the work and tell nobody (the window closes)."""
        self._over = True
        self.cancel_token.cancel()

    def _show_progress(self) -> None:
        with self._lock:
            progress, self._latest = self._latest, None
        if progress is not None and not self._over and self.on_progress is not None:
            self.on_progress(progress)

    def _show_item(self, item: object) -> None:
        if not self._over and self.on_item is not None:
            self.on_item(item)

    def _show_question(self, item: object, reply: Reply) -> None:
        if not self._over and self.on_question is not None:
            self.on_question(item, reply)


class _Call(Generic[Result]):
    """Runs a piece of work and brings its outcome back."""

    def __init__(
        self,
        job: Job,
        work: Callable[[Job], Result],
        done: Callable[[Result], None],
        post: Callable[[Callable[[], None]], None],
    ) -> None:
        self._job, self._work, self._done, self._post = job, work, done, post

    def __call__(self) -> None:
        job = self._job
        try:
            job.cancel_token.raise_if_cancelled()
            result = self._work(job)
        except BaseException as error:
            caught = error
            self._post(lambda: job.fail(caught))
        else:
            self._post(lambda: job.finish(lambda: self._done(result)))


class Background(QObject):
    """Runs operations one after the other off the window's thread.

    A screen names the work, what to do on success and on failure, and where progress goes; all
    its callbacks run on the window's thread.
    """

    _posted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ancremed-base")
        self._jobs: list[Job] = []
        self._closed = False
        self._posted.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def run(
        self,
        work: Callable[[Job], Result],
        *,
        done: Callable[[Result], None],
        failed: Callable[[BaseException], None],
        progress: Callable[[Progress], None] | None = None,
        item: Callable[[object], None] | None = None,
        question: Callable[[object, Reply], None] | None = None,
    ) -> Job:
        """Queue a piece of work.

        Raises: RuntimeError, after ``close``.
        """
        job = Job(self._posted.emit)
        job.on_progress, job.on_item, job.on_failure = progress, item, failed
        job.on_question = question
        self._jobs = [j for j in self._jobs if j.running]
        self._jobs.append(job)
        self._pool.submit(_Call(job, work, done, self._posted.emit))
        return job

    @property
    def busy(self) -> bool:
        """Whether an operation is queued or under way."""
        return any(job.running for job in self._jobs)

    @property
    def closed(self) -> bool:
        """Whether it takes no work any more."""
        return self._closed

    def close(self) -> None:
        """Stop everything and wait for the worker to end; no callback runs afterwards."""
        if self._closed:
            return
        self._closed = True
        for job in self._jobs:
            job.abandon()
        self._pool.shutdown(wait=True, cancel_futures=True)

    @Slot(object)
    def _deliver(self, action: Callable[[], None]) -> None:
        if not self._closed:
            action()
