"""What the reference implementations share: reading a patient, reading a published table."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping

Patient = Mapping[str, float | bool | str]
Results = dict[str, float]
Reference = Callable[[Patient], Results]

MG_DL_CREATININE = 88.4
MG_DL_BILIRUBIN = 17.1


def num(p: Patient, name: str) -> float:
    value = p[name]
    assert not isinstance(value, str)
    return float(value)


def count(p: Patient, *names: str) -> int:
    return sum(bool(p.get(name, False)) for name in names)


def female(p: Patient) -> bool:
    return p["sexe"] == "F"


def step(value: float, limits: tuple[float, ...], points: tuple[float, ...]) -> float:
    """Points of the interval [limit i-1, limit i[ that holds the value."""
    return points[bisect_right(limits, value)]
