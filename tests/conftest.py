"""Rules of every test: no network, no leftover thread, reference data through one fixture."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

SHARED = Path(os.environ.get("ANCREMED_SHARED", Path(__file__).parents[2] / "shared"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """Folder of the shared reference material; absent: skip, or fail where CI requires it."""
    if (SHARED / "data" / "README.md").is_file():
        return SHARED
    if os.environ.get("ANCREMED_REQUIRE_DATA"):
        pytest.fail(f"reference data required and absent: {SHARED}")
    pytest.skip(f"reference data absent: {SHARED} (set ANCREMED_SHARED to its folder)")


@pytest.fixture(autouse=True)
def _no_leftover_thread() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    left = [t for t in threading.enumerate() if t not in before and not t.daemon]
    for thread in left:
        thread.join(2)
    left = [t for t in left if t.is_alive()]
    assert not left, f"threads left behind: {left}"


@pytest.fixture(autouse=True, scope="session")
def _no_folders_of_the_machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nor are those of fixtures that outlive one test the folders of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("DATA", "CONFIG", "CACHE"):
            patch.setenv(f"ANCREMED_{name}_DIR", str(tmp_path_factory.mktemp(name)))
        yield


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """User folders of each test are its own."""
    monkeypatch.setenv("ANCREMED_DATA_DIR", str(tmp_path / "user-data"))
    monkeypatch.setenv("ANCREMED_CONFIG_DIR", str(tmp_path / "user-config"))
    monkeypatch.setenv("ANCREMED_CACHE_DIR", str(tmp_path / "user-cache"))
    # Never the developer's own keys.
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
