"""A build survives a kill, a full disk and a stop, and never harms what was there before."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import apsw
import pytest
from fakes.memory_index import passage

from ancremed_desktop.domain.documents import Refusal, Source, SourceDocument, Tally
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.evidence import MatchMode, SearchRequest
from ancremed_desktop.domain.identifiers import Code, Silo
from ancremed_desktop.errors import BadFileError, Cancelled, IndexFileError, MachineError
from ancremed_desktop.index import integrity, schema
from ancremed_desktop.index.connection import open_read_write
from ancremed_desktop.index.names import CODES
from ancremed_desktop.index.reader import open_index
from ancremed_desktop.index.words import word_class
from ancremed_desktop.index.writer import IndexWriter
from ancremed_desktop.text.normalise import fold


def _doc(
    key: str, text: str, identifier: str = "E-1", date: str = "", silo: Silo = Silo.HAS
) -> SourceDocument:
    part = passage(identifier, f"Titre {key}", key, text, silo)
    part = replace(part, source_key=key, regulatory_date=date)
    source = Source(
        key=key,
        silo=silo,
        title=f"Titre {key}",
        source_identifier=identifier,
        publisher="Essai",
        licence="CC0",
        regulatory_date=date,
    )
    return SourceDocument(source=source, passages=(part,))


def _build(target: Path, *documents: SourceDocument) -> Path:
    with IndexWriter(target) as writer:
        for document in documents:
            writer.add(document)
        writer.finish()
    return target


def _keys(*paths: Path, query: str = "texte") -> set[str]:
    index = open_index(paths)
    hits = index.search(SearchRequest(query=query, mode=MatchMode.ALL, limit=50))
    index.close()
    return {hit.passage.source_key for hit in hits}


_KILLED = """
import os, signal, sys
from pathlib import Path
sys.path[:0] = [{root!r}, {tests!r}]
from unit_index_doc import doc
from ancremed_desktop.index.writer import IndexWriter
writer = IndexWriter(Path({target!r}))
writer.begin("entrées")
writer.begin_part("a")
writer.add(doc("a1"))
writer.end_part()
writer.begin_part("b")
writer.add(doc("b1"))
writer.commit()
writer.add(doc("b2"))
os.kill(os.getpid(), signal.SIGKILL)
"""
_DOC_MODULE = """
from ancremed_desktop.domain.documents import Passage, Source, SourceDocument
from ancremed_desktop.domain.identifiers import Code, Silo
def doc(key):
    common = dict(silo=Silo.HAS, source_identifier=key)
    source = Source(key=key, title=key, publisher="Essai", licence="CC0", **common)
    part = Passage(urn=key, source_key=key, origin_title=key, text=f"texte {key}", **common)
    return SourceDocument(source=source, passages=(part,))
"""


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_a_killed_build_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "unit_index_doc.py").write_text(_DOC_MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    target = tmp_path / "index.db"
    root = str(Path(__file__).parents[3])
    script = _KILLED.format(root=root, tests=str(tmp_path), target=str(target))
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == -signal.SIGKILL
    assert not target.exists()

    from unit_index_doc import doc  # type: ignore[import-not-found]  # written above

    writer = IndexWriter(target)
    writer.begin("entrées")
    assert not writer.begin_part("a")
    assert writer.begin_part("b")
    assert writer.counts() == (2, 2)  # b2 was not committed
    for key in ("b1", "b2"):
        writer.add(doc(key))
    writer.end_part()
    writer.finish()
    assert _keys(target) == {"a1", "b1", "b2"}
    assert not writer.building.exists()


_KILLED_AT_THE_END = """
import os, signal, sys
from pathlib import Path
sys.path[:0] = [{root!r}, {tests!r}]
from unit_index_doc import doc
from ancremed_desktop.index import derived, schema
from ancremed_desktop.index.writer import IndexWriter
made = {module}.{function}
def kill(*arguments):
    if arguments[1:] in [(), ("user_version = 4",)]:
        assert Path({target!r} + ".building-journal").exists()
        os.kill(os.getpid(), signal.SIGKILL)
    return made(*arguments)
writer = IndexWriter(Path({target!r}))
writer.begin("entrées")
writer.begin_part("a")
for number in range(6_000):
    writer.add(doc(f"{{number:x}} " * 60))
writer.end_part()
{module}.{function} = kill
writer.finish()
"""


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
@pytest.mark.parametrize(
    ("module", "function"), [("schema", "pragma"), ("derived", "derive")], ids=["full text", "rest"]
)
def test_a_build_killed_at_its_end_is_continued(tmp_path: Path, module: str, function: str) -> None:
    (tmp_path / "unit_index_doc.py").write_text(_DOC_MODULE)
    target = tmp_path / "index.db"
    script = _KILLED_AT_THE_END.format(
        root=str(Path(__file__).parents[3]), tests=str(tmp_path), target=str(target),
        module=module, function=function,
    )  # fmt: skip
    done = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    with IndexWriter(target) as writer:
        writer.begin("entrées")
        assert not writer.begin_part("a")
        writer.finish()
    assert integrity.check(target, ignore_progress, CancelToken()) == ()
    assert len(_keys(target)) == 50
    assert [p.name for p in tmp_path.glob("index*")] == ["index.db"]


def test_other_inputs_begin_again(tmp_path: Path) -> None:
    target = tmp_path / "index.db"
    writer = IndexWriter(target)
    writer.begin("anciennes")
    writer.begin_part("a")
    writer.add(_doc("k", "texte"))
    writer.end_part()
    writer.close()
    writer = IndexWriter(target)
    writer.begin("nouvelles")
    assert writer.begin_part("a")
    assert writer.counts() == (0, 0)
    writer.close()


def test_a_damaged_draft_is_replaced(tmp_path: Path) -> None:
    target = tmp_path / "index.db"
    target.with_name("index.db.building").write_bytes(b"not a database" * 400)
    assert _keys(_build(target, _doc("k", "texte"))) == {"k"}


_FULL = """
import resource, sys
from pathlib import Path
sys.path[:0] = [{root!r}, {tests!r}]
from unit_index_doc import doc
from ancremed_desktop.errors import MachineError
from ancremed_desktop.index.writer import IndexWriter
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
try:
    with IndexWriter(Path({target!r})) as writer:
        for number in range(20_000):
            writer.add(doc(f"k{{number}}"))
        writer.finish()
except MachineError as error:
    print(error)
    sys.exit(5)
"""


@pytest.mark.skipif(os.name != "posix", reason="RLIMIT_FSIZE")
def test_a_full_disk_leaves_the_target(tmp_path: Path) -> None:
    (tmp_path / "unit_index_doc.py").write_text(_DOC_MODULE)
    target = _build(tmp_path / "index.db", _doc("avant", "texte"))
    before = target.read_bytes()
    script = _FULL.format(
        root=str(Path(__file__).parents[3]), tests=str(tmp_path), target=str(target)
    )
    done = subprocess.run(
        [sys.executable, "-c", script], check=False, capture_output=True, text=True
    )
    assert done.returncode == 5, done.stderr
    assert "index.db" in done.stdout
    assert target.read_bytes() == before


def test_a_stop_leaves_the_target(tmp_path: Path) -> None:
    target = _build(tmp_path / "index.db", _doc("avant", "texte"))
    before = target.read_bytes()
    cancel = CancelToken()
    cancel.cancel()
    with IndexWriter(target) as writer:
        for number in range(3_000):
            writer.add(_doc(f"k{number}", "texte " * 40, identifier=f"i{number}"))
        with pytest.raises(Cancelled):
            writer.finish(cancel)
    assert target.read_bytes() == before


def test_two_builds_of_one_file_do_not_mix(tmp_path: Path) -> None:
    with IndexWriter(tmp_path / "index.db") as first:
        first.begin("une")
        with pytest.raises(MachineError, match="autre travail"):
            IndexWriter(tmp_path / "index.db").begin("autre")
        first.add(_doc("k", "texte"))
        first.finish()
    assert _keys(tmp_path / "index.db") == {"k"}


def test_the_later_edition_supersedes_the_earlier(tmp_path: Path) -> None:
    old, new = _doc("v1", "texte", date="2014"), _doc("v2", "texte", date="2018-10")
    undated = _doc("v0", "texte", identifier="E-1")
    other = _doc("autre", "texte", identifier="E-1", date="2024", silo=Silo.EDN)
    target = _build(tmp_path / "index.db", old, new, undated, other)
    index = open_index([target])
    assert index.source("v1").superseded
    assert index.source("v1").superseded_by == "v2"
    assert not index.source("v2").superseded
    assert not index.source("v0").superseded  # no date: nothing says that it is older
    assert [p.source_key for p in index.passages_of("E-1")][-1] == "v1"
    assert index.passage(old.passages[0].urn).superseded
    index.close()
    assert _keys(target) == {"v2", "v0", "autre"}


def test_the_users_file_replaces_what_it_has_newer(tmp_path: Path) -> None:
    shipped = _build(
        tmp_path / "a.db", _doc("a", "texte", date="2020"), _doc("b", "texte", "E-2", "2024")
    )
    user = _build(
        tmp_path / "b.db", _doc("a2", "texte", date="2023"), _doc("b2", "texte", "E-2", "2021")
    )
    assert _keys(shipped, user) == {"a2", "b"}
    index = open_index([shipped, user])
    assert index.identity().passages == 4
    assert index.passages_of("E-1")[-1].superseded
    index.close()


def test_an_import_keeps_the_base_and_replaces_by_key(tmp_path: Path) -> None:
    target = _build(tmp_path / "u.db", _doc("k", "texte ancien"), _doc("l", "texte", "E-2"))
    writer = IndexWriter(target)
    writer.begin("import", target)
    writer.begin_part("has")
    writer.add(_doc("k", "texte nouveau"))
    writer.end_part()
    writer.finish()
    assert _keys(target) == {"k", "l"}
    assert _keys(target, query="ancien") == set()
    assert _keys(target, query="nouveau") == {"k"}


def test_a_second_source_or_passage_of_one_name_is_refused(tmp_path: Path) -> None:
    with IndexWriter(tmp_path / "index.db") as writer:
        writer.add(_doc("k", "texte"))
        with pytest.raises(BadFileError, match="déjà"):
            writer.add(_doc("k", "texte"))
        same_urn = _doc("l", "texte")
        stolen = replace(same_urn.passages[0], urn=_doc("k", "").passages[0].urn)
        with pytest.raises(BadFileError, match="URN"):
            writer.add(replace(same_urn, passages=(stolen,)))
        lone = replace(_doc("m", "texte"), passages=(replace(same_urn.passages[0], text="\ud800"),))
        with pytest.raises(BadFileError, match="Unicode"):
            writer.add(lone)
        assert writer.counts() == (1, 1)


def test_the_report_keeps_tallies_and_refusals(tmp_path: Path) -> None:
    tally = Tally(file_name="f", unit="ligne", read=3, kept=1, refused=1, ignored=1,
                  notes=(("lignes vides", 1),))  # fmt: skip
    refusal = Refusal(file_name="f", where="ligne 2", reason="illisible")
    with IndexWriter(tmp_path / "index.db") as writer:
        writer.begin_part("x")
        writer.note(refusal)
        writer.note(tally)
        assert writer.report() == (("x", refusal), ("x", tally))


def test_triggers_keep_the_full_text_in_step(tmp_path: Path) -> None:
    target = _build(tmp_path / "index.db", _doc("k", "texte premier"))
    db = open_read_write(target)
    db.execute("UPDATE documents SET text_content = 'autre chose'")

    def found(word: str) -> int:
        rows = db.execute("SELECT rowid FROM documents_fts WHERE documents_fts MATCH ?", (word,))
        return len(rows.fetchall())

    assert (found("premier"), found("chose")) == (0, 1)
    db.execute("DELETE FROM documents")
    assert found("chose") == 0
    names = {str(r[0]) for r in db.execute("SELECT name FROM sqlite_schema WHERE type='trigger'")}
    assert names == {"docs_ai", "docs_ad", "docs_au"}
    db.close()


def test_upgrades_run_in_order_once_and_roll_back(tmp_path: Path) -> None:
    folder = tmp_path / "sql"
    folder.mkdir()
    (folder / "001_a.sql").write_text("CREATE TABLE a (x);")
    kind = schema.Schema(folder=folder, application_id=77, label="L’essai")
    path = tmp_path / "x.db"
    db = open_read_write(path)
    schema.upgrade(db, kind, path)
    (folder / "002_b.sql").write_text("CREATE TABLE b (x); CREATE TABLE a (x);")
    with pytest.raises(apsw.SQLError):
        schema.upgrade(db, kind, path)
    assert schema.check_version(db, kind, path) == 1
    (folder / "002_b.sql").write_text("CREATE TABLE b (x);")
    schema.upgrade(db, kind, path)
    schema.upgrade(db, kind, path)
    assert schema.check_version(db, kind, path) == 2
    (folder / "002_b.sql").unlink()
    with pytest.raises(IndexFileError, match="plus récente"):
        schema.upgrade(db, kind, path)
    db.close()


def test_the_vocabulary_holds_the_class_of_every_token(tmp_path: Path) -> None:
    text = "œdèmes journaux cœur abcès ulcérées 10000 CHA₂DS₂ β2 axes sexe prothèse os es xs ée ⅛s"
    text += " active archiv cruelle gamell fiévreuse vitamine12 12e"
    target = _build(tmp_path / "i.db", _doc("A", text))
    with open_read_write(target) as db:
        stored = db.execute("SELECT token, class FROM vocabulary").fetchall()
        spelt = db.execute("SELECT length, initial, words FROM spellings").fetchall()
    assert len(stored) > 15
    tokens = [str(row[0]) for row in stored]
    assert stored == [(t, word_class(t)) for t in tokens]
    words = {
        (length, initial, word) for length, initial, listed in spelt for word in str(listed).split()
    }
    folds = [fold(t) for t in (*tokens, "10000", "vitamine12")]  # codes, too rare to be listed
    assert words == {(len(f), f[0], f) for f in folds}


def test_every_way_to_replace_a_source_is_searched_by_an_index(tmp_path: Path) -> None:
    target = _build(tmp_path / "i.db", _doc("A", "Un texte"))
    writer = IndexWriter(tmp_path / "j.db")
    writer.begin("essai", target)
    writer.close()
    with open_read_write(writer.building) as db:
        for table in ("source_names", "source_codes"):
            plan = db.execute(f"EXPLAIN QUERY PLAN DELETE FROM {table} WHERE source = 1")
            assert "USING" in str(plan.fetchall()[0][3])


def test_every_kind_of_code_has_its_place_in_an_index() -> None:
    assert sorted(CODES) == sorted(Code)
