"""Kinds of statements that take what stands beside: (source, faithful wording, changed one)."""

from __future__ import annotations

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

WAYS = [
    (
        "Donner 15 g de sucre par voie orale.",
        "15 g de sucre sont donnés par la bouche.",
        "Injecter 15 g de sucre.",
    ),
    (
        "La dose est de 30 mg/kg par jour en 3 prises.",
        "La dose de 30 mg/kg par jour est répartie en 3 prises.",
        "La dose est de 30 mg/kg par jour en une prise.",
    ),
    (
        "Le diagnostic repose sur plus de 250 neutrophiles/mm³ dans l'ascite.",
        "Plus de 250 neutrophiles/mm³ dans l'ascite font le diagnostic.",
        "Plus de 250 neutrophiles/mm³ dans le sang font le diagnostic.",
    ),
]

PRONOUNS = [
    (
        "Le fer diminue l'absorption de la fictivine.",
        "L'absorption de la fictivine est diminuée par le fer.",
        "La fictivine diminue l'absorption du fer.",
    ),
    (
        "La fictivine est réservée au haut risque, avec choc.",
        "La fictivine est réservée au haut risque avec choc.",
        "La fictivine est réservée au haut risque sans choc.",
    ),
    (
        "La durée est de 3 jours en cas de fièvre et de 7 jours dans les autres cas.",
        "La durée est de 7 jours dans les autres cas.",
        "La durée est de 7 jours dans tous les cas.",
    ),
]

NAMED_WITH = [
    (
        "Le nouveau-né de mère porteuse de l'antigène reçoit une injection d'immunoglobulines.",
        "Le nouveau-né de mère porteuse de l'antigène reçoit des immunoglobulines.",
        "La mère porteuse de l'antigène reçoit une injection d'immunoglobulines.",
    ),
    (
        "L'association à l'azathioprine est à éviter en raison d'un risque d'aplasie.",
        "L'association à l'azathioprine est à éviter : risque d'aplasie.",
        "L'association à la colchicine est à éviter en raison d'un risque d'aplasie.",
    ),
    (
        "Chez l'enfant né d'une mère diabétique, la glycémie est surveillée.",
        "La glycémie de l'enfant né d'une mère diabétique est surveillée.",
        "La glycémie de l'enfant né d'une mère diabétique n'est pas surveillée.",
    ),
]

LETTERS = [
    (
        "L'ostéoporose est définie par un T-score ≤ −2,5.",
        "Un T-score ≤ −2,5 définit l'ostéoporose.",
        "L'ostéoporose est définie par un Z-score ≤ −2,5.",
    ),
    (
        "Le streptocoque A se traite par fictivine.",
        "La fictivine traite le streptocoque A.",
        "La fictivine traite le streptocoque B.",
    ),
    (
        "Ne rien donner par la bouche : injecter de la fictivine en intraveineuse.",
        "La fictivine est injectée en intraveineuse.",
        "La fictivine est donnée par voie orale.",
    ),
]

SPREAD = [
    (
        "Si la probabilité est faible ou intermédiaire, une ferritine < 500 µg/L élimine le diagnostic.",
        "Avec une probabilité intermédiaire et une ferritine < 500 µg/L, le diagnostic est éliminé.",
        "Avec une probabilité faible et intermédiaire, une ferritine < 500 µg/L élimine le diagnostic.",
    ),
    (
        "Le fer ferreux est mieux absorbé à jeun.",
        "À jeun, le fer ferreux s'absorbe mieux.",
        "À jeun, le fer ferreux s'absorbe moins bien.",
    ),
    (
        "Fictivine 500 mg deux fois par jour pendant 7 jours, sauf prise dans les 6 mois précédents.",
        "Sauf prise dans les 6 mois précédents, la fictivine se prend à 500 mg deux fois par jour.",
        "Sauf prise dans les 7 jours précédents, la fictivine se prend à 500 mg deux fois par jour.",
    ),
]

BESIDE = [
    *SPREAD,
    *NAMED_WITH,
    *PRONOUNS,
    *LETTERS,
    *BRACKETS,
    *EQUATED,
    *COUPLES,
    *CASES_BESIDE,
    *BRANDS,
    *DEGREES,
    *CONTRARY_CASES,
    *QUALITIES,
    *SAME_SUBJECT,
    *HEADS,
    *HISTORIES,
    *RECORDS,
    *LISTS,
    *WAYS,
]
