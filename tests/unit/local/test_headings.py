"""A heading is no beginning of the sentence under it, in text and in PDF."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.drawn_pdf import Drawn

from ancremed_desktop.corpus.local.document import read_file
from ancremed_desktop.corpus.local.plain_text import plain_pieces

DOSE = "Donner 5 mg de bisoprolol chaque matin au réveil chez l'adulte."
WRAPPED = (
    "Le traitement du malade repose sur l'association de\n"
    "Bisoprolol et de repos, pendant la première semaine."
)


@pytest.mark.parametrize("between", ["\n", "\n\n", "\n=========\n", "\n---------\n\n"])
def test_a_line_over_a_sentence_is_a_heading(between: str) -> None:
    text = f"Protocole de service\n\nPosologie{between}{DOSE}\n\n2. Suivi{between}{DOSE}"
    found = [(piece.text, bool(piece.level)) for piece in plain_pieces(text)]
    assert found == [
        ("Protocole de service", True), ("Posologie", True), (DOSE, False),
        ("2. Suivi", True), (DOSE, False),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (WRAPPED, [WRAPPED.replace("\n", " ")]),
        ("1. Bisoprolol\n\n2. Digoxine\n\nFin.", ["1. Bisoprolol", "2. Digoxine", "Fin."]),
        ("Ne pas donner :\nBisoprolol\nFin", ["Ne pas donner :", "Bisoprolol Fin"]),
        ("Ne pas donner :\n\nBisoprolol\n\nFin.", ["Ne pas donner :", "Bisoprolol", "Fin."]),
    ],
)
def test_what_is_wrapped_listed_or_announced_is_no_heading(text: str, expected: list[str]) -> None:
    assert [piece.text for piece in plain_pieces(text) if not piece.level] == expected


def test_a_plain_line_of_a_pdf_is_a_paragraph_of_its_own(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.lines("Posologie", DOSE, "Elle est adaptée au malade par le senior.")
    drawn.lines(*WRAPPED.split("\n"))
    text = read_file(drawn.save(tmp_path / "x.pdf"))
    (page,) = text.pages
    assert [page.text[b.start : b.end] for b in page.blocks] == [
        "Posologie",
        f"{DOSE} Elle est adaptée au malade par le senior.",
        WRAPPED.replace("\n", " "),
    ]
