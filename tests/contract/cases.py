"""The providers the contract suite runs on: one case each, added to ``CASES``."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from fakes import fake_gemini, local_weights

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.models import CompletionRequest, Message, Role, Usage
from ancremed_desktop.errors import ModelUnavailableError
from ancremed_desktop.ports import LanguageModel
from ancremed_desktop.providers.base import BaseModel, Pieces, ReplyEnd, Watch
from ancremed_desktop.providers.options import ModelOptions
from ancremed_desktop.providers.registry import open_model
from ancremed_desktop.providers.replay import RecordingModel, exchange_key

SCHEMA = {
    "type": "object",
    "properties": {"choix": {"type": "string", "enum": ["oui", "non"]}},
    "required": ["choix"],
    "additionalProperties": False,
}


def _request(text: str) -> CompletionRequest:
    return CompletionRequest(messages=(Message(role=Role.USER, content=text),), max_tokens=64)


JSON = replace(_request("Réponds oui ou non."), schema=SCHEMA)
"""Must be answered with a value of the schema."""
TEXT = _request("Bonjour.")
"""Must be answered in plain text."""
LONG = replace(_request("Compte de un à mille."), max_tokens=120, timeout_s=240)
"""Must be answered in more than five pieces."""
CUT = replace(_request("Réponds oui ou non, en peu de mots."), schema=SCHEMA, max_tokens=2)
"""Must be answered with less than a JSON value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractCase:
    """``ready`` makes a working model in an empty folder (it may ``pytest.skip``).

    ``unavailable`` makes one that cannot answer: no file, no key, no network. ``online``: speaks
    to a fake server of this machine, and to nothing else.
    """

    name: str
    ready: Callable[[Path], LanguageModel]
    unavailable: Callable[[Path], LanguageModel]
    online: bool = False


class TenLines(BaseModel):
    """The test provider of docs/add_a_provider.md: ten lines, these."""

    name, identity, context_tokens = "dix:lignes", "dix-lignes-1", 4096
    local, sends_data = True, False

    def pieces(self, request: CompletionRequest, watch: Watch) -> Pieces:
        text = json.dumps({"choix": "oui"}) if request.schema else "un deux trois " * 40
        words = text.split(" ")[: request.max_tokens // 2]
        for word in words:
            yield word + " "
        return ReplyEnd(usage=Usage(prompt_tokens=1, completion_tokens=len(words)))


def _replay(folder: Path) -> LanguageModel:
    file = folder / "exchanges.jsonl"
    recorder = RecordingModel(TenLines(), file)
    for request in (JSON, TEXT, LONG):
        recorder.complete(request, cancel=CancelToken())
    cut = json.loads(file.read_text("utf-8").splitlines()[0])
    cut |= {"key": exchange_key(CUT)}
    cut["reply"]["text"] = '{"choix"'
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(cut) + "\n")
    return open_model("replay", ModelOptions(model="essai", file=file))


def _empty_replay(folder: Path) -> LanguageModel:
    file = folder / "empty.jsonl"
    file.touch()
    return open_model("replay", ModelOptions(model="essai", file=file))


class _Absent(TenLines):
    def pieces(self, request: CompletionRequest, watch: Watch) -> Pieces:
        raise ModelUnavailableError("Ce modèle est absent : choisissez-en un autre.")


CASES = (
    ContractCase(name="ten lines", ready=lambda _f: TenLines(), unavailable=lambda _f: _Absent()),
    ContractCase(name="replay", ready=_replay, unavailable=_empty_replay),
    ContractCase(name="llama_cpp", ready=local_weights.ready, unavailable=local_weights.absent),
    ContractCase(
        name="gemini", ready=fake_gemini.ready, unavailable=fake_gemini.unreachable, online=True
    ),
)
