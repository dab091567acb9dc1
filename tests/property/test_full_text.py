"""What is read of a full text is what SQLite finds in it, or the file is refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ancremed_desktop.errors import IndexFileError
from ancremed_desktop.index import derived, inverted
from ancremed_desktop.index.connection import damaged, run_script, translated
from ancremed_desktop.index.full_text_pages import only_segment
from ancremed_desktop.index.inverted import Inverted
from ancremed_desktop.index.match_query import any_of, phrase_text
from ancremed_desktop.index.schema import SQL

_WORDS = ("le", "mot", "mots", "é", "aβ", "x1", "x2", "œil", "10", "long" * 9)
_TOKENS = ("le", "mot", "mots", "e", "aβ", "x1", "x2", "œil", "10", "long" * 9, "absent")
"""Of these words, and one of none."""
_FILE = Path("x")
_Row = tuple[int, str, str]
_text = st.lists(st.sampled_from(_WORDS), max_size=12).map(" ".join)
_rows = st.lists(
    st.tuples(st.sampled_from((1, 1, 2, 300, 1 << 34)), _text, _text), min_size=1, max_size=40
)
_changes = st.lists(st.tuples(st.sampled_from("iud"), st.integers(0, 60), _text), max_size=30)
_phrases = st.lists(
    st.lists(st.sampled_from(_TOKENS), min_size=1, max_size=3).map(tuple), min_size=1, max_size=6
)


def _database(gaps: list[_Row], page: int) -> apsw.Connection:
    """A full text as ``004_full_text.sql`` makes it, over the column it reads."""
    db = apsw.Connection(":memory:")
    run_script(db, "CREATE TABLE documents (origin_title TEXT, text_content TEXT)")
    rows, last = [], 0
    for gap, title, text in gaps:
        last += gap
        rows.append((last, title, text))
    db.executemany("INSERT INTO documents (rowid, origin_title, text_content) VALUES (?,?,?)", rows)
    script = (SQL / "index" / "004_full_text.sql").read_text("utf-8")
    created = script.index("CREATE VIRTUAL TABLE documents_fts")
    filled = script.index("-- A hash this large")
    run_script(db, script[created:filled])
    db.execute("INSERT INTO documents_fts(documents_fts, rank) VALUES ('pgsz', ?)", (page,))
    run_script(db, script[filled:])
    return db


def _change(db: apsw.Connection, changes: list[tuple[str, int, str]]) -> None:
    """Insert, update and delete rows, each a segment of its own."""
    for kind, place, text in changes:
        rowids = [int(str(row)) for (row,) in db.execute("SELECT rowid FROM documents")]
        if kind == "i" or len(rowids) < 2:
            db.execute(
                "INSERT INTO documents (rowid, origin_title, text_content) VALUES (?, '', ?)",
                (max(rowids, default=0) + 1 + place, text),
            )
        elif kind == "u":
            where = rowids[place % len(rowids)]
            db.execute("UPDATE documents SET text_content = ? WHERE rowid = ?", (text, where))
        else:
            db.execute("DELETE FROM documents WHERE rowid = ?", (rowids[place % len(rowids)],))


def _opened(db: apsw.Connection) -> tuple[Inverted, list[int]]:
    rowids = [int(str(row)) for (row,) in db.execute("SELECT rowid FROM documents ORDER BY 1")]
    return Inverted(db, len(rowids), lambda detail: damaged(_FILE, detail)), rowids


@contextmanager
def _asked_of(few: int) -> Iterator[None]:
    """Up to how many rows a word is asked of SQL: 0, all comes from the pages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inverted, "_FEW", few)
        patch.setattr(inverted, "_ALIKE", 10_000)
        yield


def _scores(db: apsw.Connection, match: str) -> dict[int, float]:
    statement = (
        "SELECT rowid, -bm25(documents_fts, 5.0, 1.0) FROM documents_fts "
        "WHERE documents_fts MATCH ?"
    )
    return {int(str(row)): float(str(score)) for row, score in db.execute(statement, (match,))}


@settings(max_examples=150, deadline=None)
@given(_rows, _changes, st.booleans(), st.sampled_from((32, 64, 4050)), st.sampled_from((0, 200)),
       _phrases)  # fmt: skip
def test_words_and_phrases_are_found_and_scored_as_sqlite_does(
    gaps: list[_Row],
    changes: list[tuple[str, int, str]],
    optimized: bool,
    page: int,
    few: int,
    phrases: list[tuple[str, ...]],
) -> None:
    db = _database(gaps, page)
    _change(db, changes)
    if optimized:
        run_script(db, "INSERT INTO documents_fts(documents_fts) VALUES ('optimize')")
        assert only_segment(db) is not None
    derived.write(db)
    with _asked_of(few):
        read, rowids = _opened(db)
        for phrase in phrases:
            found = dict(
                zip(
                    [rowids[n] for n in read.occurrences(phrase).rows],
                    read.worth(phrase).tolist(),
                    strict=True,
                )
            )
            assert found == pytest.approx(_scores(db, phrase_text(phrase)), rel=1e-9)
        total = np.zeros(len(rowids))
        once = tuple(dict.fromkeys(phrases))
        for rows, worth in read.worths(once):
            total[rows] += worth
        told = {rowids[n]: total[n] for n in np.flatnonzero(total)}
        assert told == pytest.approx(_scores(db, any_of(once)), rel=1e-9)
    db.close()


_DAMAGE = st.tuples(
    st.sampled_from(("flip", "cut", "grow", "gone", "swap")), st.integers(0, 10**6),
    st.integers(0, 7),
)  # fmt: skip
_STORED = [
    (1 + n % 3, "mot le", " ".join((_WORDS * 3)[n % 10 : n % 10 + n % 9])) for n in range(120)
]


@settings(max_examples=300, deadline=None)
@given(_DAMAGE, st.sampled_from((0, 200)))
@example(("flip", 4, 0), 0)
def test_a_page_that_was_altered_is_never_read(damage: tuple[str, int, int], few: int) -> None:
    db = _database(_STORED, 64)
    derived.write(db)
    read, _ = _opened(db)
    tokens = [str(token) for (token,) in db.execute("SELECT token FROM vocabulary")]
    with _asked_of(few):
        whole = {t: read.occurrences((t,)).texts.tolist() for t in tokens}
    _damage(db, *damage)
    with _asked_of(few):
        read, _ = _opened(db)
        for token in tokens:
            try:
                with translated(_FILE):
                    found = read.occurrences((token,)).texts.tolist()
            except IndexFileError:
                continue
            assert found == whole[token]
    db.close()


def _damage(db: apsw.Connection, kind: str, place: int, bit: int) -> None:
    blocks = db.execute("SELECT id, block FROM documents_fts_data ORDER BY id").fetchall()
    number, block = blocks[place % len(blocks)]
    assert isinstance(block, bytes)
    at = place // len(blocks) % len(block)
    other = blocks[(place + 1) % len(blocks)][1]
    altered = {
        "flip": block[:at] + bytes([block[at] ^ 1 << bit]) + block[at + 1 :],
        "cut": block[:at],
        "grow": block + bytes(bit + 1),
        "swap": other,
    }
    if kind == "gone":
        db.execute("DELETE FROM documents_fts_data WHERE id = ?", (number,))
    else:
        db.execute("UPDATE documents_fts_data SET block = ? WHERE id = ?", (altered[kind], number))
