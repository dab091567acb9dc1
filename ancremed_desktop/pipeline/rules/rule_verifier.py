"""The verifier that needs no model: every check that aligns an assertion with its source."""

from __future__ import annotations

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.spans import DropReason, Judgement, Verdict
from ancremed_desktop.ports import VerifierView
from ancremed_desktop.text.matching import tokenise


class RuleVerifier:
    """Aligns an assertion with the stored sentences (DESIGN §7)."""

    name = "règles"

    def judge(self, view: VerifierView, cancel: CancelToken) -> Judgement:
        """Verdict on one assertion.

        Raises:
            Cancelled: the user stopped, or the time allowed is over.

        """
        cancel.raise_if_cancelled()
        if _same_words(view.assertion, view.sentences):
            return Judgement(verdict=Verdict.SUPPORTED)
        return Judgement(verdict=Verdict.UNSURE, reason=DropReason.UNSURE)


def _same_words(assertion: str, sentences: str) -> bool:
    left = tuple((t.kind, t.key) for t in tokenise(assertion))
    return left == tuple((t.kind, t.key) for t in tokenise(sentences))
