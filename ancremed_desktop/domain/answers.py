"""What the user gets: typed spans that passed, abstentions, refusals, sources, timings."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ancremed_desktop.domain.documents import Passage, Source
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
class PartialList:
    """A list of a source of which the answer shows ``shown`` items of ``total`` (≥ 1, <).

    ``span``: position in ``Answer.spans`` of the last span that shows some; ``unit`` is French.
    """

    span: int
    shown: int
    total: int
    unit: str

    @property
    def label(self) -> str:
        """« 5 éléments sur 7 »."""
        unit = self.unit if self.shown > 1 else _ONE[self.unit]
        return f"{self.shown}\u00a0{unit} sur {self.total}"


_ONE = {"éléments": "élément", "lignes du tableau": "ligne du tableau"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelUse:
    """One call of a language model made for an answer.

    ``role``: name of its prompt (planner, gap, select, write, verify). ``prompt``, ``identity``:
    which words and which model exactly. ``outcome``: ok, too_long (not asked), late, invalid,
    refused, unavailable, cancelled or fault. ``problem``: why it gave nothing, French, empty when
    it did. ``sent``: what left the machine, word for word, whatever came back; empty when nothing
    did.
    """

    role: str
    prompt: str
    model: str
    identity: str
    outcome: str
    elapsed_ms: float
    cost_usd: float = 0.0
    sent: str = ""
    problem: str = ""


MODELS_STAGE = "Modèles"
"""Name in ``Answer.timings_ms`` of the time models took, after the stages of the rules."""


class ModelWay(StrEnum):
    """What a model did to a section: ``plan``: found more for it; ``select``: chose and ordered
    the source's sentences; ``order``: ordered them; ``introduce``: put words of its own between
    them; ``write``: reworded them.
    """

    PLAN = "plan"
    SELECT = "select"
    ORDER = "order"
    INTRODUCE = "introduce"
    WRITE = "write"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSection:
    """A section that is not shown as rules alone made it. ``model``: its name."""

    section: str
    way: ModelWay
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A composed answer. ``timings_ms``: (stage, milliseconds) in order of execution.

    ``message``: French, for conversation and refused (fixed templates, no clinical content).
    ``warning``: French, what the reader must know of the index (altered passages left out).
    ``models``: calls of language models made for it; ``model_sections``: sections shown as a
    model found, chose or wrote them, in order. ``near``: passages to read where nothing was found
    to answer; they are named, never quoted.
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
    partial: tuple[PartialList, ...] = ()
    near: tuple[Passage, ...] = ()
    models: tuple[ModelUse, ...] = ()
    model_sections: tuple[ModelSection, ...] = ()

    def parts_after(self, position: int) -> tuple[str, ...]:
        """What to say after a span of the lists that it is the last to show a part of."""
        return tuple(p.label for p in self.partial if p.span == position)

    def __post_init__(self) -> None:
        """Raises: TypeError, when a span is not one that may be shown (fails closed)."""
        for span in self.spans:
            if type(span) not in (Narrative, VerifiedAssertion, Abstention):
                raise TypeError(f"{type(span).__name__} may not be shown in an answer")
