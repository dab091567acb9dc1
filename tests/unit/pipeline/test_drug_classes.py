"""A member of a class speaks of the class, the class never of one member."""

from __future__ import annotations

import pytest

from ancremed_desktop.domain.plans import Concept
from ancremed_desktop.pipeline.drug_classes import class_named, classes_in
from ancremed_desktop.pipeline.holding import holds

ANTIBIOTIC = Concept(phrases=("antibiotique",), mandatory=True, classes=class_named("antibiotique"))
AMOXICILLIN = Concept(phrases=("amoxicilline",), mandatory=True, classes=class_named("amoxicilline"))  # fmt: skip


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("L’amoxicilline est donnée 7 jours.", True),
        ("Antibiothérapie : pendant 7 jours.", True),
        ("Une fluoroquinolone est évitée.", True),
        ("Le paracétamol est donné 7 jours.", False),
    ],
)
def test_a_member_holds_its_class(text: str, found: bool) -> None:
    assert holds(text, ANTIBIOTIC) is found


def test_the_class_does_not_hold_a_member() -> None:
    assert not holds("Un antibiotique est donné 7 jours.", AMOXICILLIN)
    assert not class_named("amoxicilline")
    assert "antibiotic" in classes_in("amoxicilline")


def test_what_is_given_in_a_disease_is_no_class() -> None:
    treatment = "anticoagulation de l’embolie pulmonaire"
    assert not class_named(treatment)
    assert class_named("inhibiteurs de la pompe à protons")
    concept = Concept(phrases=(treatment,), classes=class_named(treatment))
    assert not holds("L’apixaban est contre-indiqué en cas de saignement évolutif.", concept)
