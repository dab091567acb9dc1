"""The pieces of an answer and what was refused.

    DraftAssertion ──gate──▶ AnchoredAssertion ──verifier──▶ VerifiedAssertion ──▶ Answer

``AnchoredAssertion`` is constructed in ``pipeline.attribute`` alone, ``VerifiedAssertion`` in
``pipeline.verify`` alone (tests/architecture pins both), and ``Answer`` accepts no other
assertion. Offsets are half-open, on the NFC text of the stored passage.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ancremed_desktop.domain.documents import Passage


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrative:
    """Connecting text without number, dose, duration, named guideline or contraindication."""

    text: str
    section: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Abstention:
    """A required section the corpus does not hold, and why (French)."""

    section: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftAssertion:
    """A clinical statement as a generator proposes it; nothing in it is trusted."""

    section: str
    text: str
    exact_source_quote: str
    source_urn: str
    subject_entity_id: str
    confidence_score: float


DraftSpan = Narrative | DraftAssertion | Abstention


@dataclass(frozen=True, slots=True, kw_only=True)
class AnchoredAssertion:
    """A draft whose quote stands in ``passage``: ``passage.text[char_start:char_end]``.

    The range covers whole sentences of the passage, never the model's copy of them.
    """

    draft: DraftAssertion
    passage: Passage
    char_start: int
    char_end: int

    @property
    def quote(self) -> str:
        """The stored text itself."""
        return self.passage.text[self.char_start : self.char_end]


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedAssertion:
    """An anchored assertion that the verifier supports. ``verbatim``: text is the quote."""

    anchored: AnchoredAssertion
    verifier: str
    verbatim: bool


class DropReason(StrEnum):
    """Why a span was refused; each belongs to one stage and one counter of the query log."""

    SCHEMA = "schema"
    NARRATIVE_LEAK = "narrative_leak"
    URN_NOT_RETRIEVED = "urn_not_retrieved"
    SUPERSEDED = "superseded"
    NOT_QUOTABLE = "not_quotable"
    QUOTE_NOT_FOUND = "quote_not_found"
    QUOTE_TRIVIAL = "quote_trivial"
    FALSE_ABSTENTION = "false_abstention"
    QUANTITY = "quantity"
    ENTITY = "entity"
    CONFIDENCE = "confidence"
    UNSAFE_TEXT = "unsafe_text"
    POLARITY = "polarity"
    MODALITY = "modality"
    SUBGROUP = "subgroup"
    ROUTE = "route"
    CONDITION = "condition"
    LOGIC = "logic"
    ORDER = "order"
    BINDING = "binding"
    ADDED_FACT = "added_fact"
    UNSURE = "unsure"
    VERIFIER_FAULT = "verifier_fault"


@dataclass(frozen=True, slots=True, kw_only=True)
class DroppedSpan:
    """A refused span with what « Pourquoi bloqué » shows.

    ``stage``: schema, narrative, context, inclusion, quantities, entity, confidence or verifier.
    ``nearest``: nearest source sentence; ``differing``: (start, end) ranges of ``span_text``
    that have no counterpart in it. ``detail`` is French.
    """

    span_text: str
    section: str
    stage: str
    reason: DropReason
    detail: str
    source_urn: str = ""
    nearest: str = ""
    differing: tuple[tuple[int, int], ...] = ()


class Verdict(StrEnum):
    """What a verifier says; only the first lets an assertion through."""

    SUPPORTED = "supported"
    NOT_SUPPORTED = "not_supported"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A verifier's verdict on one assertion, with its reason when it is not supported."""

    verdict: Verdict
    reason: DropReason | None = None
    detail: str = ""
    differing: tuple[tuple[int, int], ...] = ()
