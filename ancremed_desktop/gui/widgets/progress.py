"""Long work under way: what it does, how far it is, how long it lasts, and a button to stop it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QWidget

from ancremed_desktop.domain.events import Progress
from ancremed_desktop.gui.icons import Tint
from ancremed_desktop.gui.widgets.basics import button, column, label, row
from ancremed_desktop.gui.wording import capital, dotted, duration
from ancremed_desktop.text.french import NBSP, grouped

_MOST_COUNTED = 100_000
"""Beyond, the total is of bytes: a share says more, and the bar's own numbers stop at 2³¹."""
_STEPS = 1000


class WorkProgress(QWidget):
    """Hidden until ``begin``."""

    stopped = Signal()

    def __init__(self, name: str, tint: Tint) -> None:
        """``name``: what a screen reader calls the bar."""
        super().__init__()
        self.stage = label("", "muted")
        self.left = label("", "small", wrap=False)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(name)
        self.stop = button("Arrêter", "stop", tip="Échap")
        tint(self.stop, "stop", "danger", 16)
        self.stop.clicked.connect(self.stopped)
        words = row(8)
        words.addWidget(self.stage, 1)
        words.addWidget(self.left)
        left = column(6)
        left.addLayout(words)
        left.addWidget(self.bar)
        layout = row(14)
        layout.addLayout(left, 1)
        layout.addWidget(self.stop)
        self.setLayout(layout)
        self.hide()

    def begin(self, stage: str) -> None:
        """Show the bar."""
        self.stage.setText(stage)
        self.left.setText("")
        self.bar.setRange(0, 0)
        self.show()

    def show_progress(self, progress: Progress) -> None:
        """Where the work stands."""
        detail = f"{NBSP}: {progress.detail}" if progress.detail else ""
        self.stage.setText(f"{capital(progress.stage)}{detail}")
        done, total, left = progress.done, progress.total, []
        if total > _MOST_COUNTED:
            done, total = _STEPS * done // total, _STEPS
            left.append(f"{100 * done // total}{NBSP}%")
        elif total:
            left.append(f"{grouped(done)} sur {grouped(total)}")
        self.bar.setRange(0, total)
        self.bar.setValue(done)
        if progress.seconds_left is not None:
            left.append(f"encore {duration(progress.seconds_left)}")
        self.left.setText(dotted(left))

    def end(self) -> None:
        """Hide the bar."""
        self.hide()
