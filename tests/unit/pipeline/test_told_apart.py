"""Codes, exam answers and extracts about some patients alone are told from what answers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.memory_index import MemoryIndex, passage

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.evidence import SearchHit
from ancremed_desktop.domain.identifiers import PassageKind, Silo, TopicClass
from ancremed_desktop.domain.spans import DraftAssertion, DraftSpan
from ancremed_desktop.pipeline.deep_search import deep_search, may_answer
from ancremed_desktop.pipeline.generate import ExtractiveGenerator
from ancremed_desktop.pipeline.lexicon import load_lexicon
from ancremed_desktop.pipeline.plan import make_plan
from ancremed_desktop.pipeline.understand import understand
from ancremed_desktop.settings.paths import RESOURCES
from ancremed_desktop.text.narrative import narrative_leaks
from ancremed_desktop.text.words import holds_word, stems

LEXICON = load_lexicon(RESOURCES / "lexicons")
CODE = passage(
    "CIM10-J45",
    "CIM-10 : J45",
    "classification",
    "J45.0 – Asthme à prédominance allergique.",
    Silo.EDN,
)
EXAM = replace(
    passage("EDN-188", "Asthme", "traitement", "Le traitement de l’asthme est exact.", Silo.EDN),
    kind=PassageKind.EXAM_ANSWER,
    urn="urn:ancremed:edn:exam",
)
ADULT = passage("F-1", "Asthme", "traitement", "L’asthme de l’adulte reçoit un corticoïde.")
CHILD = passage("F-2", "Asthme de l’enfant", "traitement", "L’asthme de l’enfant est suivi.")
NAMES: dict[str, tuple[str, ...]] = {"asthme": ("F-1", "F-2", "EDN-188", "CIM10-J45")}


def _spans(question: str) -> tuple[DraftSpan, ...]:
    index = MemoryIndex([EXAM, CODE, CHILD, ADULT], names=NAMES)
    asked = understand(question, index, LEXICON)
    plan = make_plan(asked, index, LEXICON)
    found = deep_search(plan, index, LEXICON.sections, CancelToken())
    generator = ExtractiveGenerator(LEXICON.sections, lambda _text: False)
    return generator.generate(asked, plan, found, CancelToken())


def _said(question: str) -> list[str]:
    return [s.text for s in _spans(question) if isinstance(s, DraftAssertion)]


@pytest.mark.parametrize("question", ["code CIM-10 de l’asthme", "coder un asthme", "J45"])
def test_a_code_answers_where_a_code_is_asked(question: str) -> None:
    index = MemoryIndex([CODE], names={**NAMES, "j45": ("CIM10-J45",)})
    asked = understand(question, index, LEXICON)
    plan = make_plan(asked, index, LEXICON)
    found = deep_search(plan, index, LEXICON.sections, CancelToken())
    assert [h.passage.urn for s in found.sections for h in s.hits] == [CODE.urn]


def test_a_code_answers_nothing_else() -> None:
    assert not any(CODE.text in said for said in _said("asthme"))
    assert not any(CODE.text in said for said in _said("classification de l’asthme"))


def test_an_exam_answer_stands_last_behind_a_line_that_says_so() -> None:
    spans = [s for s in _spans("asthme") if s.section == "traitement"]
    texts = [getattr(s, "text", "") for s in spans]
    assert texts[0] == ADULT.text
    assert texts[-1] == EXAM.text
    assert "annales d’examen" in texts[-2]
    assert narrative_leaks(texts[-2]) == ()  # the gate shows it


def test_extracts_about_some_patients_stand_behind_a_line_that_names_them() -> None:
    spans = [getattr(s, "text", "") for s in _spans("asthme") if s.section == "traitement"]
    at = spans.index(CHILD.text)
    assert spans[at - 1] == (
        "Les extraits qui suivent viennent d’une source qui porte sur : enfant."
    )
    assert spans.index(ADULT.text) < at


@pytest.mark.parametrize(
    ("text", "word", "held"),
    [
        ("La protéinurie de Bence-Jones", "jones", False),
        ("La protéinurie de Bence-Jones", "bence-jones", True),
        ("Le syndrome de Wolff-Parkinson-White", "parkinson", False),
        ("Le score de Child-Pugh", "child", True),
        ("Un anti-inflammatoire", "inflammatoire", True),
        ("Le sus-décalage", "decalage", True),
    ],
)
def test_the_second_of_two_persons_is_not_another(text: str, word: str, held: bool) -> None:
    assert holds_word(stems((text,)), word) is held


@pytest.mark.parametrize(
    ("section", "answers"), [("mécanisme et pharmacocinétique", True), ("posologie", False)]
)
def test_an_exam_answer_says_how_a_drug_works_never_its_dose(section: str, answers: bool) -> None:
    index = MemoryIndex([EXAM])
    asked = understand("asthme", index, LEXICON)
    plan = replace(
        make_plan(asked, index, LEXICON),
        primary_class=TopicClass.PHARMACOLOGY,
        sections=(section,),
    )
    assert may_answer(SearchHit(passage=EXAM, score=1.0), plan) is answers
