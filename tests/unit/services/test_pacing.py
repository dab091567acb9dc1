"""A measure waits when the service asks for it, and only then."""

from __future__ import annotations

import time

import pytest
from contract.cases import TEXT
from fakes.scripted_model import Said, Scripted

from ancremed_desktop.domain.events import CancelToken, Progress, ignore_progress
from ancremed_desktop.domain.models import CompletionRequest, Message, Role
from ancremed_desktop.errors import Cancelled, ModelTimeoutError, ModelUnavailableError
from ancremed_desktop.services.pacing import PacedModel

ASKED = CompletionRequest(
    messages=(Message(role=Role.SYSTEM, content="Tu choisis."), *TEXT.messages[-1:])
)


def _quota(after_s: float | None) -> ModelUnavailableError:
    error = ModelUnavailableError("quota")
    error.after_s = after_s
    return error


def _paced(*said: Said) -> tuple[PacedModel, Scripted]:
    model = Scripted(select=list(said))
    return PacedModel(model, ignore_progress), model


def test_it_asks_again_after_the_delay() -> None:
    paced, model = _paced(_quota(0.3), _quota(0.0), {"phrases": [1]})
    told: list[Progress] = []
    paced._progress = told.append
    start = time.monotonic()
    assert paced.complete(ASKED, cancel=CancelToken()).text == '{"phrases": [1]}'
    assert time.monotonic() - start >= 0.3
    assert len(model.requests) == 3
    assert told[0].stage == "Attente demandée par le service"
    assert told[0].seconds_left is not None


@pytest.mark.parametrize(
    ("error", "tries"),
    [
        (_quota(None), 1),
        (_quota(3600), 1),
        (ModelTimeoutError("tard"), 1),
        (_quota(0.0), 6),
    ],
    ids=["no delay asked", "an hour", "late", "always"],
)
def test_it_gives_up_on_what_does_not_pass(error: Exception, tries: int) -> None:
    paced, model = _paced(error)
    with pytest.raises(type(error)):
        paced.complete(ASKED, cancel=CancelToken())
    assert len(model.requests) == tries


def test_a_stop_is_obeyed_while_it_waits() -> None:
    paced, _model = _paced(_quota(60))
    cancel = CancelToken()
    paced._progress = lambda _progress: cancel.cancel()
    start = time.monotonic()
    with pytest.raises(Cancelled):
        paced.complete(ASKED, cancel=cancel)
    assert time.monotonic() - start < 1
