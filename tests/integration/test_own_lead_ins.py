"""What a document of the user forbids is never shown as advice: a list keeps what announces it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from fakes.drawn_pdf import Drawn
from fakes.ward_protocol import FORMATS, Block, Items, Table

from ancremed_desktop import app
from ancremed_desktop.domain.answers import Answer
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.spans import VerifiedAssertion
from ancremed_desktop.services.export import answer_to_text
from ancremed_desktop.services.page import answer_to_html
from ancremed_desktop.settings import paths

LEADS = (
    "Ne pas donner :",
    "Le traitement n’est pas indiqué dans :",
    "À ne jamais faire :",
    "Contre-indiqué :",
    "Doses toxiques :",
    "Ne pas dépasser :",
    "Chez le malade dialysé :",
)
GOOD = "Le furosémide est donné à 40 mg par jour chez l’adulte."
QUESTIONS = ("posologie du furosémide", "furosémide", "dose de furosémide le soir")


def ask(*files: Path, questions: Sequence[str] = QUESTIONS) -> list[Answer]:
    toolbox = app.toolbox()
    user = paths.user_index()
    toolbox.library.import_into(
        "local", files, user, progress=ignore_progress, cancel=CancelToken()
    )
    service = toolbox.ask(user)
    return [service.ask(question) for question in questions]


def quotes(answers: list[Answer]) -> list[str]:
    return [
        " ".join(span.anchored.quote.replace("'", "’").split())
        for answer in answers
        for span in answer.spans
        if isinstance(span, VerifiedAssertion)
    ]


def write(path: Path, *blocks: Block) -> Path:
    title = "Protocole de diurétiques du service"
    return FORMATS[path.suffix](path, (("h2", "Posologie"), ("p", GOOD), *blocks), title)


@pytest.mark.parametrize("suffix", sorted(FORMATS))
def test_an_item_is_shown_with_its_lead_in(tmp_path: Path, suffix: str) -> None:
    blocks: list[Block] = []
    for number, lead in enumerate(LEADS):
        items = [(0, f"furosémide {500 + number} mg le soir"), (0, f"digoxine {600 + number} mg")]
        after = ("p", f"La kaliémie est mesurée chaque semaine pendant {700 + number} heures.")
        blocks += [("p", lead), Items(items), after]
    shown = quotes(ask(write(tmp_path / f"doses{suffix}", *blocks)))
    assert any(quote == GOOD for quote in shown)
    for number, lead in enumerate(LEADS):
        told = [quote for quote in shown if f"{500 + number} mg" in quote]
        assert told
        assert all(q.startswith(lead) and f"digoxine {600 + number}" in q for q in told)
        assert not any("kaliémie" in quote for quote in told)


@pytest.mark.parametrize("suffix", sorted(FORMATS))
def test_an_item_within_an_item_is_shown_with_both(tmp_path: Path, suffix: str) -> None:
    items = Items(
        [
            (0, "insuffisance rénale"),
            (1, "furosémide 501 mg le soir"),
            (0, "insuffisance hépatique"),
            (1, "furosémide 777 mg le soir"),
        ]
    )
    answers = ask(write(tmp_path / f"doses{suffix}", ("p", "À ne jamais donner :"), items))
    told = [quote for quote in quotes(answers) if "777" in quote]
    assert told
    for quote in told:
        places = [quote.find(w) for w in ("À ne jamais", "rénale", "501", "hépatique", "777")]
        assert places == sorted(places)
        assert min(places) == 0
    assert "      – ◦ furosémide 777 mg le soir" in answer_to_text(answers[0])


@pytest.mark.parametrize("suffix", sorted(FORMATS))
def test_a_heading_that_forbids_is_shown(tmp_path: Path, suffix: str) -> None:
    headings = ("Ne pas donner", "Erreurs à éviter")
    blocks: list[Block] = []
    for number, heading in enumerate(headings):
        items = Items([(0, f"furosémide {500 + number} mg le soir"), (0, "digoxine 9 mg")])
        plain = ("p", f"Le furosémide est aussi donné à {700 + number} mg à midi.")
        blocks += [("h3", heading), items, plain]
    told = quotes(ask(write(tmp_path / f"doses{suffix}", *blocks)))
    for number, heading in enumerate(headings):
        figures = [q for q in told if f"{500 + number} mg" in q or f"{700 + number} mg" in q]
        assert all(quote.startswith(heading) for quote in figures)
    assert GOOD in told


@pytest.mark.parametrize("suffix", [".md", ".docx", ".html"])
@pytest.mark.parametrize("before", [("p", "Doses toxiques :"), ("h3", "Doses toxiques")])
def test_a_row_keeps_what_announces_its_table(
    tmp_path: Path, suffix: str, before: tuple[str, str]
) -> None:
    rows = Table([["Médicament", "Dose"], ["furosémide", "501 mg"], ["digoxine", "9 mg"]])
    told = [q for q in quotes(ask(write(tmp_path / f"doses{suffix}", before, rows))) if "501" in q]
    assert told
    assert all(quote.startswith("Doses toxiques : Médicament : furosémide") for quote in told)


def test_of_a_long_list_no_item_is_shown_alone(tmp_path: Path) -> None:
    items = Items([(0, f"furosémide {900 + n} mg avec le produit {n}") for n in range(120)])
    file = write(tmp_path / "doses.md", ("p", "Ne pas donner :"), items)
    told = quotes(ask(file, questions=("furosémide 1019 mg produit 119",)))
    figures = [q for q in told if "furosémide 9" in q]
    assert all(q.startswith("Ne pas donner :") and len(q) < 2000 for q in figures)
    assert any("furosémide 1019 mg" in q for q in told), "the end of the list is found too"


def test_a_list_that_goes_on_overleaf_keeps_its_lead_in(tmp_path: Path) -> None:
    drawn = Drawn()
    drawn.lines("Protocole de diurétiques du service", size=20, bold=True)
    drawn.lines("Posologie", size=15, bold=True)
    drawn.lines(GOOD)
    drawn.lines("Ne pas donner au malade :")
    drawn.lines("- digoxine 9 mg le matin")
    drawn.new_page()
    drawn.lines("- furosémide 501 mg le soir")
    drawn.lines("La kaliémie est mesurée chaque semaine pendant le traitement.")
    told = [q for q in quotes(ask(drawn.save(tmp_path / "doses.pdf"))) if "501" in q]
    assert told
    assert all(quote.startswith("Ne pas donner au malade : - digoxine") for quote in told)


@pytest.mark.parametrize("suffix", sorted(FORMATS))
def test_an_exception_is_never_left_out(tmp_path: Path, suffix: str) -> None:
    said = "Le furosémide est doublé le soir chez l’adulte. Sauf en cas de dialyse."
    apart = ("p", "Sauf chez la femme enceinte ou allaitante.")
    told = quotes(ask(write(tmp_path / f"doses{suffix}", ("p", said), apart)))
    doubled = [quote for quote in told if "doublé" in quote]
    assert doubled
    assert all("dialyse" in quote and "enceinte" in quote for quote in doubled)
    assert not any(quote.startswith("Sauf") for quote in told)


def test_the_headings_over_a_sentence_are_shown_with_it(tmp_path: Path) -> None:
    blocks = (("h3", "Chez le malade dialysé"), ("p", "La zorvatine est donnée à 501 mg le soir."))
    file = write(tmp_path / "doses.md", *blocks)
    (answer,) = ask(file, questions=("posologie de la zorvatine",))
    text = answer_to_text(answer)
    assert "501 mg le soir. [1, «\u00a0Posologie › Chez le malade dialysé\u00a0»]" in text
    assert "Posologie › Chez le malade dialysé" in answer_to_html(answer)
