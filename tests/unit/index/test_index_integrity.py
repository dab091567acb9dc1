"""Damage of every kind is seen, cheaply at open or by the full check."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest
from fakes.built_index import build_index
from fakes.memory_index import passage

from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.evidence import MatchMode, SearchRequest
from ancremed_desktop.errors import BadFileError, IndexFileError, MachineError
from ancremed_desktop.index import integrity
from ancremed_desktop.index.reader import open_index
from ancremed_desktop.index.user_store import UserStore
from ancremed_desktop.index.writer import IndexWriter
from ancremed_desktop.ports import QueryLogRow


@pytest.fixture
def target(tmp_path: Path) -> Path:
    path = tmp_path / "index.db"
    build_index(
        path,
        (
            passage(f"E-{number}", f"Sujet {number}", "signes", f"La fièvre numéro {number}.")
            for number in range(40)
        ),
    )
    return path


def _run(path: Path, *statements: str) -> None:
    db = apsw.Connection(str(path))
    for statement in statements:
        db.execute(statement)
    db.close()


def _check(path: Path) -> tuple[str, ...]:
    return integrity.check(path, ignore_progress, CancelToken())


def test_a_whole_file_has_no_problem(target: Path) -> None:
    assert _check(target) == ()


def test_flipped_bits_in_a_passage_are_seen_and_never_shown(target: Path) -> None:
    content = target.read_bytes()
    assert content.count("La fièvre numéro 7.".encode()) == 1
    target.write_bytes(
        content.replace("La fièvre numéro 7.".encode(), "La fièvre numéro 9.".encode())
    )
    assert any("E-7#signes" in problem for problem in _check(target))
    index = open_index([target])
    hits = index.search(SearchRequest(query="fièvre", mode=MatchMode.ALL, limit=100))
    assert len(hits) == 39
    assert index.altered_passages == 1
    with pytest.raises(IndexFileError, match="altéré"):
        index.passage("urn:ancremed:fiches:E-7#signes")
    index.close()


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM documents_fts_data",
        "DELETE FROM documents_fts_data WHERE id > 10",
        "DELETE FROM documents_fts_idx",
        "DELETE FROM documents_fts_docsize",
        "DELETE FROM meta WHERE name = 'probes'",
        "DROP TABLE passages",
    ],
)
def test_a_destroyed_full_text_is_refused_at_open(target: Path, statement: str) -> None:
    _run(target, statement)
    with pytest.raises(IndexFileError, match="Reconstruisez"):
        open_index([target])


def test_bits_flipped_in_the_schema_are_told_as_damage(target: Path) -> None:
    content = target.read_bytes()
    start = content.rindex(b"CREATE TABLE documents (\n")
    told = 0
    for place in range(start + 54, start + 90, 3):
        flipped = bytearray(content)
        flipped[place] ^= 4
        target.write_bytes(flipped)
        try:
            index = open_index([target])
            try:
                index.search(SearchRequest(query="fièvre"))
            finally:
                index.close()
        except IndexFileError as error:
            told += "tables ne sont pas" in str(error)
    assert told > 3


def test_a_missing_row_is_counted(target: Path) -> None:
    _run(
        target,
        "DELETE FROM passages WHERE row IN (SELECT rowid FROM documents WHERE id LIKE '%E-3#%')",
    )
    problems = _check(target)
    assert "40 passages mais 39 empreintes" in problems


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("UPDATE vocabulary SET documents = documents + 1 WHERE token = 'la'", "les mots"),
        ("DELETE FROM vocabulary WHERE token = 'la'", "les mots"),
        ("UPDATE spellings SET words = words || ' x'", "les orthographes"),
        ("UPDATE derived SET data = (SELECT data FROM derived WHERE name = 'texts')", "longueurs"),
    ],
)
def test_what_is_derived_is_compared_with_the_full_text(
    target: Path, statement: str, what: str
) -> None:
    _run(target, statement)
    assert any("plein texte" in problem and what in problem for problem in _check(target))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE derived SET data = zeroblob(20) WHERE name = 'runs'",
        "UPDATE derived SET data = (SELECT data FROM derived WHERE name = 'runs')",
        "DELETE FROM derived",
        "UPDATE vocabulary SET documents = 400 WHERE token = 'fievre'",
    ],
)
def test_a_search_over_damaged_lists_is_refused(target: Path, statement: str) -> None:
    _run(target, statement)
    index = open_index([target])
    with pytest.raises(IndexFileError, match="endommagé"):
        index.search(SearchRequest(query="fièvre", mode=MatchMode.RANKED))
    index.close()


def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "autre.db"
    _run(path, "CREATE TABLE x (y)")
    with pytest.raises(IndexFileError, match="autre logiciel"):
        open_index([path])


def test_a_read_only_folder_is_enough(target: Path) -> None:
    folder = target.parent
    target.chmod(0o444)
    folder.chmod(0o555)
    try:
        index = open_index([target])
        assert index.search(SearchRequest(query="fièvre"))
        index.close()
        assert sorted(p.name for p in folder.iterdir()) == ["index.db"]
    finally:
        folder.chmod(0o755)


def test_a_hot_journal_of_a_stranger_is_not_rolled_back(target: Path) -> None:
    before = target.read_bytes()
    target.with_name("index.db-journal").write_bytes(
        bytes.fromhex("d9d505f920a163d7") + b"\0\0\0\x01" + os.urandom(8000)
    )
    index = open_index([target])
    assert index.document_frequency("fièvre") == 40
    index.close()
    assert target.read_bytes() == before


def _row(request_id: str, question: str | None) -> QueryLogRow:
    return QueryLogRow(
        request_id=request_id,
        timestamp=f"2026-01-0{request_id}T00:00:00Z",
        primary_class="definition_item_edn",
        secondary_class=None,
        rounds_used=2,
        sub_queries_issued=4,
        distinct_sources_cited=3,
        silos_touched=("edn", "has"),
        clinical_assertions_total=5,
        clinical_assertions_passed_gate=4,
        clinical_assertions_failed_substring=1,
        clinical_assertions_failed_entity=0,
        clinical_assertions_failed_verifier=0,
        clinical_assertions_failed_other=0,
        abstained_sections=("signes",),
        stage_latency_ms={"plan": 1.5},
        latency_ms=12.5,
        estimated_cost_usd=0.0,
        gate_blocked=False,
        status="answer",
        question_text=question,
    )


def test_the_journal_gives_back_its_rows_latest_first(tmp_path: Path) -> None:
    store = UserStore(tmp_path / "nouveau" / "journal.db")
    store.append(_row("1", None))
    store.append(_row("2", "Une question ?"))
    assert store.rows() == (_row("2", "Une question ?"), _row("1", None))
    assert store.rows(1) == (_row("2", "Une question ?"),)
    store.clear()
    assert store.rows() == ()
    assert b"Une question" not in (tmp_path / "nouveau" / "journal.db").read_bytes()


def test_an_unwritable_journal_is_said(tmp_path: Path) -> None:
    (tmp_path / "fichier").write_text("x")
    with pytest.raises(MachineError, match="droits du dossier"):
        UserStore(tmp_path / "fichier" / "journal.db").append(_row("1", None))


def _aside(folder: Path) -> list[Path]:
    return sorted(folder.glob("journal.db.endommagé-*"))


def _damage_text(path: Path) -> None:
    path.write_bytes(b"ceci n'est pas une base de donnees" * 200)


def _damage_pages(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:100] + b"\xff" * (len(content) - 100))


def _damage_table(path: Path) -> None:
    _run(path, "DROP TABLE query_log")


def _damage_length(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:4096])


@pytest.mark.parametrize("damage", [_damage_text, _damage_pages, _damage_table, _damage_length])
def test_a_damaged_journal_is_set_aside_and_made_anew(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: Callable[[Path], None]
) -> None:
    path = tmp_path / "journal.db"
    store = UserStore(path)
    store.append(_row("1", "Une question ?"))
    damage(path)
    before = path.read_bytes()
    store.append(_row("2", None))
    store.append(_row("3", None))
    assert [row.request_id for row in store.rows()] == ["3", "2"]
    (aside,) = _aside(tmp_path)
    assert aside.read_bytes() == before
    assert [r.levelno for r in caplog.records] == [logging.WARNING]
    assert str(aside) in caplog.text


def test_journals_that_are_not_damaged_stay(tmp_path: Path) -> None:
    stranger, newer = tmp_path / "a" / "journal.db", tmp_path / "b" / "journal.db"
    for path in (stranger, newer):
        path.parent.mkdir()
    _run(stranger, "CREATE TABLE x (y)")
    UserStore(newer).append(_row("1", None))
    _run(newer, "PRAGMA user_version = 99")
    for path, words in ((stranger, "autre logiciel"), (newer, "plus récente")):
        before = path.read_bytes()
        with pytest.raises(IndexFileError, match=words):
            UserStore(path).append(_row("2", None))
        assert path.read_bytes() == before
        assert _aside(path.parent) == []


def test_the_texts_of_questions_can_be_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    store = UserStore(path)
    _damage_text(path)
    with path.open("ab") as file:
        file.write(b"Un secret")
    for number in range(1, 10):
        store.append(_row(str(number), f"Un secret {number} " + "de patient " * 200))
    assert b"Un secret" in path.read_bytes()
    store.forget_questions()
    rows = store.rows()
    assert [row.question_text for row in rows] == [None] * 9
    assert rows[0].clinical_assertions_passed_gate == 4
    left = [p for p in tmp_path.iterdir() if p.is_file()]
    assert left == [path]
    assert b"secret" not in path.read_bytes()
    assert b"patient" not in path.read_bytes()


def test_the_latest_questions_are_given_each_once(tmp_path: Path) -> None:
    store = UserStore(tmp_path / "journal.db")
    for number, text in enumerate(("a", "b", None, "c", "a")):
        store.append(_row(str(number), text))
    assert store.questions() == ("b", "c", "a")
    assert store.questions(2) == ("c", "a")
    store.forget_questions()
    assert store.questions() == ()


def test_what_an_index_is_made_of_is_told_of_a_whole_one(target: Path, tmp_path: Path) -> None:
    with IndexWriter(target) as writer:
        writer.begin("des fiches")
        writer.finish()
    whole = target.read_bytes()
    assert integrity.made_of(target) == "des fiches"
    assert integrity.made_of(tmp_path / "absent.db") == ""
    assert integrity.made_of(tmp_path) == ""
    for content in (b"", b"x" * 5000, whole[:5000], whole[:100] + bytes(len(whole) - 100)):
        target.write_bytes(content)
        assert integrity.made_of(target) == ""


def test_only_an_index_may_be_built_over(target: Path, tmp_path: Path) -> None:
    integrity.check_target(target)
    integrity.check_target(tmp_path / "nouveau.db")
    target.write_bytes(target.read_bytes()[:200])
    integrity.check_target(target)
    UserStore(tmp_path / "journal.db").append(_row("1", None))
    pipe = tmp_path / "tube"
    os.mkfifo(pipe)
    for wrong in (tmp_path / "journal.db", tmp_path, Path(), pipe):
        with pytest.raises(BadFileError, match="«"):
            integrity.check_target(wrong)
