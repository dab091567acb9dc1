"""The shipped index: the same bytes from the same sources, used only while it matches them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ancremed_desktop import app
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.settings import paths

_CARD = "recommandation-angine-enfant.md"


@pytest.fixture
def cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cards"
    (folder / "starter").mkdir(parents=True)
    shutil.copy(paths.RESOURCES / "corpus" / "starter" / _CARD, folder / "starter" / _CARD)
    monkeypatch.setattr(app, "_STARTER", folder)
    monkeypatch.setattr(paths, "SHIPPED_INDEX", tmp_path / "resources" / "shipped.db")
    return folder


def _build(cards: Path, out: Path) -> bytes:
    folders = {"cards": cards}
    app.toolbox().library.build(folders, out, progress=ignore_progress, cancel=CancelToken())
    return out.read_bytes()


def _opened() -> Path:
    index = app.toolbox().open_index(None)
    path = Path(index.identity().path)
    index.close()
    return path


def test_the_same_sources_make_the_same_bytes(
    cards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1764547200")
    moved = shutil.copytree(cards, tmp_path / "elsewhere")
    first = _build(cards, tmp_path / "a.db")
    assert first == _build(moved, tmp_path / "b.db")
    card = moved / "starter" / _CARD
    card.write_text(card.read_text("utf-8") + "\n", "utf-8")
    assert first != _build(moved, tmp_path / "b.db")


def test_the_shipped_file_is_opened_while_it_matches_its_sources(cards: Path) -> None:
    _build(cards, paths.SHIPPED_INDEX)
    paths.SHIPPED_INDEX.parent.chmod(0o555)
    assert _opened() == paths.SHIPPED_INDEX
    card = cards / "starter" / _CARD
    card.write_text(card.read_text("utf-8") + "\n", "utf-8")
    cached = _opened()
    assert cached.parent == paths.cache_dir()
    built = cached.stat().st_mtime_ns
    assert _opened() == cached
    assert cached.stat().st_mtime_ns == built
    cached.write_bytes(b"x" * 5000)
    assert _opened() == cached
    paths.SHIPPED_INDEX.parent.chmod(0o755)


def test_an_index_named_by_the_user_is_opened_as_it_is(
    cards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = tmp_path / "mine.db"
    _build(cards, named)
    (cards / "starter" / "autre.md").write_text("x")
    monkeypatch.setenv("ANCREMED_INDEX", str(named))
    assert _opened() == named
