"""The stages of an answer, live: those of the rules, then those of a model that adds to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from PySide6.QtWidgets import QLabel, QProgressBar, QWidget

from ancremed_desktop.gui.icons import Tint
from ancremed_desktop.gui.widgets.basics import column, label, restyle, row
from ancremed_desktop.gui.widgets.flow import FittingRow
from ancremed_desktop.services.model_text import short_name
from ancremed_desktop.text.french import NBSP

STAGES = ("Analyse", "Recherche", "Rédaction", "Vérification")
MODEL_STAGES = ("Plan", "Phrases", "Contrôle")
_SHOWN_AS = {"Calcul": "Analyse", "Attribution": "Vérification"}
_MODEL_SHOWN_AS: Mapping[str, str] = MappingProxyType(
    {
        "Plan du modèle": "Plan",
        "Choix du modèle": "Phrases",
        "Rédaction du modèle": "Phrases",
        "Vérification du modèle": "Contrôle",
    }
)


class _Steps(QWidget):
    """Names of stages in a row, each behind a mark: done, under way or to come."""

    def __init__(self, stages: Sequence[str], tint: Tint, *, each_told: bool) -> None:
        """``each_told``: a stage that was never under way was left out, not done."""
        super().__init__()
        self._tint = tint
        self._each_told = each_told
        self._told: set[int] = set()
        self._dots: list[QLabel] = []
        self._names: list[QLabel] = []
        self.current = ""
        steps: list[QWidget] = []
        for stage in stages:
            dot, name = QLabel(), label(stage, "muted", wrap=False)
            self._dots.append(dot)
            self._names.append(name)
            step = row(6)
            step.addWidget(dot)
            step.addWidget(name)
            steps.append(QWidget())
            steps[-1].setLayout(step)
        whole = column(0)
        whole.addWidget(FittingRow(steps, apart=len(steps), spacing=20))
        self.setLayout(whole)

    def show_current(self, current: int) -> None:
        """Position under way; -1: none yet."""
        self.current = self._names[current].text() if current >= 0 else ""
        self._told = self._told | {current} if current >= 0 else set()
        for number, (dot, name) in enumerate(zip(self._dots, self._names, strict=True)):
            done, here = number < current, number == current
            done = done and (number in self._told or not self._each_told)
            icon = "check" if done else "chevron-right" if here else "absent"
            self._tint(dot, icon, "accent" if done or here else "line", 14)
            restyle(name, "type", "accent" if here else "muted")


class StageBar(QWidget):
    """Shows which stage is under way; hidden when nothing is."""

    def __init__(self, tint: Tint) -> None:
        super().__init__()
        self._rules = _Steps(STAGES, tint, each_told=False)
        self._models = _Steps(MODEL_STAGES, tint, each_told=True)
        self._words = ""
        self.said = label("", "muted")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setRange(0, 0)
        self._bar.setAccessibleName("Réponse en préparation")
        layout = column(8, (4, 4, 4, 4))
        for widget in (self.said, self._rules, self._models, self._bar):
            layout.addWidget(widget)
        self.setLayout(layout)
        self.hide()

    @property
    def current(self) -> str:
        """Stage under way, empty before the first."""
        return self._models.current or self._rules.current

    def start(self, waiting: bool) -> None:
        """Show the bar; ``waiting``: another task must end first."""
        self._say("Une autre tâche se termine…" if waiting else "")
        self._rules.show_current(-1)
        self._models.show_current(-1)
        self._rules.show()
        self._models.hide()
        self._bar.show()
        self._name()
        self.show()

    def begin_models(self) -> None:
        """The answer made of extracts is on screen; a model is about to add to it."""
        if not self._models.current:  # its first stage may be known before its answer is shown
            self._say("Les extraits sont là. Un modèle cherche à faire mieux…")
        self._rules.hide()
        self._models.show()

    def show_stage(self, stage: str, model: str = "") -> None:
        """``stage`` as the pipeline names it; a name it does not know changes nothing."""
        if stage in _MODEL_SHOWN_AS:
            self._say(f"Les extraits sont là. {short_name(model)} cherche à faire mieux…")
            self._models.show_current(MODEL_STAGES.index(_MODEL_SHOWN_AS[stage]))
        elif (name := _SHOWN_AS.get(stage, stage)) in STAGES:
            self._say("")
            self._rules.show_current(STAGES.index(name))
        self._name()

    def wait_for_user(self, waiting: bool) -> None:
        """Nothing moves while the user reads what would be sent."""
        self._bar.setVisible(not waiting)
        asking = f"Les extraits sont là. Rien ne part sans votre accord{NBSP}:"
        self.said.setText(asking if waiting else self._words)

    def _say(self, text: str) -> None:
        self._words = text
        self.said.setText(text)
        self.said.setVisible(bool(text))

    def _name(self) -> None:
        self.setAccessibleName(f"Étape en cours : {self.current}" if self.current else "En attente")
