"""The real small model, measured: it must be refused as a verifier, with its figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import clinic
from fakes.local_weights import local_model, opened, second_card
from fakes.scripted_model import Said, Scripted

from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.models import Ability, CompletionRequest
from ancremed_desktop.domain.spans import AnchoredAssertion, DraftAssertion
from ancremed_desktop.errors import InvalidReplyError, ModelUnavailableError
from ancremed_desktop.evaluation.qualify import Material, qualify, read_gate_cases
from ancremed_desktop.pipeline.attribute import attribute
from ancremed_desktop.pipeline.deep_search import deep_search
from ancremed_desktop.pipeline.model_call import ModelWork
from ancremed_desktop.pipeline.model_gap import reformulations
from ancremed_desktop.pipeline.model_generate import select, write
from ancremed_desktop.pipeline.model_plan import model_plan
from ancremed_desktop.pipeline.model_verify import ModelVerifier
from ancremed_desktop.pipeline.plan import make_plan
from ancremed_desktop.pipeline.prompt_budget import PROMPT_TOKENS
from ancremed_desktop.pipeline.run import gate_context
from ancremed_desktop.pipeline.understand import understand
from ancremed_desktop.pipeline.verify import verifier_view
from ancremed_desktop.providers.llama_cpp.model import LlamaCppModel
from ancremed_desktop.services.assistants import AssistantSource
from ancremed_desktop.services.qualification import QualificationStore, report
from ancremed_desktop.settings.paths import RESOURCES

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]
ROLES = ("planner", "gap", "select", "write", "verify")


@pytest.fixture
def model() -> Iterator[LlamaCppModel]:
    opened = local_model(context_tokens=4096)
    yield opened
    opened.close()


def test_the_bundled_model_is_refused_as_a_verifier(model: LlamaCppModel, tmp_path: Path) -> None:
    _refused_as_verifier(model, tmp_path)


def test_the_second_small_model_is_refused_as_a_verifier(tmp_path: Path) -> None:
    model = opened(second_card())
    try:
        _refused_as_verifier(model, tmp_path)
    finally:
        model.close()


def _refused_as_verifier(model: LlamaCppModel, tmp_path: Path) -> None:
    store = QualificationStore(tmp_path / "q.json")
    material = Material(
        cases=read_gate_cases(RESOURCES / "qualification" / "gate"),
        questions=(),
        index=clinic.index(),
        lexicon=clinic.lexicon(),
        prompts=clinic.prompts(),
        limit=40,  # forty right of forty would earn it: the model fails, not the sample
    )
    found = qualify(
        model,
        material,
        abilities=frozenset({Ability.VERIFY}),
        patience=10,  # what it says is at stake, not the speed of this machine
        progress=ignore_progress,
        cancel=CancelToken(),
    )
    measures = {m.key: m for m in found.measures}
    assert measures["verify_block"].total >= 8
    assert Ability.VERIFY not in found.abilities
    assert dict(found.calls).get("ok", 0) >= 0.9 * sum(dict(found.calls).values())
    store.keep(found)
    for measure in measures.values():
        assert f"{measure.right}/{measure.total}" in report(found)
    source = AssistantSource(
        clinic.prompts(),
        store,
        lambda: {Ability.VERIFY: model.name},  # turned on all the same
        lambda _name: model,
        lambda _approve: pytest.fail("not asked"),
    )
    assert source.current() is None
    assert "n’est pas qualifié ici pour vérifier" in source.problem


def _first_requests() -> list[CompletionRequest]:
    """What each role asks, as it asks it."""
    unavailable = ModelUnavailableError("noted only")
    replies: dict[str, list[Said]] = {role: [unavailable] for role in ROLES}
    script = Scripted(**replies)
    found = clinic.engine()
    question = understand("Signes de la fibrillation atriale ?", found.index, found.lexicon)
    prompts, work, cancel = clinic.prompts(), ModelWork(measuring=True), CancelToken()
    plan = make_plan(question, found.index, found.lexicon)
    evidence = deep_search(plan, found.index, found.lexicon.sections, cancel)
    drafts = found.generator.generate(question, plan, evidence, cancel)
    candidates = [d for d in drafts if isinstance(d, DraftAssertion)]
    model_plan(question, plan, script, prompts.planner, work, cancel)
    empty = replace(evidence, sections=(replace(evidence.sections[0], hits=()),))
    reformulations(question, empty, script, prompts.gap, work, cancel)
    select(question, "signes", candidates, script, prompts.select, work, cancel)
    write(question, "signes", candidates, script, prompts.write, work, cancel)
    anchored, _ = attribute(drafts, gate_context(evidence, found.index))
    views = [verifier_view(a) for a in anchored if isinstance(a, AnchoredAssertion)]
    ModelVerifier(script, prompts.verify, work).read_ahead(views, cancel)
    # As many calls a role as its drafts need; every role once at least, in order.
    assert list(dict.fromkeys(role for role, _request in script.requests)) == list(ROLES)
    return [request for _role, request in script.requests]


def test_every_schema_is_one_the_engine_can_hold_a_model_to(model: LlamaCppModel) -> None:
    for request in _first_requests():
        short = replace(request, max_tokens=3, timeout_s=120)
        with pytest.raises(InvalidReplyError):  # cut after three tokens, never refused
            model.complete(short, cancel=CancelToken())
        assert sum(model.count_tokens(m.content) for m in request.messages) <= PROMPT_TOKENS
