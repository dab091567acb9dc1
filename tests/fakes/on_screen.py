"""What an answer shows, as tests compare it."""

from __future__ import annotations

from ancremed_desktop.domain.answers import Answer
from ancremed_desktop.domain.spans import VerifiedAssertion
from ancremed_desktop.text.normalise import fold


def shown_by(answer: Answer) -> list[tuple[str, str]]:
    """(section, folded quote), in the order of the screen."""
    spans = [s.anchored for s in answer.spans if isinstance(s, VerifiedAssertion)]
    return [(a.draft.section, fold(a.quote)) for a in spans]


def quotes_of(answer: Answer) -> list[str]:
    """Quotes on one line each, in the order of the screen."""
    spans = (s.anchored for s in answer.spans if isinstance(s, VerifiedAssertion))
    return [" ".join(a.quote.split()) for a in spans]
