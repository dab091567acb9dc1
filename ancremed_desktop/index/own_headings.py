"""Passages of the user's documents by the words of their headings, which the full text does not
hold: « 4. Sortie contre avis médical » is all that names what stands below it.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.index import rescore, rows
from ancremed_desktop.index.index_file import IndexFile
from ancremed_desktop.index.postings import Array
from ancremed_desktop.index.rescore import ScoredQuery

MOST = 50
"""Passages taken for a query."""
_HEADINGS = """
SELECT p.row, s.title, heading.label FROM passages p JOIN sources s ON s.number = p.source
JOIN labels heading ON heading.number = p.heading
WHERE p.row BETWEEN ? AND ? AND heading.label <> ''
"""


class OwnHeadings:
    """The headings of one index file, read once: files do not change."""

    def __init__(self, file: IndexFile) -> None:
        """``file``: index whose user's documents are looked at. Raises: IndexFileError."""
        first, last = rows.row_range((Silo.LOCAL,), with_superseded=False)
        self._under: dict[str, list[int]] = {}
        for row, title, label in file.query(_HEADINGS, first, last):
            # A title repeated above the text is no heading.
            own = str(label).removeprefix(str(title))
            self._under.setdefault(rescore.padded_heading(own, ""), []).append(int(str(row)))

    def rowids(self, query: ScoredQuery) -> Array:
        """Rowids under the headings that hold concepts of a query (int64), those of the rarest
        first, at most ``MOST``.
        """
        rarest = [max(idfs) for idfs in query.idfs]
        wanted = [rescore.stemmed(concept.phrases) for concept in query.concepts]
        ranked = []
        for heading, under in self._under.items():
            held = (idf for idf, said in zip(rarest, wanted, strict=True) if _holds(heading, said))
            if worth := sum(held):
                ranked.append((-worth, under))
        ranked.sort(key=lambda r: r[0])
        found = [row for _worth, under in ranked for row in under]
        return np.array(found[:MOST], np.int64)


def _holds(heading: str, phrases: Collection[str]) -> bool:
    return any(phrase in heading for phrase in phrases)
