"""A calm message across the page: an error, a warning, and how to go on."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFrame, QLabel

from ancremed_desktop.gui.icons import Tint
from ancremed_desktop.gui.widgets.basics import button, column, label, restyle, row
from ancremed_desktop.gui.widgets.prose import Prose
from ancremed_desktop.gui.wording import Trouble


class Banner(QFrame):
    """Hidden until it has something to say."""

    def __init__(self, tint: Tint) -> None:
        super().__init__()
        self._detail = ""
        self.title = label("", "strong")
        self.message = Prose("")
        self._copy = button("Copier le détail", "link")
        self._copy.clicked.connect(self._copy_detail)
        self._close = button("", "flat", tip="Fermer ce message")
        self._close.setAccessibleName("Fermer ce message")
        self._close.clicked.connect(self.hide)
        self._tint = tint
        self._mark = QLabel()
        tint(self._close, "close", "muted", 14)
        words = column(2)
        words.addWidget(self.title)
        words.addWidget(self.message)
        words.addWidget(self._copy)
        layout = row(12, (14, 10, 8, 10))
        layout.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(words, 1)
        layout.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        self.setLayout(layout)
        self.hide()

    def say(self, trouble: Trouble, role: str = "warning") -> None:
        """Show a message; ``role``: warning, danger or quiet."""
        restyle(self, "role", role)
        quiet = role == "quiet"
        self._tint(self._mark, "about" if quiet else "warning", "accent" if quiet else role, 20)
        self._detail = trouble.detail
        self._copy.setVisible(bool(trouble.detail))
        self.title.setText(trouble.title)
        self.message.set_text(trouble.message)
        self.setAccessibleName(f"{trouble.title}. {trouble.message}")
        self.show()

    def _copy_detail(self) -> None:
        QApplication.clipboard().setText(self._detail)
