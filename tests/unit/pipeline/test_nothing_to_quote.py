"""What is said of sections that quote nothing: once, and what happened."""

from __future__ import annotations

import pytest
from fakes.gate_drafts import DRAFT, PASSAGE

from ancremed_desktop.domain.answers import AnswerSpan, AnswerStatus
from ancremed_desktop.domain.evidence import Evidence
from ancremed_desktop.domain.identifiers import TopicClass
from ancremed_desktop.domain.plans import PlanMode, RetrievalPlan, Subject
from ancremed_desktop.domain.spans import (
    Abstention,
    AnchoredAssertion,
    DroppedSpan,
    DropReason,
    Narrative,
    VerifiedAssertion,
)
from ancremed_desktop.pipeline.compose import compose
from ancremed_desktop.pipeline.nothing_new import NOT_FOUND, SAID_ABOVE
from ancremed_desktop.pipeline.said_once import said_once
from ancremed_desktop.services.answer_blocks import blocks

EVIDENCE = Evidence(sections=(), rounds=(), stop_reason="fini")


def plan(*sections: str) -> RetrievalPlan:
    return RetrievalPlan(
        primary_class=TopicClass.PHARMACOLOGY,
        mode=PlanMode.TARGETED,
        sections=sections,
        subject=Subject(label="ficticine", words=(), concepts=()),
        sub_queries=(),
        silos=(),
    )


def quote(section: str) -> VerifiedAssertion:
    draft = DRAFT.__class__(
        section=section,
        text=DRAFT.text,
        exact_source_quote=DRAFT.exact_source_quote,
        source_urn=DRAFT.source_urn,
        subject_entity_id=DRAFT.subject_entity_id,
        confidence_score=DRAFT.confidence_score,
    )
    anchored = AnchoredAssertion(draft=draft, passage=PASSAGE, char_start=0, char_end=32)
    return VerifiedAssertion(anchored=anchored, verifier="faux", verbatim=True)


def dropped(section: str, reason: DropReason) -> DroppedSpan:
    return DroppedSpan(span_text="x", section=section, stage="context", reason=reason, detail="")


@pytest.mark.parametrize(
    ("reasons", "said"),
    [
        ((), NOT_FOUND),
        ((DropReason.FALSE_ABSTENTION,), "un autre passage trouvé parle de ce cas"),
        ((DropReason.QUANTITY,), "n’ont pas passé le contrôle d’attribution"),
        ((DropReason.FALSE_ABSTENTION, DropReason.QUANTITY), "n’ont pas passé le contrôle"),
    ],
)
def test_an_empty_section_says_what_happened(reasons: tuple[DropReason, ...], said: str) -> None:
    refused = [dropped("indication", reason) for reason in reasons]
    status, spans = compose(plan("indication"), EVIDENCE, (), refused)
    assert status is AnswerStatus.ABSTENTION
    (span,) = spans
    assert isinstance(span, Abstention)
    assert said in span.reason


def test_words_that_introduced_what_was_refused_go_with_it() -> None:
    before: list[AnswerSpan] = [Narrative(text="Ce qui suit vient d’annales.", section="réponse")]
    refused = [dropped("réponse", DropReason.UNSURE)]
    _status, spans = compose(plan("réponse"), EVIDENCE, before, refused)
    assert [type(span) for span in spans] == [Abstention]
    _status, spans = compose(plan("réponse"), EVIDENCE, [*before, quote("réponse")], refused)
    assert [type(span) for span in spans] == [Narrative, VerifiedAssertion]


LACKS = "Aucun extrait de cette section ne parle de : grossesse."


def lacking(*sections: str) -> list[AnswerSpan]:
    return [Narrative(text=LACKS, section=section) for section in sections]


def test_what_every_section_lacks_is_said_once() -> None:
    quotes = [quote("indication"), quote("posologie")]
    kept, said = said_once([*lacking("indication", "posologie"), *quotes])
    assert said == "Aucun extrait ne parle de : grossesse."
    assert kept == tuple(quotes)


@pytest.mark.parametrize(
    ("lack", "quoting"),
    [
        (("posologie",), ("indication", "posologie")),
        (("posologie",), ("posologie",)),
        (("indication", "posologie"), ("indication", "posologie", "surveillance")),
    ],
)
def test_what_some_sections_lack_stays_with_them(
    lack: tuple[str, ...], quoting: tuple[str, ...]
) -> None:
    spans = [*lacking(*lack), *map(quote, quoting)]
    assert said_once(spans) == (tuple(spans), "")


def test_sections_quoted_above_are_named_together_after_what_was_found() -> None:
    spans: list[AnswerSpan] = [
        Narrative(text=SAID_ABOVE, section="indication"),
        quote("traitement"),
        Narrative(text=SAID_ABOVE, section="posologie"),
        Abstention(section="surveillance", reason=NOT_FOUND),
    ]
    assert [(b.sections, b.reason) for b in blocks(spans)] == [
        (("traitement",), ""),
        (("indication", "posologie"), SAID_ABOVE),
        (("surveillance",), NOT_FOUND),
    ]
