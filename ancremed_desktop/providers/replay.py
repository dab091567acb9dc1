"""Recorded exchanges played again: for tests and evaluation, without weights nor network.

A recording is a JSONL file, one exchange a line: ``key`` (see ``exchange_key``), ``request`` and
``reply``. It holds what was asked in full: it is made by developers, never by the application.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Self

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.models import (
    Completion,
    CompletionRequest,
    TextCallback,
    Usage,
    ignore_text,
)
from ancremed_desktop.errors import BadFileError, ModelUnavailableError
from ancremed_desktop.ports import LanguageModel
from ancremed_desktop.providers.base import BaseModel, Pieces, ReplyEnd, Watch, WrappedModel
from ancremed_desktop.providers.options import ModelOptions

_PIECE = re.compile(r"\S+\s*|\s+")


def exchange_key(request: CompletionRequest) -> str:
    """SHA-256 of messages and schema, 64 hexadecimal digits; limits do not count."""
    canonical = json.dumps(_asked(request), ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(canonical.encode()).hexdigest()


class ReplayModel(BaseModel):
    """Answers what was recorded, and nothing else; usage and cost are those of the recording."""

    context_tokens = 1_000_000
    local = True
    sends_data = False

    def __init__(self, file: Path) -> None:
        """Read ``file``; of two exchanges with one key the later holds. Raises: BadFileError."""
        self.name = f"replay:{file.stem}"
        self._replies = _read(file)
        self.identity = hashlib.sha256(file.read_bytes()).hexdigest()

    @classmethod
    def from_options(cls, options: ModelOptions) -> Self:
        """The recording ``options.file`` names. Raises: BadFileError."""
        if options.file is None:
            raise BadFileError("Indiquez le fichier JSONL des échanges à rejouer.")
        return cls(options.file)

    def pieces(self, request: CompletionRequest, watch: Watch) -> Pieces:
        """The recorded reply, word by word."""
        recorded = self._replies.get(exchange_key(request))
        if recorded is None:
            raise ModelUnavailableError(
                f"Aucune réponse n’est enregistrée pour cette demande dans {self.name}."
            )
        text, end = recorded
        for word in _PIECE.findall(text):
            watch.check()
            yield word
        return end


class RecordingModel(WrappedModel):
    """Another model, each of whose replies is added to a recording."""

    def __init__(self, model: LanguageModel, file: Path) -> None:
        """Record what ``model`` answers at the end of ``file``."""
        super().__init__(model)
        self._file = file

    def complete(
        self,
        request: CompletionRequest,
        *,
        cancel: CancelToken,
        on_text: TextCallback = ignore_text,
    ) -> Completion:
        """As the model, then recorded. Raises: OSError; as ``LanguageModel.complete``."""
        completion = super().complete(request, cancel=cancel, on_text=on_text)
        line = {
            "key": exchange_key(request),
            "request": _asked(request),
            "reply": {
                "text": completion.text,
                "usage": asdict(completion.usage),
                "cost_usd": completion.cost_usd,
                "truncated": completion.truncated,
                "model": completion.model,
            },
        }
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
        return completion


def _asked(request: CompletionRequest) -> dict[str, object]:
    return {
        "messages": [[str(m.role), m.content] for m in request.messages],
        "schema": request.schema,
    }


def _read(file: Path) -> Mapping[str, tuple[str, ReplyEnd]]:
    found = {}
    try:
        lines = file.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFileError(
            f"L’enregistrement « {file} » ne peut pas être lu : "
            "vérifiez son nom et qu’il s’agit de JSONL en UTF-8."
        ) from error
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        try:
            exchange = json.loads(line)
            reply = exchange["reply"]
            end = ReplyEnd(
                usage=Usage(**reply["usage"]),
                cost_usd=float(reply["cost_usd"]),
                truncated=bool(reply["truncated"]),
            )
            found[str(exchange["key"])] = (str(reply["text"]), end)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise BadFileError(
                f"L’enregistrement « {file} » est abîmé à la ligne {number}."
            ) from error
    return found
