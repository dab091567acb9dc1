"""Rows that hold a word, and lists of numbers as they are stored.

Rows are *ordinals*: places in the ascending list of the rowids of ``documents``, from 0.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
"""A numpy array; each docstring gives shape and type."""

_LEVEL = 1
_KINDS = ("<u2", "<u4", "<i8")


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrences:
    """Rows that hold a phrase: ordinals (int32, ascending), and how often in title and text."""

    rows: Array
    titles: Array
    texts: Array

    def __len__(self) -> int:
        return len(self.rows)


NOWHERE = Occurrences(
    rows=np.empty(0, np.int32), titles=np.empty(0, np.int32), texts=np.empty(0, np.int32)
)


def span(values: Array, first: int, last: int) -> tuple[int, int]:
    """Where the values from ``first`` to ``last`` begin and end in ascending ones.

    Looked for in their own type: numpy would first convert all of them to that of another.
    """
    kind = values.dtype.type
    return int(values.searchsorted(kind(first))), int(values.searchsorted(kind(last), "right"))


def shared(few: Array, more: Array) -> Array:
    """Those of ``few`` that ``more`` has; both ascending."""
    if not len(more):
        return few[:0]
    places = np.minimum(more.searchsorted(few), len(more) - 1)
    found: Array = few[more[places] == few]
    return found


def pack(values: Array) -> bytes:
    """A list of integers, made small: compressed, with the size of each in front."""
    kind = next(k for k in _KINDS if not len(values) or _fits(values, np.dtype(k)))
    return kind[-1:].encode() + zlib.compress(values.astype(kind).tobytes(), _LEVEL)


def unpack(data: bytes) -> Array:
    """What was packed (int64). Raises: ValueError or zlib.error."""
    kind = next((k for k in _KINDS if k[-1:].encode() == data[:1]), None)
    if kind is None:
        raise ValueError("a list of an unknown kind")
    return np.frombuffer(zlib.decompress(data[1:]), kind).astype(np.int64)


def _fits(values: Array, kind: np.dtype[Any]) -> bool:
    bounds = np.iinfo(kind)
    return bool(bounds.min <= values.min() and values.max() <= bounds.max)
