"""What a newcomer must know before the first question."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QWidget

from ancremed_desktop.gui.icons import Tint
from ancremed_desktop.gui.widgets.basics import button, column, label, row, scrolling
from ancremed_desktop.text.french import NBSP

NOTICE_VERSION = 1
"""Raise it when the notice says something new: it is shown again."""

_POINTS = (
    (
        "warning",
        "Un outil pédagogique, pas une aide à la prescription",
        "AncreMed cite des sources pour apprendre et réviser. Il ne remplace ni la source, ni un "
        "avis médical. Ne décidez d’aucun soin sur sa seule réponse.",
    ),
    (
        "about",
        "Aucun clinicien n’a relu le corpus de démarrage",
        "Ces fiches sont des brouillons et le disent sur chaque citation. Ouvrez la source et "
        f"vérifiez{NBSP}: c’est fait pour cela.",
    ),
    (
        "computer",
        "Tout reste sur cette machine",
        "Vos questions, vos documents et les réponses ne sont envoyés nulle part, sauf si vous "
        "activez vous-même Gemini. Le texte des questions n’est pas conservé, sauf si vous le "
        "demandez dans les réglages.",
    ),
)


class NoticeDialog(QDialog):
    """Accepted when it was read; closing it leaves it to be shown next time."""

    def __init__(self, parent: QWidget, tint: Tint) -> None:
        super().__init__(parent)
        self.setWindowTitle("Avant de commencer")
        self.setModal(True)
        points = column(18, (32, 28, 32, 8))
        points.addWidget(label("Avant de commencer", "title"))
        for icon, title, text in _POINTS:
            points.addLayout(_point(icon, title, text, tint))
        self.accept_button = button("J’ai compris", "primary")
        self.accept_button.setDefault(True)
        self.accept_button.clicked.connect(self.accept)
        foot = row(0, (32, 8, 32, 24))
        foot.addStretch(1)
        foot.addWidget(self.accept_button)
        content = QWidget()
        content.setProperty("role", "ground")
        content.setLayout(points)
        layout = column(0)
        layout.addWidget(scrolling(content))
        layout.addLayout(foot)
        self.setLayout(layout)
        width = self.fontMetrics().averageCharWidth() * 74
        self.setFixedWidth(min(width, max(480, parent.width() - 80)))
        # All of it at once where the window behind is tall enough, else it scrolls.
        words = points.heightForWidth(self.width())
        self.resize(self.width(), min(words + foot.sizeHint().height() + 8, parent.height() - 40))
        self.accept_button.setFocus()


def _point(icon: str, title: str, text: str, tint: Tint) -> QHBoxLayout:
    mark = QLabel()
    mark.setAlignment(Qt.AlignmentFlag.AlignTop)
    tint(mark, icon, "accent", 24)
    words = column(3)
    words.addWidget(label(title, "strong"))
    words.addWidget(label(text, "muted"))
    layout = row(16)
    layout.addWidget(mark)
    layout.addLayout(words, 1)
    return layout
