"""Brand and DCI out of denominations and substance names."""

from __future__ import annotations

import pytest

from ancremed_desktop.corpus.bdpm.french import inline, of, sentence, written_date
from ancremed_desktop.text.drug_names import bare_substance, brand_names, drug_names, is_salt


@pytest.mark.parametrize(
    ("substance", "bare"),
    [
        ("CHLORHYDRATE DE TRAMADOL", "tramadol"),
        ("TRAMADOL (CHLORHYDRATE DE)", "tramadol"),
        ("BÉSILATE D'AMLODIPINE", "amlodipine"),
        ("AMLODIPINE (BÉSILATE D')", "amlodipine"),
        ("LÉVOTHYROXINE SODIQUE ANHYDRE", "lévothyroxine"),
        ("MÉROPÉNEM TRIHYDRATÉ", "méropénem"),
        ("FUMARATE DE FORMOTÉROL DIHYDRATÉ", "formotérol"),
        ("PERINDOPRIL ERBUMINE", "perindopril"),
        ("DABIGATRAN ÉTEXILATE (MÉSILATE DE)", "dabigatran étexilate"),
        ("CITRIQUE (ACIDE) ANHYDRE", "acide citrique"),
        # A mineral alone is no drug's name.
        ("CHLORURE DE SODIUM", "chlorure de sodium"),
        ("CARBONATE DE CALCIUM", "carbonate de calcium"),
        # The anion belongs to the name.
        ("MONONITRATE D'ISOSORBIDE", "mononitrate d'isosorbide"),
        ("VALPROATE DE SODIUM", "valproate de sodium"),
        ("GADOTÉRATE DE MÉGLUMINE", "gadotérate de méglumine"),
        ("VITAMINE B12", "vitamine B12"),
        ("INTERFÉRON GAMMA-1B", "interféron gamma-1B"),
    ],
)
def test_substance_without_its_salt(substance: str, bare: str) -> None:
    assert bare_substance(substance) == bare


@pytest.mark.parametrize(
    ("denomination", "brands"),
    [
        ("DOLIPRANE 1000 mg, comprimé", ("DOLIPRANE",)),
        ("BI-PROFENID LP 100 mg, comprimé sécable", ("BI-PROFENID LP", "BI-PROFENID")),
        ("ADVIL ENFANTS 20 mg/1 ml, suspension", ("ADVIL ENFANTS", "ADVIL")),
        ("BISOPROLOL TEVA SANTE 7,5 mg, comprimé", ("BISOPROLOL TEVA SANTE",)),
        ("GARDASIL 9, suspension injectable", ("GARDASIL 9", "GARDASIL")),
        ("A 313 50 000 U.I., capsule molle", ("A 313 50 000 U.I.",)),
        ("B 12, gouttes", ()),
    ],
)  # fmt: skip
def test_brand(denomination: str, brands: tuple[str, ...]) -> None:
    assert brand_names(denomination) == brands


def test_names_hold_no_homeopathic_stock_and_no_double() -> None:
    names = drug_names(
        "PARACÉTAMOL BELLA 500 mg, comprimé",
        ["PARACETAMOL", "PARACÉTAMOL", "BELLADONNA POUR PRÉPARATIONS HOMÉOPATHIQUES"],
    )
    assert names == ("PARACÉTAMOL BELLA 500 mg, comprimé", "PARACÉTAMOL BELLA", "paracetamol")


def test_name_without_its_counter_ion() -> None:
    assert drug_names("DEPAKINE 500 mg", ["VALPROATE DE SODIUM"])[-2:] == (
        "valproate de sodium",
        "valproate",
    )


def test_salts() -> None:
    assert is_salt("CHLORHYDRATE DE METFORMINE")
    assert not is_salt("CHLORURE DE SODIUM")
    assert not is_salt("PARACÉTAMOL")
    assert not is_salt("MÉROPÉNEM ANHYDRE")


def test_wording() -> None:
    assert written_date("2011-03-01") == "1er mars 2011"
    assert written_date("2023-11") == "novembre 2023"
    assert of(written_date("2024-04")) == "d’avril 2024"
    assert sentence("liste I ;") == "Liste I."
    assert sentence("l'eau") == "L’eau."
    assert inline("ALPRESS L.P. 5 mg") == "ALPRESS LP 5 mg"
    assert inline("BICARBONATE 4,2 % B. BRAUN") == "BICARBONATE 4,2 % B BRAUN"
    assert inline("solution injectable. Vaccin X") == "solution injectable\u00a0; Vaccin X"
