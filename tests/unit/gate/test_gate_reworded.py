"""Wordings found on texts no rule had seen: the same thing passes, its near contrary does not."""

from __future__ import annotations

import pytest
from test_gate_paraphrase import judge

from ancremed_desktop.text.values import missing_values

SAME = [
    (
        "La dose d'adrénaline est de 0,5 mg en une seule injection intramusculaire.",
        "L'adrénaline s'injecte en intramusculaire, 0,5 mg en une fois.",
    ),
    (
        "Le traitement dure 48 ± 12 heures.",
        "Le traitement dure 48 heures, à 12 heures près.",
    ),
    (
        "Le traitement dure 48 ± 12 heures.",
        "Le traitement dure 48 heures plus ou moins 12 heures.",
    ),
    (
        "L'ostéopénie est définie par un T-score compris entre −1 et −2,5.",
        "L'ostéopénie correspond à un T-score entre −2,5 et −1.",
    ),
    (
        "L'ostéopénie est définie par un T-score compris entre −1 et −2,5.",
        "On parle d'ostéopénie quand le T-score va de -1 à -2,5.",
    ),
    (
        "La prednisone est prise un jour sur deux.",
        "La prednisone se prend tous les deux jours.",
    ),
    (
        "La prednisone est prise un jour sur deux.",
        "La prednisone se prend tous les 2 jours.",
    ),
    (
        "La prednisone est prise un jour sur deux.",
        "La prednisone se prend 1 jour sur 2.",
    ),
    (
        "Le lévétiracétam est donné 1 fois/j.",
        "Le lévétiracétam est donné une fois par jour.",
    ),
    (
        "Le lévétiracétam est donné à 500 mg x 2/j.",
        "Le lévétiracétam est donné à 500 mg deux fois par jour.",
    ),
    (
        "Le lévétiracétam est donné à 500 mg × 2 par jour.",
        "Le lévétiracétam est donné à 500 mg matin et soir.",
    ),
    (
        "Le lévétiracétam est donné à 2 × 500 mg/j.",
        "Le lévétiracétam est donné à 500 mg deux fois par jour.",
    ),
    (
        "Le lévétiracétam est donné à raison d'un comprimé de 500 mg matin et soir.",
        "Le lévétiracétam est donné à 500 mg deux fois par jour.",
    ),
    (
        "Si 4 ≤ INR < 6, sauter une prise.",
        "Entre 4 et 6 d'INR, on saute une prise.",
    ),
    (
        "Si 4 ≤ INR < 6, sauter une prise.",
        "Pour un INR entre 4 et 6, une prise est sautée.",
    ),
    (
        "Si 4 ≤ INR < 6, sauter une prise.",
        "Une prise est sautée si l'INR est d'au moins 4 et inférieur à 6.",
    ),
    (
        "Une clairance comprise entre 30 et 60 mL/min impose de réduire la dose.",
        "La dose est réduite pour une clairance de 30 à 60 mL/min.",
    ),
    (
        "Clairance 30-60 mL/min : réduire la dose.",
        "La dose est réduite entre 30 et 60 mL/min de clairance.",
    ),
    (
        "Un contrôle est fait à 1 mois puis tous les 3 mois.",
        "Un contrôle est fait au bout d'un mois puis chaque trimestre.",
    ),
    (
        "Un contrôle est fait tous les 6 mois.",
        "Un contrôle est fait deux fois par an.",
    ),
    (
        "Un contrôle est fait tous les 6 mois.",
        "Un contrôle est fait chaque semestre.",
    ),
    (
        "Un contrôle est fait une fois par an.",
        "Le contrôle est annuel.",
    ),
    (
        "Le pansement est changé toutes les 24 heures.",
        "Le pansement est changé chaque jour.",
    ),
    (
        "Le pansement est changé quotidiennement.",
        "Le pansement est changé une fois par jour.",
    ),
    (
        "L'INR est contrôlé deux fois par semaine.",
        "L'INR est contrôlé 2 fois/semaine.",
    ),
    (
        "L'INR est contrôlé deux fois par semaine.",
        "On fait deux INR par semaine.",
    ),
    (
        "La perfusion passe à 100 mL/h.",
        "La perfusion passe à 100 mL par heure.",
    ),
    (
        "La guérison est obtenue dans 80 % des cas.",
        "La guérison est obtenue quatre fois sur cinq.",
    ),
    (
        "La guérison est obtenue dans 80 % des cas.",
        "Quatre patients sur cinq guérissent.",
    ),
    (
        "La guérison est obtenue dans 50 % des cas.",
        "Un patient sur deux guérit.",
    ),
    (
        "La guérison est obtenue dans un tiers des cas.",
        "Un patient sur trois guérit.",
    ),
    (
        "La douleur dure de 4 à 72 heures.",
        "La douleur dure entre 4 et 72 heures.",
    ),
    (
        "La douleur dure de 4 à 72 h.",
        "La douleur dure de 4 heures à 3 jours.",
    ),
    (
        "L'enfant de 2 à 6 ans reçoit 5 mg.",
        "Entre 2 et 6 ans, l'enfant reçoit 5 mg.",
    ),
    (
        "L'enfant de 6 mois à 2 ans reçoit 5 mg.",
        "Entre 6 mois et 2 ans, l'enfant reçoit 5 mg.",
    ),
    (
        "La dose est réduite de 50 %.",
        "La dose est réduite de moitié.",
    ),
    (
        "La dose est réduite de 25 %.",
        "La dose est réduite d'un quart.",
    ),
    (
        "La dose est réduite de moitié.",
        "On divise la dose par deux.",
    ),
    (
        "La température est de 38,5 °C.",
        "La température est de 38°5.",
    ),
    (
        "La température est de 38,5 °C.",
        "La température est de 38,5 degrés.",
    ),
    (
        "La pression est inférieure à 140/90 mmHg.",
        "La pression est inférieure à 14/9.",
    ),
    (
        "La pression est inférieure à 140/90 mmHg.",
        "La pression est inférieure à 14/9 cmHg.",
    ),
    (
        "La première dose est de 300 mg, puis 75 mg par jour.",
        "On débute par 300 mg puis on continue à 75 mg/j.",
    ),
    (
        "La vaccination comprend deux doses à 2 mois d'intervalle.",
        "La vaccination comprend deux doses espacées de deux mois.",
    ),
    (
        "La vaccination comprend deux doses à 2 mois d'intervalle.",
        "Les deux doses du vaccin sont séparées de 2 mois.",
    ),
    (
        "Rappel à 11 mois.",
        "Le rappel se fait à l'âge de 11 mois.",
    ),
    (
        "Le dosage est fait à H4.",
        "Le dosage est fait quatre heures après.",
    ),
    (
        "Le dosage est fait à la 4e heure.",
        "Le dosage est fait à H4.",
    ),
    (
        "La perfusion dure au moins une heure.",
        "La perfusion est passée en une heure minimum.",
    ),
    (
        "La perfusion dure au moins une heure.",
        "La perfusion ne dure pas moins d'une heure.",
    ),
    (
        "La perfusion dure au moins une heure.",
        "La perfusion dure 60 min ou plus.",
    ),
    (
        "La perfusion dure au moins une heure.",
        "Il faut une heure au minimum pour passer la perfusion.",
    ),
    (
        "La fictivine ne doit pas être prise avec de la nourriture.",
        "La fictivine se prend en dehors des repas.",
    ),
    (
        "La fictivine ne doit pas être prise avec de la nourriture.",
        "La fictivine ne se prend pas au cours d'un repas.",
    ),
    (
        "Prendre la fictivine au cours du repas pour limiter le risque digestif.",
        "La fictivine se prend en mangeant afin de réduire le risque digestif.",
    ),
    (
        "Il n'y a pas d'antidote.",
        "Aucun antidote n'existe.",
    ),
    (
        "L'absence de fièvre n'élimine pas le diagnostic.",
        "Le diagnostic n'est pas écarté par l'absence de fièvre.",
    ),
    (
        "L'INR est stable sur deux contrôles successifs.",
        "L'INR est stable sur 2 contrôles de suite.",
    ),
    (
        "Les patients dont l'endoscopie n'a pas montré de varices sont revus à 2 ans.",
        "Les patients sans varices à l'endoscopie sont revus à 2 ans.",
    ),
    (
        "En cas de passage d'un NACO à un AVK, l'AVK est débuté 2 jours avant l'arrêt du NACO.",
        "L'AVK est commencé 2 jours avant d'arrêter le NACO.",
    ),
    (
        "Il ne doit pas y avoir de chevauchement entre héparine et NACO.",
        "L'héparine et le NACO ne sont jamais donnés ensemble.",
    ),
    (
        "Il ne doit pas y avoir de chevauchement entre héparine et NACO.",
        "On ne donne pas l'héparine et le NACO en même temps.",
    ),
    (
        "Désinfecter après le retrait de la tique, et non pas avant.",
        "On désinfecte une fois la tique retirée, pas avant.",
    ),
    (
        "Une HTA non contrôlée impose un avis spécialisé.",
        "Une HTA qui n'est pas contrôlée impose un avis spécialisé.",
    ),
    (
        "Une HTA non contrôlée impose un avis spécialisé.",
        "Quand l'HTA est mal contrôlée, un avis spécialisé s'impose.",
    ),
]
OTHER = [
    (
        "Le traitement dure 48 ± 12 heures.",
        "Le traitement dure 12 heures.",
    ),
    (
        "Le traitement dure 48 ± 12 heures.",
        "Le traitement dure 48 ± 24 heures.",
    ),
    (
        "L'ostéopénie est définie par un T-score compris entre −1 et −2,5.",
        "L'ostéopénie est définie par un T-score compris entre −1 et −1,5.",
    ),
    (
        "L'ostéopénie est définie par un T-score compris entre −1 et −2,5.",
        "L'ostéopénie est définie par un T-score compris entre 1 et 2,5.",
    ),
    (
        "La dose est de 1 g trois fois par jour.",
        "La dose est de 1 g par jour.",
    ),
    (
        "La dose est de 1 g trois fois par jour.",
        "La dose est de 3 g par jour.",
    ),
    (
        "Si 4 ≤ INR < 6, sauter une prise.",
        "Une prise est sautée si l'INR est supérieur à 6.",
    ),
    (
        "Si 4 ≤ INR < 6, sauter une prise.",
        "Une prise est sautée si l'INR est inférieur à 4.",
    ),
    (
        "La perfusion dure au moins une heure.",
        "La perfusion dure au plus une heure.",
    ),
    (
        "La perfusion dure au moins une heure.",
        "La perfusion dure moins d'une heure.",
    ),
    (
        "La fictivine ne doit pas être prise avec de la nourriture.",
        "La fictivine se prend au cours d'un repas.",
    ),
    (
        "La fictivine doit être prise avec de la nourriture.",
        "La fictivine se prend à jeun.",
    ),
    (
        "Prendre la fictivine au cours du repas pour limiter le risque digestif.",
        "Prendre la fictivine au cours du repas augmente le risque digestif.",
    ),
    (
        "La dose est limitée à 3 g par jour chez le sujet âgé.",
        "La dose est réduite de 3 g par jour chez le sujet âgé.",
    ),
    (
        "Le suivi est fait par deux médecins indépendants.",
        "Le suivi est fait par un seul médecin.",
    ),
    (
        "L'INR est stable sur deux contrôles successifs.",
        "L'INR est stable sur un seul contrôle.",
    ),
    (
        "L'INR est stable sur deux contrôles successifs.",
        "L'INR est stable sur trois contrôles successifs.",
    ),
    (
        "Un dépistage tous les deux ans est suffisant sous certaines conditions.",
        "Un dépistage tous les deux ans est toujours suffisant.",
    ),
    (
        "Les patients dont l'endoscopie n'a pas montré de varices sont revus à 2 ans.",
        "Les patients avec des varices à l'endoscopie sont revus à 2 ans.",
    ),
    (
        "Chez les patients chez lesquels l'endoscopie n'a pas montré de varices, un contrôle a lieu à 2 ans.",
        "Chez les patients ayant des varices à l'endoscopie, un contrôle a lieu à 2 ans.",
    ),
    (
        "En cas de passage d'un NACO à un AVK, l'AVK est débuté 2 jours avant l'arrêt du NACO.",
        "Le NACO est débuté 2 jours avant l'arrêt de l'AVK.",
    ),
    (
        "L'héparine est arrêtée quand l'AVK est efficace.",
        "L'AVK est arrêté quand l'héparine est efficace.",
    ),
    (
        "Il ne doit pas y avoir de chevauchement entre héparine et NACO.",
        "L'héparine et le NACO sont donnés ensemble.",
    ),
    (
        "Désinfecter après le retrait de la tique, et non pas avant.",
        "On désinfecte avant de retirer la tique.",
    ),
    (
        "Ce traitement améliore les symptômes.",
        "Ce traitement améliore la survie.",
    ),
    (
        "Ce traitement réduit la mortalité.",
        "Ce traitement réduit les hospitalisations.",
    ),
    (
        "Une HTA non contrôlée impose un avis spécialisé.",
        "Une HTA contrôlée impose un avis spécialisé.",
    ),
    (
        "Une HTA contrôlée permet la chirurgie.",
        "Une HTA non contrôlée permet la chirurgie.",
    ),
]


def taken(source: str, text: str) -> bool:
    return not missing_values(text, source, source) and judge(source, text) is None


@pytest.mark.parametrize(("source", "text"), SAME)
def test_the_same_in_other_words_passes(source: str, text: str) -> None:
    assert taken(source, text)


@pytest.mark.parametrize(("source", "text"), OTHER)
def test_a_near_contrary_is_refused(source: str, text: str) -> None:
    assert not taken(source, text)
