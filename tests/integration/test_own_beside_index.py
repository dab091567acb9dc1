"""The user's documents are searched beside a named index too, unless asked not to."""

from __future__ import annotations

from pathlib import Path

import pytest

from ancremed_desktop import app
from ancremed_desktop.cli import main
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.settings import paths

PROTOCOL = """# CAT hypoglycémie

## Patient conscient

Donner 15 g de sucre par la bouche.

## Patient inconscient

Injecter 2 ampoules de glucosé à 30 % en intraveineux direct.
"""


@pytest.fixture
def index(tmp_path: Path) -> Path:
    protocol = tmp_path / "hypo.md"
    protocol.write_text(PROTOCOL, "utf-8")
    library = app.toolbox().library
    library.import_into(
        "local", (protocol,), paths.user_index(), progress=ignore_progress, cancel=CancelToken()
    )
    named = tmp_path / "index.db"
    library.build(
        {"cards": app.toolbox().starter_folder}, named, progress=ignore_progress,
        cancel=CancelToken(),
    )  # fmt: skip
    return named


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        ("CAT hypoglycémie", "15 g de sucre"),
        ("conduite à tenir hypoglycémie", "15 g de sucre"),
        ("hypoglycémie patient inconscient", "2 ampoules de glucosé"),
    ],
)
def test_own_documents_are_searched_beside_a_named_index(
    index: Path, capsys: pytest.CaptureFixture[str], question: str, quote: str
) -> None:
    toolbox = app.toolbox()
    assert main.run(["ask", question, "--index", str(index)], toolbox) == 0
    assert quote in capsys.readouterr().out
    assert main.run(["ask", question, "--index", str(index), "--corpus-only"], toolbox) == 0
    assert quote not in capsys.readouterr().out
    assert main.run(["search", question, "--index", str(index), "--corpus-only"], toolbox) == 0
    assert "CAT hypoglycémie" not in capsys.readouterr().out
    # An evaluation of an index must not depend on the user's documents.
    assert not toolbox.ask(index).find(question, silos=()).hits or all(
        h.passage.origin_title != "CAT hypoglycémie" for h in toolbox.ask(index).find(question).hits
    )


def test_own_and_corpus_are_both_shown(index: Path, capsys: pytest.CaptureFixture[str]) -> None:
    toolbox = app.toolbox()
    own = index.parent / "anaphylaxie.md"
    own.write_text("# Anaphylaxie\n\nLe chariot rouge est au fond du couloir.\n", "utf-8")
    toolbox.library.import_into(
        "local", (own,), paths.user_index(), progress=ignore_progress, cancel=CancelToken()
    )
    assert main.run(["ask", "anaphylaxie", "--index", str(index)], toolbox) == 0
    shown = capsys.readouterr().out
    assert shown.index("chariot rouge") < shown.index("adrénaline")


@pytest.mark.parametrize(
    "question", ["douleur thoracique du service", "sevrage alcoolique hospitalier"]
)
def test_own_document_comes_first_on_its_title_among_all_families(
    index: Path, question: str
) -> None:
    """A word is as rare in a file of a few passages as in all that is searched."""
    own = index.parent / "own.md"
    text = "Le médecin de garde est appelé au 4512.\n"
    own.write_text(f"# {question.capitalize()}\n\n## Téléphone\n\n{text}", "utf-8")
    toolbox = app.toolbox()
    toolbox.library.import_into(
        "local", (own,), paths.user_index(), progress=ignore_progress, cancel=CancelToken()
    )
    first = toolbox.ask(None).find(question).hits[0].passage
    assert first.origin_title == question.capitalize()


def test_own_passage_is_found_by_its_heading_alone(index: Path) -> None:
    own = index.parent / "garde.md"
    sections = {
        "Téléphones": "Le poste du bloc opératoire est le 4520.",
        "Décès": "La famille est prévenue par le senior.",
        "Fugue": "Le cadre est prévenu, puis la police après une heure.",
        "Sortie contre avis médical": "Le patient signe le formulaire prévu.",
    }
    own.write_text(
        "# Garde\n\n" + "\n\n".join(f"## {name}\n\n{text}" for name, text in sections.items()),
        "utf-8",
    )
    toolbox = app.toolbox()
    toolbox.library.import_into(
        "local", (own,), paths.user_index(), progress=ignore_progress, cancel=CancelToken()
    )
    first = toolbox.ask(None).find("sortie contre avis médical", silos=(Silo.LOCAL,)).hits[0]
    assert "formulaire prévu" in first.passage.text
