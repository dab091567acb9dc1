"""Searches as the application makes them, and hostile ones: CPU milliseconds of each."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from pathlib import Path

from common import Figure, median_and_p95
from search_queries import hostile_requests

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.evidence import MatchMode, SearchHit, SearchRequest
from ancremed_desktop.index.reader import SqlitePassageIndex
from ancremed_desktop.pipeline.deep_search import deep_search
from ancremed_desktop.pipeline.lexicon import load_lexicon
from ancremed_desktop.pipeline.plan import make_plan
from ancremed_desktop.pipeline.understand import understand
from ancremed_desktop.settings.paths import RESOURCES


class _TimedIndex(SqlitePassageIndex):
    """Keeps the CPU milliseconds of every search, and what was searched."""

    def __init__(self, paths: Sequence[Path]) -> None:
        super().__init__(paths)
        self.spent: list[tuple[float, SearchRequest]] = []

    def search(self, request: SearchRequest) -> tuple[SearchHit, ...]:
        start = time.process_time()
        hits = super().search(request)
        self.spent.append((1e3 * (time.process_time() - start), request))
        return hits


def deep_figures(
    path: Path, questions: Sequence[str], name: str, aim: float, deep_aim: float
) -> list[Figure]:
    """Every deep search of the questions and every search it makes, each question once."""
    lexicon = load_lexicon(RESOURCES / "lexicons")
    index = _TimedIndex([path])
    whole = []
    for text in questions:
        plan = make_plan(understand(text, index, lexicon), index, lexicon)
        start = time.process_time()
        deep_search(plan, index, lexicon.sections, CancelToken())
        whole.append(1e3 * (time.process_time() - start))
    median, p95 = median_and_p95(whole)
    found = [
        Figure(name=f"{name}, median", value=median, unit="ms"),
        Figure(name=f"{name}, p95", value=p95, unit="ms", aim=deep_aim),
        Figure(name=f"{name}, searches a question", value=len(index.spent) / len(whole), unit=""),
    ]
    spent = {mode: [t for t, r in index.spent if r.mode is mode] for mode in MatchMode}
    for label, times in (("all", [t for t, _ in index.spent]), *spent.items()):
        if len(times) > 1:
            median, p95 = median_and_p95(times)
            title = f"{name}, sub-query, {label}"
            limit = aim if label == "all" else None
            found += [
                Figure(name=f"{title}, median", value=median, unit="ms"),
                Figure(name=f"{title}, p95", value=p95, unit="ms", aim=limit),
                Figure(name=f"{title}, sum", value=sum(times), unit="ms"),
            ]
    index.close()
    return found


def hostile_figures(path: Path, count: int) -> list[Figure]:
    """No exception: one would end the run."""
    index = _TimedIndex([path])
    for request in hostile_requests(count):
        index.search(request)
    index.close()
    groups = {"all": MatchMode, **{mode.value: (mode,) for mode in MatchMode}}
    found = []
    for label, modes in groups.items():
        times = [t for t, r in index.spent if r.mode in modes]
        p99 = statistics.quantiles(times, n=100, method="inclusive")[-1]
        aim = 100 if label == "all" else None
        name = f"{len(times)} hostile queries, {label}, p99"
        found.append(Figure(name=name, value=p99, unit="ms", aim=aim))
    return found
