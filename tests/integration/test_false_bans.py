"""A ban is told of the case asked only where it holds there, and nothing above it denies it."""

from __future__ import annotations

import pytest
from fakes.on_screen import shown_by

from ancremed_desktop.domain.spans import Narrative
from ancremed_desktop.pipeline.own_draft import FORBIDDEN_HERE
from ancremed_desktop.services.ask import AskService
from ancremed_desktop.text.normalise import fold


def test_a_ban_above_a_dose_is_none_of_a_lower_one(service: AskService) -> None:
    low, high = service.ask("aspirine 75 mg 30 SA"), service.ask("aspirine 300 mg 30 SA")
    assert FORBIDDEN_HERE not in low.message
    assert "superieure a 100" not in shown_by(low)[0][1]
    assert FORBIDDEN_HERE in high.message
    assert "superieure a 100" in shown_by(high)[0][1]


def test_a_dose_given_unless_at_the_value_asked_is_not_of_this_case(service: AskService) -> None:
    answer = service.ask("allopurinol DFG 20")
    doses = [q for section, q in shown_by(answer) if section == "posologie"]
    assert FORBIDDEN_HERE not in answer.message
    assert fold("dose maximale d’allopurinol") in doses[0]
    assert "colchicine" not in doses[0]


def test_the_dose_of_what_undoes_a_drug_is_none_of_the_drug(service: AskService) -> None:
    shown = shown_by(service.ask("Eliquis opéré"))
    assert not any("prothrombinique" in quote for _s, quote in shown)
    antidote = shown_by(service.ask("dabigatran antidote dose"))
    assert any("idarucizumab" in quote for _s, quote in antidote)


@pytest.mark.parametrize(
    ("question", "dose"),
    [
        ("metformine DFG de 30 à 44", "de 30 a 44 ml/min"),
        ("metformine DFG passé de 60 à 44", "de 30 a 44 ml/min"),
        ("metformine DFG de 60 à 50", "de 45 a 59 ml/min"),
    ],
)
def test_a_range_is_read_whole_and_a_change_by_its_last_value(
    service: AskService, question: str, dose: str
) -> None:
    shown = shown_by(service.ask(question))
    first = next(q for section, q in shown if section == "posologie")
    assert dose in first.replace("\u00a0", " ")


def test_what_names_the_value_is_under_no_line_that_denies_it(service: AskService) -> None:
    answer = service.ask("clarithromycine + colchicine clairance 25")
    assert not any("fonction rénale" in s.text for s in answer.spans if isinstance(s, Narrative))
    assert "inferieure a 30" in shown_by(answer)[0][1]


def test_a_word_left_aside_is_named_and_no_case_is_denied(service: AskService) -> None:
    answer = service.ask("metformine HbA1c 9 DFG 25")
    assert "ne dit rien de ce cas" not in answer.message
    assert "inferieur a 30" in shown_by(answer)[0][1]
