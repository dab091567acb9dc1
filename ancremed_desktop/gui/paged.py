"""Rich text laid out on pages: headings stay with what follows, quotes whole, pages numbered."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QPagedPaintDevice,
    QPainter,
    QPalette,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)

from ancremed_desktop.errors import BugError
from ancremed_desktop.gui.theme import LIGHT
from ancremed_desktop.text.french import NBSP

_MARGIN_MM = 20.0
_MM_PER_INCH = 25.4
_FOOT_POINTS = 8.5
_LARGEST_KEPT = 0.25
"""Part of a page up to which what belongs together is moved to the next page rather than cut."""
_BAR_MM = 0.7

Blocks = list[QTextBlock]


class PagedText:
    """A document on the pages of a device, whose dots are the unit of all lengths.

    ``document`` must have its fonts in points.
    """

    def __init__(self, document: QTextDocument, device: QPagedPaintDevice, foot: str) -> None:
        """``foot``: a line under each page, before its number."""
        self._document = document
        self._device = device
        self._foot = foot
        self._layout = document.documentLayout()
        self._layout.setPaintDevice(device)
        self._size = QSizeF(device.width(), device.height())
        document.setPageSize(self._size)
        # Lengths of a document are dots of the screen: the layout turns them into the device's.
        screen = QGuiApplication.primaryScreen().logicalDotsPerInch()
        document.setDocumentMargin(_MARGIN_MM / _MM_PER_INCH * screen)
        for quote in _quotes(document):  # but not the margins at the left of blocks
            for block in quote:
                form = block.blockFormat()
                form.setLeftMargin(form.leftMargin() * device.logicalDpiX() / screen)
                QTextCursor(block).setBlockFormat(form)
        self._lay_out()
        for unit in _units(document):
            self._keep(unit)

    def paint(self) -> None:
        """Draw the pages asked for."""
        wanted = self._device.pageRanges()
        numbers = range(1, self._document.pageCount() + 1)
        chosen = [n for n in numbers if wanted.isEmpty() or wanted.contains(n)]
        painter = QPainter(self._device)
        try:
            for place, number in enumerate(chosen):
                if place:
                    self._device.newPage()
                self._paint_page(painter, number)
        finally:
            painter.end()

    def _dots(self, mm: float) -> float:
        return mm / _MM_PER_INCH * self._device.logicalDpiY()

    def _lay_out(self) -> None:
        """Lay everything out again: after a change of format Qt may leave what follows without
        lines, and would print nothing there.
        """
        self._document.markContentsDirty(0, self._document.characterCount())
        self._document.pageCount()  # finishes what Qt does bit by bit
        block = self._document.begin()
        while block.isValid():
            if block.text() and not block.layout().lineCount():
                raise BugError(f"no line for block {block.blockNumber()} of the page")
            block = block.next()

    def _keep(self, unit: Blocks) -> None:
        """Begin a new page before what the end of the page would cut."""
        top, bottom = self._lines(unit[0])[0][0], self._lines(unit[-1])[-1][0]
        if self._page(top) == self._page(bottom):
            return
        if bottom - top < _LARGEST_KEPT * self._size.height():
            form = unit[0].blockFormat()
            form.setPageBreakPolicy(QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
            QTextCursor(unit[0]).setBlockFormat(form)
            self._lay_out()
            return
        parts = _parts(unit)
        for part in parts if len(parts) > 1 else ():
            self._keep(part)

    def _page(self, y: float) -> int:
        return int(y // self._size.height())

    def _lines(self, block: QTextBlock) -> list[tuple[float, float]]:
        """Top and bottom of each line of a block, in the document."""
        place = self._layout.blockBoundingRect(block)
        layout = block.layout()
        lines = [layout.lineAt(n) for n in range(layout.lineCount())]
        tops = [place.top() + line.y() for line in lines]
        found = [(top, top + line.height()) for top, line in zip(tops, lines, strict=True)]
        return found or [(place.top(), place.bottom())]

    def _paint_page(self, painter: QPainter, number: int) -> None:
        page = QRectF(QPointF(0, (number - 1) * self._size.height()), self._size)
        painter.save()
        painter.translate(0, -page.top())
        painter.setClipRect(page)
        context = QAbstractTextDocumentLayout.PaintContext()
        context.clip = page
        context.palette.setColor(QPalette.ColorRole.Text, QColor(LIGHT.text))
        self._layout.draw(painter, context)
        for bar in self._bars(page):
            painter.fillRect(bar, QColor(LIGHT.accent_line))
        painter.restore()
        self._paint_foot(painter, number)

    def _bars(self, page: QRectF) -> Iterator[QRectF]:
        """A bar beside the lines of each quote on a page."""
        for quote in _quotes(self._document):
            lines = [line for block in quote for line in self._lines(block)]
            here = [line for line in lines if page.top() <= line[0] < page.bottom()]
            if here:
                top, bottom = here[0][0], here[-1][1]
                yield QRectF(self._dots(_MARGIN_MM), top, self._dots(_BAR_MM), bottom - top)

    def _paint_foot(self, painter: QPainter, number: int) -> None:
        font = QFont(self._document.defaultFont())
        font.setPointSizeF(_FOOT_POINTS)
        painter.setFont(font)
        painter.setPen(QColor(LIGHT.muted))
        edge = self._dots(_MARGIN_MM)
        strip = QRectF(
            edge, self._size.height() - edge, self._size.width() - 2 * edge, edge
        ).adjusted(0, edge * 0.3, 0, -edge * 0.3)
        count = f"{number}{NBSP}/{NBSP}{self._document.pageCount()}"
        metrics = QFontMetricsF(font, self._device)
        room = strip.width() - metrics.horizontalAdvance(count) - self._dots(5)
        foot = metrics.elidedText(self._foot, Qt.TextElideMode.ElideRight, room)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(strip, Qt.AlignmentFlag.AlignLeft | middle, foot)
        painter.drawText(strip, Qt.AlignmentFlag.AlignRight | middle, count)


def _blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    """Blocks in order, those of tables left out: they cannot begin a page."""
    block = document.begin()
    while block.isValid():
        if QTextCursor(block).currentTable() is None:
            yield block
        block = block.next()


def _quotes(document: QTextDocument) -> list[Blocks]:
    """The blocks of each block quotation.

    Qt marks the first block alone; the others have its left margin.
    """
    found: list[Blocks] = []
    inside = False
    for block in _blocks(document):
        form = block.blockFormat()
        if form.intProperty(QTextFormat.Property.BlockQuoteLevel):
            found.append([block])
            inside = True
        elif inside and form.leftMargin() == found[-1][0].blockFormat().leftMargin():
            found[-1].append(block)
        else:
            inside = False
    return found


def _units(document: QTextDocument) -> list[Blocks]:
    """Blocks that belong together: a quote whole, a heading with what follows it."""
    quoted = {block.blockNumber(): quote for quote in _quotes(document) for block in quote}
    found: list[Blocks] = []
    headed = False
    for block in _blocks(document):
        number = block.blockNumber()
        quote = quoted.get(number, [block])
        if quote[0].blockNumber() != number:
            continue
        if headed:
            found[-1] += quote
        else:
            found.append(list(quote))
        headed = bool(block.blockFormat().headingLevel())
    return found


def _parts(unit: Blocks) -> list[Blocks]:
    """What may not be parted of a unit longer than that: a block alone, after a heading, the first
    words of a quote or what ends in a colon the block that follows, and the last one, which names
    the source, with the one before.
    """
    found = [unit[:1]]
    for before, block in pairwise(unit):
        form = before.blockFormat()
        announces = (
            form.headingLevel()
            or form.intProperty(QTextFormat.Property.BlockQuoteLevel)
            or before.text().rstrip().endswith(":")
        )
        if announces or block == unit[-1]:
            found[-1].append(block)
        else:
            found.append([block])
    return found
