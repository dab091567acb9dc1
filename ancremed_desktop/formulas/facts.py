"""What a question says of the patient: values, units, dates and criteria, with every doubt."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction

from ancremed_desktop.domain.formulas import RawInput
from ancremed_desktop.formulas import patient, scope
from ancremed_desktop.formulas.dates import DATE, FULL_DATE, has_year, read_date
from ancremed_desktop.formulas.french import list_of, to_decimal
from ancremed_desktop.formulas.patient import NOT_A_HEIGHT, READ, Found
from ancremed_desktop.formulas.polarity import Polarity, is_former, polarity
from ancremed_desktop.formulas.units import NUMBER, UnitSystem, parse_number
from ancremed_desktop.formulas.vocabulary import (
    ChoiceWords,
    CriterionWords,
    NumberWords,
    Vocabulary,
)
from ancremed_desktop.text.french import NBSP

_NUMBER = re.compile(NUMBER)
_ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "1": 1, "2": 2, "3": 3, "4": 4, "0": 0}
_ROMAN_VALUE = re.compile(r"(?:de )?(iv|i{1,3}|[0-4])(?![a-z0-9])")
_RANGE = re.compile(r"^ ?(?:-|a|puis|et|ou|->|→) ?\d+(?:[.,]\d+)?(?! ?(?:ans|h\b|\d*/\d))")
_COUNTED = re.compile(
    r" ?(?:ans?|mois|jours?|semaines?|sem|heures?|minutes?|kg|fois|comprimes?|cp|sa)(?![a-z0-9])"
)
"""What is counted by a number is told by the word after it, whatever name stands before."""
_PAST = re.compile(
    r"^,? ?\(?(?:il y a|auparavant|avant\b|precedemment|anterieurement|l'an dernier|hier"
    r"|le mois dernier|a la naissance|a (?:l'age de )?\d+ ans|la semaine derniere|en (?:19|20)\d\d)"
)
_OF_THE_PAST = re.compile(
    r"\b(?:(?:a|depuis|des|vers|avant|apres|jusqu'a|de) l'|ayant |avai(?:t|ent) )$"
)
"""Before a label: « à l'âge de 45 ans », « ayant pesé 70 kg »."""
_IN_URINE = re.compile(
    r"^ ?(?:urinaires?|(?:dans|sur) (?:les |des )?urines?|des urines|/ ?24 ?h)\b"
)
_URINARY = re.compile(r"urin|urie|urese")
"""Concepts whose value is measured in urine."""
_OTHER_UNIT = re.compile(
    r"(?P<unit>(?:[a-zµ]+(?:/[a-z0-9]+)*)(?<=.)(?![a-z0-9]))"
    r"| (?P<apart>(?:lbs?|livres?|pounds?|stones?|oz|ounces?|onces?|inch(?:es)?|pouces?|ft|foot|feet|pieds?"
    r"|in(?! (?:utero|situ|vitro|vivo|extremis))|yards?|gallons?|pints?|fahrenheit|kelvins?|rankine"
    r"|torr|psi|(?:mm|[mcd]l|[mµ]g|km|ms|mmol)(?! ?[:=]? ?\d)|bars?|atm|hpa|tonnes?|quintal|quintaux|[a-zµ]+/(?:d?l|ml|mm3|h|j|min|kg))(?![a-z0-9]))"
    r"| ?(?P<degree>° ?[abd-z](?![a-z])|[\"#])"
)
"""A unit no quantity of the concept has: letters stuck to the number, or a unit's name.

Before a number, « Cl » or « Mg » names the next value: « Na 138 Cl 100 ».
"""
_MULTIPLE = re.compile(r" ?(?:x ?|fois )?(?:la )?n(?:ormale)?\b")
"""« 5N »: five times the normal, not a value."""
_DDR = re.compile(rf"(?:ddr|dernieres regles|naegele)[a-z' :=(]{{0,30}}?(?P<date>{DATE})")
_OTHER_DAY = re.compile(
    rf"(?:aujourd'hui|ce jour|nous sommes|on est|a la date d[ue]|vue?|examinee?|\bau|\ble)"
    rf"[a-z' :=(]{{0,12}}?(?P<date>{DATE})"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One value read for a concept; ``doubt`` (French) when it must not be used as it is."""

    raw: RawInput | None
    doubt: str = ""


Facts = Mapping[str, Fact]

_Claim = tuple[tuple[int, int], int, Found]
"""Span of a number, length of the name that claims it, what it says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Reads facts out of folded text; ``quantities``: concept → quantity, units by concept."""

    vocabulary: Vocabulary
    units: UnitSystem
    quantities: Mapping[str, str]
    accepted: Mapping[str, tuple[str, ...]]
    today: date | None

    def read(self, text: str) -> Facts:
        """All facts of a folded text from which the formulas' names were blanked out."""
        found: dict[str, list[Found]] = defaultdict(list)
        text, dated = self._dates(text)
        for concept, item in dated:
            found[concept].append(item)
        for concept, item in self._measures(text):
            found[concept].append(item)
        for words in self.vocabulary.criteria:
            found[words.concept] += _criterion(words, text)
        for choice in self.vocabulary.choices:
            found[choice.concept] += _choice(choice, text)
        found["encephalopathie"] += _encephalopathy(text, bool(found["encephalopathie"]))
        _derive(found)
        for concept, pattern in self.vocabulary.alerts:
            if not found[concept]:
                found[concept] += _alert(pattern, text)
        return {concept: self._settle(concept, items) for concept, items in found.items() if items}

    def _dates(self, text: str) -> tuple[str, list[tuple[str, Found]]]:
        found = []
        for concept, pattern in (("ddr", _DDR), ("date_jour", _OTHER_DAY)):
            for match in pattern.finditer(text):
                found.append((concept, self._date(match["date"])))
                text = _blank(text, match.start("date"), match.end("date"))
        return FULL_DATE.sub(lambda m: " " * len(m.group()), text), found

    def _date(self, written: str) -> Found:
        day = read_date(written, self.today)
        if day is None:
            return Found(
                value=None, doubt=f"date incomplète ou impossible («{NBSP}{written}{NBSP}»)"
            )
        if has_year(written):
            return Found(value=day.isoformat())
        origin = f"{READ}{NBSP}: année {day.year} supposée, à confirmer"
        return Found(value=day.isoformat(), origin=origin)

    def _measures(self, text: str) -> Iterator[tuple[str, Found]]:
        """The patient's values; those of others, signed or bounded are left in doubt."""
        own, others = scope.of_others(text)
        plain, bounds = scope.of_bounds(own)
        yield from patient.read(plain)
        yield from self._numbers(own)
        for aside in (*others, *bounds):
            readings = [*patient.read(aside.text)]
            if aside in others:
                readings += self._numbers(aside.text)
            for concept, item in readings:
                if concept != "sexe" and not isinstance(item.value, bool):
                    yield concept, Found(value=None, doubt=aside.doubt, weak=True)

    def _numbers(self, text: str) -> Iterator[tuple[str, Found]]:
        """Each number goes to the longest name that claims it."""
        claims: dict[tuple[int, int], list[tuple[int, str, Found]]] = defaultdict(list)
        for words in self.vocabulary.numbers:
            for span, length, item in self._claims(words, text):
                claims[span].append((length, words.concept, item))
        for candidates in claims.values():
            longest = max(length for length, _, _ in candidates)
            kept = [c for c in candidates if c[0] == longest]
            if any(not item.doubt for _, _, item in kept):
                kept = [c for c in kept if not c[2].doubt]
            for _, concept, item in kept:
                yield concept, item

    def _claims(self, words: NumberWords, text: str) -> Iterator[_Claim]:
        for label in words.label.finditer(text):
            if _OF_THE_PAST.search(text, max(0, label.start() - 20), label.start()):
                continue
            if words.concept == "taille" and NOT_A_HEIGHT.search(text[: label.start()]):
                continue
            named = label.groupdict()
            length = len(named.get("long") or named.get("short") or "")
            if words.roman and (roman := _ROMAN_VALUE.match(text, label.end())):
                ranged = re.match(r" ?(?:-|a|ou|et) ?(?:\d|i)", text[roman.end() :])
                doubt = "plusieurs grades lus" if ranged else ""
                found = Found(value=Decimal(_ROMAN[roman[1]]), doubt=doubt)
                yield roman.span(1), length, found
                continue
            number = _NUMBER.match(text, label.end())
            measure = self._measure(words.concept, text, number) if number else None
            if number and measure:
                yield number.span(), length, measure
        yield from self._claims_after(words, text)

    def _claims_after(self, words: NumberWords, text: str) -> Iterator[_Claim]:
        """« 30 g/L d’albumine », « 6 synovites »."""
        for number in _NUMBER.finditer(text):
            unit = self._unit_pattern(words.concept).match(text, number.end())
            name = words.of_value.match(text, unit.end()) if unit else None
            if name is None and words.counts:
                name = words.after_value.match(text, unit.end() if unit else number.end())
                name = name or words.after_value.match(text, number.end())
            measure = self._measure(words.concept, text, number) if name else None
            if name and measure and not measure.doubt:
                yield number.span(), len(name.group()), measure

    def _unit_pattern(self, concept: str) -> re.Pattern[str]:
        return self.units.pattern(self.quantities.get(concept, ""))

    def _measure(self, concept: str, text: str, number: re.Match[str]) -> Found | None:
        """The number with the unit written after it; a doubt for a range or another unit.

        None for a ratio or a split measure (« 12/7 », « 1 m 68 »), which ``patient`` reads.
        """
        value = parse_number(number.group())
        rest = text[number.end() :]
        of_age = patient.doubt_of_age(text, number.start(), number.end())
        if concept == "age" and of_age != "":
            return None if of_age is None else Found(value=None, doubt=of_age, weak=True)
        if re.match(r" ?/ ?\d|[.,]\d| ?(?:m ?\d{2}|° ?\d)(?!\d)", rest) or _MULTIPLE.match(rest):
            return None
        unit = ""
        if written := self._unit_pattern(concept).match(text, number.end()):
            unit = written.group().strip()
            rest = text[written.end() :]
        elif other := (
            self.units.any_unit.match(text, number.end())
            or _COUNTED.match(rest)
            or _OTHER_UNIT.match(rest)
        ):
            unit = other.group().strip()
        if _RANGE.match(rest):
            return Found(value=None, doubt="plusieurs valeurs lues, une seule est attendue")
        if _PAST.match(rest):
            return Found(value=None, doubt="valeur ancienne, la valeur actuelle est attendue")
        if _IN_URINE.match(rest) and not _URINARY.search(concept):
            return Found(value=None, doubt="valeur urinaire, la valeur sanguine est attendue")
        if concept == "uree" and re.search(r"\bbun ?[:=]? ?$", text[: number.start()]):
            unit = f"bun {unit}"
        if unit and not self.accepts(concept, unit):
            return Found(value=value, unit=unit, doubt=f"unité «{NBSP}{unit}{NBSP}» inattendue")
        return Found(value=value, unit=unit)

    def accepts(self, concept: str, unit: str) -> bool:
        """Whether a unit as written is one of the concept's."""
        return self.units.match(unit, self.accepted.get(concept, ())) is not None

    def _settle(self, concept: str, items: list[Found]) -> Fact:
        """One fact a concept: strong readings first, and a doubt when they disagree."""
        strong = [item for item in items if not item.weak] or items
        doubts = [item.doubt for item in strong if item.doubt]
        values = list(dict.fromkeys((i.value, i.unit) for i in strong if not i.doubt))
        if len(values) > 1 and len({self._canonical(concept, *v) for v in values}) > 1:
            shown = tuple(patient.shown(value, unit) for value, unit in values)
            return Fact(
                raw=None, doubt=f"lectures contradictoires{NBSP}: {list_of(shown, 'ou')}{NBSP}?"
            )
        if doubts and (not values or doubts != [d for d in doubts if "inattendue" in d]):
            return Fact(raw=None, doubt=doubts[0])
        chosen = next(item for item in strong if not item.doubt) if values else strong[0]
        assert chosen.value is not None
        return Fact(raw=RawInput(value=chosen.value, unit=chosen.unit, origin=chosen.origin))

    def _canonical(self, concept: str, value: Decimal | str | bool | None, unit: str) -> object:
        if not isinstance(value, Decimal):
            return value
        quantity = self.quantities.get(concept, "")
        matched = self.units.match(unit, self.accepted.get(concept, ())) if unit else None
        read = self.units.convert(Fraction(value), quantity, matched) if matched else value
        return to_decimal(read)


def _blank(text: str, start: int, end: int) -> str:
    return text[:start] + " " * (end - start) + text[end:]


def _criterion(words: CriterionWords, text: str) -> Iterator[Found]:
    """Present, absent or doubtful mentions of a yes/no criterion."""
    contrary = list(words.contrary.finditer(text)) if words.contrary else []
    for match in contrary:
        match_polarity = polarity(text, match.start(), match.end())
        if match_polarity is Polarity.PRESENT:
            yield Found(value=words.inverse)
        elif match_polarity is Polarity.DOUBT:
            yield _unsure(match.group())
    for match in words.words.finditer(text):
        if any(c.start() < match.end() and match.start() < c.end() for c in contrary):
            continue
        if words.is_another(text, match.start(), match.end()):
            continue
        match_polarity = polarity(text, match.start(), match.end())
        former = words.habit and is_former(text, match.start(), match.end())
        if match_polarity is Polarity.DOUBT or (former and match_polarity is Polarity.PRESENT):
            yield _unsure(match.group())
        elif match_polarity is not Polarity.OTHER:
            yield Found(value=(match_polarity is Polarity.PRESENT) is not words.inverse)
    for match in words.denied.finditer(text) if words.denied else ():
        match_polarity = polarity(text, match.start(), match.end())
        if match_polarity is Polarity.ABSENT:
            yield Found(value=words.inverse, weak=True)


def _unsure(mention: str) -> Found:
    return Found(value=None, doubt=f"mention incertaine («{NBSP}{mention}{NBSP}»)")


def _choice(choice: ChoiceWords, text: str) -> Iterator[Found]:
    if choice.word is None:
        for key, pattern in choice.keys.items():
            for match in pattern.finditer(text):
                match_polarity = polarity(text, match.start(), match.end())
                if match_polarity is Polarity.PRESENT:
                    yield Found(value=key)
                    return
                if match_polarity is Polarity.DOUBT:
                    yield _unsure(match.group())
        return
    for mention in choice.word.finditer(text):
        match_polarity = polarity(text, mention.start(), mention.end())
        if match_polarity is Polarity.OTHER:
            continue
        if match_polarity is Polarity.ABSENT:
            yield Found(value="absente")
            continue
        near = re.split(r"[,.;]| et ", text[mention.end() : mention.end() + 40], maxsplit=1)[0]
        hits = {key: m for key, pattern in choice.keys.items() if (m := pattern.search(near))}
        end = mention.end() + max((m.end() for m in hits.values()), default=0)
        if Polarity.DOUBT in {match_polarity, polarity(text, mention.start(), end)}:
            yield _unsure(text[mention.start() : end])
        elif len(hits) == 1:
            yield Found(value=next(iter(hits)))
        else:
            yield Found(
                value=None, doubt="mentionnée sans son abondance (minime à modérée, ou tendue ?)"
            )


def _encephalopathy(text: str, graded: bool) -> Iterator[Found]:
    for mention in re.finditer(r"\bencephalopathie(?: hepatique)?\b|\beh\b", text):
        if polarity(text, mention.start(), mention.end()) is Polarity.ABSENT:
            yield Found(value=Decimal(0))
        elif not graded:
            yield Found(value=None, doubt="mentionnée sans son grade (1 à 4)")


def _alert(words: re.Pattern[str], text: str) -> Iterator[Found]:
    """A mention that calls for a value (a vasopressor) is never counted 0 in silence."""
    for match in words.finditer(text):
        if polarity(text, match.start(), match.end()) in {Polarity.PRESENT, Polarity.DOUBT}:
            mention = match.group()
            yield Found(value=None, doubt=f"mentionné sans sa cotation («{NBSP}{mention}{NBSP}»)")


def _derive(found: dict[str, list[Found]]) -> None:
    """A temperature above 38 °C is a fever; a Glasgow score under 15 is altered consciousness."""
    for item in found.get("gcs", []):
        if isinstance(item.value, Decimal) and item.value < 15:
            found["conscience_alteree"] += [Found(value=True, origin=f"{READ} (Glasgow)")]
    for item in found.get("temp", []):
        if isinstance(item.value, Decimal) and 30 < item.value < 45:
            fever = Found(value=item.value > 38, origin=f"{READ} (température)")
            found["fievre"] = [*(f for f in found["fievre"] if f.value is not True), fever]
