"""An answer found by look-up: its passages are quoted whole, no section is searched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ancremed_desktop.domain.evidence import Evidence
from ancremed_desktop.domain.plans import RetrievalPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectAnswer:
    """What was found for a question. ``message``: French, said above it. ``shows``: whether a
    paragraph of its passages is wanted.
    """

    plan: RetrievalPlan
    evidence: Evidence
    message: str
    shows: Callable[[str], bool] = bool
