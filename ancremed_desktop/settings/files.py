"""Writes a file in one step, so that a full disk or a kill never costs the one before."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Replace ``path`` by ``content``, or leave it as it was.

    Raises: OSError, with ``path`` as its file name.
    """
    target = Path(os.path.realpath(path))  # unlike resolve(), of a link to itself too
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        try:
            with temporary.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
