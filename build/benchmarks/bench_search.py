"""Our searches beside the specification's form, tantivy and bm25s, on the same passages.

Usage: python build/benchmarks/bench_search.py INDEX [--only PART...] [--growth 0.1 10]

Needs ``requirements-bench.txt``. INDEX is a finished index (``library build``). The engines are
built from its rows, opened and asked each query in turn, once, so that all see the same load of
the machine; times are CPU time. Ours returns whole passages with their hashes checked, the
specification's form whole rows, the others names of passages. « Overlap » is the part of our ten
best that an engine's ten best hold, « score » the part of an engine's ten best that FTS5 scores
no lower than its own tenth: passages that tie make the first low and leave the second whole.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from common import ROOT, Figure, median_and_p95, own_folders, show
from rebuilt import build_index, scaled, size_figures, stored_documents
from search_engines import (
    TOP,
    Ask,
    Bm25s,
    NotOfferedError,
    Ours,
    Query,
    Specification,
    Tantivy,
    read_rows,
    size_of,
)
from search_load import deep_figures, hostile_figures
from search_queries import CODE, COMMON, KINDS, RANKED, SAME_SCORES, Drawer

from ancremed_desktop.app import toolbox
from ancremed_desktop.domain.evidence import MatchMode, SearchRequest
from ancremed_desktop.evaluation.gold import read_gold
from ancremed_desktop.index.match_query import expand, query_words
from ancremed_desktop.index.reader import open_index
from ancremed_desktop.pipeline.lexicon import load_lexicon
from ancremed_desktop.settings.paths import RESOURCES

_GOLD = ROOT / "tests" / "data" / "gold"
_SILOS = ("edn", "has", "bdpm", "formulas", "fiches")
_PER_KIND = 40
_COLD_RUNS = 5
_NEAR = 1e-4
"""A word that most rows hold weighs 1e-6 in FTS5 and nothing in ours."""
_OURS, _SPECIFICATION = "ours", "specification"
_PEERS = {_SPECIFICATION: Specification(), "tantivy": Tantivy(), "bm25s": Bm25s()}
_OPENED = {_OURS: Ours(), **_PEERS}
_PARTS = ("engines", "same", "cold", "deep", "hostile", "growth")
_SAME = 241
"""Queries of each kind whose scores are compared with those of SQLite."""


def main() -> None:
    """Print the figures, part by part."""
    parser = argparse.ArgumentParser()
    parser.add_argument("index", type=Path)
    parser.add_argument("--only", choices=_PARTS, nargs="+", default=_PARTS)
    parser.add_argument("--growth", type=float, nargs="*", default=[0.1, 10])
    parser.add_argument("--hostile", type=int, default=10_000, help="how many queries")
    parser.add_argument("--first", nargs=3, metavar=("ENGINE", "FOLDER", "QUESTION"))
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        own_folders(Path(folder))
        if args.first:
            print(*_first(*args.first))
            return
        work = Path(folder) / "engines"
        work.mkdir()
        paths = {_OURS: args.index} | {name: work / name for name in _PEERS}
        parts: dict[str, Callable[[], list[Figure]]] = {
            "engines": lambda: [*_builds(args.index, paths), *_queries(args.index, paths)],
            "same": lambda: _same(args.index),
            "cold": lambda: _cold(paths),
            "deep": lambda: deep_figures(args.index, _questions(), "deep search", 10, 40),
            "hostile": lambda: hostile_figures(args.index, args.hostile),
            "growth": lambda: [f for x in args.growth for f in _grown(args.index, x, work)],
        }
        for name in args.only:
            print(f"\n{name}")
            show(parts[name]())


def _questions() -> list[str]:
    """The gold questions, each half of the files in turn."""
    return [q.text for q in read_gold([_GOLD / f"{silo}.jsonl" for silo in _SILOS])]


def _same(path: Path) -> list[Figure]:
    """How many queries give the ten best scores that SQLite gives on the same file."""
    index, lexicon = open_index([path]), load_lexicon(RESOURCES / "lexicons")
    drawer = Drawer(index, path)
    drawn = drawer.queries(_SAME, (), lexicon, index)
    drawer.close()
    scores = _PEERS[_SPECIFICATION].scores(path)
    found = []
    for kind in SAME_SCORES:
        queries = [q for q in drawn if q.kind == kind]
        same = 0
        for query in queries:
            scored = scores(query)
            best = sorted(scored.values(), reverse=True)[:TOP]
            ours = sorted(
                (scored.get(h.passage.urn, 0) for h in index.search(query.request)), reverse=True
            )
            near = (abs(a - b) < _NEAR for a, b in zip(ours, best, strict=False))
            same += len(ours) == len(best) and all(near)
        found.append(Figure(name=f"{kind}, same of {len(queries)}", value=same, unit=""))
    index.close()
    return found


def _builds(index: Path, paths: dict[str, Path]) -> list[Figure]:
    rows = read_rows(index)
    text = sum(len(f"{row[1]}{row[8]}".encode()) for row in rows)
    again = paths[_SPECIFICATION].with_name("ours")
    opened = open_index([index])
    documents = list(stored_documents(opened))
    opened.close()
    builds: dict[str, Callable[[], object]] = {
        _OURS: lambda: build_index(documents, again),
        **{name: (lambda n=name: _PEERS[n].build(rows, paths[n])) for name in _PEERS},
    }
    found = []
    for name, build in builds.items():
        start = time.process_time()
        build()
        spent = time.process_time() - start
        found.append(Figure(name=f"build of {len(rows)} passages, {name}", value=spent, unit="s"))
        size = size_of(paths.get(name, again) if name != _OURS else again)
        found.append(Figure(name=f"size / text, {name}", value=size / text, unit="x"))
    found += [replace(f, name=f"{f.name}, ours") for f in size_figures(again)[1:]]
    again.unlink()
    return found


def _queries(path: Path, paths: dict[str, Path]) -> list[Figure]:
    index, lexicon = open_index([path]), load_lexicon(RESOURCES / "lexicons")
    drawer = Drawer(index, path)
    queries = drawer.queries(_PER_KIND + 1, _questions()[::7], lexicon, index)
    drawer.close()
    index.close()
    scores = _PEERS[_SPECIFICATION].scores(paths[_SPECIFICATION])
    asks = {name: engine.open(paths[name]) for name, engine in _OPENED.items()}
    found: list[Figure] = []
    for kind in KINDS:
        asked = [q for q in queries if q.kind == kind]
        for ask in asks.values():
            _try(ask, asked[0])
        times, tops = _in_turn(asks, asked[1:])
        found += _of_kind(kind, times)
        if kind not in (CODE, RANKED):
            found += _agreement(kind, asked[1:], tops, scores)
    return found


def _try(ask: Ask, query: Query) -> tuple[float, list[str]] | None:
    """CPU milliseconds and URNs; ``None`` where the engine has no such query."""
    start = time.process_time()
    try:
        urns = ask(query)
    except NotOfferedError:
        return None
    return 1e3 * (time.process_time() - start), urns


def _in_turn(
    asks: dict[str, Ask], queries: Sequence[Query]
) -> tuple[dict[str, list[float]], dict[str, list[list[str]]]]:
    """Times and URNs by engine; the engine that goes first changes with each query."""
    times: dict[str, list[float]] = defaultdict(list)
    tops: dict[str, list[list[str]]] = defaultdict(list)
    names = list(asks)
    for number, query in enumerate(queries):
        turn = number % len(names)
        for name in names[turn:] + names[:turn]:
            if (given := _try(asks[name], query)) is not None:
                times[name].append(given[0])
                tops[name].append(given[1])
    return times, tops


def _of_kind(kind: str, times: dict[str, list[float]]) -> list[Figure]:
    """Medians and 95th percentiles, then how many times faster than the specification's form
    and slower than tantivy.
    """
    found = []
    for name, spent in times.items():
        median, p95 = median_and_p95(spent)
        aim = 10 if name == _OURS else None
        found.append(Figure(name=f"{kind}, {name}, median", value=median, unit="ms"))
        found.append(Figure(name=f"{kind}, {name}, p95", value=p95, unit="ms", aim=aim))
    ours = statistics.median(times[_OURS])
    is_common = kind == COMMON
    found.append(Figure(
        name=f"{kind}, specification / ours", unit="x", at_least=True,
        value=statistics.median(times[_SPECIFICATION]) / ours, aim=6 if is_common else None,
    ))  # fmt: skip
    found.append(Figure(
        name=f"{kind}, ours / tantivy", unit="x",
        value=ours / statistics.median(times["tantivy"]), aim=3 if is_common else None,
    ))  # fmt: skip
    return found


def _agreement(
    kind: str,
    queries: Sequence[Query],
    tops: dict[str, list[list[str]]],
    scores: Callable[[Query], dict[str, float]],
) -> list[Figure]:
    found = []
    for name, given in tops.items():
        if name != _OURS:
            pairs = zip(tops[_OURS], given, strict=True)
            share = [len({*a} & {*b}) / len(a) for a, b in pairs if a]
            found.append(_percent(f"{kind}, overlap, {name}", share))
    if kind not in SAME_SCORES:
        return found
    held: dict[str, list[float]] = defaultdict(list)
    for number, query in enumerate(queries):
        scored = scores(query)
        best = sorted(scored.values(), reverse=True)[:TOP]
        for name, given in tops.items() if best else ():
            good = [u for u in given[number] if scored.get(u, 0) >= best[-1] - 1e-6]
            held[name].append(len(good) / len(best))
    return found + [_percent(f"{kind}, score, {name}", share) for name, share in held.items()]


def _percent(name: str, shares: Sequence[float]) -> Figure:
    return Figure(name=name, value=100 * statistics.fmean(shares), unit="%")


def _cold(paths: dict[str, Path]) -> list[Figure]:
    """Fresh processes, their files out of the system's cache: opening, then one question."""
    found = []
    for name, path in paths.items():
        if not path.exists():
            print(f"{name}: not built in this run (part « engines »), left out")
            continue
        runs = []
        for question in _questions()[3 :: len(_questions()) // _COLD_RUNS]:
            command = [sys.executable, __file__, str(path), "--first", name, str(path), question]
            told = subprocess.run(command, check=True, capture_output=True, cwd=ROOT).stdout
            runs.append(tuple(map(float, told.split())))
        for what, values in zip(_COLD_FIGURES, zip(*runs, strict=False), strict=False):
            aim = 400 if what.startswith("first answer") else None
            value = statistics.median(values)
            found.append(Figure(name=f"cold, {name}, {what}", value=value, unit="ms", aim=aim))
    return found


_COLD_FIGURES = (
    "open, wall", "open, CPU", "first OR, wall", "first OR, CPU",
    "ready to answer, wall", "ready to answer, CPU", "first answer, wall", "first answer, CPU",
)  # fmt: skip


def _first(name: str, folder: str, question: str) -> list[float]:
    """Wall and CPU milliseconds of opening and of one OR; of ours then the same of an answer."""
    path = Path(folder)
    groups = tuple(expand(word, lambda token: (token,)) for word in query_words(question))
    request = SearchRequest(query=question, mode=MatchMode.ANY, limit=TOP)
    query = Query(kind="first", request=request, groups=groups)
    _forget(path)
    opened, ask = _clocked(lambda: _OPENED[name].open(path))
    told = [*opened, *_clocked(lambda: ask(query))[0]]
    if name == _OURS:
        _forget(path)
        opened, service = _clocked(lambda: toolbox().ask(path))
        told += [*opened, *_clocked(lambda: service.ask(question))[0]]
    return told


def _clocked(work: Callable[[], Ask]) -> tuple[tuple[float, float], Ask]:
    wall, cpu = time.perf_counter(), time.process_time()
    made = work()
    return (1e3 * (time.perf_counter() - wall), 1e3 * (time.process_time() - cpu)), made


def _forget(path: Path) -> None:
    """Ask the system to forget what it holds of these files, where it can be asked."""
    if not hasattr(os, "posix_fadvise"):
        return
    for file in [path] if path.is_file() else filter(Path.is_file, path.rglob("*")):
        descriptor = os.open(file, os.O_RDONLY)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)


def _grown(path: Path, factor: float, folder: Path) -> list[Figure]:
    """The same on a part of the corpus, or on the corpus repeated."""
    need = 2.5 * factor * path.stat().st_size
    free = shutil.disk_usage(folder).free
    if need > free:
        print(f"{factor:g} x: left out, it takes {need / 1e9:.0f} GB and {free / 1e9:.0f} are free")
        return []
    grown = folder / "grown.db"
    index = open_index([path])
    spent = sum(build_index(scaled(stored_documents(index), factor), grown))
    index.close()
    index = open_index([grown])
    passages = index.identity().passages
    lexicon = load_lexicon(RESOURCES / "lexicons")
    drawer = Drawer(index, grown)
    queries = drawer.queries(_PER_KIND + 1, _questions()[::7], lexicon, index)
    drawer.close()
    index.close()
    ask = _OPENED[_OURS].open(grown)
    aim = 150 if factor == 10 else None
    name = f"{factor:g} x"
    found = [Figure(name=f"{name}, build of {passages} passages", value=spent, unit="s")]
    for kind in KINDS:
        asked = [q for q in queries if q.kind == kind]
        times, _tops = _in_turn({_OURS: ask}, asked)
        median, p95 = median_and_p95(times[_OURS][1:])
        found.append(Figure(name=f"{name}, {kind}, median", value=median, unit="ms"))
        found.append(Figure(name=f"{name}, {kind}, p95", value=p95, unit="ms", aim=aim))
    found += deep_figures(grown, _questions(), f"{name}, deep search", aim or 10, aim or 40)
    grown.unlink()
    return found


if __name__ == "__main__":
    main()
