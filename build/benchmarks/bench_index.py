"""Index build against the plainest fast recipe, and search times by kind of query.

Usage: python build/benchmarks/bench_index.py INDEX [--rounds N]

INDEX is a finished index (``library build``): its own passages are built again, alternately as
the application does and as the recipe does (insert the rows of ``documents``, create the full
text, rebuild it, add the triggers, checkpoint), so that both see the same load of the machine.
Times are CPU seconds. Memory is that of the whole run, which holds all documents at once.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import apsw
from common import Figure, median_and_p95, peak_mb, show
from rebuilt import build_index, size_figures, stored_documents

from ancremed_desktop.domain.documents import SourceDocument
from ancremed_desktop.domain.evidence import MatchMode, SearchRequest
from ancremed_desktop.index.connection import run_script
from ancremed_desktop.index.reader import SqlitePassageIndex, open_index
from ancremed_desktop.index.rows import document_row
from ancremed_desktop.index.schema import INDEX, TABLES_VERSION

_QUERIES_PER_KIND = 40


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("index", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    index = open_index([args.index])
    documents = list(stored_documents(index))
    figures = _builds(documents, args.rounds)
    figures.append(Figure(name="peak memory", value=peak_mb(), unit="MB", aim=600))
    figures += _searches(index)
    index.close()
    print(f"{sum(len(d.passages) for d in documents)} passages")
    show(figures)


def _builds(documents: list[SourceDocument], rounds: int) -> list[Figure]:
    times: dict[str, list[float]] = defaultdict(list)
    sizes: list[Figure] = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds):
            for name, build in (("ours", build_index), ("recipe", _recipe)):
                path = Path(folder) / f"{name}{number}.db"
                rows_s, index_s = build(documents, path)
                times[f"{name}, rows"].append(rows_s)
                times[f"{name}, index"].append(index_s)
                sizes = size_figures(path) if name == "ours" else sizes
                path.unlink()
    best = {name: min(values) for name, values in times.items()}
    ratio = best["ours, index"] / best["recipe, index"]
    return [
        *(Figure(name=name, value=value, unit="s") for name, value in best.items()),
        Figure(name="index part, ours / recipe", value=ratio, unit="x", aim=1.3),
        *sizes,
    ]


def _recipe(documents: list[SourceDocument], path: Path) -> tuple[float, float]:
    tables, full_text = (
        INDEX.scripts()[n].read_text(encoding="utf-8") for n in (0, TABLES_VERSION)
    )
    first = full_text.index("CREATE VIRTUAL TABLE documents_fts")
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


def _searches(index: SqlitePassageIndex) -> list[Figure]:
    """Median and p95 by kind; words are drawn from the corpus."""
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
    return [figure for name, run in kinds.items() for figure in _times(name, run)]


def _search(index: SqlitePassageIndex, query: str, mode: MatchMode) -> object:
    return index.search(SearchRequest(query=query, mode=mode))


def _times(name: str, run: Callable[[], object]) -> list[Figure]:
    spent = []
    for _ in range(_QUERIES_PER_KIND):
        start = time.perf_counter()
        run()
        spent.append((time.perf_counter() - start) * 1e3)
    median, p95 = median_and_p95(spent)
    return [
        Figure(name=f"{name}, median", value=median, unit="ms"),
        Figure(name=f"{name}, p95", value=p95, unit="ms"),
    ]


if __name__ == "__main__":
    main()
