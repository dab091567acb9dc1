"""The models page: what is there, what each earned on this machine, what each is on for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QFrame, QVBoxLayout, QWidget

from ancremed_desktop.domain.events import Progress
from ancremed_desktop.domain.models import Ability, ModelFamily
from ancremed_desktop.errors import AncremedError, Cancelled
from ancremed_desktop.gui.background import Background, Job, Reply
from ancremed_desktop.gui.icons import Tint
from ancremed_desktop.gui.theme import Appearance
from ancremed_desktop.gui.widgets.banner import Banner
from ancremed_desktop.gui.widgets.basics import (
    button,
    clear,
    column,
    frame,
    label,
    reading_page,
    row,
)
from ancremed_desktop.gui.widgets.flow import FittingRow
from ancremed_desktop.gui.widgets.model_card import LocalModelCard
from ancremed_desktop.gui.widgets.model_dialogs import AcceptDialog, QualifyDialog, ask_removal
from ancremed_desktop.gui.widgets.model_roles import RoleList
from ancremed_desktop.gui.widgets.online import OnlineSection
from ancremed_desktop.gui.widgets.progress import WorkProgress
from ancremed_desktop.gui.wording import Trouble, trouble
from ancremed_desktop.gui.workbench import Workbench
from ancremed_desktop.services.model_desk import ModelState
from ancremed_desktop.services.model_tools import UnknownFile
from ancremed_desktop.services.online import ONLINE
from ancremed_desktop.services.qualification import ROLE_NAMES, Qualification
from ancremed_desktop.text.french import NBSP, no_break

_INTRODUCTION = (
    "Sans modèle, les réponses sont complètes : des phrases des sources, mot pour mot. Un modèle ne "
    "peut qu’y ajouter, et seulement ce qu’il a gagné ici, sur cet ordinateur, chiffres à l’appui."
)
_NO_ENGINE = (
    "Le moteur des modèles locaux n’est pas installé. Il est compilé une fois pour cet ordinateur, "
    "en une dizaine de minutes ; le modèle fourni est téléchargé avec lui."
)


class ModelsPage(QWidget):
    """Small changes hold at once; long work is done by ``worker``, one at a time."""

    def __init__(
        self,
        workbench: Workbench,
        worker: Background,
        network: Background,
        appearance: Appearance,
        tint: Tint,
    ) -> None:
        """``network``: asks key store and Gemini, so that neither waits for a qualification."""
        super().__init__()
        self._desk = workbench.models()
        self._worker = worker
        self._appearance = appearance
        self._tint = tint
        self._job: Job | None = None
        self.banner = Banner(tint)
        self.progress = WorkProgress("Avancement", tint)
        self.progress.stopped.connect(self.stop)
        self.import_button = button(
            "Importer un modèle…", tip="Un fichier .gguf, le format des modèles de ce moteur"
        )
        tint(self.import_button, "folder", "accent", 16)
        self.import_button.clicked.connect(self._choose_file)
        self.engine_button = button("Installer le moteur")
        tint(self.engine_button, "download", "accent", 16)
        self.engine_button.clicked.connect(self.install_engine)
        self.engine = self._engine_card()
        self.online = OnlineSection(workbench.online(), network, self.banner, tint)
        self.qualify_online = button("Qualifier…", tip="Mesurer ce que Gemini sait faire ici")
        tint(self.qualify_online, "shield", "accent", 16)
        self.qualify_online.clicked.connect(lambda: self.ask_qualification(ONLINE))
        self._states: tuple[ModelState, ...] = ()
        self.cards: list[LocalModelCard] = []
        self.online_roles: RoleList | None = None
        self._cards = column(14)
        self._online_roles = column(0)
        self._lay_out()
        self.online.changed.connect(lambda _status: self._set_busy())

    @property
    def running(self) -> bool:
        """Whether long work is under way."""
        return self._job is not None and self._job.running

    def showEvent(self, event: QShowEvent) -> None:
        """What a command or an answer changed is seen."""
        super().showEvent(event)
        self.refresh()

    def escape(self) -> None:
        """Stop what is under way."""
        self.stop()

    def stop(self) -> None:
        """Stop the long work."""
        if self._job is not None and self._job.running:
            self._job.stop()

    def refresh(self) -> None:
        """Look at library, qualifications and roles again."""
        try:
            engine, states = self._desk.engine_installed, self._desk.states()
        except AncremedError as error:
            self.banner.say(trouble(error), "danger")
            return
        self._states = states
        self.engine.setVisible(not engine)
        clear(self._cards)
        self.cards = [self._card(state) for state in states if state.card is not None]
        # Made after what stands under them: Tab would come to them last.
        before: QWidget = self.engine_button
        for card in self.cards:
            for control in card.findChildren(QAbstractButton):
                QWidget.setTabOrder(before, control)
                before = control
        clear(self._online_roles)
        for state in states:
            if state.card is None:
                self.online_roles = RoleList(state)
                self.online_roles.chosen.connect(partial(self.choose_roles, state.name))
                self._online_roles.addWidget(self.online_roles)
        self.online.show_state()
        self._set_busy()

    def choose_roles(self, name: str, abilities: frozenset[Ability]) -> None:
        """Turn a model on for exactly these; another that had one of them loses it."""
        self.banner.hide()
        try:
            self._desk.use(name, abilities)
        except AncremedError as error:
            self.banner.say(trouble(error))
        self.refresh()
        # A model that is on for nothing any more gives its memory back now.
        self._worker.run(
            lambda _job: self._desk.release(),
            done=lambda _done: None,
            failed=lambda error: self.banner.say(trouble(error)),
        )

    def install(self, name: str) -> None:
        """Fetch a model of the list."""
        self._begin(
            f"Téléchargement de {name}",
            lambda job: self._desk.install(name, progress=job.report, cancel=job.cancel_token),
            lambda _done: self._say(name, "Installé. Qualifiez-le pour savoir ce qu’il vaut ici."),
        )

    def install_engine(self) -> None:
        """Compile what local models run on; fetch the bundled model."""
        self._begin(
            "Installation du moteur",
            lambda job: self._desk.set_up_engine(progress=job.report, cancel=job.cancel_token),
            lambda _done: self._say("Moteur des modèles locaux", "Installé."),
        )

    def import_file(self, file: Path) -> None:
        """Copy a file into the library; one that nobody knows is asked about."""

        def work(job: Job) -> str:
            def accept(unknown: UnknownFile) -> ModelFamily:
                family = job.ask(unknown)
                if not isinstance(family, ModelFamily):
                    raise Cancelled("Le fichier n’est pas gardé, à votre demande.")
                return family

            return self._desk.import_file(
                file, accept=accept, progress=job.report, cancel=job.cancel_token
            )

        done = "Importé. Qualifiez-le pour savoir ce qu’il vaut ici."
        self._begin(f"Import de {file.name}", work, lambda name: self._say(str(name), done))

    def qualify(self, name: str, limit: int) -> None:
        """Measure a model. ``limit``: cases of each kind, 0: all."""
        self._begin(
            f"Qualification de {name}",
            lambda job: self._desk.qualify(
                name, limit=limit, progress=job.report, cancel=job.cancel_token
            ),
            lambda found: self._say(name, _outcome(found)),
        )

    def ask_qualification(self, name: str) -> None:
        """Say what a qualification takes, and begin it if the user wants it."""
        try:
            dialog = QualifyDialog(self, name, self._desk if name == ONLINE else None)
        except AncremedError as error:
            self.banner.say(trouble(error), "danger")
            return
        if dialog.exec():
            self.qualify(name, dialog.limit)

    def ask_removal(self, name: str) -> None:
        """Remove a model's file once the user agreed; what an interrupted download left at once."""
        state = next((s for s in self._states if s.name == name), None)
        if (state is not None and not state.installed) or ask_removal(self, name):
            self._begin(
                f"Suppression de {name}",
                lambda _job: self._desk.remove(name),
                lambda _done: self._say(name, "Supprimé."),
            )

    def _choose_file(self) -> None:
        chosen, _kind = QFileDialog.getOpenFileName(
            self,
            "Fichier du modèle (clé USB, dossier)",
            "",
            "Modèles (*.gguf);;Tous les fichiers (*)",
        )
        if chosen:
            self.import_file(Path(chosen))

    def _ask_about(self, unknown: object, reply: Reply) -> None:
        if isinstance(unknown, UnknownFile):
            dialog = AcceptDialog(self, unknown)
            reply.give(dialog.family if dialog.exec() else None)

    def _begin(
        self, stage: str, work: Callable[[Job], object], done: Callable[[object], None]
    ) -> None:
        if self.running:
            return

        def succeeded(result: object) -> None:
            self.progress.end()
            self.refresh()
            done(result)

        def failed(error: BaseException) -> None:
            self.progress.end()
            self.refresh()
            shown = trouble(error)
            stopped = shown.title == "Arrêté"
            self.banner.say(shown, "quiet" if stopped else "danger" if shown.detail else "warning")

        self.banner.hide()
        self.progress.begin(stage)
        self._job = self._worker.run(
            work,
            done=succeeded,
            failed=failed,
            progress=partial(self._show_progress, stage),
            question=self._ask_about,
        )
        self._set_busy()

    def _show_progress(self, work: str, progress: Progress) -> None:
        """What is done, then the step of it."""
        step = f"{work}{NBSP}: {progress.stage.lower()}" if progress.stage != work else work
        self.progress.show_progress(replace(progress, stage=step))

    def _set_busy(self) -> None:
        busy = self.running
        for control in (self.import_button, self.engine_button):
            control.setEnabled(not busy)
        self.qualify_online.setEnabled(not busy and self.online.enabled)
        for card in self.cards:
            card.set_busy(busy)

    def _say(self, name: str, message: str) -> None:
        self.banner.say(Trouble(title=name, message=no_break(message)), "quiet")

    def _card(self, state: ModelState) -> LocalModelCard:
        assert state.card is not None
        card = LocalModelCard(state, state.card, self._tint)
        card.install_wanted.connect(self.install)
        card.remove_wanted.connect(self.ask_removal)
        card.qualify_wanted.connect(self.ask_qualification)
        card.roles_chosen.connect(self.choose_roles)
        self._cards.addWidget(card)
        return card

    def _engine_card(self) -> QFrame:
        layout = row(16, (18, 14, 18, 14))
        layout.addWidget(label(no_break(_NO_ENGINE)), 1)
        layout.addWidget(self.engine_button)
        return frame("warning", layout)

    def _lay_out(self) -> None:
        content: QVBoxLayout = column(14, (0, 22, 0, 24))
        title = label("Modèles", "page", wrap=False)
        content.addWidget(FittingRow([title, self.import_button], apart=1))
        content.addWidget(label(no_break(_INTRODUCTION), "muted"))
        content.addWidget(self.banner)
        content.addWidget(self.progress)
        content.addWidget(self.engine)
        content.addLayout(self._cards)
        name = label("Gemini (en ligne, facultatif)", "section", wrap=False)
        gemini = column(12, (20, 16, 20, 18))
        gemini.addWidget(FittingRow([name, self.qualify_online], apart=1))
        gemini.addWidget(self.online)
        gemini.addLayout(self._online_roles)
        content.addWidget(frame("card", gemini))
        self.setLayout(reading_page(content, self._appearance))
        self.setFocusProxy(self.import_button)


def _outcome(found: object) -> str:
    if not isinstance(found, Qualification):
        return ""
    earned = [ROLE_NAMES[ability] for ability in Ability if ability in found.abilities]
    if not earned:
        return "Qualifié : il n’a été retenu pour rien. Les chiffres sont ci-dessous."
    return f"Qualifié : retenu {', '.join(earned)}. Cochez ce à quoi il doit servir."
