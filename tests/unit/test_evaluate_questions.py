"""Labelled questions are replayed and scored, and a bad line is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ancremed_desktop import app
from ancremed_desktop.cli import main as cli
from ancremed_desktop.errors import BadFileError
from ancremed_desktop.evaluation.questions import read_questions

ROWS = [
    {"id": "a", "question": "bonjour", "classe_primaire": "conversationnel",
     "sections_attendues": []},
    {"id": "b", "question": "Posologie du paracétamol",
     "classe_primaire": "pharmacologie_therapeutique", "sections_attendues": ["posologie"]},
    {"id": "c", "question": "Posologie du Xylotrémine",
     "classe_primaire": "pharmacologie_therapeutique", "sections_attendues": ["posologie"],
     "abstention_toujours": True},
    {"id": "d", "question": "Posologie du paracétamol",
     "classe_primaire": "calcul_clinique", "sections_attendues": ["formule"]},
    {"id": "e", "question": "Glasgow Y2 V3 M5", "classe_primaire": "calcul_clinique",
     "sections_attendues": ["formule", "interprétation"]},
]  # fmt: skip


def test_the_table_counts_what_happened(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(json.dumps(r) for r in ROWS), "utf-8")
    assert cli.run(["evaluate", "questions", str(path)], app.toolbox()) == 0
    printed = capsys.readouterr().out
    counts = {line[:46].strip(): line[46:].split()[0] for line in printed.splitlines()[:9]}
    assert counts == {
        "classe primaire juste": "4/5",
        "classe secondaire juste": "5/5",
        "sections prévues retrouvées au plan": "4/5",
        "sections prévues avec un extrait": "3/5",
        "sections prévues avec extrait ou calcul": "3/5",
        "questions médicales avec réponse": "3/4",
        "questions médicales prises pour conversation": "0/4",
        "hors corpus non répondues": "1/1",
        "entités absentes non répondues": "1/1",
    }
    assert "d : pharmacologie_therapeutique au lieu de calcul_clinique" in printed


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(json.dumps(ROWS[0]) + "\n{\n", "utf-8")
    with pytest.raises(BadFileError, match="ligne 2"):
        read_questions(path)
