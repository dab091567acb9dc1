"""Vectors are made once, kept with the index, and dropped with the text they were made of."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import apsw
import pytest
from fakes.hash_embedder import HashEmbedder
from fakes.memory_index import passage

from ancremed_desktop.domain.documents import Passage, Source, SourceDocument
from ancremed_desktop.domain.events import CancelToken, Progress, ignore_progress
from ancremed_desktop.domain.identifiers import PassageKind, Silo
from ancremed_desktop.errors import Cancelled, IndexFileError
from ancremed_desktop.index.integrity import check
from ancremed_desktop.index.reader import SqlitePassageIndex
from ancremed_desktop.index.vector_writer import VectorWriter
from ancremed_desktop.index.vectors import MAX_CHARACTERS, StoredVectors, embedded_text, packed
from ancremed_desktop.index.writer import IndexWriter
from ancremed_desktop.ports import Embedder
from ancremed_desktop.services.meaning import EMBEDDED, Embedded, embed_index

HEART = passage("A", "Cœur", "signes", "L’infarctus du myocarde donne une douleur.", Silo.FICHES)
LUNG = passage("B", "Poumon", "signes", "La pneumonie donne une toux.", Silo.EDN)
DRUG = passage("60000001", "DOLIPRANE", "composition", "Paracétamol.", Silo.BDPM)
EXAM = replace(
    passage("C", "Annales", "qcm", "L’infarctus du myocarde : vrai.", Silo.EDN),
    kind=PassageKind.EXAM_ANSWER,
)
OLD = replace(
    passage("D", "Cœur ancien", "signes", "L’infarctus du myocarde, jadis."), superseded=True
)


def _build(target: Path, passages: Sequence[Passage]) -> Path:
    with IndexWriter(target) as writer:
        for one in passages:
            source = Source(
                key=one.source_key,
                silo=one.silo,
                title=one.origin_title,
                source_identifier=one.source_identifier,
                publisher="Essai",
                licence="CC0",
                superseded=one.superseded,
            )
            writer.add(SourceDocument(source=source, passages=(one,)))
        writer.finish()
    return target


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return _build(tmp_path / "index.db", (HEART, LUNG, DRUG, EXAM, OLD))


def _embed(
    target: Path, embedder: Embedder, silos: tuple[Silo, ...] = EMBEDDED, stop_after: int = 0
) -> Embedded:
    cancel = CancelToken()

    def progress(step: Progress) -> None:
        if step.done == stop_after:
            cancel.cancel()

    return embed_index(
        lambda name: VectorWriter(target, name), embedder, silos, progress=progress, cancel=cancel
    )


def _nearest(target: Path, text: str, silos: tuple[Silo, ...] = (), limit: int = 5) -> list[str]:
    vectors = StoredVectors([target], SqlitePassageIndex([target]))
    hits = vectors.nearest(HashEmbedder().embed_query(text), silos, limit)
    return [h.passage.urn for h in hits]


def test_vectors_come_back_as_they_were(target: Path) -> None:
    embedder = HashEmbedder()
    done = _embed(target, embedder)
    assert (done.added, done.total) == (2, 2)
    index = SqlitePassageIndex([target])
    vectors = StoredVectors([target], index)
    assert vectors.embedder() == embedder.name
    hit, other = vectors.nearest(embedder.embed_passage(embedded_text(HEART)), (), 5)
    assert (hit.passage, other.passage) == (HEART, LUNG)
    assert hit.score == pytest.approx(1.0, abs=1e-3)  # eight bits a coordinate
    asked, stored = (embedder.embed_query(embedded_text(p)) for p in (HEART, LUNG))
    cosine = sum(x * y for x, y in zip(asked, stored, strict=True))
    assert other.score == pytest.approx(
        cosine / (math.hypot(*asked) * math.hypot(*stored)), abs=0.02
    )
    assert check(target, ignore_progress, CancelToken()) == ()


def test_exams_old_editions_and_drugs_are_left_out(target: Path) -> None:
    _embed(target, HashEmbedder())
    assert _nearest(target, "infarctus du myocarde paracétamol") == [HEART.urn, LUNG.urn]
    _embed(target, HashEmbedder(), (Silo.BDPM,))
    assert _nearest(target, "paracétamol", (Silo.BDPM,)) == [DRUG.urn]
    assert _nearest(target, "paracétamol", (Silo.BDPM, Silo.EDN), limit=1) == [DRUG.urn]


def test_a_stopped_run_goes_on_where_it_stopped(target: Path) -> None:
    before = target.read_bytes()
    with pytest.raises(Cancelled):
        _embed(target, HashEmbedder(), stop_after=1)
    assert target.read_bytes() == before
    embedder = HashEmbedder()
    done = _embed(target, embedder)
    assert embedder.embedded == [embedded_text(HEART)]  # EDN came first
    assert (done.added, done.total) == (1, 2)
    assert sorted(p.name for p in target.parent.glob("index.db*")) == ["index.db"]


def test_a_draft_of_another_build_is_not_continued(target: Path) -> None:
    with pytest.raises(Cancelled):
        _embed(target, HashEmbedder(), stop_after=1)
    _build(target, (replace(HEART, text="Autre texte sur le myocarde."),))
    embedder = HashEmbedder()
    assert _embed(target, embedder).total == 1
    assert embedder.embedded == ["Cœur – Autre texte sur le myocarde."]


def test_what_a_kill_left_of_the_copy_is_thrown_away(target: Path) -> None:
    draft = target.with_name(target.name + ".embedding")
    draft.write_bytes(target.read_bytes()[:5000])
    assert _embed(target, HashEmbedder()).total == 2


def test_another_embedder_begins_again(target: Path) -> None:
    _embed(target, HashEmbedder("un"))
    assert _embed(target, HashEmbedder("deux")).added == 2
    vectors = StoredVectors([target], SqlitePassageIndex([target]))
    assert vectors.embedder() == "deux"


def test_a_passage_whose_text_changed_has_no_vector(target: Path) -> None:
    _embed(target, HashEmbedder())
    changed = replace(HEART, text="Rien de cela.")
    with IndexWriter(target) as writer:
        writer.begin(base=target)
        assert writer.remove(HEART.source_key)
        writer.add(
            SourceDocument(
                source=Source(
                    key=HEART.source_key,
                    silo=HEART.silo,
                    title=HEART.origin_title,
                    source_identifier=HEART.source_identifier,
                    publisher="Essai",
                    licence="CC0",
                ),
                passages=(changed,),
            )
        )
        writer.finish()
    assert _nearest(target, "infarctus du myocarde") == [LUNG.urn]
    rows = apsw.Connection(str(target)).execute("SELECT document_id FROM passage_vectors")
    assert rows.fetchall() == [(LUNG.urn,)]  # nothing is kept of a text that was taken out
    assert _embed(target, HashEmbedder()).added == 1


def test_an_altered_passage_is_left_out_and_counted(target: Path) -> None:
    _embed(target, HashEmbedder())
    connection = apsw.Connection(str(target))
    connection.execute("DROP TRIGGER docs_au")
    connection.execute("UPDATE documents SET text_content = 'x' WHERE id = ?", (HEART.urn,))
    connection.close()
    index = SqlitePassageIndex([target])
    hits = StoredVectors([target], index).nearest(HashEmbedder().embed_query("myocarde"), (), 5)
    assert [h.passage.urn for h in hits] == [LUNG.urn]
    assert index.altered_passages == 1


def test_vectors_that_cannot_be_right_are_refused(target: Path) -> None:
    _embed(target, HashEmbedder())
    connection = apsw.Connection(str(target))
    connection.execute(
        "UPDATE passage_vectors SET vector = x'00' WHERE document_id = ?", (LUNG.urn,)
    )
    connection.close()
    with pytest.raises(IndexFileError, match="vecteurs sont illisibles"):
        StoredVectors([target], SqlitePassageIndex([target]))


def test_an_index_without_vectors_says_so(target: Path) -> None:
    vectors = StoredVectors([target], SqlitePassageIndex([target]))
    assert vectors.embedder() == ""
    assert vectors.nearest((1.0,) * 64, (), 5) == ()


def test_two_files_of_different_embedders_are_refused(target: Path, tmp_path: Path) -> None:
    other = _build(tmp_path / "autre.db", (LUNG,))
    _embed(target, HashEmbedder("un"))
    _embed(other, HashEmbedder("deux"))
    with pytest.raises(IndexFileError, match="un, deux"):
        StoredVectors([target, other], SqlitePassageIndex([target, other]))


def test_title_heading_and_beginning_are_embedded() -> None:
    long = replace(HEART, heading="Douleur", text="Mot " * 200)
    assert embedded_text(long).startswith("Cœur – Douleur – Mot Mot")
    assert len(embedded_text(long)) <= MAX_CHARACTERS
    said = replace(HEART, heading="Cœur", text="Le cœur\n bat.")
    assert embedded_text(said) == "Le cœur bat."


@pytest.mark.parametrize("vector", [(), (1.0,) * 7, (0.0,) * 8, (math.inf,) * 8])
def test_what_is_no_direction_is_not_stored(vector: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="coordinates"):
        packed(vector)


def test_signs_and_bytes() -> None:
    assert packed((1.0, -1.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.25)) == (
        bytes([0b10100001]),
        bytes([127, 129, 64, 0, 0, 0, 0, 32]),
    )
