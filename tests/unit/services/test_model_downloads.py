"""Models fetched from addresses: listed ones by their card, others with consent; nothing lost."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from contract.cases import TenLines
from fakes.file_server import FileServer, cut_after, page, serving, status, well, without_proxy
from fakes.gguf_files import VALUES, gguf

from ancremed_desktop.domain.events import CancelToken, Progress, ProgressCallback, ignore_progress
from ancremed_desktop.domain.models import ModelFamily
from ancremed_desktop.errors import BadFileError, Cancelled, MachineError, UserError
from ancremed_desktop.providers import download
from ancremed_desktop.providers.llama_cpp.gguf import read_header
from ancremed_desktop.services.model_tools import ModelTools, UnknownFile
from ancremed_desktop.services.models import InstalledModel, ModelLibrary

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
_WEIGHTS = gguf(data=400_000)
_DIGEST = hashlib.sha256(_WEIGHTS).hexdigest()
_OTHER = gguf(
    {
        **{k.replace("llama.", "qwen2."): v for k, v in VALUES.items()},
        "general.architecture": "qwen2",
    }
)
_CARD = """
[[models]]
name = "{name}"
file = "{name}.gguf"
sha256 = "{digest}"
file_bytes = {size}
memory_bytes = {memory}
licence = "MIT"
family = "chatml"
context_tokens = 1024
url = "{url}"
why = "{why}"
"""


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    without_proxy(monkeypatch)
    monkeypatch.setattr(download, "_PAUSE_S", 0.0)


class _World:
    """A library whose only listed model, « moyen », is what ``server`` holds."""

    def __init__(self, folder: Path, url: str, *, memory: int = 8_000_000_000) -> None:
        self.home = folder / "home"
        self.home.mkdir(exist_ok=True)
        self.engines: list[bool] = []
        manifest = folder / "manifest.toml"
        cards = [
            {"name": "moyen", "digest": _DIGEST, "size": len(_WEIGHTS), "memory": 2_000_000_000,
             "url": url, "why": "Pour essayer."},
            {"name": "grand", "digest": "0" * 64, "size": 9, "memory": 4_000_000_001,
             "url": "https://example.org/grand", "why": "Plus fort."},
            {"name": "inutile", "digest": "1" * 64, "size": 9, "memory": 3_000_000_000,
             "url": "https://example.org/inutile", "why": ""},
        ]  # fmt: skip
        text = "".join(_CARD.format(**card) for card in cards)
        manifest.write_text(f'bundled = "moyen"\n{text}', encoding="utf-8")
        tools = ModelTools(
            read_header=read_header,
            fetch=lambda *_args, **_options: pytest.fail("not a package"),
            downloads=download,
            open_model=lambda _provider, _options: TenLines(),
            engine_installed=lambda: True,
            install_engine=lambda compiling, _progress, _cancel: self.engines.append(compiling),
            memory_bytes=lambda: memory,
        )
        self.library = ModelLibrary(manifest, self.home, folder / "sha256.json", tools)

    def install(
        self, *, progress: ProgressCallback = ignore_progress, cancel: CancelToken | None = None
    ) -> InstalledModel:
        return self.library.install("moyen", progress=progress, cancel=cancel or CancelToken())

    def take(
        self,
        url: str,
        *,
        accept: Callable[[UnknownFile], ModelFamily | None] = lambda file: file.family,
        digest: str = "",
    ) -> str:
        return self.library.download(
            url,
            accept=accept,
            digest=digest,
            progress=ignore_progress,
            cancel=CancelToken(),
        ).card.name

    @property
    def left(self) -> list[str]:
        return sorted(p.name for p in self.home.iterdir() if p.suffix != ".lock")


def _at(server: FileServer, name: str) -> str:
    return server.url.replace("model.gguf", name)


def test_a_listed_model_is_installed_from_its_address(tmp_path: Path) -> None:
    with serving(_WEIGHTS) as server:
        world = _World(tmp_path, server.url)
        assert world.install().path == world.home / "moyen.gguf"
        assert world.library.open("moyen")
        world.install()
        assert world.take(server.url) == "moyen"
    assert len(server.asked) == 1
    assert world.left == ["moyen.gguf"]


def test_one_step_puts_the_engine_and_a_stronger_model_in_place(tmp_path: Path) -> None:
    with serving(_WEIGHTS) as server:
        world = _World(tmp_path, server.url)
        found = world.library.set_up("moyen", progress=ignore_progress, cancel=CancelToken())
    assert world.engines == [True]
    assert found.path == world.home / "moyen.gguf"
    with pytest.raises(UserError, match="Modèle inconnu"):
        world.library.set_up("autre", progress=ignore_progress, cancel=CancelToken())
    assert world.engines == [True], "nothing is compiled for a name nobody knows"


def test_an_interrupted_download_is_shown_and_taken_up_another_day(tmp_path: Path) -> None:
    with serving(_WEIGHTS, cut_after(300_000), status(503)) as server:
        world = _World(tmp_path, server.url)
        with pytest.raises(MachineError, match="gardé"):
            world.install()
        held = world.library.model("moyen").held_bytes
        assert 0 < held <= 300_000
        server.behaviours = (well,)
        again = _World(tmp_path, server.url)
        assert again.library.model("moyen").held_bytes == held
        again.install()
    assert server.asked[-1]["range"] == f"bytes={held}-"
    assert again.left == ["moyen.gguf"]
    assert again.library.model("moyen").held_bytes == 0


def test_what_an_interrupted_download_left_can_be_removed(tmp_path: Path) -> None:
    with serving(_WEIGHTS, cut_after(300_000), status(503)) as server:
        world = _World(tmp_path, server.url)
        with pytest.raises(MachineError):
            world.install()
        world.library.remove("moyen")
    assert world.left == []
    with pytest.raises(UserError, match="rien à supprimer"):
        world.library.remove("moyen")


def test_another_file_of_the_same_size_is_not_kept(tmp_path: Path) -> None:
    wrong = _WEIGHTS[:-1] + b"\x01"
    with serving(wrong) as server:
        world = _World(tmp_path, server.url)
        with pytest.raises(BadFileError, match="SHA-256 différent"):
            world.install()
    assert world.left == []


def test_a_page_or_another_size_is_not_kept(tmp_path: Path) -> None:
    for content, behaviour, said in ((b"", page, "page web"), (_OTHER, well, "taille attendue")):
        with serving(content, behaviour) as server:
            world = _World(tmp_path, server.url)
            with pytest.raises(BadFileError, match=said):
                world.install()
        assert world.left == []


def test_a_stop_while_the_whole_file_is_checked_fetches_nothing_again(tmp_path: Path) -> None:
    cancel = CancelToken()

    def stop(progress: Progress) -> None:
        if progress.stage == "Vérification":
            cancel.cancel()

    # Two reads of a megabyte at least: the stop comes between them.
    big = gguf(data=2_500_000)
    with serving(big) as server:
        world = _World(tmp_path, server.url)
        manifest = tmp_path / "manifest.toml"
        text = manifest.read_text("utf-8").replace(_DIGEST, hashlib.sha256(big).hexdigest())
        manifest.write_text(text.replace(f"= {len(_WEIGHTS)}", f"= {len(big)}"), encoding="utf-8")
        world.library = _reread(world, manifest)
        with pytest.raises(Cancelled):
            world.install(progress=stop, cancel=cancel)
        assert world.library.model("moyen").held_bytes == len(big)
        world.install()
    assert len(server.asked) == 1
    assert world.left == ["moyen.gguf"]


def _reread(world: _World, manifest: Path) -> ModelLibrary:
    tools = world.library._tools
    return ModelLibrary(manifest, world.home, manifest.with_name("sha256.json"), tools)


def test_a_file_of_the_web_needs_consent_and_is_named_after_its_address(tmp_path: Path) -> None:
    with serving(_OTHER) as server:
        world = _World(tmp_path, "https://example.org/moyen")
        url = _at(server, "un%20dossier/Qwen%20Essai.gguf?download=true")
        asked: list[UnknownFile] = []

        def refuse(file: UnknownFile) -> None:
            asked.append(file)

        with pytest.raises(UserError, match="n’a pas été accepté"):
            world.take(url, accept=refuse)
        assert world.left == []
        assert asked[0].sha256 == hashlib.sha256(_OTHER).hexdigest()
        assert asked[0].licence == "mit"
        assert world.take(url, digest=asked[0].sha256.upper()) == "qwen-essai"
    assert world.library.model("qwen-essai").card.family is ModelFamily.QWEN
    assert not [name for name in world.left if name.startswith(".")]


def test_a_file_of_the_web_with_another_digest_is_not_kept(tmp_path: Path) -> None:
    with serving(_OTHER) as server:
        world = _World(tmp_path, "https://example.org/moyen")
        with pytest.raises(BadFileError, match="SHA-256 différent"):
            world.take(server.url, digest="ab" * 32)
    assert world.left == []


def test_a_file_that_does_not_say_how_it_converses_is_not_fetched_twice(tmp_path: Path) -> None:
    def unsure(file: UnknownFile) -> None:
        assert file.family is None
        raise UserError("quel format ?")

    with serving(gguf({**VALUES, "general.name": "Autre"})) as server:
        world = _World(tmp_path, "https://example.org/moyen")
        with pytest.raises(UserError, match="quel format"):
            world.take(server.url, accept=unsure)
        assert world.take(server.url, accept=lambda _file: ModelFamily.LLAMA3) == "model"
    assert len(server.asked) == 1
    assert len([name for name in world.left if name.endswith(".gguf")]) == 1


def test_a_broken_file_of_the_web_is_not_kept(tmp_path: Path) -> None:
    with serving(gguf(version=99)) as server:
        world = _World(tmp_path, "https://example.org/moyen")
        with pytest.raises(BadFileError, match="version de GGUF"):
            world.take(server.url)
    assert world.left == []


@pytest.mark.parametrize("path", ["", "..%2F..%2Fevil", ".gguf", "é" * 400, "a\\..\\b", "%00.gguf"])
def test_no_address_leads_out_of_the_folder(tmp_path: Path, path: str) -> None:
    with serving(_OTHER) as server:
        world = _World(tmp_path, "https://example.org/moyen")
        name = world.take(_at(server, path))
        found = world.library.model(name)
    assert found.path
    assert found.path.parent == world.home
    assert sorted(p.name for p in tmp_path.iterdir()) == ["home", "manifest.toml", "sha256.json"]


@pytest.mark.parametrize(
    ("memory", "name"),
    [(3_900_000_000, None), (4_000_000_000, "moyen"), (8_000_000_001, "moyen"),
     (8_100_000_000, "grand")],
)  # fmt: skip
def test_the_strongest_model_that_fits_in_half_the_memory_is_recommended(
    tmp_path: Path, memory: int, name: str | None
) -> None:
    advised = _World(tmp_path, "https://example.org/m", memory=memory).library.recommended()
    assert (advised.name if advised else None) == name
