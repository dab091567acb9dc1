"""The command line: one parser, one file per command, errors in French."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from ancremed_desktop import __version__
from ancremed_desktop.cli import ask, calc, evaluate, library, search
from ancremed_desktop.errors import AncremedError, BugError
from ancremed_desktop.services.toolbox import Toolbox

_COMMANDS = (ask, search, library, evaluate)


def run(arguments: Sequence[str], toolbox: Toolbox) -> int:
    """Run one command; returns its exit code. Bugs keep their traceback."""
    parser = argparse.ArgumentParser(
        prog="main.py",
        description="AncreMed : réponses cliniques ancrées mot pour mot dans leurs sources.",
    )
    parser.add_argument("--version", action="version", version=f"AncreMed {__version__}")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="commande")
    for module in _COMMANDS:
        module.add_parser(subparsers)
    calc.add_parser(subparsers)
    args = parser.parse_args(arguments)
    try:
        if args.command == "calc":
            return calc.run(args, toolbox.calculator())
        return int(args.run(args, toolbox))
    except BugError:
        raise
    except BrokenPipeError:
        # The reader of our output left (« | head »): nothing to say, and nowhere to say it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except AncremedError as error:
        print(f"Erreur : {error}", file=sys.stderr)
        return error.exit_code
