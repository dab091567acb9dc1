"""The online model against a local server that misbehaves, with the real client library."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from fakes import fake_gemini
from fakes.fake_gemini import Behaviour, Caller, Switches, event, serving, well

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.models import Completion, CompletionRequest, Message, Role
from ancremed_desktop.errors import (
    BugError,
    Cancelled,
    InvalidReplyError,
    ModelError,
    ModelRefusedError,
    ModelTimeoutError,
    ModelUnavailableError,
)
from ancremed_desktop.providers.base import Watch
from ancremed_desktop.providers.gemini import model as gemini
from ancremed_desktop.providers.options import ModelOptions
from ancremed_desktop.providers.registry import open_model

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

REQUEST = CompletionRequest(
    messages=(
        Message(role=Role.SYSTEM, content="Réponds en français."),
        Message(role=Role.USER, content="M. Vaucanson tousse : que faire ?"),
    ),
    max_tokens=200,
    timeout_s=20,
)


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gemini, "_BACKOFF_S", 0.01)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def _ask(
    url: str, switches: Switches | None = None, timeout_s: float = REQUEST.timeout_s
) -> Completion:
    request = replace(REQUEST, timeout_s=timeout_s)
    return fake_gemini.model(url, switches).complete(request, cancel=CancelToken())


def _status(status: int, body: object = None, **headers: str) -> Behaviour:
    data = body if isinstance(body, bytes) else json.dumps(body or {"error": {"code": status}})
    encoded = data if isinstance(data, bytes) else data.encode()
    return lambda caller: caller.send(status, encoded, **headers)


def _error(status: int, name: str, reason: str = "", **more: object) -> Behaviour:
    details = [{"reason": reason, **more}] if reason or more else []
    return _status(status, {"error": {"code": status, "status": name, "details": details}})


def _events(*events: object) -> Behaviour:
    def behave(caller: Caller) -> None:
        caller.stream()
        for one in events:
            caller.piece(one)

    return behave


def _raw(*chunks: bytes) -> Behaviour:
    """Bytes as they are after the header of a reply in pieces."""

    def behave(caller: Caller) -> None:
        caller.stream()
        for chunk in chunks:
            caller.wfile.write(chunk)

    return behave


def _hang_up(*before: object) -> Behaviour:
    """Promises more than it sends."""

    def behave(caller: Caller) -> None:
        caller.send_response(200)
        caller.send_header("Content-Type", "text/event-stream")
        caller.send_header("Content-Length", "100000")
        caller.end_headers()
        for one in before:
            caller.piece(one)
        caller.close_connection = True

    return behave


def _no_http(caller: Caller) -> None:
    caller.wfile.write(b"SSH-2.0-nothing\r\n\r\n")
    caller.close_connection = True


BIG = b"x" * 10_000_000
SOON = {"Retry_After": "0"}
LATER = format_datetime(datetime.now(UTC) + timedelta(days=1), usegmt=True)
"""A day ahead: the tests may run an hour after they were collected."""
BLOCKED = {"promptFeedback": {"blockReason": "SAFETY"}}
MATRIX: dict[str, tuple[Behaviour, type[ModelError], str, int]] = {
    "bad key": (
        _error(400, "INVALID_ARGUMENT", "API_KEY_INVALID"), ModelUnavailableError, "clé", 1,
    ),
    "401": (_status(401), ModelUnavailableError, "clé", 1),
    "403": (_status(403), ModelUnavailableError, "clé", 1),
    "404": (_status(404), ModelUnavailableError, "modèle", 1),
    "413": (_status(413), ModelRefusedError, "longue", 1),
    "400": (_error(400, "INVALID_ARGUMENT"), ModelRefusedError, "400", 1),
    "country": (_error(400, "FAILED_PRECONDITION"), ModelUnavailableError, "pays", 1),
    "429 at once": (_status(429, **SOON), ModelUnavailableError, "quota", 3),
    "429 in an hour": (_status(429, Retry_After="3600"), ModelUnavailableError, "3600 s", 1),
    "429 at a date": (_status(429, Retry_After=LATER), ModelUnavailableError, "dans 8", 1),
    "429 in the body": (
        _error(429, "RESOURCE_EXHAUSTED", retryDelay="0.01s"), ModelUnavailableError, "quota", 3,
    ),
    "429 nonsense": (_status(429, Retry_After="bientôt"), ModelUnavailableError, "plus tard", 3),
    "500": (_status(500), ModelUnavailableError, "panne", 3),
    "502 page": (_status(502, b"<html>Bad gateway"), ModelUnavailableError, "panne", 3),
    "503": (_status(503, **SOON), ModelUnavailableError, "panne", 3),
    "504": (_status(504), ModelUnavailableError, "panne", 3),
    "500 list": (_status(500, [1]), ModelError, "Google", 3),
    "500 of 10 MB": (_status(500, BIG), InvalidReplyError, "taille", 1),
    "prompt blocked": (_events(BLOCKED), ModelRefusedError, "bloqué", 1),
    "reply blocked": (_events(event("", "SAFETY")), ModelRefusedError, "bloqué", 1),
    "reply recited": (_events(event("abc", "RECITATION")), ModelRefusedError, "bloqué", 1),
    "no candidate": (_events({"candidates": []}), InvalidReplyError, "tronquée", 1),
    "empty text": (_events(event("", "STOP")), InvalidReplyError, "vide", 1),
    "no end": (_events(event("Bonjour")), InvalidReplyError, "tronquée", 1),
    "malformed": (_events(event("a", "MALFORMED_RESPONSE")), InvalidReplyError, "tronquée", 1),
    "another model": (
        _events(event("a", "STOP", modelVersion="gemini-9")), ModelUnavailableError, "autre", 1,
    ),
    "nothing": (_raw(), InvalidReplyError, "tronquée", 1),
    "a page": (_raw(b"<html><body>Portail</body></html>"), InvalidReplyError, "illisible", 1),
    "truncated JSON": (
        _raw(b'data: {"candidates": [{"content": {"pa'), InvalidReplyError, "tronquée", 1,
    ),
    "a list": (_raw(b"data: [1, 2]\n\n"), InvalidReplyError, "illisible", 1),
    "a number": (_raw(b"data: 3\n\n"), InvalidReplyError, "illisible", 1),
    "wrong types": (_raw(b'data: {"candidates": "x"}\n\n'), InvalidReplyError, "illisible", 1),
    "bad bytes": (_raw(b'data: {"\xff\xfe\n\n'), InvalidReplyError, "illisible", 1),
    "very deep": (_raw(b"data: " + b"[" * 200_000 + b"\n\n"), InvalidReplyError, "illisible", 1),
    "10 MB line": (_raw(b"data: ", BIG, b"\n\n"), InvalidReplyError, "taille", 1),
    "10 MB of text": (
        _events(*[event("x" * 100_000)] * 100), InvalidReplyError, "taille permise", 1,
    ),
    "compressed": (
        _status(200, gzip.compress(BIG), Content_Encoding="gzip"), InvalidReplyError, "illisible", 1,
    ),
    "late error": (
        _events({"error": {"code": 503, "status": "UNAVAILABLE"}}), ModelUnavailableError, "panne", 3,
    ),
    "late error, no code": (_events({"error": {}}), ModelError, "Google", 1),
    "cut before": (_hang_up(), ModelUnavailableError, "coupée", 3),
    "cut after": (_hang_up(event("Bonjour")), ModelUnavailableError, "coupée", 1),
    "not HTTP": (_no_http, ModelUnavailableError, "coupée", 3),
}  # fmt: skip


@pytest.mark.parametrize("name", MATRIX)
def test_a_fault_is_one_french_message_after_three_tries_at_most(name: str) -> None:
    behaviour, kind, words, tries = MATRIX[name]
    with serving(behaviour) as server:
        with pytest.raises(kind) as caught:
            _ask(server.url)
        assert len(server.requests) == tries
    said = str(caught.value)
    assert words in said
    assert said.endswith(".")
    assert fake_gemini.KEY not in said
    assert "Vaucanson" not in said


@pytest.mark.parametrize(
    ("name", "after_s"), [("429 in an hour", 3600), ("429 in the body", 0.01), ("500", None)]
)
def test_the_delay_a_service_asks_for_is_told(name: str, after_s: float | None) -> None:
    with serving(MATRIX[name][0]) as server, pytest.raises(ModelUnavailableError) as caught:
        _ask(server.url)
    assert caught.value.after_s == after_s


def test_no_network_is_said_and_nothing_left() -> None:
    switches = Switches()
    with pytest.raises(ModelUnavailableError, match="injoignable"):
        _ask(fake_gemini.nobody(), switches)
    assert not switches.left


def test_a_redirection_is_not_followed() -> None:
    with serving(well) as other, serving(_status(307, Location=other.url)) as server:
        with pytest.raises(ModelUnavailableError, match="détournée"):
            _ask(server.url)
        assert not other.connections


@pytest.mark.parametrize("drip", [False, True])
def test_a_service_that_stalls_is_left_in_time(drip: bool) -> None:
    def stall(caller: Caller) -> None:
        caller.stream()
        for _ in range(100):
            if drip:
                caller.piece(event("a "))
            time.sleep(0.05)

    _warm_up()
    with serving(stall) as server:
        start = time.monotonic()
        with pytest.raises(ModelTimeoutError, match="temps permis"):
            _ask(server.url, timeout_s=1.0)
        assert time.monotonic() - start < 2.5


def test_a_cancel_while_nothing_comes_is_obeyed_within_a_second() -> None:
    cancel = CancelToken()

    def stall(_caller: Caller) -> None:
        cancel.cancel()
        time.sleep(3)

    _warm_up()
    with serving(stall) as server:
        start = time.monotonic()
        with pytest.raises(Cancelled):
            fake_gemini.model(server.url).complete(REQUEST, cancel=cancel)
        assert time.monotonic() - start < 2
        assert len(server.requests) == 1


def _warm_up() -> None:
    """Import the client library: a time limit then measures the exchange alone."""
    with serving(well) as server:
        _ask(server.url)


def test_it_answers_after_two_passing_faults_and_tells_once_what_left() -> None:
    switches = Switches()
    with serving(_status(503), _status(429, **SOON), well) as server:
        completion = _ask(server.url, switches)
        assert len(server.requests) == 3
    assert completion.text
    assert switches.left == [completion.sent]


@pytest.mark.parametrize(
    ("switches", "words"),
    [
        (Switches(consented=False), "pas autorisé"),
        (Switches(key=""), "Aucune clé"),
        (Switches(key="", consented=False), "pas autorisé"),
    ],
)
def test_nothing_leaves_without_both_key_and_consent(switches: Switches, words: str) -> None:
    with serving(well) as server:
        with pytest.raises(ModelError, match=words):
            _ask(server.url, switches)
        assert server.connections == 0
    assert not switches.left


def test_consent_taken_back_holds_for_the_next_request() -> None:
    switches = Switches()
    with serving(well) as server:
        asked = fake_gemini.model(server.url, switches)
        asked.complete(REQUEST, cancel=CancelToken())
        before = server.connections
        switches.consented = False
        with pytest.raises(ModelRefusedError):
            asked.complete(REQUEST, cancel=CancelToken())
        assert server.connections == before


def test_consent_taken_back_between_two_tries_holds() -> None:
    switches = Switches()

    def fails(caller: Caller) -> None:
        switches.consented = False
        caller.send(503, b"{}", Retry_After="0")

    with serving(fails) as server:
        with pytest.raises(ModelRefusedError, match="pas autorisé"):
            _ask(server.url, switches)
        assert len(server.requests) == 1


def test_what_is_recorded_is_what_the_server_received() -> None:
    with serving(well) as server:
        completion = _ask(server.url)
    (heard,) = server.requests
    assert heard.texts() == ["Réponds en français.", "M. [NOM] tousse : que faire ?"]
    assert completion.sent == (
        "[Consigne]\nRéponds en français.\n\n[Demande]\nM. [NOM] tousse : que faire ?"
    )
    assert set(heard.body) == {"contents", "systemInstruction", "generationConfig"}
    assert heard.key == fake_gemini.KEY
    assert fake_gemini.KEY not in heard.path


def test_the_cost_counts_thoughts_as_written() -> None:
    with serving(_events(event("Oui.", "STOP"))) as server:
        completion = _ask(server.url)
    assert completion.usage.prompt_tokens == 12
    assert completion.usage.completion_tokens == 5
    assert completion.cost_usd == pytest.approx((12 * 0.30 + 5 * 2.50) / 1e6)


def test_a_reply_without_counts_is_priced_from_above() -> None:
    told = {"candidates": event("Oui.", "STOP")["candidates"]}
    with serving(_events(told)) as server:
        completion = _ask(server.url)
    assert completion.usage.prompt_tokens >= 12
    assert completion.cost_usd > 0


def test_a_reply_cut_by_its_length_says_so() -> None:
    with serving(_events(event("Le traitement", "MAX_TOKENS"))) as server:
        assert _ask(server.url).truncated


def test_variables_of_the_client_library_do_not_divert_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(well) as other, serving(well) as server:
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", other.url)
        monkeypatch.setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
        monkeypatch.setenv("GOOGLE_API_KEY", "une-autre-cle")
        _ask(server.url)
        assert not other.connections
        assert server.requests[0].key == fake_gemini.KEY


def test_it_is_never_opened_without_masking() -> None:
    with pytest.raises(BugError, match="mask"):
        open_model("gemini", ModelOptions(model="gemini"))


def test_the_client_library_is_not_imported_at_start() -> None:
    code = (
        "import sys, ancremed_desktop.app as app; app.toolbox(); "
        "print([m for m in ('google', 'httpx2', 'keyring', 'ssl') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"


def test_a_service_that_fails_then_stalls_is_at_fault_and_not_late() -> None:
    def stall(_caller: Caller) -> None:
        time.sleep(2.5)

    _ask_once_for_the_import()
    with serving(_hang_up(), stall) as server, pytest.raises(ModelUnavailableError, match="coupée"):
        _ask(server.url, timeout_s=2)
    assert len(server.requests) == 2


def _ask_once_for_the_import() -> None:
    with serving(well) as server:
        _ask(server.url)


def test_an_import_that_faults_beside_another_is_done_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fake_gemini.model("http://127.0.0.1:9")  # the library is there
    done: list[str] = []

    def once(name: str) -> None:
        done.append(name)
        if len(done) == 1:
            raise SystemError("AST constructor recursion depth mismatch (before=168, after=150)")

    monkeypatch.setattr(gemini, "import_module", once)
    monkeypatch.delitem(sys.modules, gemini._WIRE, raising=False)
    gemini._import_library(Watch(CancelToken(), 5))
    assert done == [gemini._WIRE] * 2
