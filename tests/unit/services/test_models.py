"""The model library keeps only whole files whose origin is known or accepted."""

from __future__ import annotations

import hashlib
import json
import os
import re
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from contract.cases import TenLines
from fakes.gguf_files import VALUES, gguf

from ancremed_desktop.domain.events import CancelToken, ProgressCallback, ignore_progress
from ancremed_desktop.domain.models import ModelFamily
from ancremed_desktop.errors import (
    BadFileError,
    Cancelled,
    MachineError,
    ModelUnavailableError,
    UserError,
)
from ancremed_desktop.ports import LanguageModel
from ancremed_desktop.providers import download
from ancremed_desktop.providers.llama_cpp.gguf import read_header
from ancremed_desktop.providers.options import ModelOptions
from ancremed_desktop.services import model_digests
from ancremed_desktop.services.model_files import add_imported, read_imported, read_manifest
from ancremed_desktop.services.model_tools import ModelTools, UnknownFile
from ancremed_desktop.services.models import ModelLibrary
from ancremed_desktop.settings import paths

_WEIGHTS = gguf()
_DIGEST = hashlib.sha256(_WEIGHTS).hexdigest()
_QWEN = gguf(
    {
        **{k.replace("llama.", "qwen2."): v for k, v in VALUES.items()},
        "general.architecture": "qwen2",
    }
)
_MANIFEST = f"""
bundled = "petit"
[[models]]
name = "petit"
file = "petit.gguf"
sha256 = "{_DIGEST}"
file_bytes = {len(_WEIGHTS)}
memory_bytes = 1000
licence = "MIT"
family = "chatml"
context_tokens = 1024
package = "petit==1.0"
member = "petit/petit.gguf"
note = "Essai."
"""


class _World:
    """A library whose registry gives ``sent``; ``opened``: what the provider was asked."""

    def __init__(self, folder: Path, manifest: str = _MANIFEST) -> None:
        self.shipped = folder / "shipped"
        self.home = folder / "home"
        for made in (self.shipped, self.home):
            made.mkdir()
        (self.shipped / "manifest.toml").write_text(manifest, encoding="utf-8")
        self.sent = _WEIGHTS
        self.fetched = 0
        self.memory = 8_000_000_000
        self.unknown: UnknownFile
        self.opened: list[tuple[str, ModelOptions]] = []
        self.hashes = folder / "sha256.json"
        tools = ModelTools(
            read_header=read_header,
            fetch=self._fetch,
            open_model=self._open,
            downloads=download,
            engine_installed=lambda: True,
            install_engine=lambda _compiling, _progress, _cancel: None,
            memory_bytes=lambda: self.memory,
        )
        self.library = ModelLibrary(self.shipped / "manifest.toml", self.home, self.hashes, tools)

    def install(self) -> None:
        self.library.install("petit", progress=ignore_progress, cancel=CancelToken())

    def take(self, file: Path, *, accept: bool = False, family: ModelFamily | None = None) -> str:
        def told(unknown: UnknownFile) -> ModelFamily | None:
            self.unknown = unknown
            return (family or unknown.family) if accept else None

        return self.library.import_file(
            file,
            accept=told,
            progress=ignore_progress,
            cancel=CancelToken(),
        ).card.name

    def opened_check(self) -> Callable[[CancelToken], None]:
        """What the provider calls before each use of the file."""
        self.library.open("petit")
        return self.opened[-1][1].check_file

    def _fetch(
        self,
        requirement: str,
        member: str,
        target: Path,
        *,
        progress: ProgressCallback,
        cancel: CancelToken,
    ) -> None:
        assert (requirement, member) == ("petit==1.0", "petit/petit.gguf")
        self.fetched += 1
        target.write_bytes(self.sent)

    def _open(self, provider: str, options: ModelOptions) -> LanguageModel:
        self.opened.append((provider, options))
        return TenLines()


@pytest.fixture
def world(tmp_path: Path) -> _World:
    return _World(tmp_path)


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    folder = tmp_path / "clé usb"
    folder.mkdir()
    return folder


def test_the_shipped_manifest_is_right() -> None:
    bundled, cards = read_manifest(paths.MODELS / "manifest.toml")
    assert bundled == "smollm2-135m"
    for other in cards:
        assert bool(other.package) != bool(other.url)
        if other.url:  # a revision, never « main »: its bytes cannot change
            assert re.fullmatch(r"https://\S+/resolve/[0-9a-f]{40}/\S+", other.url)
            assert other.url.endswith(f"/{other.file}")
            assert other.licence == "Apache-2.0"
            assert other.why
            assert other.published
        assert other.memory_bytes > other.file_bytes
    assert list(cards) == sorted(cards, key=lambda c: c.memory_bytes)
    card = next(card for card in cards if card.name == bundled)
    assert card.sha256 == "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
    assert card.licence == "Apache-2.0"
    assert len({card.sha256 for card in cards}) == len({card.file for card in cards}) == len(cards)


def test_an_absent_model_says_how_to_get_it(world: _World) -> None:
    with pytest.raises(ModelUnavailableError, match="models install petit"):
        world.library.open("petit")
    with pytest.raises(UserError, match="Modèles connus : petit"):
        world.library.open("grand")


def test_an_installed_model_opens_with_what_the_manifest_says(world: _World) -> None:
    world.install()
    world.library.open("petit")
    ((provider, options),) = world.opened
    assert provider == "llama_cpp"
    assert options.identity == _DIGEST
    assert (options.family, options.context_tokens) == (ModelFamily.CHATML, 1024)
    assert options.file == world.home / "petit.gguf"


def test_a_second_install_fetches_nothing(world: _World) -> None:
    world.install()
    world.install()
    assert world.fetched == 1


def test_a_package_with_another_file_is_not_kept(world: _World) -> None:
    world.sent = _QWEN
    with pytest.raises(BadFileError, match="SHA-256 différent"):
        world.install()
    assert list(world.home.iterdir()) == []


def test_a_file_altered_afterwards_is_not_used(world: _World) -> None:
    world.install()
    check = world.opened_check()
    check(CancelToken())
    file = world.home / "petit.gguf"
    before = file.stat()
    file.write_bytes(_WEIGHTS[:-1] + b"\x01")  # the same size, then the same date too
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(ModelUnavailableError, match="a changé depuis"):
        check(CancelToken())
    with pytest.raises(ModelUnavailableError, match="a changé depuis"):
        world.library.check("petit", CancelToken())
    file.unlink()
    with pytest.raises(ModelUnavailableError, match="n’est plus là"):
        check(CancelToken())
    world.install()
    check(CancelToken())


def test_nothing_is_read_before_a_model_is_asked(
    world: _World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.install()
    world.hashes.unlink()
    monkeypatch.setattr(model_digests, "sha256", lambda *_a, **_k: pytest.fail("read"))
    assert world.library.open("petit")


def test_reading_a_large_file_is_stopped(world: _World) -> None:
    world.install()
    world.hashes.unlink()
    stopped = CancelToken()
    stopped.cancel()
    with pytest.raises(Cancelled):
        world.opened_check()(stopped)


def test_a_digest_is_computed_once_a_state(world: _World) -> None:
    world.install()
    check = world.opened_check()
    kept = json.loads(world.hashes.read_text("utf-8"))
    kept[str(world.home / "petit.gguf")][-1] = "0" * 64
    world.hashes.write_text(json.dumps(kept), encoding="utf-8")
    with pytest.raises(ModelUnavailableError):
        check(CancelToken())
    for damaged in ("{", "[" * 200_000):
        world.hashes.write_text(damaged, encoding="utf-8")  # computed again
        check(CancelToken())


def test_what_was_just_checked_is_not_read_again(
    world: _World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.install()
    monkeypatch.setattr(model_digests, "sha256", lambda *_a, **_k: pytest.fail("read again"))
    world.opened_check()(CancelToken())


def test_a_digest_that_cannot_be_kept_is_computed_again(
    world: _World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, _data: object) -> None:
        raise MachineError(f"{path} : plus de place.")

    monkeypatch.setattr(model_digests, "write_json", full)
    world.install()
    world.opened_check()(CancelToken())


def test_two_windows_that_import_lose_no_record(world: _World, tmp_path: Path) -> None:
    cards = [replace(read_manifest(world.shipped / "manifest.toml")[1][0], known=False,
                     name=f"modele-{n}") for n in range(12)]  # fmt: skip
    threads = [threading.Thread(target=add_imported, args=(tmp_path, card)) for card in cards]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {card.name for card in read_imported(tmp_path)} == {card.name for card in cards}


def test_an_import_that_cannot_be_recorded_leaves_no_file(
    world: _World, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_home: Path, _card: object) -> None:
        raise MachineError("Plus de place.")

    monkeypatch.setattr("ancremed_desktop.services.models.add_imported", full)
    (stick / "q.gguf").write_bytes(_QWEN)
    with pytest.raises(MachineError):
        world.take(stick / "q.gguf", accept=True)
    assert list(world.home.iterdir()) == []


def test_a_known_file_is_imported_under_its_name(world: _World, stick: Path) -> None:
    (stick / "autre nom.gguf").write_bytes(_WEIGHTS)
    assert world.take(stick / "autre nom.gguf") == "petit"
    assert (world.home / "petit.gguf").read_bytes() == _WEIGHTS


def test_an_unknown_file_needs_consent_and_is_named_after_itself(
    world: _World, stick: Path
) -> None:
    file = stick / "Qwen Essai.gguf"
    file.write_bytes(_QWEN)
    with pytest.raises(UserError, match="--accept-unknown"):
        world.take(file)
    assert list(world.home.iterdir()) == []
    assert world.take(file, accept=True) == "qwen-essai"
    card = world.library.model("qwen-essai").card
    assert (card.family, card.known) == (ModelFamily.QWEN, False)
    assert card.sha256 == hashlib.sha256(_QWEN).hexdigest()
    world.library.open("qwen-essai")
    world.take(file, accept=True)
    assert [m.card.name for m in world.library.models()] == ["qwen-essai", "petit"]


def test_an_unknown_llama_must_say_how_it_converses(world: _World, stick: Path) -> None:
    file = stick / "un.gguf"
    file.write_bytes(gguf({**VALUES, "general.name": "Autre"}))
    with pytest.raises(UserError, match="n’a pas été accepté"):
        world.take(file, accept=True)
    assert world.unknown.family is None
    assert world.take(file, accept=True, family=ModelFamily.LLAMA3) == "un"
    assert world.library.model("un").card.family is ModelFamily.LLAMA3


def test_another_file_of_the_same_name_takes_the_place_of_none(world: _World, stick: Path) -> None:
    file = stick / "essai.gguf"
    names = []
    for content in (_QWEN, _QWEN[:-1] + b"\x01", _QWEN):
        file.write_bytes(content)
        names.append(world.take(file, accept=True))
    assert names[0] == names[2] == "essai"
    assert names[1].startswith("essai-")
    assert sum(m.path is not None for m in world.library.models()) == 2


def test_a_broken_file_is_not_imported(world: _World, stick: Path) -> None:
    (stick / "un.gguf").write_bytes(b"<html>")
    with pytest.raises(BadFileError):
        world.take(stick / "un.gguf", accept=True)
    assert list(world.home.iterdir()) == []


def test_a_cancelled_import_leaves_nothing(world: _World, stick: Path) -> None:
    (stick / "un.gguf").write_bytes(_QWEN)
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        world.library.import_file(
            stick / "un.gguf",
            accept=lambda _file: ModelFamily.QWEN,
            progress=ignore_progress,
            cancel=cancel,
        )
    assert list(world.home.iterdir()) == []


def test_a_full_disk_is_said_before_the_copy(
    world: _World, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (stick / "un.gguf").write_bytes(_QWEN)
    monkeypatch.setattr("shutil.disk_usage", lambda _p: _Disk())
    with pytest.raises(MachineError, match="Place insuffisante"):
        world.take(stick / "un.gguf", accept=True)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_disk_that_fills_up_during_the_copy_leaves_nothing(
    world: _World, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (stick / "un.gguf").write_bytes(_QWEN)
    full = world.home / ".modele-plein"
    full.symlink_to("/dev/full")
    monkeypatch.setattr(world.library, "_temporary", lambda: full)
    with pytest.raises(MachineError, match="plus de place"):
        world.take(stick / "un.gguf", accept=True)
    assert list(world.home.iterdir()) == []
    assert [m.card.name for m in world.library.models()] == ["petit"]


def test_a_file_cannot_feign_lines_of_what_is_asked_about_it(world: _World, stick: Path) -> None:
    feigned = "mit\nSHA-256 : " + 64 * "0"
    file = stick / "un\nSHA-256 : 0.gguf"
    file.write_bytes(gguf({**VALUES, "general.license": feigned, "general.name": "a\r\n\u2028b"}))
    asked: list[UnknownFile] = []

    def accept(unknown: UnknownFile) -> ModelFamily:
        asked.append(unknown)
        return ModelFamily.CHATML

    world.library.import_file(file, accept=accept, progress=ignore_progress, cancel=CancelToken())
    told = (asked[0].name, asked[0].licence, *(m.card.note for m in world.library.models()))
    assert not [text for text in told if len(text.splitlines()) > 1]


class _Disk:
    free = 10


def test_removal_gives_the_place_back_and_spares_what_is_shipped(
    world: _World, stick: Path
) -> None:
    file = stick / "qwen.gguf"
    file.write_bytes(_QWEN)
    world.take(file, accept=True)
    world.library.remove("qwen")
    assert [m.card.name for m in world.library.models()] == ["petit"]
    assert not list(world.home.glob("*.gguf"))
    with pytest.raises(UserError, match="rien à supprimer"):
        world.library.remove("petit")
    (world.shipped / "petit.gguf").write_bytes(_WEIGHTS)
    with pytest.raises(UserError, match="livré avec AncreMed"):
        world.library.remove("petit")


@pytest.mark.parametrize(
    "change",
    [
        {"file": "../../evil.gguf"},
        {"sha256": "abc"},
        {"known": True},
        {"family": "inconnue"},
        {"memory_bytes": "beaucoup"},
        {"autre": 1},
    ],
)
def test_a_forged_record_of_an_import_is_ignored(
    world: _World, stick: Path, change: dict[str, object]
) -> None:
    file = stick / "qwen.gguf"
    file.write_bytes(_QWEN)
    world.take(file, accept=True)
    record = world.home / "imported.json"
    data = json.loads(record.read_text("utf-8"))
    data["models"][0] |= change
    record.write_text(json.dumps(data), encoding="utf-8")
    assert [m.card.name for m in world.library.models()] == ["petit"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "models = 3",
        _MANIFEST.replace("petit.gguf", "../p.gguf"),
        _MANIFEST.replace('bundled = "petit"', 'bundled = "autre"'),
    ],
)
def test_a_damaged_manifest_is_said(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadFileError, match="réinstallez"):
        _World(tmp_path, text)
