"""Pieces of pages before their offsets are known, and what crosses from one page to the next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ancremed_desktop.corpus.chunking import TextBlock
from ancremed_desktop.corpus.omitted import omitted
from ancremed_desktop.corpus.pdf.layout import PageLayout
from ancremed_desktop.corpus.pdf.page_text import PageRefusal, PageText
from ancremed_desktop.corpus.pdf.paragraphs import Paragraph, ends_open, goes_on, runs_on
from ancremed_desktop.domain.identifiers import PassageKind
from ancremed_desktop.text.announcing import is_ended
from ancremed_desktop.text.list_marks import INDENT
from ancremed_desktop.text.sentences import sentence_spans

_BREAK = "\n\n"
_GOES_ON_UNREAD = "la phrase continue sur une page qui n’a pas pu être lue"
_BEGINS_UNREAD = "la phrase commence sur une page qui n’a pas pu être lue"


class PagePiece:
    """A paragraph or table row of a page, before offsets are known.

    ``indent``: levels of list around it; ``item``: it begins an item of a list.
    """

    __slots__ = ("full", "heading", "indent", "item", "kind", "note", "section", "size", "text")

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
        self.full = bool(paragraph and paragraph.full)
        self.size = paragraph.size if paragraph else 0.0
        self.indent = 0


def carry_over(pages: Sequence[tuple[int, list[PagePiece]]]) -> list[PageRefusal]:
    """Move what a page break cuts back to where it began: the end of a sentence, of a list.

    ``pages``: (number, pieces) in order, those that could not be read left out: what they cut is
    withheld, and the refusals say so. A list goes on under the same heading; its items would else
    lose what announces them.
    """
    refusals: list[PageRefusal] = []
    kept: tuple[int, list[PagePiece]] | None = None
    for number, pieces in pages:
        unread = number > 1 if kept is None else number != kept[0] + 1
        if unread:
            refusals += _withhold_ends(kept, (number, pieces))
        elif kept is not None:
            _carry_sentence(kept[1], pieces)
            _carry_list(kept[1], pieces)
        # A page whose pieces all went back is not where the next one goes on.
        kept = (number, pieces if pieces or kept is None or unread else kept[1])
    return refusals


def _withhold_ends(
    before: tuple[int, list[PagePiece]] | None, after: tuple[int, list[PagePiece]]
) -> Iterator[PageRefusal]:
    """Withhold the halves of sentences on both sides of pages that were not read."""
    last = _last(before[1]) if before else None
    if before and last and last.kind is PassageKind.PROSE and _breaks_off(last):
        start = max(s for s, _e in sentence_spans(last.text))
        said, refusal = omitted(last.text[start:], _GOES_ON_UNREAD, before[0])
        last.text = last.text[:start] + said
        yield refusal
    first = after[1][0] if after[1] else None
    prose = first and first.kind is PassageKind.PROSE and not (first.note or first.item)
    if first and prose and (first.text[:1].islower() or first.text.startswith("(")):
        end = min(e for _s, e in sentence_spans(first.text))
        said, refusal = omitted(first.text[:end], _BEGINS_UNREAD, after[0])
        first.text = said + first.text[end:]
        yield refusal


def _breaks_off(piece: PagePiece) -> bool:
    """Whether a paragraph ends in the midst of a sentence, for all one can see."""
    whole = is_ended(piece.text) or piece.text.endswith((":", "]"))
    return not whole and ((piece.full and not piece.item) or ends_open(piece.text))


def _last(pieces: Sequence[PagePiece]) -> PagePiece | None:
    return next((p for p in reversed(pieces) if not p.note), None)


def _carry_sentence(pieces: Sequence[PagePiece], following: list[PagePiece]) -> None:
    last = _last(pieces)
    first = following[0] if following else None
    if (
        last is None or first is None or last.kind is not PassageKind.PROSE
        or first.kind is not PassageKind.PROSE or first.note or first.item
        or abs(last.size - first.size) > 0.6
        or not (runs_on(last.text, first.text) or _goes_on_full(last, first))
    ):  # fmt: skip
        return
    joined = f"{last.text} {first.text}"
    end = next((e for s, e in sentence_spans(joined) if e > len(last.text)), len(joined))
    last.text = joined[:end]
    first.text = joined[end:].strip()
    if not first.text:
        del following[0]


def _goes_on_full(last: PagePiece, first: PagePiece) -> bool:
    """Whether a full line without a stop goes on overleaf: items of a list often have none."""
    same = last.heading == first.heading and not last.item
    return last.full and same and goes_on(last.text, first.text)


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
