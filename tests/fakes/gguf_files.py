"""GGUF files made by hand: a small right one, and the many ways a file can be wrong."""

from __future__ import annotations

import struct
from collections.abc import Mapping

_U32, _F32, _STRING, _ARRAY, _U64 = 4, 6, 8, 9, 10

Tensor = tuple[str, tuple[int, ...], int, int]
"""Name, shape, type (0: 32-bit floats), offset of the data."""

VALUES: Mapping[str, object] = {
    "general.architecture": "llama",
    "general.name": "Petit essai",
    "general.license": "mit",
    "llama.context_length": 2048,
    "llama.embedding_length": 64,
    "llama.block_count": 2,
    "llama.attention.head_count": 4,
    "llama.attention.head_count_kv": 2,
    "tokenizer.ggml.model": "gpt2",
    "tokenizer.ggml.tokens": ("a", "b", "c"),
}
TENSORS: tuple[Tensor, ...] = (
    ("token_embd.weight", (64, 3), 0, 0),
    ("output_norm.weight", (64,), 0, 768),
)
_DATA_BYTES = 768 + 256


def gguf(
    values: Mapping[str, object] = VALUES,
    tensors: tuple[Tensor, ...] = TENSORS,
    *,
    magic: bytes = b"GGUF",
    version: int = 3,
    counts: tuple[int | None, int | None] = (None, None),
    data: int = _DATA_BYTES,
) -> bytes:
    """A file; ``counts``: numbers of tensors and values it claims, None for the true ones."""
    claimed = (
        len(tensors) if counts[0] is None else counts[0],
        len(values) if counts[1] is None else counts[1],
    )
    head = magic + struct.pack("<IQQ", version, *claimed)
    head += b"".join(text(key) + value(item) for key, item in values.items())
    for name, shape, kind, offset in tensors:
        head += text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, kind, offset)
    return head + bytes(-len(head) % 32) + bytes(data)


def text(word: str) -> bytes:
    """A string with its length."""
    data = word.encode()
    return struct.pack("<Q", len(data)) + data


def value(item: object) -> bytes:
    """A typed value; ``bytes`` are taken as they are."""
    if isinstance(item, bytes):
        return item
    if isinstance(item, str):
        return struct.pack("<I", _STRING) + text(item)
    if isinstance(item, float):
        return struct.pack("<If", _F32, item)
    if isinstance(item, tuple):
        words = b"".join(text(str(word)) for word in item)
        return struct.pack("<IIQ", _ARRAY, _STRING, len(item)) + words
    assert isinstance(item, int)
    kind, layout = (_U32, "I") if item < 1 << 32 else (_U64, "Q")
    return struct.pack(f"<I{layout}", kind, item)


def _with(**changes: object) -> dict[str, object]:
    return {**VALUES, **{key.replace("__", "."): item for key, item in changes.items()}}


def _without(key: str) -> dict[str, object]:
    return {name: item for name, item in VALUES.items() if name != key}


def _tensor(shape: tuple[int, ...] = (64,), kind: int = 0, offset: int = 0) -> bytes:
    return gguf(tensors=(("t", shape, kind, offset),))


HUGE = (1 << 64) - 1

BROKEN: Mapping[str, bytes] = {
    "empty": b"",
    "one byte": b"G",
    "magic alone": b"GGUF",
    "html": b"<!DOCTYPE html><html><body>404 Not Found</body></html>" * 20,
    "html after spaces": b"\n\n <html>" + bytes(100),
    "zip": b"PK\x03\x04" + bytes(200),
    "git lfs pointer": b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
    "zeros": bytes(4096),
    "noise": bytes(range(256)) * 40,
    "bad magic": gguf(magic=b"GGUX"),
    "old ggml": gguf(magic=b"lmgg"),
    "swapped magic": gguf(magic=b"FUGG"),
    "version 0": gguf(version=0),
    "version 1": gguf(version=1),
    "version 99": gguf(version=99),
    "big endian": gguf(version=3 << 24),
    "no tensor": gguf(counts=(0, None)),
    "no value": gguf(counts=(None, 0)),
    "2^64 tensors": gguf(counts=(HUGE, None)),
    "2^64 values": gguf(counts=(None, HUGE)),
    "a million tensors": gguf(counts=(10**6, None)),
    "more tensors than there are": gguf(counts=(50, None), data=0),
    "more values than there are": gguf(counts=(None, 50)),
    "endless key": gguf(values={}, counts=(1, 1))[:24] + struct.pack("<Q", HUGE) + bytes(99),
    "long key": gguf(values={}, counts=(1, 1))[:24] + struct.pack("<Q", 1 << 40) + bytes(99),
    "endless text": gguf(_with(general__name=struct.pack("<IQ", _STRING, HUGE))),
    "unknown type": gguf(_with(general__name=struct.pack("<I", 77))),
    "endless list": gguf(_with(tokenizer__ggml__tokens=struct.pack("<IIQ", _ARRAY, 8, HUGE))),
    "huge list": gguf(_with(tokenizer__ggml__tokens=struct.pack("<IIQ", _ARRAY, 4, 1 << 30))),
    "list of lists": gguf(_with(tokenizer__ggml__tokens=struct.pack("<IIQ", _ARRAY, 9, 9))),
    "list of unknown": gguf(_with(tokenizer__ggml__tokens=struct.pack("<IIQ", _ARRAY, 55, 9))),
    "no architecture": gguf(_without("general.architecture")),
    "unknown architecture": gguf(_with(general__architecture="evil")),
    "architecture a number": gguf(_with(general__architecture=7)),
    "no context": gguf(_without("llama.context_length")),
    "context 0": gguf(_with(llama__context_length=0)),
    "context 2^60": gguf(_with(llama__context_length=1 << 60)),
    "no heads": gguf(_with(llama__attention__head_count=0)),
    "a billion layers": gguf(_with(llama__block_count=10**9)),
    "layers a text": gguf(_with(llama__block_count="deux")),
    "no vocabulary": gguf(_without("tokenizer.ggml.tokens")),
    "alignment 0": gguf(_with(general__alignment=0)),
    "alignment 3": gguf(_with(general__alignment=3)),
    "tensor without dimension": _tensor(shape=()),
    "tensor of 9 dimensions": _tensor(shape=(1,) * 9),
    "tensor of zero": _tensor(shape=(0,)),
    "tensor of 2^64": _tensor(shape=(HUGE, HUGE)),
    "tensor past the end": _tensor(shape=(64, 100)),
    "tensor far away": _tensor(offset=1 << 62),
    "tensor astride": _tensor(offset=7),
    "tensor of unknown type": _tensor(kind=250),
    "half a block": _tensor(shape=(33,), kind=2),
}
"""Each must be refused by the header check."""
