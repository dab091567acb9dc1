"""What is about a document itself is never quoted as a clinical answer."""

from __future__ import annotations

import pytest
from fakes.memory_index import passage

from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.domain.plans import Concept, Subject
from ancremed_desktop.pipeline.bearing import is_named_formula
from ancremed_desktop.pipeline.holding import without_subject
from ancremed_desktop.pipeline.paperwork import is_about_the_document, is_paperwork
from ancremed_desktop.text.normalise import fold


@pytest.mark.parametrize(
    "heading",
    [
        "Hémorragies du post-partum immédiat : méthode utilisée et questions abordées > F. Goffinet",
        "Guide > 1.3 Aspects méthodologiques",
        "Groupe de travail",
        "Participants au groupe de lecture",
        "Annexe 11. Références",
        "Références bibliographiques",
        "Liste des abréviations",
        "Principales abréviations utilisées",
        "Méthode",
        "Fiche descriptive",
        "Niveau de preuve selon l’ESC",
    ],
)
def test_headings_over_how_a_document_was_made(heading: str) -> None:
    assert is_about_the_document(heading)


@pytest.mark.parametrize(
    "heading",
    [
        "Méthodes contraceptives",
        "Méthodes utilisables",
        "Méthodes invasives",
        "Figure 1. Tableau 8 : méthode de calcul du score CHA2DS2-VASc",
        "Contexte",
        "Préambule",
        "Annexe 12. Diurétiques dans l’IC",
        "Valeurs de référence et seuils",
        "Traitement de référence",
        "Examens de référence",
    ],
)
def test_headings_over_what_is_done(heading: str) -> None:
    assert not is_about_the_document(heading)


@pytest.mark.parametrize(
    ("text", "paperwork"),
    [
        ("Figure 2 Prise en charge d’une hémorragie qui persiste.", True),
        ("Tableau IV : posologies.", True),
        ("Nom du patient : ________", True),
        ("Chaque médicament n’est concerné que dans le cadre précis de son AMM.", True),
        ("Une prescription hors AMM engage la seule responsabilité du prescripteur.", True),
        ("La figure de Quincke régresse.", False),
        ("Le tableau clinique associe fièvre et frissons.", False),
        ("L’annexe utérine est palpée.", False),
    ],
)
def test_captions_and_forms(text: str, paperwork: bool) -> None:
    assert is_paperwork(fold(text)) is paperwork


def test_words_of_the_subject_say_no_section() -> None:
    asked = Subject(label="", words=(), concepts=(Concept(phrases=("post partum immediat",)),))
    heading = fold("Hémorragies du post-partum immédiat : surveillance")
    assert "immediat" not in without_subject(heading, asked)
    assert "surveillance" in without_subject(heading, asked)


def test_a_formula_named_need_not_speak_of_the_patient() -> None:
    card = passage("FORM-apgar", "Score d’Apgar", "formule", "", silo=Silo.FORMULAS)
    named = Concept(phrases=("apgar",), identifiers=("FORM-apgar",))
    other = Concept(phrases=("nouveau ne",))
    assert is_named_formula(card, Subject(label="", words=(), concepts=(named, other)))
    assert not is_named_formula(card, Subject(label="", words=(), concepts=(other,)))
