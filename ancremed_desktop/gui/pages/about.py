"""About: what the program is, its licence, and which corpus answers."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from ancremed_desktop import __version__
from ancremed_desktop.domain.evidence import IndexIdentity
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.gui.icons import icon_of
from ancremed_desktop.gui.theme import Appearance
from ancremed_desktop.gui.widgets.basics import (
    clear,
    column,
    frame,
    keyboard_scrolled,
    label,
    reading_page,
    row,
)
from ancremed_desktop.gui.widgets.prose import Prose
from ancremed_desktop.gui.wording import SILO
from ancremed_desktop.services.calculation_text import NOTICE
from ancremed_desktop.text.french import NBSP, count, french_date, grouped, no_break

LICENCE = "AGPL-3.0-or-later"

_KEYS = (
    ("Entrée", "demander"),
    ("Échap", "ne rien envoyer, arrêter, fermer la source, revenir à la liste"),
    ("Ctrl+L, Ctrl+K", "revenir à la question"),
    ("Haut, Bas", "questions déjà posées, dans le champ de question"),
    ("Ctrl+1 à Ctrl+6", "changer de page"),
    ("Flèches, Entrée", "aller d’une citation à l’autre, l’ouvrir"),
    ("Alt+Gauche, Alt+Droite", "passages voisins dans la source"),
    ("Ctrl+J", "aller à une section de la réponse"),
    ("Ctrl+C, sur une citation", "la copier avec sa source"),
    ("Ctrl+Maj+C", "copier la réponse ou le calcul, avec sa source"),
    ("Ctrl+S", "enregistrer la réponse ou le calcul"),
    ("Ctrl+P", "imprimer la réponse"),
    ("Entrée, dans la bibliothèque", "lire la source choisie"),
    ("Ctrl+F, Ctrl+D, Ctrl+N", "calculateurs\u00a0: chercher, favori, nouveau patient"),
    ("Ctrl++, Ctrl+−, Ctrl+0", "taille du texte"),
    ("Ctrl+Q", "quitter"),
)


class AboutPage(QWidget):
    """Version, licence, index identity and keyboard shortcuts."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        logo = QLabel()
        logo.setPixmap(icon_of("application", "", 56).pixmap(56, 56))
        names = column(0)
        names.addWidget(label("AncreMed", "page"))
        names.addWidget(label(f"Version {__version__}  ·  licence {LICENCE}", "muted"))
        head = row(16)
        head.addWidget(logo)
        head.addLayout(names, 1)
        self.index = column(4)
        self.index.addWidget(label("Ouverture du corpus…", "muted"))
        corpus = column(8, (20, 16, 20, 18))
        corpus.addWidget(label("Corpus", "section"))
        corpus.addLayout(self.index)
        keys = column(8, (20, 16, 20, 18))
        keys.addWidget(label("Clavier", "section"))
        keys.addLayout(_grid(_KEYS))
        content = column(16, (0, 22, 0, 24))
        content.addLayout(head)
        content.addWidget(label(no_break(NOTICE), "muted"))
        content.addWidget(frame("card", corpus))
        content.addWidget(frame("card", keys))
        content.addWidget(
            label(
                f"Logiciel libre{NBSP}: vous pouvez l’étudier, le modifier et le redistribuer sous "
                "la même licence. Il est fourni sans garantie.",
                "small",
            )
        )
        self.setLayout(reading_page(content, appearance))
        keyboard_scrolled(self, "À propos d’AncreMed")

    def escape(self) -> None:
        """Nothing to leave here."""

    def show_index(self, identity: IndexIdentity) -> None:
        """Tell which corpus answers."""
        clear(self.index)
        per_silo = ", ".join(
            f"{SILO[Silo(name)]} {grouped(number)}" for name, number in identity.counts
        )
        facts = (
            ("Construit le", french_date(identity.built_at)),
            (
                "Contenu",
                f"{count(identity.passages, 'passage')}, {count(identity.sources, 'source')}",
            ),
            ("Par famille", per_silo),
            ("Identifiant", identity.build_id),
            ("Version du format", str(identity.schema_version)),
            ("Fichier", identity.path),
        )
        self.index.addLayout(_grid(tuple(fact for fact in facts if fact[1])))

    def show_problem(self, message: str) -> None:
        """Tell why no corpus answers."""
        clear(self.index)
        self.index.addWidget(Prose(message))


def _grid(rows: tuple[tuple[str, str], ...]) -> QGridLayout:
    grid = QGridLayout()
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(20)
    grid.setVerticalSpacing(4)
    for number, (name, value) in enumerate(rows):
        grid.addWidget(Prose(name, tone="muted"), number, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(Prose(value), number, 1)
    grid.setColumnStretch(0, 2)
    grid.setColumnStretch(1, 5)
    return grid
