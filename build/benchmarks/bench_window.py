"""From the start of the process to a window whose question field takes a question.

Usage: python build/benchmarks/bench_window.py INDEX [--runs N]

Offscreen, in fresh processes, with the index as the shipped one. « Usable »: the index is open,
the field enabled, the window painted and the loop of events idle. The clock starts before the
process does; on a busy machine only the CPU time counts. Times are medians.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from common import ROOT, Figure, own_folders, peak_mb, show

_WAIT_S = 60


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("index", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--launched", type=float, help="be the window launched at that time")
    args = parser.parse_args()
    if args.launched is not None:
        print(*_be_the_window(args.launched))
        return
    with tempfile.TemporaryDirectory() as folder:
        own_folders(Path(folder))
        os.environ["ANCREMED_INDEX"] = str(args.index.resolve())
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        # As installed: modules compiled once, by the first launch, which is not counted.
        os.environ["PYTHONPYCACHEPREFIX"] = folder
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        _launch(args.index)
        runs = [_launch(args.index) for _ in range(args.runs)]
    wall, cpu, memory = (statistics.median(values) for values in zip(*runs, strict=True))
    show([
        Figure(name="window usable after launch, wall", value=wall, unit="s", aim=2),
        Figure(name="window usable after launch, CPU", value=cpu, unit="s", aim=2),
        Figure(name="memory of the window", value=memory, unit="MB", aim=300),
    ])  # fmt: skip


def _launch(index: Path) -> tuple[float, ...]:
    command = [sys.executable, __file__, str(index), "--launched", str(time.time())]
    told = subprocess.run(command, check=True, capture_output=True, cwd=ROOT).stdout.split()
    return tuple(map(float, told))


def _be_the_window(launched: float) -> tuple[float, float, float]:
    """Seconds since ``launched``, of them on a processor, and MB held when usable."""
    from PySide6.QtCore import QTimer

    from ancremed_desktop.app import toolbox
    from ancremed_desktop.gui.start import make_application, make_window
    from ancremed_desktop.gui.workbench import ToolboxWorkbench

    application = make_application(sys.argv[:1])
    window = make_window(ToolboxWorkbench(toolbox()), application)
    window.show()
    QTimer.singleShot(0, window.begin)
    field = window.question.box.field
    found: list[float] = []

    def look() -> None:
        opened = not window.background.busy and window.isVisible()
        if opened and field.isEnabled() and field.isVisible():
            found.extend((time.time() - launched, time.process_time()))
            window.close()
            application.quit()
        elif time.time() - launched > _WAIT_S:
            application.quit()

    idle = QTimer()  # of 0 ms: fires each time the loop has nothing else to do
    idle.timeout.connect(look)
    idle.start(0)
    application.exec()
    if not found:
        sys.exit("the window never took a question")
    return found[0], found[1], peak_mb()


if __name__ == "__main__":
    main()
