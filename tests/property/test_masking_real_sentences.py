"""Real sentences of the sources, which name no patient: no word of them is taken for a name."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

from property.test_gate_real_sentences import sentences

from ancremed_desktop.observability.redaction import redact

_WANTED = 300
# What sources do hold and may not leave either: dates, addresses of pages.
_OTHER = re.compile(r"\[(?:DATE|ADRESSE INTERNET)\]")


def test_three_hundred_real_sentences_lose_no_word(shared: Path) -> None:
    read = [sentence for _passage, sentence in islice(sentences(shared, 40 * _WANTED), 0, None, 40)]
    assert len(read) >= _WANTED
    for sentence, (masked,) in zip(read, (redact((s,)) for s in read), strict=True):
        assert "[" not in _OTHER.sub("", masked) or "[" in sentence, (sentence, masked)


def test_the_cards_that_come_with_the_application_lose_no_word() -> None:
    cards = Path(__file__).parents[2] / "resources" / "corpus"
    texts = [path.read_text("utf-8") for path in sorted(cards.rglob("*.md"))]
    assert len(texts) >= 10
    for text in texts:
        body = text.rpartition("\n+++\n")[2]
        (masked,) = redact((body,))
        assert "[NOM]" not in masked
