"""Finds ruled tables on a page: which cells its lines enclose and what text stands in each.

The rulings decide, never the white space: a table without them stays prose. Cells may span rows
and columns; an outer border that is not drawn is taken where the inner rulings end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ancremed_desktop.corpus.pdf.layout import Line, PageLayout, Ruling, Run

_SNAP = 3.5
"""Rulings nearer than this, in points, are one (double borders, borders drawn per cell)."""
_TOUCH = 4.0
"""How far a ruling may stop short of the one it meets."""
_COVER = 0.6
"""Share of a cell's side that must be drawn for the side to be a wall."""
_MAX_CELLS = 3000
_MAX_RULINGS = 700


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A cell over rows ``row`` to ``row_end`` (exclusive) and columns likewise."""

    row: int
    row_end: int
    column: int
    column_end: int
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A ruled table. ``members``: indices of the page's lines inside it.

    ``problem``: French reason why cells cannot be told apart, empty when they can.
    ``edges``: x of its columns' edges, by which a table continued overleaf is recognised.
    """

    cells: tuple[Cell, ...]
    rows: int
    columns: int
    edges: tuple[float, ...]
    top: float
    bottom: float
    members: frozenset[int]
    problem: str = ""


def find_grids(page: PageLayout, skipped: frozenset[int]) -> tuple[Grid, ...]:
    """Ruled tables of a page, from the top; ``skipped``: line indices that are no text."""
    rulings = [(True, r) for r in _joined(page.horizontal)]
    rulings += [(False, r) for r in _joined(page.vertical)]
    if len(rulings) > _MAX_RULINGS:
        return ()
    grids: list[Grid] = []
    for group in _connected(rulings):
        grid = _grid(
            [r for flat, r in group if flat], [r for flat, r in group if not flat], page, skipped
        )
        if grid is not None:
            grids.append(grid)
    grids.sort(key=lambda grid: len(grid.members), reverse=True)
    kept: list[Grid] = []
    for grid in grids:  # a frame inside a cell is decoration of that cell
        if not any(grid.members & other.members for other in kept):
            kept.append(grid)
    return tuple(sorted(kept, key=lambda grid: grid.top))


def _joined(rulings: Iterable[Ruling]) -> list[Ruling]:
    """Collinear pieces that touch, as one ruling."""
    result: list[Ruling] = []
    for ruling in sorted(rulings, key=lambda r: (round(r.at), r.start)):
        last = result[-1] if result else None
        if last and abs(last.at - ruling.at) < 1.5 and ruling.start <= last.end + _SNAP:
            result[-1] = Ruling(at=last.at, start=last.start, end=max(last.end, ruling.end))
        else:
            result.append(ruling)
    return result


def _connected(rulings: Sequence[tuple[bool, Ruling]]) -> list[list[tuple[bool, Ruling]]]:
    """Groups of rulings that cross or touch one another."""
    parent = list(range(len(rulings)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    for i, (flat, one) in enumerate(rulings):
        for j in range(i + 1, len(rulings)):
            other_flat, other = rulings[j]
            if flat != other_flat and _cross(one, other):
                parent[root(i)] = root(j)
    groups: dict[int, list[tuple[bool, Ruling]]] = {}
    for index, ruling in enumerate(rulings):
        groups.setdefault(root(index), []).append(ruling)
    return [group for group in groups.values() if len(group) >= 3]


def _cross(one: Ruling, other: Ruling) -> bool:
    return (
        other.start - _TOUCH <= one.at <= other.end + _TOUCH
        and one.start - _TOUCH <= other.at <= one.end + _TOUCH
    )


def _snapped(values: Iterable[float]) -> list[float]:
    result: list[float] = []
    for value in sorted(values):
        if not result or value - result[-1] > _SNAP:
            result.append(value)
    return result


def _grid(
    flat: Sequence[Ruling], upright: Sequence[Ruling], page: PageLayout, skipped: frozenset[int]
) -> Grid | None:
    ys = _snapped([r.at for r in flat] + [e for r in upright for e in (r.start, r.end)])
    xs = _snapped([r.at for r in upright] + [e for r in flat for e in (r.start, r.end)])
    if len(xs) > 1 and len(ys) > 1:
        flat = [*flat, *_shades(page.shade_horizontal, xs, ys)]
        upright = [*upright, *_shades(page.shade_vertical, ys, xs)]
        ys = _snapped([*ys, *(r.at for r in flat)])
        xs = _snapped([*xs, *(r.at for r in upright)])
    rows, columns = len(ys) - 1, len(xs) - 1
    if rows < 1 or columns < 1 or rows * columns > _MAX_CELLS:
        return None
    members = frozenset(
        index
        for index, line in enumerate(page.lines)
        if index not in skipped
        and xs[0] - 2 <= (line.x0 + line.x1) / 2 <= xs[-1] + 2
        and ys[0] - 2 <= (line.y0 + line.y1) / 2 <= ys[-1] + 2
    )
    areas = _areas(xs, ys, flat, upright)
    if len(areas) < 4 or not members:
        return None
    found, problem = _filled(areas, xs, ys, [page.lines[i] for i in sorted(members)])
    cells, rows, columns, edges = _compact(found, xs, rows, columns)
    if rows < 2 or columns < 2 or len(cells) < 4:
        return None
    return Grid(
        cells=cells, rows=rows, columns=columns, edges=edges, top=ys[0], bottom=ys[-1],
        members=members, problem=problem,
    )  # fmt: skip


def _shades(
    edges: Iterable[Ruling], along: Sequence[float], across: Sequence[float]
) -> list[Ruling]:
    """Colour edges inside a table that run from one of its rulings to another."""
    return [
        edge
        for edge in edges
        if across[0] - _SNAP < edge.at < across[-1] + _SNAP
        and any(abs(edge.start - value) <= _SNAP for value in along)
        and any(abs(edge.end - value) <= _SNAP for value in along)
    ]


def _areas(
    xs: Sequence[float], ys: Sequence[float], flat: Sequence[Ruling], upright: Sequence[Ruling]
) -> list[list[tuple[int, int]]]:
    """Base cells grouped where no wall stands between them."""
    rows, columns = len(ys) - 1, len(xs) - 1
    parent = {(r, c): (r, c) for r in range(rows) for c in range(columns)}

    def root(cell: tuple[int, int]) -> tuple[int, int]:
        while parent[cell] != cell:
            cell = parent[cell]
        return cell

    for r in range(rows):
        for c in range(columns):
            if c + 1 < columns and not _wall(upright, xs[c + 1], ys[r], ys[r + 1]):
                parent[root((r, c))] = root((r, c + 1))
            if r + 1 < rows and not _wall(flat, ys[r + 1], xs[c], xs[c + 1]):
                parent[root((r, c))] = root((r + 1, c))
    groups: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for cell in parent:
        groups.setdefault(root(cell), []).append(cell)
    return list(groups.values())


def _wall(rulings: Sequence[Ruling], at: float, start: float, end: float) -> bool:
    pieces = sorted(
        (max(r.start, start), min(r.end, end))
        for r in rulings
        if abs(r.at - at) <= _SNAP and r.start < end and r.end > start
    )
    covered, reach = 0.0, start
    for left, right in pieces:
        covered += max(0.0, right - max(left, reach))
        reach = max(reach, right)
    return covered >= _COVER * (end - start)


def _filled(
    areas: Sequence[Sequence[tuple[int, int]]],
    xs: Sequence[float],
    ys: Sequence[float],
    lines: Sequence[Line],
) -> tuple[list[Cell], str]:
    """Cells with their text; a problem when an area is no rectangle or text crosses a wall."""
    owner = {cell: index for index, area in enumerate(areas) for cell in area}
    content: list[list[Line]] = [[] for _ in areas]
    problem = ""
    for line in lines:
        parts: dict[int, list[Run]] = {}
        for run in line.runs:
            if not run.text.strip():
                if parts:
                    parts[next(reversed(parts))].append(run)
                continue
            row = _band(ys, (run.y0 + run.y1) / 2)
            first = owner[row, _band(xs, run.x0 + 0.3 * run.size)]
            last = owner[row, _band(xs, run.x1 - 0.3 * run.size - _trailing(run))]
            if first != last and run.x1 - run.x0 > 0.6 * run.size:
                problem = problem or "un texte y passe d’une cellule à l’autre"
            parts.setdefault(first, []).append(run)
        for index, runs in parts.items():
            content[index].append(Line(runs=tuple(runs), block=line.block))
    cells = []
    for area, found in zip(areas, content, strict=True):
        rs, cs = [r for r, _ in area], [c for _, c in area]
        cell = Cell(
            row=min(rs), row_end=max(rs) + 1, column=min(cs), column_end=max(cs) + 1,
            lines=tuple(found),
        )  # fmt: skip
        if len(area) != (cell.row_end - cell.row) * (cell.column_end - cell.column) and found:
            problem = problem or "ses cellules ne sont pas rectangulaires"
        cells.append(cell)
    return cells, problem


def _trailing(run: Run) -> float:
    """Width of the blanks at the end of a run, estimated."""
    blanks = len(run.text) - len(run.text.rstrip())
    return blanks * (run.x1 - run.x0) / max(1, len(run.text))


def _band(edges: Sequence[float], value: float) -> int:
    for index in range(len(edges) - 1):
        if value < edges[index + 1]:
            return index
    return len(edges) - 2


def _compact(
    cells: Sequence[Cell], xs: Sequence[float], rows: int, columns: int
) -> tuple[tuple[Cell, ...], int, int, tuple[float, ...]]:
    """Without the rows and columns in which no cell with text begins or ends alone.

    Decorative boxes and double borders leave thin bands; a band is kept only when some cell with
    text starts in it.
    """
    filled = [cell for cell in cells if cell.lines]
    row_map = _kept({cell.row for cell in filled}, rows)
    column_map = _kept({cell.column for cell in filled}, columns)
    kept = []
    for cell in cells:
        row, row_end = row_map[cell.row], row_map[cell.row_end]
        column, column_end = column_map[cell.column], column_map[cell.column_end]
        if cell.lines:
            row_end, column_end = max(row_end, row + 1), max(column_end, column + 1)
        if row_end > row and column_end > column:
            kept.append(
                Cell(
                    row=row, row_end=row_end, column=column, column_end=column_end, lines=cell.lines
                )
            )
    starts = [xs[c] for c in range(columns) if c in {cell.column for cell in filled}]
    return tuple(kept), row_map[rows], column_map[columns], (*starts, xs[-1])


def _kept(starts: set[int], count: int) -> list[int]:
    """New index of each band edge once bands where nothing starts are gone."""
    result, position = [], 0
    for index in range(count + 1):
        result.append(position)
        if index in starts:
            position += 1
    return result
