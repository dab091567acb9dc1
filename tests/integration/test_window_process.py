"""The window as a process: Ctrl+C and the end of a session close it, an import beside it shows."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ancremed_desktop import app
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.gui.workbench import ToolboxWorkbench
from ancremed_desktop.settings import paths
from ancremed_desktop.settings.preferences import PreferenceStore

MAIN = Path(app.__file__).parents[1] / "main.py"
RULE = "La morsure de vipère est déclarée au centre antipoison sous 2 heures."


@pytest.mark.skipif(sys.platform == "win32", reason="signals of the terminal are sent by POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_closes_the_window(number: signal.Signals) -> None:
    PreferenceStore().update(notice_version=1, window_width=1000)
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "DISPLAY": ":0"}
    window = subprocess.Popen([sys.executable, MAIN], env=environment, stderr=subprocess.PIPE)
    made = paths.cache_dir() / paths.SHIPPED_INDEX.name
    try:
        deadline = time.monotonic() + 60
        while not made.exists() and time.monotonic() < deadline:
            assert window.poll() is None
            time.sleep(0.05)
        assert made.exists()  # the window is shown and its worker at work
        window.send_signal(number)
        _out, said = window.communicate(timeout=20)
    finally:
        window.kill()
    assert window.returncode == 128 + number
    assert b"Traceback" not in said


def test_an_import_beside_the_window_answers_the_next_question(tmp_path: Path) -> None:
    desk = ToolboxWorkbench(app.toolbox())
    before = desk.open()
    assert desk.refreshed() is None
    file = tmp_path / "vipere.md"
    file.write_text(f"# Morsures\n\n## Déclaration\n\n{RULE}\n", encoding="utf-8")
    app.toolbox().library.import_into(  # as the command line does
        "local", [file], paths.user_index(), progress=ignore_progress, cancel=CancelToken()
    )
    after = desk.refreshed()
    assert after is not None
    assert after.sources == before.sources + 1
    assert desk.refreshed() is None
    assert any(row.source.file_name == "vipere.md" for row in desk.sources())
