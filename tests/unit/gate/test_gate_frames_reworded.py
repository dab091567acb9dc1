"""Denials, exceptions, conditions and rhythms in other frames, beside what they do not say."""

from __future__ import annotations

import pytest
from test_gate_reworded import taken

from ancremed_desktop.text.narrative import narrative_leaks

SAME = {
    "L'association est à éviter sauf en cas de fièvre, de grossesse ou de cancer.": (
        "L'association est à éviter, sauf fièvre, grossesse ou cancer.",
        "L'association n'est pas conseillée, hormis en cas de fièvre, de grossesse ou de cancer.",
    ),
    "Une coloscopie systématique n'est pas recommandée, en dehors des indications de dépistage par "
    "coloscopie du cancer colorectal.": (
        "On ne fait pas systématiquement de coloscopie, hormis pour le dépistage du cancer colorectal.",
        "La coloscopie systématique n'est pas conseillée, sauf dépistage du cancer colorectal.",
    ),
    "Débuter l'aspirine dans l'attente des résultats du bilan.": (
        "On n'attend pas les résultats du bilan pour débuter l'aspirine.",
    ),
    "Ne pas dépasser 10 mg ; cette restriction ne concerne pas le fénofibrate.": (
        "Le fénofibrate échappe à cette restriction.",
    ),
    "En cas d'hépatite, le traitement doit être arrêté et ne doit pas être réintroduit.": (
        "Une hépatite fait arrêter le traitement, sans réintroduction possible.",
    ),
    "La fictivine ne doit pas être prise avec de la nourriture.": (
        "La fictivine se prend à jeun.",
    ),
    "Prendre les sels de fer à distance des fluoroquinolones (plus de 2 heures).": (
        "Sels de fer et fluoroquinolones ne se prennent pas ensemble : plus de 2 heures entre les deux.",
    ),
    "La dose est augmentée par palier de 10 mg tous les 3 ou 4 jours jusqu'à 80 mg par jour.": (
        "La dose monte de 10 mg tous les 3 à 4 jours, jusqu'à 80 mg par jour.",
        "Les paliers sont de 10 mg, espacés de 3 ou 4 jours ; la dose ne va pas au-delà de 80 mg par jour.",
    ),
    "TSH toutes les 4 à 6 semaines.": ("La TSH est dosée à un intervalle de 4 à 6 semaines.",),
    "La dose est augmentée par paliers, à intervalle de 2 semaines, en l'absence de fièvre.": (
        "On augmente par paliers à intervalle de 2 semaines, si le patient tolère et n'a pas de fièvre.",
    ),
    "La TSH est dosée tous les 3 mois compte tenu du risque d'hypothyroïdie.": (
        "La TSH est dosée tous les 3 mois.",
    ),
    "La fictivine est débutée la veille du départ.": (
        "La fictivine est débutée un jour avant le départ.",
    ),
    "La fictivine est donnée après la correction du déficit.": (
        "La fictivine est donnée une fois celui-ci, le déficit, corrigé.",
        "La fictivine est donnée une fois son déficit corrigé.",
    ),
    "En cas d'association, surveiller l'INR.": ("Si les deux sont associés, on surveille l'INR.",),
    "Une endoscopie n'est pas justifiée en l'absence de récidive de l'hémorragie.": (
        "Tant que l'hémorragie ne récidive pas, l'endoscopie n'est pas justifiée.",
    ),
    "L'anticoagulant est contre-indiqué en cas d'insuffisance rénale (DFG < 30 mL/min pour le dabigatran ; "
    "DFG < 15 mL/min pour le rivaroxaban).": (
        "En dessous de 15 mL/min de DFG, le rivaroxaban est proscrit.",
    ),
    "Le valproate est contre-indiqué, sauf s'il n'existe aucune alternative.": (
        "Le valproate est contre-indiqué, à moins qu'aucune alternative n'existe.",
    ),
    "Des rougeurs et/ou des œdèmes ont été rapportés.": (
        "Des rougeurs ou des œdèmes ont été décrits.",
    ),
    "Pas d'examens complémentaires en ville pour ne pas retarder les soins.": (
        "En ville, on ne demande pas d'examens complémentaires : ils retarderaient les soins.",
    ),
    "Des doses de plus de 200 mg par jour ne sont pas recommandées.": (
        "Il n'est pas conseillé de dépasser 200 mg par jour.",
    ),
    "La dose est de 5 mg, sans dépasser 120 mg par mois.": (
        "La dose est de 5 mg, et pas plus de 120 mg dans le mois.",
        "La dose est de 5 mg ; le cumul mensuel ne va pas au-delà de 120 mg.",
    ),
}
OTHER = {
    "Le valproate est contre-indiqué, sauf s'il n'existe aucune alternative.": (
        "Le valproate est indiqué, à moins qu'aucune alternative n'existe.",
        "Le valproate est contre-indiqué, à moins qu'une alternative n'existe.",
    ),
    "La dose quotidienne sera augmentée par palier de 10 mg tous les 3 ou 4 jours.": (
        "La dose quotidienne est augmentée de 10 mg chaque jour.",
        "On ajoute 10 mg par jour.",
        "La dose quotidienne est augmentée de 10 mg par semaine.",
    ),
    "L'association est contre-indiquée en raison du risque d'hyperkaliémie.": (
        "L'association est contre-indiquée en cas d'hyperkaliémie.",
    ),
    "La fictivine traverse le placenta, mais n'est pas contre-indiquée.": (
        "La fictivine traverse le placenta, elle est donc contre-indiquée.",
    ),
    "En raison de l'absence de preuve, la transfusion systématique n'est pas recommandée.": (
        "La transfusion est recommandée malgré l'absence de preuve.",
    ),
    "L'hystérectomie peut être réalisée d'emblée si la situation l'impose.": (
        "L'hystérectomie doit toujours être réalisée d'emblée.",
    ),
    "Hospitaliser pour ne pas retarder les soins.": (
        "Ne pas hospitaliser pour ne pas retarder les soins.",
    ),
    "Des doses de plus de 200 mg par jour ne sont pas conseillées.": (
        "La dose conseillée est de plus de 200 mg par jour.",
        "Il est conseillé de dépasser 200 mg par jour.",
    ),
    "Une coloscopie systématique n'est pas recommandée, en dehors du dépistage par coloscopie.": (
        "Une coloscopie systématique est recommandée, en dehors du dépistage.",
    ),
    "Le DIU est contre-indiqué en raison du risque d'endocardite.": (
        "Le DIU est possible malgré le risque d'endocardite.",
        "Le risque d'endocardite n'interdit pas le DIU.",
        "Le DIU n'est pas contre-indiqué par le risque d'endocardite.",
    ),
    "Une contraception est mise en place avant le début du traitement par la fictivine.": (
        "Une contraception ne peut être mise en place qu'une fois la fictivine débutée.",
        "La contraception est mise en place dès que la fictivine est débutée.",
    ),
    "Après le retour du bilan à la normale, le traitement peut être repris.": (
        "Avant le retour du bilan à la normale, le traitement peut être repris.",
    ),
    "Pour les patients insuffisants hépatiques, la dose est augmentée de 5 mg par jour.": (
        "La dose est augmentée de 5 mg par jour.",
    ),
    "La dose est augmentée par palier de 10 mg tous les 3 ou 4 jours.": (
        "La dose est augmentée de 10 mg chaque jour.",
        "La dose est augmentée par palier de 10 mg tous les 4 jours.",
        "La dose est augmentée de 10 mg trois ou quatre fois par jour.",
    ),
    "L'endoscopie n'est pas recommandée après un ulcère duodénal.": (
        "L'endoscopie n'est pas recommandée après un ulcère gastrique.",
    ),
    "La fictivine est prise avec de la nourriture.": ("La fictivine se prend à jeun.",),
    "Les paliers sont augmentés en l'absence de fièvre.": (
        "Les paliers sont augmentés si le patient tolère et a de la fièvre.",
    ),
}


@pytest.mark.parametrize(("source", "text"), [(s, t) for s, ts in SAME.items() for t in ts])
def test_the_same_in_another_frame_passes(source: str, text: str) -> None:
    assert taken(source, text)


@pytest.mark.parametrize(("source", "text"), [(s, t) for s, ts in OTHER.items() for t in ts])
def test_what_a_frame_does_not_say_is_refused(source: str, text: str) -> None:
    assert not taken(source, text)


@pytest.mark.parametrize(
    "text",
    [
        "Jamais chez un coronarien.",
        "Surtout pas pendant la grossesse.",
        "Pas d’aspirine chez l’enfant.",
        "En aucun cas avec un anticoagulant.",
    ],
)
def test_connecting_text_forbids_in_no_bare_words(text: str) -> None:
    assert [leak.kind for leak in narrative_leaks(text)] == ["contre-indication"]


@pytest.mark.parametrize("text", ["Il n’est jamais trop tard.", "Pas de signe de gravité ici."])
def test_a_denial_that_forbids_nothing_connects(text: str) -> None:
    assert not narrative_leaks(text)
