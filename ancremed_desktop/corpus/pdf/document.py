"""Turns the layout of a PDF into pages of text in blocks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ancremed_desktop.corpus.omitted import omitted
from ancremed_desktop.corpus.pdf.furniture import contents_lines
from ancremed_desktop.corpus.pdf.grid import Grid, find_grids
from ancremed_desktop.corpus.pdf.headings import SEPARATOR, HeadingPath, is_heading, marked_headings
from ancremed_desktop.corpus.pdf.item_depths import UNKNOWN_LEVEL, ItemDepths
from ancremed_desktop.corpus.pdf.layout import Line, PageLayout, PdfLayout
from ancremed_desktop.corpus.pdf.line_text import line_text
from ancremed_desktop.corpus.pdf.loose_tables import loose_table_lines
from ancremed_desktop.corpus.pdf.page_pieces import PagePiece, carry_over, page_text
from ancremed_desktop.corpus.pdf.page_text import PageRefusal, PageText
from ancremed_desktop.corpus.pdf.paragraphs import (
    Paragraph,
    is_one_column,
    merge_fragments,
    paragraphs,
)
from ancremed_desktop.corpus.pdf.tables import TableText, table_text
from ancremed_desktop.corpus.pdf.trust import distrust, is_spaced_out
from ancremed_desktop.corpus.sections import section_of
from ancremed_desktop.domain.identifiers import PassageKind
from ancremed_desktop.text.announcing import is_group, leads, overrules

_WORD = re.compile(r"[A-Za-zÀ-ÿœŒæÆ]+(?:-[A-Za-zÀ-ÿœŒæÆ]+)*")
_NOTES = "Notes"
_MIN_LETTERS = 4
_MIN_TAIL_WORDS = 5
"""A shorter beginning with a capital is a head or a heading, not the end of a sentence."""


def read_pages(
    layout: PdfLayout, furniture: Sequence[tuple[frozenset[int], str]], title: str
) -> tuple[tuple[PageText, ...], tuple[PageRefusal, ...]]:
    """Pages as text; a page that cannot be trusted is refused, the others go on.

    ``furniture``: by page, the lines that are no text and the printed page label.
    ``title``: of the document, which is no heading of its text.
    """
    reader = _Reader(layout, title)
    for page, (dropped, label) in zip(layout.pages, furniture, strict=True):
        reader.read(page, dropped, label)
    return reader.finish(), tuple(reader.refusals)


class _Reader:
    """Reads the pages in order: headings and tables go on from one page to the next."""

    def __init__(self, layout: PdfLayout, title: str) -> None:
        self.refusals: list[PageRefusal] = []
        self._title = _letters(title)
        self._body_size = body_size(layout.pages)
        self._mostly_bold = _mostly_bold(layout.pages)
        self._vocabulary = _vocabulary(layout.pages)
        self._path = HeadingPath()
        self._table: TableText | None = None
        self._lists = ItemDepths()
        self._announced = ""
        self._pages: list[tuple[PageLayout, str, list[PagePiece]]] = []

    def read(self, page: PageLayout, dropped: frozenset[int], label: str) -> None:
        """Read one page; ``dropped``: lines that are no text."""
        self._lists.turn_page()
        texts = [line_text(line) for line in page.lines]
        skipped = set(dropped)
        skipped.update(i for i, t in enumerate(texts) if not t)
        skipped |= contents_lines(page, texts)
        reason = distrust(page, [t for i, t in enumerate(texts) if i not in skipped])
        skipped.update(i for i, t in enumerate(texts) if is_spaced_out(t))
        kept = [(i, line) for i, line in enumerate(page.lines) if i not in skipped]
        if reason:
            self.refusals.append(PageRefusal(number=page.number, reason=reason))
            return
        if not kept and page.has_image:
            reason = "page sans texte (image) ; une reconnaissance de caractères serait nécessaire"
            self.refusals.append(PageRefusal(number=page.number, reason=reason))
            return
        pieces = self._pieces(page, frozenset(skipped))
        parts = [r for r in self.refusals if r.number == page.number]
        if pieces:
            self._pages.append((page, label, pieces))
        elif parts:
            self.refusals.append(PageRefusal(number=page.number, reason=parts[0].reason))

    def _pieces(self, page: PageLayout, skipped: frozenset[int]) -> list[PagePiece]:
        tables: list[tuple[int, Grid, TableText]] = []
        inside: set[int] = set()
        before, above = self._table, 0.0
        for grid in find_grids(page, skipped):
            between = _between(page, above, grid, skipped)
            before = _going_on(before, between, grid) if between else before
            above = grid.bottom
            table = table_text(grid, before, self._vocabulary)
            if flaw := next((page.lines[i].flaw for i in grid.members if page.lines[i].flaw), ""):
                self._refuse_part(page.number, f"un tableau n’est pas repris : {flaw}")
                inside |= grid.members
            elif table is not None:
                if table.cut:
                    self._drop_cut_row(page)
                tables.append((min(grid.members), grid, table))
                inside |= grid.members
                before = table
        rest = merge_fragments(
            [(i, line) for i, line in enumerate(page.lines) if i not in skipped | inside]
        )
        loose = loose_table_lines(rest)
        if loose:
            self._refuse_part(page.number, "un tableau sans filets n’est pas repris")
            rest = [entry for entry in rest if entry[0] not in loose]
        downward = is_one_column(rest)
        if downward:
            rest.sort(key=lambda entry: entry[1].y0)
        text = marked_headings(paragraphs(rest, self._vocabulary, self._body_size))
        ends = tables and _ends_with_table(page, tables[-1][1], text)
        self._table = tables[-1][2] if ends else None
        pieces: list[PagePiece] = []
        waiting = sorted(
            ((grid.top if downward else first, table) for first, grid, table in tables),
            key=lambda entry: entry[0],
        )
        for paragraph in text:
            place = paragraph.y0 if downward else paragraph.position
            while waiting and waiting[0][0] < place:
                last = pieces[-1].text if pieces else ""
                pieces.extend(self._table_pieces(page, waiting.pop(0)[1], len(tables), last))
            self._take(paragraph, page, pieces)
        for _place, table in waiting:
            last = pieces[-1].text if pieces else ""
            pieces.extend(self._table_pieces(page, table, len(tables), last))
        return [p for p in pieces if not p.note] + [p for p in pieces if p.note]

    def _drop_cut_row(self, page: PageLayout) -> None:
        """Take back the last row of the page before: its end stands on this page, apart."""
        before, _label, pieces = self._pages[-1] if self._pages else (page, "", [])
        last = max((i for i, p in enumerate(pieces) if not p.note), default=None)
        if last is None or before.number != page.number - 1:
            return
        del pieces[last]
        for number in (before.number, page.number):
            reason = "une ligne de tableau coupée par le saut de page n’est pas reprise"
            self._refuse_part(number, reason)

    def _refuse_part(self, number: int, reason: str) -> None:
        self.refusals.append(PageRefusal(number=number, reason=reason, whole=False, part="tableau"))

    def _take(self, paragraph: Paragraph, page: PageLayout, pieces: list[PagePiece]) -> None:
        if paragraph.flaw:
            text, refusal = omitted(paragraph.text, paragraph.flaw, page.number)
            self.refusals.append(refusal)
            paragraph = replace(paragraph, text=text)
        if is_heading(paragraph, self._body_size, self._mostly_bold):
            if _letters(paragraph.text) not in self._title or page.number > 2:
                self._path.push(paragraph)
            self._announced = paragraph.text
            return
        heading = self._path.text()
        if paragraph.note:
            heading = f"{heading}{SEPARATOR}{_NOTES}" if heading else _NOTES
        # A lone figure, or a word in capitals, says nothing by itself.
        if sum(map(str.islower, paragraph.text)) < _MIN_LETTERS:
            return
        indent = self._lists.indent(paragraph)
        for text in self._lead_in(paragraph, indent):
            pieces.append(PagePiece(text, heading, self._section(), None, PassageKind.PROSE))
        self._announced = ""
        piece = PagePiece(paragraph.text, heading, self._section(), paragraph)
        piece.indent = indent or 0
        pieces.append(piece)

    def _lead_in(self, paragraph: Paragraph, indent: int | None) -> Iterator[str]:
        """The heading that announces a list or an interdiction, which is text as well."""
        if self._announced and (paragraph.item or overrules(self._announced)):
            yield self._announced
        if indent is None:
            yield UNKNOWN_LEVEL

    def _section(self) -> str:
        """Section of the innermost heading that announces one."""
        return next((s for t in reversed(self._path.texts()) if (s := section_of(t))), "")

    def _table_pieces(
        self, page: PageLayout, table: TableText, count: int, before: str
    ) -> list[PagePiece]:
        """Its rows under its title; ``before``: the text above, which may announce it."""
        if table.problem:
            what = "un tableau" if count == 1 else "un des tableaux"
            reason = f"{what} de la page n’est pas repris : {table.problem}"
            self._refuse_part(page.number, reason)
        pieces = []
        lead = before.rstrip(" :") if leads(before) else ""
        path = SEPARATOR.join(filter(None, (self._path.text(), lead, table.title)))
        for row in table.rows:
            section = section_of(row.label) or self._section()
            heading = path
            if row.prose and row.label != row.text:
                heading = f"{path}{SEPARATOR}{row.label}" if path else row.label
            kind = PassageKind.PROSE if row.prose else PassageKind.TABLE
            pieces.append(PagePiece(row.text, heading, section, None, kind))
        return pieces

    def finish(self) -> tuple[PageText, ...]:
        """Pages with their offsets, what crosses a page made whole on the first."""
        self.refusals += carry_over([(page.number, pieces) for page, _l, pieces in self._pages])
        return tuple(page_text(*entry) for entry in self._pages if entry[2])


def _between(page: PageLayout, above: float, grid: Grid, skipped: frozenset[int]) -> list[Line]:
    """Text of a page between a height, in points from its top, and a table."""
    return [
        line
        for i, line in enumerate(page.lines)
        if i not in skipped | grid.members
        and above < (line.y0 + line.y1) / 2 < grid.top
        and line.raw.strip()
    ]


def _going_on(before: TableText | None, between: list[Line], grid: Grid) -> TableText | None:
    """The table that goes on below some text: one line as wide as it names its rows, else none."""
    line = between[0]
    inside = grid.edges[0] - 2 <= line.x0 and line.x1 <= grid.edges[-1] + 2
    close = len(between) == 1 and grid.top - line.y1 < line.size
    if before is None or not (inside and close and is_group(line.raw.strip())):
        return None
    return replace(before, group=line.raw.strip(), last_label="")


def _ends_with_table(page: PageLayout, grid: Grid, text: Sequence[Paragraph]) -> bool:
    """Whether nothing but notes stands below a table: it may go on overleaf."""
    return (
        not any(p.y0 > grid.bottom and not p.note for p in text) and grid.bottom > 0.5 * page.height
    )


def body_size(pages: Sequence[PageLayout]) -> float:
    """Commonest size of the letters, in points."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for line in page.lines:
            sizes[round(line.size * 2) / 2] += len(line.raw)
    return sizes.most_common(1)[0][0] if sizes else 10.0


def _mostly_bold(pages: Sequence[PageLayout]) -> bool:
    bold = sum(len(line.raw) for page in pages for line in page.lines if line.bold)
    return bold > 0.5 * sum(len(line.raw) for page in pages for line in page.lines)


def _vocabulary(pages: Sequence[PageLayout]) -> frozenset[str]:
    """Words of the document, line ends left out since a word may be cut there."""
    words: set[str] = set()
    for page in pages:
        for line in page.lines:
            words.update(word.lower() for word in _WORD.findall(line.raw)[:-1])
    return frozenset(words)


def _letters(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())
