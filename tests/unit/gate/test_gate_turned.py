"""Kinds of wording that were misread: for each, faithful wordings and changed ones."""

from __future__ import annotations

import pytest
from test_gate_kinds import passes
from test_gate_paraphrase import judge

from ancremed_desktop.domain.spans import DropReason

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

DEGREES = [
    (
        "Le fer ferreux est mieux absorbé à jeun.",
        "Le fer ferreux s'absorbe mieux à jeun.",
        "Le fer ferreux est moins bien absorbé à jeun.",
    ),
    (
        "La diarrhée est le premier signe de surdosage.",
        "Le premier signe de surdosage est la diarrhée.",
        "La diarrhée est le dernier signe de surdosage.",
    ),
    (
        "La toux est plus fréquente sous fictivine.",
        "Sous fictivine, la toux est plus fréquente.",
        "La toux est moins fréquente sous fictivine.",
    ),
]

CONTRARY_CASES = [
    (
        "Si le traitement ne peut pas être différé : fictivine 100 mg.",
        "Quand le traitement ne peut pas être différé, on donne 100 mg de fictivine.",
        "Si le traitement peut être différé, on donne 100 mg de fictivine.",
    ),
    (
        "La fictivine est donnée si le dosage n'est pas disponible.",
        "Si le dosage n'est pas disponible, la fictivine est donnée.",
        "Si le dosage est disponible, la fictivine est donnée.",
    ),
    (
        "Une ponction est faite si l'échographie n'est pas réalisable.",
        "Si l'échographie n'est pas réalisable, on fait une ponction.",
        "Si l'échographie est réalisable, on fait une ponction.",
    ),
]

QUALITIES = [
    (
        "Le nouveau-né de mère porteuse de l'antigène reçoit des immunoglobulines et un vaccin.",
        "Le nouveau-né de mère porteuse de l'antigène reçoit un vaccin.",
        "Le nouveau-né de mère vaccinée reçoit des immunoglobulines.",
    ),
    (
        "La syphilis tardive relève de la fictivine, comme l'infection précoce.",
        "La fictivine traite la syphilis tardive.",
        "La fictivine traite la syphilis précoce.",
    ),
    (
        "L'hépatite chronique fait chercher une cirrhose alcoolique.",
        "Devant une hépatite chronique, on cherche une cirrhose alcoolique.",
        "Devant une hépatite alcoolique, on cherche une cirrhose.",
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

SAME_SUBJECT = [
    (
        "La perfusion d'albumine est de 1,5 g/kg à J1, puis 1 g/kg à J3.",
        "À J3, la perfusion d'albumine est de 1 g/kg.",
        "À J3, la perfusion d'albumine est de 1,5 g/kg.",
    ),
    (
        "Le traitement est de 3 jours si les critères sont réunis à J3, de 5 jours s'ils le sont à J5.",
        "Si les critères sont réunis à J5, le traitement est de 5 jours.",
        "Si les critères sont réunis à J5, le traitement est de 3 jours.",
    ),
    (
        "Une dose de 10 g ou plus chez l'adulte, ou de 150 mg/kg chez l'enfant, expose à une cytolyse.",
        "Chez l'enfant, une dose de 150 mg/kg expose à une cytolyse.",
        "Chez l'adulte, une dose de 150 mg/kg expose à une cytolyse.",
    ),
]

HEADS = [
    (
        "L'ostéopénie correspond à un T-score compris entre −2,5 et −1.",
        "Un T-score compris entre −2,5 et −1 correspond à l'ostéopénie.",
        "L'ostéoporose correspond à un T-score compris entre −2,5 et −1.",
    ),
    (
        "Les sels de calcium sont à éviter chez le patient sous digitaliques.",
        "Sous digitaliques, les sels de calcium sont à éviter.",
        "Les digitaliques sont à éviter chez le patient sous sels de calcium.",
    ),
    (
        "La fictivine est contre-indiquée en cas d'insuffisance rénale sévère.",
        "L'insuffisance rénale sévère contre-indique la fictivine.",
        "L'insuffisance cardiaque sévère contre-indique la fictivine.",
    ),
]

HISTORIES = [
    (
        "L'aspirine est proposée aux femmes ayant un antécédent de pré-éclampsie.",
        "L'aspirine est proposée à la femme qui a déjà eu une pré-éclampsie.",
        "L'aspirine est proposée en cas de pré-éclampsie.",
    ),
    (
        "La fictivine est recommandée en cas d'antécédent de fracture.",
        "Un antécédent de fracture fait recommander la fictivine.",
        "Une fracture fait recommander la fictivine.",
    ),
    (
        "Un antécédent de convulsions fait réduire la fictivine.",
        "La fictivine est réduite chez celui qui a eu des convulsions.",
        "La fictivine est réduite en cas de convulsions.",
    ),
]

RECORDS = [
    (
        "De 25 à 29 ans, deux cytologies à un an d'intervalle ; de 30 à 65 ans, test HPV tous les 5 ans.",
        "De 30 à 65 ans, un test HPV est fait tous les 5 ans.",
        "De 30 à 65 ans, une cytologie est faite tous les 5 ans.",
    ),
    (
        "Radiographie le premier jour ; échographie à 3 semaines.",
        "L'échographie est faite à 3 semaines.",
        "La radiographie est faite à 3 semaines.",
    ),
    (
        "Hémoglobine tous les mois ; ferritine 2 fois par an.",
        "La ferritine est dosée 2 fois par an.",
        "L'hémoglobine est dosée 2 fois par an.",
    ),
]

LISTS = [
    (
        "Le diagnostic associe une glycémie > 2,5 g/L, une cétonémie > 3 mmol/L et un pH < 7,30.",
        "Le diagnostic associe un pH < 7,30, une cétonémie > 3 mmol/L et une glycémie > 2,5 g/L.",
        "Le diagnostic repose sur une glycémie > 2,5 g/L ou une cétonémie > 3 mmol/L.",
    ),
    (
        "L'examen cherche une fièvre, une toux ou une dyspnée.",
        "L'examen cherche une toux, une fièvre ou une dyspnée.",
        "Le diagnostic demande une fièvre et une toux.",
    ),
    (
        "Arrêter en cas de fièvre, d'ictère ou de toux.",
        "Un ictère ou une fièvre font arrêter.",
        "Un ictère et une fièvre font arrêter.",
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

CASES = [
    *HEADS, *HISTORIES, *RECORDS, *LISTS, *RANGES, *NEEDS, *DEGREES, *CONTRARY_CASES, *QUALITIES, *DELAYS, *SAME_SUBJECT,
    *BRACKETS, *AWAITED, *EQUATED, *COUPLES, *CASES_BESIDE, *BRANDS, *BOUNDED, *CLAUSES_APART,
    *NOTHING_SHOWS, *ANNOUNCED, *INSERTED, *NO_MORE, *RARE, *TURNED_BOUNDS, *ONLY_WITH, *ACTS_ON,
    *CHOICES,
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
