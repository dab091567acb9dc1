"""``ask``: answer one question, as text, JSON or a page."""

from __future__ import annotations

import argparse
from pathlib import Path

from ancremed_desktop.cli.output import HYBRID_HELP, check_page_target
from ancremed_desktop.services.export import answer_to_json, answer_to_text
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
    parser.add_argument("--hybrid", action="store_true", help=HYBRID_HELP)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, toolbox: Toolbox) -> int:
    """Print the answer; 0 for an answer, a conversation, an abstention or a refusal.

    Raises: BadQuestionError; BadFileError (``--html`` names a file that is no page);
    IndexFileError; MachineError; OSError (the page cannot be written).
    """
    if args.html:
        check_page_target(args.html, args.index)
    answer = toolbox.ask(args.index, hybrid=args.hybrid or None).ask(args.question)
    if args.html:
        write_whole(args.html, answer_to_html(answer).encode(errors="replace"))
    print(answer_to_json(answer) if args.json else answer_to_text(answer))
    return 0
