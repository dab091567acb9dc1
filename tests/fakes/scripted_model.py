"""A language model that says what a test tells it to, under the schema it is given."""

from __future__ import annotations

import json
from collections.abc import Callable

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.models import CompletionRequest, Role, Usage
from ancremed_desktop.providers.base import BaseModel, Pieces, ReplyEnd, Watch

Said = object | Exception | Callable[[CompletionRequest], object]


class Scripted(BaseModel):
    """Replies of each role (first line of its prompt), in order; the last one is repeated."""

    name, identity, context_tokens = "essai:scripté", "scripté-1", 100_000
    local, sends_data = True, False

    def __init__(self, **replies: list[Said]) -> None:
        self._replies = replies
        self.requests: list[tuple[str, CompletionRequest]] = []

    def asked(self, role: str) -> list[CompletionRequest]:
        return [request for name, request in self.requests if name == role]

    def pieces(self, request: CompletionRequest, watch: Watch) -> Pieces:
        role = role_of(next(m.content for m in request.messages if m.role is Role.SYSTEM))
        self.requests.append((role, request))
        replies = self._replies[role]
        said = replies[min(len(self.asked(role)), len(replies)) - 1]
        if callable(said) and not isinstance(said, Exception):
            said = said(request)
        if isinstance(said, Exception):
            raise said
        yield json.dumps(said, ensure_ascii=False)
        return ReplyEnd(usage=Usage(prompt_tokens=1, completion_tokens=1), cost_usd=0.25)

    def count_tokens(self, text: str, *, cancel: CancelToken | None = None) -> int:
        return len(text) // 4


_OPENINGS = {
    "Tu classes": "planner",
    "Tu proposes": "gap",
    "Tu choisis": "select",
    "Tu rédiges": "write",
    "Tu contrôles": "verify",
}


def role_of(system: str) -> str:
    """Role whose prompt has these instructions."""
    return next(role for opening, role in _OPENINGS.items() if system.startswith(opening))
