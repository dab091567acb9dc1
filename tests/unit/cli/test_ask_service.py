"""An answer is given whatever happens to the log, and says what the index left out."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from fakes import clinic
from fakes.memory_index import MemoryIndex, passage
from fakes.scripted_model import Scripted

from ancremed_desktop import app
from ancremed_desktop.domain.answers import Answer, AnswerStatus, ModelSection, ModelWay
from ancremed_desktop.domain.models import CompletionRequest
from ancremed_desktop.errors import AncremedError, IndexFileError, MachineError
from ancremed_desktop.pipeline.generate import ExtractiveGenerator
from ancremed_desktop.pipeline.lexicon import load_lexicon
from ancremed_desktop.pipeline.model_answer import Assistants
from ancremed_desktop.pipeline.rules.rule_verifier import RuleVerifier
from ancremed_desktop.pipeline.run import Engine
from ancremed_desktop.ports import QueryLogRow
from ancremed_desktop.services.approval import Approve
from ancremed_desktop.services.ask import AskService, altered_warning
from ancremed_desktop.settings import paths


class _Log:
    def __init__(self, error: AncremedError | None = None) -> None:
        self.error = error
        self.kept: list[QueryLogRow] = []

    def append(self, row: QueryLogRow) -> None:
        if self.error:
            raise self.error
        self.kept.append(row)

    def rows(self, limit: int = 1000) -> tuple[QueryLogRow, ...]:
        return tuple(self.kept[:limit])


class _Altered(MemoryIndex):
    altered_passages = 2


def _engine(index: MemoryIndex) -> Engine:
    lexicon = load_lexicon(paths.RESOURCES / "lexicons")
    return Engine(
        index=index,
        lexicon=lexicon,
        generator=ExtractiveGenerator(lexicon.sections, lambda _text: False),
        verifier=RuleVerifier(),
        calculate=lambda _text: (),
    )


def _index(kind: type[MemoryIndex] = MemoryIndex) -> MemoryIndex:
    return kind(
        [passage("E-1", "Fièvre", "définition", "La fièvre est une hausse de température.")]
    )


@pytest.mark.parametrize("error", [MachineError("disque plein."), IndexFileError("trop récent.")])
def test_a_log_that_cannot_be_written_costs_no_answer(
    error: AncremedError, caplog: pytest.LogCaptureFixture
) -> None:
    service = AskService(_engine(_index()), _Log(error))
    for _ in range(2):
        assert service.ask("Définition de la fièvre ?").question.text == "Définition de la fièvre ?"
    assert [(r.levelno, r.getMessage()) for r in caplog.records] == [
        (logging.WARNING, f"La question n’a pas été inscrite au journal. {error}")
    ]


class _Given:
    """Helpers that are always there."""

    problem = ""

    def __init__(self, assistants: Assistants) -> None:
        self._assistants = assistants

    def current(self, approve: Approve | None = None) -> Assistants:
        return self._assistants


def test_getting_ready_reads_the_index_and_records_nothing() -> None:
    log = _Log(MachineError("rien ne devait être écrit"))
    index = _index()
    AskService(_engine(index), log).prepare()
    assert index.requests
    assert log.kept == []


def test_the_extracts_are_shown_before_a_model_is_asked() -> None:
    asked: list[int] = []
    shown: list[Answer] = []

    def choose(_request: CompletionRequest) -> object:
        asked.append(len(shown))
        return {"phrases": [2, 1]}

    model = Scripted(select=[choose])
    log = _Log()
    service = AskService(
        clinic.engine(), log,
        assistants=_Given(Assistants(prompts=clinic.prompts(), selector=model)),
    )  # fmt: skip
    final = service.ask("Signes de la fibrillation atriale ?", on_answer=shown.append)
    assert asked == [1]
    assert final.spans == shown[0].spans[::-1]
    assert (shown[0].models, shown[0].model_sections) == ((), ())
    assert final.model_sections == (
        ModelSection(section="signes", way=ModelWay.SELECT, model="essai:scripté"),
    )
    assert [row.estimated_cost_usd for row in log.kept] == [0.25]


def test_models_and_gemini_are_shared_by_all_that_is_opened() -> None:
    """An index opened again must not load a model twice, nor forget what left."""
    box = app.toolbox()
    first, second = box.ask(None), box.ask(None)
    assert first is not second
    assert first._assistants is second._assistants
    assert box.online() is box.online()


def test_without_a_model_nothing_is_shown_twice() -> None:
    service = AskService(clinic.engine(), _Log())
    shown: list[Answer] = []
    answer = service.ask("Signes de la fibrillation atriale ?", on_answer=shown.append)
    assert answer.models == ()
    assert shown == []


def test_preferences_that_cannot_be_read_keep_no_question() -> None:
    def fail() -> bool:
        raise MachineError("dossier inutilisable.")

    log = _Log()
    assert AskService(_engine(_index()), log, keep_question=fail).ask("La fièvre ?").index
    assert log.kept == []


def test_altered_passages_are_in_the_answer() -> None:
    answer = AskService(_engine(_index(_Altered)), _Log()).ask("Définition de la fièvre ?")
    assert answer.warning == (
        "2 passages altérés de l’index ont été écartés : lancez « library check »."
    )
    assert AskService(_engine(_index()), _Log()).ask("La fièvre ?").warning == ""
    one = _index(_Altered)
    one.altered_passages = 1  # type: ignore[attr-defined]
    assert altered_warning(one).startswith("1 passage altéré de l’index a été écarté")


@pytest.mark.parametrize(
    ("variable", "folder"),
    [
        ("ANCREMED_DATA_DIR", paths.data_dir),
        ("ANCREMED_CONFIG_DIR", paths.config_dir),
        ("ANCREMED_CACHE_DIR", paths.cache_dir),
    ],
)
def test_a_folder_that_cannot_be_one_is_said(
    variable: str, folder: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert callable(folder)
    (tmp_path / "fichier").touch()
    for place in ("fichier", "fichier/sous-dossier", "x" * 300):
        monkeypatch.setenv(variable, str(tmp_path / place))
        with pytest.raises(MachineError, match=variable):
            folder()
    monkeypatch.setenv(variable, str(tmp_path / "a" / "b"))
    assert folder() == tmp_path / "a" / "b"
    assert (tmp_path / "a" / "b").is_dir()


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("femme 82 ans 55 kg créat 130", "cockcroft_gault"),
        ("PAS 95 FR 24 Glasgow 14", "qsofa"),
        ("1m68 70 kg", "imc"),
    ],
)
def test_values_alone_are_a_calculation(question: str, expected: str) -> None:
    answer = app.toolbox().ask(None).ask(question)
    assert answer.status is AnswerStatus.ANSWER
    assert [c.formula_id for c in answer.calculations] == [expected]
    cited = {s.title for s in answer.sources}
    assert cited <= {c.name for c in answer.calculations}


@pytest.mark.parametrize("question", ["le colis fait 20 kg et 30 cm", "un train à 300 km/h"])
def test_values_of_no_formula_give_nothing(question: str) -> None:
    answer = app.toolbox().ask(None).ask(question)
    assert answer.status is not AnswerStatus.ANSWER
    assert (answer.calculations, answer.sources) == ((), ())
