"""The settings page: colours, size of the text, search, privacy."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QCheckBox, QFrame, QLayout, QWidget

from ancremed_desktop.errors import MachineError
from ancremed_desktop.gui.icons import Tint
from ancremed_desktop.gui.theme import Appearance
from ancremed_desktop.gui.widgets.banner import Banner
from ancremed_desktop.gui.widgets.basics import button, column, frame, label, reading_page, row
from ancremed_desktop.gui.wording import trouble
from ancremed_desktop.settings.preferences import TEXT_SCALES, PreferenceStore, Theme
from ancremed_desktop.text.french import NBSP

_THEMES = (
    (Theme.AUTO, "Comme le système"),
    (Theme.LIGHT, "Clair"),
    (Theme.DARK, "Sombre"),
)


class SettingsPage(QWidget):
    """Each change holds at once and is stored."""

    notice_wanted = Signal()

    def __init__(
        self,
        store: PreferenceStore,
        appearance: Appearance,
        tint: Tint,
        forget_questions: Callable[[], None],
    ) -> None:
        super().__init__()
        self._store = store
        self._forget_questions = forget_questions
        self._appearance = appearance
        self.banner = Banner(tint)
        self.themes = QButtonGroup(self)
        self.keep = QCheckBox("Conserver le texte de mes questions")
        self.keep.setChecked(store.current.keep_questions)
        self.keep.toggled.connect(lambda on: self._try(lambda: self._keep_questions(on)))
        self.meaning = QCheckBox("Chercher aussi par le sens des mots")
        self.meaning.setChecked(store.current.search_by_meaning)
        self.meaning.toggled.connect(
            lambda on: self._try(lambda: store.update(search_by_meaning=on))
        )
        self.smaller = button("A−", tip="Réduire le texte (Ctrl+−)")
        self.smaller.setAccessibleName("Réduire le texte")
        self.larger = button("A+", tip="Agrandir le texte (Ctrl++)")
        self.larger.setAccessibleName("Agrandir le texte")
        self.scale = label("", wrap=False)
        self.scale.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.smaller.clicked.connect(lambda: self._try(lambda: appearance.step_text_scale(-1)))
        self.larger.clicked.connect(lambda: self._try(lambda: appearance.step_text_scale(1)))
        notice = button("Relire l’avertissement", "link")
        notice.clicked.connect(self.notice_wanted)
        self._lay_out(notice)
        appearance.changed.connect(self._show)
        self._show()

    def _keep_questions(self, on: bool) -> None:
        self._store.update(keep_questions=on)
        if not on:
            self._forget_questions()  # what was kept before goes too

    def escape(self) -> None:
        """Nothing to leave here."""

    def _show(self) -> None:
        percent = self._appearance.text_scale
        self.scale.setText(f"{percent}{NBSP}%")
        self.scale.setMinimumWidth(self.fontMetrics().averageCharWidth() * 8)
        self.smaller.setEnabled(percent > TEXT_SCALES[0])
        self.larger.setEnabled(percent < TEXT_SCALES[-1])
        for number, (theme, _) in enumerate(_THEMES):
            self.themes.button(number).setChecked(theme is self._store.current.theme)

    def _try(self, change: Callable[[], object]) -> None:
        try:
            change()
        except MachineError as error:
            self.banner.say(trouble(error))

    def _lay_out(self, notice: QWidget) -> None:
        colours = row(8)
        for number, (theme, text) in enumerate(_THEMES):
            choice = button(text, "choice")
            choice.setCheckable(True)
            choice.clicked.connect(
                lambda _on, theme=theme: self._try(lambda: self._appearance.set_theme(theme))
            )
            self.themes.addButton(choice, number)
            colours.addWidget(choice)
        colours.addStretch(1)
        size = row(8)
        for widget in (self.smaller, self.scale, self.larger):
            size.addWidget(widget)
        size.addStretch(1)
        search = column(8)
        search.addWidget(self.meaning)
        search.addWidget(
            label(
                "Facultatif : demande un petit modèle, sur cette machine, et un calcul fait une "
                "fois (LISEZMOI). S’il manque quelque chose, la recherche se fait par les mots "
                "et le dit.",
                "small",
            )
        )
        privacy = column(8)
        privacy.addWidget(self.keep)
        privacy.addWidget(
            label(
                "Coché, le journal de cette machine garde vos questions, noms masqués, et la page "
                "Question les propose la fois suivante. Décoché, il garde les durées et les "
                "compteurs, jamais vos mots. Dans les deux cas, il ne quitte pas la machine.",
                "small",
            )
        )
        privacy.addWidget(notice, 0, Qt.AlignmentFlag.AlignLeft)
        content = column(16, (0, 22, 0, 24))
        content.addWidget(label("Réglages", "page"))
        content.addWidget(self.banner)
        content.addWidget(_group("Couleurs", colours))
        content.addWidget(_group("Taille du texte", size))
        content.addWidget(_group("Recherche", search))
        content.addWidget(_group("Confidentialité", privacy))
        self.setLayout(reading_page(content, self._appearance))
        self.setFocusProxy(self.themes.button(0))


def _group(title: str, content: QLayout) -> QFrame:
    layout = column(12, (20, 16, 20, 18))
    layout.addWidget(label(title, "section"))
    layout.addLayout(content)
    return frame("card", layout)
