"""Pages of a PDF: nothing lost or past the margins, headings with what follows, bars at quotes."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pymupdf
import pytest
from PySide6.QtWidgets import QApplication

from ancremed_desktop.gui.printing import save_pdf

MARGIN = 20 / 25.4 * 72
"""Two centimetres, in points."""
SENTENCE = "La surveillance comporte un électrocardiogramme et une kaliémie chaque matin."


def quote(number: int, sentences: int, items: int = 0) -> str:
    listed = "".join(f"<li>Point {number}.{n} : {SENTENCE}</li>" for n in range(items))
    said = f"<p>Début {number}. {' '.join([SENTENCE] * sentences)} Fin {number}.</p>"
    return (
        f"<h2>Titre {number}</h2><blockquote>{said}<ul>{listed}</ul>"
        f'<p class="cite">[{number}] Source {number}</p></blockquote>'
    )


def page(body: str) -> str:
    style = (
        "blockquote{margin:10px 0 0 14px}blockquote p,ul{margin:0 0 3px}"
        "@media screen{blockquote{background:#00ff00}}"
    )
    return f"<html><head><style>{style}</style></head><body>{body}</body></html>"


def saved(tmp_path: Path, body: str) -> pymupdf.Document:
    target = tmp_path / "page.pdf"
    save_pdf(page(body), "question", target)
    return pymupdf.open(target)


def words_of(document: pymupdf.Document) -> str:
    text = "".join(page.get_text() for page in document)
    return " ".join(unicodedata.normalize("NFKC", text).split())


@pytest.mark.parametrize("sentences", [1, 3, 7, 60])
@pytest.mark.parametrize("items", [0, 2, 25])
def test_nothing_is_lost_nor_parted_from_its_heading(
    qapp: QApplication, tmp_path: Path, sentences: int, items: int
) -> None:
    body = "".join(quote(n, sentences, items) for n in range(1, 9))
    document = saved(tmp_path, f"{body}<h2>Sources</h2><ol><li>Premier</li><li>Dernier</li></ol>")
    text = words_of(document)
    for n in range(1, 9):
        wanted = [f"Titre {n}", f"Début {n}.", f"Fin {n}.", f"[{n}] Source {n}"]
        wanted += [f"Point {n}.{item} :" for item in range(items)]
        assert [words for words in wanted if words not in text] == []
    assert text.count("électrocardiogramme") == 8 * (sentences + items)
    assert "Premier" in text
    assert "Dernier" in text
    for sheet in document:
        *lines, _foot, _number = [line for line in sheet.get_text().splitlines() if line.strip()]
        assert not lines[-1].startswith(("Titre", "Sources"))
        if sentences < 60:
            assert not lines[0].startswith("["), "a quote is parted from its source"


def test_a_bar_stands_beside_each_quote_and_nothing_leaves_the_margins(
    qapp: QApplication, tmp_path: Path
) -> None:
    document = saved(tmp_path, "".join(quote(n, 12, 6) for n in range(1, 6)) + "<p>fin</p>")
    assert document.page_count > 1
    for sheet in document:
        drawn = [drawing["rect"] for drawing in sheet.get_drawings()]
        assert all(shape.width < 6 for shape in drawn), "a ground fills a quote"
        bars = [shape for shape in drawn if shape.height > 8]
        assert bars
        bottom = sheet.rect.height - MARGIN
        for bar in bars:
            assert bar.x0 == pytest.approx(MARGIN, abs=1)
            assert MARGIN - 1 <= bar.y0 < bar.y1 <= bottom + 1
        for x, y, right, low, text, *_ in sheet.get_text("blocks"):
            assert MARGIN - 1 <= x < right <= sheet.rect.width - MARGIN + 1, text
            assert y >= MARGIN - 1
            assert low <= bottom + 1 or "AncreMed" in text or "/" in text
            beside = any(bar.y0 - 2 <= y <= bar.y1 + 2 for bar in bars)
            assert "Titre" in text or beside == (x > MARGIN + 5) or low > bottom


def test_a_word_wider_than_the_page_is_cut_into_lines(qapp: QApplication, tmp_path: Path) -> None:
    document = saved(tmp_path, f"<blockquote><p>{'A' * 400}</p></blockquote>")
    assert words_of(document).count("A") == 400 + "AncreMed".count("A")


def test_quotes_that_all_announce_do_not_go_on_for_ever(qapp: QApplication, tmp_path: Path) -> None:
    listed = "".join(f"<li>{SENTENCE} Avec :</li>" for _ in range(80))
    document = saved(tmp_path, f"<h2>Titre</h2><blockquote><ul>{listed}</ul></blockquote>")
    assert words_of(document).count("Avec :") == 80


def test_each_page_names_the_question_and_its_number(qapp: QApplication, tmp_path: Path) -> None:
    document = saved(tmp_path, quote(1, 200))
    for number, sheet in enumerate(document, 1):
        text = sheet.get_text().replace("\u00a0", " ")
        assert "AncreMed – question" in text
        assert f"{number} / {document.page_count}" in text
