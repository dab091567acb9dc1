"""A draft held once more against whom and what a question is about, before it is attributed."""

from __future__ import annotations

from ancremed_desktop.domain.plans import Question
from ancremed_desktop.pipeline.allergy import for_the_allergic
from ancremed_desktop.pipeline.drafts import Draft
from ancremed_desktop.pipeline.named_doses import with_doses_of_the_named
from ancremed_desktop.pipeline.other_card import without_steps_of_another_card
from ancremed_desktop.pipeline.other_disease import without_doses_of_another
from ancremed_desktop.pipeline.patients import with_the_forbidden_apart
from ancremed_desktop.ports import PassageIndex


def rechecked(draft: Draft, question: Question, index: PassageIndex) -> Draft:
    """A draft less the doses of another disease or patient, with those of what it names."""
    draft = without_steps_of_another_card(without_doses_of_another(draft, index))
    draft = with_doses_of_the_named(draft, question, index)
    return for_the_allergic(with_the_forbidden_apart(draft, question, index), index)
