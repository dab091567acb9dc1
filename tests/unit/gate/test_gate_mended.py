"""Paraphrases that were refused for no reason, each with the change that must stay refused."""

from __future__ import annotations

import pytest
from test_gate_kinds import passes
from test_gate_paraphrase import judge

from ancremed_desktop.domain.spans import DropReason
from ancremed_desktop.text.normalise import unsafe_characters
from ancremed_desktop.text.values import missing_values

CASES = [
    (
        "La thrombolyse est indiquée dans l'AVC ischémique avant 4 heures 30.",
        "Un AVC ischémique est une indication de thrombolyse avant 4 heures 30.",
        "La thrombolyse est indiquée dans l'AIT avant 4 heures 30.",
    ),
    (
        "La fictivine est injectée par voie intraveineuse directe lente (ou intramusculaire).",
        "La fictivine est injectée lentement en intraveineuse directe ou en intramusculaire.",
        "La fictivine est injectée par voie intraveineuse directe rapide.",
    ),
    (
        "Ne pas débuter la fictivine si la kaliémie est < 3,3 mmol/L : corriger d'abord la kaliémie.",
        "Une kaliémie inférieure à 3,3 mmol/L est corrigée avant la fictivine.",
        "La fictivine est débutée si la kaliémie est < 3,3 mmol/L.",
    ),
    (
        "La fictivine est donnée par voie intraveineuse ou, à défaut, intramusculaire.",
        "À défaut de voie intraveineuse, la fictivine est donnée par voie intramusculaire.",
        "La fictivine est donnée par voie intramusculaire ou, à défaut, intraveineuse.",
    ),
    (
        "La fictivine se prend une fois par semaine ; une prise quotidienne expose à une toxicité mortelle.",
        "La fictivine se prend une fois par semaine.",
        "La fictivine se prend une fois par jour.",
    ),
    (
        "L'arrêt de la fictivine ne doit pas être brutal.",
        "La fictivine s'arrête progressivement, jamais brutalement.",
        "La fictivine s'arrête brutalement.",
    ),
    (
        "La fictivine est prise à distance du fer.",
        "La fictivine n'est pas prise en même temps que le fer.",
        "La fictivine est prise en même temps que le fer.",
    ),
    (
        "La vitesse ne doit pas dépasser 1 g de fictivine par heure.",
        "Pas plus de 1 g de fictivine par heure.",
        "Pas moins de 1 g de fictivine par heure.",
    ),
    (
        "La fictivine est réservée aux échecs ou intolérances du traitement oral.",
        "Si le traitement oral échoue ou n'est pas toléré, on passe à la fictivine.",
        "Si le traitement oral réussit, on passe à la fictivine.",
    ),
    (
        "La dialyse est indiquée en cas d'anurie ou d'échec de la fictivine.",
        "On dialyse si le patient n'urine plus ou si la fictivine échoue.",
        "On dialyse si le patient urine ou si la fictivine échoue.",
    ),
    (
        "La fictivine est contre-indiquée tant que les plaquettes sont < 150 G/L.",
        "Pas de fictivine avant que les plaquettes ne soient remontées à 150 G/L.",
        "Pas de fictivine si les plaquettes sont à 150 G/L.",
    ),
    (
        "La fictivine est recommandée si le score est ≥ 2.",
        "La fictivine est recommandée à partir d'un score de 2.",
        "La fictivine est recommandée à partir d'un score de 3.",
    ),
    (
        "Une surveillance de l'hémoglobine est nécessaire en raison du risque d'hémolyse.",
        "L'hémoglobine est surveillée car une hémolyse peut survenir.",
        "L'hémoglobine peut être surveillée en raison du risque d'hémolyse.",
    ),
    (
        "Il n'est pas nécessaire de dépasser 3 g de fictivine par jour.",
        "3 g de fictivine par jour suffisent.",
        "4 g de fictivine par jour suffisent.",
    ),
    (
        "Le don de sang est interdit pendant le traitement et le mois suivant.",
        "Le don de sang est interdit jusqu'à un mois après le traitement.",
        "Le don de sang est interdit jusqu'à une semaine après le traitement.",
    ),
    (
        "La fictivine est contre-indiquée si le DFG est < 30 mL/min/1,73 m².",
        "On ne prescrit pas de fictivine si le DFG est inférieur à 30.",
        "On ne prescrit pas de fictivine si le DFG est supérieur à 30.",
    ),
    (
        "Fictivine : 4 g en 20 minutes, puis 1 g/h.",
        "Après 4 g en 20 minutes, la fictivine est poursuivie à 1 g/h.",
        "Après 1 g/h, la fictivine est poursuivie à 4 g en 20 minutes.",
    ),
    (
        "Un régime désodé est contre-indiqué sous fictivine.",
        "On ne prescrit pas de régime sans sel avec la fictivine.",
        "Un régime hypersodé est contre-indiqué sous fictivine.",
    ),
    (
        "La fictivine est associée pendant les 6 premiers mois.",
        "La fictivine est associée les six premiers mois.",
        "La fictivine est associée pendant les 6 derniers mois.",
    ),
    (
        "La fictivine est contre-indiquée si la clairance est < 45 mL/min.",
        "En dessous de 45 mL/min de clairance, pas de fictivine.",
        "Au-dessus de 45 mL/min de clairance, pas de fictivine.",
    ),
    (
        "Les gélules de fictivine ne doivent pas être ouvertes.",
        "On avale les gélules de fictivine entières.",
        "On avale les gélules de fictivine ouvertes.",
    ),
    (
        "La fictivine est contre-indiquée en cas de grossesse, sauf en l'absence d'alternative.",
        "Une femme enceinte ne prend pas de fictivine, sauf s'il n'existe pas d'alternative.",
        "Une femme enceinte ne prend pas de fictivine, sauf s'il existe une alternative.",
    ),
    (
        "Le surdosage impose l'arrêt ou la réduction des doses de fictivine.",
        "Le surdosage fait réduire la dose de fictivine ou l'arrêter.",
        "Le surdosage fait augmenter la dose de fictivine.",
    ),
    (
        "En deuxième ligne : quinine, aspirine ou morphine.",
        "En deuxième ligne, on choisit entre quinine, aspirine et morphine.",
        "En deuxième ligne, on associe quinine, aspirine et morphine.",
    ),
    (
        "En cas d'allergie à la pénicilline, l'alternative est la doxycycline.",
        "L'allergique à la pénicilline reçoit de la doxycycline comme alternative.",
        "L'allergique à la doxycycline reçoit de la pénicilline comme alternative.",
    ),
    (
        "Après guérison, la fictivine est discutée.",
        "Une fois le patient guéri, on discute la fictivine.",
        "Avant la guérison, on discute la fictivine.",
    ),
    (
        "Un antécédent d'hémorragie intracrânienne contre-indique la fictivine.",
        "Une hémorragie cérébrale ancienne contre-indique la fictivine.",
        "Un antécédent d'infarctus cérébral contre-indique la fictivine.",
    ),
    (
        "La durée de la fictivine dépasse rarement 5 jours.",
        "La fictivine est rarement donnée plus de 5 jours.",
        "La fictivine est souvent donnée plus de 5 jours.",
    ),
    (
        "La dose de quinine doit être réduite de moitié lors de l'introduction de la digoxine.",
        "L'introduction de la digoxine impose de réduire de moitié la dose de quinine.",
        "L'introduction de la quinine impose de réduire de moitié la dose de digoxine.",
    ),
    (
        "La fictivine est contrôlée plusieurs mois après l'arrêt.",
        "On contrôle la fictivine plusieurs mois après l'arrêt.",
        "La fictivine n'est contrôlée qu'à l'arrêt.",
    ),
    (
        "La fictivine est donnée si le patient est à risque ; sinon, une surveillance suffit.",
        "Dans le cas contraire, la surveillance suffit.",
        "La surveillance ne suffit jamais.",
    ),
    (
        "La tension est prise en cas de fièvre.",
        "En cas de fièvre, on prend la tension.",
        "En cas de douleur, on prend la tension.",
    ),
    (
        "La fictivine est donnée au plus tard à la 24e heure.",
        "La fictivine est donnée dans les 24 heures.",
        "La fictivine est donnée après la 24e heure.",
    ),
    (
        "Des biopsies sont faites devant un ulcère gastrique.",
        "On biopsie un ulcère de l'estomac.",
        "On biopsie un ulcère duodénal.",
    ),
    (
        "Un infarctus cérébral contre-indique la fictivine.",
        "La fictivine est contre-indiquée en cas d'AVC ischémique.",
        "La fictivine est contre-indiquée en cas d'infarctus du myocarde.",
    ),
    (
        "Le fer ferreux est mieux absorbé à jeun.",
        "À jeun, le fer ferreux est mieux absorbé.",
        "Le fer ferrique est mieux absorbé à jeun.",
    ),
    (
        "L'hypercholestérolémie fait prescrire la fictivine.",
        "On prescrit la fictivine en cas d'hypercholestérolémie.",
        "On prescrit la fictivine en cas d'hypertriglycéridémie.",
    ),
    (
        "L'impétigo est traité par la fictivine.",
        "La fictivine traite l'impétigo.",
        "La fictivine traite l'érysipèle.",
    ),
    (
        "La fibrillation ventriculaire fait donner la fictivine.",
        "En cas de fibrillation ventriculaire, on donne la fictivine.",
        "En cas de fibrillation atriale, on donne la fictivine.",
    ),
    (
        "L'aspirine est débutée au plus vite, dans l'attente du bilan.",
        "En attendant le bilan, on débute l'aspirine au plus vite.",
        "L'aspirine n'est débutée qu'après le bilan.",
    ),
    (
        "Le patient qui ne répond pas à l'aspirine reçoit la fictivine.",
        "En l'absence de réponse à l'aspirine, le patient reçoit la fictivine.",
        "Le patient qui répond à l'aspirine reçoit la fictivine.",
    ),
    (
        "Les patients qui n'ont pas de fièvre reçoivent la fictivine.",
        "Les patients sans fièvre reçoivent la fictivine.",
        "Les patients fébriles reçoivent la fictivine.",
    ),
    (
        "En cas de dyspepsie, la fictivine est recommandée.",
        "Chez le dyspeptique, on recommande la fictivine.",
        "Chez le dyspeptique, on ne recommande pas la fictivine.",
    ),
    (
        "La fictivine est efficace et ne favorise pas les infections.",
        "La fictivine est efficace sans favoriser les infections.",
        "La fictivine est efficace mais favorise les infections.",
    ),
    (
        "L'aspirine est de choix ; à défaut, la fictivine est donnée.",
        "Quand l'aspirine n'est pas disponible, on donne la fictivine.",
        "On donne d'abord la fictivine.",
    ),
    (
        "La fictivine est donnée dans les 4 heures suivant le début.",
        "Au-delà de 4 heures après le début, la fictivine n'est plus donnée.",
        "Au-delà de 4 heures après le début, la fictivine est donnée.",
    ),
    (
        "Un dosage est réalisé avant la fictivine, puis plusieurs mois après l'arrêt.",
        "Le dosage est réalisé avant de commencer la fictivine.",
        "Le dosage est réalisé avant d'arrêter la fictivine.",
    ),
    (
        "La fictivine est contre-indiquée, sauf si toutes les conditions du programme sont remplies.",
        "On ne donne la fictivine que si toutes les conditions du programme sont remplies.",
        "La fictivine est contre-indiquée si toutes les conditions du programme sont remplies.",
    ),
]


@pytest.mark.parametrize(("source", "faithful"), [(s, f) for s, f, _ in CASES])
def test_a_faithful_wording_passes(source: str, faithful: str) -> None:
    assert passes(source, faithful)


@pytest.mark.parametrize(("source", "changed"), [(s, c) for s, _, c in CASES])
def test_a_changed_wording_is_refused(source: str, changed: str) -> None:
    assert not passes(source, changed)


def test_a_stage_of_the_passage_is_no_stage_of_the_quote() -> None:
    passage = "Stade 3B : DFG de 30 à 44 mL/min. Stade 4 : DFG de 15 à 29 mL/min."
    quote = "Stade 3B : DFG de 30 à 44 mL/min."
    assert not missing_values("Le stade 3B va de 30 à 44 mL/min.", quote, passage)
    assert missing_values("Le stade 4 va de 30 à 44 mL/min.", quote, passage)


@pytest.mark.parametrize(
    ("text", "unsafe"),
    [("dans les ² jours", True), ("1,73 m²", False), ("10⁹/L", False), ("CHA₂DS₂-VASc", False)],
)
def test_a_raised_digit_is_no_number_of_its_own(text: str, unsafe: bool) -> None:
    assert bool(unsafe_characters(text)) is unsafe


RENAL = "Insuffisance rénale sévère : un intervalle d'au moins 8 heures."
ELSEWHERE = f"{RENAL} La fictivine est contre-indiquée en cas d'insuffisance hépatique."


def test_a_case_of_the_passage_does_not_take_the_place_of_the_quoted_one() -> None:
    text = "En cas d'insuffisance {} sévère, l'intervalle est d'au moins 8 heures."
    assert judge(RENAL, text.format("rénale"), ELSEWHERE) is None
    assert judge(RENAL, text.format("hépatique"), ELSEWHERE) is DropReason.ADDED_FACT


def test_a_class_of_the_passage_does_not_take_the_place_of_the_quoted_drug() -> None:
    quote = "Un relais par argatroban est débuté sans attendre."
    passage = f"La warfarine, une AVK, est arrêtée. {quote} Les AVK sont repris plus tard."
    assert judge(quote, "Un relais par argatroban est débuté d'emblée.", passage) is None
    text = "Un relais par AVK est débuté sans attendre."
    assert judge(quote, text, passage) is DropReason.ADDED_FACT
