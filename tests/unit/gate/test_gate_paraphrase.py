"""Words of one root, subjects borrowed from another value, order of waiting, values in words."""

from __future__ import annotations

import pytest

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.spans import DropReason, Verdict
from ancremed_desktop.pipeline.rules.rule_verifier import RuleVerifier
from ancremed_desktop.ports import VerifierView
from ancremed_desktop.text.derivation import root
from ancremed_desktop.text.values import missing_values


def judge(cited: str, text: str, passage: str = "") -> DropReason | None:
    view = VerifierView(
        assertion=text,
        subject="x",
        section="",
        sentences=cited,
        passage=passage or cited,
        passage_section="",
        heading="",
        title="Fictivine",
    )
    verdict = RuleVerifier().judge(view, CancelToken())
    assert (verdict.verdict is Verdict.SUPPORTED) == (verdict.reason is None)
    return verdict.reason


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("surveillance", "surveiller"),
        ("reduction", "reduisent"),
        ("toxicite", "toxique"),
        ("stabilite", "stables"),
        ("prescription", "prescrit"),
        ("admission", "admettre"),
        ("transmission", "transmettre"),
        ("suspension", "suspendu"),
        ("absorption", "absorbe"),
        ("correction", "corriger"),
        ("protection", "protege"),
        ("application", "appliquer"),
        ("depistage", "depister"),
        ("allergie", "allergique"),
    ],
)
def test_derived_words_meet(one: str, other: str) -> None:
    assert root(one) == root(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("hepatite", "hepatique"),
        ("prednisone", "prednisolone"),
        ("emission", "admission"),
        ("remission", "remettre"),
        ("gastrite", "gastrique"),
        ("lithium", "lithiase"),
        ("arterite", "arterielle"),
        ("dosage", "dos"),
    ],
)
def test_words_that_only_look_alike_stay_apart(one: str, other: str) -> None:
    assert root(one) != root(other)


SIMPLE = "Forme simple : 7 mg par jour."
EYE = "En cas d'atteinte oculaire : 10 mg par jour."
FORMS = f"{SIMPLE} {EYE}"


def test_a_value_is_not_lent_to_the_subject_of_another_value() -> None:
    wrong = "En cas d'atteinte oculaire, la dose est de 7 mg par jour."
    assert judge(SIMPLE, wrong, FORMS) is DropReason.BINDING
    assert judge(EYE, wrong.replace("7", "10"), FORMS) is None


@pytest.mark.parametrize(
    ("source", "text", "reason"),
    [
        (
            "Le sérum est injecté sans attendre les résultats.",
            "Le sérum est injecté dès que les résultats sont connus.",
            DropReason.ORDER,
        ),
        (
            "Un asthme contre-indique l'injection.",
            "Un asthme n'empêche pas l'injection.",
            DropReason.POLARITY,
        ),
        (
            "Un asthme n'interdit pas l'injection.",
            "Un asthme interdit l'injection.",
            DropReason.POLARITY,
        ),
    ],
)
def test_turned_statements_are_refused(source: str, text: str, reason: DropReason) -> None:
    assert judge(source, text) is reason


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (
            "Le sérum est injecté sans attendre les résultats.",
            "On injecte le sérum sans attendre les résultats.",
        ),
        ("Un asthme ne contre-indique pas l'injection.", "Un asthme n'empêche pas l'injection."),
        (
            "La vomissine est un sérum dont l'initiation n'est plus recommandée.",
            "Il n'est plus conseillé de débuter la vomissine.",
        ),
        (
            "La chirurgie est préférée si elle est réalisable dans les 2 heures.",
            "On choisit la chirurgie si elle peut être faite dans les 2 heures.",
        ),
        (
            "La durée est de 3 jours si la fièvre cède à J3, de 5 jours si elle cède à J5.",
            "La durée est de 3 jours lorsque la fièvre cède à J3.",
        ),
        ("Le transfert se fait par le SAMU.", "Le malade est transféré par le SAMU."),
        ("La vomissine diminue l'appétit.", "Sous vomissine, l'appétit baisse."),
    ],
)
def test_paraphrases_pass(source: str, text: str) -> None:
    assert judge(source, text) is None


@pytest.mark.parametrize(
    ("source", "text", "held"),
    [
        ("si les plaquettes sont < 150 G/L", "moins de 150 000 plaquettes par mm³", True),
        ("si les plaquettes sont < 150 G/L", "moins de 15 000 plaquettes par mm³", False),
        ("un taux de 10 G/L", "un taux de 10 giga par litre", True),
        ("plus de 250/mm³", "plus de 250 éléments par millimètre cube", True),
        ("plus de 250/mm³", "plus de 250 éléments par millilitre", False),
        ("une ponction à 48 heures", "une ponction à la 48e heure", True),
        ("une ponction à 48 heures", "une ponction à la 24e heure", False),
        ("avant la dixième heure", "dans les dix premières heures", True),
        ("en deux prises", "répartis en deux fois", True),
        ("en trois prises", "répartis en deux fois", False),
        ("pendant les semaines 1 et 2", "pendant deux semaines", True),
        ("pendant les semaines 3 et 4", "pendant deux semaines", False),
        ("une céphalosporine injectable de troisième génération", "une C3G injectable", True),
        ("une céphalosporine injectable de deuxième génération", "une C3G injectable", False),
    ],
)
def test_values_in_other_words(source: str, text: str, held: bool) -> None:
    assert (not missing_values(text, source, source)) is held
