"""Importing a folder: what kind, which folder, progress, time left, stop, and the report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFileDialog,
    QFrame,
    QLineEdit,
    QWidget,
)

from ancremed_desktop.domain.documents import Refusal, Tally
from ancremed_desktop.gui.icons import Tint
from ancremed_desktop.gui.widgets.basics import Fold, button, clear, column, label, row
from ancremed_desktop.gui.widgets.flow import FittingRow
from ancremed_desktop.gui.widgets.progress import WorkProgress
from ancremed_desktop.gui.widgets.prose import Prose
from ancremed_desktop.gui.wording import FOLDER_KIND, duration
from ancremed_desktop.services.library import BuildReport
from ancremed_desktop.text.french import NBSP, count, grouped

MOST_REFUSALS = 200


class ImportCard(QFrame):
    """Asks for an import and shows how it goes; the page does the work."""

    wanted = Signal(str, Path)
    """Kind and folder."""
    stopped = Signal()
    closed = Signal()

    def __init__(self, tint: Tint) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._tint = tint
        self.kind = QComboBox()
        self.kind.setAccessibleName("Nature des documents")
        self.folder = QLineEdit()
        self.folder.setPlaceholderText("Dossier à lire")
        self.folder.setAccessibleName("Dossier à lire")
        self.folder.setMinimumWidth(self.fontMetrics().averageCharWidth() * 24)
        browse = button("Parcourir…")
        browse.clicked.connect(self._browse)
        self.start = button("Importer", "primary")
        self.start.clicked.connect(self._start)
        self.folder.returnPressed.connect(self._start)
        self.folder.textChanged.connect(self._update)
        close = button("", "flat", tip="Fermer")
        close.setAccessibleName("Fermer l’import")
        close.clicked.connect(self.closed)
        tint(close, "close", "muted", 14)
        self._form = FittingRow([self.kind, self.folder, browse, self.start], apart=4)
        head = row(8)
        head.addWidget(label("Importer des documents", "section"), 1)
        head.addWidget(close)
        self.progress = WorkProgress("Avancement de l’import", tint)
        self.progress.stopped.connect(self.stopped)
        self._report = column(8)
        layout = column(10, (18, 12, 12, 16))
        layout.addLayout(head)
        layout.addWidget(
            label(
                "Les fichiers sont lus sur cette machine et n’en sortent pas. Un fichier illisible "
                "est nommé dans le compte rendu, les autres sont gardés.",
                "small",
            )
        )
        layout.addWidget(self._form)
        layout.addWidget(self.progress)
        layout.addLayout(self._report)
        self.setLayout(layout)
        self._update()

    def set_kinds(self, kinds: Sequence[str], folder: str) -> None:
        """Offer these kinds of folders; ``folder``: the last one used."""
        self.kind.clear()
        for kind in kinds:
            self.kind.addItem(FOLDER_KIND.get(kind, kind), kind)
        self.folder.setText(folder)

    def begin(self, stage: str) -> None:
        """Show the progress bar."""
        clear(self._report)
        self._form.setEnabled(False)
        self.progress.begin(stage)

    def end(self) -> None:
        """Hide the progress bar."""
        self.progress.end()
        self._form.setEnabled(True)

    def show_report(self, report: BuildReport) -> None:
        """What was read, kept and refused."""
        self.end()
        clear(self._report)
        self._report.addWidget(label(f"Import terminé{NBSP}: {_total(report)}", "strong"))
        lines = "\n".join(_tally(tally) for tally in report.tallies)
        if lines:
            self._report.addWidget(
                Fold("Compte par fichier", lambda: _scrolling(lines), self._tint)
            )
        if report.refusals:
            refused = "\n".join(_refusal(refusal) for refusal in report.refusals[:MOST_REFUSALS])
            if len(report.refusals) > MOST_REFUSALS:
                refused += f"\n… et {count(len(report.refusals) - MOST_REFUSALS, 'autre')}."
            title = f"Refusés ({grouped(len(report.refusals))})"
            fold = Fold(title, lambda: _scrolling(refused), self._tint)
            fold.head.setChecked(True)
            self._report.addWidget(fold)
        copy = button("Copier le compte rendu", "link")
        copy.clicked.connect(lambda: QApplication.clipboard().setText(report_text(report)))
        self._report.addWidget(copy)

    def _browse(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, "Dossier à lire", self.folder.text())
        if chosen:
            self.folder.setText(chosen)

    def _update(self) -> None:
        self.start.setEnabled(bool(self.folder.text().strip()))

    def _start(self) -> None:
        if self.start.isEnabled():
            folder = Path(self.folder.text().strip()).expanduser()
            self.wanted.emit(str(self.kind.currentData()), folder)


def report_text(report: BuildReport) -> str:
    """The whole report as text, every refusal included."""
    lines = [_total(report), *(_tally(t) for t in report.tallies)]
    return "\n".join([*lines, *(_refusal(r) for r in report.refusals)])


def _total(report: BuildReport) -> str:
    kept = f"{count(report.sources, 'source')}, {count(report.passages, 'passage')}"
    seconds = sum(value for _, value in report.seconds)
    return f"{kept} en {duration(seconds)}."


def _tally(tally: Tally) -> str:
    parts = [
        count(tally.read, tally.unit),
        count(tally.kept, "gardé"),
        count(tally.refused, "refusé"),
        count(tally.ignored, "ignoré"),
        *(f"{name}{NBSP}: {grouped(number)}" for name, number in tally.notes),
    ]
    return f"{tally.file_name} — {', '.join(parts)}"


def _refusal(refusal: Refusal) -> str:
    where = f", {refusal.where}" if refusal.where else ""
    return f"{refusal.file_name}{where}{NBSP}: {refusal.reason}"


def _scrolling(text: str) -> QWidget:
    return Prose(text, size="small", tone="muted")
