"""Vectors of passages: what is embedded, how it is stored, which are nearest to a question.

Signs first, then the exact cosine of the best: see docs/decisions/0011-hybrid-search.md.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import apsw
import numpy as np

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.evidence import SearchHit
from ancremed_desktop.domain.identifiers import PassageKind, Silo
from ancremed_desktop.errors import IndexFileError
from ancremed_desktop.index import rows
from ancremed_desktop.index.connection import damaged, open_read_only, translated
from ancremed_desktop.index.postings import Array
from ancremed_desktop.ports import PassageIndex, Vector
from ancremed_desktop.text.normalise import fold

MAX_CHARACTERS = 300
"""Embedded of a passage: its title, its heading and how it begins say what it is about, and the
time an embedder takes grows with the length."""
LEFT_OUT = (PassageKind.EXAM_ANSWER,)
"""Propositions of an exam, on anything."""
RESCORED = 400
"""Nearest by their signs, whose cosine is computed."""
_SPARE = 4
"""Times ``limit``: passages looked at, as some are superseded or altered."""
_BITS = 8
_LARGEST = 127

_STORED = """
SELECT d.rowid, v.document_id, v.signs, v.vector FROM passage_vectors v
JOIN documents d ON d.id = v.document_id
JOIN passages p ON p.row = d.rowid AND p.sha256 = v.sha256 WHERE d.superseded = 0
"""


def embedded_text(passage: Passage) -> str:
    """Title and heading, unless the text says them itself, then its beginning."""
    text = " ".join(passage.text.split())
    key = fold(text)
    above = dict.fromkeys((passage.origin_title, passage.heading))
    whole = " – ".join([*(part for part in above if part and fold(part) not in key), text])
    return whole if len(whole) <= MAX_CHARACTERS else whole[:MAX_CHARACTERS].rsplit(" ", 1)[0]


def packed(vector: Vector) -> tuple[bytes, bytes]:
    """(signs, one signed byte a coordinate) of a vector of 8 n coordinates, not all zero.

    The bytes are scaled to the largest coordinate: a cosine does not see the scale.
    Raises: ValueError.
    """
    largest = max(map(abs, vector), default=0.0)
    if len(vector) % _BITS or not 0 < largest < float("inf"):
        raise ValueError(f"{len(vector)} coordinates, the largest {largest}")
    bits = "".join("01"[x > 0] for x in vector)
    signed = (round(_LARGEST * x / largest) & 0xFF for x in vector)
    return int(bits, 2).to_bytes(len(vector) // _BITS, "big"), bytes(signed)


def has_vectors(connection: apsw.Connection) -> bool:
    """Whether a file ever got vectors."""
    found = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'passage_vectors'")
    return found.fetchone() is not None


def stored_embedder(connection: apsw.Connection) -> str:
    """Name of the embedder of a file's vectors; empty without any."""
    if not has_vectors(connection):
        return ""
    row = connection.execute("SELECT embedder FROM vector_source").fetchone()
    return str(row[0]) if row else ""


def forget_stale(connection: apsw.Connection) -> None:
    """Delete the vectors of passages that are gone or have another text."""
    if has_vectors(connection):
        connection.execute(
            "DELETE FROM passage_vectors WHERE NOT EXISTS ("
            "SELECT 1 FROM documents d JOIN passages p ON p.row = d.rowid "
            "WHERE d.id = passage_vectors.document_id AND p.sha256 = passage_vectors.sha256)"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Matrix:
    """Row ``n`` of ``signs`` (uint8) and ``vectors`` (int8) is of ``urns[n]``, in ``silos[n]``."""

    urns: tuple[str, ...]
    silos: Array
    signs: Array
    vectors: Array


class StoredVectors:
    """``ports.VectorIndex`` over the index files ``index`` was opened on.

    Raises (constructor): IndexFileError when a file cannot be read or two were embedded by
    different models.
    """

    def __init__(self, paths: Sequence[Path], index: PassageIndex) -> None:
        self._index = index
        self._lock = threading.Lock()
        self._matrix: _Matrix | None = None
        self._rows: list[tuple[int, str, bytes, bytes]] = []
        names = dict.fromkeys(name for path in paths if (name := self._read(path)))
        if len(names) > 1:
            raise IndexFileError(
                "Vos index ont des vecteurs de modèles différents "
                f"({', '.join(names)}) : relancez « library embed » sur chacun."
            )
        self._embedder = next(iter(names), "")

    def embedder(self) -> str:
        """Name of the embedder they were made with; empty when there are none."""
        return self._embedder

    def nearest(self, vector: Vector, silos: tuple[Silo, ...], limit: int) -> tuple[SearchHit, ...]:
        """Current passages of the silos (none: all), best cosine first; altered ones left out.

        Raises: IndexFileError when the vectors are not as long as the question's.
        """
        if not self._embedder:
            return ()
        with self._lock:
            if self._matrix is None:
                self._matrix = _matrix(self._rows)
                self._rows = []
        hits = []
        for urn, cosine in _nearest(self._matrix, vector, silos, _SPARE * limit):
            try:
                passage = self._index.passage(urn)
            except IndexFileError:
                continue  # altered: the index has counted it and says so
            if not passage.superseded and (not silos or passage.silo in silos):
                hits.append(SearchHit(passage=passage, score=cosine))
        return tuple(hits[:limit])

    def _read(self, path: Path) -> str:
        """Read the vectors of a file; the name of their embedder."""
        connection = open_read_only(path)
        try:
            with translated(path):
                name = stored_embedder(connection)
                found = connection.execute(_STORED).fetchall() if name else []
        finally:
            connection.close()
        for row, urn, signs, vector in found:
            if not isinstance(signs, bytes) or not isinstance(vector, bytes):
                raise damaged(path, "ses vecteurs sont illisibles")
            self._rows.append((int(str(row)), str(urn), signs, vector))
        if len({(len(signs) * _BITS, len(vector)) for *_ids, signs, vector in self._rows}) > 1:
            raise damaged(path, "ses vecteurs sont illisibles")
        return name if found else ""


def _matrix(stored: Sequence[tuple[int, str, bytes, bytes]]) -> _Matrix:
    order = list(Silo)
    silos = [rows.silo_of_row(row) for row, *_rest in stored]
    count = len(stored)
    return _Matrix(
        urns=tuple(urn for _row, urn, *_rest in stored),
        silos=np.array([order.index(s) if s else len(order) for s in silos], dtype=np.uint8),
        signs=np.frombuffer(b"".join(s for *_ids, s, _v in stored), np.uint8).reshape(count, -1),
        vectors=np.frombuffer(b"".join(v for *_ids, v in stored), np.int8).reshape(count, -1),
    )


def _nearest(
    matrix: _Matrix, vector: Vector, silos: tuple[Silo, ...], limit: int
) -> list[tuple[str, float]]:
    """(URN, cosine) of the nearest: by Hamming distance of the signs, then by cosine."""
    if matrix.vectors.shape[1] != len(vector):
        raise IndexFileError(
            f"Les vecteurs de l’index ont {matrix.vectors.shape[1]} coordonnées et ceux du modèle "
            f"{len(vector)} : relancez « library embed »."
        )
    order = list(Silo)
    wanted = [order.index(s) for s in silos or order]
    kept = np.flatnonzero(np.isin(matrix.silos, wanted))
    asked = np.array(vector, dtype=np.float32)
    signs = np.packbits(asked > 0)
    distance = np.bitwise_count(matrix.signs[kept] ^ signs).sum(axis=1, dtype=np.uint16)
    close = kept[np.argsort(distance, kind="stable")[: max(RESCORED, limit)]]
    exact = matrix.vectors[close].astype(np.float32)
    cosines = exact @ asked / (np.linalg.norm(exact, axis=1) * np.linalg.norm(asked))
    best = np.argsort(-cosines, kind="stable")[:limit]
    return [(matrix.urns[close[n]], float(cosines[n])) for n in best]
