"""Steps of another emergency than the one asked: a fever is no febrile seizure."""

from __future__ import annotations

from dataclasses import replace

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.domain.spans import DraftAssertion
from ancremed_desktop.pipeline.about import FIRST_STEPS
from ancremed_desktop.pipeline.drafts import Draft

_CARE = FIRST_STEPS | {"posologie", "antidote"}


def without_steps_of_another_card(draft: Draft) -> Draft:
    """A draft on an emergency less what the card of another one does about it, where its own card
    says what to do; a section left without a sentence is not shown.
    """
    subject = draft.plan.subject
    own = {i for c in subject.concepts for i in c.identifiers}
    passages = {h.passage.urn: h.passage for s in draft.evidence.sections for h in s.hits}
    said = [s for s in draft.spans if isinstance(s, DraftAssertion)]
    led = any(passages[s.source_urn].source_identifier in own and s.section in _CARE for s in said)
    if not (subject.vital and led):
        return draft
    others = [s for s in said if s.section in _CARE and _is_of_another(passages[s.source_urn], own)]
    if not others:
        return draft
    kept = tuple(s for s in draft.spans if s not in others)
    left = {s.section for s in kept if isinstance(s, DraftAssertion)}
    emptied = {s.section for s in others} - left
    return replace(
        draft,
        plan=replace(
            draft.plan, sections=tuple(s for s in draft.plan.sections if s not in emptied)
        ),
        spans=tuple(s for s in kept if s.section not in emptied),
    )


def _is_of_another(passage: Passage, own: set[str]) -> bool:
    """Whether a passage is of the card of an emergency, or of a disease, that is not asked."""
    is_card = passage.silo is Silo.FICHES and not passage.source_identifier.isdecimal()
    return is_card and passage.section in _CARE and passage.source_identifier not in own
