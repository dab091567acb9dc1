"""Bounds and delays in other words, beside bounds and delays that differ."""

from __future__ import annotations

import pytest
from test_gate_reworded import taken

SAME = {
    "La dose ne doit pas dépasser 3 g par jour.": (
        "La dose maximale est de 3 g par jour.",
        "La dose plafonne à 3 g par jour.",
        "Jamais plus de 3 g par jour.",
        "La dose reste à 3 g par jour ou moins.",
        "La limite est de 3 g par jour.",
    ),
    "Ne pas dépasser la posologie de 10 mg/jour de fictivine.": (
        "La fictivine reste à 10 mg par jour au plus.",
    ),
    "Le délai entre deux prises est d'au moins 4 heures.": (
        "Il faut attendre 4 heures entre deux prises.",
        "Deux prises sont espacées de 4 heures au minimum.",
        "On laisse passer quatre heures ou plus entre deux prises.",
        "Les prises se font à 4 heures d'écart au moins.",
    ),
    "La chirurgie est faite dans les 24 heures.": (
        "La chirurgie ne doit pas tarder au-delà de 24 heures.",
        "On opère avant 24 heures.",
        "La chirurgie a lieu sous 24 heures.",
        "On dispose de 24 heures pour la chirurgie.",
    ),
    "La chirurgie est faite dans les 24 heures suivant l'admission.": (
        "On opère au plus tard 24 heures après l'admission.",
        "La chirurgie a lieu dans le premier jour après l'admission.",
    ),
    "Le contrôle a lieu 4 à 6 semaines après le traitement.": (
        "Le contrôle se fait entre la 4e et la 6e semaine après le traitement.",
    ),
    "Le contrôle a lieu à 3 mois.": (
        "On contrôle au bout de 3 mois.",
        "On contrôle trois mois plus tard.",
        "On contrôle au troisième mois.",
    ),
    "Le traitement est arrêté 5 jours avant la chirurgie.": (
        "Cinq jours avant la chirurgie, on cesse le traitement.",
        "Avant la chirurgie, le traitement s'arrête cinq jours plus tôt.",
    ),
    "Le traitement est arrêté au moins 3 jours avant la chirurgie.": (
        "Avant la chirurgie, le traitement s'arrête trois jours plus tôt au moins.",
        "La chirurgie a lieu au moins 3 jours après l'arrêt du traitement.",
    ),
    "Une kaliémie supérieure à 5,5 mmol/L impose l'arrêt.": (
        "Au-delà de 5,5 mmol/L de kaliémie, on arrête.",
        "Si la kaliémie dépasse 5,5 mmol/L, arrêter.",
        "L'arrêt s'impose quand la kaliémie passe 5,5 mmol/L.",
        "Le seuil d'arrêt est une kaliémie de 5,5 mmol/L.",
    ),
    "Un score d'au moins 2 indique l'anticoagulation.": (
        "À partir de 2 points, l'anticoagulation est indiquée.",
        "Un score de 2 ou plus indique l'anticoagulation.",
        "Un score ≥ 2 indique l'anticoagulation.",
        "L'anticoagulation est indiquée dès que le score atteint 2.",
        "Dès 2 points au score, l'anticoagulation est indiquée.",
    ),
    "Chez l'enfant de moins de 6 ans, le sirop est déconseillé.": (
        "Avant 6 ans, le sirop est déconseillé.",
        "On évite le sirop tant que l'enfant n'a pas 6 ans.",
        "Le sirop n'est pas conseillé en dessous de six ans.",
    ),
    "Le vaccin est proposé à partir de 65 ans.": (
        "Le vaccin est proposé aux 65 ans et plus.",
        "Le vaccin est proposé dès 65 ans.",
        "Passé 65 ans, le vaccin est proposé.",
        "On propose le vaccin aux personnes qui ont au moins 65 ans.",
    ),
    "L'allaitement est déconseillé pendant les 7 jours qui suivent la dose.": (
        "Pas d'allaitement dans la semaine suivant la dose.",
    ),
    "La perfusion dure une heure.": (
        "La perfusion passe en 60 minutes.",
        "On perfuse sur une heure.",
    ),
    "Le traitement dure 5 jours.": (
        "Le traitement est donné pendant 5 jours.",
        "Cinq jours de traitement suffisent.",
    ),
    "La prophylaxie est poursuivie jusqu'à 4 semaines après l'opération.": (
        "La prophylaxie continue 4 semaines après l'opération.",
        "La prophylaxie dure quatre semaines après l'opération.",
    ),
    "La consommation ne dépasse pas 10 verres par semaine.": (
        "On se limite à 10 verres par semaine.",
        "Dix verres par semaine sont un maximum.",
    ),
    "L'alcoolémie doit être inférieure à 0,5 g/L.": (
        "L'alcoolémie doit rester sous 0,5 g/L.",
        "L'alcoolémie ne doit pas atteindre 0,5 g/L.",
    ),
    "L'objectif est une pression inférieure à 140/90 mmHg.": (
        "On vise moins de 140/90 mmHg.",
        "La pression doit descendre au-dessous de 140/90 mmHg.",
    ),
    "L'objectif de LDL est de moins de 0,55 g/L.": ("Le LDL visé est sous 0,55 g/L.",),
    "Le dépistage s'arrête à 74 ans.": ("On dépiste jusqu'à 74 ans.",),
    "Tout délai supérieur à 6 heures expose à l'échec.": (
        "Au-delà de 6 heures, l'échec est à craindre.",
    ),
    "Un INR supérieur à 5 impose un avis.": ("Un avis s'impose si l'INR est plus haut que 5.",),
    "Le traitement est arrêté 3 jours avant la chirurgie.": (
        "La chirurgie a lieu 3 jours après l'arrêt du traitement.",
    ),
}
OTHER = {
    "La chirurgie est faite dans les 24 heures suivant l'admission.": (
        "On opère au plus tôt 24 heures après l'admission.",
        "On opère 24 heures avant l'admission.",
    ),
    "Le traitement est arrêté au moins 3 jours avant la chirurgie.": (
        "Le traitement est arrêté au plus 3 jours avant la chirurgie.",
        "La chirurgie a lieu au plus 3 jours après l'arrêt du traitement.",
    ),
    "Le traitement est arrêté 5 jours avant la chirurgie.": (
        "Le traitement est arrêté 5 jours après la chirurgie.",
    ),
    "Une kaliémie supérieure à 5,5 mmol/L impose l'arrêt.": (
        "Une kaliémie inférieure à 5,5 mmol/L impose l'arrêt.",
        "On arrête tant que la kaliémie n'atteint pas 5,5 mmol/L.",
    ),
    "Un score d'au moins 2 indique l'anticoagulation.": (
        "Un score supérieur à 2 est nécessaire pour l'anticoagulation.",
        "L'anticoagulation est indiquée jusqu'à un score de 2.",
    ),
    "Chez l'enfant de moins de 6 ans, le sirop est déconseillé.": (
        "Après 6 ans, le sirop est déconseillé.",
    ),
    "Le vaccin est proposé à partir de 65 ans.": ("Le vaccin est proposé avant 65 ans.",),
    "Le traitement dure 5 jours.": ("Le traitement est donné après 5 jours.",),
    "Le traitement dure au plus 5 jours.": ("Le traitement dure au moins 5 jours.",),
    "La prophylaxie est poursuivie jusqu'à 4 semaines après l'opération.": (
        "La prophylaxie débute 4 semaines après l'opération.",
    ),
    "Le dépistage a lieu de 50 à 74 ans.": (
        "Le dépistage débute à 74 ans.",
        "Le dépistage est proposé après 74 ans.",
    ),
    "Le traitement est arrêté 3 jours avant la chirurgie.": (
        "Le traitement est arrêté 3 jours après la chirurgie.",
        "La chirurgie a lieu 3 jours avant l'arrêt du traitement.",
    ),
    "La chirurgie a lieu 3 jours après l'arrêt du traitement.": (
        "La chirurgie a lieu 3 jours après le début du traitement.",
    ),
}


@pytest.mark.parametrize(("source", "text"), [(s, t) for s, ts in SAME.items() for t in ts])
def test_the_same_in_other_words_passes(source: str, text: str) -> None:
    assert taken(source, text)


@pytest.mark.parametrize(("source", "text"), [(s, t) for s, ts in OTHER.items() for t in ts])
def test_another_statement_is_refused(source: str, text: str) -> None:
    assert not taken(source, text)
