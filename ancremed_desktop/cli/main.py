"""The command line: one parser, one file per command, errors in French."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from ancremed_desktop import __version__
from ancremed_desktop.cli import ask, calc, evaluate, library, models, search
from ancremed_desktop.cli.arguments import french_parser
from ancremed_desktop.cli.output import (
    end_output,
    escape_json,
    output_error,
    prepare_streams,
    say,
)
from ancremed_desktop.errors import AncremedError, BugError, Cancelled, MachineError
from ancremed_desktop.services.toolbox import Toolbox

_COMMANDS = (ask, search, library, models, evaluate)


def run(arguments: Sequence[str], toolbox: Toolbox) -> int:
    """Run one command; returns its exit code. Bugs keep their traceback."""
    prepare_streams()
    try:
        try:
            return _execute(arguments, toolbox)
        finally:
            # Here, not when the interpreter ends: a full disk must be said and change the code.
            end_output()
    except BugError:
        raise
    except BrokenPipeError:
        # The reader of our output left (« | head »): nothing to say, and nowhere to say it.
        return 0
    except OSError as error:
        return _fail(output_error(error))
    except AncremedError as error:
        return _fail(error)
    except KeyboardInterrupt:
        return _fail(Cancelled("Interrompu à votre demande."))


def _execute(arguments: Sequence[str], toolbox: Toolbox) -> int:
    if sys.stdout is None:
        raise MachineError("La sortie standard est fermée : rien ne peut être affiché.")
    args = _parser().parse_args(arguments)
    if getattr(args, "json", False):
        escape_json()
    if args.command == "calc":
        return calc.run(args, toolbox.calculator())
    return int(args.run(args, toolbox))


def _parser() -> argparse.ArgumentParser:
    parser = french_parser(
        "AncreMed : réponses cliniques ancrées mot pour mot dans leurs sources.",
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"AncreMed {__version__}",
        help="afficher la version",
    )
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="commande")
    for module in _COMMANDS:
        module.add_parser(subparsers)
    calc.add_parser(subparsers)
    return parser


def _fail(error: AncremedError) -> int:
    say(f"Erreur : {error}", error=True)
    return error.exit_code
