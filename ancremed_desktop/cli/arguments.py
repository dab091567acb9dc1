"""The parser of the command line, whose own messages are in French.

The standard library sends each of its messages through two functions of its module, made to be
translated; no catalogue in French comes with it.
"""

from __future__ import annotations

import argparse

from ancremed_desktop.text.french import NBSP

_MESSAGES = {
    "usage: ": "utilisation : ",
    "positional arguments": f"arguments{NBSP}",
    "options": f"options{NBSP}",
    "show this help message and exit": "afficher cette aide",
    "%(prog)s: error: %(message)s\n": "%(prog)s : erreur : %(message)s\n",
    "argument %(argument_name)s: %(message)s": "argument %(argument_name)s : %(message)s",
    "the following arguments are required: %s": "il manque : %s",
    "one of the arguments %s is required": "il faut l’un de ces arguments : %s",
    "unrecognized arguments: %s": "arguments inconnus : %s",
    "not allowed with argument %s": "incompatible avec l’argument %s",
    "ignored explicit argument %r": "aucune valeur n’est attendue (reçu : %r)",
    "expected one argument": "une valeur est attendue",
    "expected at most one argument": "une valeur au plus est attendue",
    "expected at least one argument": "au moins une valeur est attendue",
    "expected %s argument": "%s valeur est attendue",
    "expected %s arguments": "%s valeurs sont attendues",
    "ambiguous option: %(option)s could match %(matches)s": (
        "option ambiguë : %(option)s peut être %(matches)s"
    ),
    "invalid %(type)s value: %(value)r": "valeur non valable : « %(value)s »",
    "invalid choice: %(value)r (choose from %(choices)s)": (
        "choix inconnu : « %(value)s » (choix possibles : %(choices)s)"
    ),
}


def _french(message: str) -> str:
    text = _MESSAGES.get(message, message)  # « %s » is no percentage: spaces are set by hand
    for plain, shown in ((" :", f"{NBSP}:"), ("« ", f"«{NBSP}"), (" »", f"{NBSP}»")):
        text = text.replace(plain, shown)
    return text


def french_parser(description: str) -> argparse.ArgumentParser:
    """A parser for ``main.py`` that speaks French, as do the parsers added to it."""
    setattr(argparse, "_", _french)  # noqa: B010 - a name the type checker does not know
    setattr(  # noqa: B010 - likewise
        argparse, "ngettext", lambda one, many, count: _french(one if count == 1 else many)
    )
    return argparse.ArgumentParser(prog="main.py", description=description)
