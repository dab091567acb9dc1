"""Two editions of a document have one name."""

from __future__ import annotations

import pytest

from ancremed_desktop.text.dates import work_of


@pytest.mark.parametrize(
    "title",
    [
        "Protocole douleur 2019", "Protocole_douleur_2023-04", "Protocole douleur v2",
        "Protocole douleur – version 3.1 du 12/03/2024", "Protocole douleur (1)",
        "Ancien protocole douleur", "Protocole douleur du 6 avril 2023", "PROTOCOLE DOULEUR",
    ],
)  # fmt: skip
def test_dates_and_versions_are_no_part_of_a_name(title: str) -> None:
    assert work_of(title) == "protocole douleur"


def test_other_numbers_and_words_are() -> None:
    assert work_of("Chapitre 12") != work_of("Chapitre 13")
    assert work_of("Vitamine B12") == "vitamine b12"
    assert work_of("Douleur de l’enfant") != work_of("Douleur")


def test_a_date_alone_names_nothing() -> None:
    assert work_of("2024-03") == ""
