"""A desk of models over made-up files, whose measures are told in advance."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from pathlib import Path

from contract.cases import TenLines
from fakes import clinic, qualified
from fakes.gguf_files import VALUES, gguf

from ancremed_desktop.domain.events import CancelToken, Progress, ProgressCallback
from ancremed_desktop.domain.models import Ability
from ancremed_desktop.ports import LanguageModel
from ancremed_desktop.providers.llama_cpp.gguf import read_header
from ancremed_desktop.providers.options import ModelOptions
from ancremed_desktop.services.model_desk import ModelDesk
from ancremed_desktop.services.model_tools import ModelTools
from ancremed_desktop.services.models import ModelLibrary
from ancremed_desktop.services.online import OnlineModel
from ancremed_desktop.services.qualification import Qualification, QualificationStore
from ancremed_desktop.settings import paths

BUNDLED = "smollm2-135m"
LISTED = "moyen"
_WEIGHTS = gguf()
_MANIFEST = f"""
bundled = "{BUNDLED}"
[[models]]
name = "{BUNDLED}"
file = "petit.gguf"
sha256 = "{hashlib.sha256(_WEIGHTS).hexdigest()}"
file_bytes = 98362432
memory_bytes = 480000000
licence = "Apache-2.0"
family = "chatml"
context_tokens = 4096
package = "petit==1.0"
member = "petit/petit.gguf"
note = "Très petit modèle."
[[models]]
name = "{LISTED}"
file = "{LISTED}.gguf"
sha256 = "{hashlib.sha256(_WEIGHTS).hexdigest()}"
file_bytes = 1117320736
memory_bytes = 1503196704
licence = "Apache-2.0"
family = "qwen"
context_tokens = 4096
url = "https://exemple.invalid/moyen.gguf"
why = "Le plus léger des modèles multilingues, pour un ordinateur de 4 Go."
published = "Le français est l’une de ses langues, selon son auteur."
[[models]]
name = "énorme"
file = "enorme.gguf"
sha256 = "{"0" * 64}"
file_bytes = 90000000000
memory_bytes = 99000000000
licence = "Apache-2.0"
family = "qwen"
context_tokens = 4096
url = "https://exemple.invalid/enorme.gguf"
why = "Pour un très grand ordinateur."
"""


class Shop:
    """What a ``ModelDesk`` is given; ``earns``: what the next qualification finds.

    ``gate``: while set, downloads and measures wait for it (or for the stop) at each step.
    """

    def __init__(self, online: Callable[[], OnlineModel]) -> None:
        self.engine = True
        self.held = 0
        self.earns: frozenset[Ability] = frozenset()
        self.fault: Exception | None = None
        self.gate: threading.Event | None = None
        self.limits: list[int] = []
        self.done: list[str] = []
        self.desk = ModelDesk(
            self._library,
            online,
            clinic.prompts,
            QualificationStore(paths.qualifications()),
            self._measure,
            lambda limit: 4 * (limit or 100),
            lambda: self.done.append("rendu"),
        )

    def put(self, name: str = "essai.gguf") -> Path:
        """A file of weights nobody knows, as on a stick."""
        folder = paths.data_dir() / "clé usb"
        folder.mkdir(exist_ok=True)
        (folder / name).write_bytes(gguf({**VALUES, "general.name": name}))
        return folder / name

    def pretend_installed(self) -> None:
        """The bundled model’s file is there."""
        card = self._library().model(BUNDLED).card
        (paths.models_dir() / card.file).write_bytes(_WEIGHTS)

    def _library(self) -> ModelLibrary:
        tools = ModelTools(
            read_header=read_header,
            fetch=self._fetch,
            downloads=self,
            open_model=self._open,
            engine_installed=lambda: self.engine,
            install_engine=self._install,
            memory_bytes=lambda: 8_000_000_000,
        )
        manifest = paths.cache_dir() / "livrés" / "manifest.toml"
        manifest.parent.mkdir(exist_ok=True)
        manifest.write_text(_MANIFEST, encoding="utf-8")
        return ModelLibrary(
            manifest,
            paths.models_dir(),
            paths.cache_dir() / "sha256.json",
            tools,
        )

    def _open(self, _provider: str, options: ModelOptions) -> LanguageModel:
        model = TenLines()
        model.identity = options.identity
        return model

    def _fetch(
        self, *_what: object, progress: ProgressCallback, cancel: CancelToken, **_named: object
    ) -> None:
        self._work("Téléchargement", progress, cancel)
        self.done.append("téléchargé")

    def download(
        self,
        url: str,
        target: Path,
        *,
        size_bytes: int = 0,
        progress: ProgressCallback,
        cancel: CancelToken,
        **_checks: object,
    ) -> None:
        self.held = size_bytes // 2
        self._work("Téléchargement", progress, cancel)
        self.held = 0
        target.write_bytes(_WEIGHTS)

    def held_bytes(self, target: Path) -> int:
        return self.held if LISTED in target.name else 0

    def forget(self, _target: Path) -> None:
        self.held = 0

    def _install(self, _compiling: bool, progress: ProgressCallback, cancel: CancelToken) -> None:
        self._work("Compilation", progress, cancel)
        self.engine = True

    def _measure(
        self,
        model: LanguageModel,
        *,
        limit: int,
        cases: Path | None,
        progress: ProgressCallback,
        cancel: CancelToken,
    ) -> Qualification:
        self.limits.append(limit)
        self._work("Vérification", progress, cancel)
        return qualified.qualification(model.identity, self.earns)

    def _work(self, stage: str, progress: ProgressCallback, cancel: CancelToken) -> None:
        for done in range(3):
            progress(Progress(stage=stage, done=done, total=3))
            while self.gate is not None and not self.gate.wait(0.02):
                cancel.raise_if_cancelled()
            cancel.raise_if_cancelled()
        if self.fault is not None:
            raise self.fault
