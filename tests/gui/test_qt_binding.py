"""The Qt binding keeps the interpreter alive: a lost reference ends a long session in an abort."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is immortal from Python 3.12 on")
def test_calls_that_return_none_do_not_lose_a_reference(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    calls = 500
    before = sys.getrefcount(None)
    for _ in range(calls):
        widget.update()
    assert abs(sys.getrefcount(None) - before) < calls / 10
