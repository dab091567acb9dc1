"""What the user gets: typed spans that passed, abstentions, refusals, sources, timings."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ancremed_desktop.domain.documents import Source
from ancremed_desktop.domain.evidence import IndexIdentity, Round
from ancremed_desktop.domain.formulas import CalculationRequest
from ancremed_desktop.domain.plans import Question, RetrievalPlan
from ancremed_desktop.domain.spans import Abstention, DroppedSpan, Narrative, VerifiedAssertion


class AnswerStatus(StrEnum):
    """``answer``: at least one verified span or calculation; ``abstention``: nothing found in the
    corpus for a medical question; ``conversation``: short circuit; ``refused``: off corpus.
    """

    ANSWER = "answer"
    ABSTENTION = "abstention"
    CONVERSATION = "conversation"
    REFUSED = "refused"


AnswerSpan = Narrative | VerifiedAssertion | Abstention


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A composed answer. ``timings_ms``: (stage, milliseconds) in order of execution.

    ``message``: French, for conversation and refused (fixed templates, no clinical content).
    ``warning``: French, what the reader must know of the index (altered passages left out).
    """

    status: AnswerStatus
    question: Question
    plan: RetrievalPlan
    spans: tuple[AnswerSpan, ...]
    dropped: tuple[DroppedSpan, ...]
    sources: tuple[Source, ...]
    calculations: tuple[CalculationRequest, ...]
    rounds: tuple[Round, ...]
    timings_ms: tuple[tuple[str, float], ...]
    index: IndexIdentity | None
    message: str = ""
    stop_reason: str = ""
    warning: str = ""

    def __post_init__(self) -> None:
        """Raises: TypeError, when a span is not one that may be shown (fails closed)."""
        for span in self.spans:
            if type(span) not in (Narrative, VerifiedAssertion, Abstention):
                raise TypeError(f"{type(span).__name__} may not be shown in an answer")
