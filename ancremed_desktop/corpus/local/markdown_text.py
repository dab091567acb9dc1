"""Reads Markdown (CommonMark with tables and strikes): markdown-it-py turns it into HTML."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt

from ancremed_desktop.corpus.local.html_text import Found, markup_pieces

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n.*?\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_SINGLE_STRIKE = re.compile(r"(?<![~\w\\])~(?=[^\s~])([^~\n]*[^\s~])~(?![~\w])")
"""« ~x~ » is struck where Markdown is shown as GitHub does; no rule of markdown-it knows it."""
_NOTE = re.compile(r"^\[\^([^\]\s]+)\]:[ \t]*(.+(?:\n(?:[ \t]{2,}.+))*)", re.MULTILINE)
_NOTE_CALL = re.compile(r"\[\^([^\]\s]+)\]")


def markdown_pieces(text: str) -> tuple[Found, ...]:
    """Headings, paragraphs, list items and table rows, HTML inside read as in a page."""
    body = _FRONT_MATTER.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    body = _with_notes(body)
    body = _SINGLE_STRIKE.sub(r"~~\1~~", body)
    # A line of the text is a line: « • » begins an item there that CommonMark does not know.
    parser = MarkdownIt("commonmark", {"breaks": True}).enable(["table", "strikethrough"])
    _title, pieces = markup_pieces(parser.render(body))
    return pieces


def _with_notes(body: str) -> str:
    """Foot notes put where they are called: a note may take back what its sentence says."""
    notes = {found[1]: " ".join(found[2].split()) for found in _NOTE.finditer(body)}
    if not notes:
        return body

    def said(call: re.Match[str]) -> str:
        return f" (note\u00a0: {notes[call[1]]})" if call[1] in notes else call[0]

    return _NOTE_CALL.sub(said, _NOTE.sub("", body))
