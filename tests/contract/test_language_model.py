"""What every provider of a language model does (``ports.LanguageModel``)."""

from __future__ import annotations

import inspect
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from contract.cases import CASES, CUT, JSON, LONG, TEXT, ContractCase, TenLines

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.models import CompletionRequest, Message, Role
from ancremed_desktop.errors import (
    Cancelled,
    InvalidReplyError,
    ModelRefusedError,
    ModelTimeoutError,
    ModelUnavailableError,
)
from ancremed_desktop.ports import LanguageModel

_ENGLISH = (" the ", " is ", " not found", "error", "Traceback")


_LOCAL_ONLY = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.fixture(
    params=[pytest.param(c, id=c.name, marks=[_LOCAL_ONLY] if c.online else []) for c in CASES]
)
def case(request: pytest.FixtureRequest) -> ContractCase:
    found: ContractCase = request.param
    return found


@pytest.fixture
def model(case: ContractCase, tmp_path: Path) -> Iterator[LanguageModel]:
    ready = case.ready(tmp_path)
    yield ready
    ready.close()


def test_it_says_what_it_is(model: LanguageModel) -> None:
    assert ":" in model.name
    assert model.identity
    assert model.context_tokens >= 1024
    assert model.local or model.sends_data, "elsewhere means that text leaves the machine"


def test_a_schema_gives_a_value_of_the_schema(model: LanguageModel) -> None:
    completion = model.complete(JSON, cancel=CancelToken())
    assert completion.value in ({"choix": "oui"}, {"choix": "non"})
    assert json.loads(completion.text) == completion.value
    assert completion.model == model.identity


def test_plain_text_has_no_value(model: LanguageModel) -> None:
    completion = model.complete(TEXT, cancel=CancelToken())
    assert completion.text.strip()
    assert completion.value is None


def test_the_pieces_make_the_text(model: LanguageModel) -> None:
    pieces: list[str] = []
    completion = model.complete(LONG, cancel=CancelToken(), on_text=pieces.append)
    assert "".join(pieces) == completion.text
    assert len(pieces) > 5


def test_usage_cost_and_timings_are_given(model: LanguageModel) -> None:
    completion = model.complete(LONG, cancel=CancelToken())
    assert completion.usage.prompt_tokens > 0
    assert 0 < completion.usage.completion_tokens <= LONG.max_tokens
    assert 0 <= completion.usage.cached_tokens <= completion.usage.prompt_tokens
    assert completion.cost_usd >= 0
    timings = completion.timings
    assert 0 <= timings.load_s <= timings.first_text_s <= timings.total_s


def test_what_left_the_machine_is_recorded(model: LanguageModel) -> None:
    completion = model.complete(TEXT, cancel=CancelToken())
    if model.sends_data:
        assert TEXT.messages[0].content in completion.sent
    else:
        assert not completion.sent


def test_a_cancel_before_the_call_gives_nothing(model: LanguageModel) -> None:
    cancel = CancelToken()
    cancel.cancel()
    pieces: list[str] = []
    with pytest.raises(Cancelled):
        model.complete(TEXT, cancel=cancel, on_text=pieces.append)
    assert not pieces


def test_a_cancel_is_obeyed_at_once_and_the_next_answer_is_right(model: LanguageModel) -> None:
    cancel = CancelToken()
    asked = 0.0

    def stop(_piece: str) -> None:
        nonlocal asked
        asked = asked or time.monotonic()
        cancel.cancel()

    with pytest.raises(Cancelled):
        model.complete(LONG, cancel=cancel, on_text=stop)
    assert time.monotonic() - asked <= 1
    assert model.complete(JSON, cancel=CancelToken()).value in ({"choix": "oui"}, {"choix": "non"})


def test_a_time_limit_is_kept_and_the_next_answer_is_right(model: LanguageModel) -> None:
    with pytest.raises(ModelTimeoutError, match="temps permis"):
        model.complete(replace(LONG, timeout_s=0.000001), cancel=CancelToken())
    assert model.complete(JSON, cancel=CancelToken()).value in ({"choix": "oui"}, {"choix": "non"})


def test_a_request_longer_than_the_context_is_refused(model: LanguageModel) -> None:
    words = "fièvre " * model.context_tokens
    request = CompletionRequest(messages=(Message(role=Role.USER, content=words),))
    with pytest.raises(ModelRefusedError, match="trop longue"):
        model.complete(request, cancel=CancelToken())


def test_a_reply_that_breaks_its_schema_is_an_error(model: LanguageModel) -> None:
    with pytest.raises(InvalidReplyError):
        model.complete(CUT, cancel=CancelToken())


def test_counting_tokens_is_never_too_low(model: LanguageModel) -> None:
    assert model.count_tokens("") <= 1
    counted = model.count_tokens(TEXT.messages[0].content)
    assert 0 < counted <= 2 * len(TEXT.messages[0].content)


def test_a_closed_model_opens_again(model: LanguageModel) -> None:
    model.close()
    model.close()
    assert model.complete(TEXT, cancel=CancelToken()).text


def test_an_absent_model_says_so_in_french(case: ContractCase, tmp_path: Path) -> None:
    model = case.unavailable(tmp_path)
    with pytest.raises(ModelUnavailableError) as caught:
        model.complete(TEXT, cancel=CancelToken())
    model.close()
    said = str(caught.value)
    assert said.endswith(".")
    assert not [word for word in _ENGLISH if word in said]


def test_the_guide_shows_the_provider_that_is_tested() -> None:
    lines = inspect.getsource(TenLines).splitlines()
    shown = "\n".join([lines[0], *lines[3:]])
    assert shown in (Path(__file__).parents[2] / "docs" / "add_a_provider.md").read_text("utf-8")
