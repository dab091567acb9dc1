"""Reads Markdown (CommonMark with tables and strikes): markdown-it-py turns it into HTML."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt

from ancremed_desktop.corpus.local.html_text import Found, markup_pieces

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n.*?\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_SINGLE_STRIKE = re.compile(r"(?<![~\w\\])~(?=[^\s~])([^~\n]*[^\s~])~(?![~\w])")
"""« ~x~ » is struck where Markdown is shown as GitHub does; no rule of markdown-it knows it."""


def markdown_pieces(text: str) -> tuple[Found, ...]:
    """Headings, paragraphs, list items and table rows, HTML inside read as in a page."""
    body = _FRONT_MATTER.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    body = _SINGLE_STRIKE.sub(r"~~\1~~", body)
    # A line of the text is a line: « • » begins an item there that CommonMark does not know.
    parser = MarkdownIt("commonmark", {"breaks": True}).enable(["table", "strikethrough"])
    _title, pieces = markup_pieces(parser.render(body))
    return pieces
