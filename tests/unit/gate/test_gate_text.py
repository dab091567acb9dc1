"""Folding, sentences, quote search, narrative leaks: exact results on small texts."""

from __future__ import annotations

import pytest

from ancremed_desktop.text.matching import find_quote
from ancremed_desktop.text.narrative import narrative_leaks
from ancremed_desktop.text.negation import read
from ancremed_desktop.text.normalise import fold, unsafe_characters
from ancremed_desktop.text.sentences import sentence_spans


def test_fold() -> None:
    assert fold("Œdème CHA₂DS₂ 10⁹ β l’été\u00a0ﬁn") == "oedeme cha2ds2 109 beta l'ete fin"


@pytest.mark.parametrize(
    ("text", "offsets"),
    [("dose", ()), ("do\u200bse", (2,)), ("a\u202eb", (1,)), ("dоse", (1,)), ("５ mg", (0,)),
     ("O,5 mg", (0,)), ("β2, µg et γGT", ()), ("−2,5 ≤ x", ())],
)  # fmt: skip
def test_unsafe_characters(text: str, offsets: tuple[int, ...]) -> None:
    assert unsafe_characters(text) == offsets


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Dose de 2,5 mg. Puis 5 mg.", 2),
        ("Voir p. ex. le Dr Martin (cf. annexe). Fin.", 2),
        ("Infection à E. coli traitée ; suite : fin.", 1),
        ("Donner la vitamine K. L'INR est revu.", 2),
        ("Contre-indications\nGrossesse connue.", 2),
        ("Doses :\n- un ;\n- deux.", 3),
        ("Poids (kg)   4   6\nDose (mg)   60   90", 2),
        ("La phrase continue\nsur deux lignes.", 1),
    ],
)
def test_sentences(text: str, count: int) -> None:
    assert len(sentence_spans(text)) == count, [text[a:b] for a, b in sentence_spans(text)]


@pytest.mark.parametrize(
    ("passage", "quote", "found"),
    [
        ("Un diabète de type 2 ancien.", "diabete de type2", "diabète de type 2"),
        ("N-acétyl-\ncystéine orale", "N-acétylcystéine", "N-acétyl-\ncystéine"),
        ("donner 4\u202f000 UI", "donner 4000 UI", "donner 4\u202f000 UI"),
        ("DFG 1,73 m² au moins", "1,73 m2", "1,73 m²"),
        ("0,5 × 10⁹/L", "0,5 × 10^9/L", "0,5 × 10⁹/L"),
        ("dose 2,5 mg", "dose 25 mg", None),
        ("dose 0,015 mg/kg", "15 mg/kg", None),
        ("contre-indiqué ici", "indiqué ici", None),
        ("Poids 4 6", "Poids 46", None),
        ("2,4 MUI", "2,4 mUI", None),
        ("< 500 µg/L", "500 µg", None),
        ("T-score ≤ −2,5", "T-score ≤ 2,5", None),
        ("âge × 10 µg/L", "âge 10 µg/L", None),
    ],
)
def test_find_quote(passage: str, quote: str, found: str | None) -> None:
    span = find_quote(passage, quote)
    assert (passage[slice(*span)] if span else None) == found


@pytest.mark.parametrize(
    "text",
    ["Une fois le diagnostic évoqué, on avance.", "Portons un regard neuf sur ce point.",
     "La SpO2 et l'HbA1c guident la suite.", "Deux situations sont à distinguer.",
     "En premier lieu, voyons le mécanisme.", "La vitamine B12 intervient ici.",
     "La société évolue, le soin aussi.", "Un suivi régulier évite les complications.",
     "Le but est d'éviter la récidive."],
)  # fmt: skip
def test_innocent_narrative(text: str) -> None:
    assert narrative_leaks(text) == ()


@pytest.mark.parametrize(
    "text",
    ["On donne un gramme.", "La cure dure un semestre.", "Stade IV d'emblée.", "Une fois par jour.",
     "Il ne faut pas le prescrire.", "C'est contre-indiqué.", "Selon la HAS, il est utile.",
     "Toutes les six heures.", "La moitié des cas.", "Neuf patients sur la liste.",
     "Les recommandations de la Société européenne de cardiologie font référence.",
     "L'Académie nationale de médecine préconise la prudence.",
     "On évite ce traitement chez la femme enceinte.", "On s'abstient de tout sédatif.",
     "Ce médicament est dangereux pendant la grossesse."],
)  # fmt: skip
def test_narrative_leak(text: str) -> None:
    assert narrative_leaks(text)


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("Ne pas ouvrir.", [-1]),
        ("Ce n'est pas contre-indiqué.", [1]),
        ("Il protège mais n'abaisse pas.", [1, -1]),
        ("Contre-indications : grossesse.", [-1, -1]),
        ("La N-acétylcystéine est utile.", [1]),
    ],
)
def test_clause_signs(text: str, signs: list[int]) -> None:
    assert [c.sign for c in read(text).chunks] == signs


@pytest.mark.parametrize(
    "before", ["Mis à jour le 05/06/2023\n\n", "Version 3 ", "Groupe 2\n\n", "Étape 1. "]
)
@pytest.mark.parametrize(
    "quote", ["L’eau est donnée par 5 mL le soir.", "J'en donne 5 mL le soir."]
)
def test_an_elided_word_after_a_number_is_no_unit(before: str, quote: str) -> None:
    """« 2023 / L’eau » is no volume: the sentence would be found nowhere."""
    assert find_quote(before + quote, quote) == (len(before), len(before + quote) - 1)


def test_a_unit_on_the_next_line_is_one_and_in_the_next_paragraph_none() -> None:
    assert find_quote("Donner 5\nmL le soir au malade.", "Donner 5 mL le soir") is not None
    assert find_quote("Donner la dose 5\n\nmL le soir.", "Donner la dose 5 mL le soir") is None
