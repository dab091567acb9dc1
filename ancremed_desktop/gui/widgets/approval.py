"""What is about to leave the machine, word for word, and the user's answer."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QCheckBox, QFrame, QTextEdit

from ancremed_desktop.gui.icons import Tint
from ancremed_desktop.gui.theme import Appearance
from ancremed_desktop.gui.widgets.basics import button, column, label
from ancremed_desktop.gui.widgets.flow import FittingRow
from ancremed_desktop.gui.widgets.prose import fill, mark
from ancremed_desktop.services.approval import Approval, Outgoing

_MASKS = re.compile(
    r"\[(?:NOM|N° DE SÉCURITÉ SOCIALE|N° DE DOSSIER|DATE DE NAISSANCE|DATE|TÉLÉPHONE|COURRIEL|ADRESSE)\]"
)
_HEIGHT = 150
"""Of the text, in pixels at 100 %: the rest is scrolled, the answer below stays in sight."""


class ApprovalCard(QFrame):
    """Hidden until a text waits. Nothing is sent by Enter alone: a button must be chosen."""

    def __init__(self, appearance: Appearance, tint: Tint) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._appearance = appearance
        self._answer: Callable[[object], None] | None = None
        self._text = ""
        self.title = label("", "strong")
        self.text = QTextEdit()
        self.text.setReadOnly(True)
        self.text.setAcceptRichText(False)
        self.text.setTabChangesFocus(True)
        self.text.setProperty("role", "outgoing")
        self.text.setAccessibleName("Texte qui partirait, mot pour mot")
        self.send = button("Envoyer", "primary")
        self.send_all = button("Tout envoyer pour cette question")
        self.refuse = button("Ne rien envoyer")
        self.silent = QCheckBox("Ne plus demander jusqu’à la fermeture")
        tint(self.send, "send", "on_accent", 16)
        self.send.clicked.connect(lambda: self._give(Approval.ONCE))
        self.send_all.clicked.connect(lambda: self._give(Approval.QUESTION))
        self.refuse.clicked.connect(lambda: self._give(Approval.REFUSED))
        self._lay_out()
        appearance.changed.connect(self._paint)
        self.hide()

    def ask(self, outgoing: Outgoing, answer: Callable[[object], None]) -> None:
        """Show a text; ``answer`` is given an ``Approval``, once."""
        self._answer = answer
        self._text = outgoing.text
        number = "" if outgoing.number == 1 else f" (demande {outgoing.number})"
        self.title.setText(f"Envoyer ce texte à Gemini\u00a0?{number}")
        self.setAccessibleName(self.title.text())
        self.silent.setChecked(False)
        fill(self.text, outgoing.text)
        self._paint()
        self.show()
        self.text.setFocus()
        # The user's own words come last; the layout is not known before the card is shown.
        QTimer.singleShot(0, self, self._show_end)

    def dismiss(self) -> None:
        """The question was stopped: there is nothing to answer any more."""
        self._answer = None
        self._text = ""
        self.text.clear()
        self.hide()

    def _show_end(self) -> None:
        bar = self.text.verticalScrollBar()
        bar.setValue(bar.maximum())

    def _give(self, approval: Approval) -> None:
        answer, self._answer = self._answer, None
        if answer is None:
            return
        if approval is not Approval.REFUSED and self.silent.isChecked():
            approval = Approval.SESSION
        self.dismiss()
        answer(approval)

    def _paint(self) -> None:
        self.text.setFixedHeight(self._appearance.px(_HEIGHT))
        colours = self._appearance.palette
        masks = [match.span() for match in _MASKS.finditer(self._text)]
        mark(self.text, self._text, masks, QColor(colours.mark), QColor(colours.on_mark))

    def _lay_out(self) -> None:
        layout = column(8, (18, 14, 18, 14))
        layout.addWidget(self.title)
        layout.addWidget(
            label(
                "Mot pour mot, consignes et phrases des sources d’abord, votre question à la fin. Ce "
                "qui désigne une personne est remplacé par des crochets\u00a0; un nom que rien "
                "n’annonce n’est pas reconnu\u00a0: relisez.",
                "small",
            )
        )
        layout.addWidget(self.text)
        layout.addWidget(FittingRow([self.send, self.send_all, self.refuse], apart=2))
        layout.addWidget(self.silent)
        self.setLayout(layout)
