"""A window on a fake workbench, closed with nothing left running."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fakes.fake_workbench import FakeWorkbench
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from ancremed_desktop.gui.main_window import MainWindow
from ancremed_desktop.gui.start import make_window
from ancremed_desktop.settings.preferences import PreferenceStore


@pytest.fixture
def workbench() -> FakeWorkbench:
    return FakeWorkbench()


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication, workbench: FakeWorkbench) -> Iterator[MainWindow]:
    PreferenceStore().update(notice_version=1)
    made = make_window(workbench, qapp)
    qtbot.addWidget(made)
    made.resize(1280, 800)
    made.show()
    qtbot.waitExposed(made)
    made.begin()
    qtbot.waitUntil(lambda: not made.background.busy)
    yield made
    if workbench.gate is not None:
        workbench.gate.set()
    made.close()
