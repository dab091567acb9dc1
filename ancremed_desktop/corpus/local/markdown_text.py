"""Reads Markdown (CommonMark with tables) with markdown-it-py."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

from ancremed_desktop.corpus.local.model import Piece
from ancremed_desktop.corpus.local.table import table_pieces
from ancremed_desktop.corpus.local.wording import tidy
from ancremed_desktop.corpus.pdf.page_text import PageRefusal

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n.*?\n---[ \t]*(?:\n|\Z)", re.DOTALL)


def markdown_pieces(text: str) -> Iterator[Piece | PageRefusal]:
    """Headings, paragraphs, list items and table rows; HTML inside is left out."""
    body = _FRONT_MATTER.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    tokens = MarkdownIt("commonmark").enable("table").parse(body)
    position = 0
    lists = 0
    while position < len(tokens):
        token = tokens[position]
        if token.type == "table_open":
            end = next(i for i in range(position, len(tokens)) if tokens[i].type == "table_close")
            yield from _table(tokens[position:end])
            position = end
        elif token.type == "inline":
            opening = tokens[position - 1]
            level = int(opening.tag[1:]) if opening.type == "heading_open" else 0
            if words := _words(token):
                yield Piece(text=words, level=level, item=lists > 0 and not level)
        elif token.type in {"code_block", "fence"} and (words := tidy(token.content)):
            yield Piece(text=words)
        elif token.type.endswith("_list_open"):
            lists += 1
        elif token.type.endswith("_list_close"):
            lists -= 1
        position += 1


def _table(tokens: Sequence[Token]) -> Iterator[Piece | PageRefusal]:
    rows: list[list[str]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(_words(token))
    yield from table_pieces(rows[1:], rows[0])


def _words(token: Token) -> str:
    parts = []
    for child in token.children or ():
        if child.type in {"text", "code_inline"}:
            parts.append(child.content)
        elif child.type in {"softbreak", "hardbreak"}:
            parts.append(" ")
    return tidy("".join(parts))
