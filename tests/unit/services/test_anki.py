"""Cards for Anki: one a section, verified spans alone, no field or card broken by their text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ancremed_desktop import app
from ancremed_desktop.domain.answers import Answer
from ancremed_desktop.domain.spans import VerifiedAssertion
from ancremed_desktop.services.anki import answer_to_anki
from ancremed_desktop.services.answer_blocks import section_of


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> Answer:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("DATA", "CONFIG", "CACHE"):
            patch.setenv(f"ANCREMED_{name}_DIR", str(tmp_path_factory.mktemp(name)))
        return app.toolbox().ask(None).ask("Que faire devant un choc anaphylactique ?")


def cards(answer: Answer) -> list[list[str]]:
    lines = answer_to_anki(answer).splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


def test_one_card_for_each_section_found(answer: Answer) -> None:
    found = [span for span in answer.spans if isinstance(span, VerifiedAssertion)]
    made = cards(answer)
    assert len(made) == len({section_of(span) for span in found}) > 1
    assert all(len(card) == 3 for card in made)
    whole = "\n".join("\t".join(card) for card in made)
    assert whole.count("<li>") >= len(found)
    assert "0,01 mg/kg" in whole.replace("\u00a0", " ")
    assert all("2021" in card[2] for card in made)
    assert all("brouillon" in card[2] and "ne remplace ni la source" in card[2] for card in made)


def test_hostile_text_breaks_no_field(answer: Answer) -> None:
    question = replace(answer.question, raw="a\tb\nc <script>alert(1)</script>")
    made = cards(replace(answer, question=question))
    assert len(made) == len(cards(answer))
    assert made[0][0].startswith("a b c &lt;script&gt;")


def test_no_verified_span_makes_no_card(answer: Answer) -> None:
    missing = tuple(s for s in answer.spans if not isinstance(s, VerifiedAssertion))
    assert cards(replace(answer, spans=missing)) == []
