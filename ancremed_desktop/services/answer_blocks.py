"""An answer arranged for reading: sections in order, abstentions of one reason together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ancremed_desktop.domain.answers import Answer, AnswerSpan
from ancremed_desktop.domain.spans import Abstention, Narrative, VerifiedAssertion
from ancremed_desktop.pipeline.nothing_new import SAID_ABOVE


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One section with its spans, or several sections with nothing to quote for one ``reason``."""

    sections: tuple[str, ...]
    spans: tuple[AnswerSpan, ...] = ()
    reason: str = ""


def blocks(spans: Sequence[AnswerSpan]) -> tuple[Block, ...]:
    """Spans by section, in the order sections first occur: what was found, then what was not.

    Sections that only abstain, or only say that all is quoted above, stand together when they do so
    for the same reason.
    """
    by_section: dict[str, list[AnswerSpan]] = {}
    for span in spans:
        by_section.setdefault(section_of(span), []).append(span)
    absent: dict[str, list[str]] = {}
    for section, own in by_section.items():
        if all(map(_silence, own)):
            absent.setdefault(_reason(own), []).append(section)
    apart = {section for sections in absent.values() for section in sections}
    found = [
        Block(sections=(section,), spans=tuple(own))
        for section, own in by_section.items()
        if section not in apart
    ]
    missing = [Block(sections=tuple(names), reason=reason) for reason, names in absent.items()]
    return (*found, *missing)


def quotes(answer: Answer) -> tuple[VerifiedAssertion, ...]:
    """The verified spans, in order."""
    return tuple(span for span in answer.spans if isinstance(span, VerifiedAssertion))


def section_of(span: AnswerSpan) -> str:
    """The section a span is shown under."""
    return span.anchored.draft.section if isinstance(span, VerifiedAssertion) else span.section


def _reason(own: Sequence[AnswerSpan]) -> str:
    return "\n".join(dict.fromkeys(map(_silence, own)))


def _silence(span: AnswerSpan) -> str:
    """Why nothing is quoted; empty for a span that says something else."""
    if isinstance(span, Abstention):
        return span.reason
    return span.text if isinstance(span, Narrative) and span.text == SAID_ABOVE else ""
