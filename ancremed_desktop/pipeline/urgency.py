"""Whether a question is of what happens now, or of a drug in a disease that is only « sévère »."""

from __future__ import annotations

from ancremed_desktop.domain.identifiers import TopicClass
from ancremed_desktop.domain.plans import Subject
from ancremed_desktop.pipeline.bearing import names_drug

_NAMED_DRUG = 2
"""Score of a class by a drug that is named."""
_MEASURED = 2
"""Score of a calculation from which more than a measure speaks for it."""
_OF_A_PATIENT = 1
"""Score of a class up to which it is only hinted at by whom the question is about."""


def as_a_drug(
    scores: dict[TopicClass, int], subject: Subject, *, first_steps: bool
) -> dict[TopicClass, int]:
    """Scores where a drug is asked in what is no emergency: « acné sévère isotrétinoïne » is one
    by a word alone.
    """
    hinted = 0 < scores[TopicClass.EMERGENCY] <= _OF_A_PATIENT
    if first_steps or not (hinted and names_drug(subject)):
        return scores
    return {
        **scores,
        TopicClass.EMERGENCY: 0,
        TopicClass.PHARMACOLOGY: max(_NAMED_DRUG, scores[TopicClass.PHARMACOLOGY]),
    }


def is_urgent(
    primary: TopicClass, scores: dict[TopicClass, int], *, told: bool, first_steps: bool
) -> bool:
    """Whether a question is of what happens now: told without a word of any class; an emergency
    named with no more than a patient (« enceinte ») or a value that is no formula’s.
    """
    measured = primary is TopicClass.CALCULATION and scores[primary] <= _MEASURED
    named_alone = max(scores.values(), default=0) <= _OF_A_PATIENT
    return (told and not any(scores.values())) or (first_steps and (measured or named_alone))
