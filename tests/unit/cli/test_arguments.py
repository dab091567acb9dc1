"""What the parser of the command line says by itself is in French."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable

import pytest

from ancremed_desktop import app
from ancremed_desktop.cli import main
from ancremed_desktop.errors import reason_of


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("calc", "il manque\u00a0: action"),
        ("calc show", "il manque\u00a0: id"),
        ("calc run x --set", "argument --set\u00a0: une valeur est attendue"),
        ("calc zzz", "choix inconnu\u00a0: «\u00a0zzz\u00a0»"),
        ("search fièvre --limit beaucoup", "argument --limit\u00a0: valeur non valable\u00a0: «\u00a0beaucoup\u00a0»"),
        ("search fièvre --zzz", "arguments inconnus\u00a0: --zzz"),
        ("search fièvre --json=1", "argument --json\u00a0: aucune valeur n’est attendue"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_in_french(
    typed: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main.run(typed.split(), app.toolbox())
    assert stopped.value.code == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.startswith("utilisation\u00a0: main.py")


def test_help_is_in_french(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main.run(["calc", "--help"], app.toolbox())
    told = capsys.readouterr().out
    assert "\narguments\u00a0:\n" in told
    assert "afficher cette aide" in told
    assert "show this" not in told


@pytest.mark.parametrize(
    ("read", "said"),
    [
        (lambda: json.loads("\n{"), "ligne 2, colonne 2"),
        (lambda: tomllib.loads("a = \n"), "ligne 1, colonne 5"),
        (b"\xff".decode, "le texte n’est pas en UTF-8"),
        (lambda: int("deux"), "contenu illisible, tronqué ou endommagé"),
    ],
)
def test_why_a_file_cannot_be_read_is_told_in_french(read: Callable[[], object], said: str) -> None:
    """Libraries say it in English: « Expecting value: line 1 column 1 (char 0) »."""
    with pytest.raises(ValueError, match=r"\w") as raised:
        read()
    assert reason_of(raised.value) == said
