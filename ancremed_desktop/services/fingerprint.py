"""Names the inputs of a build."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

from ancremed_desktop import __version__


def fingerprint(folders: Mapping[str, Path]) -> str:
    """Names the inputs of a build by their content, wherever they lie: the same files and the
    same program make the same index.
    """
    digest = hashlib.sha256(__version__.encode())
    for kind, folder in sorted(folders.items()):
        root = Path(os.path.realpath(folder))  # unlike resolve(), of a link to itself too
        files = sorted(p for p in root.rglob("*") if p.is_file()) if root.is_dir() else [root]
        for path in files:
            name = path.relative_to(root).as_posix()
            digest.update(f"{kind}\0{name}\0".encode("utf-8", "surrogatepass"))
            digest.update(_content(path))
    return digest.hexdigest()


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").digest()
    except OSError:
        return b"unreadable"  # the reader will name it and say why
