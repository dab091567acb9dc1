"""Only a document that says so itself is cited as the HAS’s."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.drawn_pdf import Drawn

from ancremed_desktop.corpus.has.read import read_has
from ancremed_desktop.domain.documents import Source, SourceDocument
from ancremed_desktop.domain.events import CancelToken, ignore_progress

MENTION = "Selon la Haute Autorité de Santé et la commission de la transparence, le suivi est annuel, sans autre précision."


def _source(folder: Path, cover: str, date: str = "Mars 2020") -> Source:
    drawn = Drawn()
    drawn.lines(cover, size=12)
    drawn.lines("Asthme de l'adulte", size=24)
    drawn.lines(date, size=14)
    drawn.lines(MENTION, "La dose usuelle est de 20 mg par jour chez chaque patient adulte.")
    drawn.save(folder / "document.pdf")
    items = read_has(folder, ignore_progress, CancelToken())
    return next(item.source for item in items if isinstance(item, SourceDocument))


@pytest.mark.parametrize(
    ("cover", "date", "publisher"),
    [
        ("Haute Autorité de Santé", "Mars 2020", "HAS – Commission de la transparence"),
        ("www.has-sante.fr", "Mars 2020", "HAS – Commission de la transparence"),
        (
            "Société Française d’Anesthésie et de Réanimation".replace("’", "'"),
            "Mars 2020",
            "Société Française d'Anesthésie et de Réanimation",
        ),
        ("Notes de cours de Paul", "Mars 2020", "éditeur non identifié"),
        ("Société GUIDANT", "Mars 2020", "éditeur non identifié"),
    ],
)
def test_the_publisher_is_the_one_the_document_names(
    tmp_path: Path, cover: str, date: str, publisher: str
) -> None:
    source = _source(tmp_path, cover, date)
    assert source.publisher == publisher
    assert ("HAS" in source.licence) == publisher.startswith("HAS")
