"""Pieces of pages before their offsets are known, and what crosses from one page to the next."""

from __future__ import annotations

from collections.abc import Sequence

from ancremed_desktop.corpus.chunking import TextBlock
from ancremed_desktop.corpus.pdf.layout import PageLayout
from ancremed_desktop.corpus.pdf.page_text import PageText
from ancremed_desktop.corpus.pdf.paragraphs import Paragraph, runs_on
from ancremed_desktop.domain.identifiers import PassageKind
from ancremed_desktop.text.list_marks import INDENT
from ancremed_desktop.text.sentences import sentence_spans

_BREAK = "\n\n"


class PagePiece:
    """A paragraph or table row of a page, before offsets are known.

    ``indent``: levels of list around it; ``item``: it begins an item of a list.
    """

    __slots__ = ("heading", "indent", "item", "kind", "note", "section", "size", "text")

    def __init__(
        self,
        text: str,
        heading: str,
        section: str,
        paragraph: Paragraph | None,
        kind: PassageKind = PassageKind.PROSE,
    ) -> None:
        self.text = text
        self.heading = heading
        self.section = section
        self.kind = kind
        self.item = bool(paragraph and paragraph.item)
        self.note = bool(paragraph and paragraph.note)
        self.size = paragraph.size if paragraph else 0.0
        self.indent = 0


def carry_over(pages: Sequence[tuple[int, list[PagePiece]]]) -> None:
    """Move what a page break cuts back to where it began: the end of a sentence, of a list.

    ``pages``: (number, pieces) in order. A list goes on under the same heading; its items would
    else lose what announces them.
    """
    kept: tuple[int, list[PagePiece]] | None = None
    for number, pieces in pages:
        if kept is not None and number == kept[0] + 1:
            _carry_sentence(kept[1], pieces)
            _carry_list(kept[1], pieces)
        # A page whose pieces all went back is not where the next one goes on.
        kept = (number, pieces if pieces or kept is None or number != kept[0] + 1 else kept[1])


def _last(pieces: Sequence[PagePiece]) -> PagePiece | None:
    return next((p for p in reversed(pieces) if not p.note), None)


def _carry_sentence(pieces: Sequence[PagePiece], following: list[PagePiece]) -> None:
    last = _last(pieces)
    first = following[0] if following else None
    if (
        last is None or first is None or last.kind is not PassageKind.PROSE
        or first.kind is not PassageKind.PROSE or first.note or first.item
        or abs(last.size - first.size) > 0.6 or not runs_on(last.text, first.text)
    ):  # fmt: skip
        return
    joined = f"{last.text} {first.text}"
    end = next((e for s, e in sentence_spans(joined) if e > len(last.text)), len(joined))
    last.text = joined[:end]
    first.text = joined[end:].strip()
    if not first.text:
        del following[0]


def _carry_list(pieces: list[PagePiece], following: list[PagePiece]) -> None:
    last = _last(pieces)
    if last is None or last.kind is not PassageKind.PROSE:
        return
    place = pieces.index(last) + 1
    while following and following[0].item and following[0].heading == last.heading:
        pieces.insert(place, following.pop(0))
        place += 1


def page_text(page: PageLayout, label: str, pieces: Sequence[PagePiece]) -> PageText:
    """The pieces of a page with their offsets, blank lines between, items indented."""
    text = ""
    blocks: list[TextBlock] = []
    for piece in pieces:
        text += f"{_BREAK}{INDENT * piece.indent}" if text else ""
        blocks.append(
            TextBlock(
                start=len(text),
                end=len(text) + len(piece.text),
                heading=piece.heading,
                section=piece.section,
                kind=piece.kind,
            )
        )
        text += piece.text
    return PageText(number=page.number, label=label, text=text, blocks=tuple(blocks))
