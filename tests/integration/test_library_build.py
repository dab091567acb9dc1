"""The library is built from real readers, continued after a stop, imported, listed, checked."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ancremed_desktop.corpus.bdpm.read import read_bdpm
from ancremed_desktop.corpus.cards.read import read_cards
from ancremed_desktop.corpus.has.read import read_has
from ancremed_desktop.domain.documents import CorpusItem, Refusal, Tally
from ancremed_desktop.domain.events import CancelToken, Progress, ProgressCallback, ignore_progress
from ancremed_desktop.domain.evidence import SearchRequest
from ancremed_desktop.errors import BadFileError, Cancelled
from ancremed_desktop.index.reader import open_index
from ancremed_desktop.index.writer import IndexWriter
from ancremed_desktop.services.library import LibraryService
from ancremed_desktop.settings.paths import RESOURCES

STARTER = RESOURCES / "corpus" / "starter"


def _library(**readers: object) -> LibraryService:
    return LibraryService(readers={"cards": read_cards, **readers}, writer=IndexWriter)  # type: ignore[dict-item]  # fakes


def test_the_starter_corpus_is_built_listed_and_whole(tmp_path: Path) -> None:
    out = tmp_path / "starter.db"
    steps: list[Progress] = []
    library = _library()
    report = library.build({"cards": STARTER}, out, progress=steps.append, cancel=CancelToken())
    assert report.refusals == ()
    assert report.sources == sum(t.kept for t in report.tallies) >= 30
    assert all(t.read == t.kept + t.refused + t.ignored for t in report.tallies)
    assert any(s.seconds_left is not None for s in steps)
    index = open_index([out])
    assert len(library.list(index)) == report.sources
    assert index.identity().passages == report.passages
    assert [m.identifiers for m in index.mentions("Quelle dose de Doliprane ?")] == [("60234100",)]
    assert index.search(SearchRequest(query="choc anaphylactique"))[0].passage.section
    index.close()
    assert library.check(out, progress=ignore_progress, cancel=CancelToken()).problems == ()


def test_a_stopped_build_goes_on_where_it_was(tmp_path: Path) -> None:
    reads: list[str] = []

    def other(
        folder: Path, progress: ProgressCallback, cancel: CancelToken
    ) -> Iterator[CorpusItem]:
        reads.append("autre")
        yield Refusal(file_name="f", where="ligne 1", reason="illisible.")
        yield Tally(file_name="f", unit="ligne", read=2, kept=1, refused=1)

    def cards(
        folder: Path, progress: ProgressCallback, cancel: CancelToken
    ) -> Iterator[CorpusItem]:
        reads.append("cards")
        yield from read_cards(folder, progress, cancel)

    cancel = CancelToken()

    def stop_after_the_cards(step: Progress) -> None:
        if step.total and step.done == step.total:
            cancel.cancel()

    library = _library(cards=cards, autre=other)
    folders = {"cards": STARTER, "autre": STARTER}
    out = tmp_path / "index.db"
    with pytest.raises(Cancelled):
        library.build(folders, out, progress=stop_after_the_cards, cancel=cancel)
    assert not out.exists()
    report = library.build(folders, out, progress=ignore_progress, cancel=CancelToken())
    assert reads == ["cards", "autre", "autre"]
    assert "cards" in report.resumed
    assert [r.reason for r in report.refusals] == ["illisible."]
    assert [p.name for p in tmp_path.glob("*.db*")] == ["index.db"]


def test_an_import_adds_to_the_users_own(tmp_path: Path) -> None:
    card = next(STARTER.glob("medicament-*.md"))
    other = next(STARTER.glob("urgence-*.md"))
    user = tmp_path / "bibliotheque.db"
    library = _library()
    for number, source in enumerate((card, other, card)):
        folder = tmp_path / f"dossier{number}"
        folder.mkdir()
        (folder / source.name).write_bytes(source.read_bytes())
        report = library.import_into(
            "cards", [folder], user, progress=ignore_progress, cancel=CancelToken()
        )
    assert report.sources == 2


def test_unknown_kinds_and_absent_folders_are_said(tmp_path: Path) -> None:
    library = _library()
    for folders in ({"vidal": STARTER}, {"cards": tmp_path / "absent"}):
        with pytest.raises(BadFileError):
            library.build(
                folders, tmp_path / "x.db", progress=ignore_progress, cancel=CancelToken()
            )
    assert list(tmp_path.iterdir()) == []


_LINE = "60000001\tAMLODIPINE 5 mg, gélule\tgélule\torale"


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (b"", "est vide"),
        (_LINE.encode("utf-16"), "est en UTF-16"),
        (_LINE.encode("utf-16-be"), "octets nuls"),
        (_LINE.encode() + bytes(20), "octets nuls"),
    ],
)
def test_a_drug_list_that_cannot_be_read_says_why_and_leaves_nothing(
    tmp_path: Path, content: bytes, cause: str
) -> None:
    folder, out = tmp_path / "bdpm", tmp_path / "index.db"
    folder.mkdir()
    (folder / "CIS_bdpm.txt").write_bytes(content)
    library = _library(bdpm=read_bdpm)
    with pytest.raises(BadFileError, match=rf"CIS_bdpm\.txt.*{cause}"):
        library.build(
            {"cards": STARTER, "bdpm": folder}, out, progress=ignore_progress, cancel=CancelToken()
        )
    assert list(tmp_path.glob("*.db*")) == []


def test_a_folder_without_pdf_is_refused(tmp_path: Path) -> None:
    folder, out = tmp_path / "has", tmp_path / "index.db"
    (folder / "sous-dossier").mkdir(parents=True)
    library = _library(has=read_has)
    for name, words in (("", "aucun fichier"), ("lisez-moi.txt", "aucun PDF")):
        if name:
            (folder / name).write_text("x")
        with pytest.raises(BadFileError, match=words):
            library.build({"has": folder}, out, progress=ignore_progress, cancel=CancelToken())
        assert list(tmp_path.glob("*.db*")) == []


def test_what_is_neither_folder_nor_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "tube")
    with pytest.raises(BadFileError, match="ni un dossier ni un fichier"):
        _library().build(
            {"cards": tmp_path / "tube"},
            tmp_path / "index.db",
            progress=ignore_progress,
            cancel=CancelToken(),
        )


def test_an_interrupted_build_stays_and_bad_input_removes_it(tmp_path: Path) -> None:
    def stop(_step: Progress) -> None:
        raise KeyboardInterrupt

    out = tmp_path / "index.db"
    with pytest.raises(KeyboardInterrupt):
        _library().build({"cards": STARTER}, out, progress=stop, cancel=CancelToken())
    assert (tmp_path / "index.db.building").exists()
    empty = tmp_path / "autre"
    empty.mkdir()
    (empty / "x").touch()
    with pytest.raises(BadFileError, match="aucune fiche"):
        _library().build({"cards": empty}, out, progress=ignore_progress, cancel=CancelToken())
    assert list(tmp_path.glob("*.db*")) == []
