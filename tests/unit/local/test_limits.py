"""What no reader could read is refused at once; a long list says again what announces it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from ancremed_desktop.corpus.local.document import read_file
from ancremed_desktop.corpus.local.long_lists import Placed, repeated
from ancremed_desktop.corpus.local.model import Piece
from ancremed_desktop.errors import BadFileError

SENTENCE = "Le furosémide est donné à 40 mg par jour. "


def test_an_endless_line_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text(f"{SENTENCE * 900}\n\nLe reste du protocole est lu.", "utf-8")
    text = read_file(path)
    (refusal,) = text.refusals
    assert "20\u00a0000 caractères" in refusal.reason
    assert refusal.part.startswith("paragraphe «\u00a0Le furosémide est donné")
    assert len(refusal.part) < 120
    assert text.pages[0].text.endswith("Le reste du protocole est lu.")


def test_the_time_of_a_text_grows_as_it_does(tmp_path: Path) -> None:
    """Sixteen times the lines in less than forty times the time, in one run."""

    def spent(lines: int) -> float:
        path = tmp_path / f"{lines}.txt"
        path.write_text("- furosémide 40 mg par jour\n" * lines, "utf-8")
        started = time.process_time()
        read_file(path)
        return time.process_time() - started

    spent(100)
    assert spent(32_000) < 40 * max(spent(2_000), 0.05)


def test_a_text_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(b"a" * (10 * 1024 * 1024 + 1))
    with pytest.raises(BadFileError, match="10\u00a0Mo"):
        read_file(path)


def _placed(*lines: str) -> list[Placed]:
    pieces = [Piece(text=text.lstrip(), indent=text.count("  ")) for text in lines]
    return [(piece, ("Posologie",)) for piece in pieces]


def test_a_long_list_says_its_lead_in_and_the_items_around_again() -> None:
    long = "mot " * 200
    lines = ("Le choix est large. Ne pas donner :", "• un", f"  • {long}", f"  • deux {long}",
             f"  • trois {long}", "• quatre")  # fmt: skip
    said = [piece.text[:16].strip() for piece, _headings in repeated(_placed(*lines))]
    assert said == [
        "Le choix est lar", "• un", "• mot mot mot mo", "Ne pas donner :", "• un",
        "• deux mot mot m", "Ne pas donner :", "• un", "• trois mot mot", "• quatre",
    ]  # fmt: skip


def test_an_article_is_left_as_it_is() -> None:
    lines = ("Article 3 - Sont interdits :", *(f"{n}. {'mot ' * 100}" for n in range(9)))
    assert list(repeated(_placed(*lines))) == _placed(*lines)
