"""The window's own icons, drawn in the colours in force and redrawn when these change."""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol
from weakref import WeakKeyDictionary

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget
from shiboken6 import isValid

from ancremed_desktop.gui.theme import Appearance
from ancremed_desktop.settings.paths import RESOURCES

_RATIOS = (1.0, 2.0)


class Tint(Protocol):
    """Gives a widget its icon and keeps the icon's colour right."""

    def __call__(self, target: QWidget, name: str, role: str = "muted", size: int = 18) -> None:
        """``role``: a field of ``theme.Palette``; ``size``: pixels at 100 %."""


class Icons:
    """Icons of the widgets that are alive; ``tint`` is a ``Tint``."""

    def __init__(self, appearance: Appearance) -> None:
        self._appearance = appearance
        self._targets: WeakKeyDictionary[QWidget, tuple[str, str, int]] = WeakKeyDictionary()
        appearance.changed.connect(self._redraw)

    def tint(self, target: QWidget, name: str, role: str = "muted", size: int = 18) -> None:
        """Show ``resources/icons/<name>.svg`` on a button or a label."""
        self._targets[target] = (name, role, size)
        self._draw(target)

    def _redraw(self) -> None:
        for target in list(self._targets):
            if isValid(target):
                self._draw(target)

    def _draw(self, target: QWidget) -> None:
        name, role, size = self._targets[target]
        colour: str = getattr(self._appearance.palette, role)
        side = self._appearance.px(size)
        icon = icon_of(name, colour, side)
        if isinstance(target, QAbstractButton):
            target.setIcon(icon)
            target.setIconSize(QSize(side, side))
        elif isinstance(target, QLabel):
            target.setPixmap(icon.pixmap(QSize(side, side), target.devicePixelRatioF()))


@lru_cache(maxsize=256)
def icon_of(name: str, colour: str, side: int) -> QIcon:
    """An icon of ``side`` pixels in one colour (``#rrggbb``)."""
    text = (RESOURCES / "icons" / f"{name}.svg").read_text(encoding="utf-8")
    renderer = QSvgRenderer(QByteArray(text.replace("currentColor", colour).encode()))
    icon = QIcon()
    for ratio in _RATIOS:
        pixels = round(side * ratio)
        pixmap = QPixmap(pixels, pixels)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        renderer.render(painter, QRectF(0, 0, pixels, pixels))
        painter.end()
        pixmap.setDevicePixelRatio(ratio)
        icon.addPixmap(pixmap)
    return icon
