"""The text that would leave the machine: masked, and as it is shown to the user."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ancremed_desktop.domain.models import Message, Role

Redact = Callable[[Sequence[str]], tuple[str, ...]]
"""Masks what identifies a person in texts sent together; gives as many texts back."""

_SPEAKER = {Role.SYSTEM: "Consigne", Role.USER: "Demande", Role.ASSISTANT: "Réponse précédente"}


def masked(messages: Sequence[Message], redact: Redact) -> tuple[Message, ...]:
    """The messages as they are sent."""
    texts = redact(tuple(message.content for message in messages))
    return tuple(replace(m, content=t) for m, t in zip(messages, texts, strict=True))


def as_shown(messages: Sequence[Message]) -> str:
    """Messages word for word, each under a line that says whose it is."""
    return "\n\n".join(f"[{_SPEAKER[m.role]}]\n{m.content}" for m in messages)
