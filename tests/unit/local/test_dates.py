"""A document is dated by what it says of itself, before its file name and its properties."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import docx
import pytest
from fakes.drawn_pdf import Drawn

from ancremed_desktop.corpus.local.read import read_local
from ancremed_desktop.corpus.stated_date import stated_date
from ancremed_desktop.domain.documents import Source, SourceDocument
from ancremed_desktop.domain.events import CancelToken, ignore_progress

SAID = "Le bilan du malade est fait chaque matin."


@pytest.mark.parametrize(
    ("line", "date"),
    [
        ("Mis à jour le 12 mars 2024", "2024-03-12"),
        ("Version 3 – mise à jour : 05/06/2023", "2023-06-05"),
        ("Service de réanimation – révisée le 03/02/2021", "2021-02-03"),
        ("V2 – Date d’application : 01/09/2022", "2022-09-01"),
        ("Version 2.1 (06/2023)", "2023-06"),
        ("Document mis à jour en mai 2021", "2021-05"),
        ("Version du 1er avril 2020", "2020-04-01"),
        ("Date de dernière révision : 2023-04-06", "2023-04-06"),
        ("Validé le 3 sept. 2019 par le comité", "2019-09-03"),
        ("Édition 2022", "2022"),
        ("Prochaine révision : 2027", ""),
        ("Recommandations (HAS, mise à jour 2017)", ""),
        ("Date de naissance : 03/04/1950", ""),
        ("Mise à jour du dossier, patient né en 1950", ""),
        ("Document créé pour le malade né le 12/03/1950", ""),
        ("Validé sur les données de 1998", ""),
        ("Le traitement est modifié en 2012.", ""),
        ("Mis à jour le 12/13/2021", ""),
    ],
)
def test_what_states_the_date(line: str, date: str) -> None:
    assert stated_date([SAID, line]) == (date, line if date else "")


def test_the_latest_update_wins_over_the_day_it_was_made() -> None:
    lines = ["Rédigé le 5 mai 2025", "Mis à jour le 4 mars 2019", "Mis à jour le 6 avril 2023"]
    assert stated_date(lines)[0] == "2023-04-06"


def _source(path: Path) -> Source:
    items = read_local(path, ignore_progress, CancelToken())
    (document,) = (item for item in items if isinstance(item, SourceDocument))
    return document.source


def _word(path: Path, *, body: str = SAID, footer: str = "") -> Path:
    document = docx.Document()
    document.add_paragraph(SAID)
    document.add_paragraph(body)
    if footer:
        document.sections[0].footer.paragraphs[0].text = footer
    document.core_properties.modified = datetime(2013, 12, 23)
    document.save(str(path))
    return path


@pytest.mark.parametrize(
    ("name", "body", "footer", "date", "found"),
    [
        ("2020-01.docx", "Mis à jour le 12 mars 2024", "", "2024-03-12", "écrite dans le document"),
        ("2020-01.docx", SAID, "Version du 12/03/2024", "2024-03-12", "écrite dans le document"),
        ("2020-01.docx", SAID, "", "2020-01", "nom du fichier"),
        ("x.docx", SAID, "", "2013-12-23", "propriétés du fichier"),
    ],
)
def test_a_word_file_says_which_date_was_taken(
    tmp_path: Path, name: str, body: str, footer: str, date: str, found: str
) -> None:
    source = _source(_word(tmp_path / name, body=body, footer=footer))
    assert source.regulatory_date == date
    assert found in dict(source.details)["date"]


def test_a_pdf_is_dated_by_its_foot(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.lines(SAID)
    drawn.at(60, 820, "Version 4 – révisée le 02/05/2022", 8)
    assert _source(drawn.save(tmp_path / "x.pdf")).regulatory_date == "2022-05-02"
