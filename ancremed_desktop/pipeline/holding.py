"""Whether a text names a concept of a question, by one of its wordings."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from ancremed_desktop.domain.plans import Concept, Subject
from ancremed_desktop.pipeline.drug_classes import classes_in
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import content_words, holds_word, stems

_SHORT_CUE = 3
_CACHED_HEADINGS = 2_048


@lru_cache(maxsize=1_024)
def read(text: str) -> tuple[frozenset[str], str]:
    """Stems and fold; the same passage is looked at for each section of a question."""
    return stems((text,)), fold(text)


def holds(text: str, concept: Concept) -> bool:
    """Whether a text names a concept by one of its wordings."""
    return is_held(*read(text), concept)


def is_held(found: frozenset[str], folded: str, concept: Concept) -> bool:
    """Whether a text of these stems and this fold (``read``) names a concept."""
    for phrase in concept.phrases:
        wanted = content_words(phrase)
        if concept.exact or not wanted:
            if phrase in folded and re.search(
                rf"(?<!\w)(?<!non )(?<!sans ){re.escape(phrase)}(?!\w)", folded
            ):
                return True
        elif all(holds_word(found, w) for w in wanted):
            return True
    return not concept.classes.isdisjoint(classes_in(folded)) if concept.classes else False


def is_by_class_alone(found: frozenset[str], folded: str, concept: Concept) -> bool:
    """Whether a text names a concept by a member of its class alone: « amoxicilline » of
    « antibiotique ».
    """
    return bool(concept.classes) and not is_held(
        found, folded, replace(concept, classes=frozenset())
    )


def starts_a_word(body: str, cue: str) -> bool:
    """Whether a folded cue begins a word of a folded text."""
    at = body.find(cue)
    while at >= 0:
        end = at + len(cue)
        # A short cue (« mg ») must be the whole word: « an » is not « angine ».
        whole = len(cue) > _SHORT_CUE or end == len(body) or not body[end].isalnum()
        # « contre-indiqué » is not « indiqué ».
        if whole and (at == 0 or not (body[at - 1].isalnum() or body[at - 1] == "-")):
            return True
        at = body.find(cue, at + 1)
    return False


def without_subject(heading: str, subject: Subject) -> str:
    """A folded heading without the words that name the subject.

    « Hémorragies du post-partum immédiat » is no heading over what is done at once.
    """
    phrases = (p for c in subject.concepts for p in c.phrases)
    return _without(heading, tuple(w for p in phrases for w in content_words(p)))


@lru_cache(maxsize=_CACHED_HEADINGS)
def _without(heading: str, named: tuple[str, ...]) -> str:
    return " ".join(
        w for w in heading.split() if not any(holds_word(stems((w,)), n) for n in named)
    )
