"""Which sections a question leads to, beyond those it names."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.memory_index import MemoryIndex, passage

from ancremed_desktop.domain.identifiers import PassageKind, Silo
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
