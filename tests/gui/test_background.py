"""The one worker: outcomes on the window's thread, progress, stop, close."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from functools import partial

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from ancremed_desktop.domain.events import Progress
from ancremed_desktop.errors import Cancelled
from ancremed_desktop.gui.background import Background, Job


@pytest.fixture
def background(qapp: QApplication) -> Iterator[Background]:
    made = Background()
    yield made
    made.close()


def _never(value: object) -> None:
    raise AssertionError(f"unexpected: {value!r}")


def test_work_runs_elsewhere_and_the_result_comes_back_here(
    qtbot: QtBot, background: Background
) -> None:
    seen: list[tuple[int, int]] = []

    def done(worker: int) -> None:
        seen.append((worker, threading.get_ident()))

    background.run(lambda _job: threading.get_ident(), done=done, failed=_never)
    qtbot.waitUntil(lambda: bool(seen))
    worker, here = seen[0]
    assert here == threading.get_ident()
    assert worker != here


def test_a_failure_is_told_once_and_never_with_a_result(
    qtbot: QtBot, background: Background
) -> None:
    errors: list[BaseException] = []

    def work(_job: Job) -> None:
        raise ValueError("raté")

    job = background.run(work, done=_never, failed=errors.append)
    qtbot.waitUntil(lambda: bool(errors))
    job.stop()
    qtbot.wait(20)
    assert [str(error) for error in errors] == ["raté"]


def test_operations_run_one_after_the_other(qtbot: QtBot, background: Background) -> None:
    order: list[str] = []

    def work(name: str, _job: Job) -> str:
        order.append(f"début {name}")
        time.sleep(0.02)
        order.append(f"fin {name}")
        return name

    ended: list[str] = []
    for name in "abc":
        background.run(partial(work, name), done=ended.append, failed=_never)
    qtbot.waitUntil(lambda: len(ended) == 3)
    assert ended == ["a", "b", "c"]
    assert order == [f"{step} {name}" for name in "abc" for step in ("début", "fin")]


def test_every_item_arrives_in_order_and_the_last_progress_is_shown(
    qtbot: QtBot, background: Background
) -> None:
    items: list[object] = []
    steps: list[int] = []

    def work(job: Job) -> str:
        for number in range(500):
            job.report(Progress(stage="lecture", done=number, total=500))
            job.send(number)
        return "fini"

    ended: list[str] = []
    background.run(
        work,
        done=ended.append,
        failed=_never,
        progress=lambda p: steps.append(p.done),
        item=items.append,
    )
    qtbot.waitUntil(lambda: bool(ended))
    assert items == list(range(500))
    assert steps[-1] == 499
    assert steps == sorted(steps)


def test_stop_tells_at_once_and_throws_the_late_result_away(
    qtbot: QtBot, background: Background
) -> None:
    gate = threading.Event()
    errors: list[BaseException] = []
    job = background.run(lambda _job: gate.wait(5), done=_never, failed=errors.append)
    job.stop()
    assert [type(error) for error in errors] == [Cancelled]
    assert job.cancel_token.cancelled
    gate.set()
    ended: list[int] = []
    background.run(lambda _job: 1, done=ended.append, failed=_never)
    qtbot.waitUntil(lambda: ended == [1])
    assert len(errors) == 1


def test_a_job_stopped_while_it_waits_never_starts(qtbot: QtBot, background: Background) -> None:
    gate = threading.Event()
    started: list[int] = []
    background.run(lambda _job: gate.wait(5), done=lambda _: None, failed=_never)
    errors: list[BaseException] = []
    waiting = background.run(lambda _job: started.append(1), done=_never, failed=errors.append)
    assert background.busy
    waiting.stop()
    gate.set()
    ended: list[int] = []
    background.run(lambda _job: 1, done=ended.append, failed=_never)
    qtbot.waitUntil(lambda: bool(ended))
    assert started == []
    assert len(errors) == 1


def test_close_ends_the_thread_and_no_callback_follows(qtbot: QtBot, qapp: QApplication) -> None:
    background = Background()
    running = threading.Event()

    def work(job: Job) -> None:
        running.set()
        while not job.cancel_token.cancelled:
            time.sleep(0.005)
        job.report(Progress(stage="trop tard", done=1))

    background.run(work, done=_never, failed=_never, progress=_never)
    background.run(lambda _job: 1, done=_never, failed=_never)
    assert running.wait(2)
    background.close()
    names = [t.name for t in threading.enumerate() if t.name.startswith("ancremed")]
    assert names == []
    qtbot.wait(30)
    with pytest.raises(RuntimeError):
        background.run(lambda _job: 1, done=_never, failed=_never)
