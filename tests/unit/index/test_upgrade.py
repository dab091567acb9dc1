"""A finished index of version 2 is taken over with all it holds."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import pytest
from fakes.memory_index import passage

from ancremed_desktop import app
from ancremed_desktop.domain.documents import Passage, Source, SourceDocument
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.evidence import MatchMode, SearchRequest
from ancremed_desktop.domain.identifiers import Code, PassageKind, Silo, SourceStatus
from ancremed_desktop.errors import IndexFileError
from ancremed_desktop.index import integrity, rows, schema
from ancremed_desktop.index.names import CODES
from ancremed_desktop.index.reader import open_index
from ancremed_desktop.index.writer import IndexWriter, upgrade_old
from ancremed_desktop.settings import paths
from ancremed_desktop.text.normalise import fold

_SILO_ROWS = {Silo.FICHES: 1 << 32, Silo.BDPM: 4 << 32, Silo.LOCAL: 5 << 32}


def _source(key: str, silo: Silo, identifier: str, **others: Any) -> Source:
    return replace(
        Source(
            key=key,
            silo=silo,
            title=f"Titre de {key}",
            source_identifier=identifier,
            publisher="Essai",
            licence="CC0",
            regulatory_date="2024-05",
            url=f"https://exemple.fr/{identifier}?de={identifier}",
            file_name="f.txt",
            file_sha256="ab" * 32,
            page_count=3,
            status=SourceStatus.DRAFT,
            names=("Antalgiques majeurs", "Antalgique majeur"),
            details=(("type de fiche", "classe"), ("édition", "mai")),
        ),
        **others,
    )


def _passages(source: Source, *texts: str) -> tuple[Passage, ...]:
    first = passage(source.source_identifier, source.title, "signes", "", source.silo)
    return tuple(
        replace(
            first,
            urn=f"urn:ancremed:{source.key}#{number}",
            source_key=source.key,
            text=text,
            superseded=source.superseded,
            heading=f"Partie > {number}",
            section="signes" if number else "",
            kind=PassageKind.TABLE if number else PassageKind.PROSE,
            chunk_index=number,
            page_number=number or None,
            page_label="iv",
            char_start=7 * number,
        )
        for number, text in enumerate(texts)
    )


CARD = _source("fiches:a", Silo.FICHES, "A-1", codes=((Code.ATC, "N02AX"), (Code.ITEM, "134")))
RECORD = _source("bdpm:60000001", Silo.BDPM, "60000001", names=("DOLOXA 5 mg, gélule", "DOLOXA"))
OLD = _source(
    "bdpm:60000002", Silo.BDPM, "60000002", superseded=True, superseded_by="retirée", names=()
)
OWN = _source("local:p", Silo.LOCAL, "p", url="", names=(), details=(), status=SourceStatus.USER)
DOCUMENTS = tuple(
    SourceDocument(source=source, passages=_passages(source, *texts))
    for source, texts in (
        (CARD, ("Le premier palier.", "Œdème et dyspnée.", "La gélule.")),
        (RECORD, ("Composition de la gélule.",)),
        (OLD, ("Ancienne gélule.",)),
        (OWN, ("Notre protocole de gélule.", "Sa suite.")),
    )
)
_NAMES = (
    ("antalgiques majeurs", "fiches:a", "class", "Antalgiques majeurs", "antalgique majeur"),
    ("titre de fiches a", "fiches:a", "class", "Titre de fiches:a", "titre de fiche a"),
    ("n02ax", "fiches:a", "code:atc", "", "n02ax"),
    ("134", "fiches:a", "code:item", "", "134"),
    *((fold(f"x{code}"), "fiches:a", f"code:{code}", "", "") for code in Code),
    ("doloxa", "bdpm:60000001", "drug", "DOLOXA", "doloxa"),
    ("60000001", "bdpm:60000001", "drug", "60000001", "60000001"),
)


def _version_2(path: Path) -> Path:
    """As the program wrote it: the scripts are those of then."""
    kind = schema.INDEX
    db = apsw.Connection(str(path))
    schema.upgrade(db, kind, path, 1)
    for document in DOCUMENTS:
        s = document.source
        row = _SILO_ROWS[s.silo] + (10 if s is OLD else 0)
        for number, p in enumerate(document.passages):
            n = row + number + (rows.SUPERSEDED_BAND if p.superseded else 0)
            db.execute(
                "INSERT INTO documents (rowid, id, origin_title, category_silo, source_identifier, "
                "regulatory_date, superseded, page_number, chunk_index, text_content) "
                "VALUES (?,?,?,?,?,?,?,?,?,?)",
                rows.document_row(n, p),
            )
            db.execute(
                "INSERT INTO passages VALUES (?,?,?,?,?,?,?,?)",
                (p.urn, p.source_key, p.section, p.heading, p.page_label, p.char_start,
                 p.kind.value, p.sha256),
            )  # fmt: skip
        db.execute(
            "INSERT INTO sources VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (s.key, s.silo.value, s.title, s.source_identifier, s.publisher, s.licence,
             s.regulatory_date, s.url, s.file_name, s.file_sha256, s.page_count, s.status.value,
             int(s.superseded), s.superseded_by, json.dumps(s.names), json.dumps(s.details), "b"),
        )  # fmt: skip
    db.executemany("INSERT INTO source_names VALUES (?,?,?,?,?)", _NAMES)
    schema.upgrade(db, kind, path, 2)
    counted = {"passages": "7", "sources": "4", "build_id": "b", "probes": "[]"}
    db.executemany("INSERT INTO meta VALUES (?,?)", counted.items())
    db.close()
    return path


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return _version_2(tmp_path / "ancien.db")


def test_an_old_index_is_refused_as_old(old: Path) -> None:
    with pytest.raises(IndexFileError, match="plus ancienne"):
        open_index([old])


def test_all_of_an_old_index_is_there_after_the_upgrade(old: Path) -> None:
    upgrade_old(old)
    assert integrity.check(old, ignore_progress, CancelToken()) == ()
    index = open_index([old])
    for document in DOCUMENTS:
        source = replace(document.source, codes=())
        assert index.source(source.key) == source
        assert index.passages_of(source.source_identifier) == document.passages
        for one in document.passages:
            assert index.passage(one.urn) == one
    hits = index.search(SearchRequest(query="gélules", mode=MatchMode.ALL, limit=50))
    assert {h.passage.source_key for h in hits} == {"fiches:a", "bdpm:60000001", "local:p"}
    (found,) = index.mentions("un antalgique majeur")
    assert (found.label, found.kind, found.identifiers) == (
        "Antalgiques majeurs",
        "class",
        ("A-1",),
    )
    assert [m.label for m in index.mentions("DOLOXA, titre de fiche A, 60000001")] == [
        "60000001", "Titre de fiches:a", "DOLOXA"
    ]  # fmt: skip
    assert index.by_code(Code.ATC, ("n02ax",)) == ("A-1",)
    assert index.codes_of("A-1", Code.ITEM) == ("134", "xitem")
    for code in Code:
        assert index.by_code(code, (f"x{code}",)) == ("A-1",)
    index.close()
    upgraded = old.read_bytes()
    upgrade_old(old)
    assert old.read_bytes() == upgraded


def test_every_kind_of_code_has_its_place() -> None:
    assert sorted(CODES) == sorted(Code)


def test_an_upgrade_gives_what_a_build_gives(old: Path, tmp_path: Path) -> None:
    upgrade_old(old)
    with IndexWriter(tmp_path / "neuf.db") as writer:
        for document in DOCUMENTS:
            writer.add(document)
        writer.finish()
    first, second = open_index([old]), open_index([tmp_path / "neuf.db"])
    assert first.sources() == second.sources()
    for query in ("gélule", "dyspnée protocole", "suite"):
        request = SearchRequest(query=query, mode=MatchMode.RANKED, limit=20)
        assert first.search(request) == second.search(request)
    first.close()
    second.close()


def test_an_import_takes_an_old_library_over(old: Path) -> None:
    more = _source("local:q", Silo.LOCAL, "q", url="", names=(), details=())
    with IndexWriter(old) as writer:
        writer.begin("import", old)
        writer.add(SourceDocument(source=more, passages=_passages(more, "Une gélule de plus.")))
        assert writer.remove("local:p")
        writer.finish()
    index = open_index([old])
    hits = index.search(SearchRequest(query="gélule", mode=MatchMode.ALL, silos=(Silo.LOCAL,)))
    assert [h.passage.source_key for h in hits] == ["local:q"]
    index.close()


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM passages WHERE source_key = 'local:p'",
        "DELETE FROM sources WHERE key = 'local:p'",
        "DELETE FROM meta",
    ],
)
def test_an_old_index_that_is_not_whole_is_left_alone(old: Path, statement: str) -> None:
    db = apsw.Connection(str(old))
    db.execute(statement)
    db.close()
    before = old.read_bytes()
    with pytest.raises(IndexFileError, match="endommagé"):
        upgrade_old(old)
    assert old.read_bytes() == before
    assert [p.name for p in old.parent.iterdir()] == [old.name]


def test_a_draft_of_version_1_is_begun_again_or_continued(tmp_path: Path) -> None:
    target = tmp_path / "index.db"
    draft = target.with_name("index.db.building")
    db = apsw.Connection(str(draft))
    schema.upgrade(db, schema.INDEX, draft, 1)
    db.executemany(
        "INSERT INTO meta VALUES (?,?)", {"inputs": "les mêmes", "build_id": "b"}.items()
    )
    db.close()
    with IndexWriter(target) as writer:
        writer.begin("les mêmes")
        writer.add(DOCUMENTS[0])
        writer.finish()
    index = open_index([target])
    assert index.passages_of("A-1") == DOCUMENTS[0].passages
    index.close()


def test_the_users_old_library_is_upgraded_when_it_is_opened(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths, "user_index", lambda: old)
    index = app.toolbox().open_index(None)
    assert index.passages_of("p") == DOCUMENTS[3].passages
    index.close()
