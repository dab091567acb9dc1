"""``evaluate offcorpus``: questions that must be refused, beside ones that must not."""

from __future__ import annotations

import argparse
from pathlib import Path

from ancremed_desktop.cli.output import HYBRID_HELP
from ancremed_desktop.domain.answers import AnswerStatus
from ancremed_desktop.evaluation.gold import HALVES, PLAIN, TERSE, read_gold, read_off_corpus
from ancremed_desktop.evaluation.off_corpus import judge, mistakes, table
from ancremed_desktop.services.toolbox import Toolbox


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser("offcorpus", help="mesurer les refus hors corpus")
    parser.add_argument(
        "file", type=Path, metavar="HORS_CORPUS.jsonl", help="questions sans réponse possible"
    )
    parser.add_argument(
        "--answerable", type=Path, nargs="+", required=True, metavar="QUESTIONS.jsonl",
        help="questions qui ont une réponse",
    )  # fmt: skip
    parser.add_argument(
        "--index", type=Path, required=True, metavar="FICHIER", help="index à interroger"
    )
    parser.add_argument("--half", choices=HALVES, default="", help="une seule moitié")
    parser.add_argument("--failures", action="store_true", help="montrer les erreurs")
    parser.add_argument("--hybrid", action="store_true", help=HYBRID_HELP)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, toolbox: Toolbox) -> int:
    """Print the table; 0 whatever the scores. Raises: BadFileError, IndexFileError."""
    off = read_off_corpus(args.file, args.half)
    gold = [q for q in read_gold(args.answerable, args.half) if q.kind in (PLAIN, TERSE)]
    service = toolbox.ask(args.index, hybrid=args.hybrid)

    def status(text: str) -> AnswerStatus:
        return service.ask(text).status

    def coverage(text: str) -> float:
        return max((hit.coverage for hit in service.find(text).hits), default=0.0)

    judged_off = judge([(q.id, q.kind, q.text) for q in off], status, coverage)
    judged_gold = judge([(q.id, q.silo, q.text) for q in gold], status, coverage)
    print(table(judged_off, judged_gold))
    if args.failures:
        print(mistakes(judged_off, judged_gold))
    return 0
