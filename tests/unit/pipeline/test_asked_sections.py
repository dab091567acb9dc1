"""Which sections a question leads to, beyond those it names."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.memory_index import MemoryIndex, passage

from ancremed_desktop.domain.identifiers import (
    FORMULA_SECTIONS,
    SECTIONS,
    PassageKind,
    Silo,
    TopicClass,
)
from ancremed_desktop.domain.plans import RetrievalPlan
from ancremed_desktop.pipeline import records
from ancremed_desktop.pipeline.asked_sections import OPTIONAL, REQUIRED
from ancremed_desktop.pipeline.intent import conversation_intent
from ancremed_desktop.pipeline.lexicon import load_lexicon
from ancremed_desktop.pipeline.plan import make_plan
from ancremed_desktop.pipeline.relevance import RECORD_SECTIONS
from ancremed_desktop.pipeline.understand import understand
from ancremed_desktop.settings.paths import RESOURCES
from ancremed_desktop.text.normalise import fold

LEXICON = load_lexicon(RESOURCES / "lexicons")
INDEX = MemoryIndex(
    [
        passage("EDN-900", "Fibrose testique", "première intention", "Du repos est prescrit."),
        passage("60000001", "Testamol", "posologie", "Le testamol est donné à 500 mg."),
        replace(
            passage("60000002", "MARQUAMOL 5 mg", "", "MARQUAMOL contient : x.", Silo.BDPM),
            kind=PassageKind.RECORD,
        ),
        replace(
            passage("HAS-peau", "Infections de la peau", "", "Une incision.", Silo.HAS),
            heading="Traitement > Panaris",
        ),
    ],
    names={
        "fibrose testique": ("EDN-900",),
        "testamol": ("60000001",),
        "marquamol": ("60000002",),
    },
)


def _plan(raw: str) -> RetrievalPlan:
    return make_plan(understand(raw, INDEX, LEXICON), INDEX, LEXICON)


def test_a_name_alone_shows_its_card_beside_what_its_class_requires() -> None:
    plan = _plan("la fibrose testique ?")
    assert plan.sections == (*REQUIRED[plan.primary_class], "première intention")


def test_everything_on_a_drug_names_every_section_it_may_have() -> None:
    plan = _plan("Tout sur le testamol")
    assert set(plan.sections) >= {*REQUIRED[plan.primary_class], *OPTIONAL[plan.primary_class]}


def test_a_pregnant_patient_is_no_section_where_no_drug_is_named() -> None:
    assert "grossesse et allaitement" not in _plan("Fibrose testique femme enceinte").sections
    assert "grossesse et allaitement" in _plan("Testamol et femme enceinte").sections


def test_a_duration_is_a_dose_only_of_something_given() -> None:
    assert "posologie" not in _plan("Durée de la fibrose testique").sections
    assert "posologie" in _plan("Durée du testamol").sections
    assert "posologie" in _plan("Durée du traitement de la fibrose testique").sections


def test_a_drug_that_nothing_describes_is_shown_by_its_record() -> None:
    plan = records.instead(_plan("marquamol"))
    assert plan is not None
    assert set(plan.sections) > RECORD_SECTIONS
    assert records.instead(_plan("posologie marquamol")) is None
    assert records.instead(_plan("fibrose testique")) is None


@pytest.mark.parametrize(("raw", "intent"), [("panaris", ""), ("tarte aux pommes", "hors_sujet")])
def test_the_words_of_a_heading_are_of_the_corpus(raw: str, intent: str) -> None:
    question = understand(raw, INDEX, LEXICON)
    assert conversation_intent(question, fold(raw), INDEX, LEXICON) == intent


def test_the_treatment_of_a_disease_shows_what_its_card_gives() -> None:
    plan = _plan("traitement de la fibrose testique")
    assert plan.sections == ("première intention", *REQUIRED[plan.primary_class])


_OF_A_CLASS = FORMULA_SECTIONS | {"conduite à tenir", "reconnaissance", "traitement"}
"""Sections whose name asks for the sections of a class (« conduite à tenir »)."""
_OF_DRUGS = {
    *REQUIRED[TopicClass.PHARMACOLOGY],
    *OPTIONAL[TopicClass.PHARMACOLOGY],
}


def _numbers(name: str) -> dict[str, None]:
    """A section's name as it is, in the singular and in the plural."""
    words = name.partition(" (")[0].split()
    one = (w.removesuffix("s") if len(w) > 3 else w for w in words)
    many = (w if len(w) <= 3 or w.endswith("s") else f"{w}s" for w in words)
    return dict.fromkeys((name, " ".join(one), " ".join(many)))


@pytest.mark.parametrize("section", SECTIONS)
def test_the_name_of_a_section_asks_for_it_and_is_no_subject(section: str) -> None:
    subject = "testamol" if section in _OF_DRUGS else "fibrose testique"
    for name in (section,) if "(" in section else _numbers(section):
        for raw in (f"{name} {subject}", f"{subject} {name}"):
            plan = _plan(raw)
            assert [c.phrases[0] for c in plan.subject.concepts] == [subject], raw
            assert section in plan.sections or section in _OF_A_CLASS, raw


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("ci", "contre-indication"),
        ("CI", "contre-indications"),
        ("EI", "effets indésirables"),
        ("iam", "interactions"),
        ("poso", "posologie"),
        ("SMR", "service médical rendu"),
    ],
)
def test_a_section_is_asked_alike_in_short_and_in_full(typed: str, written: str) -> None:
    for place in ("{} testamol", "testamol {}", "{} du testamol"):
        short, full = _plan(place.format(typed)), _plan(place.format(written))
        assert short.sections == full.sections
        assert [c.phrases[0] for c in short.subject.concepts] == ["testamol"]


@pytest.mark.parametrize(("typed", "written"), [("CAT", "conduite à tenir"), ("ttt", "traitement")])
def test_care_is_asked_alike_in_short_and_in_full(typed: str, written: str) -> None:
    short, full = _plan(f"{typed} fibrose testique"), _plan(f"{written} fibrose testique")
    assert short.sections == full.sections
    assert short.subject.concepts == full.subject.concepts


def test_an_acronym_that_is_also_a_disease_is_one_beside_a_section_or_without_a_drug() -> None:
    assert "effets indésirables" not in _plan("EI, posologie du testamol").sections
    assert "effets indésirables" not in _plan("EI fibrose testique").sections


def test_an_effect_by_its_common_name_is_no_subject() -> None:
    plan = _plan("effet secondaire testamol")
    assert plan.sections == ("effets indésirables",)
    assert [c.phrases[0] for c in plan.subject.concepts] == ["testamol"]
