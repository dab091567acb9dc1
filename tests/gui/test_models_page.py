"""The models page: list, import, download, qualify, turn on and off, remove; always with reasons."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest
from fakes.fake_gemini import KEY, FakeGemini, serving, well
from fakes.fake_workbench import FakeWorkbench
from fakes.model_desk import BUNDLED, LISTED, Shop
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QScrollArea
from pytestqt.qtbot import QtBot

from ancremed_desktop.domain.models import Ability, ModelFamily
from ancremed_desktop.errors import MachineError, ModelUnavailableError
from ancremed_desktop.gui.main_window import MainWindow
from ancremed_desktop.gui.pages.models import ModelsPage
from ancremed_desktop.gui.widgets.model_card import LocalModelCard
from ancremed_desktop.gui.widgets.model_dialogs import AcceptDialog, QualifyDialog
from ancremed_desktop.gui.widgets.prose import Prose
from ancremed_desktop.services.model_desk import SAMPLE
from ancremed_desktop.services.model_tools import UnknownFile
from ancremed_desktop.settings import paths
from ancremed_desktop.settings.preferences import PreferenceStore

EVERY = frozenset(Ability)
LISTED_ALL = [LISTED, "énorme", BUNDLED]


@pytest.fixture
def shop(workbench: FakeWorkbench) -> Shop:
    workbench.shop.pretend_installed()
    return workbench.shop


@pytest.fixture
def page(shop: Shop, window: MainWindow) -> ModelsPage:
    window.go_to(3)
    return window.models


def _settle(page: ModelsPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not page.running, timeout=20_000)


def _card(page: ModelsPage, name: str = BUNDLED) -> LocalModelCard:
    return next(card for card in page.cards if card.state.name == name)


def _said(page: ModelsPage) -> str:
    return page.banner.message.as_text().replace("\u00a0", " ")


def _reasons(card: LocalModelCard) -> str:
    texts = [w.as_text() for w in card.findChildren(Prose)]
    return "\n".join([*texts, *(w.text() for w in card.findChildren(QLabel))]).replace(
        "\u00a0", " "
    )


def _qualify(page: ModelsPage, qtbot: QtBot, name: str = BUNDLED) -> None:
    page.qualify(name, SAMPLE)
    _settle(page, qtbot)


def test_a_model_says_what_it_is_and_that_nobody_measured_it(page: ModelsPage) -> None:
    said = _reasons(_card(page))
    assert "98 Mo sur le disque" in said
    assert "480 Mo de mémoire" in said
    assert "licence Apache-2.0" in said
    assert "Pas encore qualifié sur cet ordinateur" in said
    assert _card(page).roles.boxes == {}


def test_a_model_that_earns_nothing_says_why_and_cannot_be_turned_on(
    page: ModelsPage, qtbot: QtBot
) -> None:
    _qualify(page, qtbot)
    assert "n’a été retenu pour rien" in _said(page)
    card = _card(page)
    assert not any(box.isEnabled() or box.isChecked() for box in card.roles.boxes.values())
    said = _reasons(card)
    assert "Ce modèle n’a pas été retenu comme vérificateur : affirmations fausses bloquées 12" in (
        said
    )
    assert "12 sur 37 (entre 18 % et 50 %), il en faut 90 % au moins" in said
    assert "sert à répondre" not in said


def test_what_is_earned_is_turned_on_and_off_role_by_role(
    page: ModelsPage, shop: Shop, qtbot: QtBot
) -> None:
    shop.earns = frozenset({Ability.SELECT, Ability.VERIFY})
    _qualify(page, qtbot)
    assert "retenu pour choisir des phrases, comme vérificateur" in _said(page)
    assert PreferenceStore().current.model_roles == (), "earned is not turned on"
    boxes = _card(page).roles.boxes
    assert {a for a, box in boxes.items() if box.isEnabled()} == shop.earns
    boxes[Ability.SELECT].click()
    assert PreferenceStore().current.model_roles == (f"select={BUNDLED}",)
    qtbot.waitUntil(lambda: shop.done.count("rendu") == 2, timeout=10_000)
    assert "sert à répondre" in _reasons(_card(page))
    _card(page).roles.boxes[Ability.VERIFY].click()
    _card(page).roles.boxes[Ability.SELECT].click()
    assert PreferenceStore().current.model_roles == (f"verify={BUNDLED}",)


def test_a_role_has_one_model(page: ModelsPage, shop: Shop, qtbot: QtBot) -> None:
    page.import_file(shop.put())
    _accept(page, qtbot, ModelFamily.LLAMA3)
    shop.earns = EVERY
    for name in (BUNDLED, "essai"):
        _qualify(page, qtbot, name)
        page.choose_roles(name, EVERY)
    assert not any(b.isChecked() for b in _card(page).roles.boxes.values())
    page.choose_roles(BUNDLED, frozenset({Ability.NARRATE}))
    on = {a for a, b in _card(page, "essai").roles.boxes.items() if b.isChecked()}
    assert on == {Ability.PLAN, Ability.SELECT, Ability.VERIFY}, "one reply holds both texts"


def test_a_new_measure_turns_off_what_is_lost(page: ModelsPage, shop: Shop, qtbot: QtBot) -> None:
    shop.earns = EVERY
    _qualify(page, qtbot)
    page.choose_roles(BUNDLED, EVERY)
    shop.earns = frozenset({Ability.PLAN})
    _qualify(page, qtbot)
    assert PreferenceStore().current.model_roles == (f"plan={BUNDLED}",)


def test_a_measure_is_shown_stopped_and_then_not_kept(
    page: ModelsPage, shop: Shop, qtbot: QtBot
) -> None:
    shop.gate = threading.Event()
    page.qualify(BUNDLED, 0)
    qtbot.waitUntil(lambda: "0 sur 3" in page.progress.left.text(), timeout=10_000)
    assert page.progress.stage.text() == f"Qualification de {BUNDLED}\u00a0: vérification"
    assert not _card(page).qualify.isEnabled()
    assert not page.import_button.isEnabled()
    start = time.perf_counter()
    QTest.mouseClick(page.progress.stop, Qt.MouseButton.LeftButton)
    _settle(page, qtbot)
    qtbot.waitUntil(lambda: not page._worker.busy, timeout=1000)
    assert time.perf_counter() - start < 1
    assert not page.progress.isVisible()
    assert _card(page).qualify.isEnabled()
    assert shop.limits == [0]
    assert _card(page).state.qualification is None


@pytest.mark.parametrize("fault", [ModelUnavailableError("Quota."), MachineError("Plein.")])
def test_a_measure_that_fails_says_so_and_keeps_nothing(
    page: ModelsPage, shop: Shop, qtbot: QtBot, fault: Exception
) -> None:
    shop.fault = fault
    _qualify(page, qtbot)
    assert str(fault) in _said(page)
    assert _card(page).state.qualification is None


def _accept(page: ModelsPage, qtbot: QtBot, family: ModelFamily | None) -> None:
    """Answer the dialog about an unknown file, which runs a loop of events of its own."""

    def answer() -> None:
        shown = [d for d in page.findChildren(AcceptDialog) if d.isVisible()]
        if not shown:
            return
        timer.stop()
        (dialog,) = shown
        assert not dialog.keep.isEnabled(), "this architecture does not say how it converses"
        if family is None:
            dialog.cancel.click()
            return
        dialog.families.setCurrentIndex(dialog.families.findData(family))
        dialog.keep.click()

    timer = QTimer()
    timer.timeout.connect(answer)
    timer.start(20)
    _settle(page, qtbot)


def test_an_unknown_file_is_asked_about_then_copied(
    page: ModelsPage, shop: Shop, qtbot: QtBot
) -> None:
    page.import_file(shop.put())
    _accept(page, qtbot, ModelFamily.LLAMA3)
    assert "Qualifiez-le" in _said(page)
    assert "fichier que vous avez importé" in _reasons(_card(page, "essai"))


def test_a_refused_file_is_not_kept(page: ModelsPage, shop: Shop, qtbot: QtBot) -> None:
    before = set(paths.models_dir().iterdir())
    page.import_file(shop.put())
    _accept(page, qtbot, None)
    assert "n’est pas gardé, à votre demande" in _said(page)
    assert set(paths.models_dir().iterdir()) == before
    assert [c.state.name for c in page.cards] == LISTED_ALL


def test_what_is_no_model_is_refused_in_french(page: ModelsPage, shop: Shop, qtbot: QtBot) -> None:
    file = shop.put()
    file.write_text("<html>portail</html>")
    page.import_file(file)
    _settle(page, qtbot)
    assert page.banner.title.text() == "À corriger"
    assert [c.state.name for c in page.cards] == LISTED_ALL


def test_a_removed_model_serves_nothing(
    page: ModelsPage, shop: Shop, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.earns = EVERY
    _qualify(page, qtbot)
    page.choose_roles(BUNDLED, EVERY)
    answers = iter([False, True])
    monkeypatch.setattr(
        "ancremed_desktop.gui.pages.models.ask_removal", lambda _page, _name: next(answers)
    )
    _card(page).remove.click()
    assert _card(page).state.installed
    _card(page).remove.click()
    _settle(page, qtbot)
    assert not _card(page).state.installed
    assert shop.done[-1] == "rendu", "its memory was given back first"
    assert "non installé" in _reasons(_card(page))
    assert PreferenceStore().current.model_roles == ()


def test_what_is_recommended_says_why_and_whose_the_figures_are(page: ModelsPage) -> None:
    said = _reasons(_card(page, LISTED))
    assert "recommandé" in said
    assert "pour un ordinateur de 4 Go" in said
    assert "Publié : le français est l’une de ses langues, selon son auteur." in said
    assert "Mesuré par nous" not in said, "we measured nothing"
    assert "trop grand pour la mémoire d’ici" in _reasons(_card(page, "énorme"))
    assert "recommandé" not in _reasons(_card(page))


def test_a_download_is_stopped_taken_up_and_given_up(
    page: ModelsPage, shop: Shop, qtbot: QtBot
) -> None:
    shop.gate = threading.Event()
    _card(page, LISTED).install.click()
    qtbot.waitUntil(lambda: "sur 3" in page.progress.left.text(), timeout=10_000)
    page.stop()
    _settle(page, qtbot)
    qtbot.waitUntil(lambda: not page._worker.busy, timeout=10_000)
    page.refresh()
    card = _card(page, LISTED)
    assert "téléchargement interrompu à 50 %" in _reasons(card)
    assert (card.install.text(), card.remove.text()) == ("Reprendre", "Abandonner")
    card.remove.click()
    _settle(page, qtbot)
    assert "non installé" in _reasons(_card(page, LISTED))
    shop.gate.set()
    _card(page, LISTED).install.click()
    _settle(page, qtbot)
    assert "Installé. Qualifiez-le" in _said(page)
    assert _card(page, LISTED).state.installed


def test_a_download_is_counted_by_the_meter(
    page: ModelsPage, window: MainWindow, shop: Shop, qtbot: QtBot
) -> None:
    shop.desk.remove(BUNDLED)
    page.refresh()
    assert window.connection.text() == "Aucune connexion"
    shop.gate = threading.Event()
    _card(page).install.click()
    qtbot.waitUntil(lambda: window.connection.text() == "1\u00a0téléchargement", timeout=10_000)
    page.stop()
    shop.gate.set()
    _settle(page, qtbot)


def test_without_an_engine_it_is_said_and_installed(
    page: ModelsPage, shop: Shop, qtbot: QtBot
) -> None:
    assert not page.engine.isVisible()
    shop.engine = False
    page.refresh()
    assert page.engine.isVisible()
    page.engine_button.click()
    qtbot.waitUntil(lambda: shop.engine, timeout=10_000)
    _settle(page, qtbot)
    assert not page.engine.isVisible()


def test_the_dialog_tells_time_or_cost(page: ModelsPage, shop: Shop, qtbot: QtBot) -> None:
    local = QualifyDialog(page, BUNDLED, None)
    words = " ".join(w.text() for w in local.findChildren(QLabel))
    assert "plusieurs heures" in words
    assert "$" not in words
    online = QualifyDialog(page, "gemini", shop.desk)
    words = " ".join(w.text() for w in online.findChildren(QLabel)).replace("\u00a0", " ")
    assert "sont envoyés à Google" in words
    # Four requests a case of 2,000 tokens read and 300 written at most.
    assert "160 demandes et 0,22 $ au plus" in words
    assert "400 demandes et 0,54 $ au plus" in words
    for choose, limit in ((online.quick, SAMPLE), (online.whole, 0)):
        choose.click()
        assert online.limit == limit
    for dialog in (local, online):
        dialog.deleteLater()


@pytest.mark.parametrize("scale", [100, 150])
def test_no_word_of_a_dialog_is_cut(
    page: ModelsPage, shop: Shop, window: MainWindow, scale: int
) -> None:
    window.resize(820, 560)
    window._appearance.set_text_scale(scale)
    stranger = UnknownFile(name="a.gguf", sha256="0" * 64, licence="", family=None)
    for dialog in (
        QualifyDialog(page, BUNDLED, None),
        QualifyDialog(page, "gemini", shop.desk),
        AcceptDialog(page, stranger),
    ):
        dialog.show()
        QApplication.processEvents()
        for words in dialog.findChildren(QLabel):
            assert words.height() >= words.heightForWidth(words.width()), words.text()
            bottom = words.mapTo(dialog, words.rect().bottomLeft()).y()
            assert bottom < dialog.cancel.y(), words.text()
        assert dialog.cancel.geometry().bottom() < dialog.height()
        for answer in dialog.findChildren(QPushButton):
            assert answer.width() >= answer.minimumSizeHint().width(), answer.text()
        dialog.reject()
        dialog.deleteLater()
    window._appearance.set_text_scale(100)


def test_the_format_of_a_known_architecture_is_proposed(page: ModelsPage) -> None:
    known = UnknownFile(name="a.gguf", sha256="0" * 64, licence="", family=ModelFamily.QWEN)
    dialog = AcceptDialog(page, known)
    assert dialog.family is ModelFamily.QWEN
    assert dialog.keep.isEnabled()
    assert "non précisée" in " ".join(w.text() for w in dialog.findChildren(QLabel))
    dialog.deleteLater()


def test_gemini_is_qualified_only_with_key_and_consent(
    page: ModelsPage, window: MainWindow, workbench: FakeWorkbench, qtbot: QtBot
) -> None:
    assert not page.qualify_online.isEnabled()
    workbench.keys.write(KEY)
    page.online.consent.click()
    qtbot.waitUntil(page.qualify_online.isEnabled, timeout=10_000)
    workbench.shop.earns = frozenset({Ability.WRITE})
    _qualify(page, qtbot, "gemini")
    assert page.online_roles is not None
    page.online_roles.boxes[Ability.WRITE].click()
    assert PreferenceStore().current.model_roles == ("write=gemini",)


def test_a_test_of_gemini_is_counted_by_the_meter(
    workbench: FakeWorkbench, window: MainWindow, qtbot: QtBot
) -> None:
    online = workbench.online()
    assert online.meter is window.connection._meter
    told: list[str] = []
    window.connection._counted.connect(lambda: told.append("changed"))
    online.meter.trial_sent()
    qtbot.waitUntil(lambda: "1\u00a0essai" in window.connection.text(), timeout=10_000)
    assert told


@pytest.fixture
def server(workbench: FakeWorkbench) -> object:
    with serving(well) as made:
        workbench.online_url = made.url
        yield made


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_what_is_shown_before_sending_can_be_turned_back_on(
    server: FakeGemini, page: ModelsPage, workbench: FakeWorkbench
) -> None:
    workbench.online().show_each = False
    page.refresh()
    assert not page.online.each.isChecked()
    page.online.each.click()
    assert workbench.online().show_each
    assert server.connections == 0


def test_a_damaged_list_of_models_is_said(
    page: ModelsPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> Callable[[], object]:
        raise MachineError("La liste est abîmée.")

    monkeypatch.setattr(page._desk, "_library", fail)
    page.refresh()
    assert "abîmée" in _said(page)


@pytest.mark.parametrize("scale", [100, 150])
def test_nothing_is_cut_in_the_smallest_window(
    page: ModelsPage, window: MainWindow, shop: Shop, qtbot: QtBot, scale: int
) -> None:
    shop.earns = EVERY
    _qualify(page, qtbot)
    window.resize(window.minimumSize())
    window._appearance.set_text_scale(scale)
    area = page.findChildren(QScrollArea)[0]
    qtbot.waitUntil(lambda: area.horizontalScrollBar().maximum() == 0, timeout=5000)
    assert window._rail_height() <= window.height()
    meter = window.connection
    qtbot.waitUntil(lambda: meter.height() >= meter.heightForWidth(meter.width()), timeout=5000)
