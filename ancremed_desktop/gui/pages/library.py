"""The library page: what is indexed, import, integrity check."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QShowEvent
from PySide6.QtWidgets import QLineEdit, QMessageBox, QVBoxLayout, QWidget

from ancremed_desktop.domain.documents import Source
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.errors import MachineError
from ancremed_desktop.gui.background import Background, Job
from ancremed_desktop.gui.icons import Tint
from ancremed_desktop.gui.theme import Appearance
from ancremed_desktop.gui.widgets.add_button import OWN_KIND, AddButton, dropped_paths
from ancremed_desktop.gui.widgets.banner import Banner
from ancremed_desktop.gui.widgets.basics import button, column, label, scrolling
from ancremed_desktop.gui.widgets.flow import FittingRow
from ancremed_desktop.gui.widgets.import_card import ImportCard
from ancremed_desktop.gui.widgets.sources_table import SourcesTable
from ancremed_desktop.gui.wording import Trouble, trouble
from ancremed_desktop.gui.workbench import SourceRow, Workbench
from ancremed_desktop.services.library import BuildReport, CheckReport
from ancremed_desktop.settings.preferences import PreferenceStore
from ancremed_desktop.text.french import NBSP, count, grouped

_MOST_PROBLEMS = 20
_MOST_TITLES = 8


class LibraryPage(QWidget):
    """Lists the sources when first shown and again after an import."""

    changed = Signal()
    """The library holds other sources than before."""
    opened = Signal(object)
    """A ``Source`` to read."""

    def __init__(
        self,
        workbench: Workbench,
        background: Background,
        store: PreferenceStore,
        appearance: Appearance,
        tint: Tint,
    ) -> None:
        super().__init__()
        self._workbench = workbench
        self._background = background
        self._store = store
        self._job: Job | None = None
        self._listed = False
        self.table = SourcesTable()
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filtrer par titre, éditeur, date, code…")
        self.filter.setAccessibleName("Filtrer les sources")
        self.filter.setClearButtonEnabled(True)
        self.total = label("", "small", wrap=False)
        self.state = label("Lecture de la bibliothèque…", "muted")
        self.state.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.add_button = AddButton(tint)
        self.remove_button = button("Retirer", tip="Retirer les documents choisis dans la liste")
        self.remove_button.setEnabled(False)
        self.import_button = button("Importer des sources…")
        self.check_button = button("Vérifier l’intégrité")
        self.card = ImportCard(tint)
        self.card.hide()
        self.banner = Banner(tint)
        tint(self.import_button, "folder", "accent", 16)
        tint(self.remove_button, "close", "accent", 14)
        self.setAcceptDrops(True)
        tint(self.check_button, "shield", "accent", 16)
        self._lay_out()
        self.filter.textChanged.connect(self._filter)
        self.add_button.wanted.connect(self.add_documents)
        self.remove_button.clicked.connect(self._confirm_removal)
        self.table.opened.connect(self.opened)
        self.table.selectionModel().selectionChanged.connect(self._allow_removal)
        self.import_button.clicked.connect(self._open_import)
        self.check_button.clicked.connect(self.check)
        self.card.wanted.connect(self.import_folder)
        self.card.stopped.connect(self.stop)
        self.card.closed.connect(self._close_import)
        appearance.changed.connect(self.table.fit_columns)

    @property
    def running(self) -> bool:
        """Whether an import or a check is under way."""
        return self._job is not None and self._job.running

    def showEvent(self, event: QShowEvent) -> None:
        """The list is read when it is first looked at."""
        super().showEvent(event)
        if not self._listed:
            self._listed = True
            self.refresh()

    def renew(self) -> None:
        """Read the list of sources again, if it was read."""
        if self._listed:
            self.refresh()

    def refresh(self) -> None:
        """Read the list of sources again."""
        self._background.run(
            lambda _job: (self._workbench.kinds(), self._workbench.sources()),
            done=self._show_sources,
            failed=self._failed,
        )

    def import_folder(self, kind: str, folder: Path) -> None:
        """Import a folder; a wrong folder is said before anything starts."""
        if self.running:
            return
        if not folder.is_dir():
            text = f"Le dossier «{NBSP}{folder}{NBSP}» n’existe pas ou n’est pas un dossier."
            self.banner.say(Trouble(title="À corriger", message=text))
            return
        self._remember(folder)
        self._import(kind, (folder,))

    def add_documents(self, paths: Sequence[Path]) -> None:
        """Add the user's own files and folders."""
        if paths and not self.running:
            self._import(OWN_KIND, paths)

    def remove(self, sources: Sequence[Source]) -> None:
        """Take the user's documents out of the library; the files themselves stay."""
        keys = tuple(source.key for source in sources if source.silo is Silo.LOCAL)
        if not keys or self.running:
            return
        self._begin("Retrait des documents")
        self._job = self._background.run(
            lambda job: self._workbench.remove(keys, progress=job.report, cancel=job.cancel_token),
            done=lambda _report: self._removed(len(keys)),
            failed=self._failed,
            progress=self.card.progress.show_progress,
        )

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files may be dropped anywhere on the page."""
        if dropped_paths(event.mimeData()) and not self.running:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Add what was dropped."""
        event.acceptProposedAction()
        self.add_documents(dropped_paths(event.mimeData()))

    def _import(self, kind: str, paths: Sequence[Path]) -> None:
        self._begin("Préparation de l’import")
        self._job = self._background.run(
            lambda job: self._workbench.import_paths(
                kind, paths, progress=job.report, cancel=job.cancel_token
            ),
            done=self._imported,
            failed=self._failed,
            progress=self.card.progress.show_progress,
        )

    def check(self) -> None:
        """Read every passage back and compare it with its hash."""
        if self.running:
            return
        self._begin("Vérification des passages")
        self._job = self._background.run(
            lambda job: self._workbench.check(progress=job.report, cancel=job.cancel_token),
            done=self._checked,
            failed=self._failed,
            progress=self.card.progress.show_progress,
        )

    def stop(self) -> None:
        """Stop the import or the check."""
        if self._job is not None and self._job.running:
            self._job.stop()

    def escape(self) -> None:
        """Stop, else close the import, else empty the filter."""
        if self.running:
            self.stop()
        elif self.card.isVisible():
            self._close_import()
        else:
            self.filter.clear()

    def _begin(self, stage: str) -> None:
        self.banner.hide()
        self.card.show()
        self.card.begin(stage)
        self._set_buttons(False)

    def _set_buttons(self, enabled: bool) -> None:
        for control in (self.add_button, self.import_button, self.check_button):
            control.setEnabled(enabled)
        self._allow_removal()

    def _show_sources(self, found: tuple[tuple[str, ...], tuple[SourceRow, ...]]) -> None:
        kinds, rows = found
        folders = [kind for kind in kinds if kind != OWN_KIND]
        self.card.set_kinds(folders, self._store.current.import_folder)
        self.add_button.start_in(self._store.current.import_folder)
        self.table.set_rows(rows)
        self._count()
        self._allow_removal()

    def _count(self) -> None:
        total, shown = self.table.sources.total, self.table.shown
        text = count(total, "source")
        nothing = (
            "Aucune source ne contient tous ces mots." if total else "La bibliothèque est vide."
        )
        self._say("" if shown else nothing)
        self.total.setText(text if shown == total else f"{grouped(shown)} sur {text}")

    def _say(self, text: str) -> None:
        """Words in place of an empty table."""
        self.state.setText(text)
        self.state.setVisible(bool(text))

    def _filter(self, text: str) -> None:
        self.table.set_filter(text)
        self._count()
        self._allow_removal()

    def _allow_removal(self) -> None:
        chosen = self.table.selected
        own = bool(chosen) and all(source.silo is Silo.LOCAL for source in chosen)
        self.remove_button.setEnabled(own and not self.running)

    def _confirm_removal(self) -> None:
        chosen = self.table.selected
        titles = "\n".join(f"•{NBSP}{source.title}" for source in chosen[:_MOST_TITLES])
        more = len(chosen) - _MOST_TITLES
        if more > 0:
            titles += f"\n… et {count(more, 'autre')}"
        question = (
            f"Retirer de votre bibliothèque{NBSP}?\n\n{titles}\n\nVos fichiers restent en place."
        )
        buttons = QMessageBox.StandardButton
        asked = QMessageBox(
            QMessageBox.Icon.Question, "Retirer", question, buttons.Yes | buttons.Cancel, self
        )
        asked.setTextFormat(Qt.TextFormat.PlainText)
        asked.button(buttons.Yes).setText("Retirer")
        asked.button(buttons.Cancel).setText("Annuler")
        if asked.exec() == buttons.Yes:
            self.remove(chosen)

    def _open_import(self) -> None:
        self.card.show()
        self.card.folder.setFocus()

    def _close_import(self) -> None:
        if not self.running:
            self.card.hide()
            self.import_button.setFocus()

    def _imported(self, report: BuildReport) -> None:
        self._set_buttons(True)
        self.card.show_report(report)
        # The index is opened again first, then listed: the worker keeps the order.
        self.changed.emit()
        self.refresh()

    def _removed(self, number: int) -> None:
        self._set_buttons(True)
        self.card.end()
        self.card.hide()
        message = f"{count(number, 'document')} de moins dans votre bibliothèque."
        self.banner.say(Trouble(title="Retrait terminé", message=message), "quiet")
        self.changed.emit()
        self.refresh()

    def _checked(self, reports: tuple[CheckReport, ...]) -> None:
        self._set_buttons(True)
        self.card.end()
        self.card.hide()
        problems = [f"{r.path.name}{NBSP}: {problem}" for r in reports for problem in r.problems]
        if problems:
            advice = (
                "Les textes altérés ne sont pas montrés. Refaites l’import des dossiers d’origine, "
                "ou réinstallez l’application."
            )
            message = "\n".join([*problems[:_MOST_PROBLEMS], advice])
            self.banner.say(Trouble(title="Bibliothèque altérée", message=message), "danger")
            return
        checked = ", ".join(report.path.name for report in reports)
        message = f"Structure, plein texte et empreinte de chaque passage vérifiés ({checked})."
        self.banner.say(Trouble(title="Bibliothèque intacte", message=message), "quiet")

    def _failed(self, error: BaseException) -> None:
        self._set_buttons(True)
        self.card.end()
        shown = trouble(error)
        self.banner.say(shown, "danger" if shown.detail else "warning")
        if not self.table.sources.total:
            self._say("La liste des sources n’a pas pu être lue.")

    def _remember(self, folder: Path) -> None:
        try:
            self._store.update(import_folder=str(folder))
        except MachineError as error:
            self.banner.say(trouble(error))

    def _lay_out(self) -> None:
        title = label("Bibliothèque", "page", wrap=False)
        actions = (self.check_button, self.import_button, self.add_button)
        layout: QVBoxLayout = column(14, (28, 22, 28, 24))
        layout.addWidget(FittingRow([title, *actions], apart=1, spacing=10))
        layout.addWidget(self.banner)
        layout.addWidget(self.card)
        layout.addWidget(FittingRow([self.filter, self.total, self.remove_button], apart=1))
        layout.addWidget(self.state)
        layout.addWidget(self.table, 1)
        content = QWidget()
        content.setProperty("role", "ground")
        content.setLayout(layout)
        whole = column(0)
        # A window too short for the import and the table scrolls; nothing is squeezed.
        whole.addWidget(scrolling(content))
        self.setLayout(whole)
