"""``search``, ``ask`` and ``library`` as typed, on a small index."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes import clinic
from fakes.memory_index import passage

from ancremed_desktop import app
from ancremed_desktop.cli import main
from ancremed_desktop.domain.documents import CorpusItem, Refusal, Source, SourceDocument, Tally
from ancremed_desktop.domain.events import CancelToken, ProgressCallback
from ancremed_desktop.errors import BadFileError
from ancremed_desktop.index.reader import SqlitePassageIndex
from ancremed_desktop.index.writer import IndexWriter
from ancremed_desktop.services.assistants import AssistantSource
from ancremed_desktop.services.library import LibraryService
from ancremed_desktop.services.qualification import QualificationStore
from ancremed_desktop.services.toolbox import Toolbox


def _document(number: int) -> SourceDocument:
    part = passage(
        f"E-{number}", f"Sujet {number}", "signes", "Le paracétamol traite la fièvre de l’enfant."
    )
    source = Source(
        key=part.source_key,
        silo=part.silo,
        title=part.origin_title,
        source_identifier=part.source_identifier,
        publisher="Essai",
        licence="CC0",
    )
    return SourceDocument(source=source, passages=(part,))


def _many(folder: Path, progress: ProgressCallback, cancel: CancelToken) -> Iterator[CorpusItem]:
    for number in range(30):
        yield _document(number)
        yield Tally(file_name=f"{number}.pdf", unit="page", read=3, kept=2, ignored=1)
    for number in range(100, 125):
        yield Refusal(file_name=f"{number}.pdf", where="page 1", reason="illisible")
        yield Tally(file_name=f"{number}.pdf", unit="page", read=1, kept=0, refused=1)


def _none(folder: Path, progress: ProgressCallback, cancel: CancelToken) -> Iterator[CorpusItem]:
    yield Refusal(file_name="a", where="fichier entier", reason="illisible")
    yield Tally(file_name="a", unit="ligne", read=1, kept=0, refused=1)


def _broken(folder: Path, progress: ProgressCallback, cancel: CancelToken) -> Iterator[CorpusItem]:
    yield _document(999)
    raise BadFileError("liste illisible.")


@pytest.fixture
def toolbox(tmp_path: Path) -> Toolbox:
    starter = tmp_path / "fiches"
    starter.mkdir()
    (starter / "fiche.md").write_text("x")

    def open_index(path: Path | None) -> SqlitePassageIndex:
        return SqlitePassageIndex([path or tmp_path / "index.db"])

    readers = {"cards": _many, "bdpm": _broken, "has": _none}
    return Toolbox(
        open_index=open_index,
        ask=lambda path, *, hybrid=None, own=None: app._ask(
            path or tmp_path / "index.db",
            hybrid=hybrid,
            assistants=lambda: AssistantSource(
                clinic.prompts(),
                QualificationStore(tmp_path / "q.json"),
                lambda: {},
                lambda _n: pytest.fail("not asked"),
                lambda _a: pytest.fail("not asked"),
            ),
        ),
        embed=app._embed,
        calculator=lambda: pytest.fail("not asked"),
        library=LibraryService(readers=readers, writer=IndexWriter),
        models=lambda: pytest.fail("not asked"),
        online=lambda: pytest.fail("not asked"),
        desk=lambda: pytest.fail("not asked"),
        kept_questions=tuple,
        forget_questions=lambda: None,
        starter_folder=starter,
    )


@pytest.fixture
def index(tmp_path: Path, toolbox: Toolbox, capsys: pytest.CaptureFixture[str]) -> Path:
    target = tmp_path / "index.db"
    assert main.run(["library", "build", "--out", str(target)], toolbox) == 0
    return target


def test_a_build_is_summed_up(
    index: Path, toolbox: Toolbox, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = capsys.readouterr().out.splitlines()
    assert "  cards\u00a0: 55\u00a0fichiers, dont 25\u00a0refusés" in lines
    assert "    115\u00a0pages\u00a0: 60\u00a0gardés, 25\u00a0refusés, 30\u00a0ignorés" in lines
    assert sum("Refusé\u00a0:" in line for line in lines) == 10
    assert "  … et 15 autres refus\u00a0: «\u00a0library report\u00a0»" in lines
    assert main.run(["library", "report"], toolbox) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum("Refusé\u00a0:" in line for line in lines) == 25
    assert "  29.pdf – 3\u00a0pages\u00a0: 2\u00a0gardés, 0\u00a0refusé, 1\u00a0ignoré" in lines


def test_a_build_tells_all_on_demand(
    tmp_path: Path, toolbox: Toolbox, capsys: pytest.CaptureFixture[str]
) -> None:
    build = ["library", "build", "--out", str(tmp_path / "index.db")]
    assert main.run([*build, "--details"], toolbox) == 0
    assert capsys.readouterr().out.count("Refusé\u00a0:") == 25
    assert main.run([*build, "--json"], toolbox) == 0
    report = json.loads(capsys.readouterr().out)
    assert (len(report["refusals"]), len(report["tallies"])) == (25, 55)
    assert report["parts"][0]["counts"][0]["kept"] == 60


def test_a_folder_that_gives_nothing_is_a_failure(
    tmp_path: Path, toolbox: Toolbox, capsys: pytest.CaptureFixture[str]
) -> None:
    build = ["library", "build", "--out", str(tmp_path / "index.db"), "--has"]
    assert main.run([*build, str(toolbox.starter_folder)], toolbox) == 3
    assert "Aucun document lisible dans le dossier «\u00a0has\u00a0»" in capsys.readouterr().err
    empty = tmp_path / "vide"
    (empty / "sous-dossier").mkdir(parents=True)
    assert main.run([*build, str(empty)], toolbox) == 3
    assert "ne contient aucun fichier" in capsys.readouterr().err


def test_bad_input_leaves_nothing_behind(
    tmp_path: Path, toolbox: Toolbox, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(tmp_path.iterdir())
    arguments = ["library", "build", "--bdpm", str(toolbox.starter_folder)]
    assert main.run([*arguments, "--out", str(tmp_path / "index.db")], toolbox) == 3
    assert "liste illisible." in capsys.readouterr().err
    assert sorted(tmp_path.iterdir()) == before


def test_a_strangers_file_is_never_replaced(
    index: Path, toolbox: Toolbox, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = index.parent
    stranger, nothing = folder / "these.docx", folder / "vide.db"
    stranger.write_bytes(b"PK\3\4" + bytes(200))
    nothing.touch()
    capsys.readouterr()
    for out in (str(stranger), str(nothing), str(folder), ""):
        assert main.run(["library", "build", "--out", out], toolbox) == 3
        assert capsys.readouterr().err.startswith("Erreur\u00a0: «")
    assert stranger.read_bytes() == b"PK\3\4" + bytes(200)
    damaged = index.read_bytes()[:5000]
    index.write_bytes(damaged)
    assert main.run(["library", "build", "--out", str(index)], toolbox) == 0


def test_a_misspelt_word_is_searched_as_its_nearest(
    index: Path, toolbox: Toolbox, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main.run(["search", "paracetanol enfan", "--json", "--limit", "3"], toolbox) == 0
    shown = capsys.readouterr()
    assert shown.err == "Recherche de\u00a0: paracetamol enfant\n"
    assert len(json.loads(shown.out)) == 3


@pytest.mark.parametrize("query", ["paracétamol", "FIEVRE", "paracet", "zzzzzzzz", "fièvre 38,5"])
def test_known_words_and_pieces_are_searched_as_typed(
    index: Path, toolbox: Toolbox, capsys: pytest.CaptureFixture[str], query: str
) -> None:
    capsys.readouterr()
    assert main.run(["search", query], toolbox) == 0
    assert capsys.readouterr().err == ""


def test_altered_passages_are_said(
    index: Path, toolbox: Toolbox, capsys: pytest.CaptureFixture[str]
) -> None:
    content = index.read_bytes()
    capsys.readouterr()
    index.write_bytes(content.replace("traite la fièvre".encode(), "cause! la fièvre".encode(), 2))
    assert main.run(["search", "paracétamol", "--limit", "50"], toolbox) == 0
    assert "altéré" in capsys.readouterr().err
