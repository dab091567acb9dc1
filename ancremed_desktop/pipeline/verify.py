"""Second look: an independent verifier sees each anchored assertion; only « supported » passes."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Sequence

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.spans import (
    Abstention,
    AnchoredAssertion,
    DroppedSpan,
    DropReason,
    Judgement,
    Narrative,
    Verdict,
    VerifiedAssertion,
)
from ancremed_desktop.errors import Cancelled
from ancremed_desktop.ports import Verifier, VerifierView
from ancremed_desktop.text.normalise import nfc

AnchoredSpan = AnchoredAssertion | Narrative | Abstention
VerifiedSpan = VerifiedAssertion | Narrative | Abstention
_STOP_CHECK_S = 0.2
"""How often a stop of the user is looked for while a verifier works."""


class _Deadline(CancelToken):
    """The caller's token, which also reads as cancelled once the time allowed is over."""

    def __init__(self, parent: CancelToken, seconds: float) -> None:
        super().__init__()
        self._parent = parent
        self._end = time.monotonic() + seconds

    @property
    def cancelled(self) -> bool:
        return self._parent.cancelled or self.expired

    @property
    def expired(self) -> bool:
        return time.monotonic() > self._end

    @property
    def remaining_s(self) -> float:
        return max(0.0, self._end - time.monotonic())

    def raise_if_cancelled(self) -> None:
        if self.cancelled:
            raise Cancelled("Vérification interrompue.")


class _Worker:
    """One daemon thread that asks a verifier, in turn, about all assertions of an answer.

    A verifier that ignores its token and never returns is left behind with its thread: it holds
    neither the answer nor the program's end, and the next assertion gets a thread of its own.
    """

    def __init__(self, verifier: Verifier) -> None:
        self._verifier = verifier
        self._asked: queue.SimpleQueue[tuple[VerifierView, _Deadline] | None] | None = None
        self._said: queue.SimpleQueue[object] = queue.SimpleQueue()

    def answer(self, view: VerifierView, deadline: _Deadline, cancel: CancelToken) -> object:
        """What the verifier says, the exception it raises, ``TimeoutError`` if it is late.

        Raises:
            Cancelled: the user stopped.

        """
        if self._asked is None:
            self._asked, self._said = queue.SimpleQueue(), queue.SimpleQueue()
            threading.Thread(
                target=self._work, args=(self._asked, self._said), name="verifier", daemon=True
            ).start()
        self._asked.put((view, deadline))
        while True:
            try:
                return self._said.get(timeout=min(_STOP_CHECK_S, max(deadline.remaining_s, 0.001)))
            except queue.Empty:
                if cancel.cancelled or deadline.expired:
                    self.leave()
                cancel.raise_if_cancelled()
                if deadline.expired:
                    return TimeoutError()

    def leave(self) -> None:
        """Let the thread end once its present work, if any, is done."""
        if self._asked is not None:
            self._asked.put(None)
            self._asked = None

    def _work(
        self,
        asked: queue.SimpleQueue[tuple[VerifierView, _Deadline] | None],
        said: queue.SimpleQueue[object],
    ) -> None:
        while (work := asked.get()) is not None:
            try:
                said.put(self._verifier.judge(*work))
            except BaseException as error:
                said.put(error)  # handed to the caller, who refuses


def verify(
    spans: Sequence[AnchoredSpan],
    verifier: Verifier,
    *,
    cancel: CancelToken,
    paraphrase_allowed: bool,
    timeout_s: float,
) -> tuple[tuple[VerifiedSpan, ...], tuple[DroppedSpan, ...]]:
    """Keep the assertions the verifier supports, in order; narrative and abstentions go through.

    With ``paraphrase_allowed`` false an assertion must be its stored sentences, word for word.
    ``timeout_s``: seconds for one assertion. A fault, a late or unreadable verdict and « unsure »
    are refusals (DESIGN §7).

    Raises:
        Cancelled: the user stopped.

    """
    worker = _Worker(verifier)
    try:
        return _verified(spans, worker, verifier.name, cancel, paraphrase_allowed, timeout_s)
    finally:
        worker.leave()


def _verified(
    spans: Sequence[AnchoredSpan],
    worker: _Worker,
    name: str,
    cancel: CancelToken,
    paraphrase_allowed: bool,
    timeout_s: float,
) -> tuple[tuple[VerifiedSpan, ...], tuple[DroppedSpan, ...]]:
    kept: list[VerifiedSpan] = []
    dropped: list[DroppedSpan] = []
    for span in spans:
        cancel.raise_if_cancelled()
        if not isinstance(span, AnchoredAssertion):
            kept.append(span)
            continue
        # Sources hold decomposed accents too, as texts of some systems do.
        verbatim = nfc(span.draft.text).strip() == nfc(span.quote).strip()
        if verbatim or paraphrase_allowed:
            judgement = _judge(span, worker, cancel, timeout_s)
        else:
            judgement = Judgement(
                verdict=Verdict.NOT_SUPPORTED,
                reason=DropReason.UNSURE,
                detail="Seules les phrases exactes de la source sont affichées "
                "tant qu’aucun vérificateur de paraphrases n’est qualifié.",
            )
        if judgement.verdict is Verdict.SUPPORTED:
            kept.append(VerifiedAssertion(anchored=span, verifier=name, verbatim=verbatim))
        else:
            dropped.append(_dropped(span, judgement))
    return tuple(kept), tuple(dropped)


def verifier_view(anchored: AnchoredAssertion) -> VerifierView:
    """What a verifier may see of an assertion: it and the database's words, nothing else."""
    passage = anchored.passage
    return VerifierView(
        assertion=anchored.draft.text,
        subject=anchored.draft.subject_entity_id,
        section=anchored.draft.section,
        sentences=anchored.quote,
        passage=passage.text,
        passage_section=passage.section,
        heading=passage.heading,
        title=passage.origin_title,
    )


def _judge(
    span: AnchoredAssertion, worker: _Worker, cancel: CancelToken, timeout_s: float
) -> Judgement:
    deadline = _Deadline(cancel, timeout_s)
    judgement = worker.answer(verifier_view(span), deadline, cancel)
    if isinstance(judgement, BaseException):
        cancel.raise_if_cancelled()
    if deadline.expired:
        return _fault("le vérificateur a dépassé le temps accordé")
    if isinstance(judgement, BaseException):
        return _fault(f"le vérificateur a échoué ({type(judgement).__name__})")
    if type(judgement) is not Judgement or type(judgement.verdict) is not Verdict:
        return _fault("le verdict est illisible")
    return judgement


def _fault(what: str) -> Judgement:
    return Judgement(
        verdict=Verdict.UNSURE,
        reason=DropReason.VERIFIER_FAULT,
        detail=f"Affirmation retirée : {what}.",
    )


def _dropped(span: AnchoredAssertion, judgement: Judgement) -> DroppedSpan:
    return DroppedSpan(
        span_text=span.draft.text,
        section=span.draft.section,
        stage="verifier",
        reason=judgement.reason or DropReason.UNSURE,
        detail=judgement.detail or "Le vérificateur n’a pas pu conclure.",
        source_urn=span.passage.urn,
        nearest=span.quote,
        differing=judgement.differing,
    )
