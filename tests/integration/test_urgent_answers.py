"""Questions of a night on call to a fresh install: the right dose, and never that of another."""

from __future__ import annotations

import pytest

from ancremed_desktop.domain.answers import Answer
from ancremed_desktop.domain.spans import Narrative, VerifiedAssertion
from ancremed_desktop.services.ask import AskService
from ancremed_desktop.text.normalise import fold


def _quotes(answer: Answer, section: str = "") -> list[str]:
    """Folded quotes, of a section or of all."""
    return [
        fold(s.anchored.quote)
        for s in answer.spans
        if isinstance(s, VerifiedAssertion) and section in ("", s.anchored.draft.section)
    ]


@pytest.mark.parametrize(
    ("question", "dose"),
    [
        ("ACR adrénaline dose", "1 mg par voie intraveineuse"),
        ("ACR amiodarone dose", "300 mg par voie intraveineuse"),
        ("posologie clonazépam état de mal épileptique", "1 mg par voie intraveineuse lente"),
        ("adrénaline arrêt cardiaque enfant", "10 microgrammes par kilogramme, sans dépasser 1 mg"),
        ("ACR enfant amiodarone dose", "5 mg/kg, sans dépasser 300 mg"),
        ("fièvre enfant 3 ans paracétamol", "15 mg/kg toutes les 6 heures"),
        ("NAC enfant", "150 mg/kg en 1 heure"),
        ("SCA ST- aspirine dose", "150 à 300 mg"),
        ("cystite grossesse", "dose unique de 3 g"),
        ("hyperkaliémie insuline glucose dose", "10 UI d’insuline rapide"),
        ("furosémide IV OAP dose", "par voie intraveineuse à la dose initiale de 20 à 40 mg"),
    ],
)
def test_the_card_of_an_emergency_gives_the_dose_of_its_drugs(
    service: AskService, question: str, dose: str
) -> None:
    answer = service.ask(question)
    assert any(fold(dose) in q for q in _quotes(answer, "posologie"))


def test_the_dose_of_an_emergency_is_not_that_of_another(service: AskService) -> None:
    assert not any("anaphyla" in q for q in _quotes(service.ask("ACR adrénaline dose")))


@pytest.mark.parametrize(
    ("question", "adult"),
    [
        ("intoxication paracétamol enfant", "Chez l’adulte intoxiqué"),
        ("antidote intoxication paracétamol enfant", "Chez l’adulte intoxiqué"),
        ("adrénaline arrêt cardiaque enfant", "Chez l’adulte en arrêt"),
        ("gestes immédiats arrêt cardiaque enfant", "profondeur de 5 à 6 cm"),
    ],
)
def test_what_is_done_to_an_adult_is_not_shown_for_a_child(
    service: AskService, question: str, adult: str
) -> None:
    assert not any(fold(adult) in q for q in _quotes(service.ask(question)))


def test_an_overdose_shows_all_that_is_done_with_its_antidote(service: AskService) -> None:
    answer = service.ask("intoxication paracétamol")
    assert any("centre antipoison est appele" in q for q in _quotes(answer, "gestes immédiats"))
    assert any("150 mg/kg en 1 heure" in q for q in _quotes(answer, "antidote"))
    assert _quotes(answer, "orientation")


@pytest.mark.parametrize(
    ("question", "expected", "contrary"),
    [
        ("pneumopathie sans comorbidité", "amoxicilline, 1 g", "qui ont une comorbidité"),
        ("pneumopathie avec comorbidité", "qui ont une comorbidité", "sans comorbidité"),
    ],
)
def test_the_extract_is_of_the_case_asked(
    service: AskService, question: str, expected: str, contrary: str
) -> None:
    quotes = _quotes(service.ask(question))
    assert any(fold(expected) in q for q in quotes)
    assert not any(fold(contrary) in q for q in quotes)


@pytest.mark.parametrize(
    ("question", "section", "step"),
    [
        ("OAP TA 210/120", "gestes immédiats", "assis"),
        ("hyperkaliémie 7,2 enceinte", "gestes immédiats", "les apports de potassium"),
        ("crise convulsive > 5 min", "gestes immédiats", "glycémie capillaire"),
        ("fièvre nourrisson", "gestes immédiats", "moins de 3 mois est examiné sans délai"),
        ("coma hyperosmolaire", "traitement", "soluté salé isotonique"),
        ("SCA non ST+", "traitement", "la fibrinolyse n’est pas indiquée"),
        ("NSTEMI conduite à tenir", "traitement", "150 à 300 mg"),
        ("ACR enfant", "gestes immédiats", "5 insufflations"),
        ("douleur thoracique sus-ST", "traitement", "angioplastie primaire"),
        ("EP grave", "gestes immédiats", "thrombolyse systémique"),
        ("acidocétose kaliémie 3", "traitement", "tant que la kaliémie est inférieure à 3,5"),
    ],
)
def test_an_emergency_named_alone_shows_what_is_done(
    service: AskService, question: str, section: str, step: str
) -> None:
    assert any(fold(step) in q for q in _quotes(service.ask(question), section))


@pytest.mark.parametrize(
    ("question", "other"),
    [
        ("SCA ST+ traitement", "fibrinolyse n’est pas indiquée"),
        ("SCA ST- traitement", "une fibrinolyse est réalisée"),
        ("cystite grossesse", "ceftriaxone"),
    ],
)
def test_what_is_done_is_of_the_disease_asked(
    service: AskService, question: str, other: str
) -> None:
    quotes = _quotes(service.ask(question))
    assert quotes
    assert not any(fold(other) in q for q in quotes)


def test_adults_come_before_children_where_none_is_named(service: AskService) -> None:
    quotes = _quotes(service.ask("crise d’asthme"), "traitement")
    adult = quotes.index(next(q for q in quotes if "4 a 10 bouffees" in q))
    child = quotes.index(next(q for q in quotes if "pour 2 kg" in q))
    assert adult < child


def test_a_threshold_of_the_value_given_goes_first(service: AskService) -> None:
    answer = service.ask("avc TA 200/110")
    assert "185/110" in _quotes(answer, "traitement")[0]
    assert "n’est reprise" not in answer.message


def test_a_value_that_no_extract_speaks_of_is_said(service: AskService) -> None:
    answer = service.ask("sepsis lactate 4")
    assert _quotes(answer, "traitement")
    assert "La valeur «\u00a0lactate 4\u00a0» n’est reprise par aucun extrait." in answer.message


@pytest.mark.parametrize(
    ("question", "forbidden"),
    [
        ("bronchiolite salbutamol", "les bronchodilatateurs"),
        ("bronchiolite prednisolone", "les corticoïdes ne sont pas recommandés"),
        ("bronchiolite amoxicilline", "les antibiotiques ne sont pas recommandés"),
    ],
)
def test_what_forbids_the_class_of_a_drug_in_the_disease_is_shown_and_said(
    service: AskService, question: str, forbidden: str
) -> None:
    answer = service.ask(question)
    assert any(fold(forbidden) in q for q in _quotes(answer))
    assert "une classe dont il fait partie" in answer.message


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("diabète gestationnel seuils", "0,92 g/L à jeun"),
        ("hépatite B sérologie interprétation", "anti-HBc traduit une hépatite B guérie"),
        ("hépatite B sérologie interprétation", "anti-HBs isolé traduit une vaccination"),
    ],
)
def test_a_section_named_in_other_words_is_that_of_the_card(
    service: AskService, question: str, expected: str
) -> None:
    assert any(fold(expected) in q for q in _quotes(service.ask(question)))


def test_a_dose_that_says_no_route_is_not_that_of_the_route_asked(service: AskService) -> None:
    assert not _quotes(service.ask("paracétamol IV dose adulte"), "posologie")


def test_a_dose_of_another_route_is_shown_with_what_it_lacks(service: AskService) -> None:
    answer = service.ask("anaphylaxie adulte adrénaline dose IV")
    assert any("intramusculaire" in q for q in _quotes(answer, "posologie"))
    assert "«\u00a0intraveineuse\u00a0»" in answer.message


@pytest.mark.parametrize(
    "question", ["clonazépam état de mal enfant", "pyélonéphrite enfant", "bronchiolite oxygène"]
)
def test_what_is_said_of_another_drug_or_patient_is_no_answer(
    service: AskService, question: str
) -> None:
    quotes = _quotes(service.ask(question))
    assert not any("valproate" in q or "femme enceinte" in q for q in quotes)


@pytest.mark.parametrize(
    ("question", "section", "given"),
    [
        ("ACR femme enceinte CAT", "traitement", "choc électrique externe immédiat"),
        ("ACR femme enceinte CAT", "traitement", "1 mg par voie intraveineuse"),
        ("état de mal épileptique femme enceinte CAT", "traitement", "clonazépam est injecté"),
        ("asthme aigu grave femme enceinte traitement", "traitement", "4 à 10 bouffées"),
        ("acidocétose femme enceinte insuline", "posologie", "0,1 UI/kg par heure"),
        ("anaphylaxie femme enceinte adrénaline", "posologie", "intramusculaire"),
        ("choc anaphylactique enceinte adrénaline dose", "posologie", "intramusculaire"),
    ],
)
def test_an_emergency_of_a_pregnant_woman_is_treated_and_it_is_said(
    service: AskService, question: str, section: str, given: str
) -> None:
    answer = service.ask(question)
    assert any(fold(given) in q for q in _quotes(answer, section))
    said = [s.text for s in answer.spans if isinstance(s, Narrative) and s.section == section]
    assert any("n’est propre à la grossesse" in text for text in said)
    assert "Aucun extrait ne répond" not in answer.message


@pytest.mark.parametrize(
    ("question", "forbidden", "dose"),
    [
        ("ACR femme enceinte CAT", "amiodarone n’est pas utilisée pendant la grossesse", "300 mg"),
        ("SCA ST+ femme enceinte", "à partir de 24 semaines d’aménorrhée", "150 à 300 mg"),
    ],
)
def test_what_is_forbidden_in_pregnancy_goes_before_the_dose_of_an_emergency(
    service: AskService, question: str, forbidden: str, dose: str
) -> None:
    quotes = _quotes(service.ask(question))
    barred = next(i for i, q in enumerate(quotes) if fold(forbidden) in q)
    assert barred > 0, "what is done at once comes first"
    assert any(fold(dose) in q for q in quotes[barred:])
    assert not any(fold(dose) in q for q in quotes[:barred])


def test_out_of_an_emergency_an_adults_treatment_is_not_a_pregnant_womans(
    service: AskService,
) -> None:
    answer = service.ask("sinusite femme enceinte traitement")
    said = [s.text for s in answer.spans if isinstance(s, Narrative)]
    assert not any("traitement de l’adulte montré" in text for text in said)


@pytest.mark.parametrize(
    ("question", "dose"),
    [
        ("purpura fulminans nourrisson 5 kg", "50 à 100 mg/kg"),
        ("overdose méthadone naloxone enfant", "0,01 mg/kg"),
        ("surdosage morphine enfant 10 kg", "0,01 mg/kg"),
    ],
)
def test_what_is_given_at_once_to_a_child_is_followed_by_its_dose(
    service: AskService, question: str, dose: str
) -> None:
    quotes = _quotes(service.ask(question))
    doses = [q for q in quotes if "/kg" in q]
    assert len(doses) == 1
    assert fold(dose) in doses[0]


@pytest.mark.parametrize(
    ("question", "adult"),
    [
        ("hyperkaliémie enfant gluconate de calcium", "10 mL"),
        ("hyperkaliémie enfant gluconate de calcium", "30 mL"),
        ("hyperkaliémie enfant CAT", "10 UI"),
        ("hypoglycémie nourrisson CAT", "3 morceaux"),
        ("hypoglycémie enfant 2 ans CAT", "3 morceaux"),
        ("méningite nouveau né antibiotique dose", "mg/kg"),
        ("purpura fulminans nouveau-né", "mg/kg"),
    ],
)
def test_an_amount_of_others_is_shown_to_no_child_in_any_section(
    service: AskService, question: str, adult: str
) -> None:
    quotes = _quotes(service.ask(question))
    assert quotes
    assert not any(fold(adult) in q for q in quotes)


def test_general_steps_without_an_amount_are_shown_to_a_child(service: AskService) -> None:
    quotes = _quotes(service.ask("hypoglycémie nourrisson CAT"), "gestes immédiats")
    assert any(fold("Aucun sucre n’est donné par la bouche") in q for q in quotes)


@pytest.mark.parametrize(
    "question", ["méningite nouveau né antibiotique dose", "purpura fulminans nouveau-né"]
)
def test_what_is_forbidden_to_the_newborn_is_shown_first(
    service: AskService, question: str
) -> None:
    answer = service.ask(question)
    assert "contre-indiquee chez le nouveau-ne" in _quotes(answer)[0]
    assert "pas celles du nouveau-né" in answer.message


def test_a_dose_is_of_the_drug_asked(service: AskService) -> None:
    answer = service.ask("choc septique noradrénaline dose")
    assert not any("hydrocortisone" in q for q in _quotes(answer))
    answer = service.ask("choc septique hydrocortisone dose")
    assert any("200 mg par jour" in q for q in _quotes(answer, "posologie"))


def test_the_steps_of_an_emergency_are_of_its_own_card(service: AskService) -> None:
    quotes = _quotes(service.ask("fièvre nourrisson 1 mois CAT"))
    assert any("moins de 3 mois est examine sans delai" in q for q in quotes)
    assert any("15 mg/kg toutes les 6 heures" in q for q in quotes)
    assert not any("diazepam" in q for q in quotes)
    assert any("diazepam" in q for q in _quotes(service.ask("convulsion fébrile enfant CAT")))


@pytest.mark.parametrize("question", ["hyperkaliémie à 6,8 avec signes ECG que faire"])
def test_an_examination_written_out_hides_no_treatment(service: AskService, question: str) -> None:
    answer = service.ask(question)
    treated = [
        s.anchored.quote
        for s in answer.spans
        if isinstance(s, VerifiedAssertion) and s.anchored.draft.section == "traitement"
    ]
    assert "gluconate de calcium" in treated[0]
    assert not any("« ECG »" in s.text for s in answer.spans if isinstance(s, Narrative))


@pytest.mark.parametrize(
    "changed",
    [
        "avec modifications ECG",
        "avec anomalies de l’ECG",
        "avec signes ECG",
        "et troubles électriques",
        ", ECG anormal",
    ],
)
def test_a_change_of_the_electrocardiogram_hides_no_treatment(
    service: AskService, changed: str
) -> None:
    quotes = _quotes(service.ask(f"CAT devant une hyperkaliémie à 7 {changed}"), "traitement")
    assert any("10 ml de gluconate de calcium" in quote for quote in quotes)
    assert any("insuline rapide" in quote for quote in quotes)


def test_the_electrocardiogram_asked_about_is_what_is_answered(service: AskService) -> None:
    quotes = _quotes(service.ask("signes ECG de l’hyperkaliémie"))
    assert any("ondes t amples" in quote for quote in quotes)
    assert not any("gluconate" in quote for quote in quotes)
