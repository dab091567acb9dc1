"""Index build against the plainest fast recipe, and search times by kind of query.

Usage: python build/benchmarks/bench_index.py INDEX [--rounds N]

INDEX is a finished index (``library build``): its own passages are built again, alternately as
the application does and as the recipe does (insert the rows of ``documents``, create the full
text, rebuild it, add the triggers, checkpoint), so that both see the same load of the machine.
The target is a ratio of at most 1.3 between the index parts. Times are CPU seconds.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import apsw

from ancremed_desktop.domain.documents import SourceDocument
from ancremed_desktop.domain.evidence import MatchMode, SearchRequest
from ancremed_desktop.index.connection import run_script
from ancremed_desktop.index.reader import SqlitePassageIndex, open_index
from ancremed_desktop.index.rows import document_row
from ancremed_desktop.index.schema import INDEX, TABLES_VERSION
from ancremed_desktop.index.writer import IndexWriter

_QUERIES_PER_KIND = 40


def main() -> None:
    """Print one JSON object."""
    parser = argparse.ArgumentParser()
    parser.add_argument("index", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    index = open_index([args.index])
    documents = _documents(index)
    report = {
        "passages": sum(len(d.passages) for d in documents),
        "build": _builds(documents, args.rounds),
        "search_ms": _searches(index),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    index.close()
    print(json.dumps(report, indent=1, ensure_ascii=False))


def _documents(index: SqlitePassageIndex) -> list[SourceDocument]:
    found = []
    for source in index.sources():
        passages = [
            replace(p, superseded=source.superseded)
            for p in index.passages_of(source.source_identifier)
            if p.source_key == source.key
        ]
        found.append(SourceDocument(source=source, passages=tuple(passages)))
    return found


def _builds(documents: list[SourceDocument], rounds: int) -> dict[str, float]:
    times: dict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds):
            for name, build in (("ours", _ours), ("recipe", _recipe)):
                rows_s, index_s = build(documents, Path(folder) / f"{name}{number}.db")
                times[f"{name}_rows_s"].append(rows_s)
                times[f"{name}_index_s"].append(index_s)
    best = {name: min(values) for name, values in times.items()}
    ours = best["ours_rows_s"] + best["ours_index_s"]
    recipe = best["recipe_rows_s"] + best["recipe_index_s"]
    best["ratio_index"] = best["ours_index_s"] / best["recipe_index_s"]
    best["ratio_whole"] = ours / recipe
    return {name: round(value, 3) for name, value in best.items()}


def _ours(documents: list[SourceDocument], path: Path) -> tuple[float, float]:
    start = time.process_time()
    with IndexWriter(path) as writer:
        writer.begin_part("essai")
        for document in documents:
            writer.add(document)
        writer.end_part()
        stored = time.process_time()
        writer.finish()
    return stored - start, time.process_time() - stored


def _recipe(documents: list[SourceDocument], path: Path) -> tuple[float, float]:
    tables, full_text = (
        s.read_text(encoding="utf-8") for s in INDEX.scripts()[: TABLES_VERSION + 1]
    )
    first = full_text.index("CREATE VIRTUAL TABLE IF NOT EXISTS documents_fts")
    last = full_text.index("-- Every token of the full text")
    start = time.process_time()
    db = apsw.Connection(str(path))
    run_script(db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
    run_script(db, tables)
    rows = (p for d in documents for p in d.passages)
    with db:
        db.executemany(
            "INSERT INTO documents (rowid, id, origin_title, category_silo, source_identifier, "
            "regulatory_date, superseded, page_number, chunk_index, text_content) "
            "VALUES (?,?,?,?,?,?,?,?,?,?)",
            (document_row(number, passage) for number, passage in enumerate(rows, 1)),
        )
    stored = time.process_time()
    with db:
        run_script(db, full_text[first:last])
    run_script(db, "PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    return stored - start, time.process_time() - stored


def _searches(index: SqlitePassageIndex) -> dict[str, dict[str, float]]:
    """p50 and p95 by kind, first runs left out of neither: words are drawn from the corpus."""
    random.seed(7)
    texts = [
        p.text
        for s in random.sample(index.sources(), 400)
        for p in index.passages_of(s.source_identifier)[:1]
    ]
    words = sorted({w.lower() for t in texts for w in t.split() if w.isalpha() and len(w) > 5})
    common = sorted(words, key=lambda w: -index.document_frequency(w))[:60]

    def some(pool: list[str], count: int) -> str:
        return " ".join(random.sample(pool, count))

    def typo() -> str:
        word = random.choice(words)
        return word[:2] + word[3:]

    kinds: dict[str, Callable[[], object]] = {
        "all_2_words": lambda: _search(index, some(words, 2), MatchMode.ALL),
        "any_8_words": lambda: _search(index, some(words, 8), MatchMode.ANY),
        "any_6_common": lambda: _search(index, some(common, 6), MatchMode.ANY),
        "phrase": lambda: _search(
            index, " ".join(random.choice(texts).split()[2:5]), MatchMode.PHRASE
        ),
        "near": lambda: _search(index, some(common, 2), MatchMode.NEAR),
        "substring": lambda: _search(index, random.choice(words)[1:5], MatchMode.SUBSTRING),
        "mentions": lambda: index.mentions(some(words, 12)),
        "document_frequency": lambda: index.document_frequency(random.choice(words)),
        "vocabulary_matches": lambda: index.vocabulary_matches(typo()),
    }
    return {name: _times(run) for name, run in kinds.items()}


def _search(index: SqlitePassageIndex, query: str, mode: MatchMode) -> object:
    return index.search(SearchRequest(query=query, mode=mode))


def _times(run: Callable[[], object]) -> dict[str, float]:
    spent = []
    for _ in range(_QUERIES_PER_KIND):
        start = time.perf_counter()
        run()
        spent.append((time.perf_counter() - start) * 1e3)
    cuts = statistics.quantiles(spent, n=20)
    return {"p50": round(statistics.median(spent), 2), "p95": round(cuts[-1], 2)}


if __name__ == "__main__":
    main()
