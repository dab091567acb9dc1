"""A question helped by Gemini in the window itself: real services, real client, a local server."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from fakes import qualified
from fakes.fake_gemini import KEY, MODEL, Caller, FakeGemini, event, serving
from gui.test_question_page import words_of
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from ancremed_desktop import app
from ancremed_desktop.domain.models import Ability
from ancremed_desktop.gui.main_window import MainWindow
from ancremed_desktop.gui.start import make_window
from ancremed_desktop.gui.widgets.span_cards import SectionHead
from ancremed_desktop.gui.workbench import ToolboxWorkbench
from ancremed_desktop.index.user_store import UserStore
from ancremed_desktop.providers.registry import open_model
from ancremed_desktop.services.online import ONLINE, OnlineModel
from ancremed_desktop.services.roles import as_stored
from ancremed_desktop.settings import paths
from ancremed_desktop.settings.preferences import PreferenceStore
from ancremed_desktop.settings.secrets import KeyStore

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

NAME = "Vaucansonnet"
QUESTION = f"Mme {NAME} : que faire devant un choc anaphylactique ?"


def _backwards(caller: Caller) -> None:
    """All the sentences it is given, the last one first."""
    (_instructions, asked) = caller.server.requests[-1].texts()
    numbers = [int(n) for n in re.findall(r"(?m)^(\d+)\. ", asked)]
    caller.stream()
    caller.piece(event(f'{{"phrases": {sorted(numbers, reverse=True)}}}', "STOP"))


@pytest.fixture
def server() -> Iterator[FakeGemini]:
    with serving(_backwards) as made:
        yield made


@pytest.fixture
def window(
    server: FakeGemini, qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MainWindow]:
    PreferenceStore().update(
        notice_version=1, keep_questions=True, model_roles=as_stored({Ability.SELECT: ONLINE})
    )
    qualified.earns(paths.qualifications(), MODEL)
    keys = KeyStore(lambda: None)
    keys.write(KEY)
    online = OnlineModel(keys, PreferenceStore(), open_model, server.url)
    online.consent(True)
    monkeypatch.setattr(app, "online_model", lambda: online)
    made = make_window(ToolboxWorkbench(app.toolbox()), qapp)
    qtbot.addWidget(made)
    made.show()
    made.begin()
    qtbot.waitUntil(lambda: not made.background.busy, timeout=60_000)
    yield made
    made.close()


def _ask(window: MainWindow, qtbot: QtBot) -> None:
    window.question.ask(QUESTION)
    qtbot.waitUntil(window.question.approval.isVisible, timeout=60_000)


def _end(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window.question.running, timeout=60_000)


def test_nothing_leaves_before_the_button_and_only_what_was_shown_does(
    window: MainWindow, server: FakeGemini, qtbot: QtBot
) -> None:
    _ask(window, qtbot)
    assert "adrénaline" in words_of(window), "the extracts are there"
    assert server.connections == 0
    assert window.connection.text() == "Gemini activé\u00a0: rien d’envoyé"
    shown = [window.question.approval.text.toPlainText()]
    assert NAME not in shown[0]
    window.question.approval.send.click()
    while window.question.running:
        qtbot.waitUntil(
            lambda: window.question.approval.isVisible() or not window.question.running,
            timeout=60_000,
        )
        if window.question.approval.isVisible():
            assert len(server.requests) == len(shown)
            shown.append(window.question.approval.text.toPlainText())
            window.question.approval.send.click()
    heard = ["[Consigne]\n{}\n\n[Demande]\n{}".format(*h.texts()) for h in server.requests]
    assert shown == heard
    heads = window.question.answer.findChildren(SectionHead)
    assert f"phrases de la source choisies par {MODEL}" in {h.mark.text() for h in heads}
    assert f"Envoyé à Gemini : {len(heard)} demandes" in words_of(window)
    qtbot.waitUntil(lambda: "1\u00a0question" in window.connection.text(), timeout=10_000)
    (row,) = UserStore(paths.user_store()).rows()
    assert row.estimated_cost_usd > 0
    assert row.question_text == "Mme [NOM] : que faire devant un choc anaphylactique ?"


def test_refused_nothing_left(window: MainWindow, server: FakeGemini, qtbot: QtBot) -> None:
    _ask(window, qtbot)
    before = words_of(window)
    window.question.approval.refuse.click()
    _end(window, qtbot)
    assert server.connections == 0
    assert "adrénaline" in before
    assert "Rien n’a été envoyé à Gemini, à votre demande." in words_of(window)
    assert window.connection.text() == "Gemini activé\u00a0: rien d’envoyé"


def test_consent_taken_back_in_the_window_holds_at_once(
    window: MainWindow, server: FakeGemini, qtbot: QtBot
) -> None:
    window.models.online.consent.click()
    qtbot.waitUntil(lambda: window.connection.text() == "Aucune connexion", timeout=10_000)
    window.question.ask(QUESTION)
    _end(window, qtbot)
    assert not window.question.approval.isVisible()
    assert server.connections == 0
    assert "Vous n’avez pas autorisé" in words_of(window)
    assert "adrénaline" in words_of(window)
