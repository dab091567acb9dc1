"""A long list says again what announces it, as each row of a table says its column headings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ancremed_desktop.corpus.local.model import Piece
from ancremed_desktop.domain.identifiers import PassageKind
from ancremed_desktop.text.articles import opening_label
from ancremed_desktop.text.list_marks import is_item
from ancremed_desktop.text.sentences import sentence_spans

Placed = tuple[Piece, tuple[str, ...]]
"""A piece with the headings above it."""
_MAX_LENGTH = 1500
"""Characters of a list in one piece: less than what may be quoted at once."""


def repeated(placed: Sequence[Placed]) -> Iterator[Placed]:
    """The pieces, with the lead-in of a list and the items around its next item every 1,500
    characters. An article of a law is left as it is: it is shown whole.
    """
    lead: list[Piece] = []
    above: tuple[str, ...] = ()
    length = 0
    for piece, headings in placed:
        if not (is_item(piece.text) or piece.indent) or piece.kind is not PassageKind.PROSE:
            lead, above, length = [_last_sentence(piece)], headings, len(piece.text)
            yield piece, headings
            continue
        lead, above = (lead, above) if headings == above else ([], headings)
        if is_item(piece.text):
            del lead[piece.indent + 1 :]
        size = len(piece.text)
        if len(lead) == piece.indent + 1 and length + size > _MAX_LENGTH:
            if not _is_article(lead[0], headings):
                yield from ((again, headings) for again in lead)
            length = sum(len(again.text) for again in lead)
        yield piece, headings
        length += size
        if is_item(piece.text):
            lead.append(piece)


def _last_sentence(piece: Piece) -> Piece:
    spans = sentence_spans(piece.text)
    return Piece(text=piece.text[slice(*spans[-1])]) if spans else piece


def _is_article(lead: Piece, headings: Sequence[str]) -> bool:
    return bool(opening_label(lead.text)) or any(map(opening_label, headings))
