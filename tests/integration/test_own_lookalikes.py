"""A document of the user answers for the drug that is asked, never for one that begins alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from ancremed_desktop import app
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.spans import VerifiedAssertion
from ancremed_desktop.settings import paths

LOOKALIKES = (
    ("quinine", "quinidine"),
    ("prednisolone", "prednisone"),
    ("hydroxyzine", "hydroxychloroquine"),
    ("clomifène", "clomipramine"),
    ("Zorvax13", "Zorvax23"),
    ("trifol-2b", "trifol-2a"),
)
PAIRS = (*LOOKALIKES, *((second, first) for first, second in LOOKALIKES))


def quoted(folder: Path, text: str, question: str) -> list[str]:
    file = folder / "doses.md"
    file.write_text(f"# Protocole du service\n\n## Posologie\n\n{text}\n", encoding="utf-8")
    toolbox, user = app.toolbox(), paths.user_index()
    toolbox.library.import_into(
        "local", [file], user, progress=ignore_progress, cancel=CancelToken()
    )
    spans = toolbox.ask(user).ask(question).spans
    return [span.anchored.quote for span in spans if isinstance(span, VerifiedAssertion)]


@pytest.mark.parametrize(("asked", "held"), PAIRS)
def test_a_drug_that_begins_alike_is_no_answer(tmp_path: Path, asked: str, held: str) -> None:
    said = f"La dose de {held} est de 800 mg par jour."
    assert said not in quoted(tmp_path, said, f"dose de {asked}")


@pytest.mark.parametrize("named", sorted({name for pair in LOOKALIKES for name in pair}))
def test_the_drug_that_is_asked_is_answered(tmp_path: Path, named: str) -> None:
    said = f"La dose de {named} est de 800 mg par jour."
    assert said in quoted(tmp_path, said, f"dose de {named}")


@pytest.mark.parametrize(
    ("asked", "held"),
    [
        ("déclaration de la morsure", "La morsure est déclarée au service sous 3 jours."),
        ("surveillance de la perfusion", "La perfusion est surveillée toutes les 4 heures."),
        ("isolement des varicelles", "La varicelle est isolée pendant 7 jours."),
    ],
)
def test_a_noun_meets_its_verb(tmp_path: Path, asked: str, held: str) -> None:
    assert held in quoted(tmp_path, held, asked)
