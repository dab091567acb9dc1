"""``library embed``: vectors of the passages, for the search by meaning."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from ancremed_desktop.cli.output import say
from ancremed_desktop.domain.events import CancelToken, ProgressCallback
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.services.meaning import EMBEDDED
from ancremed_desktop.services.toolbox import Toolbox

ChosenPath = Callable[[argparse.Namespace, Toolbox], Path]


def add_parser(
    actions: argparse._SubParsersAction[argparse.ArgumentParser],
    path_of: ChosenPath,
    lines: Callable[[], ProgressCallback],
) -> None:
    """Declare the action; ``path_of`` gives the index file, ``lines`` shows progress."""
    parser = actions.add_parser(
        "embed", help="calculer les vecteurs de la recherche par le sens (facultatif)"
    )
    parser.add_argument("--index", type=Path, metavar="FICHIER", help="index à compléter")
    parser.add_argument(
        "--silo",
        choices=[s.value for s in Silo],
        action="append",
        help="une famille (plusieurs fois possible) ; toutes sauf bdpm sinon",
    )

    def run(args: argparse.Namespace, toolbox: Toolbox) -> int:
        silos = tuple(map(Silo, args.silo)) if args.silo else EMBEDDED
        path = path_of(args, toolbox)
        done = toolbox.embed(path, silos, progress=lines(), cancel=CancelToken())
        say(
            f"{done.added} vecteurs calculés, {done.total} dans l’index « {path} » "
            f"({done.embedder})."
        )
        return 0

    parser.set_defaults(run=run)
