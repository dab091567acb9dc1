"""Chat formats by family of models, written here: the template inside a file is never used.

A format is a list of parts. Marks are read as the model's control tokens; contents never are, so
that a passage that holds « <|im_end|> » cannot close its own turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ancremed_desktop.domain.models import Message, ModelFamily, Role


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a prompt; ``mark``: written by us, may hold control tokens."""

    text: str
    mark: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Format:
    """``start`` and ``end`` of a turn, with ``{role}``; ``roles``: their names, in this order:
    system, user, assistant (an empty system: it opens the first user turn instead).
    """

    start: str
    end: str
    roles: tuple[str, str, str]
    opening: str = ""
    """What makes the assistant speak, after ``start``."""

    def role(self, role: Role) -> str:
        return dict(zip((Role.SYSTEM, Role.USER, Role.ASSISTANT), self.roles, strict=True))[role]


_NAMES = ("system", "user", "assistant")
_CHATML = _Format(start="<|im_start|>{role}\n", end="<|im_end|>\n", roles=_NAMES)
_FORMATS = {
    ModelFamily.CHATML: _CHATML,
    # An empty thought: the answer comes at once (Qwen 3 model card, « enable_thinking=False »).
    ModelFamily.QWEN: _CHATML,
    ModelFamily.QWEN3: _Format(
        start=_CHATML.start, end=_CHATML.end, roles=_NAMES, opening="<think>\n\n</think>\n\n"
    ),
    # The same, as SmolLM3's template writes it for « /no_think ».
    ModelFamily.SMOLLM3: _Format(
        start=_CHATML.start, end=_CHATML.end, roles=_NAMES, opening="<think>\n\n</think>\n"
    ),
    ModelFamily.LLAMA3: _Format(
        start="<|start_header_id|>{role}<|end_header_id|>\n\n", end="<|eot_id|>", roles=_NAMES
    ),
    ModelFamily.GEMMA: _Format(
        start="<start_of_turn>{role}\n", end="<end_of_turn>\n", roles=("", "user", "model")
    ),
    ModelFamily.PHI: _Format(start="<|{role}|>\n", end="<|end|>\n", roles=_NAMES),
}


def prompt_parts(family: ModelFamily, messages: Sequence[Message]) -> tuple[Part, ...]:
    """The prompt that makes the assistant answer the last message."""
    turns = _with_system_inside(messages) if _lacks_system(family) else list(messages)
    if family is ModelFamily.MISTRAL:
        return _mistral(turns)
    form = _FORMATS[family]
    parts = []
    for turn in turns:
        parts += [
            Part(form.start.format(role=form.role(turn.role)), mark=True),
            Part(turn.content.strip()),
            Part(form.end, mark=True),
        ]
    opening = form.start.format(role=form.role(Role.ASSISTANT)) + form.opening
    return (*parts, Part(opening, mark=True))


def end_mark(family: ModelFamily) -> str:
    """What closes the assistant's turn: generation stops there, besides the file's own ends."""
    return "</s>" if family is ModelFamily.MISTRAL else _FORMATS[family].end.strip()


def _lacks_system(family: ModelFamily) -> bool:
    return family is ModelFamily.MISTRAL or not _FORMATS[family].roles[0]


def _with_system_inside(messages: Sequence[Message]) -> list[Message]:
    """The same turns, what the system says put before the user's next words."""
    turns: list[Message] = []
    said: list[str] = []
    for message in messages:
        if message.role is Role.SYSTEM:
            said.append(message.content)
        elif message.role is Role.USER and said:
            turns.append(Message(role=Role.USER, content="\n\n".join([*said, message.content])))
            said.clear()
        else:
            turns.append(message)
    return turns


def _mistral(turns: Sequence[Message]) -> tuple[Part, ...]:
    """Mistral instruct, version 3: an answer stands between ``[/INST]`` and ``</s>``."""
    parts = []
    for turn in turns:
        before, after = ("[INST]", "[/INST]") if turn.role is Role.USER else ("", "</s>")
        parts += [Part(before, mark=True), Part(turn.content.strip()), Part(after, mark=True)]
    return tuple(part for part in parts if part.text)
