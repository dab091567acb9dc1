"""How much of a list or table an answer shows: « 5 éléments sur 7 », never a part as the whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from ancremed_desktop.domain.answers import AnswerSpan, PartialList
from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.identifiers import PassageKind, Silo
from ancremed_desktop.domain.spans import VerifiedAssertion
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.lists import lines_of
from ancremed_desktop.text.sentences import sentence_spans

_GAP = 12
"""Blanks, line ends and indents, that may be lost between two passages of one page."""
_Range = tuple[int, int]


def partial_lists(spans: Sequence[AnswerSpan], index: PassageIndex) -> tuple[PartialList, ...]:
    """The lists, tables and card sections of which a section of the answer shows only a part.

    A list that the index holds in several passages of one page counts as one. What a section
    shows of a card filed under another section is no part of a list.
    """
    cited: dict[tuple[str, str, int | None, PassageKind, str], list[int]] = {}
    for position, span in enumerate(spans):
        if isinstance(span, VerifiedAssertion):
            passage = span.anchored.passage
            alone = "" if passage.page_number else passage.urn
            key = (passage.source_key, alone, passage.page_number, passage.kind, _section(span))
            cited.setdefault(key, []).append(position)
    found: list[PartialList] = []
    for positions in cited.values():
        found += _of_page(spans, positions, index)
    return tuple(sorted(found, key=lambda p: p.span))


def _section(span: VerifiedAssertion) -> str:
    return span.anchored.draft.section


def _of_page(
    spans: Sequence[AnswerSpan], positions: Sequence[int], index: PassageIndex
) -> Iterator[PartialList]:
    quoted: list[tuple[int, _Range]] = []
    for position in positions:
        span = spans[position]
        if isinstance(span, VerifiedAssertion):
            start = span.anchored.passage.char_start
            ends = (start + span.anchored.char_start, start + span.anchored.char_end)
            quoted.append((position, ends))
            passage, section = span.anchored.passage, _section(span)
    for unit, items in _lists(passage, section, _page(passage, index)):
        holders = [at for at, ends in quoted if any(_meet(ends, item) for item in items)]
        shown = sum(any(_meet(ends, item) for _at, ends in quoted) for item in items)
        if holders and shown < len(items):
            yield PartialList(span=holders[-1], shown=shown, total=len(items), unit=unit)


def _meet(one: _Range, other: _Range) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _page(passage: Passage, index: PassageIndex) -> tuple[Passage, ...]:
    """The passages of the same kind on the page of one, in order: a list may go on in them."""
    if passage.page_number is None:
        return (passage,)
    same = {
        p.char_start: p
        for p in index.passages_of(passage.source_identifier)
        if p.source_key == passage.source_key
        and p.page_number == passage.page_number
        and p.kind is passage.kind
    }
    return tuple(same[start] for start in sorted(same))


def _lists(
    passage: Passage, section: str, page: Sequence[Passage]
) -> Iterator[tuple[str, list[_Range]]]:
    """(unit, items as ranges of the page) of each list, table or card section."""
    if passage.kind is PassageKind.TABLE:
        for rows in _tables(page):
            yield ("lignes du tableau", rows)
    elif passage.silo is Silo.FICHES and passage.section == section:
        yield "éléments", list(_sentences(passage))
    elif passage.kind is PassageKind.PROSE:
        for run in _runs(page):
            yield "éléments", run


def _sentences(passage: Passage) -> Iterator[_Range]:
    for start, end in sentence_spans(passage.text):
        yield passage.char_start + start, passage.char_start + end


def _tables(page: Sequence[Passage]) -> Iterator[list[_Range]]:
    """Rows of each table of a page: those that begin with the same column heading."""
    rows: dict[_Range, str] = {}
    for passage in page:
        for match in re.finditer(r"[^\n]+(?:\n(?!\n)[^\n]+)*", passage.text):
            start = passage.char_start + match.start()
            heading = f"{passage.heading}\n{match[0].partition(' : ')[0]}"
            rows[start, start + len(match[0])] = heading
    for _heading, table in groupby(sorted(rows), key=lambda row: rows[row]):
        yield list(table)


def _runs(page: Sequence[Passage]) -> Iterator[list[_Range]]:
    """Items that follow one another, in one passage or from one to the next."""
    run: list[_Range] = []
    end = -1
    for passage in page:
        for line in lines_of(passage.text):
            item = (passage.char_start + line.start, passage.char_start + line.end)
            if item[1] <= end:
                continue  # a passage repeats the last sentence of the one before
            follows = item[0] - end <= _GAP
            if run and not (follows and line.item):
                yield run
                run = []
            if line.item:
                run.append(item)
            end = item[1]
    if run:
        yield run
