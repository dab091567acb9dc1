"""What this machine allows: threads, free memory, instructions of the processor."""

from __future__ import annotations

import os
from pathlib import Path

import psutil

from ancremed_desktop.errors import ModelUnavailableError

CPU_FLAGS = frozenset({"avx", "avx2", "fma", "f16c", "bmi2"})
"""What llama.cpp's portable build uses (``GGML_NATIVE=OFF``): processors since 2013 have them."""
_MOST_THREADS = 8
"""Reading weights is bound by memory: more threads only heat."""


def threads() -> int:
    """Threads to compute with: the physical cores this process may use, 1 to 8."""
    allowed = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    physical = psutil.cpu_count(logical=False) or allowed
    return max(1, min(allowed, physical, _MOST_THREADS))


def free_memory_bytes() -> int:
    """Memory that can be taken without swapping."""
    return int(psutil.virtual_memory().available)


def total_memory_bytes() -> int:
    """Memory of this machine."""
    return int(psutil.virtual_memory().total)


def check_processor(cpuinfo: Path = Path("/proc/cpuinfo")) -> None:
    """Raises: ModelUnavailableError, when an x86 processor lacks what the build uses.

    Only Linux says which instructions there are without running code; elsewhere the child process
    takes the risk and its end is reported.
    """
    try:
        lines = cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return
    flags = next((line.partition(":")[2].split() for line in lines if line.startswith("flags")), [])
    missing = sorted(CPU_FLAGS.difference(flags)) if flags else []
    if missing:
        raise ModelUnavailableError(
            "Le processeur de cet ordinateur n’a pas les instructions nécessaires aux modèles "
            f"locaux ({', '.join(missing).upper()}). Les réponses restent des extraits."
        )


def check_memory(needed: int, free: int) -> None:
    """Raises: ModelUnavailableError, when ``needed`` bytes do not fit in ``free``."""
    if needed > free:
        raise ModelUnavailableError(
            f"La mémoire libre ne suffit pas pour ce modèle : il demande {_giga(needed)} et "
            f"{_giga(free)} sont libres. Fermez d’autres programmes ou choisissez un modèle "
            "plus petit."
        )


def _giga(count: int) -> str:
    return f"{count / 1e9:.1f} Go".replace(".", ",")
