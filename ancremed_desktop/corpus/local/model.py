"""What a document of the user is read into: pages of blocks, numbered texts labelled."""

from __future__ import annotations

from dataclasses import dataclass

from ancremed_desktop.corpus.chunking import TextBlock
from ancremed_desktop.corpus.pdf.page_text import PageRefusal
from ancremed_desktop.domain.identifiers import PassageKind

BOLD_LEVEL = 11
"""Level of a line in bold that reads as a heading, below all headings by style or tag."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A heading, paragraph, list item or table row, in reading order.

    ``level``: depth of a heading from 1 (outermost), 0 for text. ``indent``: levels of list that
    stand around it: 0 for a paragraph or an outermost item, 1 for what goes on within that item.
    An item begins with its mark.
    """

    text: str
    level: int = 0
    kind: PassageKind = PassageKind.PROSE
    indent: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalPage:
    """``number``: physical page from 1, ``None`` for a format without pages.

    ``labels``: for each block the label of the numbered text it is part of, or empty.
    """

    number: int | None
    label: str
    text: str
    blocks: tuple[TextBlock, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalText:
    """One file as read. ``title``: its own, empty when it has none; ``date``: ISO, may be empty.

    ``dated_by``: where the date was found (French), for the reader to judge it.
    ``page_count``: 0 for a format without pages. ``refusals``: pages, or parts of the file
    (``number`` 0), that could not be taken.
    """

    title: str
    date: str
    page_count: int
    pages: tuple[LocalPage, ...]
    refusals: tuple[PageRefusal, ...]
    file_sha256: str
    dated_by: str = ""

    @property
    def labels(self) -> frozenset[str]:
        """Labels of all its numbered texts; an empty one when some text has no number."""
        return frozenset(label for page in self.pages for label in page.labels)
