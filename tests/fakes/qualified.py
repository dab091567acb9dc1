"""Qualifications that tests give a model without measuring it."""

from __future__ import annotations

from pathlib import Path

from fakes import clinic

from ancremed_desktop.domain.models import Ability
from ancremed_desktop.services.qualification import (
    CRITERIA,
    Measure,
    Qualification,
    QualificationStore,
)


def qualification(identity: str, abilities: frozenset[Ability]) -> Qualification:
    """Sixty right of sixty for ``abilities``, twelve of thirty-seven for the others."""
    measures = tuple(
        Measure(key=c.key, right=60, total=60, low=0.94, high=1.0)
        if c.ability in abilities
        else Measure(key=c.key, right=12, total=37, low=0.18, high=0.50)
        for c in CRITERIA
    )
    return Qualification(
        model=identity,
        identity=identity,
        prompts=clinic.prompts().identity,
        date="2026-11-30T10:00:00+00:00",
        measures=measures,
    )


def earns(path: Path, identity: str, abilities: frozenset[Ability] = frozenset(Ability)) -> None:
    """Store it."""
    QualificationStore(path).keep(qualification(identity, abilities))
