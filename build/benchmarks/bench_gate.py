"""Time of the gate and the rule verifier for one assertion, cold and with its source read before.

Usage: python build/benchmarks/bench_gate.py CASES.jsonl [--rounds N]

Each case is judged alone. « cold »: nothing read before. « read »: the same passage was read for
another assertion of the same answer, as all assertions of one answer share their passages.
Times are CPU seconds of one core.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable
from pathlib import Path

from common import Figure, median_and_p95, show

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.evaluation.gate import Case, judge_case, names_of, read_cases
from ancremed_desktop.pipeline.rules.parse import concepts_of, lexicon, parse
from ancremed_desktop.pipeline.rules.rule_verifier import RuleVerifier
from ancremed_desktop.text.lists import runs
from ancremed_desktop.text.markers import unquotable_spans
from ancremed_desktop.text.matching import encoded, tokenise
from ancremed_desktop.text.negation import read
from ancremed_desktop.text.normalise import _fold_sentence
from ancremed_desktop.text.quantities import find_quantities
from ancremed_desktop.text.sentences import sentence_spans

_READINGS = (
    parse, concepts_of, read, runs, sentence_spans, tokenise, encoded, find_quantities,
    unquotable_spans, _fold_sentence,
)  # fmt: skip
"""What is kept of whole texts; words of the language stay known."""
_AIM_MS = 2.0
_AIM_RATE = 500.0


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("cases", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    cases = read_cases(args.cases)
    lexicon()
    figures: list[Figure] = []
    for name, before in (("cold", _forget), ("read", lambda: None)):
        times = [t for _ in range(args.rounds) for t in _round(cases, before)]
        median, p95 = median_and_p95(times)
        figures.append(Figure(name=f"{name}: median", value=median, unit="ms", aim=_AIM_MS))
        figures.append(Figure(name=f"{name}: 95th percentile", value=p95, unit="ms"))
        mean = sum(times) / len(times)
        figures.append(Figure(name=f"{name}: mean", value=mean, unit="ms", aim=1000 / _AIM_RATE))
    show(figures)


def _round(cases: tuple[Case, ...], before: Callable[[], None]) -> list[float]:
    """CPU milliseconds of each case."""
    known = names_of(p for c in cases for p in c.passages)
    times = []
    gc.collect()
    for case in cases:
        before()
        start = time.process_time()
        judge_case(case, RuleVerifier(), known, CancelToken())
        times.append(1000 * (time.process_time() - start))
    return times


def _forget() -> None:
    for cached in _READINGS:
        cached.cache_clear()


if __name__ == "__main__":
    main()
