"""The HAS reader over folders and archives: worker, refusals, tallies, hostile names."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from fakes.drawn_pdf import Drawn

from ancremed_desktop.corpus.has.read import read_has
from ancremed_desktop.corpus.ingest_worker import IngestWorker, WorkerLimits
from ancremed_desktop.domain.documents import CorpusItem, Refusal, SourceDocument, Tally
from ancremed_desktop.domain.events import CancelToken, Progress, ignore_progress
from ancremed_desktop.errors import BadFileError, Cancelled, MachineError


def draw(path: Path, title: str, sentence: str) -> Path:
    drawn = Drawn()
    drawn.lines(title, size=24)
    drawn.lines("Mars 2020", size=14)
    drawn.lines(sentence, "Le suivi est prévu au moins une fois par an chez chaque patient.")
    return drawn.save(path)


def read(folder: Path) -> list[CorpusItem]:
    return list(read_has(folder, ignore_progress, CancelToken()))


def documents(items: Sequence[CorpusItem]) -> list[SourceDocument]:
    return [item for item in items if isinstance(item, SourceDocument)]


def test_folder_of_good_and_bad_files(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    good = draw(tmp_path / "sub" / "f1.pdf", "Asthme de l'adulte", "La dose usuelle est de 20 mg.")
    copy = tmp_path / "sub" / "f2.pdf"
    copy.write_bytes(good.read_bytes() + b"\n% other bytes\n")
    (tmp_path / "bad.pdf").write_bytes(b"")
    seen: list[Progress] = []
    items = list(read_has(tmp_path, seen.append, CancelToken()))
    (document,) = documents(items)
    source, (passage,) = document.source, document.passages
    assert (source.title, source.regulatory_date) == ("Asthme de l'adulte", "2020-03")
    assert source.source_identifier == "HAS-asthme-de-l-adulte"
    assert source.file_name == "sub/f1.pdf"
    assert dict(source.details)["chemin"] == str(good)
    assert passage.text.startswith("La dose usuelle est de 20 mg.")
    assert (passage.page_number, passage.char_start) == (1, 0)
    refusals = {r.file_name: r.reason for r in items if isinstance(r, Refusal)}
    assert "0 octet" in refusals["bad.pdf"]
    assert "même texte que « sub/f1.pdf »" in refusals["sub/f2.pdf"]
    tallies = {t.file_name: t for t in items if isinstance(t, Tally)}
    assert set(tallies) == {"bad.pdf", "sub/f1.pdf", "sub/f2.pdf"}
    assert all(t.read == t.kept + t.refused + t.ignored for t in tallies.values())
    assert (tallies["sub/f1.pdf"].kept, tallies["sub/f2.pdf"].ignored) == (1, 1)
    assert seen[-1].done == seen[-1].total == 3


def test_identifier_is_the_same_for_a_later_edition(tmp_path: Path) -> None:
    draw(tmp_path / "a.pdf", "Asthme de l'adulte", "La dose usuelle est de 20 mg.")
    draw(tmp_path / "b.pdf", "Asthme de l'adulte", "La dose usuelle est de 40 mg.")
    found = documents(read(tmp_path))
    assert len({d.source.source_identifier for d in found}) == 1
    assert len({d.source.key for d in found}) == 2
    assert len({p.urn for d in found for p in d.passages}) == 2


def test_archive_with_hostile_names(tmp_path: Path) -> None:
    good = draw(
        tmp_path / "x.pdf", "Angine de l'enfant", "La dose usuelle est de 50 mg."
    ).read_bytes()
    archive = tmp_path / "in" / "docs.zip"
    archive.parent.mkdir()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
        opened.writestr("../escape.pdf", good)
        opened.writestr("/absolute.pdf", good)
        opened.writestr("C:\\win.pdf", good)
        opened.writestr("ok/one.pdf", good)
        opened.writestr("OK/one.pdf", good)
        opened.writestr("bomb.pdf", b"\0" * (8 * 1024 * 1024))
        opened.writestr("note.txt", b"x")
    before = set(tmp_path.rglob("*"))
    items = read(archive)
    assert set(tmp_path.rglob("*")) == before
    assert [d.source.file_name for d in documents(items)] == ["OK/one.pdf"]
    reasons = {r.file_name: r.reason for r in items if isinstance(r, Refusal)}
    hostile = [name for name, reason in reasons.items() if "dangereux" in reason]
    assert sorted(hostile) == ["../escape.pdf", "/absolute.pdf", "C:\\win.pdf"]
    assert "deux fois" in reasons["ok/one.pdf"]
    assert "compression" in reasons["bomb.pdf"]


def test_damaged_archive_and_absent_folder(tmp_path: Path) -> None:
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04 not really")
    (refusal,) = read(tmp_path)
    assert isinstance(refusal, Refusal)
    assert "archive illisible" in refusal.reason
    with pytest.raises(BadFileError, match="introuvable"):
        read(tmp_path / "nowhere")


def _task(path: Path) -> str:
    """Misbehaves as the file's name says."""
    match path.name:
        case "crash":
            os._exit(7)
        case "hang":
            time.sleep(60)
        case "hungry":
            return str(len(bytearray(3 * 1024**3)))
        case "refuse":
            raise BadFileError("fichier refusé exprès")
        case "bug":
            raise ValueError("surprise")
    return f"{path.name} {os.getpid()}"


def test_worker_survives_whatever_a_file_does() -> None:
    cancel = CancelToken()
    limits = WorkerLimits(seconds_per_file=1.0, memory_bytes=1024**3)
    with IngestWorker(_task, limits) as worker:
        first, second = worker.run(Path("a"), cancel), worker.run(Path("b"), cancel)
        assert first.split()[1] == second.split()[1]  # one child for many files
        with pytest.raises(MachineError, match="code 7"):
            worker.run(Path("crash"), cancel)
        with pytest.raises(MachineError, match="temps permis"):
            worker.run(Path("hang"), cancel)
        with pytest.raises(MachineError, match="mémoire"):
            worker.run(Path("hungry"), cancel)
        with pytest.raises(BadFileError, match="exprès"):
            worker.run(Path("refuse"), cancel)
        with pytest.raises(BadFileError, match="lecture impossible"):
            worker.run(Path("bug"), cancel)
        assert worker.run(Path("c"), cancel).startswith("c ")


_READS_FOR_EVER = """
from pathlib import Path
import sys
from ancremed_desktop.corpus.ingest_worker import IngestWorker
from ancremed_desktop.domain.events import CancelToken

def task(path):
    number = 0
    while True:
        number += 1
        path.write_text(str(number))

if __name__ == "__main__":
    with IngestWorker(task) as worker:
        worker.run(Path(sys.argv[1]), CancelToken())
"""


def test_the_child_ends_with_a_killed_parent(tmp_path: Path) -> None:
    script, pulse = tmp_path / "reads.py", tmp_path / "pulse"
    script.write_text(_READS_FOR_EVER, "utf-8")
    root = str(Path(__file__).parents[3])
    parent = subprocess.Popen(
        [sys.executable, str(script), str(pulse)], env={**os.environ, "PYTHONPATH": root}
    )
    try:
        deadline = time.monotonic() + 60
        while not pulse.exists():
            assert time.monotonic() < deadline
            time.sleep(0.05)
    finally:
        parent.kill()
        parent.wait()
    time.sleep(2)
    last = pulse.stat().st_mtime_ns
    time.sleep(1)
    assert pulse.stat().st_mtime_ns == last


def test_cancel_stops_the_reading(tmp_path: Path) -> None:
    draw(tmp_path / "a.pdf", "Asthme de l'adulte", "La dose usuelle est de 20 mg.")
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        list(read_has(tmp_path, ignore_progress, cancel))
