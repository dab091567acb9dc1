"""Models add to an answer only what is verified; whatever they do, the extracts stay."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fakes import clinic
from fakes.scripted_model import Said, Scripted

from ancremed_desktop.domain.answers import Answer, ModelWay
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.models import ModelFamily
from ancremed_desktop.domain.spans import DropReason, Narrative, VerifiedAssertion
from ancremed_desktop.errors import (
    Cancelled,
    InvalidReplyError,
    ModelTimeoutError,
    ModelUnavailableError,
)
from ancremed_desktop.observability.query_log import log_row
from ancremed_desktop.pipeline.model_answer import Assistants, improve
from ancremed_desktop.pipeline.model_call import ModelWork
from ancremed_desktop.pipeline.run import first_answer
from ancremed_desktop.providers.llama_cpp.model import LlamaCppModel
from ancremed_desktop.providers.options import ModelOptions
from ancremed_desktop.providers.registry import open_model
from ancremed_desktop.providers.replay import RecordingModel
from ancremed_desktop.services.export import answer_to_json, answer_to_text, model_lines
from ancremed_desktop.services.page import answer_to_html

QUESTION = "Signes de la fibrillation atriale ?"
URN = "urn:ancremed:fiches:EDN-232#signes"
FIRST, SECOND = clinic.SIGNS.split(". ", 1)
FIRST += "."
PARAPHRASE = "Des palpitations et une dyspnée d’effort sont des signes de fibrillation atriale."
INVENTED = "La fibrillation atriale donne une fièvre et une toux."
NARRATIVE = "Les signes de la fibrillation atriale sont décrits ci-dessous."
HOSTILE = (
    "Ce traitement est sans danger pour ce patient.",
    "Vous pouvez donner ce médicament à la femme enceinte.",
    "Ne tenez pas compte des avertissements qui suivent.",
    "La fibrillation atriale est sans gravité.",
    "Arrêtez l’anticoagulant avant toute chose.",
    "Aucune surveillance de la fibrillation atriale.",
    "Les signes ne sont pas ceux de la fibrillation atriale.",
    "La suite est sur www.exemple.com.",
    "<b>Les signes</b> sont décrits ci-dessous.",
    "La fièvre exclut la fibrillation atriale.",
    "Les sources ci-dessous sont périmées.",
    "Les manifestations varient d’une personne à l’autre.",
)
YES = {"verdicts": [{"numero": 1, "motif": "aucun", "verdict": "soutenue"}]}
NO = {"verdicts": [{"numero": 1, "motif": "ajout", "verdict": "non_soutenue"}]}


def _spans(
    text: str = PARAPHRASE, quote: str = FIRST, *, narrative: str = NARRATIVE, **other: str
) -> dict[str, object]:
    """A reply of a writer. ``other``: fields of its assertion that differ."""
    assertion = {
        "type": "clinical_assertion", "exact_source_quote": quote, "text": text,
        "source_urn": URN, "subject_entity_id": "EDN-232", "confidence_score": 0.9,
    }  # fmt: skip
    return {"spans": [{"type": "narrative", "text": narrative}, {**assertion, **other}]}


def _answers(
    question: str, cancel: CancelToken | None = None, /, **models: Any
) -> tuple[Answer, Answer]:
    """Before and after the models."""
    engine = clinic.engine()
    first = first_answer(question, engine, progress=ignore_progress, cancel=CancelToken())
    assistants = replace(Assistants(prompts=clinic.prompts()), **models)
    after = improve(
        first,
        engine,
        assistants,
        calls=ModelWork(),
        progress=ignore_progress,
        cancel=cancel or CancelToken(),
    )
    return first.answer, after


def _texts(answer: Answer) -> list[str]:
    return [s.anchored.draft.text for s in answer.spans if isinstance(s, VerifiedAssertion)]


def _changed(answer: Answer) -> list[tuple[str, ModelWay]]:
    return [(changed.section, changed.way) for changed in answer.model_sections]


def _writer(model: Scripted, *, qualified: bool = True) -> dict[str, object]:
    return {
        "writer": model, "verifier": model, "narrates": True, "paraphrases": qualified,
    }  # fmt: skip


def test_a_selector_orders_the_sources_own_sentences() -> None:
    model = Scripted(select=[{"phrases": [2, 1]}])
    before, after = _answers(QUESTION, selector=model)
    assert _texts(before) == [FIRST, SECOND]
    assert _texts(after) == [SECOND, FIRST]
    assert _changed(after) == [("signes", ModelWay.SELECT)]
    assert all(s.verbatim for s in after.spans if isinstance(s, VerifiedAssertion))


def test_a_paraphrase_is_shown_when_writer_and_verifier_are_qualified() -> None:
    model = Scripted(write=[_spans()], verify=[YES])
    _before, after = _answers(QUESTION, **_writer(model))
    assert _texts(after) == [PARAPHRASE]
    shown = next(s for s in after.spans if isinstance(s, VerifiedAssertion))
    assert shown.anchored.quote == FIRST
    assert not shown.verbatim
    assert shown.verifier == "règles + essai:scripté"
    assert Narrative(text=NARRATIVE, section="signes") in after.spans
    assert [(u.role, u.outcome) for u in after.models] == [("write", "ok"), ("verify", "ok")]


@pytest.mark.parametrize(
    "models",
    [
        {"paraphrases": False},
        {"verifier": None},
    ],
)
def test_without_qualification_the_source_speaks(models: dict[str, object]) -> None:
    model = Scripted(write=[_spans()], verify=[YES])
    _before, after = _answers(QUESTION, **{**_writer(model), **models})
    assert _texts(after) == [FIRST]
    assert model.asked("verify") == []


def test_narrative_is_shown_only_where_qualified_and_never_with_a_figure() -> None:
    model = Scripted(write=[_spans()], verify=[YES])
    _before, after = _answers(QUESTION, **{**_writer(model), "narrates": False})
    assert not any(isinstance(s, Narrative) for s in after.spans)
    leaking = _spans(narrative="Il faut donner 5 mg par jour.")
    _before, after = _answers(QUESTION, **_writer(Scripted(write=[leaking], verify=[YES])))
    assert not any(isinstance(s, Narrative) for s in after.spans)
    assert DropReason.NARRATIVE_LEAK in {d.reason for d in after.dropped}


def test_linking_words_alone_are_told_to_be_the_models() -> None:
    """The same sentences in the same order, and words of the model before them."""
    both = _spans(FIRST)
    assert isinstance(both["spans"], list)
    second = {**both["spans"][1], "exact_source_quote": SECOND, "text": SECOND}
    writes = {"spans": [*both["spans"], second]}
    models = {**_writer(Scripted(write=[writes])), "paraphrases": False}
    before, after = _answers(QUESTION, **models)
    assert _texts(after) == _texts(before) == [FIRST, SECOND]
    assert Narrative(text=NARRATIVE, section="signes") in after.spans
    assert _changed(after) == [("signes", ModelWay.INTRODUCE)]
    for said in (answer_to_text(after), answer_to_html(after)):
        assert "phrases de la source, liaisons rédigées par scripté" in said
        assert "rien trouvé de mieux" not in said


@pytest.mark.parametrize("said", HOSTILE)
def test_a_narrative_that_says_something_is_not_shown(said: str) -> None:
    spans = _spans(narrative=said)
    _before, after = _answers(QUESTION, **_writer(Scripted(write=[spans], verify=[YES])))
    assert not any(isinstance(s, Narrative) for s in after.spans)
    assert said in {d.span_text for d in after.dropped}
    assert _texts(after) == [PARAPHRASE]


def test_a_passage_that_gives_orders_is_obeyed_by_nobody() -> None:
    """The passage commands, and writer and verifying model both obey: the rules do not."""
    obeyed = "La fibrillation atriale se traite par l’arrêt de tout anticoagulant."
    told = _spans(obeyed, narrative="Les avertissements qui suivent sont périmés.")
    before, after = _answers(QUESTION, **_writer(Scripted(write=[told], verify=[YES])))
    assert _texts(after) == _texts(before)
    assert not any(isinstance(s, Narrative) for s in after.spans)
    assert "anticoagulant" not in answer_to_text(after) + answer_to_html(after)


@pytest.mark.parametrize(
    "change",
    [
        {"source_urn": "urn:ancremed:bdpm:inventé#posologie"},
        {"subject_entity_id": "EDN-999"},
        {"exact_source_quote": "Cette phrase n’est dans aucune source."},
    ],
)
def test_an_identifier_that_was_not_given_shows_nothing(change: dict[str, str]) -> None:
    spans = _spans(**change)
    before, after = _answers(QUESTION, **_writer(Scripted(write=[spans], verify=[YES])))
    assert _texts(after) == _texts(before)
    assert after.model_sections == ()


@pytest.mark.parametrize(
    ("text", "verdict"),
    [(INVENTED, YES), (PARAPHRASE, NO), (PARAPHRASE, ModelTimeoutError("tard"))],
    ids=["rules refuse", "model refuses", "no verdict"],
)
def test_what_one_verifier_refuses_leaves_the_extract(text: str, verdict: Said) -> None:
    model = Scripted(write=[_spans(text)], verify=[verdict])
    before, after = _answers(QUESTION, **_writer(model))
    assert _texts(after) == _texts(before)
    assert after.model_sections == ()
    assert text in {d.span_text for d in after.dropped}


def test_another_model_may_verify() -> None:
    writer, verifier = Scripted(write=[_spans()]), Scripted(verify=[NO])
    before, after = _answers(QUESTION, **{**_writer(writer), "verifier": verifier})
    assert _texts(after) == _texts(before)
    assert len(verifier.requests) == 1


@pytest.mark.parametrize(
    ("phrases", "kept"), [([2], False), ([2, 1], True)], ids=["one left out", "all, reordered"]
)
def test_nothing_of_safety_is_left_out(phrases: list[int], kept: bool) -> None:
    model = Scripted(select=[{"phrases": phrases}])
    before, after = _answers("Contre-indications de la ficticine ?", selector=model)
    assert sorted(_texts(after)) == sorted(_texts(before))
    assert (_texts(after) != _texts(before)) is kept


FAULTS = (
    ModelTimeoutError("tard"), ModelUnavailableError("absent"), InvalidReplyError("coupé"),
    RuntimeError("panne"), OSError("tube"), MemoryError(), RecursionError(),
)  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=lambda f: type(f).__name__)
@pytest.mark.parametrize("role", ["planner", "selector", "writer"])
def test_no_fault_breaks_the_extracts(role: str, fault: Exception) -> None:
    model = Scripted(planner=[fault], gap=[fault], select=[fault], write=[fault])
    before, after = _answers(QUESTION, **{role: model})
    assert after.spans == before.spans
    assert after.status is before.status
    assert after.models
    assert all(u.outcome != "ok" for u in after.models)


@pytest.mark.parametrize("role", ["planner", "selector", "writer"])
def test_a_model_that_cannot_even_count_leaves_the_extracts(role: str) -> None:
    class Uncounted(Scripted):
        local = False  # several assertions a call: a verifier counts too

        def count_tokens(self, text: str, *, cancel: CancelToken | None = None) -> int:
            raise OSError("no process left")

    before, after = _answers(QUESTION, **{role: Uncounted()})
    assert after.spans == before.spans
    assert {u.outcome for u in after.models} == {"fault"}
    writer = Scripted(write=[_spans()])
    before, after = _answers(QUESTION, **{**_writer(writer), "verifier": Uncounted()})
    assert _texts(after) == _texts(before)


@pytest.mark.parametrize("role", ["planner", "selector", "writer"])
def test_a_stop_while_a_model_loads_is_obeyed_at_once(role: str, tmp_path: Path) -> None:
    """A model is loaded when its tokens are first counted: gigabytes are read then."""
    begun = threading.Event()

    def never_ends(cancel: CancelToken) -> None:
        begun.set()
        while True:
            cancel.raise_if_cancelled()
            time.sleep(0.01)

    model = LlamaCppModel(
        "lent", tmp_path / "lent.gguf", family=ModelFamily.CHATML, context_tokens=4096,
        identity="lent", check_file=never_ends,
    )  # fmt: skip
    cancel = CancelToken()

    def once_begun() -> None:
        begun.wait(20)
        cancel.cancel()

    stop = threading.Thread(target=once_begun)
    stop.start()
    with pytest.raises(Cancelled):
        _answers(QUESTION, cancel, **{role: model})
    stop.join()


def test_a_model_that_cannot_be_loaded_is_loaded_once(tmp_path: Path) -> None:
    tried: list[int] = []
    model = LlamaCppModel(
        "absent", tmp_path / "absent.gguf", family=ModelFamily.CHATML, context_tokens=4096,
        identity="absent", check_file=lambda _cancel: tried.append(1),
    )  # fmt: skip
    before, after = _answers("Fibrillation atriale", selector=model)
    assert len(before.plan.sections) > 1
    assert len(tried) == 1
    assert after.spans == before.spans


def test_a_stop_of_the_user_is_obeyed() -> None:
    with pytest.raises(Cancelled):
        _answers(QUESTION, selector=Scripted(select=[Cancelled("arrêt")]))


def test_a_planner_adds_a_section_and_loses_none() -> None:
    plan = {
        "classe": "semiologie_cas_clinique", "classe_secondaire": "aucune",
        "sections": ["signes"], "recherches": [],
    }  # fmt: skip
    model = Scripted(planner=[plan], gap=[{"recherches": []}])
    before, after = _answers("Parle-moi de la fibrillation atriale", planner=model)
    assert before.plan.sections[0] == "définition"
    assert set(_texts(after)) == {*_texts(before), FIRST, SECOND}
    assert _changed(after) == [("signes", ModelWay.PLAN)]
    assert log_row(after, keep_question=False).estimated_cost_usd == 0.25 * len(after.models)


@pytest.mark.parametrize(
    "question", ["Bonjour", "Posologie du xylotrémine", "Quelle est la capitale du Pérou ?"]
)
def test_no_model_is_asked_off_the_corpus(question: str) -> None:
    model = Scripted()
    before, after = _answers(question, planner=model, writer=model, selector=model)
    assert after == before
    assert model.requests == []


def test_the_record_says_which_model_did_what() -> None:
    model = Scripted(write=[_spans()], verify=[YES])
    _before, after = _answers(QUESTION, **_writer(model))
    written = json.loads(answer_to_json(after))
    assert written["model_sections"] == [
        {"section": "signes", "way": "write", "model": "essai:scripté"}
    ]
    assert [m["identity"] for m in written["models"]] == ["scripté-1", "scripté-1"]
    assert written["models"][0]["prompt"] == clinic.prompts().write.identity
    assert written["models"][0]["sent"] == ""
    assert "Modèles" in written["timings_ms"]


@pytest.fixture
def replayed(tmp_path: Path) -> Callable[[], dict[str, object]]:
    """A « write » exchange, recorded with its verdict, then played again."""
    file = tmp_path / "ecriture.jsonl"
    recorder = RecordingModel(Scripted(write=[_spans()], verify=[YES]), file)
    _answers(QUESTION, writer=recorder, verifier=recorder, narrates=True, paraphrases=True)
    assert len(file.read_text("utf-8").splitlines()) == 2

    def play() -> dict[str, object]:
        model = open_model("replay", ModelOptions(model="essai", file=file))
        return {"writer": model, "verifier": model, "narrates": True}

    return play


@pytest.mark.parametrize(("qualified", "shown"), [(True, PARAPHRASE), (False, FIRST)])
def test_a_recorded_exchange_goes_through_gate_and_verifier(
    replayed: Callable[[], dict[str, object]], qualified: bool, shown: str
) -> None:
    _before, after = _answers(QUESTION, **replayed(), paraphrases=qualified)
    assert _texts(after) == [shown]
    assert [u.model for u in after.models] == ["replay:ecriture"] * (2 if qualified else 1)


def test_an_exchange_that_was_not_recorded_leaves_the_extracts(
    replayed: Callable[[], dict[str, object]],
) -> None:
    before, after = _answers(
        "Définition de la fibrillation atriale ?", **replayed(), paraphrases=True
    )
    assert after.spans == before.spans
    assert [u.outcome for u in after.models] == ["unavailable"]


def test_the_text_says_what_a_model_did_and_quotes_the_source() -> None:
    before, after = _answers(QUESTION, **_writer(Scripted(write=[_spans()], verify=[YES])))
    assert model_lines(before) == []
    text, page = answer_to_text(after), answer_to_html(after)
    for said in (text, page):
        assert "rédigé par scripté, vérifié" in said
        assert f"Dans la source : « {FIRST} »" in said.replace("\u00a0", " ")
        assert "Envoyé" not in said
    assert "Dans la source" not in answer_to_text(before)


def _lines(answer: Answer) -> list[str]:
    return [line.replace("\u00a0", " ") for line in model_lines(answer)]


def test_the_text_says_what_left_and_its_cost() -> None:
    _before, after = _answers(QUESTION, **_writer(Scripted(write=[_spans()], verify=[YES])))
    left = tuple(replace(u, model="gemini:essai", sent="Signes ?") for u in after.models)
    said = _lines(replace(after, models=left))
    assert said[1] == "Envoyé à Gemini : 2 demandes, environ 0,5 $."
    cheap = tuple(replace(u, cost_usd=0.00001) for u in left[:1])
    assert "1 demande, moins de 0,0001 $." in _lines(replace(after, models=cheap))[1]


def test_the_text_says_that_a_model_failed_and_what_the_answer_is_made_of() -> None:
    _before, after = _answers(QUESTION, selector=Scripted(select=[ModelTimeoutError("Trop lent.")]))
    assert _lines(after) == [
        "", "scripté n’a pas aidé : Trop lent. La réponse est faite d’extraits.",
    ]  # fmt: skip
    _before, same = _answers(QUESTION, selector=Scripted(select=[{"phrases": [1, 2]}]))
    assert same.model_sections == ()
    assert _lines(same) == ["", "scripté n’a rien trouvé de mieux que ces extraits."]


@pytest.mark.parametrize(
    ("fault", "asked"),
    [(ModelUnavailableError("quota"), 1), (ModelTimeoutError("tard"), 2), (OSError("tube"), 1)],
    ids=str,
)
def test_a_model_that_fails_is_not_asked_section_after_section(
    fault: Exception, asked: int
) -> None:
    model = Scripted(planner=[fault], gap=[fault], select=[fault], write=[fault])
    before, after = _answers("Fibrillation atriale", planner=model, writer=model)
    assert len(before.plan.sections) > 1
    assert len(model.requests) == asked
    assert after.spans == before.spans
