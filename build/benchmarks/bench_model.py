"""Speed of the local model: against bare llama.cpp, on a prefix already read, on a busy machine.

Usage: python build/benchmarks/bench_model.py [--turns N] [--tokens N]

Needs « main.py models setup ». Ours and the bare loop (llama_decode and a greedy choice, same
threads and settings, in a process of its own) run in short turns, each first in its turn, so that
both see the same load; the ratio is the median of the turns with its 95 % bounds. CPU seconds a
token, parent included, say the same on a machine that is busy otherwise.
Targets: ratio to bare ≥ 0.95; first token ≥ 4 × sooner on a known prefix; with a core taken by
another process, no less than a third of the speed.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import statistics
import sys
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import psutil

from ancremed_desktop.app import model_library
from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.models import Completion, CompletionRequest, Message, Role
from ancremed_desktop.ports import LanguageModel
from ancremed_desktop.providers.llama_cpp.machine import threads
from ancremed_desktop.providers.llama_cpp.model import LlamaCppModel

_STORY = "Write a very long story about a journey on the sea."
_CONTEXT = "The patient is a 67-year-old man with fever, cough and chest pain since Monday. " * 30


def main() -> None:
    """Print one JSON object."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--turns", type=int, default=40)
    parser.add_argument("--tokens", type=int, default=40)
    args = parser.parse_args()
    library = model_library()
    path = library.model(library.bundled).path
    if path is None:
        parser.error("run « main.py models setup » first")
    model = library.open(library.bundled)
    assert isinstance(model, LlamaCppModel)
    bare = _Bare(path)
    try:
        report = {
            "model": model.name,
            "threads": threads(),
            "generation": _generation(model, bare, args.turns, args.tokens),
            "prefix": _prefix(model, 5),
            "busy": _busy(model, 120),
        }
    finally:
        bare.close()
        model.close()
    print(json.dumps(report, indent=1))


def _generation(model: LlamaCppModel, bare: _Bare, turns: int, tokens: int) -> dict[str, object]:
    """Tokens per second after the first, ours and bare, and the median ratio of the turns."""
    _ask(model, _STORY, tokens)
    bare.speed(tokens)
    pairs, cpu = [], [0.0, 0.0]
    written = 0

    def ours() -> float:
        nonlocal written
        start = _cpu(model.pid) + _cpu(os.getpid())
        completion = _ask(model, _STORY, tokens)
        cpu[0] += _cpu(model.pid) + _cpu(os.getpid()) - start
        written += completion.usage.completion_tokens
        return _speed(completion)

    def raw() -> float:
        start = _cpu(bare.pid)
        speed = bare.speed(tokens)
        cpu[1] += _cpu(bare.pid) - start
        return speed

    for turn in range(turns):
        if turn % 2:
            own = ours()
            pairs.append((own, raw()))
        else:
            other = raw()
            pairs.append((ours(), other))
    ratios = [own / other for own, other in pairs]
    low, high = _median_bounds(ratios)
    return {
        "ours_per_s": round(statistics.median(own for own, _ in pairs), 1),
        "bare_per_s": round(statistics.median(other for _, other in pairs), 1),
        "ratio": round(statistics.median(ratios), 3),
        "ratio_95": [round(low, 3), round(high, 3)],
        "ours_cpu_ms_a_token": round(1000 * cpu[0] / written, 2),
        "bare_cpu_ms_a_token": round(1000 * cpu[1] / (turns * tokens), 2),
    }


def _median_bounds(values: Sequence[float]) -> tuple[float, float]:
    """95 % bounds of a median: percentiles of 2,000 redraws, seed fixed."""
    draw = random.Random(0)
    medians = sorted(statistics.median(draw.choices(values, k=len(values))) for _ in range(2000))
    return medians[50], medians[-51]


def _prefix(model: LanguageModel, rounds: int) -> dict[str, object]:
    """First piece of a question on a new context, then of another on the same context."""
    first, second = [], []
    for number in range(rounds):
        context = f"Case {number}. {_CONTEXT}"
        first.append(_ask(model, f"{context} Is there a fever?", 4))
        second.append(_ask(model, f"{context} How old is he?", 4))
    cold, warm = (
        statistics.median(c.timings.first_text_s for c in completions)
        for completions in (first, second)
    )
    return {
        "prompt_tokens": second[0].usage.prompt_tokens,
        "cached_tokens": second[0].usage.cached_tokens,
        "first_s": round(cold, 3),
        "second_s": round(warm, 3),
        "times_sooner": round(cold / warm, 1),
    }


def _busy(model: LanguageModel, tokens: int) -> dict[str, object]:
    """Speed alone and beside one process that never rests."""
    alone = _speed(_ask(model, _STORY, tokens))
    process = multiprocessing.get_context("spawn").Process(target=_burn, daemon=True)
    process.start()
    time.sleep(1)
    beside = _speed(_ask(model, _STORY, tokens))
    process.kill()
    process.join()
    return {
        "alone_per_s": round(alone, 1),
        "beside_per_s": round(beside, 1),
        "ratio": round(beside / alone, 2),
    }


def _cpu(pid: int | None) -> float:
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


def _ask(model: LanguageModel, text: str, tokens: int) -> Completion:
    request = CompletionRequest(
        messages=(Message(role=Role.USER, content=text),), max_tokens=tokens, timeout_s=600
    )
    return model.complete(request, cancel=CancelToken())


def _speed(completion: Completion) -> float:
    timings = completion.timings
    return (completion.usage.completion_tokens - 1) / (timings.total_s - timings.first_text_s)


def _burn() -> None:
    while True:
        pass


class _Bare:
    """llama.cpp alone in a process: what our provider adds is measured against it."""

    def __init__(self, path: Path) -> None:
        context = multiprocessing.get_context("spawn")
        self._ours, theirs = context.Pipe()
        self._process = context.Process(target=_bare, args=(theirs, str(path)), daemon=True)
        self._process.start()

    def speed(self, tokens: int) -> float:
        """Tokens per second after the first."""
        self._ours.send(tokens)
        return float(str(self._ours.recv()))

    @property
    def pid(self) -> int | None:
        return self._process.pid

    def close(self) -> None:
        self._process.kill()
        self._process.join()


def _bare(connection: Connection[float, int], path: str) -> None:
    os.environ["OMP_WAIT_POLICY"] = "passive"
    os.environ["GOMP_SPINCOUNT"] = "0"
    import llama_cpp as native

    quiet = native.llama_log_callback(lambda _level, _text, _data: None)
    native.llama_log_set(quiet, None)
    native.llama_backend_init()
    model = native.llama_model_load_from_file(path.encode(), native.llama_model_default_params())
    params = native.llama_context_default_params()
    params.n_ctx = 4096
    params.n_threads = params.n_threads_batch = threads()
    context = native.llama_init_from_model(model, params)
    vocabulary = native.llama_model_get_vocab(model)
    text = f"<|im_start|>user\n{_STORY}<|im_end|>\n<|im_start|>assistant\n".encode()
    prompt = (native.llama_token * 256)()
    size = native.llama_tokenize(vocabulary, text, len(text), prompt, 256, False, True)
    sampler = native.llama_sampler_init_greedy()
    one = (native.llama_token * 1)()
    native.llama_decode(context, native.llama_batch_get_one(prompt, size))
    while True:
        tokens = connection.recv()
        # As ours on a question asked again: all but the last token of the prompt is kept.
        native.llama_memory_seq_rm(native.llama_get_memory(context), 0, size - 1, -1)
        one[0] = prompt[size - 1]
        native.llama_decode(context, native.llama_batch_get_one(one, 1))
        one[0] = native.llama_sampler_sample(sampler, context, -1)
        start = time.perf_counter()
        for _ in range(tokens - 1):
            native.llama_decode(context, native.llama_batch_get_one(one, 1))
            one[0] = native.llama_sampler_sample(sampler, context, -1)
        connection.send((tokens - 1) / (time.perf_counter() - start))


if __name__ == "__main__":
    main()
