"""The meter of the network: what this window did on it since it opened, always in sight."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QSizePolicy

from ancremed_desktop.gui.widgets.basics import restyle
from ancremed_desktop.services.network import NO_CONNECTION, NetworkMeter
from ancremed_desktop.services.online import OnlineStatus
from ancremed_desktop.text.french import NBSP, no_break

_NUMBER = re.compile(r"(?<=\d) ")
"""A number stays with what it counts."""


class ConnectionMeter(QLabel):
    """« Aucune connexion », « Envoyé à Gemini : 2 questions »; coloured once something may leave."""

    _counted = Signal()

    def __init__(self, meter: NetworkMeter) -> None:
        super().__init__()
        self._meter = meter
        self._enabled = False
        self.setProperty("badge", "plain")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        # The count changes in the thread that sends.
        self._counted.connect(self._show, Qt.ConnectionType.QueuedConnection)
        meter.listen(self._counted.emit)
        self._show()

    def show_status(self, status: OnlineStatus) -> None:
        """Whether text may leave the machine."""
        self._enabled = status.enabled
        self._show()

    @Slot()
    def _show(self) -> None:
        said = self._meter.use.label
        used = said != NO_CONNECTION
        if self._enabled and not used:
            said = "Gemini activé : rien d’envoyé"
        self.setText(_NUMBER.sub(NBSP, no_break(said)))
        self.setAccessibleName(f"Réseau : {said}")
        restyle(self, "badge", "warning" if used or self._enabled else "plain")
