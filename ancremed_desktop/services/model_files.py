"""Files of the model library: manifest, digests, copies, small JSON records."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
import tomllib
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import asdict, fields
from pathlib import Path

from ancremed_desktop.domain.events import CancelToken, Progress, ProgressCallback
from ancremed_desktop.domain.models import ModelCard, ModelFamily, WeightsHeader
from ancremed_desktop.errors import BadFileError, MachineError, reason_of

_CHUNK = 1 << 20
_IMPORTED = "imported.json"
_LOCK_S = 10.0
_RESERVED = frozenset({"gemini", "aucun"})
"""What commands and preferences call something else."""
_CONTEXT = 4096
"""Context an imported model is opened with: prompts stay under 1,500 tokens."""
# Architectures used with one chat format; « llama » is used with several.
_FAMILIES = {
    "qwen2": ModelFamily.QWEN, "qwen2moe": ModelFamily.QWEN, "qwen3": ModelFamily.QWEN3,
    "qwen3moe": ModelFamily.QWEN3, "gemma": ModelFamily.GEMMA, "gemma2": ModelFamily.GEMMA,
    "gemma3": ModelFamily.GEMMA, "phi3": ModelFamily.PHI, "smollm3": ModelFamily.SMOLLM3,
    "mistral3": ModelFamily.MISTRAL,
}  # fmt: skip
_CARD_TYPES = {field.name: str(field.type) for field in fields(ModelCard)}


def read_manifest(path: Path) -> tuple[str, tuple[ModelCard, ...]]:
    """Name of the bundled model, and every model listed. Raises: BadFileError."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        cards = tuple(read_card(entry) for entry in data["models"])
        bundled = str(data["bundled"])
        if bundled not in {card.name for card in cards}:
            raise ValueError(bundled)
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadFileError(
            f"La liste des modèles « {path} » est absente ou abîmée : réinstallez AncreMed."
        ) from error
    return bundled, cards


def read_card(entry: Mapping[str, object]) -> ModelCard:
    """A card from its record. Raises: ValueError, TypeError, when a field is wrong or unsafe."""
    values = dict(entry)
    for name, value in values.items():
        wanted = {"int": int, "bool": bool}.get(_CARD_TYPES[name], str)
        if type(value) is not wanted:
            raise TypeError(name)
    card = ModelCard(**{**values, "family": ModelFamily(str(values["family"]))})  # type: ignore[arg-type]  # checked above
    # A name of a file, never a path; a whole digest.
    if Path(card.file).name != card.file or len(card.sha256) != 64 or card.file_bytes < 1:
        raise ValueError(card.file)
    return card


def read_imported(home: Path) -> tuple[ModelCard, ...]:
    """The models a user imported into ``home``, by name; damaged records are left out (their files
    can be imported again).
    """
    entries = read_json(home / _IMPORTED).get("models", [])
    cards = [_own_card(entry) for entry in entries] if isinstance(entries, list) else []
    return tuple(sorted((c for c in cards if c is not None), key=lambda c: c.name))


def add_imported(home: Path, card: ModelCard) -> None:
    """Record a model a user imported. Raises: MachineError."""
    _change_imported(home, lambda cards: [*(c for c in cards if c.name != card.name), card])


def drop_imported(home: Path, name: str) -> None:
    """Forget a model a user imported. Raises: MachineError."""
    _change_imported(home, lambda cards: [c for c in cards if c.name != name])


def _change_imported(home: Path, change: Callable[[Iterable[ModelCard]], list[ModelCard]]) -> None:
    change_json(
        home / _IMPORTED,
        lambda _data: {"models": [asdict(card) for card in change(read_imported(home))]},
    )


def _own_card(entry: object) -> ModelCard | None:
    if not isinstance(entry, Mapping):
        return None
    try:
        card = read_card(entry)
    except (ValueError, TypeError, KeyError):
        return None
    return None if card.known else card


def usual_family(header: WeightsHeader) -> ModelFamily | None:
    """The chat format an architecture is used with; None: with several, it must be told."""
    return _FAMILIES.get(header.architecture)


def stranger_card(
    file: str,
    digest: str,
    header: WeightsHeader,
    family: ModelFamily,
    taken: Container[str],
) -> ModelCard:
    """The card of a file nobody listed, named after it unless that name is ``taken``."""
    context = min(_CONTEXT, header.context_tokens)
    name = re.sub(r"[^a-z0-9.]+", "-", Path(file).stem.lower()).strip("-.") or digest[:12]
    if name in _RESERVED or name in taken:
        name = f"{name}-{digest[:8]}"
    return ModelCard(
        name=name,
        file=f"{digest[:16]}.gguf",
        sha256=digest,
        file_bytes=header.file_bytes,
        memory_bytes=header.memory_bytes(context),
        licence=header.licence,
        family=family,
        context_tokens=context,
        note=f"Importé de « {' '.join(file.split())} » ({header.name or 'sans nom'}).",
        known=False,
    )


def sha256(path: Path, *, progress: ProgressCallback, cancel: CancelToken) -> str:
    """SHA-256 of a file. Raises: MachineError, Cancelled."""
    return _read_through(path, None, "Vérification", progress, cancel)


def copy(source: Path, target: Path, *, progress: ProgressCallback, cancel: CancelToken) -> str:
    """Copy a file; returns the SHA-256 of what was written. Raises: MachineError, Cancelled."""
    return _read_through(source, target, "Copie", progress, cancel)


def _read_through(
    source: Path, target: Path | None, stage: str, progress: ProgressCallback, cancel: CancelToken
) -> str:
    digest = hashlib.sha256()
    try:
        total = source.stat().st_size
        with source.open("rb") as file, open(target or os.devnull, "wb") as out:  # noqa: PTH123
            while chunk := file.read(_CHUNK):
                cancel.raise_if_cancelled()
                digest.update(chunk)
                out.write(chunk)
                progress(Progress(stage=stage, done=file.tell(), total=total))
    except OSError as error:
        raise unusable(target or source, error) from error
    return digest.hexdigest()


def read_json(path: Path) -> dict[str, object]:
    """The object a file holds; empty when it is absent or damaged (it can be made again)."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def change_json(path: Path, change: Callable[[dict[str, object]], Mapping[str, object]]) -> None:
    """Read, change and write a file in one go: another window may do so at the same time.

    Raises: MachineError.
    """
    try:
        from filelock import FileLock  # most starts keep no digest, and it takes long to load

        with FileLock(path.with_name(f"{path.name}.lock"), timeout=_LOCK_S):
            write_json(path, change(read_json(path)))
    except OSError as error:  # a lock that is not given is one
        raise unusable(path, error) from error


def write_json(path: Path, data: Mapping[str, object]) -> None:
    """Write a file in one step. Raises: MachineError."""
    text = json.dumps(data, ensure_ascii=False, indent=1)
    try:
        handle, name = tempfile.mkstemp(prefix=".modeles-", dir=path.parent)
        temporary = Path(name)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise unusable(path, error) from error


def unusable(path: Path, error: OSError) -> MachineError:
    """The error for a file that cannot be read or written."""
    return MachineError(
        f"« {path} » n’a pas pu être lu ou écrit ({reason_of(error)}). Vérifiez la place libre et "
        "vos droits d’accès, puis recommencez."
    )
