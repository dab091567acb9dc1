"""Names of every make in every form: none survives; and beside them no clinical word is lost."""

from __future__ import annotations

import random
import re
from itertools import product

import pytest

from ancremed_desktop.observability.redaction import redact

# The commonest surnames of France and others of the world, common words among them.
SURNAMES = (
    "Martin Bernard Thomas Petit Robert Richard Durand Dubois Moreau Laurent Simon Lefebvre Leroy Roux "
    "Morel Fournier Girard Bonnet Dupont Lambert Fontaine Rousseau Muller Faure Mercier Blanc Guérin "
    "Boyer Garnier Chevalier Legrand Gauthier García Perrin Robin Morin Masson Marchand Duval Lemaire "
    "Meyer Dufour Meunier Brun Blanchard Joly Rivière Gaillard Barbier Roche Renard Schmitt Leroux Colin "
    "Caron Picard Fabre Aubert Lemoine Dumas Lacroix Bourgeois Leclerc Lecomte Dupuy Berger Carpentier "
    "Moulin Deschamps Vasseur Boucher Fleury Klein Paris Poirier Carré Charpentier Ménard Baron Léger "
    "Cousin Breton Besson Langlois Lévêque Lebrun Boulanger Poulain Tessier Lemaître Gay Delaunay Laporte "
    "Nguyen Traoré Diallo Benali Özdemir Kowalski Fernandes O’Brien Saint-Martin Benoît-Lévy Lejeune"
).split()
COMPOSED = (
    "Le Goff",
    "Le Goff-Martin",
    "d’Artagnan",
    "de la Tour",
    "Van der Meer",
    "Da Silva",
    "Ben Salah",
)
FIRST = "Emma Jean Marie-Claude Jean-Luc Zoé Mohamed Françoise Théo Inès Éric".split()
# What announces a name in any letters, with what shows where the name ends.
ANY_CASE = (
    "Vu {}mme {n} ce jour pour toux fébrile",
    "{}mr {n} tousse",
    "{}monsieur {n}, 72 ans, HTA",
    "{}dr {n}",
    "{}mme {n} et m. {n2} toussent",
    "{}mm. {n} et {n2}, toux",
    "{}mmes {n}, {n2} et {n3} toussent",
    "nom : {n}\nprénom : {f}\nmotif : toux",
    "nom :\n{n}\nprénom :\n{f}\ntoux",
    "nom de naissance : {n}, toux",
    "{f} {n}, 45 ans, toux",
    "le patient {f} {n} tousse",
)
CAPITALISED = (
    "Patient {n} sous AVK",
    "l’enfant {n} tousse",
    "son fils {n} tousse",
    "Patient : {n}",
    "Patient :\n{n}\nToux",
    "médecin traitant :\n{n}",
    "NOM\n{n}\nPRÉNOM\n{f}",
    "{n} {f}, 45 ans, HTA",
    "{f} {n} tousse depuis hier",
    "née {n}, toux",
    "L’ENFANT {N} {F} tousse",
    "{N} {f}, 45 ans",
)
SHOUTED = (
    "L’ENFANT {n} {f} TOUSSE DEPUIS HIER",
    "MME {n} A DE LA FIÈVRE DEPUIS HIER",
    "NOM : {n} PRÉNOM : {f} ÂGE : 4 ANS",
    "LE PATIENT {n} EST SOUS AVK",
    "MME {n} NÉE {n2} TOUSSE",
)
CLINICAL = ("tousse", "toux", "fièvre", "hta", "avk", "45 ans", "72 ans", "fébrile", "depuis hier")


def _check(form: str, names: dict[str, str]) -> None:
    text = form.format("", **names)
    (masked,) = redact((text,))
    words = [w for name in names.values() for w in re.findall(r"[^\W\d_]{3,}", name)]
    rest = re.findall(r"[^\W\d_]{3,}", re.sub(r"\[[^\]]*\]", "", masked))
    kept = {w.casefold() for w in words} - {"les", "des", "der", "van"}
    assert not [w for w in rest if w.casefold() in kept and form.casefold().count(w.casefold()) == 0], (
        text, masked,
    )  # fmt: skip
    for word in CLINICAL:
        if word in form.casefold():
            assert word in masked.casefold(), (text, masked)


def _drawn(seed: int) -> dict[str, str]:
    draw = random.Random(seed)
    n, n2, n3 = draw.sample([*SURNAMES, *COMPOSED], 3)
    first = draw.choice(FIRST)
    return {"n": n, "n2": n2, "n3": n3, "f": first, "N": n.upper(), "F": first.upper()}


@pytest.mark.parametrize("form", [*ANY_CASE, *CAPITALISED])
def test_no_name_with_a_capital_survives(form: str) -> None:
    for seed in range(40):
        _check(form, _drawn(seed))


@pytest.mark.parametrize("form", ANY_CASE)
def test_no_name_in_small_letters_survives(form: str) -> None:
    for name, first in product(SURNAMES, FIRST[:1]):
        names = {"n": name, "n2": "durand", "n3": "vasseur", "f": first}
        _check(form, {key: value.lower() for key, value in names.items()})


@pytest.mark.parametrize("form", SHOUTED)
def test_no_name_in_a_text_in_capitals_survives(form: str) -> None:
    for name, first in product(SURNAMES, FIRST[:1]):
        names = {"n": name, "n2": "Durand", "f": first}
        _check(form, {key: value.upper() for key, value in names.items()})


ANNOUNCED = (
    "mme {w} depuis 3 jours", "Mme {w} depuis 3 jours", "le patient {w} revient", "Patient {W}, 72 ans",
    "l’enfant {w} revient", "Homme {W}, 54 ans", "Femme {W} 28 ans", "LE PATIENT {U} REVIENT CE JOUR",
    "L’ENFANT {U} REVIENT CE JOUR", "patient sous {W} depuis hier", "{W} enfant, 3 ans : dose ?",
    "Patient : {W}", "monsieur {w}, revient",
)  # fmt: skip
WORDS = (
    "diabétique hypertendu fébrile asthmatique allergique épileptique cirrhotique dialysé greffé enceinte "
    "anémique obèse tabagique traité opéré hospitalisé insuffisant drépanocytaire doliprane augmentin "
    "kardegic apixaban amoxicilline metformine ramipril atorvastatine oméprazole levothyrox paracétamol"
).split()
ACRONYMS = "HTA FA BPCO AVK AOD IRC DT2 AVC IDM SEP".split()


@pytest.mark.parametrize("form", ANNOUNCED)
def test_no_clinical_word_is_taken_for_a_name(form: str) -> None:
    for word in WORDS:
        # Strong announcements: a capital letter after « Mme » is a name, whatever the word.
        written = {"w": word, "W": word.capitalize(), "U": word.upper()}
        text = form.format(**written)
        assert redact((text,)) == (text,)
    for acronym in ACRONYMS:
        if "{w}" not in form:
            text = form.format(W=acronym, U=acronym)
            assert redact((text,)) == (text,)


def test_a_name_that_is_a_common_word_does_not_take_the_word_away() -> None:
    first, second = redact(("mme petit tousse", "Un petit nodule. Petit est venue."))
    assert (first, second) == ("mme [NOM] tousse", "Un petit nodule. [NOM] est venue.")
