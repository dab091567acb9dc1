"""A sentence about another subject or another situation than the one asked is no answer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.memory_index import passage

from ancremed_desktop.domain.identifiers import PassageKind
from ancremed_desktop.domain.plans import Concept, Point, Subject
from ancremed_desktop.pipeline.bearing import (
    forbids_something_else,
    is_disease,
    is_dose_of_something_else,
    is_named_as_danger,
    is_of_a_combination,
    is_of_another_situation,
    is_of_coverage,
    is_of_the_other_half,
    is_row_of_another_case,
    is_ruled_out,
    is_use_of_a_poison,
)

OAP = Concept(phrases=("oap", "oedeme aigu du poumon"))
HEART_FAILURE = Concept(phrases=("insuffisance cardiaque",))
DRUG = Concept(phrases=("enoxaparine",), mandatory=True)


def _asked(*concepts: Concept, words: str = "") -> Subject:
    point = Point(words=frozenset(words.split()))
    return Subject(label="", words=(), concepts=concepts, point=point)


def test_a_title_of_two_subjects_answers_on_the_one_asked() -> None:
    card = passage("EDN-234", "Insuffisance cardiaque et œdème aigu du poumon", "traitement", "")
    chronic = "Le traitement de fond de l’insuffisance cardiaque associe un bêtabloquant."
    acute = "L’œdème aigu du poumon de l’insuffisance cardiaque est traité par furosémide."
    assert is_of_the_other_half(card, chronic, _asked(OAP))
    assert not is_of_the_other_half(card, acute, _asked(OAP))
    assert not is_of_the_other_half(card, chronic, _asked(HEART_FAILURE))
    assert not is_of_the_other_half(card, "Un avis est demandé.", _asked(OAP))
    alone = passage("EDN-234", "Insuffisance cardiaque", "traitement", "")
    assert not is_of_the_other_half(alone, chronic, _asked(OAP))


@pytest.mark.parametrize(
    ("text", "beside"),
    [
        ("Contre-indications à la réadaptation cardiaque : angor instable.", True),
        ("Un ECG normal ne doit pas faire douter du diagnostic.", True),
        ("Les AINS sont contre-indiqués en cas d’insuffisance cardiaque.", False),
        ("Contre-indications de l’insuffisance cardiaque : effort intense.", False),
        ("Le vérapamil ne doit pas être prescrit.", False),
        ("La ventilation est commencée tôt, en l’absence de contre-indication.", True),
        ("Sauf contre-indication, l’IEC est donné ; les AINS sont contre-indiqués.", False),
    ],
)
def test_what_is_forbidden_is_of_what_is_asked(text: str, beside: bool) -> None:
    assert forbids_something_else(text, _asked(HEART_FAILURE), labelled=False) is beside


def test_a_dose_in_a_circuit_of_dialysis_answers_when_dialysis_is_asked() -> None:
    text = "Elle est introduite dans la ligne artérielle du circuit de dialyse."
    assert is_of_another_situation(text, _asked(DRUG))
    assert not is_of_another_situation(text, _asked(DRUG, words="dialys enoxaparin"))
    assert not is_of_another_situation("La dose est de 100 UI/kg.", _asked(DRUG))


def test_a_heading_tells_the_situation_of_a_dose_under_it() -> None:
    dialysis = replace(
        passage("1", "Énoxaparine", "posologie", ""), heading="Caillots dans le circuit de dialyse"
    )
    text = "La dose habituelle est de 100 UI pour chaque kilogramme."
    assert is_dose_of_something_else(dialysis, text, _asked(DRUG))
    assert not is_dose_of_something_else(dialysis, text, _asked(DRUG, words="dialys"))


@pytest.mark.parametrize(
    "text",
    [
        "Si vous avez oublié de prendre une dose, prenez-la dès que possible.",
        "Ne prenez pas de dose double.",
        "Un carnet vous aidera à ne pas manquer une dose.",
    ],
)
def test_a_missed_dose_is_no_dose_unless_it_is_asked(text: str) -> None:
    leaflet = passage("1", "Énoxaparine", "posologie", "")
    assert is_dose_of_something_else(leaflet, text, _asked(DRUG))
    assert not is_dose_of_something_else(leaflet, text, _asked(DRUG, words="oubli"))


@pytest.mark.parametrize(
    ("text", "danger"),
    [
        ("Association contre-indiquée en raison du risque important d’hyperkaliémie.", True),
        ("La spironolactone expose à une hyperkaliémie.", True),
        ("Elle expose à une déshydratation, à une gynécomastie et à une hyperkaliémie.", True),
        ("L’hyperkaliémie sévère est traitée par le gluconate de calcium.", False),
        ("En cas d’hyperkaliémie, le risque d’hyperkaliémie menaçante impose un ECG.", False),
    ],
)
def test_what_is_only_a_danger_is_not_treated(text: str, danger: bool) -> None:
    asked = _asked(Concept(phrases=("hyperkaliemie",)))
    guide = passage("HAS-1", "Insuffisance cardiaque", "", "")
    assert is_named_as_danger(guide, text, asked) is danger
    assert not is_named_as_danger(passage("EDN-267", "Hyperkaliémie", "", ""), text, asked)
    prevented = _asked(Concept(phrases=("hyperkaliemie",)), words="prevention")
    assert not is_named_as_danger(guide, text, prevented)


@pytest.mark.parametrize(
    ("title", "phrases", "combined"),
    [
        ("Amoxicilline et acide clavulanique (AUGMENTIN 1 g)", ("amoxicilline",), True),
        ("AMOXICILLINE/ACIDE CLAVULANIQUE ARROW 1 g, poudre", ("amox", "amoxicilline"), True),
        ("Amoxicilline (CLAMOXYL 1 g)", ("amoxicilline",), False),
        (
            "Amoxicilline et acide clavulanique (AUGMENTIN 1 g)",
            ("augmentin", "amoxicilline", "acide clavulanique"),
            False,
        ),
    ],
)
def test_a_drug_given_with_another_is_not_the_drug_alone(
    title: str, phrases: tuple[str, ...], combined: bool
) -> None:
    asked = _asked(Concept(phrases=phrases, mandatory=True))
    assert is_of_a_combination(passage("66053338", title, "", ""), asked) is combined
    assert not is_of_a_combination(passage("HAS-1", "Amoxicilline et fièvre", "", ""), asked)


def test_a_row_is_about_its_first_cell() -> None:
    table = replace(passage("HAS-1", "Cardiopathies congénitales", "", ""), kind=PassageKind.TABLE)
    row = "Cardiopathie : Obstacle au cœur gauche ; Complications : OAP ; Conduite : repos"
    assert is_row_of_another_case(row, table, _asked(OAP))
    assert not is_row_of_another_case("Urgence : OAP ; Conduite : furosémide", table, _asked(OAP))
    assert not is_row_of_another_case(row, table, _asked(DRUG, OAP))


@pytest.mark.parametrize(
    ("word", "disease"),
    [
        ("meningite", True),
        ("meningites", True),
        ("cirrhose", True),
        ("hyperkaliemie", True),
        ("toxicite", False),
        ("obesite", False),
        ("conduite", False),
        ("bacterienne", False),
        ("probabiliste", False),
    ],
)
def test_diseases_are_known_by_their_end(word: str, disease: bool) -> None:
    assert is_disease(Concept(phrases=(word,))) is disease


def test_who_is_covered_for_a_disease_answers_when_coverage_is_asked() -> None:
    ald = Concept(phrases=("ald",))
    text = "La dépression n’ouvre à une admission en ALD qu’à un stade grave."
    card = passage("HAS-x", "Dépression", "traitement", text)
    listed = passage("HAS-y", "Affections de longue durée (ALD)", "", "Insuffisance cardiaque")
    assert is_of_coverage(card, text, _asked(HEART_FAILURE))
    assert is_of_coverage(listed, "Insuffisance cardiaque", _asked(HEART_FAILURE))
    assert not is_of_coverage(listed, "Insuffisance cardiaque", _asked(HEART_FAILURE, ald))
    assert not is_of_coverage(card, "La dépression est traitée six mois.", _asked(HEART_FAILURE))


@pytest.mark.parametrize(
    ("text", "use"),
    [
        ("La fictivine peut être utile pour ralentir le cœur.", True),
        ("La fictivine est utilisée avec précaution (risque d’intoxication).", True),
        ("L’intoxication par la fictivine est traitée par des anticorps.", False),
        ("Un surdosage en fictivine impose une hospitalisation.", False),
    ],
)
def test_how_a_drug_is_used_answers_nothing_on_its_overdose(text: str, use: bool) -> None:
    card = passage("1", "Fictivine", "traitement", text)
    assert is_use_of_a_poison(card, text, _asked(DRUG, words="intoxication fictivine")) is use
    assert not is_use_of_a_poison(card, text, _asked(DRUG, words="dose fictivine"))


def test_a_sentence_about_those_without_it_is_no_answer() -> None:
    page = passage("HAS-div", "Diverticulite", "", "")
    absent = (
        "Une antibiothérapie seule est recommandée en l’absence de signe clinique de péritonite."
    )
    there = "La péritonite est opérée sans délai ; sans péritonite, on attend."
    peritonitis = Concept(phrases=("peritonite",))
    assert is_ruled_out(page, absent, _asked(peritonitis))
    assert not is_ruled_out(page, there, _asked(peritonitis))
    titled = passage("HAS-per", "Péritonite", "", "")
    assert not is_ruled_out(titled, absent, _asked(peritonitis))
    without = Concept(phrases=("sans peritonite",))
    assert not is_ruled_out(page, "On attend sans péritonite.", _asked(without))
