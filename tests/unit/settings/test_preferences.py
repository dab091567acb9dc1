"""Preferences: typed, written in one step, damaged files fall back with a message."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ancremed_desktop.errors import MachineError
from ancremed_desktop.settings.preferences import (
    Preferences,
    PreferenceStore,
    Theme,
    preferences_file,
)


def test_first_start_has_defaults_and_no_problem() -> None:
    store = PreferenceStore()
    assert store.current == Preferences()
    assert store.problem == ""
    assert not preferences_file().exists()


def test_changes_survive_a_restart() -> None:
    PreferenceStore().update(theme=Theme.DARK, text_scale=125, keep_questions=True)
    again = PreferenceStore()
    assert again.problem == ""
    assert again.current == Preferences(theme=Theme.DARK, text_scale=125, keep_questions=True)


@pytest.mark.parametrize("content", ["", "{", "[]", "null", "\x00\xff", '"clair"', "[" * 200_000])
def test_a_damaged_file_gives_defaults_and_says_so(content: str) -> None:
    preferences_file().write_bytes(content.encode("latin-1"))
    store = PreferenceStore()
    assert store.current == Preferences()
    assert "abîmé" in store.problem
    assert str(preferences_file()) in store.problem


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("theme", "rose"),
        ("theme", 3),
        ("text_scale", 101),
        ("text_scale", "100"),
        ("text_scale", True),
        ("notice_version", -1),
        ("keep_questions", 1),
        ("window_width", 10),
    ],
)
def test_one_bad_field_takes_its_default_and_the_others_stay(name: str, value: object) -> None:
    data = {"theme": "sombre", "text_scale": 110, "notice_version": 1, name: value}
    preferences_file().write_text(json.dumps(data), encoding="utf-8")
    store = PreferenceStore()
    assert store.problem
    kept = {"theme": Theme.DARK, "text_scale": 110, "notice_version": 1}
    for field, expected in kept.items():
        if field != name:
            assert getattr(store.current, field) == expected
    assert getattr(store.current, name) == getattr(Preferences(), name)


def test_an_unknown_field_is_ignored() -> None:
    preferences_file().write_text('{"avenir": 1, "text_scale": 90}', encoding="utf-8")
    store = PreferenceStore()
    assert store.problem == ""
    assert store.current.text_scale == 90


def test_out_of_range_change_is_refused_and_nothing_is_written() -> None:
    store = PreferenceStore()
    with pytest.raises(ValueError, match="out of range"):
        store.update(text_scale=1000)
    assert store.current.text_scale == 100
    assert not preferences_file().exists()


def test_a_file_that_cannot_be_written_is_said_in_french(tmp_path: Path) -> None:
    blocked = tmp_path / "un fichier"
    blocked.write_text("", encoding="utf-8")
    store = PreferenceStore(blocked / "preferences.json")
    with pytest.raises(MachineError, match="n’ont pas pu être enregistrés"):
        store.update(theme=Theme.LIGHT)
    assert store.current.theme is Theme.LIGHT


def test_no_temporary_file_is_left() -> None:
    store = PreferenceStore()
    for scale in (90, 110, 125):
        store.update(text_scale=scale)
    assert [p.name for p in preferences_file().parent.iterdir()] == ["preferences.json"]
