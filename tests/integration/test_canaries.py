"""A key and a patient's name used in 27 ways: found afterwards in no file, log or process list."""

from __future__ import annotations

import io
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from fakes import fake_gemini, qualified
from fakes.command_line import run
from fakes.fake_gemini import Behaviour, Caller, serving, well
from fakes.key_stores import WorkingStore
from integration.test_gemini_faults import MATRIX

from ancremed_desktop import app
from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.models import Ability, CompletionRequest, Message, Role
from ancremed_desktop.errors import AncremedError, ModelUnavailableError
from ancremed_desktop.index.user_store import UserStore
from ancremed_desktop.providers.gemini import model as gemini
from ancremed_desktop.providers.registry import open_model
from ancremed_desktop.services.online import ONLINE, OnlineModel
from ancremed_desktop.services.roles import as_stored
from ancremed_desktop.settings import paths
from ancremed_desktop.settings.preferences import PreferenceStore
from ancremed_desktop.settings.secrets import KeyStore

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

KEY = "AIzaCanari-9f27c1d4e8b05a6372"
NAME = "Vaucansonnet"
QUESTION = f"M. {NAME} tousse : quelle dose d’amoxicilline ?"
EMERGENCY = f"Mme {NAME} : que faire devant un choc anaphylactique ?"
FAULTS = (
    "bad key", "403", "404", "429 at once", "429 in an hour", "503", "500 of 10 MB",
    "prompt blocked", "reply blocked", "empty text", "truncated JSON", "a page", "cut before",
    "cut after", "not HTTP",
)  # fmt: skip
ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where all that the application may write goes, its most talkative logs included."""
    for name in ("HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        place = tmp_path / name
        place.mkdir()
        monkeypatch.setenv(name, str(place))
    monkeypatch.setattr(gemini, "_BACKOFF_S", 0.01)
    log = logging.FileHandler(tmp_path / "everything.log", encoding="utf-8")
    root = logging.getLogger()
    level = root.level
    root.addHandler(log)
    root.setLevel(logging.DEBUG)
    yield tmp_path
    root.removeHandler(log)
    root.setLevel(level)
    log.close()


def _nowhere_in_processes() -> None:
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            told = " ".join(process.cmdline())
            assert KEY not in told
            assert NAME not in told
    assert not [v for v in os.environ.values() if KEY in v or NAME in v]


def _nowhere_in_files(folder: Path) -> int:
    """How many files were read."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    for path in files:
        content = path.read_bytes()
        for canary in (KEY, NAME):
            for encoding in ("utf-8", "utf-16-le"):
                assert canary.encode(encoding) not in content, path
    return len(files)


def _request() -> CompletionRequest:
    return CompletionRequest(
        messages=(
            Message(role=Role.SYSTEM, content=f"Le patient s’appelle {NAME}."),
            Message(role=Role.USER, content=QUESTION),
        ),
        timeout_s=10,
    )


def _asks(online: Callable[[str], OnlineModel], behaviour: Behaviour) -> Callable[[], None]:
    def scenario() -> None:
        with serving(behaviour) as server, suppress(AncremedError):
            online(server.url).open().complete(_request(), cancel=CancelToken())
        assert server.requests
        assert not [text for heard in server.requests for text in heard.texts() if NAME in text]

    return scenario


def _asks_a_question(
    online: Callable[[str], OnlineModel], behaviour: Behaviour, patch: pytest.MonkeyPatch
) -> Callable[[], None]:
    """A whole question, answered with the help of Gemini, its text kept in the log."""

    def scenario() -> None:
        PreferenceStore().update(
            keep_questions=True, model_roles=as_stored({Ability.SELECT: ONLINE})
        )
        qualified.earns(paths.qualifications(), fake_gemini.MODEL)
        with serving(behaviour) as server:
            patch.setattr(app, "online_model", lambda: online(server.url))
            patch.setattr("sys.stdin", io.StringIO())
            outcome = run("ask", EMERGENCY, "--online", "--send-without-asking")
        assert server.requests
        assert not [text for heard in server.requests for text in heard.texts() if NAME in text]
        assert KEY not in outcome.out + outcome.err
        assert "adrénaline" in outcome.out
        (row, *_others) = UserStore(paths.user_store()).rows()
        assert row.question_text == "Mme [NOM] : que faire devant un choc anaphylactique ?"

    return scenario


def _asks_nobody(online: Callable[[str], OnlineModel]) -> Callable[[], None]:
    def scenario() -> None:
        with pytest.raises(ModelUnavailableError, match="injoignable"):
            online(fake_gemini.nobody()).open().complete(_request(), cancel=CancelToken())

    return scenario


def _asks_and_stops(online: Callable[[str], OnlineModel]) -> Callable[[], None]:
    cancel = CancelToken()

    def stall(_caller: Caller) -> None:
        cancel.cancel()

    def scenario() -> None:
        with serving(stall) as server, suppress(AncremedError):
            online(server.url).open().complete(_request(), cancel=cancel)

    return scenario


def _typed_in_a_process() -> None:
    """The real command, in a process of its own, while its arguments and variables are read."""
    command = [sys.executable, "main.py", "models", "gemini", "key"]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        _nowhere_in_processes()
        variables = psutil.Process(process.pid).environ()
        assert not [v for v in variables.values() if KEY in v]
        out, err = process.communicate(f"{KEY}\n".encode(), timeout=60)
    assert KEY.encode() not in out + err


def test_canaries_are_found_nowhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = WorkingStore()
    keys = KeyStore(lambda: system)

    def online(url: str) -> OnlineModel:
        return OnlineModel(keys, PreferenceStore(), open_model, url)

    def command(*arguments: str, typed: str = "") -> Callable[[], None]:
        def scenario() -> None:
            monkeypatch.setattr("sys.stdin", io.StringIO(typed))
            outcome = run(*arguments)
            assert KEY not in outcome.out + outcome.err

        return scenario

    monkeypatch.setattr(app, "_keys", lambda: keys)
    scenarios: list[Callable[[], object]] = [
        command("models", "gemini", "key", typed=f"{KEY} trop long"),
        command("models", "gemini", "key", typed=KEY),
        command("models", "gemini", "consent", typed="oui"),
        command("models", "gemini", "status"),
        command("models", "gemini", "preview", typed=QUESTION),
        command("ask", QUESTION),
        _typed_in_a_process,
        _asks(online, well),
        *(_asks(online, MATRIX[name][0]) for name in FAULTS),
        *(_asks_a_question(online, b, monkeypatch) for b in (well, MATRIX["503"][0])),
        _asks_and_stops(online),
        _asks_nobody(online),
        command("models", "gemini", "forget"),
    ]
    assert len(scenarios) >= 20
    for scenario in scenarios:
        scenario()
        _nowhere_in_processes()
    assert not system.kept
    assert _nowhere_in_files(folder) >= 3, "log, preferences and journal were read"
    log = (folder / "everything.log").read_text("utf-8")
    assert "streamGenerateContent" in log, "the log was really talkative"
