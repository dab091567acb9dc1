"""``ask``: answer one question, as text, JSON or a page."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ancremed_desktop.cli.output import (
    CORPUS_ONLY_HELP,
    HYBRID_HELP,
    check_page_target,
    show,
)
from ancremed_desktop.errors import UserError
from ancremed_desktop.services.approval import Approval, Approve, Outgoing
from ancremed_desktop.services.export import answer_to_json, answer_to_text
from ancremed_desktop.services.online import ONLINE
from ancremed_desktop.services.page import answer_to_html
from ancremed_desktop.services.toolbox import Toolbox
from ancremed_desktop.settings.files import write_whole


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser("ask", help="poser une question clinique")
    parser.add_argument("question", help="la question, en français (2 000 caractères au plus)")
    parser.add_argument("--json", action="store_true", help="réponse complète en JSON")
    parser.add_argument("--html", type=Path, metavar="FICHIER", help="écrire aussi une page HTML")
    parser.add_argument("--index", type=Path, metavar="FICHIER", help="index à interroger")
    parser.add_argument("--corpus-only", action="store_true", help=CORPUS_ONLY_HELP)
    parser.add_argument("--hybrid", action="store_true", help=HYBRID_HELP)
    parser.add_argument(
        "--online",
        action="store_true",
        help="laisser Gemini aider ; chaque texte est montré, sur la sortie d’erreur, et ne part "
        "qu’avec votre accord, demandé au terminal",
    )
    parser.add_argument(
        "--send-without-asking",
        action="store_true",
        help="avec --online : envoyer à Gemini chaque texte montré, sans demander d’accord",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, toolbox: Toolbox) -> int:
    """Print the answer; 0 for an answer, a conversation, an abstention or a refusal.

    Raises: BadQuestionError; BadFileError (``--html`` names a file that is no page);
    UserError (``--online`` and Gemini is on for nothing, or nobody can be asked; nothing is sent);
    IndexFileError; MachineError; OSError (the page cannot be written).
    """
    if args.html:
        check_page_target(args.html, args.index)
    if args.send_without_asking and not args.online:
        raise UserError("« --send-without-asking » ne va qu’avec « --online ».")
    if args.online and not toolbox.desk().state(ONLINE).roles:
        raise UserError(
            "Gemini ne sert à rien pour l’instant : « main.py models gemini consent » et « key », "
            "puis « models qualify gemini » et « models use gemini »."
        )
    approve = _approval(args.send_without_asking) if args.online else None
    service = toolbox.ask(args.index, hybrid=args.hybrid or None, own=not args.corpus_only)
    answer = service.ask(args.question, approve=approve)
    if args.html:
        write_whole(args.html, answer_to_html(answer).encode(errors="replace"))
    if args.json:
        print(answer_to_json(answer))
    else:
        show(answer_to_text(answer))
    return 0


def _approval(unasked: bool) -> Approve:
    """Who agrees to each text. Raises: UserError, when nobody can be asked."""
    if unasked:
        return _show
    if sys.stdin is None or not sys.stdin.isatty():
        raise UserError(
            "Rien n’a été envoyé à Gemini : sans terminal, votre accord ne peut pas être demandé. "
            "Lancez la commande dans un terminal, ou ajoutez « --send-without-asking » pour que "
            "chaque texte parte sans être approuvé."
        )
    return _approve


def _show(outgoing: Outgoing) -> Approval:
    """Show a text before it leaves; its sending was asked for."""
    print(
        f"--- Demande {outgoing.number} à Gemini, mot pour mot ---\n{outgoing.text}\n--- fin ---",
        file=sys.stderr,
        flush=True,
    )
    return Approval.ONCE


def _approve(outgoing: Outgoing) -> Approval:
    """Show a text before it leaves, and ask; anything but a clear yes is a no."""
    _show(outgoing)
    choice = "Envoyer ? [o] oui, [t] tout pour cette question, [n] non : "
    print(choice, end="", file=sys.stderr, flush=True)
    typed = sys.stdin.readline().strip().lower()
    return {"o": Approval.ONCE, "t": Approval.QUESTION}.get(typed, Approval.REFUSED)
