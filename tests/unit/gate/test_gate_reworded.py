"""Wordings found on texts no rule had seen: the same thing passes, its near contrary does not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from test_gate_paraphrase import judge

from ancremed_desktop.text.narrative import narrative_leaks
from ancremed_desktop.text.values import missing_values

_FILE = Path(__file__).parents[2] / "data" / "gate_reworded.jsonl"
PAIRS = [json.loads(line) for line in _FILE.read_text("utf-8").splitlines()]
"""``kind``: what is reworded; ``same``: whether ``text`` says what ``source`` does."""


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair['kind']}-{pair['text'][:40]}")
def test_the_same_passes_and_a_near_contrary_is_refused(pair: dict[str, Any]) -> None:
    source, text = pair["source"], pair["text"]
    taken = not missing_values(text, source, source) and judge(source, text) is None
    assert taken is pair["same"]


@pytest.mark.parametrize(
    "text",
    [
        "Jamais chez un coronarien.",
        "Surtout pas pendant la grossesse.",
        "Pas d’aspirine chez l’enfant.",
        "En aucun cas avec un anticoagulant.",
    ],
)
def test_connecting_text_forbids_in_no_bare_words(text: str) -> None:
    assert [leak.kind for leak in narrative_leaks(text)] == ["contre-indication"]


@pytest.mark.parametrize("text", ["Il n’est jamais trop tard.", "Pas de signe de gravité ici."])
def test_a_denial_that_forbids_nothing_connects(text: str) -> None:
    assert not narrative_leaks(text)
