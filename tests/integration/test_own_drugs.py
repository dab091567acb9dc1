"""A protocol that doses several drugs: the lines of the drug asked, beside the corpus, alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from ancremed_desktop import app
from ancremed_desktop.domain.answers import Answer
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.identifiers import OWN_SECTIONS, Silo
from ancremed_desktop.domain.spans import VerifiedAssertion
from ancremed_desktop.services.ask import AskService
from ancremed_desktop.settings import paths

PROTOCOL = """# Antibiothérapie probabiliste du service

## 1. Posologies

Amoxicilline : 100 mg/kg/j en 3 prises, maximum 3 g/j.

Ceftriaxone : 75 mg/kg/j en une injection.

Ciprofloxacine : 400 mg trois fois par jour.

## 2. Analgésie

- Paracétamol : 1 g IV toutes les 6 heures.
- Morphine : 10 mg par la bouche toutes les 4 heures.
- Tramadol : 50 mg toutes les 6 heures.

## Dobutamine

La dobutamine est commencée à la dose de 5 µg/kg/min.

## Spironolactone

La spironolactone est donnée à la dose de 25 mg.

La spironolactone n’est jamais donnée si la kaliémie dépasse 5,2 mmol/L.

## Metformine

La metformine est arrêtée à l’entrée de tout patient dont le DFG est inférieur à 45 mL/min.
"""


@pytest.fixture
def service(tmp_path: Path) -> AskService:
    file = tmp_path / "protocole.md"
    file.write_text(PROTOCOL, "utf-8")
    toolbox = app.toolbox()
    toolbox.library.import_into(
        "local", [file], paths.user_index(), progress=ignore_progress, cancel=CancelToken()
    )
    return toolbox.ask(None)


def _own(answer: Answer) -> list[str]:
    shown = [s.anchored for s in answer.spans if isinstance(s, VerifiedAssertion)]
    return [a.quote.replace("\u00a0", " ") for a in shown if a.passage.silo is Silo.LOCAL]


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("posologie amoxicilline enfant", "Amoxicilline : 100 mg/kg/j"),
        ("amoxicilline dose", "Amoxicilline : 100 mg/kg/j"),
        ("posologie de la ceftriaxone", "Ceftriaxone : 75 mg/kg/j"),
        ("posologie du paracétamol", "Paracétamol : 1 g IV"),
        ("poso morphine", "Morphine : 10 mg"),
        ("posologie de la metformine", "DFG est inférieur à 45"),
    ],
)
def test_the_lines_of_the_drug_asked_come_first_and_alone(
    service: AskService, question: str, line: str
) -> None:
    answer = service.ask(question)
    own = _own(answer)
    assert any(line in quote for quote in own)
    others = {
        "Amoxicilline",
        "Ceftriaxone",
        "Ciprofloxacine",
        "Paracétamol",
        "Morphine",
        "Tramadol",
    }
    neighbours = others - {line.partition(" ")[0]}
    assert not any(name in quote for name in neighbours for quote in own)
    first = next(s for s in answer.spans if isinstance(s, VerifiedAssertion))
    assert first.anchored.passage.silo is Silo.LOCAL
    assert first.anchored.draft.section == OWN_SECTIONS[2]


def test_a_drug_the_corpus_lacks_is_answered_by_the_documents(service: AskService) -> None:
    assert any("5 µg/kg/min" in quote for quote in _own(service.ask("posologie dobutamine")))


def test_what_the_documents_forbid_at_a_value_stands_first(service: AskService) -> None:
    answer = service.ask("spironolactone kaliémie 5,8")
    own = _own(answer)
    assert own[0] == "La spironolactone n’est jamais donnée si la kaliémie dépasse 5,2 mmol/L."


def test_the_corpus_is_still_shown_beside(service: AskService) -> None:
    answer = service.ask("posologie du paracétamol")
    silos = {s.anchored.passage.silo for s in answer.spans if isinstance(s, VerifiedAssertion)}
    assert silos == {Silo.LOCAL, Silo.FICHES}


def test_a_drug_the_documents_lack_shows_none_of_them(service: AskService) -> None:
    assert not _own(service.ask("posologie ramipril"))
