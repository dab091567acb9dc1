"""Composition root: the only module that knows the adapters."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib import import_module
from pathlib import Path

from ancremed_desktop.cli.output import prepare_streams
from ancremed_desktop.domain.documents import CorpusItem
from ancremed_desktop.domain.events import CancelToken, ProgressCallback, ignore_progress
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.formulas.bank import load_bank
from ancremed_desktop.formulas.passages import clinical_formula_rows, formula_passages
from ancremed_desktop.index.integrity import made_of
from ancremed_desktop.index.reader import SqlitePassageIndex
from ancremed_desktop.index.user_store import UserStore
from ancremed_desktop.index.vector_writer import VectorWriter
from ancremed_desktop.index.vectors import StoredVectors
from ancremed_desktop.index.writer import IndexWriter, upgrade_old
from ancremed_desktop.pipeline.french_words import everyday_words
from ancremed_desktop.pipeline.generate import ExtractiveGenerator
from ancremed_desktop.pipeline.lexicon import PlanningLexicon, load_lexicon
from ancremed_desktop.pipeline.prompts import Prompts, load_prompts
from ancremed_desktop.pipeline.rules.rule_verifier import RuleVerifier
from ancremed_desktop.pipeline.run import Engine
from ancremed_desktop.ports import CorpusReader, LanguageModel
from ancremed_desktop.providers.options import ModelOptions
from ancremed_desktop.providers.universal_encoder import UniversalEncoder
from ancremed_desktop.services.ask import AskService
from ancremed_desktop.services.assistants import AssistantSource
from ancremed_desktop.services.calculator import CalculatorService
from ancremed_desktop.services.library import LibraryService
from ancremed_desktop.services.meaning import Embedded, MeaningSwitch, embed_index
from ancremed_desktop.services.model_desk import ModelDesk
from ancremed_desktop.services.model_tools import ModelTools
from ancremed_desktop.services.models import ModelLibrary
from ancremed_desktop.services.online import OnlineModel
from ancremed_desktop.services.qualification import Qualification, QualificationStore
from ancremed_desktop.services.roles import chosen_roles
from ancremed_desktop.services.toolbox import Toolbox
from ancremed_desktop.settings import paths
from ancremed_desktop.settings.preferences import PreferenceStore
from ancremed_desktop.settings.secrets import KeyStore
from ancremed_desktop.text import lexicon_files
from ancremed_desktop.text.words import words

_SQL = paths.RESOURCES / "sql"
_STARTER = paths.RESOURCES / "corpus"
_KINDS = ("cards", "bdpm", "has", "edn", "ansm", "local", "rcp", "terminologies")
"""Packages of ``corpus`` that read a folder of sources, in the order they are offered."""

SAMPLE_QUESTION = "Que faire devant un choc anaphylactique ?"


def main() -> int:
    """Run the command line, or the window when there is no argument. Returns the exit code.

    Without a display the sample question is answered in the terminal instead.
    """
    prepare_streams()
    arguments = sys.argv[1:]
    if not arguments and _has_display():
        # Imported here: the command line must start without Qt.
        from ancremed_desktop.gui.start import run_window

        return run_window(toolbox(), sys.argv)
    if not arguments:
        print("Aucun écran disponible : la réponse s’affiche dans le terminal.")  # noqa: T201
        print(f"Question d’exemple : {SAMPLE_QUESTION}\n")  # noqa: T201 - the terminal is the screen
        arguments = ["ask", SAMPLE_QUESTION]
    from ancremed_desktop.cli import main as cli  # the window needs none of it

    return cli.run(arguments, toolbox())


def _has_display() -> bool:
    if sys.platform != "linux":
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def toolbox() -> Toolbox:
    """Everything the window and the command line work with."""
    online = cache(online_model)
    assistants = cache(lambda: _assistants(online))  # models stay open when the index is reopened
    return Toolbox(
        open_index=_open_index,
        ask=partial(_ask, assistants=assistants),
        embed=_embed,
        calculator=_calculator,
        library=_library(),
        models=model_library,
        online=online,
        desk=lambda: _desk(online, lambda: assistants().close()),
        kept_questions=lambda: UserStore(paths.user_store(), _SQL).questions(),
        forget_questions=lambda: UserStore(paths.user_store(), _SQL).forget_questions(),
        starter_folder=_STARTER,
    )


def _library() -> LibraryService:
    return LibraryService(
        readers={kind: _reader(kind) for kind in _KINDS},
        writer=lambda out: IndexWriter(out, _SQL),
        own_documents=lambda: formula_passages(load_bank(paths.RESOURCES / "formulas")),
        formulas=lambda: clinical_formula_rows(load_bank(paths.RESOURCES / "formulas")),
        own_files=paths.RESOURCES / "formulas",
    )


def _reader(kind: str) -> CorpusReader:
    """The reader of ``corpus/<kind>``, loaded when it first reads: the window opens without it."""

    def read(folder: Path, progress: ProgressCallback, cancel: CancelToken) -> Iterator[CorpusItem]:
        module = import_module(f"ancremed_desktop.corpus.{kind}.read")
        reader: CorpusReader = getattr(module, f"read_{kind}")
        return reader(folder, progress, cancel)

    return read


def _open_index(path: Path | None, *, own: bool | None = None) -> SqlitePassageIndex:
    """``own``: with the user's documents; ``None``: beside the shipped index only."""
    first = path or _starter_index()
    user = paths.user_index()
    wanted = path is None if own is None else own
    if not wanted or not user.exists() or os.path.realpath(user) == os.path.realpath(first):
        return SqlitePassageIndex([first])
    upgrade_old(user, _SQL)
    return SqlitePassageIndex([first, user])


def _starter_index() -> Path:
    """The file that came with the application, or else the same made once in the cache.

    Nothing is written where the application lies: it may be read-only (docs/decisions/0005).
    """
    shipped = paths.shipped_index()
    library, folders = _library(), {"cards": _STARTER}
    if shipped != paths.SHIPPED_INDEX or library.is_made_of(shipped, folders):
        return shipped  # one that the user names is what the user wants
    cached = paths.cache_dir() / shipped.name
    if not library.is_made_of(cached, folders):
        if not made_of(cached):
            cached.unlink(missing_ok=True)  # damaged: it can be made again
        paths.cache_dir(to_write=True)
        library.build(folders, cached, progress=ignore_progress, cancel=CancelToken())
    return cached


def _ask(
    path: Path | None,
    *,
    hybrid: bool | None = None,
    own: bool | None = None,
    assistants: Callable[[], AssistantSource],
) -> AskService:
    index = _open_index(path, own=own)
    lexicon = load_lexicon(paths.RESOURCES / "lexicons")
    # Read now: a greeting, or a word of it that the corpus lacks, must not wait for them.
    everyday_words()
    lexicon_files.load_lexicon(paths.RESOURCES / "lexicons")
    engine = Engine(
        index=index,
        lexicon=lexicon,
        generator=ExtractiveGenerator(
            lexicon.sections,
            lambda text: _names_drug(index, lexicon, text),
            lambda key: index.source(key).names,
        ),
        verifier=RuleVerifier(),
        calculate=_calculator().read_question,
    )
    meaning = MeaningSwitch(
        wanted=lambda: PreferenceStore().current.search_by_meaning if hybrid is None else hybrid,
        embedder=UniversalEncoder,
        vectors=lambda: StoredVectors(index.paths, index),
    )
    if hybrid:
        meaning.demanded()
    return AskService(
        engine,
        UserStore(paths.user_store(), _SQL),
        keep_question=lambda: PreferenceStore().current.keep_questions,
        assistants=assistants(),
        meaning=meaning,
    )


def _assistants(online: Callable[[], OnlineModel]) -> AssistantSource:
    return AssistantSource(
        _prompts(),
        QualificationStore(paths.qualifications()),
        lambda: chosen_roles(PreferenceStore().current),
        lambda name: model_library().open(name),
        lambda approve: online().for_question(approve),
    )


def _prompts() -> Prompts:
    return load_prompts(paths.RESOURCES / "prompts")


def _desk(online: Callable[[], OnlineModel], release: Callable[[], None]) -> ModelDesk:
    return ModelDesk(
        model_library,
        online,
        _prompts,
        QualificationStore(paths.qualifications()),
        _measure,
        _most_calls,
        release,
    )


def _most_calls(limit: int) -> int:
    from ancremed_desktop.evaluation.qualify import most_calls

    return most_calls(limit)


def _measure(
    model: LanguageModel,
    *,
    limit: int,
    cases: Path | None,
    progress: ProgressCallback,
    cancel: CancelToken,
) -> Qualification:
    """A model measured on the cases that come with the application."""
    # Imported here: only qualification needs it.
    from ancremed_desktop.evaluation.gate import read_cases
    from ancremed_desktop.evaluation.qualify import qualify, shipped_material

    own = read_cases(cases) if cases else ()
    index = _open_index(None)
    try:
        material = shipped_material(index, cases=own, limit=limit)
        return qualify(model, material, progress=progress, cancel=cancel)
    finally:
        index.close()


def _embed(
    path: Path, silos: tuple[Silo, ...], *, progress: ProgressCallback, cancel: CancelToken
) -> Embedded:
    encoder = UniversalEncoder()
    return embed_index(
        lambda name: VectorWriter(path, name), encoder, silos, progress=progress, cancel=cancel
    )


def _names_drug(index: SqlitePassageIndex, lexicon: PlanningLexicon, text: str) -> bool:
    if not lexicon.drug_names.isdisjoint(words(text)):
        return True
    found = index.mentions(text)
    # The title of a source is a name too, which hides the drug in it.
    titles = [text[m.start : m.end] for m in found if m.kind == "title"]
    inside = (m for title in titles for word in words(title) for m in index.mentions(word))
    return any(m.is_drug_or_class for m in (*found, *inside))


def model_library() -> ModelLibrary:
    """Local models of this machine. Raises: BadFileError, MachineError."""
    # Imported here: most questions are answered without a model.
    from ancremed_desktop.providers import download
    from ancremed_desktop.providers.llama_cpp.gguf import read_header
    from ancremed_desktop.providers.llama_cpp.machine import total_memory_bytes
    from ancremed_desktop.providers.llama_cpp.model import is_installed
    from ancremed_desktop.providers.packages import fetch_member, install_engine
    from ancremed_desktop.providers.registry import open_model

    return ModelLibrary(
        paths.MODELS / "manifest.toml",
        paths.models_dir(),
        paths.cache_dir() / "sha256.json",
        ModelTools(
            read_header=read_header,
            fetch=fetch_member,
            downloads=download,
            open_model=open_model,
            engine_installed=is_installed,
            install_engine=lambda compiling, progress, cancel: install_engine(
                paths.ROOT / "requirements-models.txt",
                paths.wheels_dir(),
                compiling=compiling,
                progress=progress,
                cancel=cancel,
            ),
            memory_bytes=total_memory_bytes,
        ),
    )


def online_model() -> OnlineModel:
    """Gemini, if the user wants it; nothing is asked of key store or network yet."""

    def open_model(provider: str, options: ModelOptions) -> LanguageModel:
        from ancremed_desktop.providers import registry  # at the first request only

        return registry.open_model(provider, options)

    return OnlineModel(_keys(), PreferenceStore(), open_model)


@cache
def _keys() -> KeyStore:
    """One for the process: a machine without key store keeps the key in its memory."""
    return KeyStore()


def _calculator() -> CalculatorService:
    return CalculatorService(load_bank(paths.RESOURCES / "formulas"))
