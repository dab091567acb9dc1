"""The application as typed, in this process: its real ``main`` with real adapters."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from ancremed_desktop import app
from ancremed_desktop.text.french import NBSP, plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a command left behind."""

    code: int
    out: str
    err: str


def run(*arguments: str | Path) -> Outcome:
    """Run ``main.py`` with these arguments."""
    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch.object(sys, "argv", ["main.py", *map(str, arguments)]),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        code = app.main()
    return Outcome(code=code, out=out.getvalue(), err=err.getvalue())


def error_of(outcome: Outcome) -> str:
    """The French error a command ended with: one line, after whatever progress it told.

    Its no-break spaces are undone once the first has been seen.
    """
    assert outcome.code, outcome.out
    *_progress, last = outcome.err.strip().splitlines()
    assert last.startswith(f"Erreur{NBSP}: "), outcome.err
    assert "Traceback" not in outcome.err
    return plain(last.removeprefix(f"Erreur{NBSP}: "))
