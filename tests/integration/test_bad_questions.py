"""Whatever is typed: a clear French message, the right exit code, and no crash."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fakes.command_line import error_of, run

from ancremed_desktop import app
from ancremed_desktop.domain.answers import AnswerStatus
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.errors import BadQuestionError
from ancremed_desktop.gui.workbench import ToolboxWorkbench
from ancremed_desktop.services.approval import Approval

CANNOT_BE_ASKED = {
    "empty": ("", "La question est vide : écrivez-la en français, puis validez."),
    "blank": (" \t\u00a0\n", "La question est vide"),
    "only NUL": ("\0\0", "La question est vide"),
    "2,001 characters": ("a" * 2001, "compte 2001 caractères ; le maximum est de 2 000. Résumez"),
    "1 MB paste": ("metformine " * 95_326, "caractères ; le maximum est de 2 000. Résumez-la"),
    "no word": ('"*^:()', "ne contient aucun mot : écrivez-la en français"),
}
HOSTILE = {
    "NUL inside": "contre-indications de la \0metformine",
    "FTS5 operators": 'contre-indications NOT "metformine* AND ^ OR NEAR( : ) {-}',
    "FTS5 column": "text_content:metformine contre-indications",
    "SQL": "contre-indications metformine'; DROP TABLE documents; --",
    "lone surrogate": "contre-indications de la metformine \ud800",
}
WITHOUT_SUBJECT = ("le la les de du", "pourquoi pas ?", "et après")


@pytest.fixture
def window(index: Path, monkeypatch: pytest.MonkeyPatch) -> ToolboxWorkbench:
    """What the window asks, over the small index."""
    monkeypatch.setenv("ANCREMED_INDEX", str(index))
    return ToolboxWorkbench(app.toolbox())


@pytest.mark.parametrize("case", CANNOT_BE_ASKED)
def test_a_question_that_cannot_be_asked(index: Path, window: ToolboxWorkbench, case: str) -> None:
    question, message = CANNOT_BE_ASKED[case]
    for extra in ((), ("--json",)):
        outcome = run("ask", question, "--index", index, *extra)
        assert (outcome.code, outcome.out) == (2, "")
        assert message in error_of(outcome)
    with pytest.raises(BadQuestionError, match=message.split(" : ")[0]):
        window.ask(
            question,
            progress=ignore_progress,
            cancel=CancelToken(),
            on_answer=lambda _answer: None,
            approve=lambda _outgoing: Approval.REFUSED,
        )


@pytest.mark.parametrize("case", HOSTILE)
def test_signs_of_a_query_language_are_plain_text(
    index: Path, window: ToolboxWorkbench, case: str
) -> None:
    question, before = HOSTILE[case], index.read_bytes()
    page = index.with_name("page.html")
    outcome = run("ask", question, "--index", index, "--json", "--html", page)
    assert outcome.code == 0, outcome.err
    assert json.loads(outcome.out)["status"] in {"answer", "abstention"}
    assert "<html" in page.read_text("utf-8")
    assert run("ask", question, "--index", index).code == 0
    assert run("search", question, "--index", index).code == 0
    answer = window.ask(
        question,
        progress=ignore_progress,
        cancel=CancelToken(),
        on_answer=lambda _answer: None,
        approve=lambda _outgoing: Approval.REFUSED,
    )
    assert answer.status in {AnswerStatus.ANSWER, AnswerStatus.ABSTENTION}
    assert index.read_bytes() == before


def test_the_longest_question_is_answered(index: Path) -> None:
    question = "Contre-indications de la metformine ? ".ljust(2000, "!")
    outcome = run("ask", question, "--index", index, "--json")
    assert outcome.code == 0
    assert json.loads(outcome.out)["status"] == "answer"


@pytest.mark.parametrize("question", WITHOUT_SUBJECT)
def test_a_question_of_little_words_is_told_what_to_add(index: Path, question: str) -> None:
    outcome = run("ask", question, "--index", index)
    assert outcome.code == 0
    assert "ajoutez-y une maladie, un médicament" in outcome.out
    searched = run("search", question, "--index", index)
    assert searched.code == 2
    assert f"« {question} » ne contient aucun mot" in error_of(searched)


@pytest.mark.parametrize("question", ["", " ", "a" * 2001, "metformine " * 95_326])
def test_a_search_that_cannot_be_made(index: Path, question: str) -> None:
    outcome = run("search", question, "--index", index)
    assert outcome.code == 2
    assert error_of(outcome) == "Indiquez de 1 à 2 000 caractères à chercher."
