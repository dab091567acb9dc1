"""A model's plan is used when it is a plan; else, and whatever happens, the rules' plan is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes import clinic
from fakes.memory_index import MemoryIndex, passage
from fakes.scripted_model import Said, Scripted

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.evidence import SearchHit, SearchRequest
from ancremed_desktop.domain.identifiers import TopicClass
from ancremed_desktop.domain.plans import PlanMode, Question, RetrievalPlan, SubQuery
from ancremed_desktop.errors import (
    Cancelled,
    InvalidReplyError,
    ModelTimeoutError,
    ModelUnavailableError,
)
from ancremed_desktop.pipeline.deep_search import deep_search, search_again
from ancremed_desktop.pipeline.model_call import ModelWork
from ancremed_desktop.pipeline.model_gap import reformulations
from ancremed_desktop.pipeline.model_plan import model_plan
from ancremed_desktop.pipeline.plan import make_plan
from ancremed_desktop.pipeline.understand import understand

RAW = "Parle-moi de la fibrillation atriale"
GOOD = {
    "classe": "semiologie_cas_clinique",
    "classe_secondaire": "definition_item_edn",
    "sections": ["signes", "définition"],
    "recherches": [{"section": "signes", "mots": "palpitations dyspnée"}],
}


def _planned(raw: str = RAW, found: MemoryIndex | None = None) -> tuple[Question, RetrievalPlan]:
    index = found or clinic.index()
    question = understand(raw, index, clinic.lexicon())
    return question, make_plan(question, index, clinic.lexicon())


def _by_model(
    reply: Said, raw: str = RAW
) -> tuple[RetrievalPlan, RetrievalPlan, tuple[SubQuery, ...], ModelWork]:
    question, rules = _planned(raw)
    work = ModelWork()
    plan, queries = model_plan(
        question, rules, Scripted(planner=[reply]), clinic.prompts().planner, work, CancelToken()
    )
    return rules, plan, queries, work


def test_classes_sections_and_searches_are_the_models() -> None:
    rules, plan, queries, work = _by_model(GOOD)
    assert (plan.primary_class, plan.secondary_class) == (
        TopicClass.SEMIOLOGY,
        TopicClass.DEFINITION,
    )
    assert plan.mode is PlanMode.TARGETED
    assert plan.sections == ("définition", "signes")  # display order
    assert queries == (SubQuery(section="signes", query="palpitations dyspnée"),)
    assert queries[0] in plan.sub_queries
    assert plan.subject == rules.subject
    assert [(u.role, u.outcome, u.cost_usd) for u in work.uses] == [("planner", "ok", 0.25)]


@pytest.mark.parametrize(
    "change",
    [
        {"classe": "conversationnel"},
        {"classe": "autre"},
        {"classe": "calcul_clinique"},
        {"classe_secondaire": "semiologie_cas_clinique"},
        {"classe_secondaire": "inconnue"},
        {"sections": ["posologie"]},
        {"sections": ["inventée"]},
    ],
)
def test_what_is_no_plan_leaves_the_rules_plan(change: dict[str, object]) -> None:
    rules, plan, queries, _work = _by_model({**GOOD, **change})
    assert plan is rules
    assert queries == ()


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (ModelTimeoutError("trop long"), "late"),
        (InvalidReplyError("coupée"), "invalid"),
        (ModelUnavailableError("absent"), "unavailable"),
        (RuntimeError("une panne"), "fault"),
    ],
)
def test_a_fault_leaves_the_rules_plan_and_is_recorded(error: Exception, outcome: str) -> None:
    rules, plan, _queries, work = _by_model(error)
    assert plan is rules
    assert [u.outcome for u in work.uses] == [outcome]


def test_a_stop_is_not_a_fault() -> None:
    with pytest.raises(Cancelled):
        _by_model(Cancelled("arrêt"))


def test_a_section_named_by_the_user_is_kept() -> None:
    reply = {**GOOD, "classe_secondaire": "aucune", "sections": ["gravité"], "recherches": []}
    _rules, plan, _queries, _work = _by_model(reply, "Signes de la fibrillation atriale ?")
    assert plan.sections == ("signes", "gravité")


def test_searches_for_other_sections_or_without_words_are_left_out() -> None:
    searches = [
        {"section": "posologie", "mots": "dose"},
        {"section": "signes", "mots": "et de la"},
        {"section": "signes", "mots": "palpitations"},
        {"section": "signes", "mots": "palpitations"},
    ]
    _rules, _plan, queries, _work = _by_model({**GOOD, "recherches": searches})
    assert queries == (SubQuery(section="signes", query="palpitations"),)


def test_a_prompt_that_is_too_long_is_not_sent() -> None:
    question, rules = _planned()
    long = replace(question, text="fibrillation atriale " * 300)
    work = ModelWork()
    model = Scripted(planner=[GOOD])
    plan, _queries = model_plan(long, rules, model, clinic.prompts().planner, work, CancelToken())
    assert plan is rules
    assert model.requests == []
    assert [u.outcome for u in work.uses] == ["too_long"]


class _Unfound(MemoryIndex):
    """An index whose searches find only what holds « palpitations »."""

    def search(self, request: SearchRequest) -> tuple[SearchHit, ...]:
        return super().search(request) if "palpitations" in request.query else ()


def _hidden() -> _Unfound:
    """Signs that no search by the words of the question finds."""
    signs = "Les palpitations sont un signe de fibrillation atriale."
    return _Unfound(
        [
            passage("EDN-232", clinic.TITLE, "définition", clinic.DEFINITION),
            passage("EDN-999", "Palpitations", "", signs),
        ],
        names={"fibrillation atriale": ("EDN-232",)},
    )


def test_the_gap_is_asked_only_where_widening_found_nothing() -> None:
    found = _hidden()
    question, plan = _planned("Signes de la fibrillation atriale ?", found)
    cues, cancel = clinic.lexicon().sections, CancelToken()
    evidence = deep_search(plan, found, cues, cancel)
    assert [s.covered for s in evidence.sections] == [False]
    model = Scripted(gap=[{"recherches": [{"section": "signes", "mots": "palpitations"}]}])
    work = ModelWork()
    more = reformulations(question, evidence, model, clinic.prompts().gap, work, cancel)
    wider = search_again(plan, evidence, more, found, cues, cancel)
    assert [s.covered for s in wider.sections] == [True]
    assert len(wider.rounds) == len(evidence.rounds) + 1
    assert wider.rounds[-1].queries[-1].query == "palpitations"
    assert reformulations(question, wider, model, clinic.prompts().gap, work, cancel) == ()
    assert len(model.requests) == 1


def test_a_search_off_the_subject_adds_nothing() -> None:
    found = _hidden()
    _question, plan = _planned("Signes de l’hypertension portale ?", found)
    evidence = deep_search(plan, found, clinic.lexicon().sections, CancelToken())
    query = SubQuery(section="signes", query="palpitations")
    wider = search_again(plan, evidence, (query,), found, clinic.lexicon().sections, CancelToken())
    assert not any(s.hits for s in wider.sections)


def test_a_subject_off_the_corpus_is_never_put_to_a_model() -> None:
    index = clinic.index()
    question, plan = _planned("Posologie du xylotrémine", index)
    evidence = deep_search(plan, index, clinic.lexicon().sections, CancelToken())
    assert evidence.off_corpus
    model = Scripted(gap=[])
    work = ModelWork()
    gap = clinic.prompts().gap
    assert reformulations(question, evidence, model, gap, work, CancelToken()) == ()
    assert work.uses == []
