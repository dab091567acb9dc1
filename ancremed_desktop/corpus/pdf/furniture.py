"""Finds what a page carries beside its text: running heads, footers, page numbers, slugs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from ancremed_desktop.corpus.pdf.layout import Line, PageLayout
from ancremed_desktop.corpus.pdf.line_text import line_text

_EDGE = 0.13
"""Share of the page height at top and bottom where running heads and footers stand."""
_TOP, _CLEAR_EM, _HEAD_WORDS = 0.11, 1.8, 12
_MAX_SHIFT = 300
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"(?:[Pp]ages?\s*)?[-–—|•·\s]*(\d{1,4})\s*(?:(?:/|sur)\s*\d{1,4})?[-–—|•·\s]*"
)
_TRAILING_NUMBER = re.compile(r"(?:^|[\s/|•·–-])(\d{1,4})(?:\s*(?:/|sur)\s*\d{1,4})?\s*[-–—|]?\s*$")
_LEADING_NUMBER = re.compile(r"^[-–—\s]*(\d{1,4})\s*[-–—/|•·]")
_SLUG = re.compile(
    r"\.(?:qxd|indd|qxp|docx?|pdf)\b.*\d|\bPage\s+\d+\s*$.*\d{2}:\d{2}|\d{1,2}:\d{2}\s+Page\s+\d+",
    re.IGNORECASE,
)
_LEADER = re.compile(r"(?:(?:\.\s?){4,}|…{2,})\s*\d{0,4}\s*$|_{4,}\s*\d{1,4}\s*$")
_MANY = 4
"""Lines with leaders on a page that make what stands among them contents as well."""
_BEGUN_EM = 2.0


def contents_lines(page: PageLayout, texts: Sequence[str]) -> frozenset[int]:
    """Lines of a table of contents: leaders to a page number, and entries that stand among them.

    An entry over two lines has its leader on the second; one of the last level may have none.
    """
    led = [i for i, text in enumerate(texts) if _LEADER.search(text)]
    lines = [page.lines[i] for i in led if texts[i][-1].isdigit()]
    if len(lines) < _MANY:
        return frozenset(led)
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    first = min(lines, key=lambda line: line.y0)
    top, bottom = first.y0 - _BEGUN_EM * first.size, max(line.y1 for line in lines)
    beside = [(i, x) for i, x in enumerate(page.lines) if x.x0 < right and x.x1 > left]
    found = set(led)
    for index, line in sorted(beside, key=lambda entry: entry[1].y0):
        near = line.y0 - bottom < _BEGUN_EM * line.size and not texts[index].endswith(".")
        if top <= line.y0 and near:
            found.add(index)
            bottom = max(bottom, line.y1)
    return frozenset(found)


def furniture(
    pages: Sequence[PageLayout], body_size: float
) -> tuple[tuple[frozenset[int], str], ...]:
    """For each page, the indices of its lines that are no text, and its printed label.

    A line is furniture when it stands near an edge and recurs there, numbers apart, on a third
    of the pages (two at least, three at most), or is the page's own number, or a printer's slug,
    or stands alone above the text (running heads that change with each chapter or author).
    """
    texts = [[line_text(line) for line in page.lines] for page in pages]
    keys = [_keys(page, page_texts) for page, page_texts in zip(pages, texts, strict=True)]
    counts = Counter(key for page_keys in keys for key in set(page_keys.values()))
    least = max(2, min(3, len(pages) // 3))
    repeated = [
        frozenset(index for index, key in page_keys.items() if counts[key] >= least)
        for page_keys in keys
    ]
    numbers = [
        _numbers(page_keys, page_texts, again)
        for page_keys, page_texts, again in zip(keys, texts, repeated, strict=True)
    ]
    shift = _shift(pages, numbers)
    result = []
    for page, page_texts, again, found in zip(pages, texts, repeated, numbers, strict=True):
        own = {index for index, number in found.items() if number == page.number + shift}
        bare = {index for index in own if _PAGE_NUMBER.fullmatch(page_texts[index])}
        slugs = {index for index, text in enumerate(page_texts) if _SLUG.search(text)}
        alone = _lonely_head(page, page_texts, body_size) if len(pages) > 2 else frozenset()
        result.append(
            (again | bare | slugs | alone, str(page.number + shift) if own else page.label)
        )
    return tuple(result)


def _keys(page: PageLayout, texts: Sequence[str]) -> dict[int, tuple[str, int, int]]:
    """What a line near an edge shares with its like on other pages: words and place.

    The place matters: cells such as « 2 mois » of a table that fills the page are not a head.
    """
    return {
        index: (_shape(text), round(line.y0 / 8), round(line.x0 / 24))
        for index, (line, text) in enumerate(zip(page.lines, texts, strict=True))
        if text and _at_edge(page, line)
    }


def _numbers(edge: Iterable[int], texts: Sequence[str], repeated: frozenset[int]) -> dict[int, int]:
    """Page numbers that the lines near the edges may bear."""
    found: dict[int, int] = {}
    for index in edge:
        bare = _PAGE_NUMBER.fullmatch(texts[index])
        match = bare or (
            (_TRAILING_NUMBER.search(texts[index]) or _LEADING_NUMBER.search(texts[index]))
            if index in repeated
            else None
        )
        if match:
            found[index] = int(match.group(1))
    return found


def _shift(pages: Sequence[PageLayout], numbers: Sequence[dict[int, int]]) -> int:
    """Printed number less physical number, by vote of all pages (0 when none votes)."""
    votes = Counter(
        number - page.number
        for page, found in zip(pages, numbers, strict=True)
        for number in set(found.values())
        if abs(number - page.number) < _MAX_SHIFT
    )
    return votes.most_common(1)[0][0] if votes else 0


def _shape(text: str) -> str:
    return _DIGITS.sub("#", text).replace(" ", "").casefold()


def _at_edge(page: PageLayout, line: Line) -> bool:
    """Near the top or bottom, and in no ruled table: its headings recur on every page it fills."""
    if _EDGE * page.height <= line.y1 and line.y0 <= (1 - _EDGE) * page.height:
        return False
    middle = (line.y0 + line.y1) / 2
    return sum(r.start <= middle <= r.end for r in page.vertical) < 2


def _lonely_head(page: PageLayout, texts: Sequence[str], body_size: float) -> frozenset[int]:
    """The short plain line above everything else, when a clear space parts it from the text.

    The end of a sentence from the page before ends with its full stop, a heading is larger or
    bold; neither is taken for a head.
    """
    filled = [(line, index) for index, line in enumerate(page.lines) if texts[index]]
    if not filled:
        return frozenset()
    first, index = min(filled, key=lambda entry: entry[0].y0)
    below = [line.y0 for line, _i in filled if line.y0 > first.y0 + 0.5 * first.size]
    plain = first.size <= 1.05 * body_size and not first.bold and first.y1 < _TOP * page.height
    clear = bool(below) and min(below) - first.y1 > _CLEAR_EM * body_size
    short = len(texts[index].split()) <= _HEAD_WORDS and texts[index][-1] not in ".;:!?»"
    return frozenset({index}) if plain and clear and short else frozenset()
