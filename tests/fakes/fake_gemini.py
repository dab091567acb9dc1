"""A local server that speaks as the Gemini service does, well or badly, and counts what it hears."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from fakes.scripted_model import role_of

from ancremed_desktop.observability.redaction import redact
from ancremed_desktop.providers.gemini.model import GeminiModel
from ancremed_desktop.providers.options import ModelOptions

KEY = "AIzaFausseCle-0123456789abcdefghijklm"
MODEL = "gemini-3.5-flash-lite"


class Caller(BaseHTTPRequestHandler):
    """One connection; a behaviour writes the response through it."""

    protocol_version = "HTTP/1.1"
    server: FakeGemini

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        self.server.requests.append(
            Heard(
                path=self.path,
                key=self.headers.get("x-goog-api-key", ""),
                body=json.loads(self.rfile.read(length)),
            )
        )
        number = len(self.server.requests) - 1
        behaviours = self.server.behaviours
        behaviours[min(number, len(behaviours) - 1)](self)

    def send(self, status: int, body: bytes, **headers: str) -> None:
        """A whole response; header names with « _ » for « - »."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def stream(self) -> None:
        """Begin a reply in pieces, ended by the end of the connection."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()

    def piece(self, value: object) -> None:
        """One event of the reply."""
        self.wfile.write(b"data: " + json.dumps(value).encode() + b"\r\n\r\n")
        self.wfile.flush()

    def log_message(self, *_args: object) -> None:
        """Silent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A request as it came."""

    path: str
    key: str
    body: dict[str, Any]

    def texts(self) -> list[str]:
        """Every text of the request, instructions first."""
        told = [self.body["systemInstruction"]] if "systemInstruction" in self.body else []
        return [p["text"] for c in (*told, *self.body["contents"]) for p in c["parts"]]


Behaviour = Callable[[Caller], None]


class FakeGemini(ThreadingHTTPServer):
    """``behaviours``: one a request, the last for all that follow."""

    daemon_threads = True

    def __init__(self, *behaviours: Behaviour) -> None:
        super().__init__(("127.0.0.1", 0), Caller)
        self.behaviours = behaviours
        self.requests: list[Heard] = []
        self.connections = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"

    def get_request(self) -> tuple[Any, Any]:
        self.connections += 1
        return super().get_request()

    def handle_error(self, request: object, client_address: object) -> None:
        """A caller that hangs up is part of the tests."""


@contextmanager
def serving(*behaviours: Behaviour) -> Iterator[FakeGemini]:
    """A server that runs until the end of the block."""
    server = FakeGemini(*behaviours)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass(slots=True)
class Switches:
    """Key and consent of a test, and the record of what left."""

    key: str = KEY
    consented: bool = True
    left: list[str] = field(default_factory=list)


def model(url: str, switches: Switches | None = None) -> GeminiModel:
    """The provider with the real client library, speaking to ``url``."""
    chosen = switches or Switches()
    return GeminiModel.from_options(
        ModelOptions(
            model=MODEL,
            api_key=lambda: chosen.key,
            consented=lambda: chosen.consented,
            base_url=url,
            redact=redact,
            on_sent=chosen.left.append,
        )
    )


def event(text: str = "", finish: str = "", **more: object) -> dict[str, object]:
    """One event of a reply as the service writes it."""
    candidate: dict[str, object] = {"content": {"role": "model", "parts": [{"text": text}]}}
    if finish:
        candidate["finishReason"] = finish
    usage = {"promptTokenCount": 12, "candidatesTokenCount": 4, "thoughtsTokenCount": 1}
    return {
        "candidates": [candidate],
        "usageMetadata": usage,
        "modelVersion": MODEL,
        **more,
    }


def well(caller: Caller) -> None:
    """A right answer: of the schema when there is one, in several pieces, within the limit."""
    config = caller.server.requests[-1].body["generationConfig"]
    wanted = config["maxOutputTokens"]
    words = ['{"choix": ', '"oui"}'] if "responseJsonSchema" in config else ["un "] * 40
    if wanted < len(words) * 2:
        words = words[: wanted // 2]
    caller.stream()
    for number, word in enumerate(words):
        last = number == len(words) - 1
        finish = ("MAX_TOKENS" if wanted == 2 else "STOP") if last else ""
        caller.piece(event(word, finish))
        time.sleep(0.002)


def saying(**replies: object) -> Behaviour:
    """What a model says for each role (first words of its instructions): JSON, or a behaviour."""

    def behave(caller: Caller) -> None:
        reply = replies[role_of(caller.server.requests[-1].texts()[0])]
        if callable(reply):
            reply(caller)
            return
        caller.stream()
        caller.piece(event(json.dumps(reply, ensure_ascii=False), "STOP"))

    return behave


def nobody() -> str:
    """An address where nothing listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}/"


@cache
def _answering() -> FakeGemini:
    server = FakeGemini(well)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    return server


def ready(_folder: Path) -> GeminiModel:
    """For the contract suite."""
    return model(_answering().url)


def unreachable(_folder: Path) -> GeminiModel:
    """For the contract suite: no network."""
    return model(nobody())
