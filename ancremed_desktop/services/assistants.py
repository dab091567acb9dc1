"""The models the user turned on, each for what it has earned on this machine."""

from __future__ import annotations

import logging
from collections.abc import Callable

from ancremed_desktop.domain.models import Ability
from ancremed_desktop.errors import AncremedError, BugError, UserError
from ancremed_desktop.pipeline.model_answer import Assistants
from ancremed_desktop.pipeline.prompts import Prompts
from ancremed_desktop.ports import LanguageModel
from ancremed_desktop.services.qualification import QualificationStore, report

_log = logging.getLogger(__name__)

ONLINE = "gemini"
"""Name of the online model, beside those of the library."""


class AssistantSource:
    """Gives the models of the next answer; they stay open between answers, nothing is loaded
    before a model is first asked.

    ``chosen``: names of the model and of its verifier (empty: none; the same). ``open_model``
    raises UserError, ModelError or MachineError.
    """

    def __init__(
        self,
        prompts: Prompts,
        store: QualificationStore,
        chosen: Callable[[], tuple[str, str]],
        open_model: Callable[[str], LanguageModel],
    ) -> None:
        self._prompts = prompts
        self._store = store
        self._chosen = chosen
        self._open_model = open_model
        self._open: dict[str, LanguageModel] = {}

    def current(self) -> Assistants | None:
        """None: no model is on, it has earned nothing, or it cannot be opened (said in the log)."""
        try:
            name, other = self._chosen()
            verifier_name = other or name
            self._close_all_but({name, verifier_name})
            if not name:
                return None
            model, verifier = self._opened(name), self._opened(verifier_name)
        except BugError:
            raise
        except AncremedError as error:
            _log.warning("Aucun modèle n’aide à répondre. %s", error)
            return None
        own, checks = self._abilities(model), self._abilities(verifier)
        if not own:
            _log.warning("Le modèle « %s » n’est qualifié pour rien : il n’est pas employé.", name)
            return None
        writes = own & {Ability.WRITE, Ability.NARRATE}
        return Assistants(
            prompts=self._prompts,
            planner=model if Ability.PLAN in own else None,
            selector=model if Ability.SELECT in own else None,
            writer=model if writes else None,
            narrates=Ability.NARRATE in own,
            paraphrases=Ability.WRITE in own,
            verifier=verifier if Ability.VERIFY in checks else None,
        )

    def close(self) -> None:
        """Give the memory of the models back."""
        self._close_all_but(set())

    def _opened(self, name: str) -> LanguageModel:
        if name not in self._open:
            self._open[name] = self._open_model(name)
        return self._open[name]

    def _close_all_but(self, names: set[str]) -> None:
        for name in [n for n in self._open if n not in names]:
            self._open.pop(name).close()

    def _abilities(self, model: LanguageModel) -> frozenset[Ability]:
        found = self._store.find(model.identity, self._prompts.identity)
        return found.abilities if found else frozenset()


def require_qualified(
    name: str, model: LanguageModel, prompts: Prompts, store: QualificationStore
) -> frozenset[Ability]:
    """What a model may do. Raises: UserError with its figures, when it is nothing."""
    found = store.find(model.identity, prompts.identity)
    if found is None:
        raise UserError(
            f"Le modèle « {name} » n’a pas été qualifié sur cet ordinateur : lancez "
            f"« main.py models qualify {name} »."
        )
    if not found.abilities:
        raise UserError(f"Le modèle « {name} » n’est qualifié pour rien.\n{report(found)}")
    return found.abilities
