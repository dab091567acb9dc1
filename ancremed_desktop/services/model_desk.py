"""The models as the user sees them: what is there, what each earned here and is on for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ancremed_desktop.domain.events import CancelToken, ProgressCallback
from ancremed_desktop.domain.models import Ability, ModelCard, ModelFamily
from ancremed_desktop.errors import UserError
from ancremed_desktop.pipeline.prompts import Prompts
from ancremed_desktop.ports import LanguageModel
from ancremed_desktop.services.models import ModelLibrary, UnknownFile
from ancremed_desktop.services.online import ONLINE, OnlineModel
from ancremed_desktop.services.qualification import (
    ABILITY_NAMES,
    Qualification,
    QualificationStore,
    report,
)
from ancremed_desktop.services.roles import Roles, as_stored, chosen_roles, roles_of, with_roles
from ancremed_desktop.settings.preferences import PreferenceStore

SAMPLE = 40
"""Cases of each kind in a quick qualification: 40 right of 40 is 91 % at least (95 % bound)."""


class Qualify(Protocol):
    """Measures a model, see ``evaluation.qualify``. ``limit``: cases of each kind, 0: all.

    ``cases``: a file of challenge cases in place of those that come with the application.
    """

    def __call__(
        self,
        model: LanguageModel,
        *,
        limit: int,
        cases: Path | None,
        progress: ProgressCallback,
        cancel: CancelToken,
    ) -> Qualification:
        """Raises: Cancelled, ModelUnavailableError, UserError, MachineError."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelState:
    """A model as it stands. ``card``: None for the online one. ``qualification``: None: never
    measured here, with the present prompts. ``roles``: what it is on for.
    """

    name: str
    identity: str
    card: ModelCard | None
    installed: bool
    removable: bool
    qualification: Qualification | None
    roles: frozenset[Ability]

    @property
    def earned(self) -> frozenset[Ability]:
        """What it may be turned on for."""
        return self.qualification.abilities if self.qualification else frozenset()


class ModelDesk:
    """Library, online model, qualifications and roles, together."""

    def __init__(
        self,
        library: Callable[[], ModelLibrary],
        online: Callable[[], OnlineModel],
        prompts: Callable[[], Prompts],
        store: QualificationStore,
        measure: Qualify,
    ) -> None:
        """``library``, ``online`` and ``prompts`` are asked at each use."""
        self._library = library
        self._online = online
        self._prompts = prompts
        self._store = store
        self._measure = measure

    @property
    def engine_installed(self) -> bool:
        """Whether local models can run. Raises: BadFileError."""
        return self._library().engine_installed

    def states(self) -> tuple[ModelState, ...]:
        """Local models, those of the manifest first, then the online one. Raises: BadFileError."""
        local = [
            self._state(m.card.name, m.card.sha256, m.card, m.path is not None, m.removable)
            for m in self._library().models()
        ]
        return (*local, self._state(ONLINE, self._online().card.model, None, True, False))

    def state(self, name: str) -> ModelState:
        """One model. Raises: UserError, naming those there are; BadFileError."""
        for found in self.states():
            if found.name == name:
                return found
        names = ", ".join(s.name for s in self.states())
        raise UserError(f"Modèle inconnu : « {name} ». Modèles connus : {names}.")

    def set_up_engine(self, *, progress: ProgressCallback, cancel: CancelToken) -> None:
        """Install what local models run on, compiled where none was kept, and the bundled model.

        Raises: UserError, MachineError, Cancelled.
        """
        self._online().meter.download_begun()
        self._library().set_up(progress=progress, cancel=cancel)

    def install(self, name: str, *, progress: ProgressCallback, cancel: CancelToken) -> None:
        """Fetch a listed model. Raises: UserError, MachineError, Cancelled."""
        self._online().meter.download_begun()
        self._library().install(name, progress=progress, cancel=cancel)

    def import_file(
        self,
        file: Path,
        *,
        accept: Callable[[UnknownFile], bool],
        family: ModelFamily | None,
        progress: ProgressCallback,
        cancel: CancelToken,
    ) -> str:
        """Copy a file into the library; returns the model's name.

        Raises: BadFileError, UserError, MachineError, Cancelled.
        """
        found = self._library().import_file(
            file, accept=accept, family=family, progress=progress, cancel=cancel
        )
        return found.card.name

    def remove(self, name: str) -> None:
        """Delete a model's file; it is on for nothing any more. Raises: UserError, MachineError."""
        self._library().remove(name)
        self._turn_on(name, frozenset())

    def qualify(
        self,
        name: str,
        *,
        limit: int,
        cases: Path | None = None,
        progress: ProgressCallback,
        cancel: CancelToken,
    ) -> Qualification:
        """Measure a model and keep the result; what it no longer earns is turned off.

        Raises: Cancelled (nothing is kept), UserError, ModelError, MachineError.
        """
        model = self._online().open() if name == ONLINE else self._library().open(name)
        try:
            found = self._measure(model, limit=limit, cases=cases, progress=progress, cancel=cancel)
        finally:
            model.close()
        self._store.keep(found)
        self._turn_on(name, roles_of(self._roles(), name) & found.abilities)
        return found

    def use(self, name: str, abilities: Iterable[Ability] | None = None) -> frozenset[Ability]:
        """Turn a model on for exactly these abilities, by default all it earned.

        Raises: UserError with its figures, for an ability it has not earned; MachineError.
        """
        state = self.state(name)
        wanted = state.earned if abilities is None else frozenset(abilities)
        missing = wanted - state.earned
        if missing or (abilities is None and not wanted):
            raise UserError(_refusal(state, missing))
        self._turn_on(name, wanted)
        return wanted

    def use_none(self) -> None:
        """Answer without any model. Raises: MachineError."""
        PreferenceStore().update(model_roles=())

    def _turn_on(self, name: str, abilities: frozenset[Ability]) -> None:
        PreferenceStore().update(model_roles=as_stored(with_roles(self._roles(), name, abilities)))

    @staticmethod
    def _roles() -> Roles:
        return chosen_roles(PreferenceStore().current)

    def _state(
        self, name: str, identity: str, card: ModelCard | None, installed: bool, removable: bool
    ) -> ModelState:
        return ModelState(
            name=name,
            identity=identity,
            card=card,
            installed=installed,
            removable=removable,
            qualification=self._store.find(identity, self._prompts().identity),
            roles=roles_of(self._roles(), name),
        )


def _refusal(state: ModelState, missing: frozenset[Ability]) -> str:
    if state.qualification is None:
        return (
            f"Le modèle « {state.name} » n’a pas été qualifié sur cet ordinateur : lancez "
            f"« main.py models qualify {state.name} », ou qualifiez-le à la page Modèles."
        )
    named = ", ".join(ABILITY_NAMES[a] for a in Ability if a in missing)
    said = f"n’est pas qualifié pour {named}" if named else "n’est qualifié pour rien"
    return f"Le modèle « {state.name} » {said}.\n{report(state.qualification)}"
