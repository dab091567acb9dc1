"""A page of a PDF, with the quoted words marked where the file allows it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPointF, Qt
from PySide6.QtPdf import QPdfDocument, QPdfSearchModel
from PySide6.QtPdfWidgets import QPdfView
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from ancremed_desktop.gui.icons import Tint
from ancremed_desktop.gui.widgets.basics import button, column, label, row
from ancremed_desktop.gui.wording import NBSP

_SEARCHED_WORDS = 5
"""A sentence broken over lines is found by its first words."""
_ZOOM_STEP = 1.25

_ERROR = {
    QPdfDocument.Error.FileNotFound: "le fichier n’est plus à sa place",
    QPdfDocument.Error.InvalidFileFormat: "le fichier n’est pas un PDF lisible",
    QPdfDocument.Error.IncorrectPassword: "le fichier est protégé par un mot de passe",
    QPdfDocument.Error.UnsupportedSecurityScheme: "sa protection n’est pas prise en charge",
}


class PageView(QWidget):
    """Opens a PDF at a page. A file that cannot be read is said in French."""

    def __init__(self, tint: Tint) -> None:
        super().__init__()
        self._document = QPdfDocument(self)
        self._search = QPdfSearchModel(self)
        self._search.setDocument(self._document)
        self.view = QPdfView(self)
        self.view.setDocument(self._document)
        self.view.setSearchModel(self._search)
        self.view.setPageMode(QPdfView.PageMode.MultiPage)
        self.view.setZoomMode(QPdfView.ZoomMode.FitToWidth)
        self.view.setAccessibleName("Page de la source")
        self.problem: QLabel = label("", "danger")
        self.problem.hide()
        smaller = button("−", "flat", tip="Réduire la page")
        larger = button("+", "flat", tip="Agrandir la page")
        fit = button("Largeur", "flat", tip="Ajuster à la largeur")
        smaller.clicked.connect(lambda: self._zoom(1 / _ZOOM_STEP))
        larger.clicked.connect(lambda: self._zoom(_ZOOM_STEP))
        fit.clicked.connect(lambda: self.view.setZoomMode(QPdfView.ZoomMode.FitToWidth))
        tint(fit, "page", "muted", 14)
        tools = row(4)
        self.shown: QLabel = label("", "small", wrap=False)
        tools.addWidget(self.shown, 1)
        for tool in (smaller, larger, fit):
            tools.addWidget(tool, 0, Qt.AlignmentFlag.AlignRight)
        layout: QVBoxLayout = column(6)
        layout.addLayout(tools)
        layout.addWidget(self.problem)
        layout.addWidget(self.view, 1)
        self.setLayout(layout)

    def show_page(self, path: Path, page_number: int, quoted: str) -> None:
        """Open ``path`` at ``page_number`` (from 1) and mark the first words of ``quoted``."""
        error = self._document.load(str(path))
        pages = self._document.pageCount()
        problem = _ERROR.get(error, "le fichier ne s’ouvre pas")
        if error is QPdfDocument.Error.None_ and not 1 <= page_number <= pages:
            problem = f"le fichier n’a que {pages} pages"
        elif error is QPdfDocument.Error.None_:
            problem = ""
        self.problem.setText(
            f"Impossible de montrer la page {page_number} de {path.name}{NBSP}: {problem}."
        )
        self.problem.setVisible(bool(problem))
        self.view.setVisible(not problem)
        self.shown.setText("" if problem else f"Page {page_number} sur {pages}")
        if not problem:
            self.view.pageNavigator().jump(page_number - 1, QPointF(), 0)
            self._search.setSearchString(" ".join(quoted.split()[:_SEARCHED_WORDS]))

    def clear(self) -> None:
        """Close the file."""
        self._search.setSearchString("")
        self._document.close()

    def _zoom(self, factor: float) -> None:
        self.view.setZoomMode(QPdfView.ZoomMode.Custom)
        self.view.setZoomFactor(max(0.25, min(5.0, self.view.zoomFactor() * factor)))
