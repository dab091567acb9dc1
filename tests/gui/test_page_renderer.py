"""A page drawn with the quote located, and files that cannot be drawn."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest

from ancremed_desktop.errors import BadFileError
from ancremed_desktop.gui.page_renderer import WIDEST_PX, PageRequest, render_page


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "reco.pdf"
    document = pymupdf.open()
    for number in (1, 2):
        page = document.new_page(width=600, height=800)
        page.insert_text((60, 100), f"Page {number}.")
        page.insert_text((60, 200), "Une phrase coupée en")
        page.insert_text((60, 214), "deux lignes du document.")
    document.save(made)
    document.close()
    return made


def test_the_page_has_the_width_asked_and_its_marks(path: Path) -> None:
    quoted = "Une phrase coupée en deux lignes du document."
    image = render_page(PageRequest(path=path, number=2, width_px=1200, quoted=quoted))
    assert (image.width, image.height, image.pages) == (1200, 1600, 2)
    assert len(image.pixels) == image.stride * image.height
    assert len(image.marks) == 2
    left, top, width, height = image.marks[0]
    # The first line stands at x = 60 and on the base line y = 200, in points; twice in pixels.
    assert abs(left - 120) < 4
    assert top < 400 < top + height
    assert width > 200


def test_first_words_are_enough_and_absent_words_mark_nothing(path: Path) -> None:
    near = "Une phrase coupée en deux lignes autrement finies"
    assert render_page(PageRequest(path=path, number=1, width_px=300, quoted=near)).marks
    assert not render_page(PageRequest(path=path, number=1, width_px=300, quoted="zzz")).marks


def test_size_is_bounded(path: Path) -> None:
    image = render_page(PageRequest(path=path, number=1, width_px=1_000_000))
    assert image.width <= WIDEST_PX


def test_what_cannot_be_drawn_is_said_in_french(path: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "abime.pdf"
    damaged.write_bytes(b"%PDF-1.7 nothing")
    empty = tmp_path / "vide.pdf"
    empty.write_bytes(b"")
    locked = tmp_path / "ferme.pdf"
    with pymupdf.open(path) as document:
        document.save(locked, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="x", owner_pw="y")
    for bad, number, expected in (
        (tmp_path / "absent.pdf", 1, "n’est plus à sa place"),
        (damaged, 1, "n’est pas un PDF lisible"),
        (empty, 1, "n’est pas un PDF lisible"),
        (locked, 1, "mot de passe"),
        (path, 3, "2\u00a0pages"),
        (path, 0, "2\u00a0pages"),
    ):
        with pytest.raises(BadFileError, match=expected):
            render_page(PageRequest(path=bad, number=number, width_px=300))
