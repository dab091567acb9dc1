"""Settings of Gemini: what is sent, the user's consent and key, a test, what left the machine."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from ancremed_desktop.domain.models import Completion
from ancremed_desktop.gui.background import Background, Job
from ancremed_desktop.gui.icons import Tint
from ancremed_desktop.gui.widgets.banner import Banner
from ancremed_desktop.gui.widgets.basics import Fold, badge, button, column, label, restyle, row
from ancremed_desktop.gui.widgets.prose import Prose
from ancremed_desktop.gui.wording import Trouble, trouble
from ancremed_desktop.services.model_text import UNTRIED
from ancremed_desktop.services.online import (
    CONSENT,
    TEST_REQUEST,
    OnlineModel,
    OnlineStatus,
)
from ancremed_desktop.text.french import count, no_break


class OnlineSection(QWidget):
    """Each change holds at once. Key store and network are asked in the background only."""

    changed = Signal(object)
    """The present ``OnlineStatus``."""

    def __init__(
        self, online: OnlineModel, background: Background, banner: Banner, tint: Tint
    ) -> None:
        super().__init__()
        self._online = online
        self._background = background
        self._banner = banner
        self._testing: Job | None = None
        self.badge = badge("")
        self.consent = QCheckBox("J’ai lu ce qui est envoyé et je l’accepte")
        self.consent.setChecked(online.consented)
        self.consent.clicked.connect(self._agree)
        self.terms = Fold("Ce qui est envoyé", _terms, tint)
        self.key = QLineEdit()
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key.setPlaceholderText("Clé créée sur aistudio.google.com")
        self.key.setAccessibleName("Clé Gemini, masquée")
        self.key.setMaxLength(300)
        self.key.returnPressed.connect(self._save)
        self.save = button("Enregistrer la clé")
        self.key.textChanged.connect(lambda text: self.save.setEnabled(bool(text.strip())))
        self.save.setEnabled(False)
        self.save.clicked.connect(self._save)
        self.test = button("Tester")
        self.test.clicked.connect(self._test)
        self.forget = button("Oublier la clé et l’accord")
        self.forget.clicked.connect(self._forget)
        self.state = label("", "small")
        self.typed = QLineEdit()
        self.typed.setPlaceholderText("Écrivez une question pour voir ce qui partirait")
        self.typed.setAccessibleName("Texte dont voir la version masquée")
        self.typed.textChanged.connect(self._preview)
        self.preview = label("", "small")
        self.preview.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.preview.setAccessibleName("Texte qui partirait")
        self.preview.hide()
        self.each = QCheckBox("Me montrer chaque texte avant son envoi")
        self.each.toggled.connect(self._show_each)
        self.sent = Prose("", size="small")
        self.left = Fold("Ce qui a quitté l’ordinateur", lambda: self.sent, tint)
        self.left.head.toggled.connect(lambda _opened: self._show_left())
        self._lay_out()
        self._show(OnlineStatus(consented=False, key=False, lasting=True))
        if online.consented:  # else nothing is asked, of the key store neither
            self._refresh()

    @property
    def enabled(self) -> bool:
        """Whether texts may leave, as last seen."""
        return self.test.isEnabled()

    def show_state(self) -> None:
        """What left and what is shown before it does, as they are now."""
        self.each.setChecked(self._online.show_each)
        self._show_left()

    def _show_each(self, on: bool) -> None:
        self._online.show_each = on

    def _agree(self, agreed: bool) -> None:
        self._do(lambda: self._online.consent(agreed))

    def _save(self) -> None:
        typed = self.key.text()
        self.key.clear()
        self._do(lambda: self._online.save_key(typed), lambda kept: self._say_kept(bool(kept)))

    def _say_kept(self, kept: bool) -> None:
        if not kept:
            self._say(
                "La clé vaut jusqu’à la fermeture d’AncreMed : cet ordinateur n’a pas de trousseau "
                "de clés ouvert où la garder."
            )

    def _forget(self) -> None:
        self._do(self._online.forget, lambda _: self._say("Clé effacée, accord retiré."))

    def _do(
        self, change: Callable[[], object], then: Callable[[object], None] = lambda _: None
    ) -> None:
        """Make a change in the background, then show the state it left, whatever came of it."""

        def failed(error: BaseException) -> None:
            self._banner.say(trouble(error))
            self._refresh()

        def done(result: object) -> None:
            then(result)
            self._refresh()

        self._banner.hide()
        self._background.run(lambda _job: change(), done=done, failed=failed)

    def _refresh(self) -> None:
        self._background.run(
            lambda _job: self._online.status(), done=self._show, failed=self._unknown
        )

    def _unknown(self, error: BaseException) -> None:
        """The key store does not answer: nothing can be sent."""
        self._banner.say(trouble(error))
        self._show(OnlineStatus(consented=self._online.consented, key=False, lasting=True))

    def _show(self, status: OnlineStatus) -> None:
        self.badge.setText(no_break(status.badge))
        restyle(self.badge, "badge", "warning" if status.enabled else "plain")
        self.consent.setChecked(status.consented)
        self.terms.head.setChecked(not status.consented)  # read before it is agreed to
        self.test.setEnabled(status.enabled)
        self.forget.setEnabled(status.key or status.consented)
        key = "Clé enregistrée." if status.key else "Aucune clé."
        if status.key and not status.lasting:
            key = "Clé gardée jusqu’à la fermeture d’AncreMed seulement."
        missing = "" if status.consented else " Sans votre accord, rien n’est envoyé."
        self.state.setText(key + missing)
        self.show_state()
        self.changed.emit(status)

    def _show_left(self) -> None:
        if not self.left.head.isChecked():
            return  # fifty long texts are laid out only to be read
        left = self._online.left
        heading = f"{count(len(left), 'texte envoyé', 'textes envoyés')} depuis l’ouverture.\n\n"
        self.sent.set_text(heading + "\n\n".join(left))

    def _preview(self, text: str) -> None:
        shown = self._online.preview(text) if text.strip() else ""
        self.preview.setText(shown)
        self.preview.setVisible(bool(shown))

    def _test(self) -> None:
        if self._testing is not None and self._testing.running:
            self._testing.stop()
            return
        self._banner.hide()
        self.test.setText("Arrêter")
        self._testing = self._background.run(
            lambda job: self._online.test(job.cancel_token), done=self._tested, failed=self._failed
        )

    def _tested(self, completion: Completion) -> None:
        self.test.setText("Tester")
        cost = f"{completion.cost_usd:.6f}".replace(".", ",")
        self._say(f"{completion.model} a répondu : {completion.text.strip()} (environ {cost} $)")
        self._refresh()

    def _failed(self, error: BaseException) -> None:
        self.test.setText("Tester")
        self._banner.say(trouble(error))
        self._refresh()

    def _say(self, message: str) -> None:
        self._banner.say(Trouble(title="Gemini", message=no_break(message)), "quiet")

    def _lay_out(self) -> None:
        content = column(10)
        content.addWidget(self.badge, 0, Qt.AlignmentFlag.AlignLeft)
        content.addWidget(self.terms)
        content.addWidget(self.consent)
        entry = row(8)
        entry.addWidget(self.key, 1)
        entry.addWidget(self.save)
        content.addLayout(entry)
        content.addWidget(self.state)
        content.addWidget(label(no_break(UNTRIED), "small"))
        content.addWidget(self.each)
        actions = row(8)
        actions.addWidget(self.test)
        actions.addWidget(self.forget)
        actions.addStretch(1)
        content.addLayout(actions)
        sentence = TEST_REQUEST.messages[0].content
        content.addWidget(label(no_break(f"« Tester » envoie ceci : {sentence}"), "small"))
        content.addWidget(self.typed)
        content.addWidget(self.preview)
        content.addWidget(self.left)
        self.setLayout(content)


def _terms() -> QWidget:
    layout = column(10)
    for paragraph in CONSENT:
        layout.addWidget(Prose(no_break(paragraph)))
    holder = QWidget()
    holder.setLayout(layout)
    return holder
