"""Denials in other words, beside what they do not deny."""

from __future__ import annotations

import pytest
from test_gate_reworded import taken

SAME = {
    "La fictivine ne doit pas être associée à l'alcool.": (
        "On n'associe pas la fictivine et l'alcool.",
        "L'alcool est interdit avec la fictivine.",
        "Pas d'alcool sous fictivine.",
        "La fictivine se prend sans alcool.",
    ),
    "Il est déconseillé de conduire sous fictivine.": (
        "Mieux vaut ne pas conduire sous fictivine.",
        "La conduite est à éviter sous fictivine.",
    ),
    "Le dépistage systématique n'est pas recommandé.": (
        "On ne dépiste pas systématiquement.",
        "Il n'est pas utile de dépister systématiquement.",
        "Aucun dépistage systématique n'est préconisé.",
    ),
    "En l'absence de fièvre, l'antibiotique n'est pas indiqué.": (
        "Sans fièvre, pas d'antibiotique.",
        "L'antibiotique n'a pas sa place s'il n'y a pas de fièvre.",
        "L'antibiotique est inutile quand le patient n'a pas de fièvre.",
    ),
    "L'antibiotique est indiqué sauf en cas d'allergie.": (
        "Hors allergie, l'antibiotique est indiqué.",
        "L'antibiotique est indiqué si le patient n'est pas allergique.",
        "En l'absence d'allergie, l'antibiotique est indiqué.",
    ),
    "La grossesse est une contre-indication.": ("La grossesse contre-indique le traitement.",),
    "Aucune adaptation de dose n'est nécessaire en cas d'insuffisance rénale.": (
        "L'insuffisance rénale n'impose pas d'adapter la dose.",
        "La dose reste la même en cas d'insuffisance rénale.",
        "On ne change pas la dose chez l'insuffisant rénal.",
        "Inutile d'adapter la dose en cas d'insuffisance rénale.",
    ),
    "Un résultat négatif n'élimine pas le diagnostic.": (
        "Le diagnostic reste possible malgré un résultat négatif.",
        "Un résultat négatif ne permet pas d'écarter le diagnostic.",
        "On ne peut exclure le diagnostic sur un résultat négatif.",
    ),
    "Le traitement ne doit pas être arrêté brutalement.": (
        "L'arrêt du traitement doit être progressif.",
        "On n'arrête jamais le traitement d'un coup.",
        "Un arrêt brutal du traitement est à proscrire.",
    ),
    "Le paracétamol n'est pas remplacé par un anti-inflammatoire.": (
        "On garde le paracétamol plutôt qu'un anti-inflammatoire.",
    ),
    "La biopsie n'est pas indispensable au diagnostic.": (
        "Le diagnostic peut se faire sans biopsie.",
        "On peut se passer de biopsie pour le diagnostic.",
    ),
    "Le traitement n'est débuté qu'après confirmation.": (
        "Pas de traitement avant confirmation.",
        "On attend la confirmation pour débuter le traitement.",
        "Le traitement ne commence qu'une fois la confirmation obtenue.",
    ),
    "Les corticoïdes n'ont pas d'intérêt dans la bronchiolite.": (
        "Les corticoïdes sont inutiles dans la bronchiolite.",
        "Les corticoïdes n'apportent rien dans la bronchiolite.",
    ),
    "Il n'y a pas de risque pour le fœtus.": ("Aucun risque n'existe pour le fœtus.",),
    "Le patient ne doit ni boire ni manger avant l'examen.": (
        "Rien à boire ni à manger avant l'examen.",
    ),
    "Les comprimés ne doivent pas être écrasés.": (
        "Les comprimés s'avalent sans être écrasés.",
        "On n'écrase pas les comprimés.",
    ),
    "La surveillance biologique n'est pas nécessaire chez le sujet sans facteur de risque.": (
        "Sans facteur de risque, on peut se passer de surveillance biologique.",
        "Le sujet qui n'a pas de facteur de risque n'a pas besoin de surveillance biologique.",
    ),
    "L'aspirine est évitée chez l'enfant fébrile.": (
        "Chez l'enfant fébrile, l'aspirine ne se donne pas.",
    ),
    "La fictivine n'agit pas sur les virus.": (
        "La fictivine est sans effet sur les virus.",
        "La fictivine est inefficace contre les virus.",
    ),
    "La ponction est contre-indiquée tant que les plaquettes sont basses.": (
        "Pas de ponction tant que les plaquettes restent basses.",
    ),
    "La vaccination n'est pas contre-indiquée pendant la grossesse.": (
        "La grossesse n'empêche pas la vaccination.",
        "La vaccination est possible pendant la grossesse.",
    ),
    "Il faut éviter l'exposition au soleil.": (
        "Ne pas s'exposer au soleil.",
        "L'exposition au soleil est à éviter.",
    ),
    "Le traitement n'est pas renouvelé.": ("Le traitement ne se renouvelle pas.",),
    "Ne pas arrêter brutalement la fictivine.": (
        "La fictivine ne s'arrête pas d'un coup.",
        "On arrête la fictivine petit à petit.",
    ),
}
OTHER = {
    "La fictivine ne doit pas être associée à l'alcool.": (
        "La fictivine se prend avec de l'alcool.",
    ),
    "Il est déconseillé de conduire sous fictivine.": ("La conduite est possible sous fictivine.",),
    "Le dépistage systématique n'est pas recommandé.": ("Le dépistage systématique est utile.",),
    "En l'absence de fièvre, l'antibiotique n'est pas indiqué.": (
        "En cas de fièvre, l'antibiotique n'est pas indiqué.",
    ),
    "L'antibiotique est indiqué sauf en cas d'allergie.": (
        "L'antibiotique est indiqué en cas d'allergie.",
    ),
    "Aucune adaptation de dose n'est nécessaire en cas d'insuffisance rénale.": (
        "La dose est à adapter en cas d'insuffisance rénale.",
    ),
    "Un résultat négatif n'élimine pas le diagnostic.": (
        "Un résultat négatif écarte le diagnostic.",
        "Un résultat positif n'élimine pas le diagnostic.",
    ),
    "Le traitement ne doit pas être arrêté brutalement.": (
        "Le traitement doit être arrêté brutalement.",
        "Le traitement ne doit pas être arrêté.",
    ),
    "La biopsie n'est pas indispensable au diagnostic.": ("Le diagnostic exige une biopsie.",),
    "Le traitement n'est débuté qu'après confirmation.": (
        "Le traitement est débuté avant confirmation.",
        "Le traitement est débuté sans attendre la confirmation.",
    ),
    "Les corticoïdes n'ont pas d'intérêt dans la bronchiolite.": (
        "Les corticoïdes sont utiles dans la bronchiolite.",
    ),
    "Il n'y a pas de risque pour le fœtus.": ("Il existe un risque pour le fœtus.",),
    "Les comprimés ne doivent pas être écrasés.": ("Les comprimés peuvent être écrasés.",),
    "La surveillance biologique n'est pas nécessaire chez le sujet sans facteur de risque.": (
        "La surveillance biologique n'est pas nécessaire chez le sujet à facteur de risque.",
    ),
    "La fictivine n'agit pas sur les virus.": ("La fictivine est efficace contre les virus.",),
    "La vaccination n'est pas contre-indiquée pendant la grossesse.": (
        "La vaccination est contre-indiquée pendant la grossesse.",
    ),
    "Il faut éviter l'exposition au soleil.": ("L'exposition au soleil est conseillée.",),
    "Le dépistage systématique du cancer n'est pas recommandé.": (
        "Le dépistage du cancer n'est pas recommandé.",
    ),
    "Le salbutamol seul n'est pas un traitement suffisant.": (
        "Le salbutamol n'est pas un traitement suffisant.",
    ),
    "La fictivine n'est pas recommandée en première intention.": (
        "La fictivine n'est pas recommandée.",
    ),
    "Ne pas arrêter brutalement la fictivine.": ("Ne pas arrêter la fictivine.",),
}


@pytest.mark.parametrize(("source", "text"), [(s, t) for s, ts in SAME.items() for t in ts])
def test_the_same_in_other_words_passes(source: str, text: str) -> None:
    assert taken(source, text)


@pytest.mark.parametrize(("source", "text"), [(s, t) for s, ts in OTHER.items() for t in ts])
def test_another_statement_is_refused(source: str, text: str) -> None:
    assert not taken(source, text)
