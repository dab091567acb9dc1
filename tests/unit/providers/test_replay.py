"""A recording is exact: another question, another schema, a damaged line never answer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from contract.cases import JSON, TEXT, TenLines

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.models import Message, Role
from ancremed_desktop.errors import BadFileError, ModelUnavailableError
from ancremed_desktop.providers.options import ModelOptions
from ancremed_desktop.providers.registry import open_model
from ancremed_desktop.providers.replay import RecordingModel, ReplayModel, exchange_key


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    file = tmp_path / "exchanges.jsonl"
    RecordingModel(TenLines(), file).complete(JSON, cancel=CancelToken())
    return file


def test_a_recorded_exchange_comes_back_as_it_was(recording: Path) -> None:
    told = TenLines().complete(JSON, cancel=CancelToken())
    again = ReplayModel(recording).complete(JSON, cancel=CancelToken())
    assert (again.text, again.value, again.usage) == (told.text, told.value, told.usage)


def test_limits_do_not_change_the_key_and_words_do() -> None:
    assert exchange_key(replace(JSON, timeout_s=3, max_tokens=9)) == exchange_key(JSON)
    other = (Message(role=Role.SYSTEM, content="Sois bref."), *JSON.messages)
    assert exchange_key(replace(JSON, messages=other)) != exchange_key(JSON)
    assert exchange_key(replace(JSON, schema=None)) != exchange_key(JSON)


def test_what_was_not_recorded_is_not_answered(recording: Path) -> None:
    with pytest.raises(ModelUnavailableError, match="Aucune réponse"):
        ReplayModel(recording).complete(TEXT, cancel=CancelToken())


def test_line_separators_in_a_reply_do_not_break_the_recording(tmp_path: Path) -> None:
    file = tmp_path / "exchanges.jsonl"
    odd = (Message(role=Role.USER, content="un\u2028deux\x85trois"),)
    RecordingModel(TenLines(), file).complete(replace(TEXT, messages=odd), cancel=CancelToken())
    assert ReplayModel(file).complete(replace(TEXT, messages=odd), cancel=CancelToken()).text


@pytest.mark.parametrize(
    "line", ["{", "[]", "[" * 200_000, '{"key": "a"}', '{"key": "a", "reply": {"usage": 3}}']
)
def test_a_damaged_line_is_named(recording: Path, line: str) -> None:
    with recording.open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    with pytest.raises(BadFileError, match="abîmé à la ligne 2"):
        ReplayModel(recording)


def test_an_unknown_provider_and_a_missing_file_are_said() -> None:
    with pytest.raises(ModelUnavailableError, match=r"« oracle ». Connus : .*replay"):
        open_model("oracle", ModelOptions(model="x"))
    with pytest.raises(BadFileError, match="JSONL"):
        open_model("replay", ModelOptions(model="x"))
    with pytest.raises(BadFileError, match="ne peut pas être lu"):
        open_model("replay", ModelOptions(model="x", file=Path("/nulle/part.jsonl")))
