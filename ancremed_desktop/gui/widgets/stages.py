"""The four stages of an answer, live."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QProgressBar, QWidget

from ancremed_desktop.gui.icons import Tint
from ancremed_desktop.gui.widgets.basics import column, label, restyle, row

STAGES = ("Analyse", "Recherche", "Rédaction", "Vérification")
_SHOWN_AS = {"Calcul": "Analyse", "Attribution": "Vérification"}


class StageBar(QWidget):
    """Shows which stage is under way; hidden when nothing is."""

    def __init__(self, tint: Tint) -> None:
        super().__init__()
        self._tint = tint
        self._dots: list[QLabel] = []
        self._names: list[QLabel] = []
        names = row(6)
        for stage in STAGES:
            dot, name = QLabel(), label(stage, "muted", wrap=False)
            self._dots.append(dot)
            self._names.append(name)
            names.addWidget(dot)
            names.addWidget(name)
            names.addSpacing(14)
        names.addStretch(1)
        self.waiting = label("", "muted", wrap=False)
        names.addWidget(self.waiting)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setRange(0, 0)
        self._bar.setAccessibleName("Réponse en préparation")
        layout = column(8, (4, 4, 4, 4))
        layout.addLayout(names)
        layout.addWidget(self._bar)
        self.setLayout(layout)
        self.hide()

    @property
    def current(self) -> str:
        """Stage under way, empty before the first."""
        for name in self._names:
            if name.property("type") == "accent":
                return name.text()
        return ""

    def start(self, waiting: bool) -> None:
        """Show the bar; ``waiting``: another task must end first."""
        self.waiting.setText("Une autre tâche se termine…" if waiting else "")
        self._show(-1)
        self.show()

    def show_stage(self, stage: str) -> None:
        """``stage`` as the pipeline names it; a name it does not know changes nothing."""
        name = _SHOWN_AS.get(stage, stage)
        if name in STAGES:
            self.waiting.setText("")
            self._show(STAGES.index(name))

    def _show(self, current: int) -> None:
        for number, (dot, name) in enumerate(zip(self._dots, self._names, strict=True)):
            done, here = number < current, number == current
            icon = "check" if done else "chevron-right" if here else "absent"
            self._tint(dot, icon, "accent" if done or here else "line", 14)
            restyle(name, "type", "accent" if here else "muted")
        self.setAccessibleName(f"Étape en cours : {self.current}" if current >= 0 else "En attente")
