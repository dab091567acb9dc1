"""How a question may name what the user's documents say: acronyms, figures, titles, values."""

from __future__ import annotations

from pathlib import Path

import pytest

from ancremed_desktop import app
from ancremed_desktop.domain.answers import Answer, AnswerStatus
from ancremed_desktop.domain.events import CancelToken, ignore_progress
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.domain.spans import VerifiedAssertion
from ancremed_desktop.pipeline.own_draft import FORBIDDEN_HERE
from ancremed_desktop.services.ask import AskService
from ancremed_desktop.settings import paths

TRANSFUSION = """# Transfusion de concentrés de globules rouges

## Avant

Une recherche d’anticorps irréguliers de moins de 3 jours est nécessaire.

## Pendant

Le débit est de 5 mL par minute pendant les 15 premières minutes.

Devant des frissons, la transfusion est arrêtée immédiatement.
"""
HEPARIN = """# Héparine non fractionnée en continu

## Prescription

Bolus de 60 UI/kg, puis 12 UI/kg/h.

Paracétamol : 1 g toutes les 6 heures.

## Interdits

Ne pas utiliser si les plaquettes sont inférieures à 100 G/L.
"""
SEIZURE = """# Convulsion fébrile aux urgences

## À l’arrivée

La température est prise dès l’accueil de l’enfant.

## Crise de plus de 5 minutes

Le midazolam buccal est donné à la dose de 0,3 mg/kg.

## Après la crise

La surveillance est horaire pendant six heures.

## Sortie

Une ordonnance de diazépam est remise aux parents.
"""
WARD = """# Guide de garde

## Téléphones

Le bloc opératoire répond au poste 4520.

## Sortie contre avis médical

Le patient signe le formulaire prévu.

## Contention physique

Elle est prescrite pour 24 heures au plus.
"""
DRUG = """# Zoltanibe

## Posologie

Le zoltanibe est donné à 40 mg par jour.

## Précautions

Ne jamais donner si la kaliémie dépasse 5,5 mmol/L.
"""
ENOXAPARIN = """# Énoxaparine dans le service

Énoxaparine 100 UI/kg deux fois par jour.

Elle est contre-indiquée si le DFG est inférieur à 15 mL/min.
"""
BIRTH = """# Hémorragie de la délivrance

## Ocytocine

L’ocytocine est injectée à la dose de 5 UI, puis 10 UI par heure.
"""
FALL = """# Conduite après une chute en gériatrie

Ne pas relever le patient avant d’avoir cherché une fracture.
"""
SCORE = """# Sevrage alcoolique

## Entrée

Le score de Cushman est relevé toutes les 4 heures.

## Seuils

Un score de Cushman supérieur à 14 fait transférer le patient.
"""
TABLE = """# Livret du service

| Produit | Dose | Voie |
|---|---|---|
| Brexarole | 12 mg matin et soir | orale |
| Tolvidone | 4 mg le soir | orale |
"""
FILES = {
    "t": TRANSFUSION, "h": HEPARIN, "s": SEIZURE, "w": WARD, "z": DRUG, "e": ENOXAPARIN, "l": TABLE,
    "b": BIRTH, "f": FALL, "c": SCORE,
}  # fmt: skip


@pytest.fixture
def service(tmp_path: Path) -> AskService:
    for name, text in FILES.items():
        (tmp_path / f"{name}.md").write_text(text, "utf-8")
    toolbox = app.toolbox()
    toolbox.library.import_into(
        "local", [*tmp_path.glob("*.md")], paths.user_index(),
        progress=ignore_progress, cancel=CancelToken(),
    )  # fmt: skip
    return toolbox.ask(None)


def _own(answer: Answer) -> list[str]:
    shown = [s.anchored for s in answer.spans if isinstance(s, VerifiedAssertion)]
    return [a.quote.replace("\u00a0", " ") for a in shown if a.passage.silo is Silo.LOCAL]


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("débit transfusion CGR", "5 mL par minute"),
        ("RAI validité avant transfusion", "moins de 3 jours"),
        ("frissons pendant une transfusion", "arrêtée immédiatement"),
        ("durée maximale de la contention", "24 heures au plus"),
        ("numéro du bloc opératoire", "poste 4520"),
        ("sortie contre avis médical", "formulaire prévu"),
        ("convulsion fébrile qui dure plus de 5 minutes", "0,3 mg/kg"),
        ("dose d’ocytocine dans l’hémorragie du post-partum", "5 UI"),
        ("CAT chute personne âgée", "Ne pas relever"),
        ("score de cushman > 14", "supérieur à 14"),
        ("posologie héparine non fractionnée", "Bolus de 60 UI/kg"),
    ],
)
def test_a_question_finds_the_line_of_the_user_s_document(
    service: AskService, question: str, line: str
) -> None:
    assert any(line in quote for quote in _own(service.ask(question)))


def test_what_forbids_at_the_value_given_comes_first(service: AskService) -> None:
    own = _own(service.ask("héparine plaquettes 80"))
    assert "inférieures à 100 G/L" in own[0]


@pytest.mark.parametrize(
    "question", ["zoltanibe kaliémie 5,8", "peut-on donner zoltanibe si K 5,8"]
)
def test_a_drug_of_the_user_alone_is_forbidden_at_the_value(
    service: AskService, question: str
) -> None:
    answer = service.ask(question)
    assert "dépasse 5,5" in _own(answer)[0]
    assert "Aucun extrait ne parle" not in answer.message


@pytest.mark.parametrize("question", ["énoxaparine DFG 12", "énoxaparine DFG 12 posologie"])
def test_what_forbids_stands_before_the_dose_and_is_announced(
    service: AskService, question: str
) -> None:
    answer = service.ask(question)
    assert "inférieur à 15" in _own(answer)[0]
    assert FORBIDDEN_HERE in answer.message


@pytest.mark.parametrize("asked", ["posologie", "dose", "poso"])
def test_a_row_of_a_table_is_found_without_its_neighbours(service: AskService, asked: str) -> None:
    own = _own(service.ask(f"{asked} brexarole"))
    assert any("12 mg" in quote for quote in own)
    assert not any("4 mg" in quote for quote in own)


def test_a_document_titled_by_what_is_asked_is_shown_whole_beside_the_corpus(
    service: AskService,
) -> None:
    answer = service.ask("convulsion fébrile")
    own = " ".join(_own(answer))
    positions = [own.index(w) for w in ("accueil", "0,3 mg/kg", "horaire", "ordonnance")]
    assert positions == sorted(positions)
    shown = [s.anchored for s in answer.spans if isinstance(s, VerifiedAssertion)]
    assert any(a.passage.silo is Silo.FICHES for a in shown)
    assert len({(a.passage.urn, a.quote) for a in shown}) == len(shown)


def test_a_figure_that_no_title_holds_is_looked_for_below(service: AskService) -> None:
    own = _own(service.ask("convulsion fébrile de plus de 5 minutes"))
    assert "0,3 mg/kg" in own[0]


def test_a_line_on_another_drug_is_not_of_the_one_in_the_title(service: AskService) -> None:
    own = _own(service.ask("posologie héparine non fractionnée"))
    assert not any("Paracétamol" in quote for quote in own)


def test_one_word_may_be_missing_where_that_is_said_and_never_a_drug(service: AskService) -> None:
    answer = service.ask("frissons transfusion globules tabac")
    assert any("arrêtée immédiatement" in q for q in _own(answer))
    assert "«\u00a0tabac\u00a0»" in answer.message
    for question in ("frissons transfusion globules vélocycline", "strabisme convulsion fébrile"):
        answer = service.ask(question)
        assert answer.status is not AnswerStatus.ANSWER or "strabisme" in answer.message
        assert not _own(answer)
