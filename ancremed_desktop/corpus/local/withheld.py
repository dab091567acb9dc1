"""What cannot be read as it is meant is left out by name: a text in its place says so."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ancremed_desktop.corpus.local.model import Piece
from ancremed_desktop.corpus.local.plausible import is_converted_twice
from ancremed_desktop.corpus.local.wording import TURNS, WITHIN_NUMBER
from ancremed_desktop.corpus.omitted import (
    ENDLESS,
    MISREAD,
    PARTED,
    STRUCK,
    TURNED,
    UNKNOWN,
    omitted,
)
from ancremed_desktop.corpus.pdf.page_text import PageRefusal
from ancremed_desktop.domain.identifiers import PassageKind

_OVERLAYS = frozenset("\u0335\u0336\u0337\u0338")
"""Strokes that strike the character before; « ≠ » is one character and none of them."""
_BULLETS = re.compile(r"^[\uf0a7\uf0a8\uf0b7\uf0d8\uf0e0\uf0f0\uf0fc\uf076](?=\s)")
"""Bullets of Word in its picture fonts."""
MAX_PARAGRAPH = 20_000
"""Characters: seven pages without a paragraph are no text that one reads."""


def withheld(text: str, why: str, *, indent: int = 0) -> tuple[Piece, PageRefusal]:
    """What stands for a paragraph that is not taken, and the refusal that names it."""
    said, refusal = omitted(text, why)
    return Piece(text=said, indent=indent), refusal


def readable(items: Iterable[Piece | PageRefusal]) -> Iterator[Piece | PageRefusal]:
    """The pieces of a file; those with struck or unreadable characters are withheld."""
    for item in items:
        if not isinstance(item, Piece):
            yield item
            continue
        text = _BULLETS.sub("•", item.text)
        why = _objection(text)
        if why:
            stand_in, refusal = withheld(text, why)
            yield replace(item, text=stand_in.text)
            yield refusal
        else:
            yield replace(item, text=text)


def _objection(text: str) -> str:
    if len(text) > MAX_PARAGRAPH:
        return ENDLESS
    if not _OVERLAYS.isdisjoint(unicodedata.normalize("NFC", text)):
        return STRUCK
    if not TURNS.isdisjoint(text):
        return TURNED
    if WITHIN_NUMBER in text:
        return PARTED
    if is_converted_twice(text):
        return MISREAD
    return UNKNOWN if any(unicodedata.category(c) == "Co" or c == "\ufffd" for c in text) else ""


def row_withheld(text: str, why: str) -> tuple[Piece, PageRefusal]:
    """As ``withheld``, for a row of a table."""
    piece, refusal = withheld(text, why)
    named = replace(
        refusal,
        reason=f"une ligne de tableau n’est pas reprise\u00a0: {why}",
        part=refusal.part.replace("paragraphe", "ligne", 1),
    )
    return replace(piece, kind=PassageKind.TABLE), named
