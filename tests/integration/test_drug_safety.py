"""A drug asked about in a case: what forbids it there comes before any dose, and is announced."""

from __future__ import annotations

import re

import pytest
from fakes.on_screen import shown_by

from ancremed_desktop.domain.spans import Narrative
from ancremed_desktop.pipeline.case import MAY_FORBID
from ancremed_desktop.pipeline.other_disease import ANOTHER
from ancremed_desktop.pipeline.own_draft import FORBIDDEN_HERE
from ancremed_desktop.services.ask import AskService
from ancremed_desktop.text.normalise import fold


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("colchicine insuffisance rénale sévère", "clairance de la créatinine est inférieure à 30"),
        ("colchicine clcr 20", "clairance de la créatinine est inférieure à 30"),
        ("metformine DFG 25", "débit de filtration glomérulaire est inférieur à 30"),
        ("posologie metformine dfg à 22 ml/min", "inférieur à 30 mL/min"),
        ("apixaban clairance 12", "inférieure à 15 mL/min"),
        ("eliquis clairance 10", "inférieure à 15 mL/min"),
        ("spironolactone kaliémie 5,8", "contre-indiquée en cas d’hyperkaliémie"),
        ("aldactone k 6", "contre-indiquée en cas d’hyperkaliémie"),
        ("spironolactone K+ à 6,1 stp", "contre-indiquée en cas d’hyperkaliémie"),
        ("rocephine calcium nouveau-né", "nouveau-né qui reçoit du calcium"),
        ("calcium rocephine nouveau-né", "nouveau-né qui reçoit du calcium"),
        ("advil enceinte 30 SA", "24 semaines d’aménorrhée"),
        ("ramipril 2e trimestre grossesse", "deuxième et au troisième trimestre de la grossesse"),
        ("valproate femme enceinte", "contre-indiqué pendant la grossesse"),
        ("dose paracétamol cirrhose", "insuffisance hépatocellulaire"),
        ("paracétamol cirrhose child c", "insuffisance hépatocellulaire"),
        ("lovenox clcr 12", "inférieure à 15 mL/min"),
        ("atorvastatine CPK 5000", "imposent l’arrêt du traitement"),
        ("advil enceinte T3", "24 semaines d’aménorrhée"),
        ("advil enceinte de 8 mois", "24 semaines d’aménorrhée"),
        ("doxycycline enfant 6 ans", "moins de 8 ans"),
        ("primpéran nourrisson 8 mois", "moins de 1 an"),
        ("aldactone clairance 25", "insuffisance rénale sévère"),
        ("digoxine k 2,9", "hypokaliémie non corrigée"),
        ("metformine IRC sévère", "inférieur à 30 mL/min"),
        ("metformine patient insuffisant rénal sévère", "inférieur à 30 mL/min"),
    ],
)
def test_what_forbids_in_the_case_asked_comes_first(
    service: AskService, question: str, first: str
) -> None:
    answer = service.ask(question)
    section, quote = shown_by(answer)[0]
    assert section in MAY_FORBID
    assert fold(first) in quote
    if any(s not in MAY_FORBID for s, _ in shown_by(answer)):
        assert FORBIDDEN_HERE in answer.message


@pytest.mark.parametrize(
    ("question", "dose"),
    [
        ("metformine DFG 40", "30 à 44 mL/min"),
        ("metformine DFG 50", "45 à 59 mL/min"),
        ("enoxaparine clairance 20", "15 à 30 mL/min"),
        ("apixaban clairance 20", "15 à 29 mL/min"),
    ],
)
def test_the_dose_of_the_value_asked_leads_the_doses(
    service: AskService, question: str, dose: str
) -> None:
    answer = service.ask(question)
    doses = [quote for section, quote in shown_by(answer) if section == "posologie"]
    assert fold(dose) in doses[0]
    assert FORBIDDEN_HERE not in answer.message


@pytest.mark.parametrize(
    "question",
    [
        "metformine",
        "amoxicilline angine",
        "posologie ramipril",
        "ramipril DFG 25",
        "furosémide DFG 10",
    ],
)
def test_nothing_is_announced_where_no_case_is_asked(service: AskService, question: str) -> None:
    assert FORBIDDEN_HERE not in service.ask(question).message


@pytest.mark.parametrize(
    ("question", "section", "first"),
    [
        ("INR 7 sous warfarine", "antidote", "INR de 6 à moins de 10"),
        ("INR 5 sous fluindione sans saignement", "antidote", "INR de 4 à moins de 6"),
        ("coumadine INR 11", "antidote", "INR d’au moins 10"),
        ("INR 7", "antidote", "INR de 6 à moins de 10"),
        ("INR à 4 sous previscan", "antidote", "INR de 4 à moins de 6"),
        ("saignement sous previscan", "gestes immédiats", "pression artérielle systolique"),
        ("hypoglycémie sous glibenclamide", "contre-indications", "glucagon n’est pas utilisé"),
        ("hypoglycémie 0,5 sous insuline", "gestes immédiats", "3 morceaux de sucre"),
        ("diamicron hypo", "contre-indications", "glucagon n’est pas utilisé"),
        ("overdose morphine", "gestes immédiats", "voies aériennes"),
        ("surdosage tramadol", "gestes immédiats", "voies aériennes"),
        ("surdosage paracétamol", "gestes immédiats", "l’heure de la prise"),
        ("ramipril k 6", "surveillance", "kaliémie dépasse 5,5"),
        ("irbesartan k 5,9", "surveillance", "kaliémie dépasse 5,5"),
        ("potassium 6.4 sous bactrim", "gestes immédiats", "scopé"),
        ("digoxine k 6,2", "contre-indications", "sels de calcium intraveineux"),
        ("hyperkaliémie sous digoxine", "contre-indications", "sels de calcium intraveineux"),
        ("trauma crânien sous AVK", "gestes immédiats", "scanner cérébral"),
        ("INR 12 hémorragie grave sous coumadine", "antidote", "concentré de complexe"),
        ("INR 3,8 sous previscan", "antidote", "INR inférieur à 4"),
        ("eliquis chute trauma crânien", "gestes immédiats", "scanner cérébral"),
        ("hémorragie sous apixaban", "gestes immédiats", "l’anticoagulant est arrêté"),
        ("saigne sous xarelto", "gestes immédiats", "l’anticoagulant est arrêté"),
        ("eliquis hématurie", "gestes immédiats", "l’anticoagulant est arrêté"),
        ("hémorragie sous lovenox", "antidote", "La protamine"),
        ("intox lithium", "antidote", "l’hémodialyse est le traitement des formes graves"),
    ],
)
def test_what_goes_wrong_under_a_drug_is_answered_by_what_to_do(
    service: AskService, question: str, section: str, first: str
) -> None:
    shown = shown_by(service.ask(question))
    assert shown[0][0] == section
    assert fold(first) in shown[0][1]
    assert "posologie" not in {name for name, _ in shown}


@pytest.mark.parametrize(
    ("question", "drug"),
    [("hypoglycémie sous glibenclamide", "glibenclamide"), ("ramipril k 6", "ramipril")],
)
def test_it_is_said_when_the_card_is_of_no_drug_in_particular(
    service: AskService, question: str, drug: str
) -> None:
    message = service.ask(question).message
    assert f"ne porte pas sur «\u00a0{drug}\u00a0» en particulier" in message


def test_it_is_said_when_nothing_tells_what_to_do(service: AskService) -> None:
    message = service.ask("hémorragie sous lovenox").message
    assert "n’a pas de conduite à tenir pour «\u00a0hémorragie\u00a0»" in message


@pytest.mark.parametrize(
    "question",
    [
        "risque hémorragique apixaban",
        "glucagon hypoglycémie",
        "posologie apixaban après saignement",
        "INR cible sous warfarine",
        "antécédent d’hémorragie sous AVK",
    ],
)
def test_other_questions_on_a_drug_keep_their_answer(service: AskService, question: str) -> None:
    assert not service.ask(question).plan.notice


def test_a_scan_with_contrast_is_what_stops_metformin(service: AskService) -> None:
    shown = shown_by(service.ask("metformine scanner injecté"))
    assert fold("arrêtée au moment d’un examen avec produit de contraste iodé") in shown[0][1]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("posologie amoxicilline qd angine", "1 g deux fois par jour pendant 6 jours"),
        ("modif metformine DFG 35 stp", "30 à 44 mL/min"),
        ("pb hémorragie ss eliquis", "l’anticoagulant est arrêté"),
        ("cb d’amox angine adulte svp", "1 g deux fois par jour pendant 6 jours"),
        ("lovenox prev dose", "4000 UI une fois par jour"),
        ("lovenox cur dose", "100 UI/kg deux fois par jour"),
        ("amoxicilline zrt angine", "1 g deux fois par jour pendant 6 jours"),
    ],
)
def test_slang_and_slips_leave_the_answer(
    service: AskService, question: str, expected: str
) -> None:
    assert any(fold(expected) in quote for _section, quote in shown_by(service.ask(question)))


def test_a_slip_set_aside_is_said(service: AskService) -> None:
    message = service.ask("amoxicilline zrt angine").message
    assert "Aucune source de l’index ne parle de «\u00a0zrt\u00a0»." in message


@pytest.mark.parametrize("question", ["posologie xylotremine angine", "amoxicilline et zolprax"])
def test_an_invented_drug_is_never_set_aside(service: AskService, question: str) -> None:
    assert not shown_by(service.ask(question))


def test_the_rule_to_stop_at_a_value_is_kept_of_the_doses_alone(service: AskService) -> None:
    shown = shown_by(service.ask("spironolactone kaliémie 5,8"))
    doses = [quote for section, quote in shown if section == "posologie"]
    assert len(doses) == 1
    assert fold("kaliémie dépasse 5,5") in doses[0]


@pytest.mark.parametrize(
    "question", ["ciflox enfant 5 ans", "oméprazole nourrisson dose", "tramadol enfant 2 ans"]
)
def test_a_child_without_a_dose_of_its_own_is_told_so(service: AskService, question: str) -> None:
    answer = service.ask(question)
    said = [s.text for s in answer.spans if isinstance(s, Narrative) and s.section == "posologie"]
    assert any(t.startswith("Aucun extrait ne donne de dose pour : enfant.") for t in said)
    doses = [quote for section, quote in shown_by(answer) if section == "posologie"]
    assert not any(re.search(r"\d (?:mg|g)\b", quote.replace("\u00a0", " ")) for quote in doses)


@pytest.mark.parametrize("question", ["GEU méthotrexate", "methotrexate GEU dose"])
def test_a_dose_of_a_disease_comes_with_what_forbids_its_drug(
    service: AskService, question: str
) -> None:
    shown = shown_by(service.ask(question))
    assert any("1 mg/kg" in quote.replace("\u00a0", " ") for _section, quote in shown)
    dangers = [quote for section, quote in shown if section == "contre-indications"]
    assert any("insuffisance renale severe" in quote for quote in dangers)


def test_a_term_that_is_answered_is_not_said_to_be_unanswered(service: AskService) -> None:
    assert "ne dit rien de ce cas" not in service.ask("advil enceinte T3").message


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("angioedème sous ramipril", "impose l’arrêt définitif du traitement et un appel au 15"),
        ("rhabdomyolyse sous tahor", "imposent l’arrêt du traitement"),
        ("asthme sous bisoprolol", "contre-indiqué en cas d’asthme sévère"),
        ("acidose lactique sous metformine", "complication rare et grave"),
    ],
)
def test_what_befalls_under_a_drug_shows_what_stops_it_and_no_dose(
    service: AskService, question: str, expected: str
) -> None:
    answer = service.ask(question)
    shown = shown_by(answer)
    assert any(fold(expected) in quote for _section, quote in shown)
    assert "n’a pas de conduite à tenir" in answer.message
    assert "posologie" not in answer.plan.sections


@pytest.mark.parametrize("question", ["grossesse sous valproate", "contraception sous pilule"])
def test_what_is_no_accident_keeps_its_answer(service: AskService, question: str) -> None:
    assert not service.ask(question).plan.notice


@pytest.mark.parametrize(
    "drug", ["sous Xarelto", "sous apixaban", "traité par warfarine", "sous clopidogrel", ""]
)
@pytest.mark.parametrize("disease", ["SCA ST-", "SCA sans sus-décalage du segment ST"])
def test_a_drug_taken_never_changes_the_card_of_the_disease(
    service: AskService, disease: str, drug: str
) -> None:
    shown = [quote for _section, quote in shown_by(service.ask(f"{disease} {drug} CAT"))]
    assert any("la fibrinolyse n'est pas indiquee" in fold(q) for q in shown)
    assert not any("fibrinolyse est realisee" in q or "bolus" in q for q in shown)


@pytest.mark.parametrize("question", ["SCA sous Eliquis CAT", "SCA CAT"])
def test_a_disease_of_two_forms_gives_both_and_what_is_not_done_in_one(
    service: AskService, question: str
) -> None:
    shown = [quote for _section, quote in shown_by(service.ask(question))]
    assert any("la fibrinolyse n'est pas indiquee" in q for q in shown)
    assert any("angioplastie primaire est la strategie" in q for q in shown)


@pytest.mark.parametrize(
    ("question", "absent"),
    [
        ("INR 12 hémorragie grave sous coumadine", "sans hémorragie"),
        ("INR 12 hémorragie grave sous coumadine", "hémorragie non grave"),
        ("saignement sous AVK INR 7", "sans hémorragie"),
        ("trauma crânien sous AVK", "sans hémorragie"),
    ],
)
def test_what_is_done_without_what_is_told_is_left_out(
    service: AskService, question: str, absent: str
) -> None:
    shown = [quote for _section, quote in shown_by(service.ask(question))]
    assert shown
    assert not any(fold(absent) in quote for quote in shown)


def test_what_is_done_without_bleeding_is_kept_where_there_is_none(service: AskService) -> None:
    shown = [q for _section, q in shown_by(service.ask("INR 12 sans hémorragie sous coumadine"))]
    assert any("5 mg de vitamine k" in quote for quote in shown)


def test_a_card_that_does_not_speak_of_the_drug_says_to_check_it(service: AskService) -> None:
    answer = service.ask("AVC sous Eliquis thrombolyse")
    assert "vérifiez que ce médicament ne contre-indique rien" in answer.message


@pytest.mark.parametrize(
    ("question", "section", "first"),
    [
        ("acidocétose insuline 0,1 UI/kg/h kaliémie 3,0", "traitement", "inférieure à 3,5"),
        ("acidocétose insuline dose K 2,8", "traitement", "inférieure à 3,5"),
        ("colchicine clairance 20 dose crise goutte", "contre-indications", "inférieure à 30"),
        ("clarithromycine + colchicine clairance 25", "contre-indications", "inférieure à 30"),
        ("furosémide OAP hypotension 85/50 dose", "traitement", "avec hypotension"),
        ("furosémide OAP TA 8/5", "traitement", "avec hypotension"),
    ],
)
def test_the_rule_of_a_value_given_stands_before_any_dose(
    service: AskService, question: str, section: str, first: str
) -> None:
    answer = service.ask(question)
    shown = shown_by(answer)
    assert shown[0][0] == section
    assert fold(first) in shown[0][1]
    assert "reprise par aucun extrait" not in answer.message


@pytest.mark.parametrize(
    "question",
    [
        "acidocétose insuline dose K 4,2",
        "colchicine clairance 60",
        "furosémide OAP TA 140/80 dose",
    ],
)
def test_the_rule_of_another_value_does_not_lead(service: AskService, question: str) -> None:
    first = shown_by(service.ask(question))[0][1]
    assert not any(fold(w) in first for w in ("inférieure à 3,5", "inférieure à 30", "hypotension"))


def test_what_a_drug_forbids_holds_no_dose_of_another_use(service: AskService) -> None:
    shown = shown_by(service.ask("colchicine clairance 20 dose crise goutte"))
    assert not any("allopurinol" in quote for s, quote in shown if s == "contre-indications")


@pytest.mark.parametrize(
    ("question", "own", "other"),
    [
        ("apixaban TVP clairance 20", "10 mg deux fois par jour", "fibrillation atriale"),
        ("EP rivaroxaban dose initiale", "15 mg deux fois par jour", "fibrillation atriale"),
        ("Xarelto 15 mg EP", "15 mg deux fois par jour", "fibrillation atriale"),
        ("apixaban FA dose", "5 mg deux fois par jour", "embolie pulmonaire"),
        ("pneumopathie enfant 3 ans amoxicilline dose", "insuffisance rénale", "angine"),
        ("amoxicilline angine enfant dose", "50 mg/kg par jour", "pneumonie"),
        ("pneumonie amoxicilline dose adulte", "1 g trois fois par jour", "angine"),
    ],
)
def test_a_dose_is_of_the_disease_asked(
    service: AskService, question: str, own: str, other: str
) -> None:
    doses = [q for section, q in shown_by(service.ask(question)) if section == "posologie"]
    assert any(fold(own) in q for q in doses)
    assert not any(other in q for q in doses)


def test_it_is_said_that_the_doses_of_another_disease_are_left_out(service: AskService) -> None:
    spans = service.ask("pneumopathie enfant 3 ans amoxicilline dose").spans
    assert ANOTHER in {s.text for s in spans if isinstance(s, Narrative)}


def test_who_no_longer_drinks_is_shown_what_the_drug_forbids(service: AskService) -> None:
    shown = shown_by(service.ask("diazépam sevrage alcool cirrhose"))
    assert shown[0][0] == "contre-indications"
    assert fold("insuffisance hépatique sévère") in shown[0][1]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("AVC sous Eliquis thrombolyse", "sous anticoagulant oral direct"),
        ("AVC sous Previscan INR 3 thrombolyse", "dont l’INR dépasse 1,7"),
    ],
)
def test_a_thrombolysis_barred_by_the_drug_taken_is_told_first(
    service: AskService, question: str, first: str
) -> None:
    section, quote = shown_by(service.ask(question))[0]
    assert section == "contre-indications"
    assert "thrombolyse" in quote
    assert fold(first) in quote


def test_puffs_of_a_spray_are_not_taken_for_what_is_nebulised(service: AskService) -> None:
    message = service.ask("AAG enfant salbutamol nébulisé").message
    assert "«\u00a0nébulisée\u00a0»" in message
    assert "nébulisée" not in service.ask("salbutamol bouffées enfant asthme dose").message


def test_an_infant_is_shown_what_holds_of_the_youngest_first(service: AskService) -> None:
    doses = [q for s, q in shown_by(service.ask("morphine nourrisson")) if s == "posologie"]
    assert "avant 1 an" in doses[0]
    older = [q for s, q in shown_by(service.ask("morphine enfant 6 ans")) if s == "posologie"]
    assert "a partir de 1 an" in older[0]


@pytest.mark.parametrize(
    "question",
    [
        "hypoglycémie sous insuline inconscient pas de voie veineuse",
        "hypoglycémie coma resucrage",
        "hypoglycémie avec trouble de conscience que faire",
    ],
)
def test_what_is_given_by_mouth_is_not_shown_of_who_is_unconscious(
    service: AskService, question: str
) -> None:
    quotes = [quote for _section, quote in shown_by(service.ask(question))]
    assert any("aucun sucre n" in quote for quote in quotes)
    assert any("glucose a 30" in quote for quote in quotes)
    assert not any("3 morceaux" in q or "prise de sucre est repetee" in q for q in quotes)
