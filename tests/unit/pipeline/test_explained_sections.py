"""What a disease is: said by what is filed as such or by prose, never by another section's facts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.memory_index import MemoryIndex, passage

from ancremed_desktop.domain.identifiers import PassageKind, Silo
from ancremed_desktop.pipeline.lexicon import load_lexicon
from ancremed_desktop.pipeline.plan import make_plan
from ancremed_desktop.pipeline.relevance import quotable
from ancremed_desktop.pipeline.understand import understand
from ancremed_desktop.settings.paths import RESOURCES

LEXICON = load_lexicon(RESOURCES / "lexicons")
TITLE = "Embolie pulmonaire"
FREQUENT = "L’embolie pulmonaire est fréquente après une chirurgie de la hanche."
INDEX = MemoryIndex([passage("EP", TITLE, "", FREQUENT, Silo.HAS)])
SUBJECT = make_plan(
    understand("Qu’est-ce que l’embolie pulmonaire ?", INDEX, LEXICON), INDEX, LEXICON
).subject


@pytest.mark.parametrize(
    ("section", "text", "kind", "filed", "taken"),
    [
        ("épidémiologie", "L’embolie pulmonaire est fréquente.", PassageKind.PROSE, "", True),
        ("épidémiologie", "L’embolie pulmonaire est fréquente.", PassageKind.PROSE, "signes", False),
        ("épidémiologie", "La dyspnée est le signe le plus fréquent de l’embolie pulmonaire.",
         PassageKind.PROSE, "", False),
        ("physiopathologie", "Une embolie pulmonaire provoquée par un voyage est traitée 3 mois.",
         PassageKind.PROSE, "", False),
        ("physiopathologie", "L’embolie pulmonaire entraîne une surcharge du ventricule droit.",
         PassageKind.PROSE, "", True),
        ("physiopathologie", "L’embolie pulmonaire entraîne une surcharge du ventricule droit.",
         PassageKind.EXAM_ANSWER, "", False),
        ("physiopathologie", "L’embolie pulmonaire entraîne une surcharge du ventricule droit.",
         PassageKind.EXAM_ANSWER, "physiopathologie", True),
    ],
)  # fmt: skip
def test_a_disease_is_explained_by_its_own(
    section: str, text: str, kind: PassageKind, filed: str, taken: bool
) -> None:
    found = replace(passage("EP", TITLE, "", text, Silo.HAS), kind=kind, section=filed)
    cues = LEXICON.sections[section]
    assert bool(quotable(found, section, cues, SUBJECT, widened=True)) is taken


@pytest.mark.parametrize(
    ("section", "text", "taken"),
    [
        ("définition", "L’embolie pulmonaire (EP) est une obstruction artérielle.", True),
        ("définition", "Par sa gravité, l’embolie pulmonaire est une urgence vitale.", True),
        ("définition", "On appelle embolie pulmonaire l’obstruction d’une artère.", True),
        ("définition", "La population cible correspond aux patients avec une embolie pulmonaire.",
         False),
        ("définition", "En cas d’embolie pulmonaire, le traitement est un anticoagulant.", False),
        ("physiopathologie", "Le mécanisme de l’embolie pulmonaire est la migration d’un caillot.",
         True),
        ("physiopathologie", "Ce traitement entraîne un risque de thrombose (embolie pulmonaire).",
         False),
        ("épidémiologie", "L’incidence de l’embolie pulmonaire augmente avec l’âge.", True),
        ("épidémiologie", "Le stérilet a une faible incidence de douleurs et peut être posé chez "
         "les femmes qui ont eu une embolie pulmonaire.", False),
    ],
)  # fmt: skip
def test_prose_explains_what_it_is_about(section: str, text: str, taken: bool) -> None:
    found = passage("DOC", "Document sur un autre sujet", "", text, Silo.HAS)
    cues = LEXICON.sections[section]
    assert bool(quotable(found, section, cues, SUBJECT, widened=True)) is taken


def test_a_list_explains_by_what_announces_it() -> None:
    items = "\n– l’embolie pulmonaire, responsable d’une dyspnée ;\n– la migration d’un implant."
    other = passage("DOC", "Contraception", "", f"Les risques sont :{items}", Silo.HAS)
    own = passage("DOC", "Contraception", "",
                  f"L’embolie pulmonaire est responsable de signes :{items}", Silo.HAS)  # fmt: skip
    cues = LEXICON.sections["physiopathologie"]
    assert not quotable(other, "physiopathologie", cues, SUBJECT, widened=True)
    assert quotable(own, "physiopathologie", cues, SUBJECT, widened=True)


def test_particular_cases_are_no_count_of_cases() -> None:
    found = replace(
        passage("EP", TITLE, "", "L’embolie pulmonaire est traitée.", Silo.HAS),
        heading="Cas particuliers",
    )
    cues = LEXICON.sections["épidémiologie"]
    assert not quotable(found, "épidémiologie", cues, SUBJECT, widened=True)


@pytest.mark.parametrize(
    ("question", "sections"),
    [
        ("Qu’est-ce que le diabète de type 2 ?", 4),
        ("Qu’est-ce que l’IRC stade 4 ?", 4),
        ("Quels types d’insuffisance rénale chronique ?", 1),
        ("Stades de l’insuffisance rénale chronique ?", 1),
    ],
)
def test_a_number_of_the_disease_is_no_classification(question: str, sections: int) -> None:
    names = ("Diabète de type 2", "Insuffisance rénale chronique stade 4", TITLE)
    index = MemoryIndex([passage(n[:5], n, "", f"{n}.", Silo.HAS) for n in names])
    plan = make_plan(understand(question, index, LEXICON), index, LEXICON)
    assert len(plan.sections) == sections


@pytest.mark.parametrize(
    "text",
    [
        "Au total, 7 082 patients à risque d’embolie pulmonaire ont été randomisés.",
        "L’objectif principal de l’étude sur l’embolie pulmonaire n’a pas été atteint.",
    ],
)
def test_how_a_trial_was_run_is_no_advice_even_where_it_is_filed(text: str) -> None:
    filed = passage("EP", TITLE, "dépistage et prévention", text, Silo.HAS)
    cues = LEXICON.sections["dépistage et prévention"]
    assert quotable(filed, "dépistage et prévention", cues, SUBJECT, widened=False) == ()
