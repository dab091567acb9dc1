"""Kinds of wording that were misread: for each, faithful wordings and changed ones."""

from __future__ import annotations

import pytest
from test_gate_kinds import passes

BRACKETS = [
    (
        "Le seuil requis est un INR < 1,5 (< 1,2 en cas de neurochirurgie).",
        "En cas d'intervention neurochirurgicale, un INR inférieur à 1,2 est requis.",
        "En cas d'intervention neurochirurgicale, un INR inférieur à 1,5 est requis.",
    ),
    (
        "La dose est de 10 mg (5 mg chez le sujet âgé).",
        "Chez le sujet âgé, la dose est de 5 mg.",
        "Chez le sujet âgé, la dose est de 10 mg.",
    ),
    (
        "Une fictivinémie > 4 mg/L (> 3 mg/L en cas d'insuffisance cardiaque) fait craindre un surdosage.",
        "En cas d'insuffisance cardiaque, une fictivinémie supérieure à 3 mg/L fait craindre un surdosage.",
        "En cas d'insuffisance cardiaque, une fictivinémie supérieure à 4 mg/L fait craindre un surdosage.",
    ),
]

AWAITED = [
    (
        "Débuter la fictivine dans l'attente des résultats du bilan.",
        "La fictivine est débutée sans attendre les résultats du bilan.",
        "La fictivine n'est débutée qu'une fois connus les résultats du bilan.",
    ),
    (
        "La fictivine est injectée sans attendre la biopsie.",
        "On injecte la fictivine sans attendre la biopsie.",
        "On injecte la fictivine quand arrive la biopsie.",
    ),
    (
        "La fictivine est donnée sans attendre le dosage.",
        "On donne la fictivine sans attendre le dosage.",
        "La fictivine est donnée lorsqu'on connaît le dosage.",
    ),
]

EQUATED = [
    (
        "La dose est réduite à 220 mg, soit 110 mg deux fois par jour en cas d'insuffisance rénale.",
        "En cas d'insuffisance rénale, on donne 110 mg deux fois par jour.",
        "En cas d'insuffisance rénale, on donne 220 mg deux fois par jour.",
    ),
    (
        "La dose est de 900 mg par jour, soit 300 mg trois fois par jour.",
        "300 mg sont donnés trois fois par jour.",
        "900 mg sont donnés trois fois par jour.",
    ),
    (
        "La dose totale est de 60 mg, soit 20 mg toutes les 8 heures, chez l'adulte.",
        "Chez l'adulte, la dose totale est de 60 mg.",
        "Chez l'adulte, 60 mg sont donnés toutes les 8 heures.",
    ),
]

COUPLES = [
    (
        "Aucune adaptation n'est nécessaire avec l'amiodarone. La dose de dabigatran est réduite à 220 mg"
        " avec le vérapamil.",
        "L'association du dabigatran au vérapamil fait réduire la dose à 220 mg.",
        "L'association du dabigatran à l'amiodarone fait réduire la dose à 220 mg.",
    ),
    (
        "L'allopurinol reste possible avec l'ibuprofène. L'azathioprine est réduite avec l'allopurinol.",
        "L'association de l'azathioprine à l'allopurinol demande une réduction.",
        "L'association de l'azathioprine à l'ibuprofène demande une réduction.",
    ),
    (
        "Le ramipril est surveillé avec le lithium. La spironolactone est à éviter avec le ramipril.",
        "L'association de la spironolactone et du ramipril est à éviter.",
        "L'association de la spironolactone et du lithium est à éviter.",
    ),
]

CASES_BESIDE = [
    (
        "Injecter dans le deltoïde chez l'adulte et dans la cuisse chez le nourrisson.",
        "Chez le nourrisson, on injecte dans la cuisse.",
        "Chez le nourrisson, on injecte dans le deltoïde.",
    ),
    (
        "Préférer la radiographie chez l'enfant et le scanner chez l'adulte.",
        "Chez l'adulte, on préfère le scanner.",
        "Chez l'adulte, on préfère la radiographie.",
    ),
    (
        "Chez l'enfant, la fracture est traitée par plâtre, chez l'adulte, par plaque.",
        "Chez l'adulte, la fracture est traitée par plaque.",
        "Chez l'adulte, la fracture est traitée par plâtre.",
    ),
]

BRANDS = [
    (
        "Seules les spécialités suivantes à base de valproate ont cette indication : Dépakote.",
        "Le Dépakote a cette indication.",
        "La Dépakine a cette indication.",
    ),
    (
        "Le Xarelto est pris au cours d'un repas.",
        "Le rivaroxaban est pris au cours d'un repas.",
        "Le Pradaxa est pris au cours d'un repas.",
    ),
    (
        "Le valproate (Dépakine) est pris au cours d'un repas.",
        "La Dépakine est prise au cours d'un repas.",
        "Le Dépakote est pris au cours d'un repas.",
    ),
]

BOUNDED = [
    (
        "Si INR ≥ 10 : arrêt de la fictivine.",
        "À partir d'un INR de 10, la fictivine est arrêtée.",
        "Au-delà d'un INR de 10, la fictivine est arrêtée.",
    ),
    (
        "Un INR < 2 fait augmenter la dose.",
        "En dessous d'un INR de 2, la dose est augmentée.",
        "À partir d'un INR de 2, la dose est augmentée.",
    ),
    (
        "La fictivine est arrêtée si la kaliémie est > 6 mmol/L.",
        "Au-dessus d'une kaliémie de 6 mmol/L, la fictivine est arrêtée.",
        "En dessous d'une kaliémie de 6 mmol/L, la fictivine est arrêtée.",
    ),
]

CASES = [*BRACKETS, *AWAITED, *EQUATED, *COUPLES, *CASES_BESIDE, *BRANDS, *BOUNDED]


@pytest.mark.parametrize(("source", "faithful"), [(s, f) for s, f, _ in CASES])
def test_a_faithful_wording_passes(source: str, faithful: str) -> None:
    assert passes(source, faithful)


@pytest.mark.parametrize(("source", "changed"), [(s, c) for s, _, c in CASES])
def test_a_changed_wording_is_refused(source: str, changed: str) -> None:
    assert not passes(source, changed)
