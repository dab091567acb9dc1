"""The real small model, measured: it must be refused as a verifier, with its figures."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes import clinic
from fakes.local_weights import local_model

from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.models import Ability
from ancremed_desktop.errors import UserError
from ancremed_desktop.evaluation.qualify import Material, qualify, read_gate_cases
from ancremed_desktop.services.assistants import require_qualified
from ancremed_desktop.services.qualification import QualificationStore
from ancremed_desktop.settings.paths import RESOURCES

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]


def test_the_bundled_model_is_refused_as_a_verifier(tmp_path: Path) -> None:
    model = local_model(context_tokens=4096)
    store = QualificationStore(tmp_path / "q.json")
    material = Material(
        cases=read_gate_cases(RESOURCES / "qualification" / "gate"),
        questions=(),
        index=clinic.index(),
        lexicon=clinic.lexicon(),
        prompts=clinic.prompts(),
        limit=40,  # forty right of forty would earn it: the model fails, not the sample
    )
    try:
        found = qualify(
            model,
            material,
            abilities=frozenset({Ability.VERIFY}),
            progress=ignore_progress,
            cancel=CancelToken(),
        )
    finally:
        model.close()
    measures = {m.key: m for m in found.measures}
    assert measures["verify_block"].total >= 8
    assert Ability.VERIFY not in found.abilities
    store.keep(found)
    refused = measures["verify_block"]
    with pytest.raises(UserError, match=f"{refused.right}/{refused.total}"):
        require_qualified("smollm2-135m", model, clinic.prompts(), store)
