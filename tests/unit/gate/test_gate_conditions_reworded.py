"""Conditions, risks and everyday verbs in other words, beside what they do not say."""

from __future__ import annotations

import pytest
from test_gate_reworded import taken

SAME = {
    "En cas de fièvre, une hémoculture est réalisée.": (
        "La fièvre justifie une hémoculture.",
        "Toute fièvre fait pratiquer une hémoculture.",
        "Fièvre : hémoculture.",
        "Si le patient a de la fièvre, on fait une hémoculture.",
        "Un patient fébrile a une hémoculture.",
        "Dès qu'il y a de la fièvre, on prélève une hémoculture.",
        "On prélève une hémoculture quand il existe de la fièvre.",
    ),
    "Chez l'insuffisant rénal, la dose est réduite.": (
        "L'insuffisance rénale impose de réduire la dose.",
        "Une dose moindre est donnée en cas d'insuffisance rénale.",
        "La dose doit être abaissée si le patient est insuffisant rénal.",
    ),
    "Une colectomie est indiquée en cas de perforation.": (
        "La perforation est une indication de colectomie.",
        "Une perforation conduit à la colectomie.",
        "On propose une colectomie devant une perforation.",
        "La perforation relève de la colectomie.",
        "Devant une perforation, il faut une colectomie.",
    ),
    "Un avis spécialisé peut être demandé.": (
        "On peut prendre un avis spécialisé.",
        "Il est possible de demander l'avis d'un spécialiste.",
        "Un avis spécialisé est éventuellement sollicité.",
    ),
    "Le bilan comprend une NFS et un ionogramme.": (
        "NFS et ionogramme font partie du bilan.",
        "Dans le bilan figurent la NFS et l'ionogramme.",
        "On demande un bilan avec NFS et ionogramme.",
    ),
    "L'échographie recherche une dilatation des voies urinaires.": (
        "On cherche à l'échographie une dilatation des voies urinaires.",
        "Une dilatation des voies urinaires est recherchée par échographie.",
        "L'échographie sert à dépister une dilatation des voies urinaires.",
    ),
    "La fictivine expose à un risque d'hémorragie.": (
        "La fictivine peut faire saigner.",
        "Sous fictivine, on risque une hémorragie.",
        "Une hémorragie est à craindre avec la fictivine.",
        "Le risque d'hémorragie existe avec la fictivine.",
    ),
    "La fictivine diminue l'efficacité de la contraception orale.": (
        "La contraception orale est moins efficace sous fictivine.",
        "Avec la fictivine, la contraception orale perd de son efficacité.",
        "L'efficacité de la contraception orale baisse avec la fictivine.",
    ),
    "Le diagnostic repose sur la biopsie.": (
        "C'est la biopsie qui fait le diagnostic.",
        "Le diagnostic se fait par biopsie.",
        "La biopsie permet le diagnostic.",
    ),
    "La surveillance porte sur le poids et la tension.": (
        "On surveille le poids et la tension.",
        "Poids et tension sont à surveiller.",
        "Il faut suivre le poids et la tension.",
    ),
    "La fictivine est prise de préférence le matin.": (
        "Mieux vaut prendre la fictivine le matin.",
    ),
    "Le patient est hospitalisé en urgence.": (
        "L'hospitalisation est urgente.",
        "Il faut hospitaliser le patient sans délai.",
    ),
    "La plupart des patients guérissent sans séquelle.": (
        "La guérison sans séquelle est la plus fréquente.",
        "Dans la majorité des cas, le patient guérit sans séquelle.",
    ),
    "Le dosage de la créatinine est répété chaque semaine.": (
        "La créatinine est dosée de nouveau une fois par semaine.",
    ),
    "Les signes régressent spontanément.": (
        "Les signes disparaissent d'eux-mêmes.",
        "Les signes s'en vont sans traitement.",
    ),
    "L'évolution est généralement favorable.": ("Le plus souvent, l'évolution est bonne.",),
    "Une antibioprophylaxie est administrée avant l'incision.": (
        "On donne une antibioprophylaxie avant d'inciser.",
        "L'incision est précédée d'une antibioprophylaxie.",
    ),
    "Le tabac aggrave la maladie.": (
        "La maladie est aggravée par le tabac.",
        "Fumer aggrave la maladie.",
    ),
}
OTHER = {
    "En cas de fièvre, une hémoculture est réalisée.": (
        "En l'absence de fièvre, une hémoculture est réalisée.",
        "Une hémoculture est réalisée chez tous les patients.",
    ),
    "Chez l'insuffisant rénal, la dose est réduite.": (
        "La dose est réduite chez l'insuffisant hépatique.",
        "La dose est augmentée chez l'insuffisant rénal.",
    ),
    "Une colectomie est indiquée en cas de perforation.": (
        "Une perforation contre-indique la colectomie.",
    ),
    "Un avis spécialisé peut être demandé.": ("Un avis spécialisé est obligatoire.",),
    "Le bilan comprend une NFS et un ionogramme.": ("Le bilan comprend une NFS ou un ionogramme.",),
    "La fictivine expose à un risque d'hémorragie.": (
        "La fictivine prévient l'hémorragie.",
        "La fictivine traite l'hémorragie.",
    ),
    "La fictivine diminue l'efficacité de la contraception orale.": (
        "La contraception orale diminue l'efficacité de la fictivine.",
    ),
    "Le diagnostic repose sur la biopsie.": ("Le diagnostic ne repose pas sur la biopsie.",),
    "La fictivine est prise de préférence le matin.": (
        "La fictivine est prise de préférence le soir.",
    ),
    "Le patient est hospitalisé en urgence.": ("Le patient est hospitalisé à distance.",),
    "La plupart des patients guérissent sans séquelle.": (
        "Tous les patients guérissent sans séquelle.",
    ),
    "Les signes régressent spontanément.": ("Les signes s'aggravent spontanément.",),
    "L'évolution est généralement favorable.": ("L'évolution est toujours favorable.",),
    "Une antibioprophylaxie est administrée avant l'incision.": (
        "Une antibioprophylaxie est administrée après l'incision.",
    ),
}


@pytest.mark.parametrize(("source", "text"), [(s, t) for s, ts in SAME.items() for t in ts])
def test_the_same_in_other_words_passes(source: str, text: str) -> None:
    assert taken(source, text)


@pytest.mark.parametrize(("source", "text"), [(s, t) for s, ts in OTHER.items() for t in ts])
def test_another_statement_is_refused(source: str, text: str) -> None:
    assert not taken(source, text)
