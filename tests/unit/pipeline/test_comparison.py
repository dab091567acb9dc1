"""Two diseases compared: a plan for each, none for drugs, none for other questions."""

from __future__ import annotations

import pytest
from fakes.memory_index import MemoryIndex, passage

from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.pipeline.comparison import compared
from ancremed_desktop.pipeline.lexicon import load_lexicon
from ancremed_desktop.pipeline.plan import make_plan
from ancremed_desktop.pipeline.understand import understand
from ancremed_desktop.settings.paths import RESOURCES

LEXICON = load_lexicon(RESOURCES / "lexicons")
INDEX = MemoryIndex(
    [
        passage("EDN-188", "Asthme", "signes", "L’asthme siffle."),
        passage("EDN-209", "BPCO", "signes", "La BPCO tousse."),
        passage("60000001", "Apixaban", "", "L’apixaban est un anticoagulant.", Silo.BDPM),
        passage("60000002", "Rivaroxaban", "", "Le rivaroxaban aussi.", Silo.BDPM),
    ],
    names={
        "asthme": ("EDN-188",),
        "bpco": ("EDN-209",),
        "apixaban": ("60000001",),
        "rivaroxaban": ("60000002",),
    },
)


@pytest.mark.parametrize(
    ("raw", "labels"),
    [
        ("différence entre asthme et BPCO", ["asthme", "bpco"]),
        ("asthme vs BPCO", ["asthme", "bpco"]),
        ("différence entre apixaban et rivaroxaban", []),
        ("asthme et BPCO : signes", []),
    ],
)
def test_each_disease_has_its_plan(raw: str, labels: list[str]) -> None:
    question = understand(raw, INDEX, LEXICON)
    plans = compared(question, make_plan(question, INDEX, LEXICON))
    assert [p.subject.label for p in plans] == labels
