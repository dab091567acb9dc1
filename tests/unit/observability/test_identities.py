"""Identities, dates and numbers in every form they are announced: nothing of them survives."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path

import pytest

from ancremed_desktop.observability.redaction import redact

NAMES = ("Rousseau", "ROUSSEAU Emma", "Le Goff-Martin", "Nguyễn", "Petit")
FORMS = (
    "M. {}",
    "Ｍ. {}",
    "M.\u200b {}",
    "M.\u200b{}",
    "M.\u2009{}",
    "MM. Vidalenc et {}",
    "MM. Vidalenc, Barbotin et {}",
    "Mme R. ({})",
    "Mmes {} et Vidalenc",
    "Messieurs Vidalenc et {}",
    "Drs Vidalenc et {}",
    "dite {}",
    "prénommée {}",
    "Pt {}",
    "Me {}",
    "Maître {}",
    "l’enfant {}",
    "bébé {}",
    "son fils {}",
    "famille {}",
    "médecin traitant : {}",
    "Médecin : {}",
    "personne de confiance : {}",
    "Nom : {} Prénom : Léonie",
    "Nom : X Prénom : {}",
    "NOM : {} DDN : 12/03/1956",
    "née {}",
    "Pr {}",
)
DATES = (
    "3 avril 2024",
    "3 avril",
    "1er mars 24",
    "trois avril deux mille vingt-quatre",
    "premier janvier",
    "trente et un décembre mille neuf cent quatre-vingt-deux",
    "12/03",
    "12/03/2024",
    "2024/03/12",
    "2024-03-12",
    "20240312",
    "12032024",
)
NUMBERS = (
    "dossier 2024-00123",
    "dossier médical numéro A1234567",
    "n° de dossier 12345",
    "dossier n° 123-456",
    "numéro patient : AB123456",
    "IPP 800123456",
    "séjour n°2400123",
    "RPPS 10 10 123 4567",
    "RPPS : 10101234567",
    "10101234567",
    "FR76 3000 6000 0112 3456 7890 189",
    "FR7630006000011234567890189",
    "192.168.1.24",
    "2001:db8:0:0:0:ff00:42:8329",
    "https://dossier.example/patient/dupont?id=12",
    "www.dupont-cabinet.fr",
    "jean.dupont (at) gmail.com",
    "jean.dupont [at] gmail (dot) com",
    "jean.dupont arobase gmail point com",
)
CLINICAL = (
    "40 mg 3 fois par jour, J3, grade 2 mais 1 mois, score 3, 80 ans",
    "nodule de 5 mm. Conduite à tenir ? Marche 6 m. Arrêt",
    "le 1/2 comprimé, acuité à 5/10, TA 12/8, 24/24",
    "Dosage inscrit dans le nom ALMUS 200 mg, ADVILMED ENFANTS ET NOURRISSONS 20 mg/1 ml",
    "en mars 40 mg par jour",
    "DDR 10 mars 2025, terme prévu ?",
    "Enfant : Posologie usuelle. Séjour 12 jours. Code CIS n° 60001234",
    "l’enfant COVID, bébé RGO, en mars, recommandation 2024, paragraphe 4.2.1.3",
)


@pytest.mark.parametrize(("form", "name"), list(product(FORMS, NAMES)))
def test_no_word_of_a_name_survives(form: str, name: str) -> None:
    (masked,) = redact((f"Vu ce jour {form.format(name)}, fièvre et toux.",))
    for word in ("Vidalenc", "Barbotin", "Léonie", *re.findall(r"\w{3,}", name)):
        assert word not in masked
    assert masked.endswith("fièvre et toux.")


@pytest.mark.parametrize(
    ("form", "date"),
    list(product(("vu le {} pour toux", "né le {} pour toux", "nés un {} (toux)"), DATES)),
)
def test_nothing_of_a_date_survives(form: str, date: str) -> None:
    (masked,) = redact((form.format(date),))
    assert "[DATE" in masked
    assert not re.search(r"\d|avril|mars|janvier|décembre|trois|mille", masked)
    assert "toux" in masked


@pytest.mark.parametrize("number", NUMBERS)
def test_nothing_of_a_number_or_an_address_survives(number: str) -> None:
    (masked,) = redact((f"Toux, {number}, fièvre",))
    assert not re.search(r"\d|dupont|gmail", masked)
    assert masked.startswith("Toux, ")
    assert masked.endswith(", fièvre")


@pytest.mark.parametrize("text", CLINICAL)
def test_clinical_quantities_stay(text: str) -> None:
    assert redact((text,)) == (text,)


def test_the_shared_questions_stay(shared: Path) -> None:
    lines = (shared / "clinical" / "questions_shared.jsonl").read_text("utf-8").splitlines()
    questions = tuple(json.loads(line)["question"] for line in lines)
    assert [redact((q,)) for q in questions] == [(q,) for q in questions]
