"""Finds tables set without rulings, whose cells cannot be told to belong to their columns."""

from __future__ import annotations

from collections.abc import Sequence

from ancremed_desktop.corpus.pdf.layout import Line
from ancremed_desktop.corpus.pdf.line_text import is_bullet

_MIN_COLUMNS = 3
_MIN_ROWS = 2
_REACH = 5.0
"""Rows further apart than this many lines of text are not one table."""
_FIGURE_SHARE = 0.2


def loose_table_lines(lines: Sequence[tuple[int, Line]]) -> frozenset[int]:
    """Indices of the lines of such tables: three pieces or more side by side, twice or more.

    Their words are true and their order is not: « 20 mg » may stand after the wrong drug.
    """
    rows = sorted(_rows(lines), key=lambda row: row[0].y0)
    groups: list[list[list[Line]]] = []
    for row in rows:
        if groups and row[0].y0 - groups[-1][-1][0].y1 < _REACH * row[0].size:
            groups[-1].append(row)
        else:
            groups.append([row])
    found: set[int] = set()
    for group in groups:
        if len(group) >= _MIN_ROWS and _has_figures(group):
            top = min(line.y0 for row in group for line in row)
            bottom = max(line.y1 for row in group for line in row)
            found.update(i for i, line in lines if top - 1 <= line.y0 and line.y1 <= bottom + 1)
    return frozenset(found)


def _rows(lines: Sequence[tuple[int, Line]]) -> list[list[Line]]:
    """Lines that share a baseline, where there are three or more apart from list marks."""
    rows: list[list[Line]] = []
    ordered = sorted((line for _i, line in lines), key=lambda line: line.baseline)
    for line in ordered:
        if is_bullet(line.raw):
            continue
        if rows and abs(rows[-1][0].baseline - line.baseline) < 2.0:
            rows[-1].append(line)
        else:
            rows.append([line])
    return [row for row in rows if len(row) >= _MIN_COLUMNS]


def _has_figures(group: Sequence[Sequence[Line]]) -> bool:
    pieces = [line for row in group for line in row]
    figures = sum(1 for line in pieces if any(map(str.isdigit, line.raw)))
    return figures >= _FIGURE_SHARE * len(pieces)
