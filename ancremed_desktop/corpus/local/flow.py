"""Puts pieces under their headings and finds which numbered text each belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ancremed_desktop.corpus.chunking import TextBlock
from ancremed_desktop.corpus.local.long_lists import Placed, repeated
from ancremed_desktop.corpus.local.model import BOLD_LEVEL, LocalPage, Piece
from ancremed_desktop.corpus.sections import section_of
from ancremed_desktop.domain.identifiers import PassageKind
from ancremed_desktop.text.announcing import WITHHELD, is_ended, is_title, leads, overrules
from ancremed_desktop.text.articles import opening_label, section_label, spoken
from ancremed_desktop.text.list_marks import INDENT, is_item

SEPARATOR = " > "
_BREAK = "\n\n"
_TITLE_WORDS = 6
_ORDERS = re.compile(r"\w{2,}(?:er|ir|oir|re|ez)\b|ne\b", re.IGNORECASE)
"""How an instruction without a full stop begins: « Arrêter la metformine »."""


class Numbering:
    """Follows a document from block to block: which article or section is being read.

    An article runs from its heading, or from the paragraph that opens with its number, to the
    next one or to a heading that does not stand under it; sections nest, articles do not.
    """

    def __init__(self) -> None:
        self._headings: tuple[str, ...] = ()
        self._opened = ""

    def place(self, headings: tuple[str, ...], text: str) -> tuple[tuple[str, ...], str]:
        """Headings above a block, an article opened in the text included, and its label."""
        if headings != self._headings:
            self._headings, self._opened = headings, ""
        self._opened = opening_label(text) or self._opened
        if self._opened and self._opened != _label(headings):
            name = spoken(self._opened)
            return (*headings, name[0].upper() + name[1:]), self._opened
        return headings, _label(headings)


def _label(headings: Sequence[str]) -> str:
    """Innermost article, else innermost numbered section."""
    labels = [label for label in map(section_label, reversed(headings)) if label]
    return next((x for x in labels if x.startswith("art-")), labels[0] if labels else "")


def flow_page(pieces: Iterable[Piece]) -> LocalPage:
    """The pieces of a format without pages as one page.

    A heading stands above each passage, and is not quoted: one that announces a list, a limit or
    an interdiction is text as well. Rows of a table keep what announces the table.
    """
    numbering = Numbering()
    path: list[Piece] = []
    placed: list[Placed] = []
    announced, fresh = "", False
    for piece in _titled(tuple(_rejoined(pieces))):
        above = tuple(p.text for p in path)
        if piece.level:
            path = [*(p for p in path if p.level < piece.level), piece]
            announced = piece.text if _announces(piece.text) else ""
            fresh = True
            continue
        if piece.kind is PassageKind.TABLE:
            row = f"{announced.rstrip(' :')}\u00a0: {piece.text}" if announced else piece.text
            placed.append((replace(piece, text=row), above))
        else:
            if fresh and path and (is_item(piece.text) or _announces(path[-1].text)):
                placed.append((Piece(text=path[-1].text), above))
            placed.append((piece, above))
            announced = piece.text if leads(piece.text) else ""
        fresh = False
    return make_page(None, "", list(repeated(placed)), numbering)


def _rejoined(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The pieces, a paragraph without a stop and one that begins in small letters being one: each
    half alone may say the contrary (« Ne pas donner », then « de digoxine en cas de bloc »).
    """
    waiting: Piece | None = None
    for piece in pieces:
        if waiting is not None and _goes_on(waiting, piece):
            waiting = replace(waiting, text=f"{waiting.text}\n{piece.text}")
            continue
        if waiting is not None:
            yield waiting
        waiting = piece
    if waiting is not None:
        yield waiting


def _goes_on(first: Piece, then: Piece) -> bool:
    plain = all(
        p.kind is PassageKind.PROSE and not (p.level or is_item(p.text)) for p in (first, then)
    )
    stopped = is_ended(first.text) or leads(first.text) or first.text.endswith(";")
    return plain and not stopped and first.indent == then.indent and then.text[:1].islower()


def _titled(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """The pieces, a bare line over a sentence as its heading: « Enfant », then a dose.

    Several in a row are names of something, and stay text.
    """
    bare = [_is_bare(piece) for piece in pieces]
    for at, piece in enumerate(pieces):
        before = pieces[at - 1] if at else None
        after = pieces[at + 1] if at + 1 < len(pieces) else None
        alone = before is None or not (
            bare[at - 1] or leads(before.text) or WITHHELD in before.text
        )
        over = after is not None and not (bare[at + 1] or after.level or after.indent)
        if bare[at] and alone and after is not None and over and _is_sentence(after):
            yield replace(piece, level=BOLD_LEVEL + 1)
        else:
            yield piece


def _is_bare(piece: Piece) -> bool:
    """Whether a paragraph reads as a heading and gives no order."""
    text = piece.text
    return (
        piece.kind is PassageKind.PROSE
        and not (piece.level or piece.indent or is_item(text) or ":" in text)
        and is_title(text)
        and len(text.split()) <= _TITLE_WORDS
        and not any(map(str.isdigit, text))
        and not _ORDERS.match(text)
    )


def _is_sentence(piece: Piece) -> bool:
    prose = piece.kind is PassageKind.PROSE and not is_item(piece.text)
    return prose and (piece.text[:1].isupper() or piece.text[:1].isdigit())


def _announces(heading: str) -> bool:
    return leads(heading) or overrules(heading)


def make_page(
    number: int | None,
    label: str,
    placed: Sequence[Placed],
    numbering: Numbering,
) -> LocalPage:
    """A page of pieces, each with the headings above it; blank lines between pieces."""
    parts: list[str] = []
    blocks: list[TextBlock] = []
    labels: list[str] = []
    length = 0
    for piece, above in placed:
        headings, own = numbering.place(
            above, "" if piece.kind is PassageKind.TABLE else piece.text
        )
        gap = f"{_BREAK}{INDENT * piece.indent}" if parts else ""
        start = length + len(gap)
        length = start + len(piece.text)
        parts += [gap, piece.text]
        blocks.append(
            TextBlock(
                start=start,
                end=length,
                heading=SEPARATOR.join(headings),
                section=next((s for h in reversed(headings) if (s := section_of(h))), ""),
                kind=piece.kind,
            )
        )
        labels.append(own)
    return LocalPage(
        number=number,
        label=label,
        text="".join(parts),
        blocks=tuple(blocks),
        labels=tuple(labels),
    )


def split_title(pieces: Sequence[Piece]) -> tuple[str, tuple[Piece, ...]]:
    """The title and the rest: a first heading that is alone of its level, above all others.

    One that announces what stands right under it stays a heading as well.
    """
    headings = [p for p in pieces if p.level]
    first = pieces[0] if pieces else None
    if first is None or not first.level or opening_label(first.text):
        return "", tuple(pieces)
    if any(p.level <= first.level for p in headings[1:]) or WITHHELD in first.text:
        return "", tuple(pieces)
    listed = bool(pieces[1:]) and not pieces[1].level and is_item(pieces[1].text)
    return first.text, tuple(pieces if listed or _announces(first.text) else pieces[1:])
