"""``search``: passages of the index, best first."""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path

from ancremed_desktop.domain.evidence import MatchMode, SearchHit, SearchRequest
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.errors import BadQuestionError
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.services.ask import altered_warning
from ancremed_desktop.services.toolbox import Toolbox
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import STOP_WORDS, content_words

_SNIPPET = 240
_MAX_CHARACTERS = 2000
_MIN_TYPO_LETTERS = 5
_WORD = re.compile(r"(?<![\w-])[^\W\d_]+(?![\w-])")


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = subparsers.add_parser("search", help="chercher des passages")
    parser.add_argument("query", metavar="mots", help="mots à chercher")
    parser.add_argument("--silo", choices=[s.value for s in Silo], help="une seule famille")
    parser.add_argument("--limit", type=int, default=10, help="nombre de passages (1 à 100)")
    parser.add_argument("--json", action="store_true", help="liste en JSON")
    parser.add_argument("--index", type=Path, metavar="FICHIER", help="index à interroger")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, toolbox: Toolbox) -> int:
    """Print the passages; all words first, then any of them, then a scan.

    Words that no passage holds are read as the nearest of the vocabulary, and that is said.
    """
    if not args.query.strip() or len(args.query) > _MAX_CHARACTERS:
        raise BadQuestionError("Indiquez de 1 à 2 000 caractères à chercher.")
    if not 1 <= args.limit <= 100:
        raise BadQuestionError("Le nombre de passages va de 1 à 100.")
    index = toolbox.open_index(args.index)
    args.query = _corrected(index, args.query)
    hits = _widening(index, args)
    if not hits and not content_words(args.query):
        raise BadQuestionError(
            f"« {args.query.strip()} » ne contient aucun mot qui puisse être cherché : indiquez "
            "une maladie, un médicament ou un signe."
        )
    warning = altered_warning(index)
    if warning:
        print(f"Attention : {warning}", file=sys.stderr)
    if args.json:
        print(json.dumps([_row(h) for h in hits], ensure_ascii=False, indent=2))
        return 0
    for hit in hits:
        passage = hit.passage
        page = f", p. {passage.page_number}" if passage.page_number else ""
        print(f"[{passage.silo}] {passage.origin_title}{page}\n    {_snippet(hit)}")
    if not hits:
        print("Aucun passage trouvé.")
    return 0


def _corrected(index: PassageIndex, query: str) -> str:
    """The query with its misspelt words replaced; said on the error output when it differs."""
    corrected = _WORD.sub(lambda match: _nearest(index, match[0]), query)
    if corrected != query:
        print(f"Recherche de : {corrected}", file=sys.stderr)
    return corrected


def _nearest(index: PassageIndex, word: str) -> str:
    key = fold(word)
    if len(key) < _MIN_TYPO_LETTERS or key in STOP_WORDS or index.document_frequency(word):
        return word
    # The beginning of a longer word is no misspelling: the scan finds it.
    request = SearchRequest(query=word, mode=MatchMode.SUBSTRING, limit=1)
    if any(key in fold(hit.passage.text) for hit in index.search(request)):
        return word
    return next(iter(index.vocabulary_matches(word, 1)), word)


def _widening(index: PassageIndex, args: argparse.Namespace) -> tuple[SearchHit, ...]:
    silos = (Silo(args.silo),) if args.silo else ()
    for mode in (MatchMode.ALL, MatchMode.ANY, MatchMode.SUBSTRING):
        hits = index.search(
            SearchRequest(query=args.query, mode=mode, silos=silos, limit=args.limit)
        )
        if hits:
            return hits
    return ()


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
