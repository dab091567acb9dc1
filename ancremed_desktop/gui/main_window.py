"""The window: pages at the side, shortcuts, and what happens at opening and closing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QCloseEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QLabel,
    QMainWindow,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from ancremed_desktop.domain.documents import Source
from ancremed_desktop.domain.evidence import IndexIdentity
from ancremed_desktop.errors import MachineError
from ancremed_desktop.gui.background import Background
from ancremed_desktop.gui.icons import Icons, icon_of
from ancremed_desktop.gui.pages.about import AboutPage
from ancremed_desktop.gui.pages.calculators import CalculatorsPage
from ancremed_desktop.gui.pages.library import LibraryPage
from ancremed_desktop.gui.pages.models import ModelsPage
from ancremed_desktop.gui.pages.question import QuestionPage
from ancremed_desktop.gui.pages.settings import SettingsPage
from ancremed_desktop.gui.theme import Appearance
from ancremed_desktop.gui.widgets.basics import column, row
from ancremed_desktop.gui.widgets.connection import ConnectionMeter
from ancremed_desktop.gui.widgets.notice import NOTICE_VERSION, NoticeDialog
from ancremed_desktop.gui.wording import Trouble, trouble
from ancremed_desktop.gui.workbench import Workbench
from ancremed_desktop.settings.preferences import PreferenceStore

Page = QuestionPage | LibraryPage | CalculatorsPage | ModelsPage | SettingsPage | AboutPage


class MainWindow(QMainWindow):
    """Owns the pages and the one worker; closing it ends the worker."""

    def __init__(
        self, workbench: Workbench, store: PreferenceStore, appearance: Appearance
    ) -> None:
        super().__init__()
        self._workbench = workbench
        self._store = store
        self._appearance = appearance
        self._notice: NoticeDialog | None = None
        self.background = Background(self)
        self._icons = Icons(appearance)
        tint = self._icons.tint
        self._reading = Background(self)
        self.question = QuestionPage(workbench, self.background, self._reading, appearance, tint)
        self.library = LibraryPage(workbench, self.background, store, appearance, tint)
        self.calculators = CalculatorsPage(workbench, store, appearance, tint)
        self._network = Background(self)
        self._long_work = Background(self)
        self.models = ModelsPage(workbench, self._long_work, self._network, appearance, tint)
        self.connection = ConnectionMeter(workbench.online().meter)
        self.models.online.changed.connect(self.connection.show_status)
        self.settings = SettingsPage(store, appearance, tint, self._forget_questions)
        self.about = AboutPage(appearance)
        self._pages: tuple[tuple[Page, str, str], ...] = (
            (self.question, "question", "Question"),
            (self.library, "library", "Bibliothèque"),
            (self.calculators, "calculator", "Calculateurs"),
            (self.models, "models", "Modèles"),
            (self.settings, "settings", "Réglages"),
            (self.about, "about", "À propos"),
        )
        self._stack = QStackedWidget()
        self._buttons = QButtonGroup(self)
        self._logo = QLabel()
        self._rail = QFrame()
        self._rail_items = column(6, (8, 18, 8, 14))
        self._lay_out()
        appearance.dress(self)
        self._bind_keys()
        self.question.asking.connect(self.look_again)
        self.library.changed.connect(self.open_index)
        self.library.opened.connect(self._read)
        self.settings.notice_wanted.connect(self.show_notice)
        appearance.changed.connect(self._fit)
        self.setWindowTitle("AncreMed")
        self.setWindowIcon(icon_of("application", "", 64))
        self.setMinimumSize(820, 560)
        self.resize(store.current.window_width, store.current.window_height)
        self._fit()
        self.go_to(0)

    def begin(self) -> None:
        """Open the index and show what the user must read."""
        if self._store.problem:
            self.question.banner.say(Trouble(title="Réglages", message=self._store.problem))
        self.open_index()
        if self._store.current.keep_questions:
            self._reading.run(
                lambda _job: self._workbench.kept_questions(),
                done=self.question.box.offer_earlier,
                failed=lambda error: self.question.banner.say(trouble(error)),
            )
        if self._store.current.notice_version < NOTICE_VERSION:
            self.show_notice()

    def open_index(self) -> None:
        """Open the index in the background."""
        self.background.run(
            lambda _job: self._workbench.open(),
            done=self._index_opened,
            failed=self._index_failed,
        )

    def look_again(self) -> None:
        """Take over what another program, as the command line, did to the user's library."""
        if self.background.closed:
            return
        self.background.run(
            lambda _job: self._workbench.refreshed(),
            done=self._index_renewed,
            failed=self._index_failed,
        )

    def show_notice(self) -> None:
        """Show the notice; it is remembered once accepted."""
        self._notice = NoticeDialog(self, self._icons.tint)
        self._notice.accepted.connect(self._notice_read)
        self._notice.open()

    def go_to(self, number: int) -> None:
        """Show a page, from 0."""
        page = self._pages[number][0]
        self._stack.setCurrentWidget(page)
        self._buttons.button(number).setChecked(True)
        # Tab goes through the rail once, by the page that is shown; arrows go along it.
        for entry in self._buttons.buttons():
            shown = entry.isChecked()
            policies = Qt.FocusPolicy
            entry.setFocusPolicy(policies.StrongFocus if shown else policies.ClickFocus)
        # A proxy of the library would keep Tab from what stands above its filter.
        (self.library.filter if page is self.library else page).setFocus()

    def changeEvent(self, event: QEvent) -> None:
        """Who comes back to the window may have imported something elsewhere."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.look_again()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The rail gives up its logo, then its words, before anything is cut."""
        super().resizeEvent(event)
        self._fit_rail()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Nothing is left running."""
        self.hide()
        for worker in (self.background, self._reading, self._network, self._long_work):
            worker.close()
        size = self.size()
        if not self.isMaximized():
            self._keep(
                lambda: self._store.update(window_width=size.width(), window_height=size.height())
            )
        super().closeEvent(event)

    def _keep(self, change: Callable[[], object]) -> None:
        try:
            change()
        except MachineError as error:
            self.question.banner.say(trouble(error))

    def _read(self, source: Source) -> None:
        self.go_to(0)
        self.question.open_document(source)

    def _forget_questions(self) -> None:
        self.question.box.forget()
        self._workbench.forget_questions()

    def _index_opened(self, identity: IndexIdentity) -> None:
        self.about.show_index(identity)
        self.background.run(
            lambda _job: self._workbench.prepare(),
            done=lambda _nothing: None,
            failed=self._index_failed,
        )

    def _index_renewed(self, identity: IndexIdentity | None) -> None:
        if identity is not None:
            self._index_opened(identity)
            self.library.renew()

    def _index_failed(self, error: BaseException) -> None:
        shown = trouble(error)
        self.about.show_problem(shown.message)
        self.question.banner.say(shown, "danger")

    def _notice_read(self) -> None:
        self._keep(lambda: self._store.update(notice_version=NOTICE_VERSION))
        self.question.box.field.setFocus()

    def _escape(self) -> None:
        page = self._stack.currentWidget()
        for candidate, _, _ in self._pages:
            if candidate is page:
                candidate.escape()

    def _copy(self) -> None:
        """The answer, or the calculation when calculators are shown."""
        if self._stack.currentWidget() is not self.calculators:
            self.question.answer.copy()
        elif self.calculators.form is not None:
            self.calculators.form.copy()

    def _save(self) -> None:
        """The answer, or the calculation when calculators are shown."""
        if self._stack.currentWidget() is self.question:
            self.question.answer.save()
        elif self._stack.currentWidget() is self.calculators and self.calculators.form is not None:
            self.calculators.form.choose_pdf()

    def _print(self) -> None:
        """The answer, when it is shown."""
        if self._stack.currentWidget() is self.question:
            self.question.answer.choose_printer()

    def _open_sections(self) -> None:
        if self._stack.currentWidget() is self.question:
            self.question.answer.open_sections()

    def _ask_again(self) -> None:
        self.go_to(0)
        self.question.ask_again()

    def _fit(self) -> None:
        """The rail grows with the text."""
        width = max(84, self.fontMetrics().horizontalAdvance("Bibliothèque") + 22)
        side = self._appearance.px(22)
        for entry in self._buttons.buttons():
            entry.setFixedWidth(width)
            entry.setIconSize(QSize(side, side))
        self.connection.setFixedWidth(width)
        logo = self._appearance.px(40)
        self._logo.setPixmap(icon_of("application", "", logo).pixmap(logo, logo))
        for number, (_, icon, _) in enumerate(self._pages):
            checked = self._buttons.button(number).isChecked()
            self._icons.tint(
                self._buttons.button(number), icon, "accent" if checked else "muted", 22
            )
        self._fit_rail()

    def _fit_rail(self) -> None:
        under = Qt.ToolButtonStyle.ToolButtonTextUnderIcon
        for logo, style in (
            (True, under),
            (False, under),
            (False, Qt.ToolButtonStyle.ToolButtonIconOnly),
        ):
            self._logo.setVisible(logo)
            for entry in self._buttons.buttons():
                if isinstance(entry, QToolButton):
                    entry.setToolButtonStyle(style)
            if self._rail_height() <= self.height():
                return

    def _rail_height(self) -> int:
        """Height the rail needs, the lines of the meter at its width included."""
        rail = self._rail_items
        rail.activate()
        margins = rail.contentsMargins()
        width = self.connection.width() + margins.left() + margins.right()
        return max(rail.sizeHint().height(), rail.totalHeightForWidth(width))

    def _bind_keys(self) -> None:
        keys: list[tuple[str, Callable[[], object]]] = [
            ("Escape", self._escape),
            ("Ctrl+L", self._ask_again),
            ("Ctrl+K", self._ask_again),
            ("Ctrl+Shift+C", self._copy),
            ("Ctrl+S", self._save),
            ("Ctrl+P", self._print),
            ("Ctrl+J", self._open_sections),
            ("Ctrl++", partial(self._scale, 1)),
            ("Ctrl+=", partial(self._scale, 1)),
            ("Ctrl+-", partial(self._scale, -1)),
            ("Ctrl+0", lambda: self._keep(lambda: self._appearance.set_text_scale(100))),
            ("Ctrl+Q", self.close),
            ("F1", lambda: self.go_to(len(self._pages) - 1)),
        ]
        keys += [(f"Ctrl+{n + 1}", partial(self.go_to, n)) for n in range(len(self._pages))]
        for sequence, action in keys:
            shortcut = QShortcut(QKeySequence(sequence), self)
            shortcut.activated.connect(action)

    def _scale(self, direction: int) -> None:
        self._keep(lambda: self._appearance.step_text_scale(direction))

    def _lay_out(self) -> None:
        rail = self._rail_items
        self._logo.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._logo.setAccessibleName("AncreMed")
        rail.addWidget(self._logo)
        rail.addSpacing(12)
        for number, (page, _, text) in enumerate(self._pages):
            page.setProperty("role", "ground")
            self._stack.addWidget(page)
            if page is self.settings:
                rail.addStretch(1)
            rail.addWidget(self._nav_button(number, text), 0, Qt.AlignmentFlag.AlignHCenter)
        rail.addWidget(self.connection, 0, Qt.AlignmentFlag.AlignHCenter)
        side = self._rail
        side.setObjectName("rail")
        side.setLayout(rail)
        side.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        whole = row(0)
        whole.addWidget(side)
        whole.addWidget(self._stack, 1)
        central = QWidget()
        central.setProperty("role", "ground")
        central.setLayout(whole)
        self.setCentralWidget(central)
        self._buttons.idToggled.connect(lambda _number, _on: self._fit())

    def _nav_button(self, number: int, text: str) -> QToolButton:
        entry = QToolButton()
        entry.setText(text)
        entry.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        entry.setCheckable(True)
        entry.setAutoExclusive(True)
        entry.setProperty("role", "nav")
        entry.setToolTip(f"{text} (Ctrl+{number + 1})")
        entry.setAccessibleName(f"Page {text}")
        entry.setCursor(Qt.CursorShape.PointingHandCursor)
        entry.clicked.connect(lambda: self.go_to(number))
        self._buttons.addButton(entry, number)
        return entry
