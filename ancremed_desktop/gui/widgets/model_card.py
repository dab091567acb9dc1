"""One model: what it is, what it earned here, what it is on for, and what can be done with it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton

from ancremed_desktop.domain.models import ModelCard
from ancremed_desktop.gui.icons import Tint
from ancremed_desktop.gui.widgets.basics import badge, button, column, label
from ancremed_desktop.gui.widgets.flow import FittingRow
from ancremed_desktop.gui.widgets.model_roles import RoleList
from ancremed_desktop.gui.widgets.prose import Prose
from ancremed_desktop.gui.wording import dotted, file_size
from ancremed_desktop.services.model_desk import ModelState
from ancremed_desktop.services.model_text import TRIAL, UNTRIED
from ancremed_desktop.text.french import NBSP, no_break


class LocalModelCard(QFrame):
    """Drawn again whenever something changed; the page does the work."""

    install_wanted = Signal(str)
    remove_wanted = Signal(str)
    qualify_wanted = Signal(str)
    roles_chosen = Signal(str, object)

    def __init__(self, state: ModelState, card: ModelCard, tint: Tint) -> None:
        """``card``: of ``state``."""
        super().__init__()
        self.setProperty("role", "card")
        self.state = state
        name = state.name
        self.install = button("Reprendre" if state.held_bytes else "Télécharger")
        tint(self.install, "download", "accent", 16)
        self.remove = button("Supprimer" if state.installed else "Abandonner")
        self.qualify = button("Qualifier…", tip="Mesurer ce qu’il sait faire ici")
        tint(self.qualify, "shield", "accent", 16)
        self.install.clicked.connect(lambda: self.install_wanted.emit(name))
        self.remove.clicked.connect(lambda: self.remove_wanted.emit(name))
        self.qualify.clicked.connect(lambda: self.qualify_wanted.emit(name))
        for control in (self.install, self.remove, self.qualify):
            control.setAccessibleName(f"{control.text().rstrip('…')} {name}")
        self.roles = RoleList(state)
        self.roles.chosen.connect(lambda abilities: self.roles_chosen.emit(name, abilities))
        self._lay_out(card)
        self.setAccessibleName(f"Modèle {name}")

    @property
    def _actions(self) -> list[QPushButton]:
        card = self.state.card
        if not self.state.installed:
            fetched = card is not None and (card.url or card.package)
            return [self.install] * bool(fetched) + [self.remove] * bool(self.state.held_bytes)
        return [self.qualify, *([self.remove] if self.state.removable else [])]

    def set_busy(self, busy: bool) -> None:
        """Nothing else can be begun while a long work is under way."""
        for control in self._actions:
            control.setEnabled(not busy)

    def _lay_out(self, card: ModelCard) -> None:
        name = [label(self.state.name, "section", wrap=False)]
        name += [badge(text, kind) for text, kind in _badges(self.state)]
        layout = column(8, (20, 16, 20, 18))
        layout.addWidget(FittingRow([*name, *self._actions], apart=len(name)))
        layout.addWidget(Prose(_facts(card), size="small", tone="muted"))
        for text in (card.why, card.note):
            if text:
                layout.addWidget(Prose(no_break(text)))
        figures = [f"Publié : {_after_colon(card.published)}"] if card.published else []
        if card.measured:
            figures.append(f"Mesuré par nous : {_after_colon(card.measured)}")
        elif card.why:
            figures.append(UNTRIED)
        for said in figures:
            layout.addWidget(Prose(no_break(said), size="small", tone="muted"))
        if self.state.installed:
            layout.addWidget(self.roles)
        else:
            self.roles.deleteLater()
        self.setLayout(layout)


def _after_colon(text: str) -> str:
    return text[:1].lower() + text[1:]


def _badges(state: ModelState) -> list[tuple[str, str]]:
    marks = [("recommandé", "accent")] if state.recommended else []
    if not state.fits:
        marks.append(("trop grand pour la mémoire d’ici", "warning"))
    if state.card is not None and state.card.trial:
        marks.append((TRIAL, "plain"))
    if state.installed:
        return [("sert à répondre", "accent"), *marks] if state.roles & state.earned else marks
    if state.held_bytes and state.card is not None:
        share = 100 * state.held_bytes // state.card.file_bytes
        return [*marks, (f"téléchargement interrompu à {share}{NBSP}%", "plain")]
    return [*marks, ("non installé", "plain")]


def _facts(card: ModelCard) -> str:
    licence = f"licence {card.licence}" if card.licence else "licence non précisée"
    origin = "" if card.known else "fichier que vous avez importé"
    memory = f"{file_size(card.memory_bytes)} de mémoire"
    return dotted((f"{file_size(card.file_bytes)} sur le disque", memory, licence, origin)).replace(
        " de mémoire", f"{NBSP}de mémoire"
    )
