"""Whether a passage is about the subject of a question, and which concepts its sentences owe."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.identifiers import FORMULA_SECTIONS, Silo
from ancremed_desktop.domain.plans import Concept, Subject
from ancremed_desktop.pipeline.bearing import (
    is_disease,
    is_named_formula,
    is_of_its_product,
)
from ancremed_desktop.pipeline.holding import holds, is_by_class_alone, is_held, read
from ancremed_desktop.text.lists import Statement

_OPINION = re.compile(r"HAS-(?:CT-|CNEDIMTS-|avis-de-la-|[0-9a-f]{12}$)")
"""Identifier of an opinion on one drug or device, and of a document of no known kind."""


FIRST_STEPS = frozenset({"gestes immédiats", "traitement"})
"""Sections of a card shown whole: a step left out may be the one that saves."""


def is_excepted(passage: Passage, subject: Subject) -> bool:
    """Whether a passage is about what the question does not want, by its title or heading.

    A sentence that only names it is kept: it may name a danger beside it.
    """
    title = f"{passage.origin_title} {passage.heading}"
    return any(
        passage.source_identifier in c.identifiers or holds(title, c) for c in subject.excluded
    )


def is_asked(formula: Passage, subject: Subject) -> bool:
    """Whether a formula is named and one of its sections hinted at (« Berlin » is also a town)."""
    hinted = not FORMULA_SECTIONS.isdisjoint(subject.point.sections)
    return hinted and is_named_formula(formula, subject)


def readings(passage: Passage, unit: Statement) -> list[tuple[frozenset[str], str]]:
    """A statement; of a list each item with what announces it: what two say is said of neither."""
    lead = passage.text[unit.start : unit.lead]
    return [read(f"{lead}\n{passage.text[max(a, unit.lead) : b]}") for a, b in unit.parts]


def owed(passage: Passage, subject: Subject) -> tuple[Concept, ...] | None:
    """Concepts each sentence must still name itself; ``None``: the passage is off the subject."""
    title = read(f"{passage.origin_title} {passage.heading}")
    body: tuple[frozenset[str], str] | None = None
    held = 0
    named = False
    owed: list[Concept] = []
    for concept in subject.concepts:
        if passage.source_identifier in concept.identifiers or is_held(*title, concept):
            held += 1
            # The card of one antibiotic is about a disease only where it names it.
            of_a_card = passage.silo is Silo.FICHES
            named = named or not (of_a_card and is_by_class_alone(*title, concept))
            continue
        if body is None:  # a text is read only where its title does not name the whole subject
            text = read(passage.text)
            body = title[0] | text[0], f"{title[1]} {text[1]}"
        if is_held(*body, concept):
            held += 1
            if concept.mandatory:
                owed.append(concept)
        elif concept.mandatory or is_disease(concept):
            return None
        elif _may_lack(passage, concept, subject):
            held += 1
    if not is_most(held, len(subject.concepts)):
        return None
    opinion = _OPINION.match(passage.source_identifier)
    if (passage.silo is Silo.BDPM or opinion) and not is_of_its_product(passage, subject):
        return None  # what a leaflet says of a disease, or of another drug, is not about it
    # A passage whose title is about something else speaks of the subject only where it names it.
    return tuple(owed) if owed or named else subject.concepts


def is_step_of(passage: Passage, subject: Subject) -> bool:
    """Whether a passage is what the card of an emergency asked about says to do: whatever drug is
    named beside it, what must be given first is shown.
    """
    return (
        subject.vital
        and passage.silo is Silo.FICHES
        and passage.section in FIRST_STEPS
        and any(
            passage.source_identifier in c.identifiers for c in subject.concepts if not c.mandatory
        )
    )


def without_drugs(subject: Subject) -> Subject:
    """A subject less the drugs it names."""
    return replace(subject, concepts=tuple(c for c in subject.concepts if not c.mandatory))


def _may_lack(passage: Passage, concept: Concept, subject: Subject) -> bool:
    """Whether a card named by the question tells what to do at once without a concept of it."""
    return (
        passage.silo is Silo.FICHES
        and passage.section in FIRST_STEPS
        and concept.phrases[0] in subject.spare
        and any(passage.source_identifier in c.identifiers for c in subject.concepts)
    )


def is_most(held: int, total: int) -> bool:
    """Whether so many concepts held are the subject: all of three, three quarters of more."""
    return total > 0 and (held == total if total <= 3 else 4 * held >= 3 * total)


def names_owed(found: frozenset[str], folded: str, about: Sequence[Concept]) -> bool:
    """Whether a sentence names what it owes: of four concepts and more all but a quarter, every
    drug and disease always.
    """
    missing = [c for c in about if not is_held(found, folded, c)]
    if any(c.mandatory or is_disease(c) for c in missing):
        return False
    return not about or is_most(len(about) - len(missing), len(about))


def names_subject(passage: Passage, found: frozenset[str], folded: str, subject: Subject) -> bool:
    """Whether a sentence, or the heading right above it, names what the question is about."""
    if any(is_held(found, folded, c) for c in subject.concepts):
        return True
    heading = read(passage.heading.rpartition(" > ")[2])
    return all(is_held(*heading, c) for c in subject.concepts)
