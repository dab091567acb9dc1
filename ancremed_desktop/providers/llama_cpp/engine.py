"""llama.cpp itself, in the child process only: load, tokenise, generate, stop.

The C interface is used directly: the package's ``Llama`` class compiles the chat template found in
the file (code of a stranger) and holds a table of logits for every token of a batch.
"""

from __future__ import annotations

import codecs
import ctypes
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import llama_cpp
from llama_cpp.llama_grammar import json_schema_to_gbnf

_BATCH = 512
_FIRST_PIECE_BYTES = 64
_TRUE, _FALSE = b"1", b"0"


class LoadFault(Exception):  # noqa: N818 - sent to the parent by name
    """llama.cpp refused the file; its own words."""


class PromptFault(Exception):  # noqa: N818
    """The prompt and the reply do not fit in the context."""


class SchemaFault(Exception):  # noqa: N818
    """llama.cpp cannot constrain its output to this schema."""


class StopFlag:
    """Tells llama.cpp to leave its computation, from any thread and without Python's lock.

    llama.cpp asks a C function before each operation. A Python function there would cost a change
    of interpreter lock each time (a thousand a token); the C library's ``atoi`` reads our buffer
    instead: "1" stops.
    """

    def __init__(self) -> None:
        self._buffer = ctypes.create_string_buffer(_FALSE, 2)
        library = ctypes.cdll.msvcrt if sys.platform == "win32" else ctypes.CDLL(None)
        self.function = ctypes.cast(library.atoi, llama_cpp.ggml_abort_callback)
        self.argument = ctypes.cast(self._buffer, ctypes.c_void_p)

    def set(self, stop: bool) -> None:
        """Stop the computation under way, or let the next one run."""
        self._buffer[0] = _TRUE if stop else _FALSE

    @property
    def is_set(self) -> bool:
        """Whether the computation is to stop."""
        return self._buffer[0] == _TRUE


@dataclass(slots=True)
class Generation:
    """What one generation used; filled while it runs."""

    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    truncated: bool = True
    """Until an end token is met."""


class Engine:
    """One loaded model with its context; the tokens it has read are kept between questions."""

    def __init__(self, path: str, context_tokens: int, threads: int, stop: StopFlag) -> None:
        """Load. Raises: LoadFault."""
        said: list[str] = []
        self._log = llama_cpp.llama_log_callback(
            lambda _level, text, _data: said.append(text.decode("utf-8", "replace"))
        )
        llama_cpp.llama_log_set(self._log, None)
        llama_cpp.llama_backend_init()
        model_params = llama_cpp.llama_model_default_params()
        model_params.n_gpu_layers = 0
        self._model = llama_cpp.llama_model_load_from_file(path.encode(), model_params)
        if not self._model:
            raise LoadFault("".join(said)[-2000:])
        params = llama_cpp.llama_context_default_params()
        params.n_ctx = context_tokens
        params.n_batch = params.n_ubatch = min(_BATCH, context_tokens)
        params.n_threads = params.n_threads_batch = threads
        params.abort_callback = stop.function
        params.abort_callback_data = stop.argument
        self._context = llama_cpp.llama_init_from_model(self._model, params)
        if not self._context:
            raise LoadFault("".join(said)[-2000:])
        self._stop = stop
        self._vocabulary = llama_cpp.llama_model_get_vocab(self._model)
        self._memory = llama_cpp.llama_get_memory(self._context)
        self._room = int(llama_cpp.llama_n_ctx(self._context))
        self._read: list[int] = []
        self._grammars: dict[str, bytes] = {}
        # Kept no longer: what llama.cpp says while it computes is of no use and would pile up.
        said.clear()
        self._log = llama_cpp.llama_log_callback(lambda _level, _text, _data: None)
        llama_cpp.llama_log_set(self._log, None)

    def count(self, text: str) -> int:
        """Tokens of a text read as content."""
        return len(self._tokens(text, mark=False))

    def prompt(self, parts: Sequence[tuple[str, bool]]) -> list[int]:
        """Tokens of a prompt; only the parts marked may give control tokens."""
        tokens = []
        if llama_cpp.llama_vocab_get_add_bos(self._vocabulary):
            tokens.append(int(llama_cpp.llama_vocab_bos(self._vocabulary)))
        for text, mark in parts:
            tokens += self._tokens(text, mark=mark)
        return tokens

    def generate(
        self,
        prompt: Sequence[int],
        *,
        max_tokens: int,
        schema: str,
        temperature: float,
        seed: int,
        end_mark: str,
        counts: Generation,
    ) -> Iterator[str]:
        """Pieces of the reply; ends early, in silence, when the stop flag is set.

        Raises: PromptFault, SchemaFault.
        """
        counts.prompt_tokens = len(prompt)
        if len(prompt) + max_tokens > self._room:
            raise PromptFault(f"{len(prompt)} {max_tokens} {self._room}")
        ends = self._tokens(end_mark, mark=True)
        sampler = self._sampler(schema, temperature, seed)
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        try:
            counts.cached_tokens = self._rewind(prompt)
            pending = list(prompt[counts.cached_tokens :])
            while counts.completion_tokens < max_tokens and self._decode(pending):
                token = int(llama_cpp.llama_sampler_sample(sampler, self._context, -1))
                counts.completion_tokens += 1
                if llama_cpp.llama_vocab_is_eog(self._vocabulary, token) or [token] == ends:
                    counts.truncated = False
                    break
                pending = [token]
                yield decoder.decode(self._piece(token))
            yield decoder.decode(b"", final=True)
        finally:
            llama_cpp.llama_sampler_free(sampler)

    def _rewind(self, prompt: Sequence[int]) -> int:
        """Keep what the context shares with the prompt; at least one token is left to read."""
        shared = 0
        for ours, asked in zip(self._read, prompt[:-1], strict=False):
            if ours != asked:
                break
            shared += 1
        # Some architectures cannot forget a part of what they read.
        if not llama_cpp.llama_memory_seq_rm(self._memory, 0, shared, -1):
            llama_cpp.llama_memory_clear(self._memory, True)
            shared = 0
        del self._read[shared:]
        return shared

    def _decode(self, tokens: Sequence[int]) -> bool:
        """Read tokens; False when stopped (what was read stays known)."""
        for start in range(0, len(tokens), _BATCH):
            chunk = tokens[start : start + _BATCH]
            array = (llama_cpp.llama_token * len(chunk))(*chunk)
            batch = llama_cpp.llama_batch_get_one(array, len(chunk))
            code = 2 if self._stop.is_set else int(llama_cpp.llama_decode(self._context, batch))
            if code == 2:
                llama_cpp.llama_memory_seq_rm(self._memory, 0, len(self._read), -1)
                return False
            if code:
                raise RuntimeError(f"llama_decode: {code}")
            self._read += chunk
        return True

    def _sampler(self, schema: str, temperature: float, seed: int) -> object:
        chain = llama_cpp.llama_sampler_chain_init(llama_cpp.llama_sampler_chain_default_params())
        if schema:
            grammar = llama_cpp.llama_sampler_init_grammar(
                self._vocabulary, self._grammar(schema), b"root"
            )
            if not grammar:
                llama_cpp.llama_sampler_free(chain)
                raise SchemaFault(schema)
            llama_cpp.llama_sampler_chain_add(chain, grammar)
        if temperature > 0:
            warmth = llama_cpp.llama_sampler_init_temp(temperature)
            llama_cpp.llama_sampler_chain_add(chain, warmth)
            choice = llama_cpp.llama_sampler_init_dist(seed)
        else:
            choice = llama_cpp.llama_sampler_init_greedy()
        llama_cpp.llama_sampler_chain_add(chain, choice)
        return chain

    def _grammar(self, schema: str) -> bytes:
        if schema not in self._grammars:
            try:
                self._grammars[schema] = json_schema_to_gbnf(schema).encode()
            except Exception as error:  # the converter raises whatever it meets
                raise SchemaFault(schema) from error
        return self._grammars[schema]

    def _tokens(self, text: str, *, mark: bool) -> list[int]:
        data = text.encode("utf-8", "replace")
        room = len(data) + 8
        array = (llama_cpp.llama_token * room)()
        count = llama_cpp.llama_tokenize(
            self._vocabulary, data, len(data), array, room, False, mark
        )
        if count < 0:
            raise RuntimeError(f"llama_tokenize: {count}")
        return list(array[:count])

    def _piece(self, token: int) -> bytes:
        for room in (_FIRST_PIECE_BYTES, 4096):
            buffer = ctypes.create_string_buffer(room)
            count = llama_cpp.llama_token_to_piece(self._vocabulary, token, buffer, room, 0, False)
            if count >= 0:
                return buffer.raw[:count]
        raise RuntimeError(f"llama_token_to_piece: {token}")
