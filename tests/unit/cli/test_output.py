"""No terminal, however poor, and no disk, however full, makes a command crash."""

from __future__ import annotations

import errno
import io
import json
import runpy
import sys
from pathlib import Path
from typing import Never

import pytest

from ancremed_desktop.cli import main
from ancremed_desktop.cli.output import check_page_target, escape_json, prepare_streams
from ancremed_desktop.errors import BadFileError
from ancremed_desktop.services.library import LibraryService
from ancremed_desktop.services.toolbox import Toolbox

HARD = "PaO₂ ≥ 60 mmHg, 10⁻⁹ mol/L, 5 µg, β-bloquant, « œdème » d’été…"


def _terminal(monkeypatch: pytest.MonkeyPatch, encoding: str) -> io.BytesIO:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding=encoding))
    return raw


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1", "cp437", "utf-8"])
def test_text_never_fails_and_no_figure_changes(
    monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    raw = _terminal(monkeypatch, encoding)
    prepare_streams()
    sys.stdout.write(f"{HARD} \udc80 漢\n")
    sys.stdout.flush()
    shown = raw.getvalue().decode(encoding)
    if encoding == "utf-8":
        assert shown == f"{HARD} ? 漢\n"
        return
    assert ">= 60" in shown or "≥ 60" in shown
    assert shown.count("?") == 2
    if encoding == "ascii":
        assert shown == (
            'PaO_2 >= 60 mmHg, 10^-^9 mol/L, 5 microg, beta-bloquant, " oedeme " d\'ete... ? ?\n'
        )


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_json_is_the_same_document(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    raw = _terminal(monkeypatch, encoding)
    prepare_streams()
    escape_json()
    document = {"quote": f"{HARD} 漢 \U0001d70b"}
    sys.stdout.write(json.dumps(document, ensure_ascii=False))
    sys.stdout.flush()
    assert json.loads(raw.getvalue().decode(encoding)) == document


def _toolbox(error: BaseException) -> Toolbox:
    def fail(*_given: object, **_options: object) -> Never:
        raise error

    library = LibraryService(readers={}, writer=fail)
    return Toolbox(
        open_index=fail,
        ask=fail,
        embed=fail,
        calculator=fail,
        library=library,
        models=fail,
        online=fail,
        desk=fail,
        kept_questions=tuple,
        forget_questions=lambda: None,
        starter_folder=Path(),
    )


def test_an_interruption_is_one_french_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["ask", "Fièvre ?"], _toolbox(KeyboardInterrupt())) == 130
    assert capsys.readouterr().err == "Erreur\u00a0: Interrompu à votre demande.\n"


class _Interrupting:
    """Ctrl-C while the application is being imported."""

    def find_spec(self, name: str, *_: object) -> None:
        if name == "ancremed_desktop.app":
            raise KeyboardInterrupt


def test_an_interruption_while_starting_is_the_same_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "ancremed_desktop.app", raising=False)
    monkeypatch.setattr(sys, "meta_path", [_Interrupting(), *sys.meta_path])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(Path(__file__).parents[3] / "main.py"), run_name="__main__")
    assert ended.value.code == 130
    assert capsys.readouterr().err == "Erreur\u00a0: Interrompu à votre demande.\n"


def test_a_closed_output_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert main.run(["ask", "Fièvre ?"], _toolbox(AssertionError("asked"))) == 5
    assert "sortie standard est fermée" in capsys.readouterr().err


class _Full(io.StringIO):
    def flush(self) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", _Full())
    monkeypatch.setattr(main, "_execute", lambda *_: 0)
    assert main.run([], _toolbox(AssertionError("asked"))) == 5
    assert "plus de place" in capsys.readouterr().err


def test_a_file_of_the_machine_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    refusal = PermissionError(errno.EACCES, "Permission denied", "/racine/fichier")
    assert main.run(["ask", "Fièvre ?"], _toolbox(refusal)) == 5
    assert "«\u00a0/racine/fichier\u00a0» n’a pas pu être lu ou écrit" in capsys.readouterr().err


def test_a_page_replaces_pages_only(tmp_path: Path) -> None:
    page, notes, index = (tmp_path / n for n in ("a.html", "notes.txt", "index.html"))
    for path in (page, notes, index):
        path.write_text("x")
    check_page_target(page, index)
    check_page_target(tmp_path / "nouveau.txt", None)
    for wrong in (notes, tmp_path, Path(), index):
        with pytest.raises(BadFileError):
            check_page_target(wrong, index)
