"""Folders that cannot be made or written: reading goes on, writing says which variable to set."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ancremed_desktop.errors import MachineError
from ancremed_desktop.settings import paths
from ancremed_desktop.settings.preferences import PreferenceStore


@pytest.fixture
def closed_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home where nothing can be made, whoever runs the tests."""
    home = tmp_path / "home"
    home.mkdir()

    def refuse(path: Path, *_args: object, **_options: object) -> None:
        raise OSError(30, "Read-only file system", str(path))

    for name in ("DATA", "CONFIG", "CACHE"):
        monkeypatch.delenv(f"ANCREMED_{name}_DIR")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    monkeypatch.setattr(Path, "mkdir", refuse)
    return home


def test_what_may_be_absent_is_looked_for_all_the_same(closed_home: Path) -> None:
    assert not paths.user_index().exists()
    assert not paths.qualifications().exists()
    assert PreferenceStore().problem == ""


def test_what_must_be_written_names_the_variable(
    closed_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(MachineError) as raised:
        paths.user_index(to_write=True)
    said = str(raised.value)
    assert "support en lecture seule" in said
    assert "Indiquez un autre dossier dans la variable d’environnement ANCREMED_DATA_DIR" in said
    monkeypatch.setenv("ANCREMED_DATA_DIR", str(closed_home / "ailleurs"))
    with pytest.raises(MachineError, match="Corrigez la variable d’environnement ANCREMED_DATA"):
        paths.user_index(to_write=True)


def test_a_folder_that_is_there_and_closed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert paths.cache_dir(to_write=True).is_dir()
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    assert paths.cache_dir().is_dir()
    with pytest.raises(MachineError, match="n’est pas accessible en écriture"):
        paths.cache_dir(to_write=True)
