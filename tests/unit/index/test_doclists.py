"""Lists of rows read out of the pages of the full text are those SQLite tells."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import apsw
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ancremed_desktop.errors import IndexFileError
from ancremed_desktop.index import derived, doclists, inverted, postings
from ancremed_desktop.index.connection import damaged, run_script
from ancremed_desktop.index.full_text_pages import Pages, checksums, only_segment
from ancremed_desktop.index.inverted import Inverted

Row = tuple[int, str, str]
"""Rowid, title, text."""
_TOLD = "CREATE VIRTUAL TABLE temp.told USING fts5vocab('main', 'documents_fts', 'instance')"


@given(st.integers(1, 60).flatmap(lambda n: st.lists(st.integers(-(1 << n), 1 << n), max_size=50)))
def test_packed_numbers_come_back(numbers: list[int]) -> None:
    assert postings.unpack(postings.pack(np.array(numbers, np.int64))).tolist() == numbers


def _full_text(rows: list[Row], page: int = 4050) -> apsw.Connection:
    db = apsw.Connection(":memory:")
    run_script(
        db,
        "CREATE TABLE documents (origin_title TEXT, text_content TEXT);"
        "CREATE VIRTUAL TABLE documents_fts USING fts5(origin_title, text_content, "
        "content='documents', content_rowid='rowid', tokenize='unicode61');"
        "CREATE TABLE vocabulary (class, token, documents); CREATE TABLE spellings (a, b, c);"
        "CREATE TABLE derived (name, data);",
    )
    db.executemany("INSERT INTO documents (rowid, origin_title, text_content) VALUES (?,?,?)", rows)
    for name, value in (("pgsz", page), ("hashsize", 1 << 30)):
        db.execute("INSERT INTO documents_fts(documents_fts, rank) VALUES (?, ?)", (name, value))
    for command in ("rebuild", "optimize"):
        db.execute("INSERT INTO documents_fts(documents_fts) VALUES (?)", (command,))
    derived.write(db)
    return db


def _pages(db: apsw.Connection) -> Pages:
    return Pages(db, checksums(db))


def _told(db: apsw.Connection) -> dict[str, dict[int, tuple[int, int]]]:
    """By token and row: how often in the title, how often in the text."""
    run_script(db, _TOLD)
    counts: dict[str, dict[int, Counter[str]]] = {}
    for term, row, column, _place in db.execute("SELECT * FROM temp.told"):
        counts.setdefault(str(term), {}).setdefault(int(str(row)), Counter())[str(column)] += 1
    return {
        term: {row: (c["origin_title"], c["text_content"]) for row, c in sorted(rows.items())}
        for term, rows in counts.items()
    }


def _drawn(page: int, size: int) -> list[Row]:
    """Rows of common and rare words, of far and near rowids, of empty and long texts."""
    rng = random.Random(page)
    words = ["le", "é", "aβ", *(f"mot{n}" for n in range(60)), "x" * 90, "xx" * 40, "œil"]

    def text(most: int) -> str:
        count = int(most ** rng.random()) - 1
        return " ".join(words[int(len(words) * rng.random() ** 3)] for _ in range(count))

    rows = []
    row = 0
    for _ in range(size):
        row += rng.choice((1, 1, 1, 7, 300, 1 << 33, 1 << 41))
        rows.append((row, text(6), text(900)))
    return rows


@pytest.mark.parametrize(("page", "size"), [(32, 40), (128, 300), (700, 900), (4050, 1500)])
def test_pages_are_read_as_sqlite_reads_them(page: int, size: int) -> None:
    """Small pages cut terms, lists of rows and of places in every way."""
    db = _full_text(_drawn(page, size), page)
    pages = _pages(db)
    told = _told(db)
    assert len(told) > 60
    for token, wanted in told.items():
        stored = doclists.read(pages, token)
        assert stored is not None
        found = doclists.decode(*stored)
        counts = zip(found.titles.tolist(), found.texts.tolist(), strict=True)
        assert dict(zip(found.rowids.tolist(), counts, strict=True)) == wanted
    for token in ("", "absent", "mot", "mot999", "zzz", "à"):
        assert doclists.read(pages, token) is None
    db.close()


def test_every_way_finds_the_same_occurrences(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = _drawn(128, 400)
    db = _full_text(rows)
    told = _told(db)
    rowids = [row for row, *_ in rows]
    for few in (0, 10_000):  # all from the pages, then all by SQL
        monkeypatch.setattr(inverted, "_FEW", few)
        read = _read(db, len(rows))
        for token, wanted in told.items():
            assert read.count((token,)) == len(wanted)
            found = read.occurrences((token,))
            assert [rowids[n] for n in found.rows] == list(wanted)
            counts = zip(found.titles.tolist(), found.texts.tolist(), strict=True)
            assert list(counts) == list(wanted.values())
    db.close()


def test_phrases_of_common_words_are_found_as_the_full_text_finds_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = _drawn(128, 400)
    db = _full_text(rows)
    words = ["le", "é", "aβ", *(f"mot{n}" for n in range(8)), "œil"]
    rng = random.Random(3)
    phrases = [tuple(rng.choices(words, k=rng.choice((2, 2, 3, 4)))) for _ in range(300)]
    found: dict[tuple[str, ...], tuple[list[int], list[int], list[int]]] = {}
    for few in (0, 10_000):  # by places, then by the full text
        monkeypatch.setattr(inverted, "_FEW", few)
        read = _read(db, len(rows))
        stored = {w: (*read.variants(w), w)[0] for w in words}
        for phrase in phrases:
            one = read.occurrences(tuple(stored[w] for w in phrase))
            counts = one.rows.tolist(), one.titles.tolist(), one.texts.tolist()
            assert found.setdefault(phrase, counts) == counts
    assert sum(bool(one[0]) for one in found.values()) > 100
    db.close()


def test_lengths_are_those_of_the_rows() -> None:
    rows = _drawn(700, 300)
    lengths = dict(derived.derive(_full_text(rows)).lengths)
    runs = postings.unpack(lengths[derived.RUNS]).reshape(-1, 2).tolist()
    assert [first + n for first, length in runs for n in range(length)] == [row for row, *_ in rows]
    for name, column in ((derived.TITLES, 1), (derived.TEXTS, 2)):
        counts = [len(str(row[column]).split()) for row in rows]
        assert postings.unpack(lengths[name]).tolist() == counts


def test_an_empty_full_text_has_no_token() -> None:
    db = _full_text([])
    assert derived.derive(db).vocabulary == []
    assert doclists.read(_pages(db), "le") is None
    db.close()


def test_a_token_thousands_of_times_in_a_row_is_read() -> None:
    """The size of its list of places takes three bytes, or four."""
    rows = [(n, "", "le " * n + "mot") for n in (1, 8_000, 9_000, 1_100_000, 3)]
    db = _full_text(sorted(rows))
    stored = doclists.read(_pages(db), "le")
    assert stored is not None
    found = doclists.decode(*stored)
    assert found.texts.tolist() == found.rowids.tolist() == [1, 3, 8_000, 9_000, 1_100_000]
    db.close()


def _read(db: apsw.Connection, rows: int) -> Inverted:
    return Inverted(db, rows, lambda detail: damaged(Path("x"), detail))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE documents_fts_config SET v = 5 WHERE k = 'version'",
        "INSERT INTO documents_fts (rowid, origin_title, text_content) VALUES (90, '', 'mot autre')",
    ],
    ids=["later format", "several segments"],
)
def test_other_formats_are_left_to_sqlite(statement: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inverted, "_FEW", 0)
    rows = [(n, "", "mot" if n % 3 else "mot mot") for n in range(1, 90)]
    db = _full_text(rows)
    assert only_segment(db) is not None
    db.execute(statement)
    for table in ("derived", "vocabulary", "spellings"):
        db.execute(f"DELETE FROM {table}")
    derived.write(db)
    assert only_segment(db) is None
    held = 90 if "INSERT" in statement else 89
    found = _read(db, held).occurrences(("mot",))
    assert len(found) == held
    assert found.texts.tolist()[:89] == [1 if n % 3 else 2 for n in range(1, 90)]
    db.close()


def test_an_index_without_checksums_is_read_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inverted, "_FEW", 0)
    db = _full_text([(n, "", "mot") for n in range(1, 90)])
    db.execute("DELETE FROM derived WHERE name = ?", (derived.PAGES,))
    assert len(_read(db, 89).occurrences(("mot",))) == 89
    db.close()


@pytest.mark.parametrize("place", range(0, 60, 7))
@pytest.mark.parametrize("summed", [True, False])
def test_a_list_of_another_length_is_damage(
    place: int, summed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inverted, "_FEW", 0)
    rows = [(n, "", "mot" if n % 3 else "mot mot") for n in range(1, 90)]
    db = _full_text(rows)
    blocks = db.execute("SELECT id, block FROM documents_fts_data WHERE id > 10").fetchall()
    ((number, block),) = blocks
    assert isinstance(block, bytes)
    at = block.index(b"0mot") + 4
    cut = block[: at + place] + b"\x7f" + block[at + place + 1 :]  # sizes, gaps and places
    db.execute("UPDATE documents_fts_data SET block = ? WHERE id = ?", (cut, number))
    if not summed:
        db.execute("DELETE FROM derived WHERE name = ?", (derived.PAGES,))
    read = _read(db, len(rows))
    try:
        found = read.occurrences(("mot",))
    except IndexFileError:
        return
    assert not summed
    assert len(found) == 89  # a place was altered, which is one all the same
    db.close()
