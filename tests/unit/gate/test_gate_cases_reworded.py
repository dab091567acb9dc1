"""Cases, subjects and doses in other words, beside those they are not."""

from __future__ import annotations

import pytest
from test_gate_reworded import taken

SAME = {
    "La dose hebdomadaire de fictivine est de 7,5 mg à 25 mg.": (
        "La dose de fictivine est de 7,5 à 25 mg par semaine.",
    ),
    "Chez l'adulte, dans la convulsion qui dure plus de 5 minutes, la fictivine est donnée à la dose de 10 mg.": (
        "Toute convulsion de plus de 5 minutes est traitée par 10 mg de fictivine chez l'adulte.",
    ),
    "Une délivrance artificielle est faite si le placenta n'est pas sorti, et une révision utérine s'il est sorti.": (
        "Une révision utérine est faite si le placenta est sorti.",
    ),
    "L'angioscanner est l'examen de référence pour confirmer une embolie.": (
        "L'embolie se confirme par un angioscanner, l'examen de référence.",
    ),
    "La scintigraphie est une alternative au scanner, par exemple en cas d'insuffisance rénale sévère.": (
        "En cas d'insuffisance rénale sévère, on peut recourir à la scintigraphie.",
    ),
    "La fictivine est commencée à la dose de 30 mg par jour, en une prise au petit déjeuner.": (
        "La fictivine est commencée à 30 mg au petit déjeuner.",
    ),
    "La péridurale est contre-indiquée dans les 24 heures qui suivent une dose curative.": (
        "Pas de péridurale dans les 24 heures après une dose curative.",
    ),
    "Le débit de filtration doit être supérieur à 30 mL/min/1,73 m².": (
        "Le débit de filtration doit dépasser 30 mL/min.",
    ),
    "La fictivine double environ les concentrations de bidonine.": (
        "La fictivine multiplie à peu près par deux les concentrations de bidonine.",
    ),
    "La fictivine expose à environ 10 % de malformations.": (
        "Environ un enfant exposé à la fictivine sur dix a une malformation.",
    ),
    "L'arrêt de la fictivine ne doit pas être brutal.": ("On arrête la fictivine en douceur.",),
    "Le remplissage est d'au moins 30 mL/kg de cristalloïdes.": (
        "On remplit avec 30 mL/kg de cristalloïdes ou plus.",
    ),
}
OTHER = {
    "La dose hebdomadaire de fictivine est de 7,5 mg à 25 mg.": (
        "La dose quotidienne de fictivine est de 7,5 à 25 mg.",
    ),
    "Chez l'adulte, dans la convulsion qui dure plus de 5 minutes, la fictivine est donnée à la dose de 10 mg.": (
        "Toute convulsion de l'adulte est traitée par 10 mg de fictivine.",
    ),
    "Une délivrance artificielle est faite si le placenta n'est pas sorti, et une révision utérine s'il est sorti.": (
        "Une révision utérine est faite si le placenta n'est pas sorti.",
    ),
    "L'angioscanner est l'examen de référence pour confirmer une embolie. La radiographie cherche un autre diagnostic.": (
        "La radiographie est l'examen de référence pour confirmer une embolie.",
    ),
    "La fictivine est commencée à la dose de 30 mg par jour, en deux prises.": (
        "La fictivine est commencée à 30 mg par prise.",
    ),
    "La péridurale est contre-indiquée dans les 24 heures qui suivent une dose curative.": (
        "Pas de péridurale dans les 24 heures avant une dose curative.",
    ),
    "L'utilisation de la fictivine n'est pas recommandée chez le sujet âgé ; si elle est nécessaire, ne pas dépasser 50 mg par jour.": (
        "La fictivine est recommandée chez le sujet âgé jusqu'à 50 mg par jour.",
    ),
    "Si la tolérance est bonne, la dose passe à 2,5 mg une fois par jour la semaine suivante.": (
        "La fictivine est instaurée à 2,5 mg une fois par jour.",
    ),
}


@pytest.mark.parametrize(("source", "text"), [(s, t) for s, ts in SAME.items() for t in ts])
def test_the_same_in_other_words_passes(source: str, text: str) -> None:
    assert taken(source, text)


@pytest.mark.parametrize(("source", "text"), [(s, t) for s, ts in OTHER.items() for t in ts])
def test_another_statement_is_refused(source: str, text: str) -> None:
    assert not taken(source, text)
