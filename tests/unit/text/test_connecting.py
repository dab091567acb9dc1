"""Connecting text announces; whatever it says of medicine, even by a word, makes it none."""

from __future__ import annotations

import pytest

from ancremed_desktop.text.connecting import connects

ABOUT = "fibrillation atriale signes"


@pytest.mark.parametrize(
    "text",
    [
        "Voici les signes décrits par la source.",
        "Les signes de la fibrillation atriale sont décrits ci-dessous.",
        "La source distingue plusieurs situations, présentées dans l’ordre.",
        "Selon les sources, les points suivants concernent la fibrillation atriale :",
        "Les éléments sont regroupés ainsi.",
        "Ensuite, la source détaille les autres signes.",
    ],
)
def test_what_announces_connects(text: str) -> None:
    assert connects(text, ABOUT)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "…",
        "La fibrillation atriale est une urgence.",
        "La fibrillation atriale est fréquente.",
        "Les signes sont absents.",
        "Aucun signe.",
        "Il faut voir les signes.",
        "Les signes ne sont pas décrits.",
        "Voici les 3 signes décrits par la source.",
        "Voici les signes, sauf la fibrillation atriale.",
        "Voici la dose décrite par la source.",
        "Voici la source : www.exemple.com",
    ],
)
def test_what_says_something_does_not(text: str) -> None:
    assert not connects(text, ABOUT)
