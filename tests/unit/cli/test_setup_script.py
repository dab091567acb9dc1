"""The set-up script asks apt for what is missing alone, and goes on when apt fails."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or not shutil.which("sh"), reason="a script for POSIX shells"
)


def _libraries() -> list[str]:
    text = (ROOT / "build" / "setup.sh").read_text(encoding="utf-8")
    return text.split('QT_LIBRARIES="')[1].split('"')[0].replace("\\\n", " ").split()


def _run(tmp_path: Path, packages: list[str], apt_code: int) -> tuple[int, str, str]:
    """Exit code, error output and apt's calls, with ``packages`` as dpkg's lines."""
    tools = tmp_path / "bin"
    tools.mkdir()
    listing = tmp_path / "listing"
    listing.write_text("".join(f"{line}\n" for line in packages), encoding="utf-8")
    scripts = {
        "dpkg-query": f'cat "{listing}"',
        "apt-get": f'echo "$@" >> "{tmp_path}/calls"; exit {apt_code}',
        "id": "echo 0",
    }
    for name, body in scripts.items():
        (tools / name).write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        (tools / name).chmod(0o755)
    body = (
        f"set -eu; PATH={tools}:$PATH; PYTHON={sys.executable}; . {ROOT}/build/setup.sh; "
        'packages="$(missing_packages)"; [ -z "$packages" ] || install_packages $packages; '
        "echo suite"
    )
    done = subprocess.run(["sh", "-c", body], capture_output=True, text=True, check=False)
    assert done.stdout.endswith("suite\n"), done.stderr
    calls = tmp_path / "calls"
    return done.returncode, done.stderr, calls.read_text() if calls.exists() else ""


def test_apt_is_not_asked_when_nothing_is_missing(tmp_path: Path) -> None:
    names = _libraries()
    assert len(names) > 15
    lines = [f"installed|{name}, " for name in names[3:]]
    lines += [
        f"installed|{names[0]}t64, {names[0]} (= 1.2)",  # renamed
        f"installed|{names[1]}t64, ",  # renamed, provides nothing
        f"installed|autre, x11-quelque-chose, {names[2]} (= 4:5.6)",  # provided by another
    ]
    assert _run(tmp_path, lines, apt_code=1) == (0, "", "")


def test_only_what_is_missing_is_asked_for(tmp_path: Path) -> None:
    names = _libraries()
    lines = [f"installed|{name}, " for name in names[2:]]
    lines += [f"not-installed|{names[0]}, ", f"config-files|{names[1]}, {names[1]}"]
    code, _errors, calls = _run(tmp_path, lines, apt_code=0)
    assert code == 0
    assert calls.splitlines()[1].split()[-2:] == names[:2]


def test_a_failing_apt_is_said_and_the_script_goes_on(tmp_path: Path) -> None:
    code, errors, calls = _run(tmp_path, [], apt_code=100)
    assert code == 0
    assert calls.startswith("update")
    assert "Bibliothèques système non installées" in errors
    assert _libraries()[0] in errors
