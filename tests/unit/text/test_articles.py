"""Numbers of articles and sections in questions, references and headings."""

from __future__ import annotations

import pytest

from ancremed_desktop.text.articles import (
    asked_document,
    at_articles,
    label_of,
    opening_label,
    references,
    section_label,
    spoken,
)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("article 55", "art-55"),
        ("que dit l’article 55 du code civil ?", "art-55"),
        ("Art. 55-1", "art-55-1"),
        ("l'article 1er", "art-1"),
        ("article premier", "art-1"),
        ("l’article 55 bis", "art-55-bis"),
        ("que prévoit L. 1110-4 ?", "art-l1110-4"),
        ("article L1110-4 du code de la santé publique", "art-l1110-4"),
        ("article R. *4127-5", "art-r4127-5"),
        ("aux articles 70 ou 71", "art-70 art-71"),
        ("les articles 3, 5 et L. 1110-4", "art-3 art-5 art-l1110-4"),
        ("articles 214 et 215, et de l'article 371-1 du code", "art-214 art-215 art-371-1"),
        ("articles 98 à 98-2 et 99", "art-98..art-98-2 art-99"),
        ("voir §3.2 et la section 4.2", "sec-3.2 sec-4.2"),
        ("hernie discale L5-S1, stade 3, grade 2, L 4", ""),
        ("amoxicilline 50 mg/kg en 3 prises, 10 % des cas", ""),
    ],
)
def test_references_are_read(text: str, labels: str) -> None:
    found = [f"{r.label}..{r.through}" if r.through else r.label for r in references(text)]
    assert " ".join(found) == labels


@pytest.mark.parametrize(
    ("text", "document"),
    [
        ("que dit l’article 55 du code civil ?", "code civil"),
        ("l’article 99 du présent code, et", ""),
        ("article 5 de la loi de santé sur le tabac", "loi sante"),
        ("que dit l’article 55 sur les naissances ?", ""),
        ("section 4.2 du protocole de sédation", "protocole sedation"),
    ],
)
def test_the_document_of_a_reference_is_read(text: str, document: str) -> None:
    assert " ".join(references(text)[0].document) == document


def test_a_document_named_apart_is_read() -> None:
    assert asked_document("Dans le code civil, que dit l’article 55 ?") == ("code", "civil")
    assert asked_document("Que dit l’article 55 ?") == ()


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Article 55", "art-55"),
        ("ARTICLE 55 – Déclarations", "art-55"),
        ("Art. 55-1. Les naissances", "art-55-1"),
        ("Article 55 Les naissances", "art-55"),
        ("L. 1110-4 Toute personne", "art-l1110-4"),
        ("Article 55 du code civil s’applique", ""),
        ("Article 5, alinéa 2, prévoit", ""),
        ("Les articles 5 et 6", ""),
    ],
)
def test_what_opens_an_article(text: str, label: str) -> None:
    assert opening_label(text) == label


def test_sections_are_headings() -> None:
    assert section_label("4.2 Posologie") == "sec-4.2"
    assert section_label("§ 3.2") == "sec-3.2"
    assert section_label("2024, une année") == ""
    assert spoken("art-l1110-4") == "article L1110-4"
    assert label_of("urn:ancremed:local:DOC-x#0a1b2c3d-art-34-1-12") == "art-34-1"
    assert label_of("urn:ancremed:has:x#0a1b2c3d-p3-12") == ""


def test_a_paragraph_is_cut_at_the_articles_it_opens() -> None:
    text = "Première règle. Article 56 La suite. Art. 57. La fin, selon l’article 56 Bis."
    assert at_articles(text) == (
        "Première règle.",
        "Article 56 La suite.",
        "Art. 57. La fin, selon l’article 56 Bis.",
    )
