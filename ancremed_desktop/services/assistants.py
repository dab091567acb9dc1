"""The models the user turned on, each for what it has earned on this machine."""

from __future__ import annotations

import threading
from collections.abc import Callable

from ancremed_desktop.domain.models import Ability
from ancremed_desktop.errors import AncremedError, BugError
from ancremed_desktop.pipeline.model_answer import Assistants
from ancremed_desktop.pipeline.prompts import Prompts
from ancremed_desktop.ports import LanguageModel
from ancremed_desktop.services.approval import Approve
from ancremed_desktop.services.online import ONLINE
from ancremed_desktop.services.qualification import ABILITY_NAMES, QualificationStore
from ancremed_desktop.services.roles import Roles


class AssistantSource:
    """Gives the models of the next answer; local ones stay open between answers, nothing is loaded
    before a model is first asked.

    ``chosen``: what the user turned on. ``open_local``, ``open_online`` raise UserError, ModelError
    or MachineError. ``problem``: why a model that is on does not help, French; else empty.
    """

    def __init__(
        self,
        prompts: Prompts,
        store: QualificationStore,
        chosen: Callable[[], Roles],
        open_local: Callable[[str], LanguageModel],
        open_online: Callable[[Approve], LanguageModel],
    ) -> None:
        self._prompts = prompts
        self._store = store
        self._chosen = chosen
        self._open_local = open_local
        self._open_online = open_online
        self._open: dict[str, LanguageModel] = {}
        self._lock = threading.Lock()
        self.problem = ""

    def current(self, approve: Approve | None = None) -> Assistants | None:
        """The models of one answer; None when none is on or none can help.

        ``approve``: asks the user before a text leaves the machine; None: nothing leaves, an online
        model is left out.
        """
        self.problem = ""
        try:
            roles = {
                ability: name
                for ability, name in self._chosen().items()
                if name != ONLINE or approve is not None
            }
        except BugError:
            raise
        except AncremedError as error:
            self.problem = _unhelped(str(error))
            return None
        self._close_all_but(set(roles.values()))
        models = self._earned(roles, approve)
        return self._assistants(models) if models else None

    def close(self) -> None:
        """Give the memory of the models back, from any thread; waits for the one at work.

        The next answer opens them again.
        """
        self._close_all_but(set())

    def _earned(self, roles: Roles, approve: Approve | None) -> dict[Ability, LanguageModel]:
        """A model for each role that can be filled; what cannot is said in ``problem``."""
        opened: dict[str, LanguageModel] = {}
        said: list[str] = []
        for name in dict.fromkeys(roles.values()):
            try:
                if name == ONLINE and approve is not None:
                    opened[name] = self._open_online(approve)
                else:
                    opened[name] = self._opened(name)
            except BugError:
                raise
            except AncremedError as error:
                said.append(_unhelped(str(error)))
        found = {}
        for ability, name in roles.items():
            if name not in opened:
                continue
            if ability in self._abilities(opened[name]):
                found[ability] = opened[name]
            else:
                said.append(
                    f"« {name} » n’est pas qualifié ici pour {ABILITY_NAMES[ability]} : il n’est "
                    "pas employé pour cela (page Modèles)."
                )
        self.problem = " ".join(said)
        return found

    def _assistants(self, models: dict[Ability, LanguageModel]) -> Assistants:
        # ``services.roles`` gives both to one model.
        writer = models.get(Ability.WRITE) or models.get(Ability.NARRATE)
        return Assistants(
            prompts=self._prompts,
            planner=models.get(Ability.PLAN),
            selector=models.get(Ability.SELECT),
            writer=writer,
            narrates=Ability.NARRATE in models,
            paraphrases=Ability.WRITE in models,
            verifier=models.get(Ability.VERIFY),
        )

    def _opened(self, name: str) -> LanguageModel:
        with self._lock:
            if name not in self._open:
                self._open[name] = self._open_local(name)
            return self._open[name]

    def _close_all_but(self, names: set[str]) -> None:
        with self._lock:
            closed = [self._open.pop(n) for n in list(self._open) if n not in names]
        for model in closed:
            model.close()

    def _abilities(self, model: LanguageModel) -> frozenset[Ability]:
        found = self._store.find(model.identity, self._prompts.identity)
        return found.abilities if found else frozenset()


def _unhelped(reason: str) -> str:
    return f"Un modèle choisi n’aide pas à répondre. {reason}"
