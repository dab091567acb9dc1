"""Padding, HTML, entities and lost characters of BDPM fields."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ancremed_desktop.corpus.bdpm.clean import clean_field, hides_comparison, tidy_prose


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("  TEVA SANTE ", "TEVA SANTE"),
        ("IMUKIN 2 x 10<sup>6</sup> UI", "IMUKIN 2 x 10⁶ UI"),
        ("<p>5,45 mg", "5,45 mg"),
        ("un comprimé</p>", "un comprimé"),
        ("cas suivants :<br><br>- asthme<br>- BPCO.", "cas suivants : asthme ; BPCO."),
        ("Taux < 1,2 UI/L. »,<br>et plus", "Taux < 1,2 UI/L. », et plus"),
        ("(p <0,0001),<br>mais", "(p <0,0001), mais"),
        ("poids < 20 kg", "poids < 20 kg"),
        ("texte coupé <b", "texte coupé"),
        ("Compte tenu :<br>\xad- de A,<br>\xad de B", "Compte tenu : de A, de B"),
        ("der\xadnier", "dernier"),
        ("l&RSQUO;eau &NDASH; &amp; &#39;", "l’eau – & '"),
        ("KREUSSLER & CO", "KREUSSLER & CO"),
        ("cas :<br>¿ Hypertension<br>¿ Migraine", "cas : Hypertension ; Migraine"),
        ("indication :.<br>. patientes.", "indication :. patientes."),
        ("GEDEON RICHTER ( HONGRIE)", "GEDEON RICHTER (HONGRIE)"),
        ("CREON 35 000 U , gélule", "CREON 35 000 U, gélule"),
        ("sortie .Vaccin adsorbé", "sortie. Vaccin adsorbé"),
        ("insécable\xa0double", "insécable double"),
        ("score -3 DS<br>-3 DS", "score -3 DS -3 DS"),
    ],
)
def test_field_becomes_plain_text(raw: str, clean: str) -> None:
    assert clean_field(raw) == clean


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("d¿un", "d’un"),
        ("chez l¿adulte", "chez l’adulte"),
        ("qu¿après", "qu’après"),
        ("inflammation de l¿¿il", "inflammation de l’œil"),
        ("un ¿dème", "un œdème"),
        ("l'¿dème", "l'œdème"),
        ("le c¿ur", "le cœur"),
        ("d'¿strogènes", "d'œstrogènes"),
        ("une man¿uvre", "une manœuvre"),
        ("n¿ayant", "n’ayant"),
        # No single reading: kept.
        ("711+3A¿G", "711+3A¿G"),
        ("Prenant en compte¿: la", "Prenant en compte¿: la"),
        ("-¿chez le nourrisson -¿ici", "-¿chez le nourrisson -¿ici"),
    ],
)
def test_lost_character_repaired_only_where_unambiguous(raw: str, clean: str) -> None:
    assert clean_field(f"x {raw}") == f"x {clean}"


def test_quotes_around_an_opinion_go_and_those_inside_stay() -> None:
    assert tidy_prose('" Le SMR est important. "') == "Le SMR est important."
    assert tidy_prose('Le "vrai" SMR') == 'Le "vrai" SMR'
    assert tidy_prose('" a "b" c "') == 'a "b" c'
    assert tidy_prose('"a" et "b"') == '"a" et "b"'


def test_lost_semicolon_does_not_end_a_sentence() -> None:
    assert tidy_prose("angines . sinusites . Le SMR") == "angines ; sinusites. Le SMR"
    assert tidy_prose("un HR de 0,62 [0,4 . 0,9]") == "un HR de 0,62 [0,4 ; 0,9]"


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("les enfants (=12 ans)", True),
        ("une FEVG = 35%", True),
        ("LDL-c = 0,7 g/L", True),
        ("(p = 0,02)", False),
        ("HR=0,49", False),
        ("(n=10)", False),
        ("charge virale < ou = 100 000", False),
        ("aucun signe", False),
    ],
)
def test_equals_sign_that_may_be_a_lost_comparison(text: str, hidden: bool) -> None:
    assert hides_comparison(text) is hidden


@given(st.text(alphabet="abé <>/¿&;.,-br\xad\xa0 ", max_size=60))
def test_cleaning_never_fails_and_leaves_one_line(text: str) -> None:
    cleaned = clean_field(text)
    assert cleaned == " ".join(cleaned.split())
    assert "<br>" not in cleaned
    assert "\xad" not in cleaned
