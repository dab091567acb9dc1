"""Diseases a drug is indicated in by its own card: its doses need not name them again."""

from __future__ import annotations

import re
from dataclasses import replace

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.plans import Concept, Subject
from ancremed_desktop.pipeline.bearing import is_disease
from ancremed_desktop.pipeline.cards import of_cards
from ancremed_desktop.pipeline.holding import holds
from ancremed_desktop.pipeline.own_lines import drugs_of
from ancremed_desktop.pipeline.units import units
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.normalise import fold

_INDICATION = "indication"
_DENIED = re.compile(r"\bn(?:e\b|['’])")


def with_cards_indicated(subject: Subject, index: PassageIndex) -> Subject:
    """The subject whose diseases stand for the cards of the drugs asked that are indicated in
    them: « lévothyroxine » of a hypothyroidism, which its rubric of doses does not name.
    """
    drugs = drugs_of(subject.concepts)
    if not drugs or len(drugs) == len(subject.concepts):
        return subject
    told = [
        p
        for p in of_cards(drugs, index)
        if p.section == _INDICATION and not p.superseded and p.source_identifier.isdecimal()
    ]

    def widened(concept: Concept) -> Concept:
        named = bool(concept.identifiers) or is_disease(concept)
        if concept.mandatory or concept.exact or not named:
            return concept
        own = (p.source_identifier for p in told if _is_indicated(p, concept))
        return replace(concept, identifiers=tuple(dict.fromkeys((*concept.identifiers, *own))))

    return replace(subject, concepts=tuple(map(widened, subject.concepts)))


def _is_indicated(passage: Passage, concept: Concept) -> bool:
    """Whether a sentence of the indications names a disease, and not to say « n’est plus »."""
    texts = (passage.text[u.start : u.end] for u in units(passage, _INDICATION))
    return any(holds(t, concept) and _DENIED.search(fold(t)) is None for t in texts)
