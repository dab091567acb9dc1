"""``models qualify`` and ``models use``: figures first, then and only then a model is on."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes import clinic
from fakes.gguf_files import VALUES, gguf
from fakes.scripted_model import Scripted

from ancremed_desktop.cli import main
from ancremed_desktop.domain.events import CancelToken, ProgressCallback
from ancremed_desktop.errors import ModelTimeoutError
from ancremed_desktop.evaluation.gate import read_cases
from ancremed_desktop.evaluation.qualify import most_calls, qualify, shipped_material
from ancremed_desktop.ports import LanguageModel
from ancremed_desktop.providers import download
from ancremed_desktop.providers.llama_cpp.gguf import read_header
from ancremed_desktop.providers.options import ModelOptions
from ancremed_desktop.services.library import LibraryService
from ancremed_desktop.services.model_desk import ModelDesk
from ancremed_desktop.services.model_tools import ModelTools
from ancremed_desktop.services.models import ModelLibrary
from ancremed_desktop.services.online import OnlineModel
from ancremed_desktop.services.qualification import (
    CRITERIA,
    Measure,
    Qualification,
    QualificationStore,
)
from ancremed_desktop.services.toolbox import Toolbox
from ancremed_desktop.settings import paths
from ancremed_desktop.settings.preferences import PreferenceStore
from ancremed_desktop.settings.secrets import KeyStore

_LATE = ModelTimeoutError("trop lent")
CASES = paths.RESOURCES / "qualification" / "gate" / "test.jsonl"


def _measure(
    model: LanguageModel,
    *,
    limit: int,
    cases: Path | None,
    progress: ProgressCallback,
    cancel: CancelToken,
) -> Qualification:
    own = read_cases(cases) if cases else ()
    material = shipped_material(clinic.index(), cases=own, limit=limit)
    return qualify(model, material, progress=progress, cancel=cancel)


@pytest.fixture
def toolbox(tmp_path: Path) -> Toolbox:
    def open_model(_provider: str, options: ModelOptions) -> LanguageModel:
        asked = Scripted(planner=[_LATE], select=[_LATE], write=[_LATE], verify=[_LATE])
        asked.identity = options.identity or options.model
        return asked

    tools = ModelTools(
        read_header=read_header,
        fetch=lambda *_args, **_options: pytest.fail("not asked"),
        open_model=open_model,
        downloads=download,
        engine_installed=lambda: True,
        install_engine=lambda *_args: pytest.fail("not asked"),
        memory_bytes=lambda: 8_000_000_000,
    )

    def library() -> ModelLibrary:
        return ModelLibrary(
            paths.MODELS / "manifest.toml",
            paths.models_dir(),
            paths.cache_dir() / "sha256.json",
            tools,
        )

    def online() -> OnlineModel:
        return OnlineModel(KeyStore(lambda: None), PreferenceStore(), open_model)

    made = Toolbox(
        open_index=lambda _path: clinic.index(),
        ask=lambda path, *, hybrid=None, own=None: pytest.fail("not asked"),
        embed=lambda path, silos, *, progress, cancel: pytest.fail("not asked"),
        calculator=lambda: pytest.fail("not asked"),
        library=LibraryService(readers={}, writer=lambda _out: pytest.fail("not built")),
        models=library,
        online=online,
        desk=lambda: ModelDesk(
            library,
            online,
            clinic.prompts,
            QualificationStore(paths.qualifications()),
            _measure,
            most_calls,
            lambda: None,
        ),
        kept_questions=tuple,
        forget_questions=lambda: None,
        starter_folder=Path(),
    )
    file = tmp_path / "essai.gguf"
    file.write_bytes(gguf(VALUES))
    command = ["models", "import", str(file), "--family", "llama3", "--accept-unknown"]
    assert main.run(command, made) == 0
    return made


def _out(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out.replace("\u00a0", " ")


def test_a_model_is_measured_refused_and_its_figures_are_kept(
    toolbox: Toolbox, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.run(["models", "use", "essai"], toolbox) == 2
    assert "models qualify essai" in capsys.readouterr().err
    command = ["models", "qualify", "essai", "--limit", "2", "--cases", str(CASES)]
    assert main.run(command, toolbox) == 0
    out = _out(capsys)
    assert out.count("refusé") == 5
    assert "affirmations justes admises : 0/2" in out
    assert main.run(["models", "use", "essai"], toolbox) == 2
    assert "affirmations justes admises\u00a0: 0/2" in capsys.readouterr().err
    assert PreferenceStore().current.model_roles == ()


def test_a_model_that_earned_something_is_turned_on_and_off(
    toolbox: Toolbox, capsys: pytest.CaptureFixture[str]
) -> None:
    made = Qualification(
        model="essai:scripté", identity=toolbox.models().model("essai").card.sha256, prompts=clinic.prompts().identity,
        date="2026-11-30", measures=tuple(
            Measure(key=c.key, right=60, total=60, low=0.94, high=1.0)
            for c in CRITERIA if c.key.startswith("verify")
        ),
    )  # fmt: skip
    QualificationStore(paths.qualifications()).keep(made)
    assert main.run(["models", "use", "essai"], toolbox) == 0
    assert "« essai » sert à : vérifier des affirmations." in _out(capsys)
    assert PreferenceStore().current.model_roles == ("verify=essai",)
    assert main.run(["models", "use"], toolbox) == 0
    assert "« essai » sert à : vérifier" in _out(capsys)
    assert main.run(["models", "use", "essai", "--role", "plan"], toolbox) == 2
    assert "n’est pas qualifié pour planifier" in capsys.readouterr().err
    assert PreferenceStore().current.model_roles == ("verify=essai",)
    assert main.run(["models", "use", "aucun"], toolbox) == 0
    assert PreferenceStore().current.model_roles == ()
    assert main.run(["models", "use"], toolbox) == 0
    assert "sans modèle" in _out(capsys).splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["qualify", "inconnu"], "Modèle inconnu"),
        (["qualify", "essai", "--limit", "-1"], "nombre positif"),
        (["qualify", "essai", "--cases", "/nulle/part.jsonl"], "illisible"),
        (["use", "inconnu"], "Modèle inconnu"),
    ],
)
def test_a_bad_request_is_one_french_line(
    arguments: list[str], said: str, toolbox: Toolbox, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.run(["models", *arguments], toolbox) in {2, 3}
    assert said in capsys.readouterr().err


def test_the_online_model_is_qualified_under_its_own_name(
    toolbox: Toolbox, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["models", "qualify", "gemini", "--limit", "1", "--cases", str(CASES)]
    assert main.run(command, toolbox) == 0
    assert "trop lentes : " in _out(capsys)
    assert main.run(["models", "use", "gemini"], toolbox) == 2
