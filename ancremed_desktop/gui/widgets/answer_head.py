"""Above an answer: what it is made of, its sections to go to, copying and saving it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QSizePolicy

from ancremed_desktop.gui.icons import Tint
from ancremed_desktop.gui.widgets.basics import button, label
from ancremed_desktop.gui.widgets.flow import FittingRow
from ancremed_desktop.gui.wording import capital

_FEWEST_SECTIONS = 2
_DRAWING = 34
"""Pixels of a button of one drawing."""


class AnswerHead(FittingRow):
    """The menu of sections is left out of a short answer."""

    copied = Signal()
    saved = Signal()
    printed = Signal()
    section_wanted = Signal(str)

    def __init__(self, summary: str, sections: Sequence[str], tint: Tint) -> None:
        """``sections``: those that were found, in order."""
        self.summary = label(summary, "small-strong")
        self.summary.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.copy = button("Copier", "flat", tip="Copier la réponse avec ses sources (Ctrl+Maj+C)")
        self.save = button(
            "Enregistrer…", "flat", tip="PDF, page web, texte ou cartes Anki (Ctrl+S)"
        )
        # Its drawing alone: four words and the summary do not stand on one line at 1280 pixels.
        self.print = button("", "flat", tip="Imprimer la réponse avec ses sources (Ctrl+P)")
        self.print.setAccessibleName("Imprimer la réponse")
        self.print.setMaximumWidth(_DRAWING)
        self.sections = button("Sections", "flat", tip="Aller à une section (Ctrl+J)")
        super().__init__(
            [self.summary, self.sections, self.copy, self.save, self.print], apart=1, spacing=0
        )
        self.menu = QMenu(self.sections)
        for section in sections:
            action = self.menu.addAction(capital(section).replace("&", "&&"))
            action.triggered.connect(lambda _on, section=section: self.section_wanted.emit(section))
        self.sections.setMenu(self.menu)
        self.sections.setVisible(len(sections) >= _FEWEST_SECTIONS)
        tint(self.copy, "copy", "muted", 16)
        tint(self.save, "download", "muted", 16)
        tint(self.print, "print", "muted", 16)
        tint(self.sections, "text", "muted", 16)
        self.copy.clicked.connect(self.copied)
        self.save.clicked.connect(self.saved)
        self.print.clicked.connect(self.printed)

    def open_sections(self) -> None:
        """Drop the menu of sections down."""
        if self.sections.isVisible():
            self.sections.showMenu()
