"""The engines ``bench_search.py`` compares, each built from the rows of ``documents``.

All get the same groups of phrases: the words of a query with the spellings that our index adds.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import apsw
import bm25s
import numpy as np
import tantivy

from ancremed_desktop.domain.evidence import MatchMode, SearchRequest
from ancremed_desktop.index import match_query
from ancremed_desktop.index.connection import run_script
from ancremed_desktop.index.match_query import Group
from ancremed_desktop.index.plain import PlainSearch
from ancremed_desktop.index.reader import open_index
from ancremed_desktop.index.schema import INDEX, TABLES_VERSION
from ancremed_desktop.text.normalise import fold

TOP = 10
DEEP = 400
"""Rows of the specification's form looked at for those that tie with its tenth."""

_TITLE_WEIGHT = 5
_COLUMNS = (
    "id, origin_title, category_silo, source_identifier, regulatory_date, superseded, "
    "page_number, chunk_index, text_content"
)
_TOKEN = re.compile(r"[^\W_]+")

Row = tuple[str | int | None, ...]
"""A row of ``documents``, in the order of the specification's columns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """``request`` is asked of our index; the other engines get ``groups`` (its words with their
    spellings), the ``piece`` of a word or the ``identifier`` of a source it stands for.
    """

    kind: str
    request: SearchRequest
    groups: tuple[Group, ...] = ()
    piece: str = ""
    identifier: str = ""

    @property
    def joins_all(self) -> bool:
        """Whether a row must hold every group."""
        return self.request.mode in (MatchMode.ALL, MatchMode.PHRASE)


Ask = Callable[[Query], list[str]]
"""URNs found, best first; raises ``NotOfferedError``."""


class NotOfferedError(Exception):
    """The engine has no such kind of query."""


class Engine(Protocol):
    """An engine: what it makes of rows, and how it is asked."""

    def build(self, rows: Sequence[Row], path: Path) -> None:
        """Build an index of the rows at ``path``."""

    def open(self, path: Path) -> Ask:
        """Open what was built."""


def read_rows(path: Path) -> list[Row]:
    """All rows of an index file, in its order."""
    db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    rows = db.execute(f"SELECT {_COLUMNS} FROM documents ORDER BY rowid").fetchall()
    db.close()
    return rows


class Ours:
    """The application's index; built by ``rebuilt.build_index``."""

    def open(self, path: Path) -> Ask:
        """See ``Engine``."""
        index = open_index([path])

        def ask(query: Query) -> list[str]:
            if query.identifier:
                named = (m for m in index.mentions(query.request.query))
                found = (p for m in named for i in m.identifiers for p in index.passages_of(i))
                return [p.urn for p in found if not p.superseded][:TOP]
            return [hit.passage.urn for hit in index.search(query.request)]

        return ask


class Specification:
    """FTS5 as the specification writes it: triggers, join and sort in one statement (§5.5).

    In its favour: all rows in one transaction instead of one each.
    """

    _MATCH = (
        "SELECT id, documents.origin_title, category_silo, source_identifier, regulatory_date, "
        "superseded, page_number, chunk_index, documents.text_content, "
        "bm25(documents_fts, 5.0, 1.0) AS score FROM documents "
        "JOIN documents_fts ON documents.rowid = documents_fts.rowid "
        "WHERE documents_fts MATCH ? AND documents.superseded = 0 ORDER BY score ASC LIMIT ?"
    )
    _LIKE = (
        f"SELECT {_COLUMNS} FROM documents WHERE superseded = 0 "
        "AND (text_content LIKE ?1 OR origin_title LIKE ?1) LIMIT ?2"
    )
    _OF_SOURCE = (
        f"SELECT {_COLUMNS} FROM documents WHERE superseded = 0 AND source_identifier = ? LIMIT ?"
    )

    def build(self, rows: Sequence[Row], path: Path) -> None:
        """See ``Engine``."""
        tables, full_text = (
            INDEX.scripts()[n].read_text(encoding="utf-8") for n in (0, TABLES_VERSION)
        )
        virtual = full_text[full_text.index("CREATE VIRTUAL TABLE documents_fts") :]
        triggers = full_text[full_text.index("CREATE TRIGGER") :]
        db = apsw.Connection(str(path))
        run_script(db, tables)
        run_script(db, virtual[: virtual.index(";") + 1])
        run_script(db, triggers[: triggers.index("-- Every token of the full text")])
        with db:
            db.executemany(
                f"INSERT INTO documents ({_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?)",
                rows,
            )
        db.close()

    def open(self, path: Path) -> Ask:
        """See ``Engine``."""
        db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        plain = PlainSearch(path)

        def ask(query: Query) -> list[str]:
            if query.request.mode is MatchMode.RANKED:
                return list(plain.urns(query.request.query, None, TOP))
            if query.identifier:
                found = db.execute(self._OF_SOURCE, (query.identifier, TOP))
            elif query.piece:
                found = db.execute(self._LIKE, (f"%{query.piece}%", TOP))
            else:
                found = db.execute(self._MATCH, (match_of(query), TOP))
            return [str(row[0]) for row in found.fetchall()]

        return ask

    def scores(self, path: Path) -> Callable[[Query], dict[str, float]]:
        """How the specification's form scores the best rows, more than it would return."""
        db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        return lambda query: {
            str(row[0]): -float(str(row[-1]))
            for row in db.execute(self._MATCH, (match_of(query), DEEP))
        }


def match_of(query: Query) -> str:
    """FTS5 match text of a query."""
    mode = MatchMode.ALL if query.joins_all else MatchMode.ANY
    return match_query.match_text(query.groups, mode, ())


class Tantivy:
    """One field with the title five times, the nearest to FTS5's weights of its columns."""

    def build(self, rows: Sequence[Row], path: Path) -> None:
        """See ``Engine``."""
        builder = tantivy.SchemaBuilder()
        builder.add_unsigned_field("gone", indexed=True, fast=True)
        builder.add_text_field("all", tokenizer_name="folded", index_option="position")
        builder.add_text_field("of", tokenizer_name="raw", index_option="basic")
        builder.add_text_field("id", stored=True, tokenizer_name="raw", index_option="basic")
        path.mkdir()
        index = self._registered(tantivy.Index(builder.build(), path=str(path)))
        writer = index.writer(heap_size=512 << 20, num_threads=1)
        for urn, title, _silo, identifier, _date, gone, _page, _chunk, text in rows:
            document = tantivy.Document()
            document.add_unsigned("gone", int(str(gone)))
            document.add_text("id", str(urn))
            document.add_text("of", str(identifier))
            for _ in range(_TITLE_WEIGHT):
                document.add_text("all", str(title))
            document.add_text("all", str(text))
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()

    def open(self, path: Path) -> Ask:
        """See ``Engine``."""
        index = self._registered(tantivy.Index.open(str(path)))
        index.reload()
        searcher, schema = index.searcher(), index.schema
        of, must = tantivy.Query, tantivy.Occur.Must
        current = of.const_score_query(of.term_query(schema, "gone", 0, "basic"), 0.0)

        def any_of(queries: Sequence[tantivy.Query]) -> tantivy.Query:
            if len(queries) == 1:
                return queries[0]
            return of.boolean_query([(tantivy.Occur.Should, q) for q in queries])

        def phrase(words: Sequence[str]) -> tantivy.Query:
            tokens = [fold(word) for word in words]
            if len(tokens) == 1:
                return of.term_query(schema, "all", tokens[0])
            return of.phrase_query(schema, "all", tokens)

        def made(query: Query) -> tantivy.Query:
            if query.identifier:
                return of.term_query(schema, "of", query.identifier, "basic")
            if query.piece:
                return of.regex_query(schema, "all", f".*{query.piece}.*")
            groups = [_distinct(group) for group in query.groups]
            if query.joins_all:
                return of.boolean_query([(must, any_of([phrase(p) for p in g])) for g in groups])
            return any_of([phrase(p) for p in dict.fromkeys(p for g in groups for p in g)])

        def ask(query: Query) -> list[str]:
            kept = of.boolean_query([(must, made(query)), (must, current)])
            hits = searcher.search(kept, TOP, count=False).hits
            return [str(searcher.doc(address)["id"][0]) for _score, address in hits]

        return ask

    @staticmethod
    def _registered(index: tantivy.Index) -> tantivy.Index:
        simple = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        folded = simple.filter(tantivy.Filter.lowercase()).filter(tantivy.Filter.ascii_fold())
        index.register_tokenizer("folded", folded.build())
        return index


class Bm25s:
    """Scores kept ready in a sparse matrix; no phrase, no conjunction, no piece of a word."""

    def build(self, rows: Sequence[Row], path: Path) -> None:
        """See ``Engine``."""
        tokens = [
            _TOKEN.findall(fold(f"{' '.join([str(row[1])] * _TITLE_WEIGHT)} {row[8]}"))
            for row in rows
        ]
        found = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
        found.index(tokens, show_progress=False)
        found.save(str(path))
        (path / "rows.json").write_text(json.dumps([[row[0], row[5]] for row in rows]))

    def open(self, path: Path) -> Ask:
        """See ``Engine``."""
        found = bm25s.BM25.load(str(path))
        rows = json.loads((path / "rows.json").read_text())
        current = np.array([not gone for _urn, gone in rows], dtype="float32")

        def ask(query: Query) -> list[str]:
            if query.piece or query.identifier or query.joins_all:
                raise NotOfferedError
            words = [p[0] for g in query.groups for p in _distinct(g) if len(p) == 1]
            known = list(dict.fromkeys(map(fold, words)))
            places, scores = found.retrieve(
                [known], k=TOP, show_progress=False, n_threads=1, weight_mask=current
            )
            best = zip(places[0], scores[0], strict=True)
            return [str(rows[place][0]) for place, score in best if score > 0]

        return ask


def _distinct(group: Group) -> Group:
    """Phrases of a group that are still different once folded."""
    return tuple({tuple(map(fold, phrase)): phrase for phrase in group}.values())


def size_of(path: Path) -> int:
    """Bytes of a file or of a folder."""
    files = [path] if path.is_file() else [p for p in path.rglob("*") if p.is_file()]
    return sum(p.stat().st_size for p in files)


def remove(path: Path) -> None:
    """Delete a file or a folder."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
