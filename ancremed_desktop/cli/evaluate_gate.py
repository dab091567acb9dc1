"""``evaluate gate``: run the real gate and verifier on a file of challenge cases."""

from __future__ import annotations

import argparse
from pathlib import Path

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.errors import UserError
from ancremed_desktop.evaluation.gate import Stage, read_cases, run_cases, table, write_verdicts
from ancremed_desktop.pipeline.rules.rule_verifier import RuleVerifier
from ancremed_desktop.ports import Verifier


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser("gate", help="éprouver la porte et le vérificateur")
    parser.add_argument("cases", type=Path, metavar="CAS.jsonl", help="cas, un objet par ligne")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="VERDICTS.jsonl", help="verdicts à écrire"
    )
    parser.add_argument(
        "--stage",
        choices=[s.value for s in Stage],
        default=Stage.RULES.value,
        help="deterministic : la porte seule ; rules : avec le vérificateur à règles",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, _toolbox: object = None) -> int:
    """Write the verdicts and print the table; 0 whatever the scores.

    Raises:
        BadFileError: the cases cannot be read.
        UserError: no qualified model verifier exists.
        OSError: the verdicts cannot be written.

    """
    if args.out.exists() and args.out.suffix != ".jsonl":
        raise UserError(
            f"{args.out} existe déjà et n’est pas un fichier .jsonl : il n’est pas remplacé. "
            "Choisissez un autre nom pour --out."
        )
    cases = read_cases(args.cases)
    verdicts = run_cases(cases, _verifier(Stage(args.stage)), CancelToken())
    write_verdicts(args.out, verdicts)
    print(table(cases, verdicts))
    return 0


def _verifier(stage: Stage) -> Verifier | None:
    if stage is Stage.MODEL:
        raise UserError(
            "Aucun modèle vérificateur n’est qualifié sur cette machine : "
            "utilisez « --stage rules » ou « --stage deterministic »."
        )
    return RuleVerifier() if stage is Stage.RULES else None
