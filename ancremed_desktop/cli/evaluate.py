"""``evaluate``: challenge cases and questions replayed and scored."""

from __future__ import annotations

import argparse

from ancremed_desktop.cli import (
    evaluate_gate,
    evaluate_off_corpus,
    evaluate_questions,
    evaluate_retrieval,
    evaluate_tune,
)


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and what it can replay."""
    parser = subparsers.add_parser("evaluate", help="rejouer cas et questions")
    actions = parser.add_subparsers(dest="what", required=True, metavar="quoi")
    evaluate_gate.add_parser(actions)
    evaluate_questions.add_parser(actions)
    evaluate_off_corpus.add_parser(actions)
    evaluate_retrieval.add_parser(actions)
    evaluate_tune.add_parser(actions)
