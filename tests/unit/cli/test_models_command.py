"""``models`` on the command line: says what is there, what is missing and what to do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from contract.cases import TenLines
from fakes.file_server import serving, without_proxy
from fakes.gguf_files import VALUES, gguf

from ancremed_desktop.cli import main
from ancremed_desktop.domain.events import CancelToken, ProgressCallback
from ancremed_desktop.errors import BadFileError, MachineError, UserError
from ancremed_desktop.providers import download
from ancremed_desktop.providers.llama_cpp.gguf import read_header
from ancremed_desktop.services.library import LibraryService
from ancremed_desktop.services.model_tools import ModelTools
from ancremed_desktop.services.models import ModelLibrary
from ancremed_desktop.services.toolbox import Toolbox
from ancremed_desktop.settings import paths


def _no_network(requirement: str, member: str, target: Path, **_options: object) -> None:
    raise MachineError("Téléchargement : échec. Vérifiez le réseau.")


def _engine(_compiling: bool, _progress: ProgressCallback, _cancel: CancelToken) -> None:
    raise MachineError("Compilation : échec.")


@pytest.fixture
def toolbox() -> Toolbox:
    tools = ModelTools(
        read_header=read_header,
        fetch=_no_network,
        open_model=lambda _provider, _options: TenLines(),
        downloads=download,
        engine_installed=lambda: False,
        install_engine=_engine,
        memory_bytes=lambda: 8_000_000_000,
    )
    return Toolbox(
        open_index=lambda _path: pytest.fail("not asked"),
        ask=lambda path, *, hybrid=None, own=None: pytest.fail("not asked"),
        embed=lambda path, silos, *, progress, cancel: pytest.fail("not asked"),
        calculator=lambda: pytest.fail("not asked"),
        library=LibraryService(readers={}, writer=lambda _out: pytest.fail("not built")),
        models=lambda: ModelLibrary(
            paths.MODELS / "manifest.toml",
            paths.models_dir(),
            paths.cache_dir() / "sha256.json",
            tools,
        ),
        online=lambda: pytest.fail("not asked"),
        desk=lambda: pytest.fail("not asked"),
        kept_questions=tuple,
        forget_questions=lambda: None,
        starter_folder=Path(),
    )


def test_the_list_says_that_the_engine_is_absent(
    toolbox: Toolbox, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.run(["models", "list"], toolbox) == 0
    out = capsys.readouterr().out
    assert "absent (main.py models setup)" in out
    assert "98 Mo (mémoire\u00a0: 480 Mo), Apache-2.0" in out
    assert "Mémoire de cet ordinateur\u00a0: 8,0 Go." in out
    assert "main.py models setup qwen3-4b" in out


def test_what_is_recommended_comes_first_with_why_and_the_toy_last(
    toolbox: Toolbox, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.run(["models", "list"], toolbox) == 0
    out = capsys.readouterr().out.replace("\u00a0", " ")
    heads = [line for line in out.splitlines() if ", Apache-2.0" in line]
    assert [head.partition(" ")[0] for head in heads] == [
        "qwen3-4b", "qwen2.5-1.5b", "smollm3-3b", "smollm2-135m",
    ]  # fmt: skip
    assert heads[-1].startswith("smollm2-135m (très petit, pour essayer) : ")
    assert out.count("Jamais essayé par nous") == 3
    first = out.partition("qwen3-4b : ")[2].splitlines()[1:4]
    assert [line.strip()[:14] for line in first] == [
        "Recommandé pou", "Le plus fort d", "Jamais essayé ",
    ]  # fmt: skip


def test_a_wrong_choice_is_told_those_there_are(
    toolbox: Toolbox, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in (["import", "x.gguf", "--family", "y"], ["use", "x", "--role", "y"]):
        with pytest.raises(SystemExit):
            main.run(["models", *command], toolbox)
        said = capsys.readouterr().err.replace("\u00a0", " ")
        assert "choix inconnu : « y » (choix possibles : " in said
        assert "<" not in said.rpartition("choix possibles")[2]


def test_a_model_says_whose_its_figures_are(
    toolbox: Toolbox, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.run(["models", "info", "qwen3-4b"], toolbox) == 0
    out = capsys.readouterr().out
    assert "Publié       : Questions d’examen" in out.replace("\u00a0", " ")
    assert "Chiffres de Hugging Face" in out
    assert "Mesuré       : Jamais essayé par nous" in out.replace("\u00a0", " ")
    assert "Licence      : Apache-2.0" in out.replace("\u00a0", " ")


@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.parametrize("action", ["install", "download"])
def test_an_unknown_address_is_fetched_only_with_consent(
    toolbox: Toolbox,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    action: str,
) -> None:
    without_proxy(monkeypatch)
    with serving(gguf()) as server:
        command = ["models", action, server.url, "--family", "llama3"]
        assert main.run(command, toolbox) == UserError.exit_code
        assert "--accept-unknown" in capsys.readouterr().err
        assert server.asked == []
        command += ["--accept-unknown"]
        assert main.run([*command, "--sha256", "ab" * 32], toolbox) == BadFileError.exit_code
        assert main.run(command, toolbox) == 0
    captured = capsys.readouterr()
    assert "Modèle «\u00a0model\u00a0» installé" in captured.out
    assert "Téléchargement" in captured.err
    assert main.run(["models", "info", "model"], toolbox) == 0
    assert "llama3" in capsys.readouterr().out


def test_an_interrupted_download_is_listed(
    toolbox: Toolbox, capsys: pytest.CaptureFixture[str]
) -> None:
    card = toolbox.models().model("qwen3-4b").card
    landing = toolbox.models()._landing(card.url, card.file)
    with landing.with_name(f"{landing.name}.part").open("wb") as part:
        part.truncate(card.file_bytes // 4)  # sparse: it takes no room
    assert main.run(["models", "list"], toolbox) == 0
    assert "qwen3-4b\u00a0: interrompu à 25\u00a0%" in capsys.readouterr().out
    assert main.run(["models", "remove", "qwen3-4b"], toolbox) == 0
    assert not [p for p in paths.models_dir().iterdir() if p.suffix != ".lock"]


def test_a_wrong_name_is_said_before_anything_is_compiled(
    toolbox: Toolbox, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.run(["models", "setup", "qwen9"], toolbox) == UserError.exit_code
    assert "Modèles connus" in capsys.readouterr().err


def test_the_list_and_a_model_are_given_as_json(
    toolbox: Toolbox, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.run(["models", "list", "--json"], toolbox) == 0
    listed = json.loads(capsys.readouterr().out)
    assert listed["engine_installed"] is False
    assert main.run(["models", "info", listed["bundled"], "--json"], toolbox) == 0
    assert json.loads(capsys.readouterr().out) in listed["models"]


@pytest.mark.parametrize("action", ["setup", "install"])
def test_no_network_is_one_french_line(
    toolbox: Toolbox, capsys: pytest.CaptureFixture[str], action: str
) -> None:
    assert main.run(["models", action], toolbox) == MachineError.exit_code
    assert capsys.readouterr().err.splitlines()[-1].startswith("Erreur\u00a0: ")
    assert not [p for p in paths.models_dir().iterdir() if p.suffix != ".lock"]


def test_a_file_is_imported_described_and_removed(
    toolbox: Toolbox, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "essai.gguf"
    file.write_bytes(gguf({**VALUES, "general.license": "mit"}))
    command = ["models", "import", str(file), "--family", "llama3"]
    assert main.run(command, toolbox) == 2
    assert "--accept-unknown" in capsys.readouterr().err
    assert main.run([*command, "--accept-unknown"], toolbox) == 0
    assert main.run(["models", "info", "essai"], toolbox) == 0
    assert "Licence      : mit" in capsys.readouterr().out
    assert main.run(["models", "remove", "essai"], toolbox) == 0
    assert main.run(["models", "info", "essai"], toolbox) == 2
