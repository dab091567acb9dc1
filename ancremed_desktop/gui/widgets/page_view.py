"""A page of a PDF as it is printed, with the quoted words marked where the file allows it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPixmap, QResizeEvent
from PySide6.QtWidgets import QLabel, QScrollArea, QWidget

from ancremed_desktop.gui.icons import Tint
from ancremed_desktop.gui.page_renderer import PageImage, PageRequest
from ancremed_desktop.gui.widgets.basics import button, column, label, row
from ancremed_desktop.gui.widgets.prose import Prose

_ZOOM_STEP = 1.25
_ZOOMS = (0.5, 4.0)
_REDRAW_MS = 200
_MARK = QColor(255, 214, 64, 110)
"""Like a highlighter: pages are white in both themes."""


class PageView(QWidget):
    """Asks for pages through ``wanted``; shows what ``show_image`` or ``show_problem`` brings."""

    wanted = Signal(object)
    """A ``PageRequest``."""

    def __init__(self, tint: Tint) -> None:
        super().__init__()
        self._request: PageRequest | None = None
        self._zoom = 1.0
        self._pages = 0
        self._redraw = QTimer(self)
        self._redraw.setSingleShot(True)
        self._redraw.setInterval(_REDRAW_MS)
        self._redraw.timeout.connect(self._ask)
        self.problem = Prose("")
        self.problem.hide()
        self.shown: QLabel = label("", "small", wrap=False)
        self.sheet = QLabel()
        self.sheet.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.area.setProperty("role", "surface")
        self.area.setAccessibleName("Page de la source")
        self.area.setWidget(self.sheet)
        self._lay_out(tint)

    def show_page(self, path: Path, number: int, quoted: str) -> None:
        """Ask for ``number`` (from 1) of ``path`` with ``quoted`` marked."""
        self._zoom = 1.0
        self._pages = 0
        self._request = PageRequest(path=path, number=number, width_px=1, quoted=quoted)
        self.shown.setText("Ouverture de la page…")
        # The width is known once the view is laid out.
        self._redraw.start(0)

    def show_image(self, image: PageImage) -> None:
        """Show a drawn page, scrolled to the first mark; a page no longer wanted is ignored."""
        if self._request is None or replace(self._request, width_px=image.request.width_px) != (
            image.request
        ):
            return
        self._pages = image.pages
        self.problem.hide()
        self.area.show()
        self.sheet.setPixmap(self._painted(image))
        self.shown.setText(f"Page {image.request.number} sur {image.pages}")
        self.before.setEnabled(image.request.number > 1)
        self.after.setEnabled(image.request.number < image.pages)
        if image.marks:
            top = image.marks[0][1] / self.devicePixelRatioF()
            QTimer.singleShot(0, self, lambda: self._scroll_to(top))

    def show_problem(self, message: str) -> None:
        """Tell why there is no page."""
        self.shown.setText("")
        self.problem.set_text(message)
        self.problem.show()
        self.area.hide()

    def clear(self) -> None:
        """Forget the page."""
        self._request = None
        self._redraw.stop()
        self.sheet.clear()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw again for the new width, once it has settled."""
        super().resizeEvent(event)
        if self._request is not None:
            self._redraw.start(_REDRAW_MS)

    def _ask(self) -> None:
        if self._request is not None:
            width = max(200, self.area.viewport().width()) * self._zoom * self.devicePixelRatioF()
            self.wanted.emit(replace(self._request, width_px=round(width)))

    def _painted(self, image: PageImage) -> QPixmap:
        picture = QImage(
            image.pixels, image.width, image.height, image.stride, QImage.Format.Format_RGB888
        ).copy()
        painter = QPainter(picture)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
        for mark in image.marks:
            painter.fillRect(QRectF(*mark), _MARK)
        painter.end()
        pixmap = QPixmap.fromImage(picture)
        pixmap.setDevicePixelRatio(self.devicePixelRatioF())
        return pixmap

    def _scroll_to(self, top: float) -> None:
        self.area.verticalScrollBar().setValue(round(top) - self.area.viewport().height() // 4)

    def _turn(self, step: int) -> None:
        if self._request is not None and 1 <= self._request.number + step <= self._pages:
            self._request = replace(self._request, number=self._request.number + step)
            self.area.verticalScrollBar().setValue(0)
            self._ask()

    def _scale(self, factor: float) -> None:
        low, high = _ZOOMS
        self._zoom = max(low, min(high, self._zoom * factor)) if factor else 1.0
        self._ask()

    def _lay_out(self, tint: Tint) -> None:
        self.before = button("", "flat", tip="Page précédente")
        self.after = button("", "flat", tip="Page suivante")
        smaller = button("−", "flat", tip="Réduire la page")
        larger = button("+", "flat", tip="Agrandir la page")
        fit = button("Largeur", "flat", tip="Ajuster à la largeur")
        tint(self.before, "chevron-left", "muted", 16)
        tint(self.after, "chevron-right", "muted", 16)
        for tool in (self.before, self.after, smaller, larger):
            tool.setAccessibleName(tool.toolTip())
        self.before.clicked.connect(lambda: self._turn(-1))
        self.after.clicked.connect(lambda: self._turn(1))
        smaller.clicked.connect(lambda: self._scale(1 / _ZOOM_STEP))
        larger.clicked.connect(lambda: self._scale(_ZOOM_STEP))
        fit.clicked.connect(lambda: self._scale(0))
        tools = row(2)
        tools.addWidget(self.before)
        tools.addWidget(self.shown)
        tools.addWidget(self.after)
        tools.addStretch(1)
        for tool in (smaller, larger, fit):
            tools.addWidget(tool)
        layout = column(6)
        layout.addLayout(tools)
        layout.addWidget(self.problem)
        layout.addWidget(self.area, 1)
        self.setLayout(layout)
