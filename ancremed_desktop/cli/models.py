"""``models``: the local models of this machine, and the online one."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path

from ancremed_desktop.cli import models_qualify, online
from ancremed_desktop.cli.output import say
from ancremed_desktop.domain.events import CancelToken, Progress
from ancremed_desktop.domain.models import ModelCard, ModelFamily
from ancremed_desktop.errors import UserError
from ancremed_desktop.services.model_text import TRIAL, UNTRIED
from ancremed_desktop.services.model_tools import UnknownFile
from ancremed_desktop.services.models import InstalledModel, ModelLibrary
from ancremed_desktop.services.toolbox import Toolbox

_DEFAULT = "le modèle fourni par défaut"
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
        "setup", help="installer le moteur (compilé une fois, dix minutes) et un modèle"
    )
    setup.add_argument("name", metavar="nom", nargs="?", default="", help=_DEFAULT)
    setup.add_argument("--kept", action="store_true", help="seulement si le moteur est compilé")
    setup.set_defaults(run=_run(_setup))
    install = actions.add_parser(
        "install", aliases=["download"], help="installer un modèle de la liste ou d’une adresse"
    )
    install.add_argument("name", metavar="nom ou adresse", nargs="?", default="", help=_DEFAULT)
    install.add_argument("--sha256", default="", metavar="EMPREINTE", help="celle du fichier")
    _add_stranger_options(install)
    install.set_defaults(run=_run(_install))
    load = actions.add_parser("import", help="copier un fichier GGUF (clé USB)")
    load.add_argument("file", type=Path, metavar="fichier")
    _add_stranger_options(load)
    load.set_defaults(run=_run(_import))
    remove = actions.add_parser("remove", help="supprimer un modèle")
    remove.add_argument("name", metavar="nom")
    remove.set_defaults(run=_run(_remove))
    models_qualify.add_parsers(actions, _Lines())
    online.add_parser(actions)


def _add_stranger_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--family",
        choices=[str(family) for family in ModelFamily],
        help="format de conversation du modèle",
    )
    parser.add_argument(
        "--accept-unknown", action="store_true", help="accepter un fichier qui n’est pas connu"
    )


def _run(
    action: Callable[[argparse.Namespace, ModelLibrary], None],
) -> Callable[[argparse.Namespace, Toolbox], int]:
    def run(args: argparse.Namespace, toolbox: Toolbox) -> int:
        action(args, toolbox.models())
        return 0

    return run


def _list(args: argparse.Namespace, library: ModelLibrary) -> None:
    advised = library.recommended()
    if args.json:
        shown = {
            "engine_installed": library.engine_installed,
            "bundled": library.bundled,
            "memory_bytes": library.memory_bytes,
            "recommended": advised.name if advised else None,
            "models": [_record(m) for m in library.models()],
        }
        print(json.dumps(shown, ensure_ascii=False, indent=1))
        return
    engine = "installé" if library.engine_installed else "absent (main.py models setup)"
    say(f"Moteur des modèles locaux : {engine}")
    say(f"Mémoire de cet ordinateur : {_mega(library.memory_bytes)}.")
    if advised is None:
        say("Aucun modèle recommandé n’y tient : les réponses sont des extraits.")
    for model in library.models():
        card = model.card
        name = f"{card.name} ({TRIAL})" if card.trial else card.name
        say(f"\n{name} : {_state(model)}, {_sizes(model)}, {_licence(model)}")
        for line in _worth(card, library, advised):
            say(f"  {line}")
    if advised is not None:
        say(f"\nInstaller celui qui est recommandé : « main.py models setup {advised.name} ».")
    say("Chiffres publiés et mesurés : « main.py models info NOM ».")


def _worth(card: ModelCard, library: ModelLibrary, advised: ModelCard | None) -> list[str]:
    """What a model is good for here, one sentence a line."""
    lines = ["Recommandé pour cet ordinateur."] if card == advised else []
    if not library.fits(card):
        lines.append("Trop grand pour la mémoire de cet ordinateur.")
    lines += [text for text in (card.why, card.note) if text]
    if card.why and not card.measured:
        lines.append(UNTRIED)
    return lines


def _info(args: argparse.Namespace, library: ModelLibrary) -> None:
    model = library.model(args.name)
    if args.json:
        print(json.dumps(_record(model), ensure_ascii=False, indent=1))
        return
    card = model.card
    for label, value in (
        ("Modèle", card.name),
        ("Fichier", model.path or f"{card.file} ({_state(model)})"),
        ("Taille", _sizes(model)),
        ("Licence", _licence(model)),
        ("SHA-256", card.sha256),
        ("Origine", card.url or card.package or "fichier importé"),
        ("Conversation", card.family),
        ("Contexte", f"{card.context_tokens} jetons"),
        ("Recommandé", card.why or "non"),
        ("Publié", card.published or "aucun chiffre relevé"),
        ("Mesuré", card.measured or f"{UNTRIED} « main.py models qualify {card.name} »"),
        ("Remarque", card.note or "aucune"),
    ):
        say(f"{label:13}: {value}")


def _setup(args: argparse.Namespace, library: ModelLibrary) -> None:
    _say_installed(
        library.set_up(args.name, compiling=not args.kept, progress=_Lines(), cancel=CancelToken())
    )


def _install(args: argparse.Namespace, library: ModelLibrary) -> None:
    """Raises: UserError, MachineError."""
    if "://" in args.name:
        model = _from_address(args, library)
    else:
        name = args.name or library.bundled
        model = library.install(name, progress=_Lines(), cancel=CancelToken())
    _say_installed(model)
    if not library.engine_installed:
        say("Il manque encore le moteur : lancez « main.py models setup ».")


def _from_address(args: argparse.Namespace, library: ModelLibrary) -> InstalledModel:
    # Asked now: it would be a pity to refuse gigabytes once they have come.
    if not args.accept_unknown and args.name not in {m.card.url for m in library.models()}:
        raise UserError(
            "Cette adresse n’est pas dans la liste des modèles connus : vérifiez qui la publie et "
            "sa licence, puis recommencez avec --accept-unknown (et --sha256, si elle est publiée)."
        )
    return library.download(
        args.name,
        accept=partial(_family, args),
        digest=args.sha256,
        progress=_Lines(),
        cancel=CancelToken(),
    )


def _import(args: argparse.Namespace, library: ModelLibrary) -> None:
    model = library.import_file(
        args.file, accept=partial(_family, args), progress=_Lines(), cancel=CancelToken()
    )
    _say_installed(model)


def _family(args: argparse.Namespace, file: UnknownFile) -> ModelFamily | None:
    """How an unknown file converses, None when it is not accepted. Raises: UserError."""
    if not args.accept_unknown:
        return None
    family = ModelFamily(args.family) if args.family else file.family
    if family is None:
        raise UserError(
            f"« {file.name} » ne dit pas dans quel format il converse : précisez --family "
            f"({', '.join(ModelFamily)}), indiqué sur la page du modèle."
        )
    return family


def _remove(args: argparse.Namespace, library: ModelLibrary) -> None:
    library.remove(args.name)
    say(f"Modèle « {args.name} » supprimé.")


def _say_installed(model: InstalledModel) -> None:
    say(f"Modèle « {model.card.name} » installé dans {model.path}.")


def _record(model: InstalledModel) -> dict[str, object]:
    path = str(model.path) if model.path else None
    held = {"path": path, "removable": model.removable, "held_bytes": model.held_bytes}
    return {**asdict(model.card), **held}


def _state(model: InstalledModel) -> str:
    if model.path:
        return "installé"
    if model.held_bytes:
        return f"interrompu à {100 * model.held_bytes // model.card.file_bytes} %"
    return "non installé"


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
        left = f"reste {_duration(progress.seconds_left)}" if progress.seconds_left else ""
        say(f"{progress.stage}{share} {progress.detail} {left}".rstrip(), error=True)


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
