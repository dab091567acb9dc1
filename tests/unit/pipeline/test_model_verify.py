"""A model verifier only refuses more: its faults, doubts and contradictions are refusals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from fakes import clinic
from fakes.scripted_model import Said, Scripted

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.models import CompletionRequest
from ancremed_desktop.domain.spans import DropReason, Judgement, Verdict
from ancremed_desktop.errors import Cancelled, InvalidReplyError, ModelTimeoutError
from ancremed_desktop.pipeline.model_call import ModelWork
from ancremed_desktop.pipeline.model_verify import BothVerifiers, ModelVerifier
from ancremed_desktop.pipeline.rules.rule_verifier import RuleVerifier
from ancremed_desktop.ports import VerifierView

VIEW = VerifierView(
    assertion="La fibrillation paroxystique dure moins de 7 jours.",
    subject="EDN-232",
    section="définition",
    sentences="La fibrillation atriale paroxystique dure moins de 7 jours.",
    passage=clinic.DEFINITION,
    passage_section="définition",
    heading="Formes",
    title="Fibrillation atriale",
)


def _said(*pairs: tuple[str, str]) -> dict[str, object]:
    return {
        "verdicts": [
            {"numero": n, "motif": why, "verdict": verdict}
            for n, (why, verdict) in enumerate(pairs, 1)
        ]
    }


YES = ("aucun", "soutenue")


class _Elsewhere(Scripted):
    """A model that is not on this machine: several assertions share a call."""

    local = False


def _verifier(*replies: Said) -> tuple[ModelVerifier, Scripted]:
    model = _Elsewhere(verify=list(replies))
    return ModelVerifier(model, clinic.prompts().verify, ModelWork()), model


def _judge(*replies: Said) -> Judgement:
    return _verifier(*replies)[0].judge(VIEW, CancelToken())


def test_a_plain_yes_is_support() -> None:
    assert _judge(_said(YES)) == Judgement(verdict=Verdict.SUPPORTED)


def test_it_sees_assertion_sentences_heading_and_section_and_nothing_else() -> None:
    verifier, model = _verifier(_said(YES))
    verifier.judge(VIEW, CancelToken())
    shown = model.asked("verify")[0].messages[-1].content
    for part in (VIEW.assertion, VIEW.sentences, VIEW.heading, VIEW.title, VIEW.section):
        assert part in shown
    assert "supraventriculaire" not in shown


@pytest.mark.parametrize(
    ("why", "said", "verdict", "reason"),
    [
        ("contredit", "non_soutenue", Verdict.NOT_SUPPORTED, DropReason.POLARITY),
        ("valeur", "non_soutenue", Verdict.NOT_SUPPORTED, DropReason.QUANTITY),
        ("sujet", "non_soutenue", Verdict.NOT_SUPPORTED, DropReason.ENTITY),
        ("sous_groupe", "non_soutenue", Verdict.NOT_SUPPORTED, DropReason.SUBGROUP),
        ("ajout", "non_soutenue", Verdict.NOT_SUPPORTED, DropReason.ADDED_FACT),
        ("aucun", "incertaine", Verdict.UNSURE, DropReason.UNSURE),
        ("valeur", "soutenue", Verdict.UNSURE, DropReason.QUANTITY),  # contradicts itself
    ],
)
def test_anything_else_is_a_refusal(
    why: str, said: str, verdict: Verdict, reason: DropReason
) -> None:
    judgement = _judge(_said((why, said)))
    assert (judgement.verdict, judgement.reason) == (verdict, reason)
    assert judgement.detail.startswith("Modèle vérificateur")


class _Unbound(Scripted):
    def complete(self, request: CompletionRequest, **kwargs: Any) -> Any:
        return super().complete(replace(request, schema={}), **kwargs)


@pytest.mark.parametrize(
    "reply",
    [
        {}, [], "soutenue", {"verdicts": []}, {"verdicts": ["soutenue"]}, _said(YES, YES),
        {"verdicts": [{"numero": 2, "motif": "aucun", "verdict": "soutenue"}]},
        {"verdicts": [{"numero": 1, "motif": "aucun", "verdict": "oui"}]},
        {"verdicts": [{"numero": 1, "motif": ["aucun"], "verdict": ["soutenue"]}]},
        ModelTimeoutError("tard"), InvalidReplyError("coupé"), RuntimeError("panne"),
    ],
)  # fmt: skip
def test_unreadable_late_or_broken_is_a_refusal(reply: Said) -> None:
    verifier = ModelVerifier(_Unbound(verify=[reply]), clinic.prompts().verify, ModelWork())
    judgement = verifier.judge(VIEW, CancelToken())
    assert (judgement.verdict, judgement.reason) == (Verdict.UNSURE, DropReason.VERIFIER_FAULT)


def test_a_stop_goes_through() -> None:
    with pytest.raises(Cancelled):
        _judge(Cancelled("arrêt"))


def test_several_assertions_share_a_call_and_keep_their_own_verdict() -> None:
    views = [replace(VIEW, assertion=f"Affirmation {n} sur la fibrillation.") for n in range(6)]
    no = ("valeur", "non_soutenue")
    verifier, model = _verifier(_said(YES, no, YES, no), _said(no, YES))
    verifier.read_ahead(views, CancelToken())
    verdicts = [verifier.judge(v, CancelToken()).verdict for v in views]
    assert [v is Verdict.SUPPORTED for v in verdicts] == [True, False, True, False, False, True]
    assert len(model.requests) == 2


def test_no_more_share_a_call_than_fit_in_a_prompt() -> None:
    long = replace(VIEW, sentences="mot " * 4000)
    views = [replace(long, assertion=f"Affirmation {n}.") for n in range(3)]
    verifier, model = _verifier(_said(YES))
    verifier.read_ahead(views, CancelToken())
    assert len(model.requests) == 3


def test_a_model_here_is_asked_one_assertion_a_call() -> None:
    model = Scripted(verify=[_said(YES)])
    views = [replace(VIEW, assertion=f"Affirmation {n}.") for n in range(3)]
    verifier = ModelVerifier(model, clinic.prompts().verify, ModelWork())
    verifier.read_ahead(views, CancelToken())
    assert len(model.requests) == 3
    assert all(verifier.judge(v, CancelToken()).verdict is Verdict.SUPPORTED for v in views)


@pytest.mark.parametrize(
    ("assertion", "reply", "expected", "calls"),
    [
        (VIEW.assertion, YES, True, 1),
        (VIEW.assertion, ("ajout", "non_soutenue"), False, 1),
        ("La fibrillation paroxystique dure plus de 7 jours.", YES, False, 0),  # rules refuse
        (VIEW.sentences, ("ajout", "non_soutenue"), True, 0),  # the source's own words
    ],
)
def test_rules_and_model_must_both_support(
    assertion: str, reply: tuple[str, str], expected: bool, calls: int
) -> None:
    model_verifier, model = _verifier(_said(reply))
    both = BothVerifiers(RuleVerifier(), model_verifier)
    view = replace(VIEW, assertion=assertion)
    both.read_ahead((view,), CancelToken())
    judgement = both.judge(view, CancelToken())
    assert (judgement.verdict is Verdict.SUPPORTED) is expected
    assert len(model.requests) == calls
    assert both.name == "règles + essai:scripté"
