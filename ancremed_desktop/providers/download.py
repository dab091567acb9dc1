"""Large files fetched from a web server at the user's request: resumed, bounded, never half kept.

What has come stays beside the target (``.part``) when the connection breaks or the user stops; the
next call asks for the rest only (RFC 9110 §14.2) and only of the very same file (``If-Range``).
Proxies and certificates are the system's own. httpx2 is imported at the first download. The rest of
what a download needs is here for want of a library that resumes, checks and leaves no cache of its
own (docs/decisions/0004-local-models.md, 7).
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import time
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from filelock import FileLock, Timeout

from ancremed_desktop.domain.events import CancelToken, Progress, ProgressCallback
from ancremed_desktop.errors import BadFileError, MachineError, UserError
from ancremed_desktop.providers.download_faults import (
    AGAIN,
    KEPT,
    CutError,
    StaleError,
    page_instead,
    refusal,
    unreachable,
    unwritable,
    wrong_size,
)

if TYPE_CHECKING:
    import httpx2

_POLL_S = 0.1
_STALL_S = 30.0
"""Silence after which a connection is held to be cut."""
_CUTS = 4
"""Times a connection that had brought something may break before the user is told."""
_PAUSE_S = 1.0
_REDIRECTS = 10
_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+)")
_STAGE = "Téléchargement"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """What is asked, see ``download``."""

    url: str
    size_bytes: int
    starts: bytes


def held_bytes(target: Path) -> int:
    """How much of ``target`` has come and waits for the rest."""
    return _size(_part_of(target))


def forget(target: Path) -> None:
    """Delete what has come of ``target``. Raises: OSError."""
    for path in (_part_of(target), _notes_of(target)):
        path.unlink(missing_ok=True)


def download(
    url: str,
    target: Path,
    *,
    size_bytes: int = 0,
    starts: bytes = b"",
    progress: ProgressCallback,
    cancel: CancelToken,
) -> None:
    """Put the whole file at ``target``; nothing is left there otherwise.

    ``size_bytes``: as its list says, 0 when unknown. ``starts``: its first bytes, by which a page
    sent in its place is known at once.

    Raises:
        UserError: the address is not one, is not safe, leads nowhere or asks for an account.
        BadFileError: something else was sent (a page, another size); nothing of it is kept.
        MachineError: no network, a server at fault, no room; what has come is kept.
        Cancelled: the user stopped; what has come is kept.

    """
    wanted = _Wanted(url=url, size_bytes=size_bytes, starts=starts)
    with _alone(target):
        loop = asyncio.new_event_loop()
        try:
            _watched(loop, _whole(wanted, target, progress), cancel)
        finally:
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()


@contextmanager
def _alone(target: Path) -> Iterator[None]:
    """Two processes that write one part would mix their bytes. Raises: MachineError."""
    try:
        with FileLock(target.with_name(target.name + ".lock"), timeout=0):
            yield
    except Timeout as error:
        raise MachineError(
            "Ce fichier est déjà en cours de téléchargement par une autre fenêtre ou commande "
            "d’AncreMed : attendez sa fin, ou arrêtez-la."
        ) from error
    except OSError as error:
        raise unwritable(target, error) from error


def _watched(
    loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, None], cancel: CancelToken
) -> None:
    """Run ``work`` to its end, or until the user stops it."""
    task = loop.create_task(work)
    try:
        while not task.done():
            cancel.raise_if_cancelled()
            loop.run_until_complete(asyncio.wait({task}, timeout=_POLL_S))
        task.result()
    finally:
        if not task.done():
            task.cancel()
            loop.run_until_complete(asyncio.wait({task}))


async def _whole(wanted: _Wanted, target: Path, progress: ProgressCallback) -> None:
    cuts = 0
    part = _part_of(target)
    while True:
        before = _size(part)
        try:
            await _once(wanted, target, progress)
            break
        except CutError as cut:
            cuts += 1
            if _size(part) <= before or cuts > _CUTS:
                next_step = KEPT if _size(part) else AGAIN
                raise MachineError(f"{cut.reason} {next_step}") from cut
            await asyncio.sleep(_PAUSE_S)
        except BadFileError as error:
            # A page instead of the rest (a hotel's portal) says nothing against what had come.
            if not before or isinstance(error, StaleError):
                forget(target)
            raise
        except OSError as error:
            raise unwritable(target, error) from error
    try:
        part.replace(target)
        _notes_of(target).unlink(missing_ok=True)
    except OSError as error:
        raise unwritable(target, error) from error


async def _once(wanted: _Wanted, target: Path, progress: ProgressCallback) -> None:
    """One connection, from where the last one stopped. Raises: CutError, OSError, AncremedError."""
    part = _part_of(target)
    have = _size(part)
    notes = _read_notes(target, wanted.url) if have else {}
    validator = str(notes.get("validator", ""))
    if not validator:
        have = 0  # nothing proves that the rest would be of the same file
    headers = {"Accept-Encoding": "identity"}
    if have:
        headers |= {"Range": f"bytes={have}-", "If-Range": validator}
    async with _response(wanted.url, headers) as response:
        start, total = _extent(response, have, wanted)
        if total and start == total:
            return
        _require_room(target, total - start)
        chunks = aiter(response.aiter_raw())  # as they come: a cut loses nothing
        first = await anext(chunks, b"")
        if not start:
            _check_head(first, wanted)
        _write_notes(target, wanted.url, _validator(response))
        with part.open("r+b" if start else "wb") as file:
            file.truncate(start)
            file.seek(start)
            await _receive(first, chunks, file, start, total, wanted, progress)


async def _receive(
    first: bytes,
    chunks: AsyncIterator[bytes],
    file: BinaryIO,
    start: int,
    total: int,
    wanted: _Wanted,
    progress: ProgressCallback,
) -> None:
    done, began = start, time.monotonic()
    chunk = first
    while chunk:
        file.write(chunk)
        done += len(chunk)
        if total and done > total:
            raise StaleError(str(wrong_size(_host(wanted.url), done, total)))
        speed = (done - start) / max(time.monotonic() - began, 0.001)
        left = (total - done) / speed if total else None
        progress(Progress(stage=_STAGE, done=done, total=total, seconds_left=left))
        chunk = await anext(chunks, b"")
    if total and done < total:
        raise CutError(
            f"La connexion à {_host(wanted.url)} a été coupée à {100 * done // total} %."
        )


def _extent(response: httpx2.Response, have: int, wanted: _Wanted) -> tuple[int, int]:
    """First byte of this response and size of the whole (0: unknown).

    Raises: AncremedError or CutError, for a response that is not the file.
    """
    code = response.status_code
    if code == 416:
        found = re.fullmatch(r"bytes \*/(\d+)", response.headers.get("content-range", ""))
        if found and int(found[1]) == have:
            return have, have
        raise StaleError(
            f"Ce qui avait été reçu de {_host(wanted.url)} ne correspond plus au fichier : c’est "
            "effacé. Recommencez."
        )
    if code not in {200, 206}:
        raise refusal(code, _host(wanted.url))
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise page_instead(_host(wanted.url))
    if response.headers.get("content-type", "").partition(";")[0].strip() in {
        "text/html", "application/xhtml+xml",
    }:  # fmt: skip
        raise page_instead(_host(wanted.url))
    if code == 206:
        found = _RANGE.fullmatch(response.headers.get("content-range", ""))
        if not found or int(found[1]) != have:
            raise StaleError(
                f"{_host(wanted.url)} n’a pas envoyé la suite demandée : ce qui avait été reçu est "
                "effacé. Recommencez."
            )
        start, total = have, int(found[3])
    else:
        start, total = 0, int(response.headers.get("content-length", "0"))
    if wanted.size_bytes and total and total != wanted.size_bytes:
        raise wrong_size(_host(wanted.url), total, wanted.size_bytes)
    return start, total or wanted.size_bytes


def _check_head(chunk: bytes, wanted: _Wanted) -> None:
    if not chunk:
        raise BadFileError(f"Le fichier envoyé par {_host(wanted.url)} est vide.")
    if chunk.startswith(wanted.starts[: len(chunk)]):
        return
    if chunk.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<":
        raise page_instead(_host(wanted.url))
    raise BadFileError(
        "Ce que le serveur envoie n’est pas un modèle au format GGUF : rien n’est gardé. Vérifiez "
        "l’adresse."
    )


@asynccontextmanager
async def _response(url: str, headers: dict[str, str]) -> AsyncIterator[httpx2.Response]:
    """The response at the end of the redirections. Raises: CutError, AncremedError."""
    http = import_module("httpx2")

    async def only_safe(request: httpx2.Request) -> None:
        _check_safe(request.url)

    try:
        _check_safe(http.URL(url))
        async with (
            http.AsyncClient(
                follow_redirects=True,
                max_redirects=_REDIRECTS,
                timeout=_STALL_S,
                event_hooks={"request": [only_safe]},
            ) as client,
            client.stream("GET", url, headers=headers) as response,
        ):
            yield response
    except http.TooManyRedirects as error:
        raise MachineError(f"{_host(url)} renvoie d’adresse en adresse sans fin.") from error
    except (http.InvalidURL, http.UnsupportedProtocol) as error:
        raise UserError(f"« {url} » n’est pas une adresse de téléchargement.") from error
    except http.ProxyError as error:
        raise MachineError(
            "Le mandataire (proxy) du réseau refuse la connexion : vérifiez les réglages du "
            "système ou la variable HTTPS_PROXY."
        ) from error
    except (http.ConnectError, http.ConnectTimeout) as error:
        raise CutError(unreachable(_host(url), error)) from error
    except http.TransportError as error:
        raise CutError(f"La connexion à {_host(url)} a été coupée.") from error


def _check_safe(url: httpx2.URL) -> None:
    """Raises: UserError, for an address that anyone on the way could answer in another's place."""
    if url.scheme == "https" or (url.scheme == "http" and url.host in _LOCAL):
        return
    raise UserError(f"« {url} » n’est pas une adresse sûre : elle doit commencer par « https:// ».")


def _host(url: str) -> str:
    return str(import_module("httpx2").URL(url).host)


def _require_room(target: Path, needed: int) -> None:
    free = shutil.disk_usage(target.parent).free
    if needed > free:
        wanted, left = (f"{count / 1e9:.1f} Go".replace(".", ",") for count in (needed, free))
        raise MachineError(
            f"Place insuffisante dans « {target.parent} » : {wanted} à recevoir, {left} libres."
        )


def _validator(response: httpx2.Response) -> str:
    """What tells this file from a later one: a strong tag, else its date (RFC 9110 §13.1.5)."""
    tag = str(response.headers.get("etag", ""))
    return tag if tag and not tag.startswith("W/") else response.headers.get("last-modified", "")


def _part_of(target: Path) -> Path:
    return target.with_name(target.name + ".part")


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _notes_of(target: Path) -> Path:
    return target.with_name(target.name + ".part.json")


def _read_notes(target: Path, url: str) -> dict[str, object]:
    """Notes of what has come; empty when they are absent, damaged, or of another address."""
    try:
        notes = json.loads(_notes_of(target).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return notes if isinstance(notes, dict) and notes.get("url") == url else {}


def _write_notes(target: Path, url: str, validator: str) -> None:
    notes = json.dumps({"url": url, "validator": validator})
    _notes_of(target).write_text(notes, encoding="utf-8")
