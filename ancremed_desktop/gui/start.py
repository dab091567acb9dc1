"""Start the window."""

from __future__ import annotations

import signal
from collections.abc import Sequence

from PySide6.QtCore import QLibraryInfo, QLocale, QSize, QTimer, QTranslator
from PySide6.QtWidgets import QApplication, QStyle, QWidget

from ancremed_desktop import __version__
from ancremed_desktop.gui.main_window import MainWindow
from ancremed_desktop.gui.theme import Appearance
from ancremed_desktop.gui.workbench import ToolboxWorkbench, Workbench
from ancremed_desktop.services.toolbox import Toolbox
from ancremed_desktop.settings.preferences import PreferenceStore
from ancremed_desktop.text.french import NBSP

_LACKING = {
    "&Look in:": f"&Regarder dans{NBSP}:",
    "Files of &type:": f"&Type de fichiers{NBSP}:",
    "Page &Set:": f"Pages{NBSP}:",
}

_SIGNALS_MS = 250
"""How often the window looks for a signal."""


def run_window(toolbox: Toolbox, argv: Sequence[str]) -> int:
    """Show the window until it is closed; returns the exit code.

    The index is opened from the window, in the background: nothing of ``toolbox`` is called
    before the window is on screen.
    """
    application = make_application(argv)
    window = make_window(ToolboxWorkbench(toolbox), application)
    fit_to_screen(window)
    window.show()
    _heed_signals(window, application)
    QTimer.singleShot(0, window.begin)
    return application.exec()


def fit_to_screen(window: QWidget) -> None:
    """Make a window no larger than its screen, title bar included: 768 pixels are common."""
    room = window.screen().availableSize()
    bar = window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
    window.resize(window.size().boundedTo(QSize(room.width(), room.height() - bar)))


def _heed_signals(window: QWidget, application: QApplication) -> None:
    """Ctrl+C in the terminal, or the end of the session, closes the window: all workers end.

    Python runs a handler between any two of its instructions, and none while Qt waits for events:
    the handler only notes the signal, and a timer looks at it.
    """
    received: list[int] = []

    def note(number: int, _frame: object) -> None:
        received.append(number)
        signal.signal(number, signal.SIG_DFL)  # a second time ends it all at once

    def look() -> None:
        if received:
            looking.stop()
            window.close()
            application.exit(128 + received[0])

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, note)
    looking = QTimer(window)
    looking.timeout.connect(look)
    looking.start(_SIGNALS_MS)


def make_application(argv: Sequence[str]) -> QApplication:
    """The Qt application, speaking French."""
    existing = QApplication.instance()
    application = existing if isinstance(existing, QApplication) else QApplication(list(argv))
    application.setApplicationName("AncreMed")
    application.setApplicationVersion(__version__)
    application.setDesktopFileName("ancremed")
    QLocale.setDefault(QLocale(QLocale.Language.French, QLocale.Country.France))
    translator = _French(application)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if translator.load("qtbase_fr", folder):
        application.installTranslator(translator)
    return application


class _French(QTranslator):
    """Qt's own translation, with what it lacks of the file and print dialogues."""

    def translate(
        self, context: str, text: str, /, disambiguation: str | None = None, n: int = -1
    ) -> str | None:
        """The French text, or the one given where there is none."""
        known = super().translate(context, text, disambiguation, n)
        return known or _LACKING.get(text, text)


def make_window(workbench: Workbench, application: QApplication) -> MainWindow:
    """The window with the user's preferences, not shown yet."""
    store = PreferenceStore()
    appearance = Appearance(application, store)
    appearance.apply()
    return MainWindow(workbench, store, appearance)
