"""Colours, type scale and style sheet of the window; the one place where looks are decided."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from string import Template
from weakref import WeakSet

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from ancremed_desktop.settings.paths import RESOURCES
from ancremed_desktop.settings.preferences import TEXT_SCALES, PreferenceStore, Theme

BASE_PX = 15
"""Height of body text at 100 %, in device-independent pixels."""

READING_CHARACTERS = 80
"""Widest line of running text, in average characters."""

_STYLED = "ancremed_styled"
"""Property of an application whose style was set."""
_FAMILIES = ("Inter", "Segoe UI", "SF Pro Text", "Noto Sans", "Cantarell", "DejaVu Sans")


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """Colours by role, as ``#rrggbb``. Text on its ground has a contrast of 4.5 at least."""

    ground: str
    rail: str
    surface: str
    raised: str
    line: str
    text: str
    muted: str
    accent: str
    accent_hover: str
    on_accent: str
    accent_soft: str
    accent_line: str
    warning: str
    warning_soft: str
    danger: str
    danger_soft: str
    mark: str
    on_mark: str


LIGHT = Palette(
    ground="#f5f7f8",
    rail="#eaeff1",
    surface="#ffffff",
    raised="#eff3f5",
    line="#dce3e7",
    text="#17242d",
    muted="#566670",
    accent="#0b6470",
    accent_hover="#084e58",
    on_accent="#ffffff",
    accent_soft="#e0f0f1",
    accent_line="#8cc3c8",
    warning="#7f5410",
    warning_soft="#fbf0da",
    danger="#a3272d",
    danger_soft="#fbe7e6",
    mark="#ffe9a6",
    on_mark="#17242d",
)
DARK = Palette(
    ground="#12191e",
    rail="#0d1317",
    surface="#1a232a",
    raised="#232e36",
    line="#2e3a43",
    text="#e4eaed",
    muted="#9eadb6",
    accent="#62c3cc",
    accent_hover="#8ad5dc",
    on_accent="#08262a",
    accent_soft="#173439",
    accent_line="#2f6f77",
    warning="#e9bd70",
    warning_soft="#382d18",
    danger="#f19a97",
    danger_soft="#3d2122",
    mark="#6a5518",
    on_mark="#fff6dc",
)


class Appearance(QObject):
    """Applies theme and text size to the whole application and remembers them."""

    changed = Signal()
    """After new colours or sizes are in force; painted widgets redraw themselves."""

    def __init__(self, application: QApplication, store: PreferenceStore) -> None:
        super().__init__(application)
        self._application = application
        self._store = store
        self._windows: WeakSet[QWidget] = WeakSet()
        self.palette = LIGHT
        if application.property(_STYLED) is None:
            # Once: setting it again deletes the style that widgets may still be drawn with.
            application.setStyle("Fusion")
            application.setProperty(_STYLED, True)
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self.apply)

    @property
    def dark(self) -> bool:
        """Whether the dark colours are in force."""
        return self.palette is DARK

    @property
    def text_scale(self) -> int:
        """Size of the text in percent."""
        return self._store.current.text_scale

    def px(self, size: float) -> int:
        """A length that grows with the text, in device-independent pixels."""
        return round(size * self.text_scale / 100)

    def set_theme(self, theme: Theme) -> None:
        """Choose the colours. Raises: MachineError, when the choice cannot be stored."""
        try:
            self._store.update(theme=theme)
        finally:
            self.apply()

    def set_text_scale(self, percent: int) -> None:
        """Choose the size of the text. Raises: MachineError, ValueError (not offered)."""
        try:
            self._store.update(text_scale=percent)
        finally:
            self.apply()

    def step_text_scale(self, direction: int) -> None:
        """One size up (1) or down (-1); nothing at the ends. Raises: MachineError."""
        position = TEXT_SCALES.index(self.text_scale) + direction
        if 0 <= position < len(TEXT_SCALES):
            self.set_text_scale(TEXT_SCALES[position])

    def dress(self, window: QWidget) -> None:
        """Give a window, and all that opens from it, the colours and sizes in force from now on.

        The style sheet is the window's: one of the application gives each widget its font again
        with every parent, which takes five times as long (0.6 s with 1,200 widgets).
        """
        self._windows.add(window)
        window.setStyleSheet(self._style_sheet())

    def apply(self) -> None:
        """Put the chosen colours and sizes in force."""
        self.palette = self._chosen()
        font = QFont()
        known = set(QFontDatabase.families())
        families = [family for family in _FAMILIES if family in known]
        if families:
            font.setFamilies(families)
        font.setPixelSize(self.px(BASE_PX))
        self._application.setFont(font)
        self._application.setPalette(_qt_palette(self.palette))
        sheet = self._style_sheet()
        for window in filter(isValid, list(self._windows)):
            window.setStyleSheet(sheet)
        self.changed.emit()

    def _chosen(self) -> Palette:
        theme = self._store.current.theme
        if theme is Theme.AUTO:
            dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
            return DARK if dark else LIGHT
        return DARK if theme is Theme.DARK else LIGHT

    def _style_sheet(self) -> str:
        template = Template((RESOURCES / "style" / "window.qss").read_text(encoding="utf-8"))
        sizes = {
            f"px{size}": f"{self.px(size)}px"
            for size in (1, 2, 3, 4, 6, 8, 10, 12, 13, 14, 15, 16, 17, 18, 20, 22, 24, 28, 36)
        }
        icons = (RESOURCES / "icons").as_posix()
        tick = "tick-dark" if self.dark else "tick-light"
        return template.substitute({**asdict(self.palette), **sizes, "icons": icons, "tick": tick})


def _qt_palette(colours: Palette) -> QPalette:
    """What Fusion draws itself (menus, scroll bars, selection) in our colours."""
    palette = QPalette()
    role = QPalette.ColorRole
    for target, colour in (
        (role.Window, colours.ground),
        (role.WindowText, colours.text),
        (role.Base, colours.surface),
        (role.AlternateBase, colours.raised),
        (role.Text, colours.text),
        (role.Button, colours.surface),
        (role.ButtonText, colours.text),
        (role.BrightText, colours.danger),
        (role.ToolTipBase, colours.raised),
        (role.ToolTipText, colours.text),
        (role.PlaceholderText, colours.muted),
        (role.Highlight, colours.accent),
        (role.HighlightedText, colours.on_accent),
        (role.Link, colours.accent),
        (role.LinkVisited, colours.accent),
        (role.Light, colours.surface),
        (role.Midlight, colours.raised),
        (role.Mid, colours.line),
        (role.Dark, colours.line),
        (role.Shadow, colours.line),
    ):
        palette.setColor(target, QColor(colour))
    disabled = QPalette.ColorGroup.Disabled
    for target in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(disabled, target, QColor(colours.muted))
    return palette
