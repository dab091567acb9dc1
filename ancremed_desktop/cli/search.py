"""``search``: passages of the index, best first."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from ancremed_desktop.cli.output import CORPUS_ONLY_HELP, HYBRID_HELP, say, show
from ancremed_desktop.domain.evidence import SearchHit
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.domain.plans import Question
from ancremed_desktop.errors import BadQuestionError
from ancremed_desktop.services.toolbox import Toolbox
from ancremed_desktop.text.words import content_words

_SNIPPET = 240
_MAX_CHARACTERS = 2000


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser("search", help="chercher des passages")
    parser.add_argument("query", metavar="mots", help="mots à chercher")
    parser.add_argument("--silo", choices=[s.value for s in Silo], help="une seule famille")
    parser.add_argument("--limit", type=int, default=10, help="nombre de passages (1 à 100)")
    parser.add_argument("--json", action="store_true", help="liste en JSON")
    parser.add_argument("--index", type=Path, metavar="FICHIER", help="index à interroger")
    parser.add_argument("--corpus-only", action="store_true", help=CORPUS_ONLY_HELP)
    parser.add_argument("--hybrid", action="store_true", help=HYBRID_HELP)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, toolbox: Toolbox) -> int:
    """Print the passages, best first; a scan of word pieces where no word is known.

    What the query was read as, and what it was widened to, is said on the error output.
    """
    if not args.query.strip() or len(args.query) > _MAX_CHARACTERS:
        raise BadQuestionError("Indiquez de 1 à 2 000 caractères à chercher.")
    if not 1 <= args.limit <= 100:
        raise BadQuestionError("Le nombre de passages va de 1 à 100.")
    silos = (Silo(args.silo),) if args.silo else ()
    found = toolbox.ask(args.index, hybrid=args.hybrid or None, own=not args.corpus_only).find(
        args.query, silos=silos, limit=args.limit
    )
    _say_corrections(found.question)
    if not found.hits and not content_words(args.query):
        raise BadQuestionError(
            f"« {args.query.strip()} » ne contient aucun mot qui puisse être cherché : indiquez "
            "une maladie, un médicament ou un signe."
        )
    if found.warning:
        say(f"Attention : {found.warning}", error=True)
    hits = found.hits
    if args.json:
        print(json.dumps([_row(h) for h in hits], ensure_ascii=False, indent=2))
        return 0
    for hit in hits:
        passage = hit.passage
        page = f", p. {passage.page_number}" if passage.page_number else ""
        show(f"[{passage.silo}] {passage.origin_title}{page}\n    {_snippet(hit)}")
    if not hits:
        say("Aucun passage trouvé.")
    return 0


def _say_corrections(question: Question) -> None:
    typos = [c for c in question.corrections if c.kind == "typo"]
    if any(c.certain for c in typos):
        say(f"Recherche de : {question.text}", error=True)
    wider = [c.replacement for c in typos if not c.certain]
    if wider:
        say(f"Recherche élargie à : {', '.join(wider)}", error=True)


def _snippet(hit: SearchHit) -> str:
    text = " ".join(hit.passage.text.split())
    return text if len(text) <= _SNIPPET else text[: text.rfind(" ", 0, _SNIPPET)] + " …"


def _row(hit: SearchHit) -> dict[str, str | int | float | None]:
    passage = hit.passage
    return {
        "id": passage.urn,
        "silo": passage.silo.value,
        "title": passage.origin_title,
        "page": passage.page_number,
        "score": hit.score,
        "snippet": _snippet(hit),
    }
