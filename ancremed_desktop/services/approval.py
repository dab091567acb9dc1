"""What stands between a question and an online model: each text is shown and agreed to first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.models import (
    Completion,
    CompletionRequest,
    Message,
    TextCallback,
    Usage,
    ignore_text,
)
from ancremed_desktop.errors import Cancelled, ModelError, ModelRefusedError
from ancremed_desktop.ports import LanguageModel
from ancremed_desktop.providers.base import WrappedModel
from ancremed_desktop.services.network import NetworkMeter

NOT_SENT = "Le reste n’est pas parti, à votre demande."
NOTHING_SENT = "Rien n’a été envoyé à Gemini, à votre demande."


class Approval(StrEnum):
    """What the user answers: this text; all of this question; all until the end; nothing."""

    ONCE = "once"
    QUESTION = "question"
    SESSION = "session"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """A text about to leave, word for word, masked. ``number``: of this question, from 1."""

    text: str
    number: int


Approve = Callable[[Outgoing], Approval]
"""Asks the user. Raises: Cancelled, when the question is stopped instead."""


class Session(Protocol):
    """What outlives a question."""

    show_each: bool
    meter: NetworkMeter


class ApprovedModel(WrappedModel):
    """An online ``LanguageModel`` for one question; the time the user reads counts for no limit."""

    def __init__(
        self,
        open_model: Callable[[Callable[[str], None]], LanguageModel],
        as_sent: Callable[[Sequence[Message]], str],
        approve: Approve,
        session: Session,
        cost_usd: Callable[[Usage], float],
    ) -> None:
        """``open_model`` is given what to call as a text leaves; ``as_sent``: messages as text."""
        super().__init__(open_model(self._leaving))
        self._as_sent = as_sent
        self._approve = approve
        self._session = session
        self._cost_usd = cost_usd
        self._agreed: Approval | None = None
        self._shown = 0
        self._sent = 0
        self._left = ""

    def complete(
        self,
        request: CompletionRequest,
        *,
        cancel: CancelToken,
        on_text: TextCallback = ignore_text,
    ) -> Completion:
        """See ``LanguageModel.complete``; its errors say what had left when they came.

        Raises: ModelRefusedError, when the user does not want it sent.
        """
        self._ask(request.messages)
        self._left = ""
        try:
            return super().complete(request, cancel=cancel, on_text=on_text)
        except (ModelError, Cancelled) as error:
            error.sent = self._left
            if self._left:
                # Too high at times: what failed is often not billed.
                read = Usage(prompt_tokens=self.count_tokens(self._left), completion_tokens=0)
                error.cost_usd = self._cost_usd(read)
            raise

    def _ask(self, messages: Sequence[Message]) -> None:
        if self._agreed is Approval.REFUSED:
            raise self._refusal()
        if self._agreed is Approval.QUESTION or not self._session.show_each:
            return
        self._shown += 1
        self._agreed = self._approve(Outgoing(text=self._as_sent(messages), number=self._shown))
        if self._agreed is Approval.SESSION:
            self._session.show_each = False
        if self._agreed is Approval.REFUSED:
            raise self._refusal()

    def _refusal(self) -> ModelRefusedError:
        return ModelRefusedError(NOT_SENT if self._sent else NOTHING_SENT)

    def _leaving(self, text: str) -> None:
        self._left = text
        self._sent += 1
        if self._sent == 1:
            self._session.meter.question_sent()
