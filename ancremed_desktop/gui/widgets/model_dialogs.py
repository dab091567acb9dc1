"""What is asked before a model is kept, measured or removed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon, QShowEvent
from PySide6.QtWidgets import QComboBox, QDialog, QMessageBox, QWidget

from ancremed_desktop.domain.models import ModelFamily
from ancremed_desktop.gui.widgets.basics import button, column, label, row, scrolling
from ancremed_desktop.services.model_desk import SAMPLE, ModelDesk
from ancremed_desktop.services.model_tools import UnknownFile
from ancremed_desktop.text.french import NBSP, grouped, no_break

_CHARACTERS = 70
_LOCAL = (
    "Le modèle est mis à l’épreuve sur des cas dont la bonne réponse est connue. Selon sa taille et "
    "cet ordinateur, cela prend de quelques minutes à plusieurs heures ; vous pouvez arrêter à tout "
    "moment, rien n’est alors gardé. Évitez de poser des questions pendant la mesure : un modèle "
    "ralenti est compté comme trop lent."
)
_ONLINE = (
    "Gemini est mis à l’épreuve sur des cas dont la bonne réponse est connue. Ces cas, livrés avec "
    "AncreMed, sont envoyés à Google ; rien n’est de vous."
)


class _Dialog(QDialog):
    """A question with its words, which scroll where they must, and its answers under them.

    Escape changes nothing.
    """

    def __init__(self, parent: QWidget, title: str, *paragraphs: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setModal(True)
        self._parent = parent
        self._words = column(14, (28, 24, 28, 8))
        self._words.addWidget(label(title, "title"))
        for paragraph in paragraphs:
            self._words.addWidget(label(no_break(paragraph)))
        self._answers = row(8, (28, 8, 28, 22))
        self._answers.addStretch(1)
        self.cancel = button("Annuler")
        self.cancel.clicked.connect(self.reject)
        self._answers.addWidget(self.cancel)
        content = QWidget()
        content.setProperty("role", "ground")
        content.setLayout(self._words)
        layout = column(0)
        layout.addWidget(scrolling(content))
        layout.addLayout(self._answers)
        self.setLayout(layout)

    def showEvent(self, event: QShowEvent) -> None:
        """As wide as the answers need, as high as the words then do, if the window behind is.

        Only now is the size of the letters known.
        """
        super().showEvent(event)
        width = self.fontMetrics().averageCharWidth() * _CHARACTERS
        width = min(width, max(420, self._parent.width() - 80))
        self.setFixedWidth(max(width, self._answers.sizeHint().width()))
        words = self._words.heightForWidth(self.width())
        answers = self._answers.sizeHint().height()
        self.resize(self.width(), min(words + answers, max(320, self._parent.height() - 40)))


class QualifyDialog(_Dialog):
    """``limit``: cases of each kind chosen, 0: all."""

    def __init__(self, parent: QWidget, name: str, online: ModelDesk | None) -> None:
        """``online``: tells requests and cost of the online model; None for a local one.

        Raises: BadFileError.
        """
        super().__init__(parent, f"Qualifier «{NBSP}{name}{NBSP}»", _ONLINE if online else _LOCAL)
        self.limit = SAMPLE
        self.quick = button("Mesure rapide", "primary")
        self.whole = button("Mesure complète")
        for choice, limit, text in (
            (self.quick, SAMPLE, f"rapide : {SAMPLE} cas de chaque sorte, aucune faute permise"),
            (self.whole, 0, "complète : tous les cas, les bornes sont plus serrées"),
        ):
            cost = ""
            if online is not None:
                calls, usd = online.online_cost(limit)
                most = f"{usd:.2g}".replace(".", ",")
                cost = f" ; {grouped(calls)} demandes et {most}{NBSP}$ au plus"
            self._words.addWidget(label(no_break(f"Mesure {text}{cost}."), "small"))
            choice.clicked.connect(lambda _on, limit=limit: self._choose(limit))
        self._answers.addWidget(self.whole)
        self._answers.addWidget(self.quick)

    def _choose(self, limit: int) -> None:
        self.limit = limit
        self.accept()


class AcceptDialog(_Dialog):
    """Asks about a file of weights nobody here knows; ``family``: how it converses."""

    def __init__(self, parent: QWidget, unknown: UnknownFile) -> None:
        licence = unknown.licence or "non précisée"
        super().__init__(
            parent,
            "Fichier inconnu",
            "Ce fichier n’est pas dans la liste des modèles connus d’AncreMed. Un fichier de modèle "
            "vient d’un inconnu tant que vous n’avez pas vérifié son origine : comparez son "
            "empreinte à celle que publie son auteur.",
        )
        first, last = unknown.sha256[:32], unknown.sha256[32:]
        facts = f"Fichier : {unknown.name}\nLicence : {licence}\nSHA-256 : {first}\n{last}"
        self._words.addWidget(label(no_break(facts), "small"))
        self.families = QComboBox()
        self.families.setAccessibleName("Format de conversation")
        self.families.addItem("Format de conversation : à choisir", None)
        for family in ModelFamily:
            self.families.addItem(family.value, family)
        if unknown.family is not None:
            self.families.setCurrentIndex(self.families.findData(unknown.family))
        self.keep = button("Importer ce fichier", "primary")
        self.keep.clicked.connect(self.accept)
        self.families.currentIndexChanged.connect(self._allow)
        self._words.addWidget(self.families, 0, Qt.AlignmentFlag.AlignLeft)
        self._answers.addWidget(self.keep)
        self._allow()

    @property
    def family(self) -> ModelFamily | None:
        """The format chosen."""
        data = self.families.currentData()
        return ModelFamily(data) if data else None

    def _allow(self) -> None:
        self.keep.setEnabled(self.family is not None)


def ask_removal(parent: QWidget, name: str) -> bool:
    """Whether the user wants a model's file deleted."""
    buttons = QMessageBox.StandardButton
    asked = QMessageBox(
        QMessageBox.Icon.Question,
        "Supprimer",
        f"Supprimer le fichier du modèle «{NBSP}{name}{NBSP}»{NBSP}?\n\n"
        "Il faudra le télécharger ou l’importer à nouveau.",
        buttons.Yes | buttons.Cancel,
        parent,
    )
    asked.setTextFormat(Qt.TextFormat.PlainText)
    for which, text in ((buttons.Yes, "Supprimer"), (buttons.Cancel, "Annuler")):
        asked.button(which).setText(text)
        asked.button(which).setIcon(QIcon())  # those of the desktop are of another style
    return asked.exec() == buttons.Yes
