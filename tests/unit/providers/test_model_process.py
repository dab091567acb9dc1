"""A machine without room for one more process says so, and leaves nothing behind."""

from __future__ import annotations

import errno
import tempfile
from pathlib import Path
from typing import NoReturn

import pytest
from fakes.gguf_files import gguf

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.models import CompletionRequest, Message, ModelFamily, Role
from ancremed_desktop.errors import ModelUnavailableError
from ancremed_desktop.providers.llama_cpp import model as provider
from ancremed_desktop.providers.llama_cpp.model import LlamaCppModel


@pytest.mark.parametrize(
    ("place", "code", "said"),
    [
        ("tempfile.mkstemp", errno.ENOSPC, "plus de place"),
        ("multiprocessing.util.spawnv_passfds", errno.EAGAIN, "erreur système"),
        ("multiprocessing.connection.Pipe", errno.EMFILE, "trop de fichiers ouverts"),
    ],
)
def test_a_process_that_cannot_be_started_is_said_in_french(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, code: int, said: str
) -> None:
    file = tmp_path / "modele.gguf"
    file.write_bytes(gguf())
    logs = tmp_path / "logs"
    logs.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(logs))
    monkeypatch.setattr(provider, "is_installed", lambda: True)
    monkeypatch.setattr(provider, "check_processor", lambda: None)

    def full(*_args: object, **_named: object) -> NoReturn:
        raise OSError(code, "no room")

    monkeypatch.setattr(place, full)
    model = LlamaCppModel(
        "essai", file, family=ModelFamily.CHATML, context_tokens=2048, identity="essai"
    )
    request = CompletionRequest(messages=(Message(role=Role.USER, content="Bonjour"),))
    with pytest.raises(ModelUnavailableError, match=said):
        model.complete(request, cancel=CancelToken())
    assert model.pid is None
    assert list(logs.iterdir()) == []
