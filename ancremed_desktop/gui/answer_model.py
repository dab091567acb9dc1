"""An answer arranged for reading: sections in order, abstentions of one reason together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ancremed_desktop.domain.answers import Answer, AnswerSpan
from ancremed_desktop.domain.spans import Abstention, VerifiedAssertion


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One section with its spans, or several sections that abstain for the same ``reason``."""

    sections: tuple[str, ...]
    spans: tuple[AnswerSpan, ...] = ()
    reason: str = ""


def section_of(span: AnswerSpan) -> str:
    """Section a span is shown under."""
    return span.anchored.draft.section if isinstance(span, VerifiedAssertion) else span.section


def blocks(spans: Sequence[AnswerSpan]) -> tuple[Block, ...]:
    """Spans by section, in the order sections first occur.

    A section that only abstains joins the other sections that abstain for the same reason, at
    the place of the first of them.
    """
    by_section: dict[str, list[AnswerSpan]] = {}
    for span in spans:
        by_section.setdefault(section_of(span), []).append(span)
    absent: dict[str, list[str]] = {}
    for section, own in by_section.items():
        if all(isinstance(span, Abstention) for span in own):
            absent.setdefault(_reason(own), []).append(section)
    result: list[Block] = []
    for section, own in by_section.items():
        reason = _reason(own)
        if section not in absent.get(reason, ()):
            result.append(Block(sections=(section,), spans=tuple(own)))
        elif absent[reason][0] == section:
            result.append(Block(sections=tuple(absent[reason]), reason=reason))
    return tuple(result)


def quotes(answer: Answer) -> tuple[VerifiedAssertion, ...]:
    """The verified spans, in order."""
    return tuple(span for span in answer.spans if isinstance(span, VerifiedAssertion))


def _reason(own: Sequence[AnswerSpan]) -> str:
    reasons = [span.reason for span in own if isinstance(span, Abstention)]
    return "\n".join(dict.fromkeys(reasons))
