"""``models qualify`` and ``models use``: what a model has earned here, and which one is on."""

from __future__ import annotations

import argparse
from pathlib import Path

from ancremed_desktop.cli.output import say
from ancremed_desktop.domain.events import CancelToken, ProgressCallback
from ancremed_desktop.domain.models import Ability
from ancremed_desktop.errors import UserError
from ancremed_desktop.services.model_desk import ModelDesk
from ancremed_desktop.services.online import ONLINE
from ancremed_desktop.services.qualification import ABILITY_NAMES, report
from ancremed_desktop.services.toolbox import Toolbox

_NONE = "aucun"
_WITHOUT = "Les réponses se font sans modèle."


def add_parsers(
    actions: argparse._SubParsersAction[argparse.ArgumentParser], progress: ProgressCallback
) -> None:
    """Declare the two actions. ``progress`` shows long work."""
    parser = actions.add_parser("qualify", help="mesurer ce qu’un modèle sait faire ici")
    parser.add_argument("name", metavar="nom", help=f"« {ONLINE} » : envoie ces cas à Google")
    parser.add_argument("--cases", type=Path, metavar="CAS.jsonl", help="autres cas d’épreuve")
    parser.add_argument(
        "--limit", type=int, default=0, metavar="N", help="N cas de chaque sorte (tous par défaut)"
    )
    parser.set_defaults(run=lambda args, toolbox: _qualify(args, toolbox, progress))
    use = actions.add_parser("use", help="employer un modèle qualifié pour répondre")
    use.add_argument(
        "name",
        metavar="nom",
        nargs="?",
        help=f"« {_NONE} » : répondre sans modèle ; sans nom : dire ce qui est employé",
    )
    use.add_argument("--verifier", metavar="nom", default="", help="autre modèle, pour vérifier")
    use.add_argument(
        "--role",
        action="append",
        choices=[str(ability) for ability in Ability],
        help="pour ce rôle seulement, répétable (tous ceux qu’il a gagnés par défaut) : "
        + ", ".join(f"{ability} = {ABILITY_NAMES[ability]}" for ability in Ability),
    )
    use.set_defaults(run=_use)


def _qualify(args: argparse.Namespace, toolbox: Toolbox, progress: ProgressCallback) -> int:
    """Raises: UserError, ModelError, BadFileError, MachineError."""
    if args.limit < 0:
        raise UserError("--limit attend un nombre positif, ou 0 pour tous les cas.")
    found = toolbox.desk().qualify(
        args.name, limit=args.limit, cases=args.cases, progress=progress, cancel=CancelToken()
    )
    say(report(found))
    return 0


def _use(args: argparse.Namespace, toolbox: Toolbox) -> int:
    """Raises: UserError with its figures, when a model has not earned what is asked."""
    desk = toolbox.desk()
    if args.name is None:
        used = [state for state in desk.states() if state.roles]
        for state in used:
            _say_roles(state.name, state.roles)
        if not used:
            say(_WITHOUT)
        return 0
    if args.name == _NONE:
        desk.use_none()
        say(_WITHOUT)
        return 0
    desk.state(args.verifier or args.name)  # a wrong name changes nothing
    _said(desk, args.name, [Ability(role) for role in args.role] if args.role else None)
    if args.verifier:
        own = desk.state(args.verifier).roles
        _said(desk, args.verifier, {*own, Ability.VERIFY})
    if ONLINE in {args.name, args.verifier}:
        say("En ligne de commande, Gemini n’est demandé qu’avec « ask --online ».")
    return 0


def _said(desk: ModelDesk, name: str, abilities: set[Ability] | list[Ability] | None) -> None:
    _say_roles(name, desk.use(name, abilities))


def _say_roles(name: str, abilities: frozenset[Ability]) -> None:
    say(f"« {name} » sert à : {', '.join(sorted(ABILITY_NAMES[a] for a in abilities))}.")
