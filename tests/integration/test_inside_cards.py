"""What stands in a starter card is shown when asked, before its neighbours."""

from __future__ import annotations

import pytest
from fakes.on_screen import quotes_of

from ancremed_desktop.domain.spans import VerifiedAssertion
from ancremed_desktop.services.ask import AskService


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("pneumonie 45 ans sans comorbidité antibiotique dose", "amoxicilline, 1 g trois fois"),
        ("cystite simple femme 30 ans 1ère intention", "à la dose unique de 3 g"),
        ("migraine crise traitement 1re intention", "La crise de migraine de l’adulte est traitée"),
        ("vaccin zona âge", "contre le zona par un vaccin recombinant"),
        ("colique néphrétique fébrile cat", "La colique néphrétique fébrile est une urgence"),
        ("prostatite durée antibiotique", "masculine fébrile est de 14 jours"),
        ("pyélonéphrite antibiotique durée", "simple de la femme adulte est de 7 jours"),
        ("enoxaparine préventif dose", "à la dose de 4000 UI une fois par jour"),
        ("choc septique noradrénaline dose", "le vasopresseur de première intention"),
        ("nourrisson déshydraté sro dilution", "dilué dans 200 mL"),
        ("dénutrition sévère imc 70 ans", "inférieur à 20 kg/m² définit"),
        ("primpéran durée max", "ne dépasse pas 5 jours"),
        ("acné sévère isotrétinoïne grossesse", "est contre-indiquée pendant la grossesse"),
        ("hypothyroïdie sujet âgé coronarien lévothyroxine dose", "12,5 à 25 µg"),
    ],
)
def test_the_line_asked_comes_first(service: AskService, question: str, first: str) -> None:
    assert first in quotes_of(service.ask(question))[0]


@pytest.mark.parametrize(
    ("question", "another"),
    [
        ("pneumonie 45 ans sans comorbidité antibiotique dose", "40 à 80 mg/kg"),
        ("pneumonie sans comorbidité antibiotique", "AUGMENTIN"),
        ("prostatite durée antibiotique", "dose unique de 3 g"),
        ("prostatite aiguë antibiotique", "cystite simple"),
        ("fosfomycine pyélonéphrite dose", "dose unique de 3 g"),
        ("métoclopramide reflux dose", "10 mg jusqu’à trois fois"),
        ("choc septique noradrénaline dose", "hydrocortisone"),
        ("fièvre retour afrique bilan", "est l’espèce la plus dangereuse"),
    ],
)
def test_a_neighbour_is_not_shown_instead(service: AskService, question: str, another: str) -> None:
    quotes = quotes_of(service.ask(question))
    assert quotes
    assert not any(another in quote for quote in quotes)


@pytest.mark.parametrize(
    ("question", "lacking"),
    [
        ("choc septique noradrénaline dose", "ne donne le chiffre demandé"),
        ("thiamine dose gayet wernicke", "ne donne le chiffre demandé"),
        ("pilule du lendemain carbamazépine", "une classe dont il fait partie"),
    ],
)
def test_what_the_cards_lack_is_said(service: AskService, question: str, lacking: str) -> None:
    answer = service.ask(question)
    assert quotes_of(answer)
    assert lacking in answer.message


def test_a_general_line_stands_beside_that_of_a_pregnancy(service: AskService) -> None:
    quotes = quotes_of(service.ask("cystite dose"))
    general = next(i for i, q in enumerate(quotes) if "simple de la femme adulte" in q)
    pregnant = next(i for i, q in enumerate(quotes) if "femme enceinte" in q)
    assert general < pregnant


@pytest.mark.parametrize(
    ("question", "quote", "section"),
    [
        ("intoxication co enceinte caisson hyperbare", "quels que soient ses signes", "traitement"),
        ("méningite enceinte listeria", "L’amoxicilline est associée", "traitement"),
        ("ait double antiagrégation durée", "pendant 21 jours", "traitement"),
        ("sevrage alcool thiamine avant glucose", "avant tout apport", "gestes immédiats"),
        ("acné isotrétinoïne dose", "transaminases et les lipides sont dosés", "surveillance"),
    ],
)
def test_a_treatment_stands_under_its_own_heading(
    service: AskService, question: str, quote: str, section: str
) -> None:
    spans = service.ask(question).spans
    said = [s.anchored for s in spans if isinstance(s, VerifiedAssertion)]
    under = {a.draft.section for a in said if quote in " ".join(a.quote.split())}
    assert under == {section}


def test_a_second_line_drug_hides_no_first_line_treatment(service: AskService) -> None:
    quotes = quotes_of(service.ask("hypoglycémie coma resucrage glucagon"))
    glucose = next(i for i, q in enumerate(quotes) if "du glucose à 30 % est injecté" in q)
    glucagon = next(i for i, q in enumerate(quotes) if "à la dose unique de 1 mg" in q)
    assert glucose < glucagon
