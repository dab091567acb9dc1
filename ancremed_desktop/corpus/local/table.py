"""Writes each row of a table as one line that keeps its column headings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ancremed_desktop.corpus.groups import UNSURE, Groups
from ancremed_desktop.corpus.local.model import Piece
from ancremed_desktop.corpus.local.withheld import row_withheld
from ancremed_desktop.corpus.pdf.page_text import PageRefusal
from ancremed_desktop.domain.identifiers import PassageKind
from ancremed_desktop.text.announcing import is_group
from ancremed_desktop.text.list_marks import is_item

_STOPPED = re.compile(r"[.,;:!?…]$")
_UNTOLD = 3
"""Columns from which a row says nothing without headings."""
_UNTOLD_LABEL = "une case y est vide sous une case remplie, qui vaut peut-être pour elle aussi"


class Cell(NamedTuple):
    """A cell of a table. ``why``: what keeps it from being taken as it reads (French), if so."""

    text: str
    why: str = ""


def cell_text(paragraphs: Sequence[str]) -> str:
    """Paragraphs and inner rows of a cell as one line: « 1 g • Si allergie : rien » is two things."""
    made = ""
    for text in filter(None, paragraphs):
        apart = made and not (is_item(text) or text[:1].islower() or _STOPPED.search(made))
        made += f" • {text}" if apart else f" {text}"
    return made.strip()


def table_pieces(
    rows: Sequence[Sequence[Cell]], headings: Sequence[Cell], title: str = ""
) -> Iterator[Piece | PageRefusal]:
    """Rows as « Heading : cell ; heading : cell », empty cells left out, each behind the title.

    A cell across several columns or rows is given in each of them; one across the whole table
    stands before the rows below, instead of the first heading: that may be its first group's name
    (« Bêtabloquants », then « Inhibiteurs calciques » further down). A table whose headings do not
    tell its columns apart is refused: a dose under the wrong heading is worse than no dose. So is
    a row whose label may be that of the row above: without it, a dose would be of any drug.
    """
    problem = _problem(rows, headings)
    if problem:
        reason = f"un tableau n’est pas repris : {problem}"
        yield PageRefusal(number=0, reason=reason, whole=False, part="tableau")
        return
    above: list[str] = []
    groups = Groups()
    names = [cell.text for cell in headings]
    for number, row in enumerate(rows):
        texts = [cell.text for cell in row]
        if number + 1 < len(rows) and _is_group(row):
            groups.begin(texts[0].rstrip(" :"))
            above = []
            continue
        groups.row()
        unlabelled = _is_unlabelled(texts, above)
        above = _labels(texts, above)
        line = _line([groups.name, *names[1:]] if groups.name else names, texts)
        unknown = _UNTOLD_LABEL if unlabelled else "" if groups.sure else UNSURE
        why = next((cell.why for cell in row if cell.why), unknown)
        if why and line:
            yield from row_withheld(line, why)
        elif line:
            shown = f"{title.rstrip(' :')} : {line}" if title else line
            yield Piece(text=shown, kind=PassageKind.TABLE)


def _is_group(row: Sequence[Cell]) -> bool:
    """Whether a row is one cell, or the first alone is filled: it names the rows below."""
    texts = [cell.text for cell in row]
    alone = len(texts) > 1 and (len(set(texts)) == 1 or not any(texts[1:]))
    return alone and bool(texts[0]) and not row[0].why and is_group(texts[0])


def _line(names: Sequence[str], texts: Sequence[str]) -> str:
    """A row, each cell behind the name of its column."""
    if len(texts) > 1 and len(set(texts)) == 1:
        return texts[0]  # one cell across the whole table
    padded = [*names[: len(texts)], *[""] * len(texts)]
    return " ; ".join(
        f"{name} : {text}" if name and name != text else text
        for name, text in zip(padded, texts, strict=False)
        if text
    )


def _is_unlabelled(texts: Sequence[str], above: Sequence[str]) -> bool:
    """Whether a row begins as the one above and leaves empty, before what it says, a cell that is
    filled there. ``above``: the labels that hold there.
    """
    same = True
    for at, (text, label) in enumerate(zip(texts, above, strict=False)):
        if same and label and not text and any(texts[at + 1 :]):
            return True
        same = same and text == label
    return False


def _labels(texts: Sequence[str], above: Sequence[str]) -> list[str]:
    """What holds in each column for the rows below; a new label ends those at its right."""
    labels = list(texts)
    for at, label in enumerate(above[: len(labels)]):
        if texts[at] and texts[at] != label:
            break
        labels[at] = texts[at] or label
    return labels


def _problem(rows: Sequence[Sequence[Cell]], headings: Sequence[Cell]) -> str:
    named = [cell.text for cell in headings if cell.text]
    if len(named) != len(set(named)):
        return "deux de ses colonnes ont le même intitulé"
    if why := next((cell.why for cell in headings if cell.why), ""):
        return f"l’intitulé d’une colonne n’est pas lisible, {why}"
    if not named and (any(len(row) >= _UNTOLD for row in rows) or _may_be_headings(rows)):
        return "ses colonnes n’ont pas d’intitulé reconnu"
    return ""


def _may_be_headings(rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether a first row may name columns, for all one can see: words without figures."""
    first = [cell.text for cell in rows[0]] if rows[1:] else []
    return len(first) > 1 and not any(map(str.isdigit, "".join(first)))
