"""The HTML page shows the answer by section and lets no text of a source act as HTML."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ancremed_desktop import app
from ancremed_desktop.domain.answers import Answer
from ancremed_desktop.services.page import answer_to_html


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> Answer:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("DATA", "CONFIG", "CACHE"):
            patch.setenv(f"ANCREMED_{name}_DIR", str(tmp_path_factory.mktemp(name)))
        return app.toolbox().ask(None).ask("Que faire devant un choc anaphylactique ?")


def test_sections_quotes_and_sources_are_there(answer: Answer) -> None:
    page = answer_to_html(answer)
    assert [h for h in ("Reconnaissance", "Traitement", "Sources") if f"<h2>{h}</h2>" in page] == [
        "Reconnaissance",
        "Traitement",
        "Sources",
    ]
    assert "0,01\u00a0mg/kg" in page
    assert page.startswith('<!doctype html>\n<html lang="fr">')
    assert page.count("<blockquote>") == len(answer.spans)
    assert '<li id="source-1">' in page
    assert '<a href="#source-1">[1]</a>' in page


def test_hostile_text_is_escaped(answer: Answer) -> None:
    question = replace(answer.question, raw="<script>alert(1)</script>")
    page = answer_to_html(replace(answer, question=question))
    assert "<script" not in page
    assert "&lt;script&gt;" in page
