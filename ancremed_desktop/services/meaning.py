"""Search by meaning: on when the user agreed and all it needs is there; its vectors made."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.events import CancelToken, Progress, ProgressCallback
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.errors import IndexFileError, ModelError, UserError
from ancremed_desktop.pipeline.meaning import MeaningSearch, no_meaning, search_by_meaning
from ancremed_desktop.ports import Embedder, Vector, VectorIndex

EMBEDDED = tuple(silo for silo in Silo if silo is not Silo.BDPM)
"""Silos embedded unless others are asked for: nine passages of ten are of drugs, whose names
mean nothing to an embedder and are looked up, and would take hours."""
NO_VECTORS = (
    "Cet index n’a pas de vecteurs : la recherche s’est faite par les mots seuls. Pour les "
    "calculer : « main.py library embed »."
)


class VectorBuild(Protocol):
    """Vectors being added to an index, see ``index.vector_writer``."""

    def missing(self, silos: tuple[Silo, ...]) -> tuple[Passage, ...]:
        """Passages without a vector."""

    def add_all(
        self,
        passages: tuple[Passage, ...],
        embed: Callable[[str], Vector],
        told: Callable[[int], None],
    ) -> None:
        """Embed and store them."""

    def count(self) -> int:
        """Vectors stored so far."""

    def finish(self) -> None:
        """Put them in place."""

    def close(self) -> None:
        """Release the files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """``added`` vectors by this run, of ``total`` in the index now."""

    embedder: str
    added: int
    total: int


class MeaningSwitch:
    """``wanted`` is asked at each question; what is needed is opened at the first that wants it.

    ``problem``: why meaning was not searched although wanted, in French; else empty.
    """

    def __init__(
        self,
        wanted: Callable[[], bool],
        embedder: Callable[[], Embedder],
        vectors: Callable[[], VectorIndex],
    ) -> None:
        self._wanted = wanted
        self._embedder = embedder
        self._vectors = vectors
        self._opened: MeaningSearch | None = None
        self.problem = ""

    def current(self) -> MeaningSearch:
        """The search, or one that finds nothing when it is not wanted or cannot be done."""
        self.problem = ""
        if not self._wanted():
            return no_meaning
        try:
            return self.demanded()
        except (UserError, ModelError) as error:
            self.problem = str(error)
            return no_meaning

    def demanded(self) -> MeaningSearch:
        """The search, whatever the preference. Raises: ModelError, IndexFileError."""
        if self._opened is None:
            embedder = self._embedder()
            vectors = self._vectors()
            check_same_model(vectors.embedder(), embedder.name)
            self._opened = search_by_meaning(embedder, vectors)
        return self._opened


def check_same_model(stored: str, installed: str) -> None:
    """Raises: IndexFileError, when vectors cannot be compared with those of an embedder."""
    if not stored:
        raise IndexFileError(NO_VECTORS)
    if stored != installed:
        raise IndexFileError(
            f"Les vecteurs de l’index viennent de « {stored} » et le modèle installé est "
            f"« {installed} » : relancez « main.py library embed »."
        )


def embed_index(
    open_build: Callable[[str], VectorBuild],
    embedder: Embedder,
    silos: tuple[Silo, ...],
    *,
    progress: ProgressCallback,
    cancel: CancelToken,
) -> Embedded:
    """Give the passages of some silos their vectors; goes on where an earlier run stopped.

    Raises: Cancelled (what was computed is kept), IndexFileError, MachineError, ModelError.
    """
    build = open_build(embedder.name)
    try:
        passages = build.missing(silos)
        started = time.monotonic()

        def told(done: int) -> None:
            left = (time.monotonic() - started) / done * (len(passages) - done)
            progress(Progress(stage="Vecteurs", done=done, total=len(passages), seconds_left=left))
            cancel.raise_if_cancelled()

        build.add_all(passages, embedder.embed_passage, told)
        total = build.count()
        build.finish()
    finally:
        build.close()
    return Embedded(embedder=embedder.name, added=len(passages), total=total)
