"""No process of the application opens a network socket, native code included: traced in the kernel,
and run where there is no network at all.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from fakes import local_weights

ROOT = Path(__file__).parents[2]
# IPv4 and IPv6, by name or by number (2, 10): what an HTTP client, a resolver or a ping opens.
_INET = re.compile(r"socket\((?:AF_INET6?|PF_INET6?|0xa|0x2|10|2)\b")
_QUESTION = "Que faire devant un choc anaphylactique ?"
_WINDOW = f"""
import sys
import time
from ancremed_desktop import app
from ancremed_desktop.gui.start import make_application, make_window
from ancremed_desktop.gui.workbench import ToolboxWorkbench
from ancremed_desktop.settings.preferences import PreferenceStore

PreferenceStore().update(notice_version=1)
application = make_application(sys.argv)
window = make_window(ToolboxWorkbench(app.toolbox()), application)
window.show()
window.begin()

def idle():
    for _ in range(5_000):
        application.processEvents()
        time.sleep(0.02)  # lets the worker run: QTest.qWait would not
        if not window.background.busy:
            return
    raise SystemExit("the window is still busy")

idle()
window.question.ask({_QUESTION!r})
idle()
for page in range(6):
    window.go_to(page)
    idle()
assert window.question.answer.cards, "no answer"
print(window.connection.text())
window.close()
"""
_MODEL = """
import sys
from pathlib import Path
sys.path.insert(0, "tests")
from contract.cases import TEXT
from fakes import local_weights
from ancremed_desktop.domain.events import CancelToken

model = local_weights.local_model(Path(sys.argv[1]))
assert model.complete(TEXT, cancel=CancelToken()).text
model.close()
"""


def _run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    variables = {f"ANCREMED_{name}_DIR": str(folder / name) for name in ("DATA", "CONFIG", "CACHE")}
    environment = {**os.environ, **variables, "QT_QPA_PLATFORM": "offscreen"}
    environment.pop("PYTHON_KEYRING_BACKEND", None)  # as the user has it
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=280, check=False
    )


def _can_trace(folder: Path) -> bool:
    """Whether strace is there, allowed, and sees a socket that is opened."""
    if shutil.which("strace") is None:
        return False
    opening = "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close()"
    done, seen = _traced([sys.executable, "-c", opening], folder)
    return done.returncode == 0 and len(seen) == 1


def _traced(command: list[str], folder: Path) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    trace = folder / "trace.txt"
    # With the filter in the kernel, other system calls run at full speed.
    strace = ["strace", "-f", "--seccomp-bpf", "-e", "trace=socket", "-o", str(trace)]
    done = _run([*strace, *command], folder)
    lines = trace.read_text("utf-8", errors="replace").splitlines() if trace.exists() else []
    return done, [line for line in lines if _INET.search(line)]


def _under_trace(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Every process of the command is watched: none may open an IPv4 or IPv6 socket."""
    if not _can_trace(folder):
        pytest.skip("strace cannot be used here: nothing is traced")
    done, seen = _traced(command, folder)
    assert not seen, seen
    return done


def _without_interface(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """In a network of its own where even the loop is down: what needs a network fails."""
    alone = ["unshare", "-rn"]
    if shutil.which("unshare") is None or _run([*alone, "true"], folder).returncode:
        pytest.skip("unshare -rn cannot be used here: nothing is cut off")
    reach = "import socket; socket.create_connection(('127.0.0.1', 9), 5)"
    told = _run([*alone, sys.executable, "-c", reach], folder).stderr
    assert "Network is unreachable" in told, told
    return _run([*alone, *command], folder)


Prove = Callable[[list[str], Path], subprocess.CompletedProcess[str]]


@pytest.fixture(params=[_under_trace, _without_interface], ids=["traced", "cut off"])
def offline(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[list[str]], str]:
    """Runs a command, proves that it stayed offline and returns its output."""
    prove: Prove = request.param

    def run(command: list[str]) -> str:
        done = prove(command, tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_a_question_on_the_command_line_stays_offline(offline: Callable[[list[str]], str]) -> None:
    assert "adrénaline" in offline([sys.executable, "main.py", "ask", _QUESTION])


def test_the_window_stays_offline(offline: Callable[[list[str]], str]) -> None:
    assert "Aucune connexion" in offline([sys.executable, "-c", _WINDOW])


def test_a_local_model_stays_offline(offline: Callable[[list[str]], str]) -> None:
    offline([sys.executable, "-c", _MODEL, str(local_weights.weights())])
