"""Questions a fresh install must answer, with the words that must be on screen."""

from __future__ import annotations

import pytest

from ancremed_desktop.domain.answers import AnswerStatus
from ancremed_desktop.domain.identifiers import FORMULA_SECTIONS, Silo
from ancremed_desktop.domain.spans import Abstention, Narrative, VerifiedAssertion
from ancremed_desktop.pipeline.drug_dangers import WHATEVER_THE_CASE
from ancremed_desktop.services.ask import AskService
from ancremed_desktop.services.export import answer_to_text
from ancremed_desktop.services.page import answer_to_html
from ancremed_desktop.text.normalise import fold


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Quelle dose d’adrénaline dans le choc anaphylactique ?", "0,01 mg/kg"),
        ("Que faire devant un choc anaphylactique ?", "au 15 ou au 112"),
        ("posologie paracetamol adulte", "paracétamol"),
        (
            "paracétamol chez le cirrhotique",
            "contre-indiqué en cas d’insuffisance hépatocellulaire",
        ),
        ("Conduite à tenir devant un AVC", "appel immédiat du 15"),
        ("Conduite à tenir devant un accident vasculaire cérébral", "appel immédiat du 15"),
        ("STEMI prise en charge", "angioplastie"),
        ("pneumonie franche lobaire aiguë antibiotique", "amoxicilline, 1 g trois fois par jour"),
        ("HTA traitement chez la femme enceinte", "labétalol"),
        ("prophylaxie post-exposition VIH délai", "au plus tard 48 heures"),
        ("érysipèle", "pendant 7 jours, sans dépasser 6 g par jour"),
        ("hyperkaliémie CAT", "10 mL de gluconate de calcium"),
        ("kaliémie à 7", "10 mL de gluconate de calcium"),
        ("INR à 11 sous AVK", "5 mg de vitamine K"),
        ("traitement hémorragie du post-partum", "5 à 10 UI par voie intraveineuse lente"),
        ("ocytocine dose hémorragie post partum", "5 à 10 UI par voie intraveineuse lente"),
        ("paludisme grave traitement adulte", "2,4 mg/kg à l’admission"),
        ("hypoglycémie 0,5 g/L patient conscient", "morceaux de sucre"),
        ("cat aes VIH", "lavée à l’eau et au savon"),
        ("purpura fulminans que faire avant l’hôpital", "une première dose de ceftriaxone"),
        ("AVC grossesse que faire", "l’appel immédiat du 15"),
        ("tramadol + sertraline", "syndrome sérotoninergique"),
        ("col favorable déclenchement seuil", "≥ 7 : col favorable"),
        ("exsudat LDH pleurale seuil", "> 2/3 de la limite supérieure"),
        ("Les ISRS donnent quoi comme soucis sexuels ?", "baisse de la libido"),
        ("métronidazole alcool", "effet antabuse"),
        ("stemi aspirine dose", "150 à 300 mg"),
        ("fièvre nourrisson qui convulse", "allongé sur le côté"),
        ("doliprane nouveau né 3 kg", "15 mg/kg toutes les 6 heures"),
        ("amox angine enfant dose", "50 mg/kg par jour pendant 6 jours"),
        ("ACR adulte FV dose adrénaline amiodarone", "amiodarone est donnée à la dose de 300 mg"),
        ("HPP ocytocine sulprostone dose", "commencée à 100 microgrammes par heure"),
        ("hpp nalador dose", "commencée à 100 microgrammes par heure"),
        ("SCA ST+ dose aspirine clopidogrel ticagrelor", "de 150 à 300 mg d’acide"),
        ("douleur thoracique étiologies", "Quatre urgences vitales"),
        ("différence paralysie faciale centrale et périphérique", "dissociation automatico"),
        ("différence entre asthme et BPCO", "obstruction bronchique réversible"),
        ("différence entre asthme et BPCO", "obstruction persistante des voies aériennes"),
        ("bisoprolol ins cardiaque on commence à combien", "1,25 mg une fois par jour"),
        ("AIT : délai avant de reconduire", "avis d’un médecin agréé"),
        ("AIT CAT", "à la dose de 300 mg"),
        ("éclampsie sulfate de magnésium dose", "4 g par voie intraveineuse en 20 minutes"),
        ("bradycardie atropine dose", "sans dépasser 3 mg"),
        ("insuffisance surrénale aiguë hydrocortisone dose", "100 mg par voie intraveineuse"),
        ("intoxication CO femme enceinte", "hyperbare est indiquée"),
        ("état de mal enfant midazolam buccal dose", "5 mg de 1 à 4 ans"),
        ("colique néphrétique enceinte kétoprofène", "24 semaines d’aménorrhée et évité avant"),
        ("purpura fulminans nourrisson 5 kg", "50 à 100 mg/kg, sans dépasser 1 g"),
        ("AVC sous Previscan INR 3 thrombolyse", "dont l’INR dépasse 1,7"),
        ("valproate homme", "jusqu’à 3 mois après son arrêt"),
        ("nitrofurantoïne clairance 30", "inférieure à 45 mL/min"),
    ],
)
def test_it_is_answered(service: AskService, question: str, expected: str) -> None:
    spans = service.ask(question).spans
    quotes = [fold(s.anchored.quote) for s in spans if isinstance(s, VerifiedAssertion)]
    assert any(fold(expected) in quote for quote in quotes)


def test_drugs_of_a_disease_of_which_nothing_is_said_are_named(service: AskService) -> None:
    message = service.ask("SCA ST+ dose aspirine clopidogrel ticagrelor").message
    assert "Aucun extrait ne répond sur « clopidogrel », « ticagrelor »." in message.replace(
        "\u00a0", " "
    )


def test_what_is_forbidden_is_no_indication(service: AskService) -> None:
    answer = service.ask("isotrétinoïne acné indication")
    shown = [s.anchored.draft for s in answer.spans if isinstance(s, VerifiedAssertion)]
    indicated = [d.text for d in shown if d.section == "indication"]
    assert indicated
    assert not any("contre-indiqu" in text for text in indicated)


def test_everything_on_a_drug_says_what_is_not_found(service: AskService) -> None:
    answer = service.ask("Tout sur l’amiodarone")
    shown = {s.anchored.draft.section for s in answer.spans if isinstance(s, VerifiedAssertion)}
    missing = {s.section for s in answer.spans if isinstance(s, Abstention)}
    assert {"effets indésirables", "interactions", "mécanisme et pharmacocinétique"} <= shown
    assert "évaluation (SMR, ASMR)" in missing
    assert set(answer.plan.sections) == shown | missing


@pytest.mark.parametrize(
    "question", ["Syncope : délai avant de reconduire", "Érysipèle et bains de mer"]
)
def test_a_topic_is_no_answer_to_a_point(service: AskService, question: str) -> None:
    assert service.ask(question).status is not AnswerStatus.ANSWER


def test_a_transient_attack_is_given_no_treatment_of_a_stroke(service: AskService) -> None:
    answer = service.ask("traitement d’un accident ischémique transitoire")
    assert "EDN-340" not in {s.source_identifier for s in answer.sources}


def test_a_score_is_no_treatment(service: AskService) -> None:
    answer = service.ask("traitement de la cirrhose")
    assert not [s for s in answer.sources if s.silo is Silo.FORMULAS]


def test_a_worked_score_says_nothing_of_unknown_words(service: AskService) -> None:
    answer = service.ask("Glasgow Y2 V3 M5")
    assert answer.calculations[0].result is not None
    assert all(isinstance(s, VerifiedAssertion) for s in answer.spans)
    assert {s.source_identifier for s in answer.sources} == {"FORM-glasgow"}


@pytest.mark.parametrize(
    "question", ["nouveau-né apgar", "brûlure étendue remplissage Parkland", "NIHSS dans l’AVC"]
)
def test_a_score_named_beside_a_situation_is_not_said_missing(
    service: AskService, question: str
) -> None:
    answer = service.ask(question)
    assert answer.calculations
    said = [s for s in answer.spans if not isinstance(s, VerifiedAssertion)]
    assert not [s for s in said if s.section in FORMULA_SECTIONS]


@pytest.mark.parametrize(
    ("question", "status"),
    [
        ("Pourquoi le ciel est bleu ?", AnswerStatus.REFUSED),
        ("Quelle est la capitale de la France ?", AnswerStatus.REFUSED),
        ("suivi médian en astronomie", AnswerStatus.REFUSED),
        ("Posologie du Xylotrémine 40 mg", AnswerStatus.ABSTENTION),
    ],
)
def test_another_domain_is_refused_without_a_clinical_frame(
    service: AskService, question: str, status: AnswerStatus
) -> None:
    answer = service.ask(question)
    assert answer.status is status
    assert bool(answer.spans) is (status is AnswerStatus.ABSTENTION)


def test_what_everybody_may_take_is_not_said_of_a_pregnant_woman(service: AskService) -> None:
    spans = service.ask("HTA enceinte ARA2 possible").spans
    quotes = [fold(s.anchored.quote) for s in spans if isinstance(s, VerifiedAssertion)]
    assert not any("angiotensine" in quote for quote in quotes)
    everybody = service.ask("HTA traitement de première intention").spans
    assert any(
        "angiotensine" in fold(s.anchored.quote)
        for s in everybody
        if isinstance(s, VerifiedAssertion)
    )


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("ibuprofène varicelle", "varicelle"),
        ("bisoprolol asthme", "asthme"),
        ("bisoprolol et bloc auriculo-ventriculaire", "bloc auriculo-ventriculaire"),
    ],
)
def test_the_danger_asked_about_comes_first(service: AskService, question: str, named: str) -> None:
    shown = [s.anchored for s in service.ask(question).spans if isinstance(s, VerifiedAssertion)]
    dangers = [a.draft.text for a in shown if a.draft.section == "contre-indications"]
    assert dangers, question
    assert named in dangers[0]
    assert len(dangers) > 1


def test_what_no_extract_answers_is_said_before_the_rest(service: AskService) -> None:
    answer = service.ask("ibuprofène et angine")
    assert answer.plan.sections == ("première intention", "contre-indications")
    assert "Aucun extrait ne nomme «\u00a0ibuprofène\u00a0»" in answer.message
    assert answer.status is AnswerStatus.ANSWER


def test_first_steps_say_what_they_do_not_speak_of(service: AskService) -> None:
    spans = service.ask("cat aes VIH").spans
    said = [s.text for s in spans if isinstance(s, Narrative) and s.section == "gestes immédiats"]
    assert said == ["Aucun extrait de cette section ne parle de «\u00a0VIH\u00a0»."]


def test_two_drugs_without_a_pair_are_said_to_be_judged_apart(service: AskService) -> None:
    message = service.ask("tramadol + metformine").message
    assert "ensemble" in message
    assert "ne permet pas de conclure" in message


def test_a_part_of_a_combined_drug_does_not_speak_for_it(service: AskService) -> None:
    spans = service.ask("Augmentin allaitement").spans
    titles = [s.anchored.passage.origin_title for s in spans if isinstance(s, VerifiedAssertion)]
    assert titles
    assert all("clavulanique" in title for title in titles)


@pytest.mark.parametrize(
    "question",
    [
        "AVC chez le chien : que faire",
        "ibuprofène chez le chien",
        "Valproate et permis de conduire",
        "AVC et marathon",
    ],
)
def test_a_word_of_another_trade_is_never_set_aside(service: AskService, question: str) -> None:
    assert service.ask(question).status is not AnswerStatus.ANSWER


def test_a_dose_of_two_drugs_is_not_that_of_one(service: AskService) -> None:
    spans = service.ask("amox enfant 12 kg").spans
    quotes = [s.anchored for s in spans if isinstance(s, VerifiedAssertion)]
    doses = [q.passage.origin_title for q in quotes if q.draft.section == "posologie"]
    assert doses
    assert not any("clavulanique" in title for title in doses)


@pytest.mark.parametrize(
    ("question", "dose", "danger"),
    [
        ("crise de goutte colchicine", "accès de goutte", "clairance de la créatinine"),
        ("accès de goutte par colchicine", "accès de goutte", "clairance de la créatinine"),
    ],
)
def test_dangers_of_a_drug_stand_beside_its_dose_in_a_case(
    service: AskService, question: str, dose: str, danger: str
) -> None:
    answer = service.ask(question)
    shown = [s.anchored.draft for s in answer.spans if isinstance(s, VerifiedAssertion)]
    assert any(dose in d.text for d in shown if d.section == "posologie")
    assert any(danger in d.text for d in shown if d.section == "contre-indications")
    notices = {s.text for s in answer.spans if isinstance(s, Narrative)}
    assert WHATEVER_THE_CASE in notices


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("AVC chez le chien", "Accident vasculaire cérébral"),
        ("AVC et marathon", "Accident vasculaire cérébral"),
    ],
)
def test_an_abstention_names_the_card_of_the_emergency_and_quotes_nothing(
    service: AskService, question: str, title: str
) -> None:
    answer = service.ask(question)
    assert answer.status is AnswerStatus.ABSTENTION
    assert [p.origin_title for p in answer.near] == [title]
    assert title in answer_to_text(answer)
    assert f"<li>{title}" in answer_to_html(answer)


@pytest.mark.parametrize("question", ["Posologie du zorbatrexime", "Vaccin de Zambronie du furet"])
def test_nothing_is_named_beside_an_invented_subject(service: AskService, question: str) -> None:
    assert service.ask(question).near == ()


def test_a_whole_topic_names_nothing_to_read(service: AskService) -> None:
    answer = service.ask("Tout sur l’amiodarone")
    assert answer.status is AnswerStatus.ANSWER
    assert answer.near == ()


def test_an_answer_names_a_near_passage_it_does_not_quote(service: AskService) -> None:
    answer = service.ask("amiodarone et grossesse")
    quoted = {s.anchored.passage.urn for s in answer.spans if isinstance(s, VerifiedAssertion)}
    assert answer.status is AnswerStatus.ANSWER
    assert len(answer.near) <= 1
    assert not {p.urn for p in answer.near} & quoted
    assert ("À lire aussi" in answer_to_text(answer)) is bool(answer.near)


def test_the_card_of_the_disease_is_named_where_its_case_is_not_told(service: AskService) -> None:
    answer = service.ask("EP haut risque femme enceinte thrombolyse")
    assert answer.status is AnswerStatus.ABSTENTION
    assert answer.near[0].origin_title == "Embolie pulmonaire"
