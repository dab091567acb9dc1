"""``evaluate tune``: choose the weights of the ranked search on the gold questions."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from ancremed_desktop.errors import MachineError, reason_of
from ancremed_desktop.evaluation.gold import GoldQuestion, read_gold
from ancremed_desktop.evaluation.tune import Case, as_toml, tune
from ancremed_desktop.index.index_file import IndexFile
from ancremed_desktop.index.rescore import WEIGHTS_FILE
from ancremed_desktop.index.search import POOL, Searcher
from ancremed_desktop.services.ask import AskService
from ancremed_desktop.services.toolbox import Toolbox


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser("tune", help="choisir les poids du classement")
    parser.add_argument(
        "files", type=Path, nargs="+", metavar="QUESTIONS.jsonl", help="questions et passages"
    )
    parser.add_argument(
        "--index", type=Path, required=True, metavar="FICHIER", help="index à interroger"
    )
    parser.add_argument(
        "--out", type=Path, default=WEIGHTS_FILE, metavar="POIDS.toml", help="fichier à écrire"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, toolbox: Toolbox) -> int:
    """Write the weights and print them. Raises: BadFileError, IndexFileError, MachineError."""
    questions = read_gold(args.files, "tuning")
    cases = _cases(questions, toolbox.ask(args.index), Searcher(IndexFile(args.index)))
    names = " ".join(str(f) for f in args.files)
    text = as_toml(tune(cases), f"main.py evaluate tune {names} --index FICHIER")
    try:
        args.out.write_text(text, "utf-8")
    except OSError as error:
        raise MachineError(f"Impossible d’écrire {args.out} : {reason_of(error)}.") from error
    print(text, end="")
    return 0


def _cases(
    questions: tuple[GoldQuestion, ...], service: AskService, searcher: Searcher
) -> Iterator[Case]:
    """Questions whose expected passage is within reach of the weights: somewhere in the pool."""
    for question in questions:
        found = service.find(question.text, silos=(question.silo,), limit=POOL)
        expected = tuple(question.is_answered_by(h.passage) for h in found.hits)
        if any(expected):
            query = searcher.scored_query(found.request)
            yield Case(
                question=question,
                pool=searcher.counted([h.passage for h in found.hits], query),
                is_expected=expected,
                query=query,
            )
