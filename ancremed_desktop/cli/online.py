"""``models gemini``: key, consent and state of the online model. A key is never an argument."""

from __future__ import annotations

import argparse
import getpass
import sys
from collections.abc import Callable

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.errors import MachineError, UserError
from ancremed_desktop.services.online import CONSENT, TEST_REQUEST, OnlineModel, OnlineStatus
from ancremed_desktop.services.toolbox import Toolbox


def add_parser(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare ``gemini`` among the actions of ``models``."""
    parser = actions.add_parser("gemini", help="modèle en ligne de Google (facultatif)")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="action")
    for name, help_text, action in (
        ("status", "dire si quelque chose peut être envoyé", _status),
        ("key", "enregistrer une clé, lue sur l’entrée standard", _key),
        ("test", "envoyer une phrase d’essai", _test),
        ("forget", "effacer la clé et retirer l’accord", _forget),
    ):
        verbs.add_parser(name, help=help_text).set_defaults(run=_run(action))
    consent = verbs.add_parser("consent", help="lire ce qui est envoyé, puis accepter ou non")
    consent.add_argument("--withdraw", action="store_true", help="retirer l’accord")
    consent.set_defaults(run=_run(_consent))
    preview = verbs.add_parser("preview", help="montrer ce qui serait envoyé d’un texte")
    preview.add_argument("text", metavar="texte", nargs="?", help="l’entrée standard par défaut")
    preview.set_defaults(run=_run(_preview))


def _run(
    action: Callable[[argparse.Namespace, OnlineModel], None],
) -> Callable[[argparse.Namespace, Toolbox], int]:
    def run(args: argparse.Namespace, toolbox: Toolbox) -> int:
        action(args, toolbox.online())
        return 0

    return run


def _status(_args: argparse.Namespace, online: OnlineModel) -> None:
    status = online.status()
    card = online.card
    print(status.badge)
    print(f"Accord : {'donné' if status.consented else 'non donné'}")
    print(f"Clé    : {_key_state(status)}")
    print(
        f"Modèle : {card.model} ; par million de jetons, {_usd(card.input_usd)} lus et "
        f"{_usd(card.output_usd)} écrits (relevé du {card.read_on}, à vérifier sur "
        f"{card.price_page})"
    )


def _key_state(status: OnlineStatus) -> str:
    if status.key:
        return "enregistrée"
    return "aucune" if status.lasting else "aucune (pas de trousseau de clés sur cet ordinateur)"


def _key(_args: argparse.Namespace, online: OnlineModel) -> None:
    if not online.status().lasting:
        raise MachineError(
            "Cet ordinateur n’a pas de trousseau de clés : une commande ne peut pas garder la clé. "
            "Entrez-la dans la fenêtre (page Modèles), où elle vaut jusqu’à la fermeture."
        )
    typed = getpass.getpass("Clé Gemini (rien ne s’affiche) : ") if _typed() else _line()
    if not online.save_key(typed):
        raise MachineError("Le trousseau de clés a refusé la clé : déverrouillez-le et réessayez.")
    print("Clé enregistrée dans le trousseau de clés de l’ordinateur.")
    if not online.consented:
        print("Rien n’est envoyé sans votre accord : « main.py models gemini consent ».")


def _consent(args: argparse.Namespace, online: OnlineModel) -> None:
    if args.withdraw:
        online.consent(False)
        print("Accord retiré : rien n’est plus envoyé.")
        return
    print("\n\n".join(CONSENT))
    if _typed():
        print("\nTapez « oui » pour accepter : ", end="", flush=True)
    if _line().strip().lower() != "oui":
        raise UserError("Accord non donné : rien n’est envoyé.")
    online.consent(True)
    print("Accord enregistré. Pour le retirer : « main.py models gemini consent --withdraw ».")


def _forget(_args: argparse.Namespace, online: OnlineModel) -> None:
    online.forget()
    print("Clé effacée et accord retiré : rien n’est plus envoyé.")


def _preview(args: argparse.Namespace, online: OnlineModel) -> None:
    print(online.preview(args.text if args.text is not None else sys.stdin.read()))


def _test(_args: argparse.Namespace, online: OnlineModel) -> None:
    print(f"Envoi à Google : {TEST_REQUEST.messages[0].content}")
    reply = online.test(CancelToken())
    cost = f"{reply.cost_usd:.6f}".replace(".", ",")
    print(f"Réponse de {reply.model} : {reply.text.strip()} (environ {cost} $)")


def _typed() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _line() -> str:
    if sys.stdin is None:
        raise UserError("Rien à lire : donnez le texte sur l’entrée standard.")
    return sys.stdin.readline()


def _usd(price: float) -> str:
    return f"{price:.2f} $".replace(".", ",")
