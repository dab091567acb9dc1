"""An index that is absent, damaged, newer, read-only, with a stranger's files; a full disk."""

from __future__ import annotations

import random
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest
from fakes.command_line import Outcome, error_of, run

from ancremed_desktop import app
from ancremed_desktop.errors import IndexFileError
from ancremed_desktop.gui.workbench import ToolboxWorkbench
from ancremed_desktop.index.connection import open_read_only
from ancremed_desktop.settings import paths

QUESTION = "contre-indications de la metformine"
ANSWER = "La metformine est contre-indiquée lorsque le débit"
CARD = paths.RESOURCES / "corpus" / "starter" / "urgence-anaphylaxie.md"
_PAGE = 4096
Damage = Callable[[Path], None]


def _statement(text: str) -> Damage:
    def damage(path: Path) -> None:
        db = apsw.Connection(str(path))
        db.execute(text)
        db.close()

    return damage


def _truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: 50 * _PAGE])


def _no_index(path: Path) -> None:
    path.write_bytes(b"PK\3\4" + bytes(5000))


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _loop(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


_REBUILD = "Reconstruisez-le (« library build » ; si c’est votre bibliothèque, déplacez ce fichier"
UNUSABLE: dict[str, tuple[Damage, str, str]] = {
    "absent": (Path.unlink, "n’existe pas", "Construisez-le avec « library build », ou indiquez"),
    "folder": (_folder, "(c’est un dossier)", "Vérifiez son emplacement"),
    "link to itself": (_loop, "(ce lien mène à lui-même)", "Vérifiez son emplacement"),
    "empty": (_empty, "est vide (0 octet)", _REBUILD),
    "no index": (_no_index, "n’est pas un index AncreMed", _REBUILD),
    "truncated": (_truncated, "est tronqué", _REBUILD),
    "newer": (
        _statement("PRAGMA user_version = 99"),
        "vient d’une version plus récente d’AncreMed (format 99",
        "Mettez l’application à jour",
    ),
    "stranger": (
        _statement("PRAGMA application_id = 7"),
        "base de données d’un autre logiciel",
        "Indiquez un fichier créé par AncreMed",
    ),
    # SQLite's integrity_check finds nothing wrong with these two, and a search finds nothing.
    "full text destroyed": (
        _statement("UPDATE documents_fts_data SET block = x'00000000' WHERE id = 10"),
        "la recherche plein texte ne répond plus",
        _REBUILD,
    ),
    "full text emptied": (
        _statement("DELETE FROM documents_fts_idx"), "le plein texte est incomplet", _REBUILD
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", UNUSABLE)
def test_an_index_that_cannot_be_used(
    index: Path, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    damage, what, advice = UNUSABLE[case]
    damage(index)
    if case.startswith("full text"):
        db = open_read_only(index)
        assert list(db.execute("PRAGMA integrity_check")) == [("ok",)]
        db.close()
    before = index.read_bytes() if index.is_file() else b""
    for command in (
        ("ask", QUESTION), ("search", "metformine"), ("library", "list"), ("library", "check"),
        ("library", "report"),
    ):  # fmt: skip
        outcome = run(*command, "--index", index)
        error = error_of(outcome)
        assert (outcome.code, outcome.out) == (4, "")
        assert what in error
        assert str(index) in error
        assert advice in error
    assert not index.is_file() or index.read_bytes() == before
    monkeypatch.setattr(paths, "user_index", lambda: index)  # as the user's own library
    if index.exists():
        with pytest.raises(IndexFileError, match="«"):
            ToolboxWorkbench(app.toolbox()).open()


@pytest.mark.parametrize("seed", range(12))
def test_random_damage_is_never_a_crash(index: Path, seed: int) -> None:
    """Each command answers from what is whole or says what is wrong; the check always sees it."""
    rng = random.Random(seed)
    content = bytearray(index.read_bytes())
    with apsw.Connection(str(index)) as db:
        unused = next(iter(db.execute("PRAGMA freelist_count")))[0]
    assert not unused
    for _ in range(4):
        start = rng.randrange(1, len(content) // _PAGE) * _PAGE
        if seed % 2:
            content[start : start + _PAGE] = rng.randbytes(_PAGE)
        else:
            for _ in range(200):
                content[start + rng.randrange(_PAGE)] ^= 1 << rng.randrange(8)
    index.write_bytes(content)
    for command in (
        ("ask", QUESTION), ("search", "choc adrénaline"), ("library", "list"), ("library", "report"),
    ):  # fmt: skip
        outcome = run(*command, "--index", index)
        assert outcome.code in {0, 4}, outcome.err
        if outcome.code:
            assert f"L’index « {index} » est endommagé" in error_of(outcome)
    assert run("library", "check", "--index", index).code == 4
    assert index.read_bytes() == content


def test_read_only_media_and_a_strangers_wal(index: Path) -> None:
    before = index.read_bytes()
    wal, journal = (index.with_name(index.name + suffix) for suffix in ("-wal", "-journal"))
    wal.write_bytes(random.Random(3).randbytes(9000))
    journal.write_bytes(bytes.fromhex("d9d505f920a163d7") + bytes(8000))
    index.chmod(0o444)
    index.parent.chmod(0o555)
    try:
        outcome = run("ask", QUESTION, "--index", index)
    finally:
        index.parent.chmod(0o755)
    assert outcome.code == 0, outcome.err
    assert ANSWER in outcome.out
    assert index.read_bytes() == before
    assert len(wal.read_bytes()) == 9000


@contextmanager
def _disk_of(free: int) -> Iterator[None]:
    """No file of this process may grow past ``free`` bytes: writes fail as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (free, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _build(out: Path) -> Outcome:
    return run("library", "build", "--out", out)


@pytest.mark.parametrize("free", [4_000, 60_000, 700_000, 1_500_000])
def test_a_full_disk_stops_a_build_and_loses_nothing(index: Path, free: int) -> None:
    before = index.read_bytes()
    with _disk_of(free):
        outcome = _build(index)
    assert outcome.code == 5
    error = error_of(outcome)
    assert "place libre" in error or "Libérez de la place" in error
    assert str(index) in error
    assert index.read_bytes() == before
    assert run("ask", QUESTION, "--index", index).code == 0
    assert _build(index).code == 0
    assert sorted(p.name for p in index.parent.iterdir()) == ["index.db"]
    assert ANSWER in run("ask", QUESTION, "--index", index).out


def test_a_full_disk_stops_an_import_and_keeps_the_library(tmp_path: Path) -> None:
    folder = tmp_path / "fiches"
    folder.mkdir()
    (folder / CARD.name).write_bytes(CARD.read_bytes())
    command = ("library", "import", "--type", "cards", folder)
    assert run(*command).code == 0
    before = paths.user_index().read_bytes()
    (folder / "autre.md").write_text(
        CARD.read_text("utf-8").replace("urgence-anaphylaxie", "essai")
    )
    with _disk_of(30_000):
        outcome = run(*command)
    assert outcome.code == 5
    assert "place libre" in error_of(outcome) or "Libérez de la place" in error_of(outcome)
    assert paths.user_index().read_bytes() == before
    assert run(*command).code == 0
    assert run("library", "check", "--index", paths.user_index()).code == 0


def test_a_full_disk_costs_a_page_but_not_the_one_before(index: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    command = ("ask", QUESTION, "--index", index, "--html", page)
    with _disk_of(1_000):
        outcome = run(*command)
    assert outcome.code == 5
    assert "plus de place" in error_of(outcome)
    assert str(page) in error_of(outcome)
    assert run(*command).code == 0
    before = page.read_text("utf-8")
    with _disk_of(1_000):
        assert run(*command).code == 5
    assert page.read_text("utf-8") == before


def test_an_unwritable_log_costs_no_answer(index: Path) -> None:
    with _disk_of(0):
        outcome = run("ask", QUESTION, "--index", index)
    assert outcome.code == 0, outcome.err
    assert ANSWER in outcome.out
