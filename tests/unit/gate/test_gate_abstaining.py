"""A false abstention is refused, a true one is not."""

from __future__ import annotations

import pytest

from ancremed_desktop.domain.documents import Passage
from ancremed_desktop.domain.identifiers import Silo
from ancremed_desktop.pipeline.abstaining import told_by

TEXT = (
    "La fictivine est débutée à la dose de charge de 300 mg par voie orale. "
    "Chez l'enfant de moins de 20 kg, la dose est de 3 mg/kg. "
    "En cas d'hémorragie, la fictivine est arrêtée et un avis est demandé. "
    "L'examen est fait dans les 6 heures suivant l'admission. "
    "La bidonine est une alternative. "
    "Aucune donnée n'est disponible pendant l'allaitement. "
    "La ferritinémie est mesurée avant le traitement."
)


def told(reason: str) -> bool:
    passage = Passage(
        urn="urn:ancremed:reco-x#a",
        source_key="reco-x",
        silo=Silo.FICHES,
        origin_title="Fictivine — posologie",
        source_identifier="reco-x",
        text=TEXT,
    )
    return told_by(reason, (passage,)) is not None


@pytest.mark.parametrize(
    "reason",
    [
        "La dose de charge de fictivine n'est pas précisée.",
        "La dose chez l'enfant n'est pas donnée par la source.",
        "La conduite en cas d'hémorragie n'est pas décrite.",
        "Le délai de l'examen après l'admission n'est pas mentionné.",
        "La place de la bidonine n'est pas abordée.",
    ],
)
def test_what_a_sentence_tells_is_not_missing(reason: str) -> None:
    assert told(reason)


@pytest.mark.parametrize(
    "reason",
    [
        "La dose de bidonine n'est pas précisée.",
        "La conduite en cas de surdosage n'est pas décrite.",
        "L'utilisation de la fictivine pendant l'allaitement n'est pas décrite.",
        "Le seuil de ferritinémie n'est pas donné.",
        "La durée du traitement par fictivine n'est pas indiquée chez l'enfant.",
        "La dose chez le sujet âgé n'est pas précisée.",
        "Le délai de l'hémorragie n'est pas mentionné.",
        "Les passages donnés ne répondent pas à la question pour cette section.",
        "Aucune source ne traite du tabac.",
        "Les sources ne disent rien des interactions de la fictivine.",
    ],
)
def test_a_true_abstention_stands(reason: str) -> None:
    assert not told(reason)
