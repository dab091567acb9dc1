"""What is absent, failed or lasting, in other words, beside its contrary."""

from __future__ import annotations

import pytest
from test_gate_reworded import taken

SAME = {
    "La contraception est poursuivie 1 mois après l'arrêt.": (
        "La contraception est maintenue jusqu'à un mois après l'arrêt.",
    ),
    "La contraception est nécessaire jusqu'à 1 mois après l'arrêt.": (
        "La contraception est nécessaire un mois après l'arrêt.",
    ),
    "L'allaitement est interdit jusqu'à 7 jours après la dose.": (
        "L'allaitement est interdit 7 jours après la dose.",
    ),
    "Chez le patient asymptomatique, aucun traitement n'est nécessaire.": (
        "Sans symptôme, on ne traite pas.",
        "Le traitement est inutile en l'absence de symptôme.",
    ),
    "Si le test est négatif, le diagnostic est écarté.": (
        "Un test négatif élimine le diagnostic.",
    ),
    "En l'absence d'amélioration après 48 heures, le patient est réévalué.": (
        "Le patient est réévalué s'il ne va pas mieux au bout de 48 heures.",
        "Sans amélioration à 48 heures, on réévalue.",
        "Si rien ne s'améliore en 48 heures, on réévalue le patient.",
    ),
    "En l'absence de contre-indication, l'aspirine est donnée.": (
        "Sauf contre-indication, l'aspirine est donnée.",
    ),
    "Le traitement est interrompu en cas d'intolérance.": (
        "Un traitement mal toléré est interrompu.",
    ),
    "Les patients non vaccinés reçoivent deux doses.": (
        "Deux doses sont données à qui n'est pas vacciné.",
        "En l'absence de vaccination, on donne deux doses.",
    ),
    "L'échographie est faite en cas de doute.": ("On fait une échographie si l'on n'est pas sûr.",),
    "Une hypertension non contrôlée contre-indique le traitement.": (
        "Le traitement est contre-indiqué si l'hypertension n'est pas contrôlée.",
        "Tant que l'hypertension est mal contrôlée, pas de traitement.",
    ),
    "En cas d'échec du traitement, la chirurgie est discutée.": (
        "Si le traitement ne marche pas, on discute la chirurgie.",
        "La chirurgie se discute quand le traitement échoue.",
    ),
    "La plaie n'est pas suturée.": (
        "On ne suture pas la plaie.",
        "La plaie est laissée sans suture.",
    ),
    "Le patient incapable d'avaler reçoit une perfusion.": (
        "Un patient qui ne peut pas avaler reçoit une perfusion.",
        "Si le patient ne peut avaler, on le perfuse.",
    ),
}
OTHER = {
    "La surveillance est poursuivie jusqu'à 4 semaines après l'intervention.": (
        "Le contrôle a lieu 4 semaines après l'intervention.",
        "La surveillance débute 4 semaines après l'intervention.",
    ),
    "Chez le patient asymptomatique, aucun traitement n'est nécessaire.": (
        "Chez le patient symptomatique, aucun traitement n'est nécessaire.",
    ),
    "Si le test est négatif, le diagnostic est écarté.": (
        "Un test positif élimine le diagnostic.",
    ),
    "En l'absence d'amélioration après 48 heures, le patient est réévalué.": (
        "En cas d'amélioration après 48 heures, le patient est réévalué.",
    ),
    "En l'absence de contre-indication, l'aspirine est donnée.": (
        "L'aspirine est donnée malgré une contre-indication.",
    ),
    "Le traitement est interrompu en cas d'intolérance.": (
        "Le traitement est interrompu s'il est bien toléré.",
    ),
    "Les patients non vaccinés reçoivent deux doses.": (
        "Les patients vaccinés reçoivent deux doses.",
    ),
    "Une hypertension non contrôlée contre-indique le traitement.": (
        "Une hypertension contrôlée contre-indique le traitement.",
    ),
    "En cas d'échec du traitement, la chirurgie est discutée.": (
        "La chirurgie est discutée d'emblée.",
    ),
    "La plaie n'est pas suturée.": ("La plaie est suturée.",),
    "Le patient incapable d'avaler reçoit une perfusion.": (
        "Le patient capable d'avaler reçoit une perfusion.",
    ),
}


@pytest.mark.parametrize(("source", "text"), [(s, t) for s, ts in SAME.items() for t in ts])
def test_the_same_in_other_words_passes(source: str, text: str) -> None:
    assert taken(source, text)


@pytest.mark.parametrize(("source", "text"), [(s, t) for s, ts in OTHER.items() for t in ts])
def test_another_statement_is_refused(source: str, text: str) -> None:
    assert not taken(source, text)
