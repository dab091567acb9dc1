"""What the machine lacks is said before a model is loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

from ancremed_desktop.errors import ModelUnavailableError
from ancremed_desktop.providers.llama_cpp.machine import (
    CPU_FLAGS,
    check_memory,
    check_processor,
    free_memory_bytes,
    threads,
)


def _cpuinfo(folder: Path, flags: str) -> Path:
    file = folder / "cpuinfo"
    file.write_text(f"model name : Vieux\nflags\t\t: fpu sse2 {flags}\n", encoding="utf-8")
    return file


def test_a_processor_without_avx2_is_said(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailableError, match=r"AVX2, BMI2, FMA"):
        check_processor(_cpuinfo(tmp_path, "avx f16c"))


def test_a_recent_or_unknown_processor_passes(tmp_path: Path) -> None:
    check_processor(_cpuinfo(tmp_path, " ".join(CPU_FLAGS)))
    check_processor(tmp_path / "absent")  # not Linux
    (tmp_path / "arm").write_text("Features : fp asimd\n", encoding="utf-8")
    check_processor(tmp_path / "arm")


def test_too_little_memory_is_said_with_both_figures() -> None:
    check_memory(10, 10)
    with pytest.raises(ModelUnavailableError, match=r"demande 2,6 Go et 1,2 Go sont libres"):
        check_memory(2_600_000_000, 1_200_000_000)


def test_the_machine_is_measured() -> None:
    assert 1 <= threads() <= 8
    assert free_memory_bytes() > 1 << 20
