"""Writes each row of a ruled table as one line that keeps its column headings.

« Vaccins : ROR ; Nombre de doses : 2 ; Prochain rappel : aucun ». A row that cannot be given its
headings or its label for certain is refused: a dose without its drug is worse than no dose.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace

from ancremed_desktop.corpus.groups import Groups
from ancremed_desktop.corpus.pdf.grid import Cell, Grid
from ancremed_desktop.corpus.pdf.layout import Line
from ancremed_desktop.corpus.pdf.line_text import is_bullet, join_lines, line_text, starts_item
from ancremed_desktop.text.announcing import is_group
from ancremed_desktop.text.french import count, no_break

_FIGURE = re.compile(r"\d")
_LONG_VALUE_WORDS = 45
"""A longer cell is a text of its own under its label, not a value."""
_MAX_HEADER_SHARE = 0.5
_EDGE_TOLERANCE = 6.0
_CENTRED, _INDENT = 3.0, 6.0
"""Points: how far from the middle a centred name may be, and the least indentation."""
_LABEL_AND_VALUE = 2
"""Columns of a table whose first names what the second says: it needs no headings."""
_MAX_VALUE_HEADING_WORDS = 8
_TWO_CASES = re.compile(r"\S (?:Si|En cas d\w*|Sauf|Sinon|À défaut|A défaut|Hors|Allergie)\b")
"""« Interventions digestives Si allergie » over two rows: which of them is for whom?"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """A row as text. ``label``: text of its first cell; ``prose``: long text under its label."""

    text: str
    label: str
    prose: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TableText:
    """A table as text. ``problem``: French reason why (some of) it was refused.

    ``title``: text of a first row that is one cell across the whole table.
    """

    rows: tuple[TableRow, ...]
    headings: tuple[str, ...] = ()
    edges: tuple[float, ...] = ()
    title: str = ""
    last_label: str = ""
    group: str = ""
    """The row across the whole table under which its last rows stand."""
    blocks: bool = False
    """Its first column names each row until it names another."""
    problem: str = ""
    cut: bool = False
    """The first row goes on with a sentence that the page before began."""


def table_text(
    grid: Grid, before: TableText | None, vocabulary: Container[str]
) -> TableText | None:
    """A grid as rows of text; None when it is a frame around prose rather than a table.

    ``before``: the table that ended the page before, whose headings a continued table takes.
    """
    if _is_frame(grid):
        return None
    texts = {id(cell): _cell_text(cell, vocabulary) for cell in grid.cells}
    if grid.problem or any("\ufffd" in text for text in texts.values()):
        reason = grid.problem or "un signe y est illisible"
        return TableText(rows=(), edges=grid.edges, problem=reason)
    table = [[_at(grid, row, column) for column in range(grid.columns)] for row in range(grid.rows)]
    title = ""
    while len(table) > 2 and _is_whole(table[0], grid.columns):
        title = " ".join(filter(None, (title, texts[id(table[0][0])])))
        del table[0]
    depth = _header_depth(table)
    continued = before if before and _same_edges(before.edges, grid.edges) else None
    headings = tuple(
        _heading([row[column] for row in table[:depth]], texts) for column in range(grid.columns)
    )
    if grid.columns == _LABEL_AND_VALUE and len(headings[1].split()) > _MAX_VALUE_HEADING_WORDS:
        depth, headings = 0, ("", "")
    reason = _ambiguity(table[:depth], table[depth:], headings)
    if reason:
        return TableText(rows=(), edges=grid.edges, problem=reason)
    over = TableText(rows=())
    if continued and continued.headings and (not depth or continued.headings == headings):
        headings, over = continued.headings, continued
        if title:  # a row of the table that goes on
            over, title = replace(continued, group=title.rstrip(" :"), last_label=""), ""
    if grid.columns > _LABEL_AND_VALUE and not any(headings[1:]):
        return _without_header(grid, table, texts)
    found = _rows(grid, table[depth:], headings, over, texts)
    return replace(found, title=title)


def _is_whole(row: Sequence[Cell | None], columns: int) -> bool:
    first = row[0]
    return first is not None and first.column == 0 and first.column_end == columns


def _ambiguity(
    head: Sequence[Sequence[Cell | None]],
    body: Sequence[Sequence[Cell | None]],
    headings: Sequence[str],
) -> str:
    """French reason why the headings do not tell the columns apart, empty when they do."""
    if any(_two_styles(cell) for row in head for cell in row if cell):
        return "l’en-tête et les données y sont dans la même cellule"
    for row in body:
        cells = dict.fromkeys(cell.column for cell in row[1:] if cell and cell.lines)
        names = [headings[column] for column in cells if headings[column]]
        if len(names) != len(set(names)):
            return "deux de ses colonnes ont le même intitulé"
    return ""


def _is_frame(grid: Grid) -> bool:
    """One box beside another, or boxes of one column: page decoration."""
    filled = [cell for cell in grid.cells if cell.lines]
    return len(filled) < 3 or len({cell.column for cell in filled}) < 2


def _two_styles(cell: Cell) -> bool:
    return len({line.main.colour for line in cell.lines}) > 1


def _at(grid: Grid, row: int, column: int) -> Cell | None:
    for cell in grid.cells:
        if cell.row <= row < cell.row_end and cell.column <= column < cell.column_end:
            return cell
    return None


def _cell_text(cell: Cell, vocabulary: Container[str]) -> str:
    text = ""
    pending = ""
    previous: Line | None = None
    right = max((line.x1 for line in cell.lines), default=0.0)
    ordered = sorted(cell.lines, key=lambda line: (round(line.baseline / 3), line.x0))
    for line in ordered:
        piece = line_text(line)
        if (
            is_bullet(piece)
            and len(ordered) > 1
            and len(piece.strip()) == 1
            and piece not in "–—−-o*"
        ):
            pending = piece
            continue
        if pending:
            piece, pending = f"{pending} {piece}", ""
        if starts_item(piece):
            text = f"{text} {piece}"
        elif previous is not None and _is_apart(previous, line, text, piece, right):
            text = f"{text} / {piece}"
        else:
            text = join_lines(text, piece, vocabulary)
        previous = line
    return text.strip()


def _is_apart(above: Line, line: Line, before: str, text: str, right: float) -> bool:
    """Whether two lines of a cell are two things: the first is short, the next has a capital."""
    return (
        above.x1 < right - 2.5 * line.size
        and line.baseline > above.baseline + 0.5 * line.size
        and text[:1].isupper()
        and before[-1:].isalnum()
    )


def _header_depth(table: Sequence[Sequence[Cell | None]]) -> int:
    """How many rows at the top are headings, 0 when nothing tells them from the body."""
    top = min((cell.row for cell in table[0] if cell), default=0)
    depth = 1
    while True:
        ends = [cell.row_end - top for row in table[:depth] for cell in row if cell]
        if max(ends, default=depth) <= depth:
            break
        depth = max(ends)
    if depth > max(1, _MAX_HEADER_SHARE * len(table)):
        return 0
    head = _styles(table[:depth], 0)
    body = _styles(table[depth:], 1)
    return depth if head and not any(style in body for style in head) else _deeper(table, depth)


def _deeper(table: Sequence[Sequence[Cell | None]], depth: int) -> int:
    """Same style throughout: headings only if they hold no figure and each column below does."""
    head = [cell for row in table[:depth] for cell in row if cell and cell.lines]
    body = [cell for row in table[depth:] for cell in row[1:] if cell and cell.lines]
    if len({cell.column for cell in head}) < len(table[0]) - 1 or not body:
        return 0
    figures = sum(1 for cell in body if any(_FIGURE.search(line.raw) for line in cell.lines))
    plain = not any(_FIGURE.search(line.raw) for cell in head for line in cell.lines)
    return depth if plain and figures >= 0.5 * len(body) else 0


def _styles(rows: Sequence[Sequence[Cell | None]], first: int) -> set[tuple[bool, int]]:
    """(bold, colour) of the cells of some rows from column ``first`` on, the commonest ones."""
    counts: dict[tuple[bool, int], int] = {}
    for row in rows:
        for cell in row[first:]:
            if cell and (style := _style(cell)):
                counts[style] = counts.get(style, 0) + 1
    total = sum(counts.values())
    return {style for style, count in counts.items() if count > 0.25 * total}


def _heading(cells: Sequence[Cell | None], texts: dict[int, str]) -> str:
    parts: list[str] = []
    for cell in cells:
        text = texts[id(cell)] if cell else ""
        if text and text not in parts:
            parts.append(text)
    return ", ".join(part.rstrip(" :") for part in parts)


def _same_edges(one: Sequence[float], other: Sequence[float]) -> bool:
    return len(one) == len(other) and all(
        abs(a - b) < _EDGE_TOLERANCE for a, b in zip(one, other, strict=True)
    )


def _without_header(
    grid: Grid, table: Sequence[Sequence[Cell | None]], texts: dict[int, str]
) -> TableText:
    """Rows of a table of text only; with figures and no heading there is nothing to trust."""
    if any(_FIGURE.search(text) for text in texts.values()):
        return TableText(
            rows=(), headings=(), edges=grid.edges,
            problem="ses colonnes n’ont pas d’intitulé reconnaissable",
        )  # fmt: skip
    rows = []
    for row in table:
        values = list(dict.fromkeys(texts[id(cell)] for cell in row if cell and texts[id(cell)]))
        if values:
            rows.append(TableRow(text=" ; ".join(values), label=values[0]))
    kept, mixed = _told_apart(rows)
    return TableText(rows=kept, headings=(), edges=grid.edges, problem=no_break(mixed))


def _told_apart(
    rows: Sequence[TableRow], orphans: Sequence[str] = ()
) -> tuple[tuple[TableRow, ...], str]:
    """Rows whose label is of one case, and the French reason why others are left out.

    ``orphans``: the labels above rows that have none.
    """
    labels = Counter([*(row.label for row in rows if not row.prose), *orphans])
    mixed = {name for name, rows in labels.items() if rows > 1 and _TWO_CASES.search(name)}
    kept = tuple(row for row in rows if row.prose or row.label not in mixed)
    return kept, " ; ".join(f"« {name} » y nomme deux cas à la fois" for name in sorted(mixed))


def _rows(
    grid: Grid,
    table: Sequence[Sequence[Cell | None]],
    headings: Sequence[str],
    over: TableText,
    texts: dict[int, str],
) -> TableText:
    """``over``: the part of the table on the page before, of which a label or group may go on."""
    rows: list[TableRow] = []
    groups = Groups(over.group)
    label = over.last_label
    plain = {_style(row[0]) for row in table if row[0] and _values(row, headings, texts)}
    blocks = over.blocks or _names_blocks(table, texts)
    orphans: list[str] = []
    owner, ungrouped = label, 0
    cut = False
    for number, row in enumerate(table):
        first = row[0]
        whole = first is not None and first.column_end == grid.columns
        own = texts[id(first)] if first else ""
        if first and whole:
            if own and is_group(own):
                groups.begin(own, _look(first, grid))
            elif own:
                rows.append(TableRow(text=own, label=own, prose=True))
            label = "" if own else label
            continue
        values = _values(row, headings, texts)
        alone = first is not None and not values and number + 1 < len(table)  # else, see overleaf
        if first and alone and is_group(own) and (groups.name or _style(first) not in plain):
            groups.begin(own, _look(first, grid))
            label = ""
            continue
        if number == 0 and not own and label and any(v[:1].islower() for _h, v in values):
            cut = True
            continue
        # An empty cell under a label is none of its own where the column names blocks of rows.
        label = own or (label if blocks or not number else "")
        owner = own or owner
        if not values:
            continue
        groups.row()
        if label and groups.sure:
            rows.extend(_under(groups.name, headings[0], label, values))
        else:
            orphans += [] if label else [owner]
            ungrouped += bool(label)
    rows.extend(TableRow(text=name, label=name, prose=True) for name in groups.unread)
    kept, mixed = _told_apart(rows, orphans)
    return TableText(
        rows=kept,
        headings=tuple(headings),
        edges=grid.edges,
        last_label=label,
        group=groups.name if groups.sure else "",
        blocks=blocks,
        problem=_left_out(len(orphans), ungrouped, mixed),
        cut=cut,
    )


def _left_out(unlabelled: int, ungrouped: int, mixed: str) -> str:
    """French reason why rows are left out, empty when none is."""
    bare = f"{count(unlabelled, 'ligne')} sans intitulé" if unlabelled else ""
    lost = f"{count(ungrouped, 'ligne')} sans groupe certain" if ungrouped else ""
    return no_break(" ; ".join(filter(None, (bare, lost, mixed))))


def _style(cell: Cell) -> tuple[bool, int] | None:
    """(bold, colour) of a cell; None: it is empty."""
    if not cell.lines:
        return None
    return all(line.bold for line in cell.lines), cell.lines[0].main.colour


def _names_blocks(table: Sequence[Sequence[Cell | None]], texts: dict[int, str]) -> bool:
    """Whether the second column begins again under each label: « 1 an : DTCaP, ROR ; 6 ans : DTCaP,
    HPV ». An empty cell below a label says nothing by itself: its row may be of another drug.
    """
    under: list[list[str]] = []
    for row in table:
        first, second = row[0], row[1]
        if first is None or second is None or second is first:
            continue
        if texts[id(first)] or not under:
            under.append([])
        under[-1].append(texts[id(second)])
    again = Counter(name for names in under for name in set(names) if name)
    return max(again.values(), default=0) > 1 and all(
        all(names) and len(set(names)) == len(names) for names in under
    )


def _look(cell: Cell, grid: Grid) -> tuple[object, ...]:
    """What tells the names of outer groups from those of inner ones: type and indentation."""
    line = cell.lines[0]
    middle = abs((line.x0 + line.x1) / 2 - (grid.edges[0] + grid.edges[-1]) / 2)
    indent = None if middle < _CENTRED else round((line.x0 - grid.edges[0]) / _INDENT)
    return _style(cell), round(line.size), indent


def _values(
    row: Sequence[Cell | None], headings: Sequence[str], texts: dict[int, str]
) -> list[tuple[str, str]]:
    """(heading, text) of the cells after the first; a cell over several columns names them all."""
    values: list[tuple[str, str]] = []
    seen: set[int] = set()
    for column in range(1, len(row)):
        cell = row[column]
        if cell is None or id(cell) in seen or cell.column == 0 or not texts[id(cell)]:
            continue
        seen.add(id(cell))
        names = dict.fromkeys(h for h in headings[cell.column : cell.column_end] if h)
        values.append((" / ".join(names), texts[id(cell)]))
    return values


def _under(
    group: str, heading: str, label: str, values: Sequence[tuple[str, str]]
) -> list[TableRow]:
    """A row under its group, instead of the first heading: that may be its first group's name."""
    return _row("", f"{group} : {label}", values) if group else _row(heading, label, values)


def _row(name: str, label: str, values: Sequence[tuple[str, str]]) -> list[TableRow]:
    start = f"{name} : {label}" if name else label
    if len(values) == 1 and len(values[0][1].split()) > _LONG_VALUE_WORDS and not values[0][0]:
        return [TableRow(text=values[0][1], label=label.rstrip(" :"), prose=True)]
    if len(values) == 1 and not values[0][0]:
        return [TableRow(text=f"{label.rstrip(' :')} : {values[0][1]}", label=label)]
    parts = [f"{heading} : {text}" if heading else text for heading, text in values]
    return [TableRow(text=" ; ".join([start, *parts]), label=label)]
