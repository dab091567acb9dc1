"""An answer arranged for reading: sections in order, abstentions of one reason together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ancremed_desktop.domain.answers import Answer, AnswerSpan
from ancremed_desktop.domain.spans import Abstention, VerifiedAssertion
from ancremed_desktop.services.export import section_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One section with its spans, or several sections that abstain for the same ``reason``."""

    sections: tuple[str, ...]
    spans: tuple[AnswerSpan, ...] = ()
    reason: str = ""


def blocks(spans: Sequence[AnswerSpan]) -> tuple[Block, ...]:
    """Spans by section, in the order sections first occur: what was found, then what was not.

    Sections that only abstain stand together when they do so for the same reason.
    """
    by_section: dict[str, list[AnswerSpan]] = {}
    for span in spans:
        by_section.setdefault(section_of(span), []).append(span)
    absent: dict[str, list[str]] = {}
    for section, own in by_section.items():
        if all(isinstance(span, Abstention) for span in own):
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


def _reason(own: Sequence[AnswerSpan]) -> str:
    reasons = [span.reason for span in own if isinstance(span, Abstention)]
    return "\n".join(dict.fromkeys(reasons))
