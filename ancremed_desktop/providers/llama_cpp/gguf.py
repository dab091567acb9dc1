"""The header of a GGUF file, read and checked before native code sees it.

Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md (versions 2 and 3). A file is a
stranger's: every count and size is bounded and compared with the file before it is used. The chat
template it may hold is skipped like any other text.
"""

from __future__ import annotations

import stat
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from ancremed_desktop.domain.models import WeightsHeader
from ancremed_desktop.errors import BadFileError, reason_of

ARCHITECTURES = frozenset(
    "llama qwen2 qwen2moe qwen3 qwen3moe gemma gemma2 gemma3 phi2 phi3 smollm3 mistral3".split()
)
"""Text architectures our chat formats are written for."""

_MAX_VALUES = 4096
_MAX_TENSORS = 20_000
_MAX_TEXT = 4 << 20
_MAX_ITEMS = 1 << 21
"""Bounds far above published models (33 values, 300 to 2,000 tensors, 262,144 tokens)."""
_MAX_DIMENSIONS = 4
_STRING, _ARRAY = 8, 9
_SCALARS = dict(zip((0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12), "BbHhIif?Qqd", strict=True))
"""``struct`` letters of the scalar types."""

_LENGTH = struct.Struct("<Q")

# Type of a tensor: (elements of a block, bytes of a block), gguf-py `GGML_QUANT_SIZES`.
_BLOCKS = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34),
    9: (32, 36), 10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210),
    15: (256, 292), 16: (256, 66), 17: (256, 74), 18: (256, 98), 19: (256, 50), 20: (32, 18),
    21: (256, 110), 22: (256, 82), 23: (256, 136), 24: (1, 1), 25: (1, 2), 26: (1, 4), 27: (1, 8),
    28: (1, 8), 29: (256, 56), 30: (1, 2), 34: (256, 54), 35: (256, 66), 39: (32, 17),
}  # fmt: skip

_AGAIN = "Téléchargez-le à nouveau, ou choisissez un autre modèle."


class _Fault(Exception):  # noqa: N818 - never leaves this file
    """What is wrong, in French, without the name of the file."""


class _Reader:
    """Little-endian reads that never pass the end of the file."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._size = size
        self._left = size

    @property
    def position(self) -> int:
        return self._size - self._left

    def take(self, count: int) -> bytes:
        if count > self._left:
            raise _Fault("il est incomplet (l’en-tête dépasse la fin du fichier)")
        self._left -= count
        data = self._file.read(count)
        if len(data) < count:
            raise _Fault("il a changé pendant la lecture")
        return data

    def numbers(self, layout: str) -> tuple[int, ...]:
        return struct.unpack(f"<{layout}", self.take(struct.calcsize(f"<{layout}")))

    def text(self) -> str:
        return self._text().decode("utf-8", "replace")

    def _text(self) -> bytes:
        (length,) = _LENGTH.unpack(self.take(8))
        if length > _MAX_TEXT:
            raise _Fault("son en-tête annonce un texte démesuré")
        return self.take(length)

    def value(self) -> object:
        (kind,) = self.numbers("I")
        if kind == _STRING:
            return self.text()
        if kind == _ARRAY:
            return self._array()
        if kind not in _SCALARS:
            raise _Fault("son en-tête contient une valeur de type inconnu")
        return self.numbers(_SCALARS[kind])[0]

    def _array(self) -> int:
        """Skip an array; its length is all we need."""
        kind, count = self.numbers("IQ")
        if count > _MAX_ITEMS:
            raise _Fault("son en-tête annonce une liste démesurée")
        if kind == _STRING:
            for _ in range(count):
                self._text()
        elif kind in _SCALARS:
            self.take(count * struct.calcsize(_SCALARS[kind]))
        else:
            raise _Fault("son en-tête contient une liste de type inconnu")
        return count


def read_header(path: Path) -> WeightsHeader:
    """Read and check the header. Raises: BadFileError, in French, naming the file and the fault."""
    try:
        state = path.stat()
        if stat.S_ISDIR(state.st_mode):
            raise BadFileError(
                f"« {path.name} » est un dossier : choisissez le fichier du modèle (.gguf)."
            )
        if not stat.S_ISREG(state.st_mode):
            raise _Fault("ce n’est pas un fichier ordinaire")  # opening a pipe would wait forever
        size = state.st_size
        with path.open("rb") as file:
            return _header(_Reader(file, size), size)
    except _Fault as fault:
        raise BadFileError(
            f"« {path.name} » ne peut pas servir de modèle : {fault}. {_AGAIN}"
        ) from fault
    except FileNotFoundError as error:
        raise BadFileError(
            f"« {path.name} » est introuvable dans « {path.parent} » : installez ce modèle "
            "ou choisissez-en un autre."
        ) from error
    except OSError as error:
        raise BadFileError(
            f"« {path.name} » ne peut pas être lu ({reason_of(error)}) : vérifiez vos droits "
            "d’accès."
        ) from error


def _header(reader: _Reader, size: int) -> WeightsHeader:
    _check_kind(reader, size)
    tensors, values = reader.numbers("QQ")
    if not 0 < tensors <= _MAX_TENSORS or not 0 < values <= _MAX_VALUES:
        raise _Fault("son en-tête annonce des nombres démesurés")
    found: dict[str, object] = {}
    for _ in range(values):
        key = reader.text()
        found[key] = reader.value()
    _check_tensors(reader, tensors, size, found)
    return _described(found, size)


def _check_kind(reader: _Reader, size: int) -> None:
    if size == 0:
        raise _Fault("il est vide")
    if size < 24:
        raise _Fault("il est incomplet")
    start = reader.take(4)
    if start.lstrip()[:1] == b"<":
        raise _Fault("c’est une page web enregistrée à la place du modèle")
    if start != b"GGUF":
        raise _Fault("ce n’est pas un fichier GGUF")
    (version,) = reader.numbers("I")
    if version not in {2, 3}:
        raise _Fault(f"sa version de GGUF ({version}) n’est pas prise en charge")


def _check_tensors(reader: _Reader, count: int, size: int, found: Mapping[str, object]) -> None:
    alignment = found.get("general.alignment", 32)
    if not isinstance(alignment, int) or alignment not in {8, 16, 32, 64, 128, 256, 512, 1024}:
        raise _Fault("l’alignement de ses données est impossible")
    ends = []
    for _ in range(count):
        reader.text()
        (dimensions,) = reader.numbers("I")
        if not 1 <= dimensions <= _MAX_DIMENSIONS:
            raise _Fault("un tenseur a un nombre de dimensions impossible")
        shape = reader.numbers("Q" * dimensions)
        kind, offset = reader.numbers("IQ")
        if kind not in _BLOCKS:
            raise _Fault("un tenseur est d’un type inconnu")
        elements, block_bytes = _BLOCKS[kind]
        total = 1
        for length in shape:
            total *= length
        if not total or shape[0] % elements or offset % alignment:
            raise _Fault("un tenseur a une taille ou une place impossible")
        ends.append(offset + total // elements * block_bytes)
    start = -(-reader.position // alignment) * alignment
    if start + max(ends) > size:
        raise _Fault("il est incomplet (des données du modèle manquent)")


def _described(found: Mapping[str, object], size: int) -> WeightsHeader:
    architecture = found.get("general.architecture")
    if architecture not in ARCHITECTURES:
        shown = str(architecture or "non précisée")[:40]
        raise _Fault(f"son architecture ({shown}) n’est pas prise en charge")
    embedding = _whole(found, f"{architecture}.embedding_length", 1 << 16)
    heads = _whole(found, f"{architecture}.attention.head_count", 1 << 10)
    kv_heads = _whole(found, f"{architecture}.attention.head_count_kv", 1 << 10, heads)
    head = _whole(
        found, f"{architecture}.attention.key_length", 1 << 12, max(1, embedding // heads)
    )
    if not found.get("tokenizer.ggml.model") or not found.get("tokenizer.ggml.tokens"):
        raise _Fault("son vocabulaire manque")
    return WeightsHeader(
        architecture=str(architecture),
        file_bytes=size,
        context_tokens=_whole(found, f"{architecture}.context_length", 1 << 24),
        layers=_whole(found, f"{architecture}.block_count", 1 << 10),
        kv_width=kv_heads * head,
        name=_short(found.get("general.name")),
        licence=_short(found.get("general.license")),
    )


def _whole(found: Mapping[str, object], key: str, most: int, default: int = 0) -> int:
    value = found.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= most:
        raise _Fault(f"son en-tête donne une valeur impossible ({key.partition('.')[2]})")
    return value


def _short(value: object) -> str:
    """On one line: with line breaks of its own a name could feign a digest under it."""
    return " ".join(value.split())[:120] if isinstance(value, str) else ""
