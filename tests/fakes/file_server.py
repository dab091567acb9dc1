"""A local server of one file, that sends it well or badly and notes what it was asked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest


class Caller(BaseHTTPRequestHandler):
    """One connection; a behaviour writes the response through it."""

    protocol_version = "HTTP/1.1"
    server: FileServer

    def do_GET(self) -> None:
        files = self.server
        files.asked.append({name.lower(): value for name, value in self.headers.items()})
        files.paths.append(self.path)
        behaviours = files.behaviours
        behaviours[min(len(files.asked), len(behaviours)) - 1](self)

    def do_CONNECT(self) -> None:
        self.server.paths.append(self.path)
        self.head(403, Content_Length="0")

    def head(self, status: int, **headers: str) -> None:
        """Status and headers; names with « _ » for « - »."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def send(self, status: int, body: bytes, **headers: str) -> None:
        """A whole response."""
        self.head(status, Content_Length=str(len(body)), **headers)
        self.wfile.write(body)

    def log_message(self, *_args: object) -> None:
        """Silent."""


Behaviour = Callable[[Caller], None]


class FileServer(ThreadingHTTPServer):
    """``behaviours``: one a request, the last for all that follow. ``asked``: headers received."""

    daemon_threads = True

    def __init__(self, content: bytes, *behaviours: Behaviour) -> None:
        super().__init__(("127.0.0.1", 0), Caller)
        self.content = content
        self.tag = '"one"'
        self.behaviours = behaviours or (well,)
        self.asked: list[dict[str, str]] = []
        self.paths: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/model.gguf"

    def handle_error(self, request: object, client_address: object) -> None:
        """A caller that hangs up is part of the tests."""


@contextmanager
def serving(content: bytes, *behaviours: Behaviour) -> Iterator[FileServer]:
    """A server that runs until the end of the block."""
    server = FileServer(content, *behaviours)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def without_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the machine's proxy is: these servers are on this machine."""
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def well(caller: Caller) -> None:
    """The file, or the rest of it when that is asked and it is still the same (RFC 9110 §14)."""
    _send(caller, cut=0)


def cut_after(count: int) -> Behaviour:
    """Sends ``count`` bytes of what is asked, then breaks the connection."""
    return lambda caller: _send(caller, cut=count)


def status(code: int, **headers: str) -> Behaviour:
    """An error without a body worth reading."""
    return lambda caller: caller.send(code, b"<html>erreur</html>", **headers)


def page(caller: Caller) -> None:
    """A page in the file's place, honest about what it is."""
    caller.send(200, b"<!DOCTYPE html><html>Connectez-vous</html>", Content_Type="text/html")


def disguised_page(caller: Caller) -> None:
    """A page that claims to be the file."""
    body = b"\n <html>Connectez-vous</html>"
    caller.send(200, body, Content_Type="application/octet-stream")


def _send(caller: Caller, *, cut: int) -> None:
    files = caller.server
    whole = files.content
    wanted = caller.headers.get("Range", "")
    start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
    if start >= len(whole) and wanted:
        caller.send(416, b"", Content_Range=f"bytes */{len(whole)}")
        return
    if wanted and caller.headers.get("If-Range", files.tag) != files.tag:
        start = 0
    code = 206 if start else 200
    headers = {"Content_Length": str(len(whole) - start), "ETag": files.tag}
    if start:
        headers["Content_Range"] = f"bytes {start}-{len(whole) - 1}/{len(whole)}"
    caller.head(code, **headers)
    caller.wfile.write(whole[start : start + cut] if cut else whole[start:])
    if cut:
        caller.wfile.flush()
        caller.close_connection = True
        caller.connection.shutdown(2)
