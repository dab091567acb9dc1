"""Writes each row of a table as one line that keeps its column headings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ancremed_desktop.corpus.local.model import Piece
from ancremed_desktop.corpus.pdf.page_text import PageRefusal
from ancremed_desktop.domain.identifiers import PassageKind


def table_pieces(
    rows: Sequence[Sequence[str]], headings: Sequence[str]
) -> Iterator[Piece | PageRefusal]:
    """Rows as « Heading : cell ; heading : cell », empty cells left out.

    A cell across several columns or rows is given in each of them. A table whose headings do not
    tell its columns apart is refused: a dose under the wrong heading is worse than no dose.
    """
    named = [name for name in headings if name]
    if len(named) != len(set(named)):
        reason = "un tableau n’est pas repris : deux de ses colonnes ont le même intitulé"
        yield PageRefusal(number=0, reason=reason, whole=False, part="tableau")
        return
    for row in rows:
        if len(row) > 1 and len(set(row)) == 1:
            line = row[0]  # one cell across the whole table
        else:
            line = " ; ".join(
                f"{name} : {cell}" if name and name != cell else cell
                for name, cell in zip(_padded(headings, len(row)), row, strict=True)
                if cell
            )
        if line:
            yield Piece(text=line, kind=PassageKind.TABLE)


def _padded(headings: Sequence[str], width: int) -> list[str]:
    return [*headings[:width], *[""] * (width - len(headings))]
