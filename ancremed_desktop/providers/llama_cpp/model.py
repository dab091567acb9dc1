"""The ``llama_cpp`` provider: one GGUF file, loaded at its first use in a child process."""

from __future__ import annotations

import importlib.util
import json
import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.models import CompletionRequest, ModelFamily, Usage
from ancremed_desktop.errors import (
    AncremedError,
    BadFileError,
    BugError,
    ModelRefusedError,
    ModelUnavailableError,
)
from ancremed_desktop.providers.base import BaseModel, Pieces, ReplyEnd, Watch, too_long
from ancremed_desktop.providers.llama_cpp.chat import end_mark, prompt_parts
from ancremed_desktop.providers.llama_cpp.child import Frame
from ancremed_desktop.providers.llama_cpp.gguf import read_header
from ancremed_desktop.providers.llama_cpp.machine import (
    check_memory,
    check_processor,
    free_memory_bytes,
    threads,
)
from ancremed_desktop.providers.llama_cpp.process import ModelProcess
from ancremed_desktop.providers.options import ModelOptions

_log = logging.getLogger(__name__)

_POLL_S = 0.05
_DEFAULT_CONTEXT = 4096
_LOAD_S = 120.0
_SPARE_BYTES = 6 << 30
"""Address space beyond the weights: thread stacks and libraries reserve more than they use."""


def is_installed() -> bool:
    """Whether llama-cpp-python is there; it is not imported in this process."""
    return importlib.util.find_spec("llama_cpp") is not None


class LlamaCppModel(BaseModel):
    """A local model; calls from several threads wait for one another."""

    local = True
    sends_data = False

    def __init__(
        self,
        name: str,
        file: Path,
        *,
        family: ModelFamily,
        context_tokens: int,
        identity: str,
        check_file: Callable[[CancelToken], None] = lambda _cancel: None,
    ) -> None:
        """Name the weights; they are checked and loaded at the first use.

        ``check_file``: see ``ModelOptions``.
        """
        self.name = f"llama_cpp:{name}"
        self.identity = identity
        self.context_tokens = context_tokens
        self._file = file
        self._check_file = check_file
        self._family = family
        self._process: ModelProcess | None = None
        self._lock = threading.Lock()

    @classmethod
    def from_options(cls, options: ModelOptions) -> Self:
        """The weights ``options.file``, whose SHA-256 is ``options.identity``.

        Raises: ModelUnavailableError, when no file is given or it was not identified.
        """
        if options.file is None or not options.identity:
            raise ModelUnavailableError(
                f"Le modèle « {options.model} » n’est pas installé : "
                "installez-le ou importez son fichier."
            )
        return cls(
            options.model,
            options.file,
            family=options.family,
            context_tokens=options.context_tokens or _DEFAULT_CONTEXT,
            identity=options.identity,
            check_file=options.check_file,
        )

    @property
    def pid(self) -> int | None:
        """Identifier of the child process, None when nothing is loaded."""
        process = self._process
        return process.pid if process else None

    def pieces(self, request: CompletionRequest, watch: Watch) -> Pieces:
        """See ``BaseModel.pieces``."""
        with self._turn(watch):
            process, load_s = self._ready(watch)
            frames = process.ask(
                {
                    "do": "complete",
                    "parts": [
                        [p.text, p.mark] for p in prompt_parts(self._family, request.messages)
                    ],
                    "end_mark": end_mark(self._family),
                    "schema": "" if request.schema is None else json.dumps(request.schema),
                    "max_tokens": request.max_tokens,
                    "temperature": request.temperature,
                    "seed": request.seed,
                },
                watch,
            )
            try:
                for frame in frames:
                    if "piece" in frame:
                        yield str(frame["piece"])
                    else:
                        return _reply_end(frame, load_s)
            finally:
                frames.close()
        raise BugError("the frames of a request end with its end")

    def count_tokens(self, text: str, *, cancel: CancelToken | None = None) -> int:
        """Exact; loads the model when it is not."""
        watch = Watch(cancel or CancelToken(), _LOAD_S)
        with self._turn(watch):
            process, _load_s = self._ready(watch)
            (frame,) = process.ask({"do": "count", "text": text}, watch)
            return int(str(_checked(frame)["tokens"]))

    def close(self) -> None:
        """End the child process, which gives its memory back."""
        with self._lock:
            self._end()

    def check_length(self, request: CompletionRequest) -> None:
        """Nothing here: the child counts the very tokens it is about to read."""

    @contextmanager
    def _turn(self, watch: Watch) -> Iterator[None]:
        """Wait for the calls of other threads to end. Raises: Cancelled, ModelTimeoutError."""
        while not self._lock.acquire(timeout=_POLL_S):
            watch.check()
        try:
            yield
        finally:
            self._lock.release()

    def _ready(self, watch: Watch) -> tuple[ModelProcess, float]:
        """The process with its model loaded, and the seconds it took (0: it was there)."""
        start = watch.elapsed_s
        try:
            # Before each use: the file may be replaced while its model is loaded.
            self._check_file(watch.cancel)
        except AncremedError:
            self._end()
            raise
        if self._process is not None and self._process.alive:
            return self._process, 0.0
        self._end()  # ended by itself, or by the system, since the last question
        context, needed = self._checked_file()
        self._process = ModelProcess(needed + _SPARE_BYTES)
        loaded = False
        try:
            self._process.wait_ready(watch)
            load: Frame = {
                "do": "load",
                "path": str(self._file),
                "context_tokens": context,
                "threads": threads(),
            }
            for frame in self._process.ask(load, watch):
                _checked(frame)
            loaded = True
        finally:
            if not loaded:
                self._end()
        return self._process, watch.elapsed_s - start

    def _checked_file(self) -> tuple[int, int]:
        """Context to open, and bytes of memory needed. Raises: ModelUnavailableError."""
        if not is_installed():
            raise ModelUnavailableError(
                "Le moteur des modèles locaux n’est pas installé : lancez "
                "« main.py models setup ». Les réponses restent des extraits."
            )
        check_processor()
        try:
            header = read_header(self._file)
        except BadFileError as error:
            raise ModelUnavailableError(str(error)) from error
        context = min(self.context_tokens, header.context_tokens)
        needed = header.memory_bytes(context)
        check_memory(needed, free_memory_bytes())
        return context, needed

    def _end(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None


def _checked(frame: Frame) -> Mapping[str, object]:
    """What a request ended with. Raises: ModelError, for the fault it ended with."""
    end = frame.get("end")
    if isinstance(end, dict):
        return end
    fault, detail = str(frame.get("fault")), str(frame.get("detail"))
    _log.warning("model process: %s: %s", fault, detail)
    if fault == "PromptFault":
        prompt, reply, context = (int(word) for word in detail.split())
        raise too_long(prompt, reply, context)
    if fault == "SchemaFault":
        raise ModelRefusedError("Ce modèle ne sait pas répondre sous la forme demandée.")
    if fault == "LoadFault":
        raise ModelUnavailableError(
            "Le fichier de ce modèle n’a pas pu être chargé : il est endommagé ou d’un type "
            "inconnu. Téléchargez-le à nouveau, ou choisissez un autre modèle."
        )
    if fault == "memory":
        raise ModelUnavailableError(
            "La mémoire a manqué pour ce modèle. Fermez d’autres programmes ou choisissez un "
            "modèle plus petit."
        )
    raise ModelUnavailableError(
        f"Le modèle a échoué ({fault}). Réessayez ; si cela se répète, choisissez un autre modèle."
    )


def _reply_end(frame: Frame, load_s: float) -> ReplyEnd:
    end = _checked(frame)
    prompt, cached, written = (
        int(str(end[key])) for key in ("prompt_tokens", "cached_tokens", "completion_tokens")
    )
    return ReplyEnd(
        usage=Usage(prompt_tokens=prompt, completion_tokens=written, cached_tokens=cached),
        truncated=bool(end["truncated"]),
        load_s=load_s,
    )
