"""Bits flipped in the file of the index: an altered text is never shown as a source."""

from __future__ import annotations

import random
from pathlib import Path

import apsw
import pytest
from fakes.built_index import build_index
from fakes.memory_index import passage

from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.spans import VerifiedAssertion
from ancremed_desktop.errors import MachineError, UserError
from ancremed_desktop.index.reader import open_index
from ancremed_desktop.pipeline.generate import ExtractiveGenerator
from ancremed_desktop.pipeline.lexicon import load_lexicon
from ancremed_desktop.pipeline.rules.rule_verifier import RuleVerifier
from ancremed_desktop.pipeline.run import Engine, answer
from ancremed_desktop.settings.paths import RESOURCES

FLIPS = 500
TEXTS = tuple(
    f"Le paludisme numéro {n} est traité par {n} mg de quinine. La quinine {n} est arrêtée après "
    f"{n + 2} jours. Elle est contre-indiquée en cas de trouble du rythme de grade {n}."
    for n in range(1, 25)
)


def build(path: Path) -> None:
    parts = (passage(f"E-{n}", f"Paludisme {n}", "posologie", t) for n, t in enumerate(TEXTS))
    build_index(path, parts)


def shown_of(path: Path, question: str) -> list[VerifiedAssertion]:
    """What the whole pipeline shows for one question, from this file."""
    lexicon = load_lexicon(RESOURCES / "lexicons")
    index = open_index([path])
    try:
        engine = Engine(
            index=index,
            lexicon=lexicon,
            generator=ExtractiveGenerator(lexicon.sections, lambda _text: False),
            verifier=RuleVerifier(),
            calculate=lambda _text: (),
        )
        result = answer(question, engine, progress=ignore_progress, cancel=CancelToken())
    finally:
        index.close()
    return [s for s in result.spans if isinstance(s, VerifiedAssertion)]


@pytest.mark.slow
def test_no_flipped_bit_reaches_the_screen(tmp_path: Path) -> None:
    whole = tmp_path / "index.db"
    build(whole)
    content = whole.read_bytes()
    question = "Quelle posologie de la quinine dans le paludisme ?"
    assert shown_of(whole, question)
    places = [i for text in TEXTS for i in occurrences(content, text.encode())]
    assert len(places) >= len(TEXTS)
    rng = random.Random(11)
    shown = refused = 0
    for number in range(FLIPS):
        altered = bytearray(content)
        # Every other bit falls in a stored text, the others anywhere in the file.
        anywhere = number % 2 == 0
        at = rng.randrange(len(altered)) if anywhere else rng.choice(places) + rng.randrange(90)
        altered[at] ^= 1 << rng.randrange(8)
        spoilt = tmp_path / f"spoilt-{number}.db"
        spoilt.write_bytes(altered)
        try:
            spans = shown_of(spoilt, question)
        except (MachineError, UserError, apsw.Error):  # a schema that no longer reads: no answer
            refused += 1
            continue
        finally:
            spoilt.unlink()
        for span in spans:
            shown += 1
            assert any(span.anchored.quote in text for text in TEXTS), (at, span.anchored.quote)
            assert span.anchored.passage.text in TEXTS
    assert shown > FLIPS
    assert refused


def occurrences(content: bytes, text: bytes) -> list[int]:
    found, at = [], content.find(text)
    while at >= 0:
        found.append(at)
        at = content.find(text, at + 1)
    return found
