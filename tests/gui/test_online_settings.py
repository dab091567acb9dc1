"""Gemini in the settings: off at first, on with key and consent, off again; always said."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fakes.fake_gemini import KEY, FakeGemini, serving, well
from fakes.fake_workbench import FakeWorkbench
from fakes.key_stores import LockedStore, WorkingStore
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from ancremed_desktop.gui.main_window import MainWindow
from ancremed_desktop.gui.start import make_window
from ancremed_desktop.gui.widgets.basics import Fold
from ancremed_desktop.services.online import CONSENT_VERSION
from ancremed_desktop.settings.preferences import PreferenceStore
from ancremed_desktop.settings.secrets import KeyStore

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


def _settle(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window._network.busy, timeout=20_000)


def _badges(window: MainWindow) -> tuple[str, str]:
    shown = (window.connection.text(), window.models.online.badge.text())
    return shown[0].replace("\u00a0", " "), shown[1].replace("\u00a0", " ")


OFF = ("Aucune connexion", "Gemini désactivé : rien n’est envoyé")
ON = ("Gemini activé : rien d’envoyé", "Gemini activé")


def _give_key(window: MainWindow, qtbot: QtBot, key: str = KEY) -> None:
    section = window.models.online
    section.key.setText(key)
    section.save.click()
    _settle(window, qtbot)


def _agree(window: MainWindow, qtbot: QtBot) -> None:
    window.models.online.consent.click()
    _settle(window, qtbot)


def test_it_is_off_until_both_key_and_consent(window: MainWindow, qtbot: QtBot) -> None:
    section = window.models.online
    assert _badges(window) == OFF
    assert not section.consent.isChecked()
    assert section.terms.head.isChecked(), "what is sent is read before it is agreed to"
    assert not section.test.isEnabled()
    _give_key(window, qtbot)
    assert _badges(window) == OFF
    assert not section.test.isEnabled()
    _agree(window, qtbot)
    assert _badges(window) == ON
    assert section.test.isEnabled()
    assert PreferenceStore().current.gemini_consent == CONSENT_VERSION
    _agree(window, qtbot)
    assert _badges(window) == OFF
    assert PreferenceStore().current.gemini_consent == 0


def test_the_key_is_hidden_and_leaves_the_field(window: MainWindow, qtbot: QtBot) -> None:
    section = window.models.online
    assert section.key.echoMode() is QLineEdit.EchoMode.Password
    _give_key(window, qtbot)
    assert section.key.text() == ""
    assert "fermeture" in window.models.banner.message.as_text(), "no key store: said"


def test_a_key_in_the_system_store_is_kept_without_a_warning(
    window: MainWindow, workbench: FakeWorkbench, qtbot: QtBot
) -> None:
    system = WorkingStore()
    workbench.keys._find = lambda: system
    _give_key(window, qtbot)
    assert not window.models.banner.isVisible()
    assert list(system.kept.values()) == [KEY]


def test_what_is_no_key_is_said_without_repeating_it(window: MainWindow, qtbot: QtBot) -> None:
    _give_key(window, qtbot, "pas une clé")
    said = window.models.banner.message.as_text()
    assert "n’est pas une clé" in said
    assert "pas une clé," not in said
    assert _badges(window) == OFF


def test_forgetting_turns_all_off(window: MainWindow, qtbot: QtBot) -> None:
    section = window.models.online
    _give_key(window, qtbot)
    _agree(window, qtbot)
    section.forget.click()
    _settle(window, qtbot)
    assert _badges(window) == OFF
    assert not section.consent.isChecked()
    assert not section.forget.isEnabled()


def test_the_preview_follows_what_is_typed(window: MainWindow) -> None:
    section = window.models.online
    QTest.keyClicks(section.typed, "M. Vaucanson tousse")
    assert section.preview.text() == "[Demande]\nM. [NOM] tousse"
    section.typed.clear()
    assert section.preview.isHidden()


@pytest.fixture
def server(workbench: FakeWorkbench) -> Iterator[FakeGemini]:
    with serving(well) as made:
        workbench.online_url = made.url
        yield made


@pytest.fixture
def online_window(server: FakeGemini, window: MainWindow, qtbot: QtBot) -> MainWindow:
    _give_key(window, qtbot)
    _agree(window, qtbot)
    return window


def test_the_test_button_sends_one_sentence_and_shows_it(
    online_window: MainWindow, server: FakeGemini, qtbot: QtBot
) -> None:
    section = online_window.models.online
    assert not server.connections
    section.test.click()
    _settle(online_window, qtbot)
    assert "a répondu" in online_window.models.banner.message.as_text()
    (heard,) = server.requests
    assert heard.texts() == ["Réponds par le seul mot « oui »."]
    folds = section.findChildren(Fold)
    fold = next(f for f in folds if f.head.text() == "Ce qui a quitté l’ordinateur")
    fold.head.click()
    shown = section.sent.as_text().replace("\u00a0", " ")
    assert "1 texte envoyé" in shown
    assert heard.texts()[0] in shown


def test_a_fault_is_said_and_the_window_lives(
    online_window: MainWindow, server: FakeGemini, qtbot: QtBot
) -> None:
    server.behaviours = (lambda caller: caller.send(401, b"{}"),)
    section = online_window.models.online
    section.test.click()
    _settle(online_window, qtbot)
    assert "refuse la clé" in online_window.models.banner.message.as_text()
    assert section.test.text() == "Tester"


def test_a_locked_key_store_at_opening_is_said(qtbot: QtBot, qapp: QApplication) -> None:
    PreferenceStore().update(notice_version=1, gemini_consent=CONSENT_VERSION)
    workbench = FakeWorkbench()
    workbench.keys = KeyStore(LockedStore)
    window = make_window(workbench, qapp)
    qtbot.addWidget(window)
    _settle(window, qtbot)
    assert "déverrouillez" in window.models.banner.message.as_text()
    assert _badges(window) == OFF
    window.close()


def test_without_consent_the_key_store_is_not_asked_at_opening(
    qtbot: QtBot, qapp: QApplication
) -> None:
    def asked() -> None:
        raise AssertionError("the key store was asked")

    workbench = FakeWorkbench()
    workbench.keys = KeyStore(asked)
    window = make_window(workbench, qapp)
    qtbot.addWidget(window)
    assert not window._network.busy
    assert _badges(window) == OFF
    window.close()


def test_all_of_it_by_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    section = window.models.online
    section.key.setText(KEY)
    QTest.keyClick(section.key, Qt.Key.Key_Return)
    _settle(window, qtbot)
    QTest.keyClick(section.consent, Qt.Key.Key_Space)
    _settle(window, qtbot)
    assert _badges(window) == ON
