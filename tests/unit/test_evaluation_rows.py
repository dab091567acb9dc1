"""A line that is no row names its file, its number, the reason and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from ancremed_desktop.errors import BadFileError
from ancremed_desktop.evaluation.questions import read_questions

_GOOD = '{"id": "1", "question": "?", "classe_primaire": "x", "sections_attendues": []}'


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"id": "1"}', "le champ « question » manque"),
        ("{", "ce n’est pas un objet JSON (colonne 2)"),
        ("[1]", "le contenu n’est pas celui attendu"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(f"{_GOOD}\n\n{line}\n", "utf-8")
    with pytest.raises(BadFileError) as caught:
        read_questions(path)
    assert str(caught.value).startswith(f"« {path} », ligne 3 : {reason}")
    assert str(caught.value).endswith("Corrigez ou retirez cette ligne.")


@pytest.mark.parametrize(("content", "reason"), [(None, "illisible"), (b"\xe9\n", "UTF-8")])
def test_a_file_that_cannot_be_read(tmp_path: Path, content: bytes | None, reason: str) -> None:
    path = tmp_path / "questions.jsonl"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadFileError, match=reason):
        read_questions(path)
