"""What is asked of a language model and what comes back, whoever provides it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

JsonSchema = Mapping[str, object]
"""A JSON schema (draft 7), never changed once given."""

TextCallback = Callable[[str], None]
"""Receives each piece of a reply as it comes, in the thread that called ``complete``."""


def ignore_text(_piece: str) -> None:
    """Text callback of callers that wait for the whole reply."""


class Role(StrEnum):
    """Who speaks in a message."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


class Ability(StrEnum):
    """What a model may do once it has qualified for it on this machine."""

    PLAN = "plan"
    SELECT = "select"
    NARRATE = "narrate"
    WRITE = "write"
    VERIFY = "verify"


class ModelFamily(StrEnum):
    """Chat format a local model was trained on."""

    CHATML = "chatml"
    QWEN = "qwen"
    QWEN3 = "qwen3"
    SMOLLM3 = "smollm3"
    LLAMA3 = "llama3"
    GEMMA = "gemma"
    MISTRAL = "mistral"
    PHI = "phi"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One turn; ``content`` is plain text, never a template."""

    role: Role
    content: str


MOST_TRIES = 3
"""Requests in vain that a service elsewhere is sent: for one of ours, and for one question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionRequest:
    """``messages``: at least one, the last from the user. ``schema``: None for plain text.

    ``max_tokens``: length of the reply, at least 1. ``timeout_s``: > 0, from the call to the last
    piece, loading included. ``temperature`` 0 gives the same reply again where the provider can.
    ``max_tries``: requests a service elsewhere may be sent for it, at least 1.
    """

    messages: tuple[Message, ...]
    schema: JsonSchema | None = None
    max_tokens: int = 256
    timeout_s: float = 60.0
    temperature: float = 0.0
    seed: int = 0
    max_tries: int = MOST_TRIES

    def __post_init__(self) -> None:
        if not self.messages or self.messages[-1].role is not Role.USER:
            raise ValueError("the last message must come from the user")
        if self.max_tokens < 1 or self.timeout_s <= 0 or self.max_tries < 1:
            raise ValueError("max_tokens, timeout_s and max_tries must be positive")


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens read and written; ``cached_tokens`` of ``prompt_tokens`` were not read again."""

    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionTimings:
    """Seconds. ``load_s``: 0 when the model was ready; ``first_text_s`` and ``total_s`` from the
    call, loading included.
    """

    load_s: float
    first_text_s: float
    total_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """One whole reply.

    ``text``: as written. ``value``: ``text`` read as JSON and checked against the schema, None
    without a schema. ``model``: identity of what answered (SHA-256 or published name).
    ``cost_usd``: 0 on this machine. ``truncated``: plain text stopped by ``max_tokens``.
    ``sent``: what left the machine, word for word; empty when nothing did. ``tries``: requests made
    for it, the last one answered.
    """

    text: str
    value: object
    model: str
    usage: Usage
    timings: CompletionTimings
    cost_usd: float = 0.0
    truncated: bool = False
    sent: str = ""
    tries: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightsHeader:
    """What a file of weights says of itself, once checked.

    ``file_bytes``: size of the file. ``context_tokens``: context it was trained for. ``layers``,
    ``kv_width``: blocks, and key (or value) elements a token keeps in each. ``name``,
    ``licence``: as written, possibly empty.
    """

    architecture: str
    file_bytes: int
    context_tokens: int
    layers: int
    kv_width: int
    name: str
    licence: str

    def memory_bytes(self, context_tokens: int) -> int:
        """Memory a load with this context needs: weights, 16-bit keys and values, buffers."""
        return self.file_bytes + 4 * self.layers * self.kv_width * context_tokens + (256 << 20)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCard:
    """A local model the application can use: one of the manifest, or one the user imported.

    ``sha256``: of ``file``, 64 hexadecimal digits. ``context_tokens``: context it is opened with.
    ``memory_bytes``: needed to run. ``package``: registry requirement that holds ``member``.
    ``url``: where the file is fetched; both empty for a file that must be imported. ``why``: what
    it is recommended for, empty: for nothing. ``published``: figures of others, with whose they
    are. ``measured``: ours. All these and ``note``: French, shown. ``known``: listed in the
    manifest.
    """

    name: str
    file: str
    sha256: str
    file_bytes: int
    memory_bytes: int
    licence: str
    family: ModelFamily
    context_tokens: int
    package: str = ""
    member: str = ""
    url: str = ""
    why: str = ""
    published: str = ""
    measured: str = ""
    note: str = ""
    known: bool = True

    @property
    def trial(self) -> bool:
        """Whether it only serves to try the chain out: listed, and recommended for nothing."""
        return self.known and not self.why
