"""A heading is no beginning of the sentence under it, in text and in PDF."""

from __future__ import annotations

from pathlib import Path

import docx
import pytest
from fakes.drawn_pdf import Drawn

from ancremed_desktop.corpus.local.document import read_file
from ancremed_desktop.corpus.local.plain_text import plain_pieces
from ancremed_desktop.corpus.local.read import read_local
from ancremed_desktop.domain.documents import SourceDocument
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.text.lists import statements

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


@pytest.mark.parametrize(
    "level",
    ["<p><b>{}</b></p>", "<p><strong><u>{}</u></strong></p>", "<h4>{}</h4>", "<p>{} :</p>"],
)
def test_absolute_and_relative_contraindications_are_told_apart(tmp_path: Path, level: str) -> None:
    path = tmp_path / "x.html"
    parts = "<h1>Fiche</h1><h2>Contre-indications</h2>"
    for name, item in (("Absolues", "grossesse en cours"), ("Relatives", "asthme ancien")):
        parts += f"{level.format(name)}<ul><li>{item}</li></ul>"
    path.write_text(f"<html><body>{parts}</body></html>", "utf-8")
    items = read_local(path, ignore_progress, CancelToken())
    (document,) = (item for item in items if isinstance(item, SourceDocument))
    quotes = [
        p.text[s.start : s.end] for p in document.passages for s in statements(p.text, p.heading)
    ]
    asthma = next(quote for quote in quotes if "asthme" in quote)
    assert "Relatives" in asthma
    assert "Absolues" in next(quote for quote in quotes if "grossesse" in quote)
    assert "Absolues" not in asthma or asthma.index("Relatives") < asthma.index("asthme")


@pytest.mark.parametrize("suffix", [".html", ".txt"])
def test_a_level_under_an_item_is_no_end_of_it(tmp_path: Path, suffix: str) -> None:
    lines = ["Absolues :", "- grossesse", "Relatives :", "- asthme"]
    path = tmp_path / f"x{suffix}"
    path.write_text(
        f"<p>{'<br>'.join(lines)}</p>" if suffix == ".html" else "\n".join(lines), "utf-8"
    )
    (page,) = read_file(path).pages
    assert page.text.split("\n\n") == lines


@pytest.mark.parametrize("suffix", [".docx", ".html", ".md"])
def test_a_bare_line_over_a_sentence_stays_above_it(tmp_path: Path, suffix: str) -> None:
    """« Enfant », then a dose: neither bold nor numbered, and not in the sentence."""
    lines = ["La dose dépend du malade.", "Enfant de plus d’un an", "Donner 15 mg de la poudre."]
    path = tmp_path / f"x{suffix}"
    if suffix == ".docx":
        document = docx.Document()
        for line in lines:
            document.add_paragraph(line)
        document.save(str(path))
    else:
        shown = "".join(f"<p>{x}</p>" for x in lines) if suffix == ".html" else "\n\n".join(lines)
        path.write_text(shown, "utf-8")
    (page,) = read_file(path).pages
    last = page.blocks[-1]
    assert page.text[last.start : last.end] == lines[2]
    assert last.heading == lines[1]


def test_names_and_orders_are_no_headings(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    lines = ["Amoxicilline", "Macrolides", "Arrêter la metformine", "Le bilan est refait demain."]
    path.write_text("\n\n".join(lines), "utf-8")
    (page,) = read_file(path).pages
    assert page.text.split("\n\n") == lines
