"""Reading, comparing and writing quantities of French clinical text."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest

from ancremed_desktop.text.quantities import (
    Quantity,
    equal,
    find_quantities,
    holds,
    is_fixed_name,
    render,
    same_value,
)


def one(text: str) -> Quantity:
    found = find_quantities(text)
    assert len(found) == 1, f"{text!r}: {[q.text for q in found]}"
    return found[0]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("500 µg", "0,5 mg"),
        ("500 μg", "500 mcg"),
        ("500 microgrammes", "0.5 mg"),
        ("1 g", "1 000 mg"),
        ("3 semaines", "21 jours"),
        ("120 min", "deux heures"),
        ("48 heures", "2 jours"),
        ("12 mois", "un an"),
        ("4 h 30", "4,5 heures"),
        ("4h30", "4 h 30 min"),
        ("une heure et demie", "90 minutes"),
        ("un quart d’heure", "15 min"),
        ("quatre mille unités", "4 000 UI"),
        ("4\u202f000 UI", "4000 UI"),
        ("1 million d’UI", "1 MUI"),
        ("quatre-vingt-dix-sept", "97"),
        ("soixante et onze", "71"),
        ("deux cent mille", "200 000"),
        ("stade IV", "stade 4"),
        ("NYHA III", "stade 3"),
        ("10 %", "un dixième"),
        ("10 %", "0,1"),
        ("dix pour cent", "un sur dix"),
        ("1 patient sur 10", "1/10"),
        ("la moitié", "divisé par deux"),
        ("doublée", "multipliée par 2"),
        ("deux fois par jour", "matin et soir"),
        ("3 fois/j", "trois fois par jour"),
        ("un jour sur deux", "tous les 2 jours"),
        ("5 G/L", "5 × 10⁹/L"),
        ("5.10⁹/L", "5000/mm3"),
        ("1,2 g/L", "120 mg/dL"),
        ("mesure de 5 mg/mL", "5 g/L"),
        ("15 mg/kg/j", "15 mg par kilo et par jour"),
        ("15 mg.kg-1.j-1", "15 mg/kg/24 h"),
        ("≥ 75 ans", "75 ans et plus"),
        ("supérieur ou égal à 5 mg", "au moins 5 mg"),
        ("ne doit pas dépasser 90 mg", "au maximum 90 mg"),
        ("sans dépasser 1 g par heure", "1 g/h maximum"),
        ("de 10 à 20 mg", "entre 10 et 20 mg"),
        ("10-20 mg", "10 mg à 20 mg"),
        ("24 SA + 3 j", "24+3 SA"),
        ("24 semaines d’aménorrhée", "24 SA"),
        ("38°5", "38,5 °C"),
        ("14/9 cmHg", "140/90 mmHg"),
        ("PA 140/90", "140/90 mmHg"),
        ("12 mars 2018", "12/03/2018"),
        ("deuxième degré", "degré 2"),
        ("première", "1re"),
        ("½ comprimé", "demi-comprimé"),
        ("dans les 3 premières heures", "3 h"),
    ],
)
def test_equal(left: str, right: str) -> None:
    assert equal(one(left), one(right)), (one(left), one(right))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("2,5 mg", "25 mg"),
        ("0,015 mg/kg", "15 mg/kg"),
        ("15 mg/kg", "15 mg"),
        ("5 mg/kg/j", "5 mg/kg/h"),
        ("12,5 µg", "12,5 g"),
        ("5 Mg", "5 mg"),
        ("3 MUI", "3 mUI"),
        ("5 G/L", "5 g/L"),
        ("5 mmol/L", "5 mg/L"),
        ("4 000 UI", "4 000 mg"),
        ("4 semaines", "un mois"),
        ("15 jours", "2 semaines"),
        ("< 5 mg", "≤ 5 mg"),
        ("plus de 5 mg", "5 mg"),
        ("environ 5 mg", "5 mg"),
        ("10 à 20 mg", "20 mg"),
        ("3 fois par jour", "toutes les 8 h"),
        ("2 comprimés", "2 gélules"),
        ("stade IV", "stade III"),
        ("stade 3A", "stade 3B"),
        ("stade 3", "grade 3"),
        ("type 1", "type 2"),
        ("10.000 UI", "10 000 UI"),
        ("1.250 mg", "1,25 mg"),
        ("135/85 mmHg", "140/85 mmHg"),
        ("5 SA", "5 semaines"),
        ("2 mEq", "2 mmol"),
        ("−2 DS", "2 DS"),
        ("2024", "2023"),
        ("article L. 1111-4", "article L. 1111-5"),
        ("1,5", "15"),
        ("double dose", "triple dose"),
        ("divisé par deux", "doublé"),
    ],
)
def test_not_equal(left: str, right: str) -> None:
    assert not equal(find_quantities(left)[0], find_quantities(right)[0])


def test_ambiguous_thousands_equal_only_their_own_writing() -> None:
    assert one("10.000 UI").low is None
    assert equal(one("10.000 UI"), one("dose : 10.000 UI"))
    assert one("1.250.000 UI").low == 1_250_000
    assert one("0.125 mg").low == Fraction(1, 8000)


@pytest.mark.parametrize(
    "text",
    [
        "un patient reçoit une injection",
        "la demi-vie est longue",
        "un obstacle sur les voies urinaires",
        "un traitement neuf et coûteux",
        "soins à la demande d’un tiers",
        "en double aveugle",
        "SpO2, HbA1c, vitamine B12, CHA₂DS₂-VASc, CD4, H1N1, COVID-19, P2Y12",
        "le tiers payant",
    ],
)
def test_no_quantity(text: str) -> None:
    assert find_quantities(text) == ()


def test_comparator_belongs_to_its_own_number() -> None:
    first, second = find_quantities("5 mg au moins 3 fois par jour")
    assert (first.comparator, second.comparator) == ("", ">=")
    assert second.dimension == "frequency"


def test_unneeded_excess_is_no_maximum() -> None:
    assert one("il n’est pas nécessaire de dépasser 3 g par jour").comparator in {"", ">"}
    assert one("on ne dépasse pas 25 mg par semaine").comparator == "<="


def test_list_shares_its_unit() -> None:
    assert [q.low for q in find_quantities("5, 10 ou 20 mg")] == [
        Fraction(5, 1000), Fraction(1, 100), Fraction(1, 50),
    ]  # fmt: skip


def test_denominator_further_on() -> None:
    quantity = one("3 000 mg de paracétamol par jour")
    assert (quantity.text, quantity.per) == ("3 000 mg", ("jour",))
    assert equal(one("250 neutrophiles/mm³"), one("250/mm3"))


def test_amount_once_a_day_holds_amount_per_day() -> None:
    source = find_quantities("25 mg une fois par jour pendant 2 semaines")
    assert holds(source, one("25 mg/j"))
    assert not holds(find_quantities("25 mg deux fois par jour"), one("25 mg/j"))
    assert not holds(find_quantities("50 mg/j"), one("25 mg/j"))


def test_same_value_leaves_the_comparator_aside() -> None:
    assert same_value(one("< 5 mg"), one("5 mg"))
    assert not same_value(one("< 5 mg"), one("< 6 mg"))


def test_offsets_are_those_of_the_text() -> None:
    text = "Chez l’adulte : ≤ 2,5 mg/kg/j, puis dix pour cent."
    assert [text[q.start : q.end] for q in find_quantities(text)] == [
        "≤ 2,5 mg/kg/j", "dix pour cent",
    ]  # fmt: skip
    assert all(text[q.start : q.end] == q.text for q in find_quantities(text))


@pytest.mark.parametrize(
    ("text", "part", "fixed"),
    [
        ("la SpO2 baisse", "2", True),
        ("CHA₂DS₂-VASc", "₂", True),
        ("un diabète de type 2", "2", True),
        ("la vitamine B12", "12", True),
        ("l’HbA1c", "1", True),
        ("prendre 2 comprimés", "2", False),
        ("le lot X12", "12", False),
    ],
)
def test_fixed_names(text: str, part: str, fixed: bool) -> None:
    start = text.index(part)
    assert is_fixed_name(text, start, start + len(part)) is fixed


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("2.5mg/kg/j", "2,5\u00a0mg/kg/jour"),
        ("12500 UI", "12\u202f500\u00a0UI"),
        ("au plus 3 g", "≤\u00a03\u00a0g"),
        ("stade IIIB", "stade 3B"),
        ("24+3 SA", "24\u00a0SA + 3\u00a0j"),
        ("un tiers", "1 sur 3"),
        ("matin et soir", "2 fois par jour"),
        ("21 jours", "3\u00a0semaines"),
    ],
)
def test_render(text: str, written: str) -> None:
    assert render(one(text)) == written


@pytest.mark.parametrize(
    "unit", ["9", "1 000 ", "1-", "1/", "9,", "1.1", "un ", "quatre-vingt ", "≤", "moins de ",
             "a1-", "stade ", "10^", "5 mg\n", "ne pas ", "1 sur ", "\n-1", "₂", "article 1-"],
)  # fmt: skip
def test_hostile_text_takes_linear_time(unit: str) -> None:
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        start = time.process_time()
        find_quantities.__wrapped__(text)
        return time.process_time() - start

    small, large = (min(seconds(size) for _ in range(3)) for size in (3_000, 30_000))
    assert large < 40 * small + 0.05, (small, large)


def test_daily_schedule_is_compared_as_written() -> None:
    assert equal(one("1-0-1"), one("schéma 1-0-1"))
    assert not equal(one("1-0-1"), one("1-1-1"))
