"""``models gemini``: the key comes from the standard input, and nothing is sent without consent."""

from __future__ import annotations

import io

import pytest
from contract.cases import TenLines
from fakes.fake_gemini import KEY
from fakes.key_stores import WorkingStore

from ancremed_desktop import app
from ancremed_desktop.cli import main
from ancremed_desktop.providers.options import ModelOptions
from ancremed_desktop.services.online import CONSENT, CONSENT_VERSION, OnlineModel
from ancremed_desktop.services.toolbox import Toolbox
from ancremed_desktop.settings.preferences import PreferenceStore, preferences_file
from ancremed_desktop.settings.secrets import KeyStore


class _Session:
    """Commands one after the other, each with services of its own, over one key store."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.system: WorkingStore | None = WorkingStore()
        self.opened: list[ModelOptions] = []
        self._capsys, self._monkeypatch = capsys, monkeypatch

    def __call__(self, *arguments: str, typed: str = "") -> tuple[int, str]:
        self._monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        code = main.run(["models", "gemini", *arguments], self._toolbox())
        shown = self._capsys.readouterr()
        return code, (shown.out + shown.err).replace("\u00a0", " ")

    def _toolbox(self) -> Toolbox:
        real = app.toolbox()
        return Toolbox(
            open_index=real.open_index,
            ask=real.ask,
            embed=real.embed,
            calculator=real.calculator,
            library=real.library,
            models=real.models,
            online=lambda: OnlineModel(
                KeyStore(lambda: self.system), PreferenceStore(), self._open
            ),
            desk=real.desk,
            kept_questions=real.kept_questions,
            forget_questions=real.forget_questions,
            starter_folder=real.starter_folder,
        )

    def _open(self, _provider: str, options: ModelOptions) -> TenLines:
        self.opened.append(options)
        return TenLines()


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> _Session:
    return _Session(capsys, monkeypatch)


def test_key_and_consent_together_and_forgotten(run: _Session) -> None:
    assert "Gemini désactivé" in run("status")[1]
    code, said = run("key", typed=f"{KEY}\n")
    assert code == 0
    assert KEY not in said
    assert "Gemini désactivé" in run("status")[1], "a key alone sends nothing"
    code, said = run("consent", typed="oui\n")
    assert code == 0
    assert all(part in said for part in CONSENT)
    code, said = run("status")
    assert "Gemini activé" in said
    assert KEY not in said
    assert run("forget")[0] == 0
    assert run.system is not None
    assert not run.system.kept
    assert PreferenceStore().current.gemini_consent == 0
    assert "Gemini désactivé" in run("status")[1]


@pytest.mark.parametrize("typed", ["", "non\n", "o\n"])
def test_consent_is_a_whole_word(run: _Session, typed: str) -> None:
    run("key", typed=KEY)
    code, said = run("consent", typed=typed)
    assert code == 2
    assert "rien n’est envoyé" in said
    assert "Gemini désactivé" in run("status")[1]


def test_consent_is_taken_back(run: _Session) -> None:
    run("key", typed=KEY)
    run("consent", typed="oui")
    assert run("consent", "--withdraw")[0] == 0
    assert "Gemini désactivé" in run("status")[1]


def test_a_key_as_an_argument_is_refused(run: _Session) -> None:
    with pytest.raises(SystemExit):
        run("key", KEY)
    assert run.system is not None
    assert not run.system.kept


def test_without_a_key_store_a_command_keeps_no_key(run: _Session) -> None:
    run.system = None
    code, said = run("key", typed=KEY)
    assert code == 5
    assert "pas de trousseau" in said
    assert "pas de trousseau" in run("status")[1]


def test_the_preview_is_what_would_be_sent(run: _Session) -> None:
    expected = "[Demande]\nMme [NOM] tousse\n"
    assert run("preview", "Mme Vaucanson tousse") == (0, expected)
    assert run("preview", typed="Mme Vaucanson tousse") == (0, expected)


def test_the_consent_is_asked_at_each_request(run: _Session) -> None:
    run("key", typed=KEY)
    run("consent", typed="oui")
    assert run("test")[0] == 0
    (options,) = run.opened
    assert options.consented()
    assert options.api_key() == KEY
    run("consent", "--withdraw")
    assert not options.consented(), "taken back by another command"


def test_a_consent_taken_back_elsewhere_does_not_return_with_another_change(run: _Session) -> None:
    run("consent", typed="oui")
    window = PreferenceStore()
    run("consent", "--withdraw")
    window.update(text_scale=110)
    assert PreferenceStore().current.gemini_consent == 0


def test_a_consent_to_another_text_is_none(run: _Session) -> None:
    run("key", typed=KEY)
    run("consent", typed="oui")
    text = preferences_file().read_text("utf-8")
    agreed = f'"gemini_consent": {CONSENT_VERSION}'
    assert agreed in text
    preferences_file().write_text(text.replace(agreed, '"gemini_consent": 1'))
    assert "Gemini désactivé" in run("status")[1]
