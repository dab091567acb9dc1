"""What a model earned here, with its figures, and what it is on for."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from ancremed_desktop.domain.models import Ability
from ancremed_desktop.gui.widgets.basics import column, label
from ancremed_desktop.gui.widgets.prose import Prose
from ancremed_desktop.gui.wording import capital
from ancremed_desktop.services.model_desk import ModelState
from ancremed_desktop.services.qualification import ABILITY_NAMES, ends, verdict
from ancremed_desktop.text.french import NBSP, french_date, no_break

_INDENT = 26
"""Of the reasons, under the text of their check box."""
_NEVER = (
    "Pas encore qualifié sur cet ordinateur : ce qu’il vaut n’est pas connu, il ne sert à rien."
)


_BOUNDS = (
    "Entre parenthèses, l’intervalle de confiance à 95 % : sa borne basse doit atteindre ce qu’il "
    "faut."
)


class RoleList(QWidget):
    """A check box a role: enabled where it was earned, its reason under it everywhere."""

    chosen = Signal(object)
    """The ``frozenset[Ability]`` that is now on."""

    def __init__(self, state: ModelState) -> None:
        super().__init__()
        self.boxes: dict[Ability, QCheckBox] = {}
        self.reasons: dict[Ability, Prose] = {}
        layout = column(4)
        found = state.qualification
        if found is None:
            layout.addWidget(Prose(no_break(_NEVER), tone="muted"))
            self.setLayout(layout)
            return
        for ability in Ability:
            box = QCheckBox(capital(ABILITY_NAMES[ability]))
            box.setChecked(ability in state.roles and ability in found.abilities)
            box.setEnabled(ability in found.abilities)
            box.clicked.connect(self._tell)
            said = no_break(verdict(found, ability))
            box.setAccessibleDescription(said)
            reason = Prose(said, size="small", tone="muted")
            self.boxes[ability], self.reasons[ability] = box, reason
            indented = column(0, (_INDENT, 0, 0, 6))
            indented.addWidget(reason)
            layout.addWidget(box)
            layout.addLayout(indented)
        ended = ends(found)
        said = f"Qualifié ici le {french_date(found.date)}"
        said += f"{NBSP}; demandes {ended}. " if ended else ". "
        layout.addWidget(label(no_break(said + _BOUNDS), "small"))
        self.setLayout(layout)

    def _tell(self) -> None:
        self.chosen.emit(frozenset(a for a, box in self.boxes.items() if box.isChecked()))
