"""Kinds of wording that were misread: for each, faithful wordings and changed ones."""

from __future__ import annotations

import pytest
from kinds_beside import BESIDE
from test_gate_kinds import passes
from test_gate_paraphrase import judge

from ancremed_desktop.domain.spans import DropReason

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

CLAUSES_APART = [
    (
        "Le comprimé de fictivine ne doit pas être écrasé ; la gélule ne doit pas être ouverte.",
        "Le comprimé de fictivine ne s'écrase pas et la gélule ne s'ouvre pas.",
        "Le comprimé de fictivine s'écrase et la gélule ne s'ouvre pas.",
    ),
    (
        "La fictivine n'a pas de place chez l'enfant et elle doit être évitée chez le sujet âgé.",
        "La fictivine n'a pas de place chez l'enfant.",
        "La fictivine a une place chez l'enfant.",
    ),
    (
        "L'insuline n'est pas arrêtée et la fictivine n'est pas diminuée.",
        "La fictivine n'est pas diminuée et l'insuline n'est pas arrêtée.",
        "La fictivine est diminuée et l'insuline n'est pas arrêtée.",
    ),
]

NOTHING_SHOWS = [
    (
        "Les données ne mettent pas en évidence d'action de la fictivine sur la mortalité.",
        "Rien ne montre que la fictivine ait une action sur la mortalité.",
        "Les données montrent une action de la fictivine sur la mortalité.",
    ),
    (
        "Il n'est pas prouvé que la fictivine diminue la douleur.",
        "Aucune donnée ne prouve que la fictivine diminue la douleur.",
        "Il est prouvé que la fictivine diminue la douleur.",
    ),
    (
        "La fictivine n'est donnée que si la culture est positive.",
        "La fictivine n'est donnée que si la culture est positive.",
        "La fictivine est donnée que la culture soit positive ou non.",
    ),
]

ANNOUNCED = [
    (
        "La fictivine doit être évitée chez :\n\n- les patients avec une bradycardie ;\n"
        "- les femmes enceintes.",
        "La fictivine doit être évitée chez la femme enceinte.",
        "La fictivine est à privilégier chez la femme enceinte.",
    ),
    (
        "Ne pas donner de fictivine en cas de :\n• bradycardie ;\n• grossesse.",
        "On ne donne pas de fictivine en cas de bradycardie.",
        "On donne la fictivine en cas de bradycardie.",
    ),
    (
        "La fictivine est recommandée en cas de :\n- fièvre ;\n- toux.",
        "La fictivine est recommandée en cas de toux.",
        "La fictivine n'est pas recommandée en cas de toux.",
    ),
]

INSERTED = [
    (
        "Opérer lorsque le placenta n'est pas expulsé dans un délai de 30 minutes.",
        "On opère si, au bout de 30 minutes, le placenta n'est toujours pas expulsé.",
        "On opère si, au bout de 30 minutes, le placenta est expulsé.",
    ),
    (
        "La dose est réduite si la fièvre ne baisse pas après 2 jours.",
        "La dose est réduite si, après 2 jours, la fièvre ne baisse pas.",
        "La dose est réduite si, après 2 jours, la fièvre baisse.",
    ),
    (
        "La fictivine est arrêtée si la toux ne cède pas en 3 semaines.",
        "La fictivine est arrêtée si, en 3 semaines, la toux ne cède pas.",
        "La fictivine est arrêtée si, en 3 semaines, la toux cède.",
    ),
]

NO_MORE = [
    (
        "La fictivine doit être arrêtée, y compris le rinçage des cathéters.",
        "La fictivine ne doit plus être donnée, même pour le rinçage des cathéters.",
        "La fictivine doit encore être donnée, même pour le rinçage des cathéters.",
    ),
    (
        "La fictivine est interrompue après l'accouchement.",
        "Après l'accouchement, la fictivine n'est plus prise.",
        "Après l'accouchement, la fictivine est prise.",
    ),
    (
        "Arrêter définitivement la fictivine en cas d'hépatite.",
        "En cas d'hépatite, la fictivine n'est plus donnée.",
        "En cas d'hépatite, la fictivine est encore donnée.",
    ),
]

RARE = [
    (
        "La durée du traitement dépasse rarement 5 jours.",
        "Un traitement de plus de 5 jours est exceptionnel.",
        "Un traitement de moins de 5 jours est exceptionnel.",
    ),
    (
        "La dose de fictivine dépasse rarement 3 g par jour.",
        "Plus de 3 g de fictivine par jour reste rare.",
        "Plus de 3 g de fictivine par jour reste fréquent.",
    ),
    (
        "Il est rarement utile de dépasser 10 mg de fictivine.",
        "On dépasse rarement 10 mg de fictivine.",
        "On dépasse toujours 10 mg de fictivine.",
    ),
]

TURNED_BOUNDS = [
    (
        "La fictivine est donnée dans les 4 heures suivant le début des symptômes.",
        "La fenêtre de la fictivine est de 4 heures après le début des symptômes.",
        "La fictivine est donnée 4 heures après le début des symptômes.",
    ),
    (
        "Un relais oral est réalisé après au moins 3 doses.",
        "Le relais oral attend au moins 3 doses.",
        "Le relais oral attend au plus 3 doses.",
    ),
    (
        "La fictivine est débutée dans l'heure.",
        "La fictivine est débutée en moins d'une heure.",
        "La fictivine est débutée en plus d'une heure.",
    ),
]

ONLY_WITH = [
    (
        "La pression doit être inférieure à 185/110 mmHg avant la fictivine.",
        "La fictivine n'est donnée qu'avec une pression sous 185/110 mmHg.",
        "La fictivine n'est donnée qu'avec une pression au-dessus de 185/110 mmHg.",
    ),
    (
        "Une échographie doit être faite avant la fictivine.",
        "La fictivine n'est donnée qu'avec une échographie.",
        "La fictivine est donnée sans échographie.",
    ),
    (
        "Un dosage doit être fait avant de donner la fictivine.",
        "On ne donne la fictivine qu'avec un dosage.",
        "On donne la fictivine sans dosage.",
    ),
]

ACTS_ON = [
    (
        "En cas de surdosage en magnésium, l'antidote est le gluconate de calcium.",
        "L'antidote du magnésium est le gluconate de calcium.",
        "L'antidote du gluconate de calcium est le magnésium.",
    ),
    (
        "L'antidote du dabigatran est l'idarucizumab.",
        "L'idarucizumab est l'antidote du dabigatran.",
        "Le dabigatran est l'antidote de l'idarucizumab.",
    ),
    (
        "En cas de surdosage en morphine, l'antidote est la naloxone.",
        "La naloxone est l'antidote de la morphine.",
        "La morphine est l'antidote de la naloxone.",
    ),
]

CHOICES = [
    (
        "Arrêter la fictivine si le poids augmente de 15 %, ou si la kaliémie ne peut être contrôlée.",
        "Une kaliémie qui ne peut être contrôlée fait arrêter la fictivine.",
        "Une kaliémie qui peut être contrôlée fait arrêter la fictivine.",
    ),
    (
        "Les sels de fer et de calcium sont pris à distance de la fictivine.",
        "Le fer ou le calcium sont pris à distance de la fictivine.",
        "Le fer ou le calcium sont pris avec la fictivine.",
    ),
    (
        "Les comprimés de 15 mg et de 20 mg doivent être pris au cours d'un repas.",
        "À 15 ou 20 mg, la fictivine est prise au cours d'un repas.",
        "À 15 ou 20 mg, la fictivine est prise à jeun.",
    ),
]


DELAYS = [
    (
        "La corticothérapie systémique est administrée précocement.",
        "La corticothérapie systémique ne doit pas tarder.",
        "La corticothérapie systémique est administrée tardivement.",
    ),
    (
        "Une contraception est poursuivie 1 mois après l'arrêt de la fictivine.",
        "La contraception est poursuivie 1 mois après l'arrêt de la fictivine.",
        "La contraception cesse le jour de l'arrêt de la fictivine.",
    ),
    (
        "La fictivine est débutée avant la grossesse et poursuivie pendant toute sa durée.",
        "La fictivine est poursuivie pendant toute la grossesse.",
        "La fictivine est débutée après la grossesse.",
    ),
]


RANGES = [
    (
        "La complication survient entre J5 et J10 du traitement.",
        "La complication survient de J5 à J10 du traitement.",
        "La complication survient après J10 du traitement.",
    ),
    (
        "L'artésunate passe avant : la quinine n'est utilisée qu'en l'absence d'artésunate.",
        "En l'absence d'artésunate, on utilise la quinine.",
        "L'artésunate n'est utilisé qu'en l'absence de quinine.",
    ),
    (
        "La dose maximale de fictivine peut être portée à 4 g par jour.",
        "4 g de fictivine par jour sont possibles.",
        "La dose minimale de fictivine est de 4 g par jour.",
    ),
]

NEEDS = [
    (
        "La fictivine est proposée en l'absence de rupture, si l'hCG est ≤ 5 000 UI/L.",
        "La fictivine suppose une hCG ≤ 5 000 UI/L.",
        "La fictivine suppose une hCG ≥ 5 000 UI/L.",
    ),
    (
        "Une surveillance est nécessaire jusqu'à 4 semaines en raison du risque d'hémolyse.",
        "Une hémolyse peut survenir : on surveille pendant 4 semaines.",
        "Une hémolyse peut survenir : la surveillance est possible pendant 4 semaines.",
    ),
    (
        "La fictivine est contre-indiquée à partir du début du sixième mois de grossesse.",
        "Dès le début du sixième mois de grossesse, la fictivine est contre-indiquée.",
        "Jusqu'au début du sixième mois de grossesse, la fictivine est contre-indiquée.",
    ),
]

RANGE_ENDS = [
    (
        "INR ≥ 4 et < 6 : sauter une prise.",
        "Avec un INR ≥ 4 et < 6, on saute une prise.",
        "Avec un INR inférieur à 4, on saute une prise.",
    ),
    (
        "Une kaliémie ≥ 5 et < 6 mmol/L fait réduire la fictivine.",
        "La fictivine est réduite pour une kaliémie ≥ 5 et < 6 mmol/L.",
        "La fictivine est réduite pour une kaliémie supérieure à 6 mmol/L.",
    ),
    (
        "Poids ≥ 10 et < 20 kg : 5 mg de fictivine.",
        "Pour un poids ≥ 10 et < 20 kg, on donne 5 mg de fictivine.",
        "Pour un poids inférieur à 10 kg, on donne 5 mg de fictivine.",
    ),
]

NEEDED_FIRST = [
    (
        "Un ECBU est indispensable avant l'antibiothérapie.",
        "On ne débute pas l'antibiothérapie sans ECBU préalable.",
        "L'antibiothérapie est débutée sans ECBU.",
    ),
    (
        "Une glycémie < 0,5 g/L doit être corrigée avant toute décision.",
        "On ne décide rien avant de corriger une glycémie < 0,5 g/L.",
        "Une glycémie < 0,5 g/L est corrigée après la thrombolyse.",
    ),
    (
        "Une échographie est nécessaire avant la fictivine.",
        "Pas de fictivine sans échographie.",
        "Une échographie est nécessaire après la chirurgie.",
    ),
]

NO_BAN = [
    (
        "Les corticoïdes ne sont pas un traitement de première intention.",
        "Les corticoïdes ne se donnent pas en première intention.",
        "Les corticoïdes sont contre-indiqués.",
    ),
    (
        "La fictivine n'est pas recommandée de façon systématique.",
        "La fictivine n'est pas systématiquement recommandée.",
        "La fictivine est interdite.",
    ),
    (
        "L'échographie n'est pas nécessaire.",
        "On n'a pas besoin d'échographie : elle n'est pas nécessaire.",
        "L'échographie est contre-indiquée.",
    ),
]


GOES_ON = [
    (
        "Chez les patients équilibrés, la fictivine peut être poursuivie.",
        "Chez les patients équilibrés, la fictivine n'a pas à être arrêtée.",
        "Chez les patients équilibrés, la fictivine est arrêtée.",
    ),
    (
        "Des anticorps anti-HBs isolés témoignent d'une vaccination.",
        "Une vaccination se traduit par des anticorps anti-HBs isolés.",
        "Des anticorps anti-HBc isolés témoignent d'une vaccination.",
    ),
    (
        "Les corticoïdes sont débutés sans attendre la biopsie.",
        "Les corticoïdes sont débutés avant la biopsie.",
        "Les corticoïdes sont débutés après la biopsie.",
    ),
]

CASES = [
    *BESIDE, *RANGE_ENDS, *NEEDED_FIRST, *NO_BAN, *GOES_ON, *RANGES, *NEEDS, *DELAYS, *AWAITED,
    *BOUNDED, *CLAUSES_APART, *NOTHING_SHOWS, *ANNOUNCED, *INSERTED, *NO_MORE, *RARE,
    *TURNED_BOUNDS, *ONLY_WITH, *ACTS_ON, *CHOICES,
]  # fmt: skip


@pytest.mark.parametrize(("source", "faithful"), [(s, f) for s, f, _ in CASES])
def test_a_faithful_wording_passes(source: str, faithful: str) -> None:
    assert passes(source, faithful)


@pytest.mark.parametrize(("source", "changed"), [(s, c) for s, _, c in CASES])
def test_a_changed_wording_is_refused(source: str, changed: str) -> None:
    assert not passes(source, changed)


ITEM = "• Le traitement par fictivine doit être interrompu."


@pytest.mark.parametrize("lead", ["En cas de grossesse", "En cas de grossesse, il est conseillé :"])
def test_an_item_of_a_list_is_read_with_what_announces_it(lead: str) -> None:
    passage = f"La surveillance est régulière.\n\n{lead}\n\n{ITEM}"
    text = "En cas de {}, la fictivine doit être interrompue."
    assert judge(ITEM, text.format("grossesse"), passage) is None
    assert judge(ITEM, text.format("bradycardie"), passage) is DropReason.ADDED_FACT
    assert judge(ITEM, text.format("grossesse")) is DropReason.ADDED_FACT


def test_the_only_drug_of_a_passage_is_meant() -> None:
    quote = "La posologie maximale est de 30 mg par jour."
    passage = f"{quote} La dompéridone est réservée à l'adulte."
    text = "La {} est donnée à 30 mg par jour au maximum."
    assert judge(quote, text.format("dompéridone"), passage) is None
    assert judge(quote, text.format("métopimazine"), passage) is DropReason.ADDED_FACT
    other = f"{passage} La métopimazine est préférée."
    assert judge(quote, text.format("dompéridone"), other) is DropReason.ADDED_FACT
