"""What the benchmarks share: measured figures printed with their aims, and memory."""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Windows and macOS have no /proc: figures of a process are then those of its own report.
_STATUS = Path("/proc/self/status")
sys.path.insert(0, str(ROOT))


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A measured value; ``aim`` is the most it may be (``None``: told for information), or the
    least where ``at_least``.
    """

    name: str
    value: float
    unit: str
    aim: float | None = None
    at_least: bool = False

    def __str__(self) -> str:
        told = f"{self.name:<44}{self.value:>10.2f} {self.unit:<3}"
        if self.aim is None:
            return told.rstrip()
        met = self.value >= self.aim if self.at_least else self.value <= self.aim
        sign = ">=" if self.at_least else "<="
        return f"{told} aim {sign} {self.aim:g}: {'met' if met else 'NOT MET'}"


def show(figures: Sequence[Figure]) -> None:
    """Print the figures, and how busy the machine was while they were taken."""
    for figure in figures:
        print(figure)
    if hasattr(os, "getloadavg"):
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


def own_folders(folder: Path) -> None:
    """Keep the user's data, settings and cache out of the run; inherited by its processes."""
    for name in ("DATA", "CONFIG", "CACHE"):
        os.environ[f"ANCREMED_{name}_DIR"] = str(folder / name.lower())


def median_and_p95(values: Sequence[float]) -> tuple[float, float]:
    """Median and 95th percentile of two values or more."""
    return statistics.median(values), statistics.quantiles(values, n=20, method="inclusive")[-1]


def peak_mb() -> float:
    """Most memory this process has held so far, in MB; 0 where the system does not tell.

    The kernel's own mark of this process: ``getrusage`` starts from the parent's, see
    https://man7.org/linux/man-pages/man5/proc_pid_status.5.html (VmHWM).
    """
    if not _STATUS.exists():
        return 0.0
    line = next(x for x in _STATUS.read_text().splitlines() if x.startswith("VmHWM"))
    return int(line.split()[1]) * 1024 / 1e6
