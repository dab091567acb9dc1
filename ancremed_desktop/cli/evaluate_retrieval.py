"""``evaluate retrieval``: gold questions, and at which rank their passage comes."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ancremed_desktop.cli.output import HYBRID_HELP
from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.evaluation.gold import HALVES, GoldQuestion, read_gold
from ancremed_desktop.evaluation.retrieval import DEPTH, failures, replay, table
from ancremed_desktop.index.plain import PlainSearch
from ancremed_desktop.services.toolbox import Toolbox


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser("retrieval", help="mesurer la recherche sur des questions")
    parser.add_argument(
        "files", type=Path, nargs="+", metavar="QUESTIONS.jsonl", help="questions et passages"
    )
    parser.add_argument(
        "--index", type=Path, required=True, metavar="FICHIER", help="index à interroger"
    )
    parser.add_argument("--half", choices=HALVES, default="", help="une seule moitié")
    parser.add_argument(
        "--all-silos", action="store_true", help="chercher dans toutes les familles à la fois"
    )
    parser.add_argument("--failures", action="store_true", help="montrer les échecs")
    parser.add_argument("--hybrid", action="store_true", help=HYBRID_HELP)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, toolbox: Toolbox) -> int:
    """Print the table; 0 whatever the scores. Raises: BadFileError, IndexFileError."""
    questions = read_gold(args.files, args.half)
    service = toolbox.ask(args.index, hybrid=args.hybrid)
    index = toolbox.open_index(args.index)
    plain = PlainSearch(args.index)

    def silos(question: GoldQuestion) -> tuple[Silo, ...]:
        return () if args.all_silos else (question.silo,)

    def find(question: GoldQuestion) -> Sequence[Passage]:
        hits = service.find(question.text, silos=silos(question), limit=DEPTH).hits
        return [hit.passage for hit in hits]

    def find_plainly(question: GoldQuestion) -> Sequence[Passage]:
        silo = None if args.all_silos else question.silo
        return [index.passage(urn) for urn in plain.urns(question.text, silo, DEPTH)]

    ranked = replay(questions, find, find_plainly)
    print(table(ranked))
    if args.failures:
        print(failures(ranked))
    return 0
