"""A small real index for the tests that damage one or ask one bad questions."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.command_line import run

from ancremed_desktop import app
from ancremed_desktop.services.ask import AskService


@pytest.fixture(scope="session")
def service() -> AskService:
    """Answers from the starter cards alone."""
    return app.toolbox().ask(None)


@pytest.fixture(scope="session")
def _built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("index") / "index.db"
    assert run("library", "build", "--out", path).code == 0
    return path


@pytest.fixture
def index(_built: Path, tmp_path: Path) -> Path:
    """An index of the starter cards that a test may damage."""
    path = tmp_path / "index" / "index.db"
    path.parent.mkdir()
    path.write_bytes(_built.read_bytes())
    return path
