"""What leaked, kind by kind: a faithful wording passes, the changed one is refused."""

from __future__ import annotations

import pytest

from ancremed_desktop.domain.events import CancelToken
from ancremed_desktop.domain.spans import Verdict
from ancremed_desktop.pipeline.rules.rule_verifier import RuleVerifier
from ancremed_desktop.ports import VerifierView
from ancremed_desktop.text.values import missing_values


def passes(source: str, text: str) -> bool:
    view = VerifierView(
        assertion=text,
        subject="x",
        section="",
        sentences=source,
        passage=source,
        passage_section="",
        heading="",
        title="Fictivine",
    )
    supported = RuleVerifier().judge(view, CancelToken()).verdict is Verdict.SUPPORTED
    return supported and not missing_values(text, source, source)


OWNERS = [
    (
        "La dose est de 5 mg chez l'adulte, de 2 mg chez l'enfant.",
        "L'enfant reçoit 2 mg.",
        "L'enfant reçoit 5 mg.",
    ),
    (
        "La TSH est basse et la T4 libre est élevée.",
        "La T4 libre est haute.",
        "La T4 libre est basse.",
    ),
    (
        "Un taux de calcium bas avec une PTH élevée évoque une carence.",
        "Une calcémie basse avec une PTH haute fait évoquer une carence.",
        "Un taux de calcium élevé avec une PTH élevée évoque une carence.",
    ),
    (
        "Le rivaroxaban se prend au cours du repas, l'apixaban avec ou sans nourriture.",
        "On prend le rivaroxaban en mangeant.",
        "On prend l'apixaban en mangeant uniquement.",
    ),
    (
        "Les ASPDT sont des admissions sur demande d'un tiers, et les ASPDRE sont des admissions "
        "sur décision du préfet.",
        "Les ASPDRE sont décidées par le préfet.",
        "Les ASPDT sont des admissions sur décision du préfet.",
    ),
    (
        "L'intervalle est de 4 semaines après l'arrêt du tabac.",
        "On attend 4 semaines après l'arrêt du tabac.",
        "L'intervalle est de 4 semaines après le début du tabac.",
    ),
]
ORDER = [
    (
        "La plaie est lavée, rincée, puis désinfectée.",
        "La plaie est d'abord lavée, ensuite désinfectée.",
        "La plaie est désinfectée avant d'être lavée.",
    ),
    (
        "Le comprimé est pris 1 heure avant ou 2 heures après le repas.",
        "On avale le comprimé une heure avant de manger, ou deux heures après.",
        "Le comprimé est pris 2 heures avant ou 1 heure après le repas.",
    ),
    (
        "L'antibiotique est commencé sans attendre le résultat de l'hémoculture.",
        "L'antibiotique ne doit pas attendre le résultat de l'hémoculture.",
        "L'antibiotique est commencé après le résultat de l'hémoculture.",
    ),
    (
        "La contraception est débutée au moins 1 mois avant le traitement.",
        "La contraception commence au moins un mois avant le traitement.",
        "La contraception est débutée le jour où commence le traitement.",
    ),
    (
        "Une hospitalisation et une évaluation par le cardiologue sont nécessaires.",
        "Il faut une hospitalisation et une évaluation par le cardiologue.",
        "Il faut une évaluation par le cardiologue avant l'hospitalisation.",
    ),
    (
        "La phlébite est une complication de l'immobilisation.",
        "L'immobilisation peut se compliquer de phlébite.",
        "L'immobilisation est une complication de la phlébite.",
    ),
    (
        "Le kétoconazole augmente les concentrations de colchicine.",
        "Les taux de colchicine montent sous kétoconazole.",
        "La colchicine augmente les concentrations de kétoconazole.",
    ),
    (
        "La scintigraphie est préférée au scanner.",
        "On préfère la scintigraphie au scanner.",
        "Le scanner passe avant la scintigraphie.",
    ),
    (
        "Les monocytes deviennent des macrophages.",
        "Un monocyte se transforme en macrophage.",
        "Les macrophages deviennent des monocytes.",
    ),
]
CONDITIONS = [
    (
        "Une seconde injection est faite 10 minutes après la première si les signes persistent.",
        "Si les signes persistent 10 minutes après la première, on refait une injection.",
        "Une seconde injection est faite 10 minutes après la première.",
    ),
    (
        "Le sulfate de magnésium est discuté en l'absence de réponse au salbutamol.",
        "Si le salbutamol échoue, on discute le sulfate de magnésium.",
        "Le sulfate de magnésium est discuté d'emblée avec le salbutamol.",
    ),
    (
        "Hors urgence, l'anesthésie est différée.",
        "Sauf urgence, on diffère l'anesthésie.",
        "L'anesthésie est différée en urgence.",
    ),
    (
        "La pneumonie est contractée hors de l'hôpital.",
        "La pneumonie s'attrape en dehors de l'hôpital.",
        "La pneumonie est contractée à l'hôpital.",
    ),
    (
        "En cas de douleurs intenses et sur avis médical, la dose peut atteindre 4 g par jour.",
        "Sur avis médical, en cas de fortes douleurs, la dose peut aller jusqu'à 4 g par jour.",
        "En cas de douleurs intenses, la dose peut atteindre 4 g par jour sans avis médical.",
    ),
    (
        "La prescription initiale est réservée aux spécialistes en cardiologie et en neurologie.",
        "Seul un cardiologue ou un neurologue peut faire la première prescription.",
        "Un généraliste peut faire la prescription initiale.",
    ),
]
CHOICES = [
    (
        "La vaccine est injectée par voie intraveineuse, intramusculaire ou sous-cutanée.",
        "La vaccine peut être injectée en sous-cutané à défaut de voie veineuse.",
        "La vaccine est injectée en sous-cutané à défaut de voie veineuse.",
    ),
    (
        "La vaccine est injectée par voie intraveineuse ou sous-cutanée.",
        "La vaccine peut être injectée en sous-cutané à défaut de voie veineuse.",
        "La vaccine peut être injectée en intramusculaire à défaut de voie veineuse.",
    ),
    (
        "La fictivine est associée au lavage, sauf contre-indication de celui-ci.",
        "À moins qu'il ne soit contre-indiqué, le lavage s'ajoute à la fictivine.",
        "Le lavage s'ajoute à la fictivine.",
    ),
    (
        "Au-delà de 20 g/L, il est arrêté et n'est pas réintroduit.",
        "Au-delà de 20 g/L, on arrête définitivement la fictivine.",
        "Au-delà de 20 g/L, on arrête la fictivine, puis elle est réintroduite.",
    ),
    (
        "Contre-indications : antécédent d'œdème, association au sacubitril (respecter un délai de "
        "36 heures).",
        "Entre l'arrêt de la fictivine et le sacubitril, 36 heures doivent s'écouler.",
        "Entre le début de la fictivine et le sacubitril, 36 heures doivent s'écouler.",
    ),
    (
        "Contre-indications : antécédent d'œdème, association au sacubitril (respecter un délai de "
        "36 heures).",
        "Un délai de 36 heures doit s'écouler entre l'arrêt de la fictivine et le sacubitril.",
        "La fictivine est associée au sacubitril avec un délai de 36 heures.",
    ),
]
POLARITY = [
    (
        "Le défaut de CFTR empêche la réabsorption du chlorure.",
        "Sans CFTR, le chlorure n'est plus récupéré.",
        "Le défaut de CFTR augmente la réabsorption du chlorure.",
    ),
    (
        "Les seuils de 2016 diffèrent de ceux de 2024.",
        "Les seuils de 2016 ne sont pas ceux de 2024.",
        "Les seuils de 2016 sont ceux de 2024.",
    ),
    (
        "L'âge et le sexe sont des facteurs de risque non modifiables.",
        "L'âge est un facteur de risque que l'on ne peut modifier.",
        "L'âge est un facteur de risque que l'on peut modifier.",
    ),
    (
        "L'arrêt ne doit pas être brutal.",
        "L'arrêt brutal est à éviter.",
        "L'arrêt peut être brutal.",
    ),
    (
        "Ce médicament est contre-indiqué chez la femme enceinte.",
        "La grossesse contre-indique ce médicament.",
        "Ce médicament est déconseillé chez la femme enceinte.",
    ),
    (
        "La dissection aortique est une urgence à évoquer.",
        "La dissection aortique est une urgence à ne pas manquer.",
        "La dissection aortique n'est pas une urgence.",
    ),
    (
        "Une réaction grave à une céphalosporine contre-indique l'amoxicilline.",
        "Après une réaction grave à une céphalosporine, pas d'amoxicilline.",
        "Une réaction bénigne à une céphalosporine contre-indique l'amoxicilline.",
    ),
    (
        "Le traitement permet d'éviter la rupture de l'anévrisme.",
        "On évite ainsi la rupture de l'anévrisme.",
        "Le traitement favorise la rupture de l'anévrisme.",
    ),
]
VALUES = [
    (
        "La metformine est limitée à 1 g par jour si le DFG est de 30 à 44 mL/min.",
        "Avec un DFG de 30 à 44, on ne dépasse pas 1 g de metformine par jour.",
        "Avec un DFG de 45 à 59, on ne dépasse pas 1 g de metformine par jour.",
    ),
    (
        "Le taux est d'environ 30 mg/L après un traitement par 300 mg d'allopurinol.",
        "Sous 300 mg d'allopurinol, le taux est d'environ 30 mg/L.",
        "Sous 100 mg d'allopurinol, le taux est d'environ 30 mg/L.",
    ),
    (
        "Une PCR est faite à H0, H12 et H24.",
        "On fait une PCR aux heures 0, 12 et 24.",
        "On fait une PCR aux heures 0, 6 et 24.",
    ),
]
ALL = [*OWNERS, *ORDER, *CONDITIONS, *CHOICES, *POLARITY, *VALUES]


@pytest.mark.parametrize(("source", "faithful"), [(s, f) for s, f, _ in ALL])
def test_a_faithful_wording_passes(source: str, faithful: str) -> None:
    assert passes(source, faithful)


@pytest.mark.parametrize(("source", "changed"), [(s, c) for s, _, c in ALL])
def test_a_changed_wording_is_refused(source: str, changed: str) -> None:
    assert not passes(source, changed)
