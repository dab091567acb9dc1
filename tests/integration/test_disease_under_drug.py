"""A disease beside a drug the patient takes: what the drug bars comes first, what it calls for is
in the answer, what is done of something that is not told is not.
"""

from __future__ import annotations

import pytest
from fakes.on_screen import shown_by

from ancremed_desktop.domain.answers import Answer
from ancremed_desktop.domain.spans import Abstention, Narrative, VerifiedAssertion
from ancremed_desktop.services.ask import AskService
from ancremed_desktop.text.normalise import fold


def _sources(answer: Answer) -> set[str]:
    spans = [s.anchored for s in answer.spans if isinstance(s, VerifiedAssertion)]
    return {a.passage.urn.split("#")[0].removeprefix("urn:ancremed:fiches:") for a in spans}


@pytest.mark.parametrize(
    ("question", "barred"),
    [
        ("infarctus sous Sintrom", "fibrinolyse de l’infarctus est contre-indiquée"),
        ("IDM ST+ sous warfarine", "fibrinolyse de l’infarctus est contre-indiquée"),
        ("infarctus sous Eliquis", "apixaban est contre-indiqué en association avec un autre"),
        ("SCA ST- sous Xarelto CAT", "rivaroxaban est contre-indiqué en association avec un autre"),
        ("SCA ST- sous Xarelto CAT", "prasugrel et le ticagrelor ne sont pas recommandés"),
        ("EP sous Eliquis", "contre-indication relative à la thrombolyse"),
        ("EP sous Eliquis", "apixaban est contre-indiqué en association avec un autre"),
        ("méningite sous Eliquis", "ponction lombaire est contre-indiquée"),
        ("asthme aigu sous bisoprolol", "bêtabloquants, même cardiosélectifs"),
        ("AVC sous Lovenox", "héparine à dose curative"),
        ("infarctus patient prenant de la coumadine", "fibrinolyse de l’infarctus est contre"),
        ("infarctus sous metformine", "hypoxie tissulaire"),
        ("bradycardie sous amiodarone", "bradycardie sinusale"),
        ("hyperkaliémie sous digoxine", "sels de calcium intraveineux sont contre-indiqués"),
    ],
)
def test_what_the_drug_taken_bars_comes_before_all_that_is_done(
    service: AskService, question: str, barred: str
) -> None:
    shown = shown_by(service.ask(question))
    first = [quote for section, quote in shown if section == "contre-indications"]
    assert shown[0][0] == "contre-indications"
    assert any(fold(barred) in quote for quote in first)


@pytest.mark.parametrize(
    ("question", "card"),
    [
        ("infarctus sous Sintrom", "urgence-infarctus-st-plus"),
        ("EP sous Xarelto", "edn-226-embolie-pulmonaire"),
        ("pyélonéphrite sous Eliquis", "edn-161-infections-urinaires"),
        ("intoxication CO sous Eliquis", "urgence-intoxication-monoxyde-de-carbone"),
        ("hémorragie digestive sous Eliquis", "urgence-hemorragie-digestive-haute"),
        ("hémorragie digestive sous Eliquis", "urgence-hemorragie-aod"),
        ("hypoglycémie sous glibenclamide", "urgence-hypoglycemie"),
    ],
)
def test_the_card_of_the_disease_is_shown_whatever_drug_is_taken(
    service: AskService, question: str, card: str
) -> None:
    assert card in _sources(service.ask(question))


@pytest.mark.parametrize(
    "question",
    [
        "chute sous Eliquis",
        "chute 88 ans sous Eliquis",
        "EP sous Eliquis",
        "pyélonéphrite sous Eliquis",
        "infarctus sous Xarelto",
        "intoxication CO sous Eliquis",
    ],
)
def test_no_antidote_is_offered_where_nothing_bleeds(service: AskService, question: str) -> None:
    shown = shown_by(service.ask(question))
    assert not any("prothrombinique" in quote or "andexanet" in quote for _s, quote in shown)


def test_a_fall_under_an_anticoagulant_is_scanned_and_says_what_is_left_out(
    service: AskService,
) -> None:
    answer = service.ask("chute sous Eliquis")
    assert "scanner cerebral" in shown_by(answer)[0][1]
    said = [s.text for s in answer.spans if isinstance(s, Narrative)]
    assert any("hémorragie n’est pas montré" in text for text in said)
    assert not any(isinstance(s, Abstention) for s in answer.spans)


def test_a_drop_of_pressure_is_no_fall(service: AskService) -> None:
    message = service.ask("chute de tension sous ramipril").message
    assert "«\u00a0chute de tension\u00a0»" in message


def test_glucagon_is_shown_in_anaphylaxis_under_a_beta_blocker(service: AskService) -> None:
    shown = shown_by(service.ask("anaphylaxie sous bêtabloquant"))
    assert shown[0][0] == "gestes immédiats"
    assert any("1 a 5 mg" in quote and "glucagon" in quote for _s, quote in shown)
    assert not any(section == "contre-indications" for section, _q in shown)


def test_what_is_done_unless_contraindicated_is_not_barred(service: AskService) -> None:
    shown = shown_by(service.ask("EP sous Eliquis"))
    begun = next(section for section, quote in shown if fold("sans attendre l’imagerie") in quote)
    assert begun == "conduite à tenir"


@pytest.mark.parametrize(
    "question", ["hypoglycémie nourrisson CAT", "hypoglycémie chez un enfant de 3 ans CAT"]
)
def test_a_child_with_hypoglycaemia_gets_no_adult_line(service: AskService, question: str) -> None:
    shown = shown_by(service.ask(question))
    assert any("glucose a 10" in quote and "ml/kg" in quote for _s, quote in shown)
    assert not any("l’adulte" in quote or "3 morceaux" in quote for _s, quote in shown)


@pytest.mark.parametrize(
    "question",
    [
        "insuffisance surrénale aiguë sous Eliquis",
        "insuffisance surrénale aiguë sous corticoïdes",
        "acidocétose sous ramipril",
        "hémorragie digestive sous lithium",
        "hypoglycémie sous corticoïdes",
    ],
)
def test_a_drug_that_bars_nothing_there_forbids_nothing(service: AskService, question: str) -> None:
    shown = shown_by(service.ask(question))
    assert shown[0][0] == "gestes immédiats"
    assert not any(section in ("contre-indications", "antidote") for section, _q in shown)


def test_what_goes_on_with_an_amount_left_out_is_left_out(service: AskService) -> None:
    child = shown_by(service.ask("hyponatrémie enfant CAT"))
    assert not any("est repete" in quote for _s, quote in child)
    adult = shown_by(service.ask("hyponatrémie adulte CAT"))
    assert any("est repete" in quote for _s, quote in adult)
    infant = shown_by(service.ask("anaphylaxie nourrisson CAT"))
    assert any("est repetee apres 5" in quote for _s, quote in infant)
