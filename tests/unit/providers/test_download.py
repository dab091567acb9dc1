"""Downloads against a local server, through the real client library."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fakes.fake_gemini import nobody
from fakes.file_server import (
    Behaviour,
    Caller,
    FileServer,
    cut_after,
    disguised_page,
    page,
    serving,
    status,
    well,
    without_proxy,
)

from ancremed_desktop.domain.events import CancelToken, Progress, ignore_progress
from ancremed_desktop.errors import (
    AncremedError,
    BadFileError,
    Cancelled,
    MachineError,
    UserError,
)
from ancremed_desktop.providers import download as module
from ancremed_desktop.providers.download import download, forget, held_bytes

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
_CONTENT = b"GGUF" + hashlib.sha256(b"weights").digest() * 60_000


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    without_proxy(monkeypatch)
    monkeypatch.setattr(module, "_PAUSE_S", 0.0)


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "modèle.gguf"


def _get(
    server: FileServer | str,
    target: Path,
    *,
    size: int = len(_CONTENT),
    cancel: CancelToken | None = None,
) -> None:
    url = server if isinstance(server, str) else server.url
    download(
        url,
        target,
        size_bytes=size,
        starts=b"GGUF",
        progress=ignore_progress,
        cancel=cancel or CancelToken(),
    )


def _left(target: Path) -> list[str]:
    """Files beside the target and itself; an empty lock stays where it was."""
    return [p.name for p in target.parent.iterdir() if p.suffix != ".lock"]


def _refused(
    behaviour: Behaviour, target: Path, kind: type[AncremedError], *, size: int = len(_CONTENT)
) -> str:
    with serving(_CONTENT, behaviour) as server, pytest.raises(kind) as caught:
        _get(server, target, size=size)
    assert not target.exists()
    said = str(caught.value)
    assert said.endswith(".")
    return said


def test_a_file_comes_whole_and_leaves_nothing_beside_it(target: Path) -> None:
    told: list[Progress] = []
    with serving(_CONTENT) as server:
        download(server.url, target, progress=told.append, cancel=CancelToken())
    assert target.read_bytes() == _CONTENT
    assert _left(target) == [target.name]
    assert (told[-1].stage, told[-1].done, told[-1].total) == (
        "Téléchargement",
        len(_CONTENT),
        len(_CONTENT),
    )
    assert server.asked[0]["accept-encoding"] == "identity"
    assert "range" not in server.asked[0]


def test_a_connection_that_breaks_is_taken_up_where_it_stopped(target: Path) -> None:
    with serving(_CONTENT, cut_after(500_000), cut_after(300_000), well) as server:
        _get(server, target)
    assert target.read_bytes() == _CONTENT
    ranges = [headers.get("range") for headers in server.asked]
    assert ranges[0] is None
    places = [int(str(r).removeprefix("bytes=").rstrip("-")) for r in ranges[1:]]
    assert 0 < places[0] <= 500_000
    assert places[0] < places[1] <= 800_000
    assert server.asked[1]["if-range"] == '"one"'


def test_a_server_that_always_breaks_is_given_up_and_what_came_is_kept(target: Path) -> None:
    with serving(_CONTENT, cut_after(100_000)) as server:
        with pytest.raises(MachineError, match=r"coupée\. Ce qui est reçu est gardé"):
            _get(server, target)
        assert len(server.asked) == 5
        kept = held_bytes(target)
        assert kept > 300_000
        server.behaviours = (well,)
        _get(server, target)
    assert server.asked[-1]["range"] == f"bytes={kept}-"
    assert target.read_bytes() == _CONTENT


def test_another_file_at_the_same_address_is_not_joined_to_the_first(target: Path) -> None:
    with serving(b"GGUF" + b"old!" * 480_000, cut_after(700_000), status(503)) as server:
        with pytest.raises(MachineError):
            _get(server, target, size=0)
        server.content, server.tag, server.behaviours = _CONTENT, '"two"', (well,)
        _get(server, target)
    assert server.asked[-1]["if-range"] == '"one"'
    assert target.read_bytes() == _CONTENT


def test_a_server_without_validator_is_asked_for_the_whole_again(target: Path) -> None:
    def bare(caller: Caller) -> None:
        caller.head(200, Content_Length=str(len(_CONTENT)))
        caller.wfile.write(_CONTENT[:200_000])
        caller.close_connection = True
        caller.connection.shutdown(2)

    with serving(_CONTENT, bare, well) as server:
        _get(server, target)
    assert "range" not in server.asked[1]
    assert target.read_bytes() == _CONTENT


def test_what_was_already_whole_is_not_fetched_again(target: Path) -> None:
    with serving(_CONTENT, cut_after(len(_CONTENT) - 1), status(503)) as server:
        with pytest.raises(MachineError):
            _get(server, target)
        with target.with_name(target.name + ".part").open("ab") as part:
            part.write(_CONTENT[held_bytes(target) :])
        server.behaviours = (well,)
        _get(server, target)
    assert target.read_bytes() == _CONTENT


def test_a_stale_beginning_is_thrown_away(target: Path) -> None:
    with serving(_CONTENT, cut_after(600_000), status(503)) as server:
        with pytest.raises(MachineError):
            _get(server, target, size=0)
        server.content, server.behaviours = _CONTENT[:1000], (well,)
        with pytest.raises(BadFileError, match="ne correspond plus"):
            _get(server, target, size=0)
        assert _left(target) == []
        _get(server, target, size=1000)
    assert target.read_bytes() == _CONTENT[:1000]


@pytest.mark.parametrize("behaviour", [page, disguised_page])
def test_a_page_in_place_of_the_rest_costs_nothing_of_what_had_come(
    behaviour: Behaviour, target: Path
) -> None:
    with serving(_CONTENT, cut_after(600_000), behaviour, well) as server:
        with pytest.raises(BadFileError, match="page web"):
            _get(server, target, size=0)
        held = held_bytes(target)
        assert 0 < held <= 600_000
        _get(server, target)
    assert server.asked[-1]["range"] == f"bytes={held}-"
    assert target.read_bytes() == _CONTENT


@pytest.mark.parametrize("behaviour", [page, disguised_page])
def test_a_page_in_place_of_the_file_is_said(behaviour: Behaviour, target: Path) -> None:
    assert "page web" in _refused(behaviour, target, BadFileError, size=0)
    assert _left(target) == []


def test_something_else_than_a_model_is_stopped_at_its_first_bytes(target: Path) -> None:
    zipped = b"PK\x03\x04" + bytes(5_000_000)
    sent = []

    def slowly(caller: Caller) -> None:
        caller.head(200, Content_Length=str(len(zipped)))
        for start in range(0, len(zipped), 100_000):
            caller.wfile.write(zipped[start : start + 100_000])
            sent.append(start)
            time.sleep(0.02)

    with serving(b"", slowly) as server, pytest.raises(BadFileError, match="format GGUF"):
        _get(server, target, size=0)
    assert len(sent) < 50
    assert _left(target) == []


def test_another_size_is_refused_before_it_comes(target: Path) -> None:
    said = _refused(well, target, BadFileError, size=12)
    assert f"{len(_CONTENT)} octets au lieu de 12" in said
    assert _left(target) == []


def test_an_empty_file_is_refused(target: Path) -> None:
    def nothing(caller: Caller) -> None:
        caller.send(200, b"")

    assert "est vide" in _refused(nothing, target, BadFileError, size=0)


def test_more_than_was_said_is_refused(target: Path) -> None:
    def endless(caller: Caller) -> None:
        caller.head(200, Connection="close")
        caller.close_connection = True
        caller.wfile.write(_CONTENT + b"more")

    assert "octets au lieu de" in _refused(endless, target, BadFileError)


@pytest.mark.parametrize(
    ("code", "kind", "said"),
    [
        (404, UserError, "Rien à cette adresse"),
        (410, UserError, "Rien à cette adresse"),
        (401, UserError, "réserve ce fichier"),
        (403, UserError, "réserve ce fichier"),
        (429, MachineError, "surchargé ou en panne (erreur 429)"),
        (500, MachineError, "surchargé ou en panne (erreur 500)"),
        (418, MachineError, "refuse cette demande (erreur 418)"),
    ],
)
def test_a_refusal_says_what_to_do(
    code: int, kind: type[AncremedError], said: str, target: Path
) -> None:
    assert said in _refused(status(code), target, kind)


def test_a_redirection_is_followed_with_the_place_to_start_from(target: Path) -> None:
    def elsewhere(caller: Caller) -> None:
        if caller.path == "/model.gguf":
            caller.send(302, b"", Location="/deposit/1")
        else:
            behaviours.pop(0)(caller)

    behaviours: list[Behaviour] = [cut_after(400_000), well]
    with serving(_CONTENT, elsewhere) as server:
        _get(server, target)
    assert server.paths == ["/model.gguf", "/deposit/1"] * 2
    assert server.asked[3]["range"].startswith("bytes=")
    assert target.read_bytes() == _CONTENT


def test_endless_redirections_and_unsafe_addresses_are_refused(target: Path) -> None:
    def around(caller: Caller) -> None:
        caller.send(302, b"", Location="/model.gguf")

    def outside(caller: Caller) -> None:
        caller.send(302, b"", Location="http://example.org/model.gguf")

    assert "sans fin" in _refused(around, target, MachineError)
    assert "« http://example.org/model.gguf » n’est pas une adresse sûre" in _refused(
        outside, target, UserError
    )
    for url in ("http://example.org/a.gguf", "ftp://127.0.0.1/a", "qwen", "https://", "file:///a"):
        with pytest.raises(UserError, match="n’est pas une adresse"):
            _get(url, target)


def test_no_network_is_said(target: Path) -> None:
    with pytest.raises(MachineError, match=r"injoignable .* Rien n’est encore reçu"):
        _get(nobody(), target)


def test_a_certificate_nobody_vouches_for_is_said(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import httpx2

    def broken(*_args: object, **_options: object) -> object:
        raise httpx2.ConnectError("[SSL: CERTIFICATE_VERIFY_FAILED] self-signed certificate")

    monkeypatch.setattr(httpx2.AsyncClient, "stream", broken)
    with pytest.raises(MachineError, match=r"certificat de example\.org n’est pas reconnu"):
        _get("https://example.org/a.gguf", target)


def test_the_proxy_of_the_system_is_used(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(_CONTENT) as proxy:
        address = f"http://127.0.0.1:{proxy.server_port}"
        monkeypatch.setenv("HTTP_PROXY", address)
        _get("http://localhost:9/model.gguf", target)
        assert proxy.paths == ["http://localhost:9/model.gguf"]
        monkeypatch.setenv("HTTPS_PROXY", address)
        target.unlink()
        with pytest.raises(MachineError, match=r"mandataire .* refuse"):
            _get("https://example.org/model.gguf", target)
        assert proxy.paths[-1] == "example.org:443"


@pytest.fixture
def full_disk() -> Iterator[Callable[[], None]]:
    """No file may pass a megabyte (POSIX), until the function is called."""
    if sys.platform == "win32":
        pytest.skip("a limit of the size of files stands for a full disk")
    import resource

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, limits[1]))
    yield lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_a_disk_that_fills_up_loses_nothing(target: Path, full_disk: Callable[[], None]) -> None:
    with serving(_CONTENT) as server:
        with pytest.raises(MachineError, match=r"Plus de place .* gardé"):
            _get(server, target)
        assert 0 < held_bytes(target) <= 1_000_000
        full_disk()
        _get(server, target)
    assert target.read_bytes() == _CONTENT
    assert "range" in server.asked[-1]


def test_too_little_room_is_said_before_anything_comes(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class _Disk:
        free = 1_000

    monkeypatch.setattr("shutil.disk_usage", lambda _path: _Disk())
    assert "Place insuffisante" in _refused(well, target, MachineError)
    assert not held_bytes(target)


@pytest.mark.parametrize("sent", [0, 200_000])
def test_a_cancel_is_obeyed_at_once_even_by_a_silent_server(target: Path, sent: int) -> None:
    cancel, released = CancelToken(), threading.Event()
    asked = [0.0]

    def silent(caller: Caller) -> None:
        if sent:
            caller.head(200, Content_Length=str(len(_CONTENT)), ETag='"one"')
            caller.wfile.write(_CONTENT[:sent])
            caller.wfile.flush()
        asked[0] = time.monotonic() + 0.3
        threading.Timer(0.3, cancel.cancel).start()
        released.wait(10)

    with serving(_CONTENT, silent, well) as server:
        with pytest.raises(Cancelled):
            _get(server, target, cancel=cancel)
        assert time.monotonic() - asked[0] < 1
        released.set()
        _get(server, target)
    assert ("range" in server.asked[1]) is bool(sent)
    assert target.read_bytes() == _CONTENT


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    blocked = tmp_path / "modèle.gguf"
    blocked.mkdir()
    (blocked / "autre").touch()
    with serving(_CONTENT) as server, pytest.raises(MachineError, match="n’a pas pu être écrit"):
        _get(server, blocked)


def test_two_processes_do_not_write_one_file(target: Path) -> None:
    lock = target.with_name(f"{target.name}.lock")
    holds = f"""
from filelock import FileLock
with FileLock({str(lock)!r}):
    print(flush=True)
    input()
"""
    with subprocess.Popen(
        [sys.executable, "-c", holds], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout
        other.stdout.readline()
        with serving(_CONTENT) as server, pytest.raises(MachineError, match="déjà en cours"):
            _get(server, target)
        assert server.asked == []
        other.kill()  # of a process that ended, nothing is held
    with serving(_CONTENT) as server:
        _get(server, target)
    assert target.read_bytes() == _CONTENT


def test_what_has_come_can_be_forgotten(target: Path) -> None:
    with (
        serving(_CONTENT, cut_after(200_000), status(503)) as server,
        pytest.raises(MachineError),
    ):
        _get(server, target)
    assert len(_left(target)) == 2
    forget(target)
    assert _left(target) == []
    forget(target)


def test_nothing_of_the_network_is_imported_before_a_download() -> None:
    code = (
        "import sys; import ancremed_desktop.providers.download; "
        "raise SystemExit('httpx2' in sys.modules)"
    )
    assert os.spawnv(os.P_WAIT, sys.executable, [sys.executable, "-c", code]) == 0
