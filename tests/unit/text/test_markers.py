"""Headings under which nothing holds, and sentences that take back the one before them."""

from __future__ import annotations

import pytest

from ancremed_desktop.text.announcing import excepts
from ancremed_desktop.text.markers import heading_mark, unquotable_spans


@pytest.mark.parametrize(
    "heading",
    [
        "PROTOCOLE ANNULÉ", "Protocole annulé > Surveillance", "Chez le chien > Posologie",
        "Idées reçues", "Vrai ou faux", "Projet (non validé)", "Version précédente",
        "Posologie > Ne plus appliquer", "Usage vétérinaire", "Brouillon", "Faux",
        "Erreurs relevées", "3. Erreurs relevées", "Trovamine > Les erreurs constatées > Adulte",
        "Exemples d’erreurs", "Contre-exemple",
    ],
)  # fmt: skip
def test_nothing_is_quoted_under_a_heading_that_takes_it_back(heading: str) -> None:
    assert heading_mark(heading)
    text = "La dose est de 90 mg par jour."
    assert [span[:2] for span in unquotable_spans(text, heading)] == [(0, len(text))]


@pytest.mark.parametrize(
    "heading",
    [
        "", "Posologie", "Antécédents de fausse couche", "Faux travail", "Projet de soins",
        "Projet thérapeutique > Objectifs", "Chez l’enfant", "Annulation de la curarisation",
        "Contre-indications > Chez le rachitique", "W01 Chute résultant de faux pas",
        "Erreurs innées du métabolisme", "Erreurs de réfraction", "Erreur systématique",
        "CIM-10 : Y63 Erreur de dosage",
    ],
)  # fmt: skip
def test_other_headings_take_nothing_back(heading: str) -> None:
    assert heading_mark(heading) == ""
    assert unquotable_spans("La dose est de 90 mg par jour.", heading) == ()


@pytest.mark.parametrize(
    ("sentence", "bounds"),
    [
        ("(Faux)", True), ("Non.", True), ("Cette phrase est erronée.", True),
        ("Ceci ne s’applique pas à l’adulte.", True), ("Toutefois, l’avis est pris.", True),
        ("Cette dose ne concerne que l’adulte.", True), ("Attention : ne pas suivre.", True),
        ("Elle n’est donnée qu’à l’hôpital.", True), ("Uniquement chez l’adulte.", True),
        ("Non fumeur, il est suivi.", False), ("Cette maladie est rare.", False),
        ("Elle est donnée le soir.", False), ("Le bilan est fait.", False),
    ],
)  # fmt: skip
def test_what_bounds_the_sentence_before_is_known(sentence: str, bounds: bool) -> None:
    assert excepts(sentence) is bounds
