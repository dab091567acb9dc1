"""``models``: the local models of this machine, and the online one."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from ancremed_desktop.cli import models_qualify, online
from ancremed_desktop.domain.events import CancelToken, Progress
from ancremed_desktop.domain.models import ModelFamily
from ancremed_desktop.services.models import InstalledModel, ModelLibrary
from ancremed_desktop.services.toolbox import Toolbox

_EVERY_S = 5.0
"""Time between two lines of progress of long steps."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its actions."""
    parser = subparsers.add_parser("models", help="modèles de langage")
    actions = parser.add_subparsers(dest="action", required=True, metavar="action")
    listing = actions.add_parser("list", help="lister les modèles")
    listing.add_argument("--json", action="store_true", help="sortie JSON")
    listing.set_defaults(run=_run(_list))
    info = actions.add_parser("info", help="tout savoir d’un modèle")
    info.add_argument("name", metavar="nom")
    info.add_argument("--json", action="store_true", help="sortie JSON")
    info.set_defaults(run=_run(_info))
    setup = actions.add_parser(
        "setup", help="installer le moteur (compilé une fois, dix minutes) et le modèle fourni"
    )
    setup.add_argument("--kept", action="store_true", help="seulement si le moteur est compilé")
    setup.set_defaults(run=_run(_setup))
    install = actions.add_parser("install", help="installer un modèle de la liste")
    install.add_argument("name", metavar="nom", nargs="?", help="le modèle fourni par défaut")
    install.set_defaults(run=_run(_install))
    load = actions.add_parser("import", help="copier un fichier GGUF (clé USB)")
    load.add_argument("file", type=Path, metavar="fichier")
    load.add_argument("--family", type=ModelFamily, choices=list(ModelFamily), help="conversation")
    load.add_argument(
        "--accept-unknown", action="store_true", help="accepter un fichier qui n’est pas connu"
    )
    load.set_defaults(run=_run(_import))
    remove = actions.add_parser("remove", help="supprimer un modèle")
    remove.add_argument("name", metavar="nom")
    remove.set_defaults(run=_run(_remove))
    models_qualify.add_parsers(actions, _Lines())
    online.add_parser(actions)


def _run(
    action: Callable[[argparse.Namespace, ModelLibrary], None],
) -> Callable[[argparse.Namespace, Toolbox], int]:
    def run(args: argparse.Namespace, toolbox: Toolbox) -> int:
        action(args, toolbox.models())
        return 0

    return run


def _list(args: argparse.Namespace, library: ModelLibrary) -> None:
    if args.json:
        shown = {
            "engine_installed": library.engine_installed,
            "bundled": library.bundled,
            "models": [_record(m) for m in library.models()],
        }
        print(json.dumps(shown, ensure_ascii=False, indent=1))
        return
    engine = "installé" if library.engine_installed else "absent (main.py models setup)"
    print(f"Moteur des modèles locaux : {engine}")
    for model in library.models():
        state = "installé" if model.path else "non installé"
        print(f"{model.card.name:24} {state:13} {_sizes(model)}  {_licence(model)}")


def _info(args: argparse.Namespace, library: ModelLibrary) -> None:
    model = library.model(args.name)
    if args.json:
        print(json.dumps(_record(model), ensure_ascii=False, indent=1))
        return
    card = model.card
    for label, value in (
        ("Modèle", card.name),
        ("Fichier", model.path or f"{card.file} (non installé)"),
        ("Taille", _sizes(model)),
        ("Licence", _licence(model)),
        ("SHA-256", card.sha256),
        ("Origine", card.package or "fichier importé"),
        ("Conversation", card.family),
        ("Contexte", f"{card.context_tokens} jetons"),
        ("Remarque", card.note or "aucune"),
    ):
        print(f"{label:13}: {value}")


def _setup(args: argparse.Namespace, library: ModelLibrary) -> None:
    _say_installed(library.set_up(compiling=not args.kept, progress=_Lines(), cancel=CancelToken()))


def _install(args: argparse.Namespace, library: ModelLibrary) -> None:
    name = args.name or library.bundled
    _say_installed(library.install(name, progress=_Lines(), cancel=CancelToken()))
    if not library.engine_installed:
        print("Il manque encore le moteur : lancez « main.py models setup ».")


def _import(args: argparse.Namespace, library: ModelLibrary) -> None:
    model = library.import_file(
        args.file,
        accept=lambda _file: args.accept_unknown,
        family=args.family,
        progress=_Lines(),
        cancel=CancelToken(),
    )
    _say_installed(model)


def _remove(args: argparse.Namespace, library: ModelLibrary) -> None:
    library.remove(args.name)
    print(f"Modèle « {args.name} » supprimé.")


def _say_installed(model: InstalledModel) -> None:
    print(f"Modèle « {model.card.name} » installé dans {model.path}.")


def _record(model: InstalledModel) -> dict[str, object]:
    path = str(model.path) if model.path else None
    return {**asdict(model.card), "path": path, "removable": model.removable}


def _sizes(model: InstalledModel) -> str:
    file, memory = (_mega(c) for c in (model.card.file_bytes, model.card.memory_bytes))
    return f"{file} (mémoire : {memory})"


def _mega(count: int) -> str:
    return f"{count / 1e6:.0f} Mo" if count < 1e9 else f"{count / 1e9:.1f} Go".replace(".", ",")


def _licence(model: InstalledModel) -> str:
    return model.card.licence or "licence non précisée"


class _Lines:
    """Progress on the error output: a new stage at once, else a line now and then."""

    def __init__(self) -> None:
        self._stage = ""
        self._next = 0.0

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if progress.stage == self._stage and now < self._next:
            return
        self._stage, self._next = progress.stage, now + _EVERY_S
        share = f" {100 * progress.done // progress.total} %" if progress.total else ""
        print(f"{progress.stage}{share} {progress.detail}".rstrip(), file=sys.stderr)
