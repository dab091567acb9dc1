"""No numeral of any written form goes through connecting text; plain sentences do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fakes.numerals import numerals
from fakes.transparency import real_passages

from ancremed_desktop.text.narrative import narrative_leaks
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.sentences import sentence_spans

FRAMES = (
    "On retient {} dans ce contexte.", "Le seuil est de {}.", "Il faut compter {} environ.",
    "La surveillance dure {} chez ces patients.", "{} suffisent le plus souvent.",
)  # fmt: skip


def test_ten_thousand_numerals_are_seen() -> None:
    leaked = [
        text
        for index, numeral in enumerate(numerals(10_000, seed=11))
        if not narrative_leaks(text := FRAMES[index % len(FRAMES)].format(numeral.text))
    ]
    assert leaked == []


_TOLD = re.compile(
    r"\d|contre.indi|\b(?:deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|quinze|vingt"
    r"|trente|quarante|cinquante|soixante|cent|cents|mille|million\w*|premi\w+|second\w*"
    r"|deuxieme|troisieme|quatrieme|demi\w*|tiers|quart|moitie|double\w*|triple\w*|[ivx]{2,}\w?"
    r"|annee?s?|mensuel\w*|hebdomadaire\w*|quotidien\w*|trimestr\w*|semestr\w*|annuel\w*)\b"
)
"""What narrative may not hold, in any sentence that says it; plainer than the check under test."""
_SENTENCES = 2_000


@pytest.mark.data
def test_real_sentences_without_a_number_go_through(shared: Path) -> None:
    seen: set[str] = set()
    refused = []
    for passage in real_passages(shared):
        for start, end in sentence_spans(passage.text):
            sentence = passage.text[start:end].strip()
            if sentence in seen or len(sentence.split()) < 5 or _TOLD.search(fold(sentence)):
                continue
            seen.add(sentence)
            if narrative_leaks(sentence):
                refused.append(sentence)
        if len(seen) >= _SENTENCES:
            break
    assert len(seen) >= _SENTENCES
    assert len(refused) <= 0.01 * len(seen), refused[:30]
