"""``evaluate questions``: run labelled questions and print how they were understood."""

from __future__ import annotations

import argparse
from pathlib import Path

from ancremed_desktop.evaluation.questions import read_questions, replay, table
from ancremed_desktop.services.toolbox import Toolbox


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser("questions", help="rejouer des questions étiquetées")
    parser.add_argument("file", type=Path, metavar="QUESTIONS.jsonl", help="une question par ligne")
    parser.add_argument("--index", type=Path, metavar="FICHIER", help="index à interroger")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, toolbox: Toolbox) -> int:
    """Print the table; 0 whatever the scores. Raises: BadFileError."""
    labelled = read_questions(args.file)
    print(table(replay(labelled, toolbox.ask(args.index))))
    return 0
