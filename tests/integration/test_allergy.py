"""A disease of a patient allergic to a drug: what the allergy forbids comes first, the drug and its
class are left out of the care and it is said, what is done at once stays.
"""

from __future__ import annotations

import pytest
from fakes.on_screen import shown_by

from ancremed_desktop.domain.spans import Narrative
from ancremed_desktop.services.ask import AskService
from ancremed_desktop.text.normalise import fold


@pytest.mark.parametrize(
    ("question", "forbidden"),
    [
        ("méningite allergie pénicilline", "ceftriaxone est contre-indiquée en cas"),
        (
            "méningite bactérienne adulte allergie grave pénicilline",
            "ceftriaxone est contre-indiquée en cas",
        ),
        ("purpura fulminans allergie bêtalactamines", "ceftriaxone est contre-indiquée en cas"),
        ("angine allergique à l’amoxicilline", "contre-indiquée en cas d’allergie aux pénicill"),
        ("pneumonie patient allergique à la pénicilline", "hypersensibilité à une pénicilline"),
        ("infarctus allergie aspirine", "contre-indiqué en cas d’allergie aux salicylés"),
        ("SCA ST- allergique aux AINS", "contre-indiqué en cas d’allergie aux salicylés"),
        ("colique néphrétique allergique aux AINS", "ibuprofène est contre-indiqué en cas d’ant"),
    ],
)
def test_what_an_allergy_forbids_of_the_care_comes_first(
    service: AskService, question: str, forbidden: str
) -> None:
    section, quote = shown_by(service.ask(question))[0]
    assert section == "contre-indications"
    assert fold(forbidden) in quote


@pytest.mark.parametrize(
    ("question", "drug"),
    [
        ("méningite allergie pénicilline", "amoxicilline"),
        ("angine allergique à l’amoxicilline", "amoxicilline"),
        ("pneumonie allergie pénicilline", "amoxicilline"),
        ("infarctus allergie aspirine", "acetylsalicylique"),
        ("SCA ST- allergique aux AINS", "acetylsalicylique"),
    ],
)
def test_the_drug_and_its_class_are_left_out_and_it_is_said(
    service: AskService, question: str, drug: str
) -> None:
    answer = service.ask(question)
    care = [q for section, q in shown_by(answer) if section != "contre-indications"]
    said = [s.text for s in answer.spans if isinstance(s, Narrative)]
    assert care
    assert not any(drug in quote for quote in care)
    assert "n’est pas montré\u00a0: allergie" in " ".join((answer.message, *said))


def test_what_is_done_at_once_stays_and_other_classes_too(service: AskService) -> None:
    shown = shown_by(service.ask("purpura fulminans allergie pénicilline"))
    assert any(s == "gestes immédiats" and "le 15 est appele" in q for s, q in shown)
    assert any(s == "traitement" and "ceftriaxone" in q for s, q in shown)


def test_an_allergy_no_card_speaks_of_is_said(service: AskService) -> None:
    assert "ne parle de cette allergie" in service.ask("AVC allergie pénicilline").message


@pytest.mark.parametrize(
    "question",
    [
        "asthme allergique salbutamol",
        "anaphylaxie allergie adrénaline dose",
        "angine sans allergie traitement",
        "choc anaphylactique adrénaline dose",
    ],
)
def test_an_allergic_disease_is_no_allergy_to_its_treatment(
    service: AskService, question: str
) -> None:
    assert not service.ask(question).message.startswith("Allergie à")
