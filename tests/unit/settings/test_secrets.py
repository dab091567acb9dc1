"""The key is kept by the system or by nothing but the memory of the session."""

from __future__ import annotations

import pytest
from fakes.fake_gemini import KEY
from fakes.key_stores import LockedStore, WorkingStore

from ancremed_desktop.errors import MachineError, UserError
from ancremed_desktop.settings.secrets import KeyStore, system_store


def test_a_key_is_kept_by_the_system_and_forgotten() -> None:
    system = WorkingStore()
    keys = KeyStore(lambda: system)
    assert keys.lasting
    assert keys.read() == ""
    assert keys.write(f"  {KEY}\n")
    assert list(system.kept.values()) == [KEY]
    assert KeyStore(lambda: system).read() == KEY
    keys.forget()
    assert not system.kept
    assert keys.read() == ""
    keys.forget()


def test_without_a_key_store_the_key_ends_with_the_session() -> None:
    keys = KeyStore(lambda: None)
    assert not keys.lasting
    assert not keys.write(KEY)
    assert keys.read() == KEY
    assert KeyStore(lambda: None).read() == ""
    keys.forget()
    assert keys.read() == ""


def test_a_locked_key_store_is_said_and_the_key_holds_for_the_session() -> None:
    keys = KeyStore(LockedStore)
    with pytest.raises(MachineError, match="déverrouillez"):
        keys.read()
    assert not keys.write(KEY)
    assert keys.read() == KEY


@pytest.mark.parametrize("typed", ["", "court", "avec un espace dedans 1234", "é" * 30, "x" * 300])
def test_what_cannot_be_a_key_is_refused_without_being_repeated(typed: str) -> None:
    system = WorkingStore()
    with pytest.raises(UserError, match="n’est pas une clé") as caught:
        KeyStore(lambda: system).write(typed)
    assert not typed or typed not in str(caught.value)
    assert not system.kept


def test_the_key_is_in_no_representation() -> None:
    keys = KeyStore(lambda: None)
    keys.write(KEY)
    assert KEY not in repr(keys)
    assert KEY not in str(keys)


@pytest.mark.parametrize("name", ["fail", "null"])
def test_a_backend_that_keeps_nothing_or_writes_files_is_not_used(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import importlib

    import keyring

    backend = importlib.import_module(f"keyring.backends.{name}").Keyring()
    monkeypatch.setattr(keyring, "get_keyring", lambda: backend)
    assert system_store() is None


def test_of_a_chain_only_the_system_store_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    import keyring
    from keyring.backends import SecretService, fail

    class Chain:
        backends = (fail.Keyring(), SecretService.Keyring())  # type: ignore[no-untyped-call]

    monkeypatch.setattr(keyring, "get_keyring", Chain)
    assert type(system_store()) is SecretService.Keyring
