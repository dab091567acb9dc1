"""« Sevrage en alcool »: what is no longer taken is neither the drug asked nor taken with it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from ancremed_desktop.domain.plans import Concept
from ancremed_desktop.text.normalise import fold

_WITHDRAWAL = r"\b(?:sevrages?|manque|sevre)\b"
_OF = r"(?: (?:brutal\w*|en|aux?|a l.|d.|de l.|de|du|des))* ?"


def is_withdrawn(concept: Concept, text: str) -> bool:
    """Whether a question tells of who no longer takes what a concept names."""
    folded = fold(text)
    return any(
        re.search(rf"{_WITHDRAWAL}{_OF}{name}\b", folded)
        for name in map(re.escape, concept.phrases)
    )


def without_the_withdrawn(concepts: Iterable[Concept], text: str) -> list[Concept]:
    """Concepts, of which what is no longer taken is no drug that an answer must hold."""
    return [
        replace(c, mandatory=False) if c.mandatory and is_withdrawn(c, text) else c
        for c in concepts
    ]
