"""Adding the user's own documents: files or a folder, chosen or dropped."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, Signal
from PySide6.QtWidgets import QFileDialog, QMenu, QPushButton

from ancremed_desktop.gui.icons import Tint
from ancremed_desktop.gui.widgets.basics import restyle

OWN_KIND = "local"
"""Kind of the user's own documents in the library service."""
_READ = (
    "Documents (*.pdf *.docx *.md *.markdown *.html *.htm *.txt *.zip *.tar.gz *.tgz);;"
    "Tous les fichiers (*)"
)


class AddButton(QPushButton):
    """Opens a menu: files, or a folder."""

    wanted = Signal(object)
    """Paths chosen, a tuple."""

    def __init__(self, tint: Tint) -> None:
        super().__init__("Ajouter mes documents")
        self._folder = ""
        self.setAutoDefault(False)
        restyle(self, "role", "primary")
        self.setToolTip("PDF, DOCX, Markdown, HTML ou texte ; vous pouvez aussi les déposer ici")
        self._tint = tint
        self._draw()
        menu = QMenu(self)
        menu.addAction("Des fichiers…", self._choose_files)
        menu.addAction("Un dossier…", self._choose_folder)
        self.setMenu(menu)

    def changeEvent(self, event: QEvent) -> None:
        """The icon follows the words when the button cannot be pressed."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange:
            self._draw()

    def _draw(self) -> None:
        self._tint(self, "page", "on_accent" if self.isEnabled() else "muted", 16)

    def start_in(self, folder: str) -> None:
        """Where the choosers open; empty: the user's folder."""
        self._folder = folder

    def _choose_files(self) -> None:
        chosen, _kind = QFileDialog.getOpenFileNames(self, "Documents", self._folder, _READ)
        if chosen:
            self.wanted.emit(tuple(map(Path, chosen)))

    def _choose_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, "Dossier de documents", self._folder)
        if chosen:
            self.wanted.emit((Path(chosen),))


def dropped_paths(data: QMimeData) -> tuple[Path, ...]:
    """Files and folders of this machine in what is dropped."""
    return tuple(Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile())
