"""A model may only name numbers it was given and quote sentences it was shown."""

from __future__ import annotations

from typing import Any

import pytest
from fakes import clinic
from fakes.scripted_model import Scripted

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.models import CompletionRequest
from ancremed_desktop.domain.plans import Question
from ancremed_desktop.domain.spans import Abstention, DraftAssertion, DraftSpan, Narrative
from ancremed_desktop.errors import ModelUnavailableError
from ancremed_desktop.pipeline.model_call import ModelWork, prompt_tokens
from ancremed_desktop.pipeline.model_generate import select, verbatim, write
from ancremed_desktop.pipeline.prompt_budget import PROMPT_TOKENS

URN = "urn:ancremed:fiches:EDN-232#signes"
TEXTS = (
    "La fibrillation atriale donne des palpitations.",
    "La fibrillation atriale peut rester sans symptôme.",
    "La dyspnée d’effort est fréquente.",
)
QUESTION = Question(raw="Signes ?", text="Signes ?")


def _candidates(texts: tuple[str, ...] = TEXTS) -> list[DraftAssertion]:
    return [
        DraftAssertion(
            section="signes", text=text, exact_source_quote=text, source_urn=URN,
            subject_entity_id="EDN-232", confidence_score=1.0,
        )
        for text in texts
    ]  # fmt: skip


def _select(model: Scripted, texts: tuple[str, ...] = TEXTS) -> tuple[DraftSpan, ...] | None:
    prompt = clinic.prompts().select
    work = ModelWork()
    return select(QUESTION, "signes", _candidates(texts), model, prompt, work, CancelToken())


def _write(model: Scripted) -> tuple[DraftSpan, ...] | None:
    prompt = clinic.prompts().write
    return write(QUESTION, "signes", _candidates(), model, prompt, ModelWork(), CancelToken())


def _assertion(**changes: object) -> dict[str, object]:
    return {
        "type": "clinical_assertion", "text": "Elle peut être silencieuse.",
        "exact_source_quote": TEXTS[1], "source_urn": URN, "subject_entity_id": "EDN-232",
        "confidence_score": 0.95, **changes,
    }  # fmt: skip


def test_the_sentences_named_are_the_sources_own_in_the_models_order() -> None:
    chosen = _select(Scripted(select=[{"phrases": [3, 1]}]))
    assert [d.text for d in chosen or () if isinstance(d, DraftAssertion)] == [TEXTS[2], TEXTS[0]]


def test_the_schema_names_only_the_numbers_given() -> None:
    model = Scripted(select=[{"phrases": [1]}])
    _select(model)
    schema: Any = model.asked("select")[0].schema
    assert schema["properties"]["phrases"]["items"] == {"enum": [1, 2, 3]}


@pytest.mark.parametrize("bad", [[1, 1], [2, 2, 3]])
def test_a_number_named_twice_is_told_once_then_refused(bad: list[int]) -> None:
    model = Scripted(select=[{"phrases": bad}, {"phrases": [2]}])
    chosen = _select(model)
    assert [d.text for d in chosen or () if isinstance(d, DraftAssertion)] == [TEXTS[1]]
    assert "une seule fois" in model.asked("select")[1].messages[-1].content
    stubborn = Scripted(select=[{"phrases": bad}])
    assert _select(stubborn) is None
    assert len(stubborn.requests) == 2


class _Unbound(Scripted):
    """A provider that does not hold its model to the schema."""

    def complete(self, request: CompletionRequest, **kwargs: Any) -> Any:
        from dataclasses import replace

        free = replace(request, schema={"type": "object"})
        return super().complete(free, **kwargs)


@pytest.mark.parametrize("bad", [[4], [0], [-1], ["1"], [1.0], [True], [], None, "1"])
def test_an_identifier_that_was_not_given_is_never_followed(bad: object) -> None:
    assert _select(_Unbound(select=[{"phrases": bad}])) is None


@pytest.mark.parametrize("reply", [ModelUnavailableError("absent"), OSError("tube rompu")])
def test_a_fault_leaves_the_extract(reply: Exception) -> None:
    assert _select(Scripted(select=[reply])) is None
    assert _write(Scripted(write=[reply])) is None


def test_a_prompt_stays_in_its_budget_with_whole_sentences() -> None:
    long = tuple(f"Début {n} : {'mot ' * 300}fin {n}." for n in range(12))
    model = Scripted(select=[{"phrases": [1]}])
    _select(model, long)
    request = model.asked("select")[0]
    assert prompt_tokens(model, request.messages, CancelToken()) <= PROMPT_TOKENS
    shown = request.messages[-1].content
    assert 1 < shown.count("Début") < 12
    assert shown.count("Début") == sum(f"fin {n}." in shown for n in range(12))


def test_written_spans_are_typed() -> None:
    spans = [{"type": "narrative", "text": "Les signes varient."}, _assertion()]
    drafts = _write(Scripted(write=[{"spans": spans}]))
    assert drafts is not None
    assert drafts[0] == Narrative(text="Les signes varient.", section="signes")
    assert isinstance(drafts[1], DraftAssertion)
    assert (drafts[1].source_urn, drafts[1].confidence_score) == (URN, 0.95)


@pytest.mark.parametrize(
    "change",
    [
        {"exact_source_quote": "La fibrillation atriale est toujours mortelle."},
        {"exact_source_quote": f"{TEXTS[0]} {TEXTS[2]}"},
    ],
)
def test_a_quote_that_was_not_shown_is_told_once_then_refused(change: dict[str, object]) -> None:
    bad = {"spans": [_assertion(**change)]}
    model = Scripted(write=[bad, {"spans": [_assertion()]}])
    assert _write(model) is not None
    assert "segment 1" in model.asked("write")[1].messages[-1].content
    assert _write(Scripted(write=[bad])) is None


@pytest.mark.parametrize(
    "span",
    [
        {"type": "autre", "text": "x"},
        {"type": "narrative"},
        _assertion(source_urn="urn:ancremed:ailleurs#x"),
        _assertion(confidence_score=True),
        _assertion(confidence_score="0.9"),
        _assertion(text=None),
        "texte",
    ],
)
def test_a_malformed_span_refuses_the_reply(span: object) -> None:
    assert _write(_Unbound(write=[{"spans": [span]}])) is None


def test_an_abstention_stands_alone_with_our_own_words() -> None:
    spans = [_assertion(), {"type": "abstention", "reason": "Prenez 3 g."}]
    drafts = _write(Scripted(write=[{"spans": spans}]))
    assert drafts is not None
    assert len(drafts) == 1
    assert isinstance(drafts[0], Abstention)
    assert "3 g" not in drafts[0].reason


def test_written_assertions_are_brought_back_to_their_sentences() -> None:
    spans = [
        _assertion(),
        _assertion(text="Parfois rien.", exact_source_quote="peut rester sans symptôme"),
    ]
    drafts = _write(Scripted(write=[{"spans": spans}]))
    assert verbatim(drafts or (), _candidates()) == (_candidates()[1],)


def test_an_item_quoted_alone_is_held_against_its_whole_list() -> None:
    listed = ("Ne pas donner :\n\n- digoxine 9 mg\n\n- furosémide 501 mg",)
    item = _assertion(exact_source_quote="furosémide 501 mg", text="Le furosémide : 501 mg.")
    prompt, model = clinic.prompts().write, Scripted(write=[{"spans": [item]}])
    drafts = write(
        QUESTION, "signes", _candidates(listed), model, prompt, ModelWork(), CancelToken()
    )
    assert drafts is not None
    (draft,) = drafts
    assert isinstance(draft, DraftAssertion)
    assert draft.exact_source_quote == listed[0]
