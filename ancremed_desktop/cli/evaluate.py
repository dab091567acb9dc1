"""``evaluate``: challenge cases and questions replayed and scored."""

from __future__ import annotations

import argparse

from ancremed_desktop.cli import evaluate_gate, evaluate_questions


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and what it can replay."""
    parser = subparsers.add_parser("evaluate", help="rejouer cas et questions")
    actions = parser.add_subparsers(dest="what", required=True, metavar="quoi")
    evaluate_gate.add_parser(actions)
    evaluate_questions.add_parser(actions)
