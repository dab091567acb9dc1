"""Time and memory of answers on a full index, in fresh processes.

Usage: python build/benchmarks/bench_answers.py INDEX QUESTIONS.jsonl

INDEX is a finished index (``library build``); QUESTIONS is what ``evaluate questions`` reads.
Each question is asked once and in order, as a user would: nothing is warmed by asking it twice.
On a busy machine only the CPU times count. Opening the index and reading the lexicons comes
before the first question.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from common import Figure, median_and_p95, own_folders, peak_mb, show

from ancremed_desktop.app import toolbox
from ancremed_desktop.domain.answers import AnswerStatus
from ancremed_desktop.evaluation.questions import read_questions
from ancremed_desktop.services.ask import AskService

_COLD_RUNS = 5
_Times = tuple[float, float]
"""Milliseconds by the clock on the wall, and of this process on a processor."""


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("index", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--first", metavar="QUESTION", help="print the time of one cold question")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        own_folders(Path(folder))
        if args.first:
            print(*_timed(toolbox().ask(args.index), args.first)[0])
            return
        figures = [*_warm(args.index, args.questions), *_cold(args.index, args.questions)]
    show(figures)


def _warm(index: Path, questions: Path) -> list[Figure]:
    service = toolbox().ask(index)
    answers: list[_Times] = []
    talks: list[_Times] = []
    for question in read_questions(questions):
        times, status = _timed(service, question.text)
        talked = status in {AnswerStatus.CONVERSATION, AnswerStatus.REFUSED}
        (talks if talked else answers).append(times)
    memory = Figure(name="peak memory of the process", value=peak_mb(), unit="MB", aim=300)
    return [*_figures("answer", answers, 150), *_figures("conversation", talks, 20), memory]


def _timed(service: AskService, question: str) -> tuple[_Times, AnswerStatus]:
    wall, cpu = time.perf_counter(), time.process_time()
    status = service.ask(question).status
    return (1e3 * (time.perf_counter() - wall), 1e3 * (time.process_time() - cpu)), status


def _figures(name: str, times: list[_Times], aim: float) -> list[Figure]:
    found = []
    for clock, values in zip(("wall", "CPU"), zip(*times, strict=True), strict=True):
        median, p95 = median_and_p95(values)
        found += [
            Figure(name=f"{name}, median, {clock}", value=median, unit="ms"),
            Figure(name=f"{name}, p95, {clock}", value=p95, unit="ms", aim=aim),
        ]
    return found


def _cold(index: Path, questions: Path) -> list[Figure]:
    """Over fresh processes: each asks another question as its first."""
    texts = [q.text for q in read_questions(questions) if q.sections][:_COLD_RUNS]
    times = []
    for text in texts:
        command = [sys.executable, __file__, str(index), str(questions), "--first", text]
        wall, cpu = subprocess.run(command, check=True, capture_output=True).stdout.split()
        times.append((float(wall), float(cpu)))
    return _figures("first question of a process", times, 400)


if __name__ == "__main__":
    main()
