"""The models as the user sees them: what is there, what each earned here and is on for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ancremed_desktop.domain.events import CancelToken, ProgressCallback
from ancremed_desktop.domain.models import Ability, ModelCard, ModelFamily, Usage
from ancremed_desktop.errors import UserError
from ancremed_desktop.pipeline.prompts import Prompts
from ancremed_desktop.ports import LanguageModel
from ancremed_desktop.services.model_tools import UnknownFile
from ancremed_desktop.services.models import ModelLibrary
from ancremed_desktop.services.online import ONLINE, OnlineModel
from ancremed_desktop.services.pacing import PacedModel
from ancremed_desktop.services.qualification import (
    ABILITY_NAMES,
    Qualification,
    QualificationStore,
    report,
)
from ancremed_desktop.services.roles import Roles, as_stored, chosen_roles, roles_of, with_roles
from ancremed_desktop.settings.preferences import PreferenceStore

_ONE_CALL = Usage(prompt_tokens=2000, completion_tokens=300)
"""More than any prompt of the qualification holds, and about the longest reply."""
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
    measured here, with the present prompts. ``roles``: what it is on for. ``held_bytes``: how much
    an interrupted download left. ``fits``: it leaves this machine's memory room for what else runs.
    """

    name: str
    identity: str
    card: ModelCard | None
    installed: bool
    removable: bool
    qualification: Qualification | None
    roles: frozenset[Ability]
    held_bytes: int = 0
    recommended: bool = False
    fits: bool = True

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
        most_calls: Callable[[int], int],
        release: Callable[[], None],
    ) -> None:
        """``library``, ``online`` and ``prompts`` are asked at each use. ``most_calls``: requests a
        qualification with that limit makes at most. ``release``: see the method.
        """
        self.release = release
        """Gives back the memory of the models kept for answers; may wait for the one at work."""
        self._library = library
        self._online = online
        self._prompts = prompts
        self._store = store
        self._measure = measure
        self._most_calls = most_calls

    @property
    def engine_installed(self) -> bool:
        """Whether local models can run. Raises: BadFileError."""
        return self._library().engine_installed

    def states(self) -> tuple[ModelState, ...]:
        """Local models in the order of the library, then the online one. Raises: BadFileError."""
        library, prompts, roles = self._library(), self._prompts().identity, self._roles()
        advised = library.recommended()
        local = [
            ModelState(
                name=found.card.name,
                identity=found.card.sha256,
                card=found.card,
                installed=found.path is not None,
                removable=found.removable,
                qualification=self._store.find(found.card.sha256, prompts),
                roles=roles_of(roles, found.card.name),
                held_bytes=found.held_bytes,
                recommended=found.card == advised,
                fits=library.fits(found.card),
            )
            for found in library.models()
        ]
        identity = self._online().card.model
        online = ModelState(
            name=ONLINE,
            identity=identity,
            card=None,
            installed=True,
            removable=False,
            qualification=self._store.find(identity, prompts),
            roles=roles_of(roles, ONLINE),
        )
        return (*local, online)

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
        accept: Callable[[UnknownFile], ModelFamily | None],
        progress: ProgressCallback,
        cancel: CancelToken,
    ) -> str:
        """Copy a file into the library; returns the model's name.

        Raises: BadFileError, UserError, MachineError, Cancelled.
        """
        found = self._library().import_file(file, accept=accept, progress=progress, cancel=cancel)
        return found.card.name

    def remove(self, name: str) -> None:
        """Delete a model's file; it is on for nothing any more. Raises: UserError, MachineError."""
        self.release()  # a file in use cannot be deleted everywhere
        self._library().remove(name)
        self._turn_on(name, frozenset())

    def online_cost(self, limit: int) -> tuple[int, float]:
        """Requests that a qualification of the online model sends at most, and US dollars for
        them, both from above. Raises: BadFileError.
        """
        calls = self._most_calls(limit)
        return calls, calls * self._online().card.cost_usd(_ONE_CALL)

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
        model: LanguageModel
        if name == ONLINE:
            model = PacedModel(self._online().open(), progress)
        else:
            self._library().check(name, cancel)
            model = self._library().open(name)
        self.release()  # two models at once may not fit
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


def _refusal(state: ModelState, missing: frozenset[Ability]) -> str:
    if state.qualification is None:
        return (
            f"Le modèle « {state.name} » n’a pas été qualifié sur cet ordinateur : lancez "
            f"« main.py models qualify {state.name} », ou qualifiez-le à la page Modèles."
        )
    named = ", ".join(ABILITY_NAMES[a] for a in Ability if a in missing)
    said = f"n’est pas qualifié pour {named}" if named else "n’est qualifié pour rien"
    return f"Le modèle « {state.name} » {said}.\n{report(state.qualification)}"
