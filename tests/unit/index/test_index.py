"""An index is built, searched, and refused when it cannot be trusted."""

from __future__ import annotations

import shutil
from pathlib import Path

import apsw
import pytest
from fakes.memory_index import passage
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ancremed_desktop.domain.documents import Passage, Source, SourceDocument
from ancremed_desktop.domain.evidence import MatchMode, SearchRequest
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.errors import IndexFileError, MachineError
from ancremed_desktop.index import search
from ancremed_desktop.index.index_file import IndexFile
from ancremed_desktop.index.reader import SqlitePassageIndex
from ancremed_desktop.index.spelling import pieces_of
from ancremed_desktop.index.writer import IndexWriter
from ancremed_desktop.settings.paths import RESOURCES

SQL = RESOURCES / "sql"


def _document(*passages: Passage, superseded: bool = False) -> SourceDocument:
    first = passages[0]
    return SourceDocument(
        source=Source(
            key=first.source_key,
            silo=first.silo,
            title=first.origin_title,
            source_identifier=first.source_identifier,
            publisher="Essai",
            licence="CC0",
            names=("œdème pulmonaire", "OAP"),
            superseded=superseded,
        ),
        passages=passages,
    )


OEDEMA = passage("EDN-1", "Œdème aigu", "signes", "L’œdème du cœur gauche donne une dyspnée.")
SCORE = passage("EDN-2", "Scores", "définition", "Le score CHA₂DS₂-VASc, la bêta-lactamine β.")


@pytest.fixture
def built(tmp_path: Path) -> Path:
    target = tmp_path / "index.db"
    with IndexWriter(target, SQL) as writer:
        writer.add(_document(OEDEMA))
        writer.add(_document(SCORE))
        writer.finish()
    return target


@pytest.fixture
def index(built: Path) -> SqlitePassageIndex:
    return SqlitePassageIndex([built])


def _urns(index: SqlitePassageIndex, query: str, mode: MatchMode = MatchMode.ALL) -> list[str]:
    return [h.passage.urn for h in index.search(SearchRequest(query=query, mode=mode))]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("oedeme", OEDEMA),
        ("OEDÈMES", OEDEMA),
        ("oede\u0300me", OEDEMA),
        ("coeur", OEDEMA),
        ("dyspnées gauches", OEDEMA),
        ("CHA2DS2-VASc", SCORE),
        ("CHA₂DS₂", SCORE),
        ("beta lactamine", SCORE),
    ],
)
def test_spelling_variants_find_the_same_passage(
    index: SqlitePassageIndex, query: str, expected: Passage
) -> None:
    assert _urns(index, query) == [expected.urn]


def test_a_passage_comes_back_as_it_was_written(index: SqlitePassageIndex) -> None:
    assert index.passage(OEDEMA.urn) == OEDEMA
    assert index.passages_of("EDN-2") == (SCORE,)
    with pytest.raises(KeyError):
        index.passage("urn:ancremed:edn:none#1")


def test_remembered_places_change_no_ranking(
    index: SqlitePassageIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked() -> list[tuple[str, float]]:
        requests = (
            SearchRequest(query=query, mode=MatchMode.RANKED, sections=("signes",))
            for query in ("œdème", "score cœur", "œdème score", "œdème")
        )
        return [(h.passage.urn, h.score) for r in requests for h in index.search(r)]

    first = asked()
    assert first
    assert asked() == first
    monkeypatch.setattr(search, "_CACHED_PLACES", 1)
    assert asked() == first


def test_equal_pieces_are_taken_by_letter(tmp_path: Path) -> None:
    codes = [f"410{n}" for n in range(100, 200)]
    target = tmp_path / "index.db"
    with IndexWriter(target, SQL) as writer:
        writer.add(_document(passage("EDN-1", "Codes", "", " ".join(reversed(codes)))))
        writer.finish()
    file = IndexFile(target)
    assert list(pieces_of("410", file)) == codes[:64]
    assert list(pieces_of("410199410150", file)) == ["410150", "410199"]
    file.close()


def test_names_lead_to_their_source(index: SqlitePassageIndex) -> None:
    found = index.mentions("que faire devant un OAP ?")
    assert [(m.label, m.identifiers) for m in found] == [("OAP", ("EDN-1", "EDN-2"))]


def test_near_words_and_frequencies(index: SqlitePassageIndex) -> None:
    assert index.vocabulary_matches("dispnee") == ("dyspnee",)
    assert index.document_frequency("coeur") == 1
    assert index.document_frequency("astronomie") == 0


@given(query=st.text(max_size=300), mode=st.sampled_from(MatchMode))
@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_text_is_ever_an_operator(
    index: SqlitePassageIndex, query: str, mode: MatchMode
) -> None:
    index.search(SearchRequest(query=query, mode=mode))
    index.search(SearchRequest(query=f'" OR NEAR({query}) AND * ^ : {query}', mode=mode))


@pytest.mark.parametrize("content", [b"", b"not a database", b"SQLite format 3\0" + b"\0" * 500])
def test_files_that_are_no_index_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.db"
    path.write_bytes(content)
    with pytest.raises(IndexFileError):
        SqlitePassageIndex([path])


def test_absent_file_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(IndexFileError, match="library build"):
        SqlitePassageIndex([tmp_path / "absent.db"])


def test_truncated_file_is_refused(built: Path) -> None:
    built.write_bytes(built.read_bytes()[:9000])
    with pytest.raises(IndexFileError):
        SqlitePassageIndex([built])


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("PRAGMA user_version = 99", "plus récente"),
        ("DELETE FROM documents_fts_data WHERE id > 10", "Reconstruisez"),
        ("DELETE FROM documents_fts_docsize", "incomplet"),
    ],
)
def test_newer_or_gutted_index_is_refused(built: Path, statement: str, message: str) -> None:
    db = apsw.Connection(str(built))
    db.execute(statement)
    db.close()
    with pytest.raises(IndexFileError, match=message):
        SqlitePassageIndex([built])


def test_altered_text_is_never_shown(built: Path) -> None:
    db = apsw.Connection(str(built))
    db.execute("DROP TRIGGER docs_au")
    db.execute("UPDATE documents SET text_content = text_content || ' 250 mg'")
    db.close()
    index = SqlitePassageIndex([built])
    assert _urns(index, "oedeme") == []
    with pytest.raises(IndexFileError, match="altéré"):
        index.passage(OEDEMA.urn)


def test_a_strangers_wal_is_not_replayed(built: Path) -> None:
    built.with_name(built.name + "-wal").write_bytes(b"\x37\x7f\x06\x82" + b"x" * 5000)
    assert SqlitePassageIndex([built]).identity().passages == 2


def test_an_unfinished_build_leaves_the_target_and_no_litter(built: Path) -> None:
    before = built.read_bytes()
    with IndexWriter(built, SQL) as writer:
        writer.add(_document(passage("EDN-3", "Autre", "", "Une phrase.", Silo.EDN)))
    assert built.read_bytes() == before
    assert [p.name for p in built.parent.glob("*construction*")] == []


def test_an_unwritable_folder_is_said(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("x")
    with pytest.raises(MachineError, match="espace libre"):
        IndexWriter(blocker / "index.db", SQL)


def test_superseded_passages_leave_retrieval(tmp_path: Path) -> None:
    old = Passage(
        urn="urn:ancremed:edn:EDN-1#old",
        source_key="old",
        silo=Silo.EDN,
        origin_title="Œdème",
        source_identifier="EDN-1",
        text="Ancien traitement de l’œdème.",
        superseded=True,
    )
    target = tmp_path / "two.db"
    with IndexWriter(target, SQL) as writer:
        writer.add(_document(OEDEMA))
        writer.add(_document(old, superseded=True))
        writer.finish()
    copy = tmp_path / "read-only.db"
    shutil.copy(target, copy)
    copy.chmod(0o444)
    index = SqlitePassageIndex([copy])
    assert _urns(index, "œdème") == [OEDEMA.urn]
    request = SearchRequest(query="œdème", include_superseded=True)
    assert len(index.search(request)) == 2
