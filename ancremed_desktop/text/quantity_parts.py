"""A numeral with what belongs to it: sign, unit, denominators, upper end of a range."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction

from ancremed_desktop.text.numbers import Number, lower, plain, read_digits, read_slash, read_words
from ancremed_desktop.text.units import Unit, UnitReading, read_unit

_RANGE = re.compile(
    r"[ \n]{0,3}(?:-|/?[ \n]?jusqu'a(?: |$)|a(?=[ \n]))[ \n]{0,3}(?=(?P<sign>-?)[\da-z¼½¾])"
)
_AND = re.compile(r"(?:[ \n]{1,3}|(?<=[°%]))et[ \n]{1,3}(?:de )?")
_OR_NEXT = re.compile(r"[ \n]ou[ \n](?=\d|[a-z])")
_EVERY = re.compile(r"\b(?:tou(?:te)?s les|espac\w+ (?:de|d')) ?$")
_OF = re.compile(r"[ \n](?:de |d')(?=[a-zµ])")
# « 3 000 mg de paracétamol par jour », « 250 neutrophiles/mm³ »: the denominator stands further
# on; the words between are no part of the quantity.
_DISTANT_PER = re.compile(
    r"[ \n]d(?:e |')(?:la |l')?[\w-]{3,30}(?: [\w-]{3,30})?(?= par (?:jour|semaine"
    r"|mois|an|heure|prise|injection|kilo|kg|litre|ml|dl)\b|/j\b)"
)
_COUNTED_CELLS = re.compile(
    r"[ \n](?:[a-z-]{3,30}[ \n]){0,2}[a-z]{3,30}(?= ?/ ?(?:mm|µl|ul|ml|l\b|dl)"
    r"|[ \n]par[ \n](?:mm|µl|ul|ml|l\b|dl|litre|(?:micro|milli)litre|millimetre))"
)
_FIRST = re.compile(r"[ \n](?:premier|premiere|dernier|derniere)s?(?=[ \n])")
_PER_SLASH = re.compile(
    r" ?/ ?(?:(?:24|48|72|12|8|6) ?(?:h|heures?)\b|1[,.]73|100 ?0?00|\d+ ?m(?:l|²)\b)"
)
_MINUTES = re.compile(r" ?(\d{2})(?![\d,.])(?: ?(?:minutes?|min|mn)\b)?")
_SECONDS = re.compile(r" (\d{1,2}) ?(?:secondes?|sec|s)\b")
_MINUTES_AFTER = re.compile(r" (?:et )?(\d{1,2}) ?(?:minutes?|min|mn)\b")
_HALF = re.compile(r"[ \n]et[ \n]demie?\b| ?½")
_DEGREE = re.compile(r"°(\d)(?!\d|[,.]\d)")
_DAYS_AFTER = re.compile(r" ?\+ ?(\d)(?: ?(?:jours?|j)\b)?(?![\d,.])")
NO_UNIT = Unit("", Fraction(1), "")


@dataclass(frozen=True, slots=True)
class Part:
    """A numeral with the unit read after it; ``end`` is where the unit ends."""

    number: Number
    unit: Unit | None
    per: tuple[str, ...]
    factor: Fraction
    end: int

    @property
    def family(self) -> tuple[str, str, tuple[str, ...]]:
        """(dimension, canonical unit, denominators)."""
        return (self.unit.dimension, self.unit.base, self.per) if self.unit else ("", "", self.per)

    @property
    def bare(self) -> bool:
        """Whether no unit was read."""
        return self.unit is None and not self.per


class PartReader:
    """Readings at a position of one text; ``_low`` and ``_text`` keep its offsets."""

    def __init__(self, text: str) -> None:
        self._source = text
        self._text = plain(text)
        self._low = lower(self._text)
        self._last_end = 0

    def _signed(self, number: Number) -> Number:
        """The number with its minus sign, when the dash before it is one."""
        start, low = number.start, self._low
        if (
            number.value is None
            or start == 0
            or low[start - 1] != "-"
            or start - 1 < self._last_end
        ):
            return number
        before = low[start - 2 : start - 1] if start > 1 else ""
        line = max(low.rfind("\n", max(0, start - 40), start), -1)
        line_start = not low[max(line + 1, start - 40) : start - 1].strip()
        line_start = line_start and (line >= 0 or start <= 40)
        bullet = line_start and self._source[start - 1] != "−"
        if bullet or before.isalnum() or before in {")", "'"}:
            return number
        return replace(number, start=start - 1, value=-number.value)

    def _part(self, number: Number) -> Part:
        low, text = self._low, self._text
        bare_slash = number.kind in {"integer", "digits"} and not _PER_SLASH.match(low, number.end)
        if bare_slash:
            number = read_slash(low, number)
        at = number.end
        of = _OF.match(low, at)
        if of and (
            number.kind in {"about", "fraction"}
            or (low[at - 1] in "ndesr" and low[at - 3 : at] != "ois")
        ):
            reading = read_unit(text, low, of.end())
            if reading is not None and reading.unit.dimension not in {"", "angle"}:
                return self._with_unit(number, reading)
        degree = _DEGREE.match(low, at) if number.value is not None else None
        if degree and number.value is not None:
            number = replace(number, value=number.value + Fraction(int(degree[1]), 10))
            end = degree.end() + (2 if re.match(r" ?c\b", low[degree.end() :][:3]) else 0)
            return Part(
                number, Unit("temperature", Fraction(1), "°C"), (), Fraction(1), min(end, len(low))
            )
        found = read_unit(text, low, at)
        first = _FIRST.match(low, at) if found is None else None
        if first:
            found = read_unit(text, low, first.end())
            found = found if found and found.unit.dimension in {"time", "calendar"} else None
        if found:
            return self._with_unit(number, found)
        counted = _COUNTED_CELLS.match(low, at)
        cells = read_unit(text, low, counted.end()) if counted else None
        if cells and cells.per == ("L",) and not cells.unit.dimension:
            return Part(number, NO_UNIT, cells.per, cells.factor, at)
        half = _HALF.match(low, at) if number.kind in {"words", "integer"} else None
        if half and number.value is not None:
            number = replace(number, value=number.value + Fraction(1, 2), end=half.end())
        return Part(number, None, (), Fraction(1), number.end)

    def _with_unit(self, number: Number, reading: UnitReading) -> Part:
        unit: Unit | None = reading.unit
        if unit is not None and not unit.dimension and not unit.base and not reading.per:
            unit = NO_UNIT
        per, factor = reading.per, reading.factor
        if reading.unit.base == "fois" and not per and self._low[reading.end - 1] in "x×":
            return Part(number, None, (), Fraction(1), number.end)
        distant = _DISTANT_PER.match(self._low, reading.end) if reading.unit.dimension else None
        if distant and (more := read_unit(self._text, self._low, distant.end())) and more.per:
            per, factor = per + more.per, factor * more.factor
        return self._composed(Part(number, unit, per, factor, reading.end))

    def _composed(self, part: Part) -> Part:
        """« 4 h 30 », « 1 min 30 s », « deux ans et demi », « 24 SA + 3 j »."""
        if part.unit is None or part.per or part.number.value is None:
            return part
        low, end, value, unit = self._low, part.end, part.number.value, part.unit
        extra: Fraction | None = None
        after: re.Match[str] | None = None
        if unit.dimension == "gestation":
            after = _DAYS_AFTER.match(low, end)
            days = Fraction(int(after[1])) if after else Fraction(0)
            number = replace(part.number, value=value * 7 + days)
            return replace(part, number=number,
                           unit=Unit("gestation", Fraction(1), "j SA"), factor=Fraction(1),
                           end=after.end() if after else end)  # fmt: skip
        if unit.dimension == "time" and unit.factor == 1:
            after = _MINUTES_AFTER.match(low, end) or self._minutes(end)
            extra = Fraction(int(after[1]), 60) if after else None
        elif unit.dimension == "time" and unit.factor == Fraction(1, 60):
            after = _SECONDS.match(low, end)
            extra = Fraction(int(after[1]), 60) if after else None
        half = None if after else _HALF.match(low, end)
        if half and unit.dimension in {"time", "calendar", "count", "mass", "volume"}:
            after, extra = half, Fraction(1, 2)
        if after is None or extra is None:
            return part
        return replace(part, number=replace(part.number, value=value + extra), end=after.end())

    def _minutes(self, end: int) -> re.Match[str] | None:
        found = _MINUTES.match(self._low, end)
        if found is None or int(found[1]) > 59:
            return None
        after = read_unit(self._text, self._low, found.end())
        return None if after else found

    def _or_next(self, part: Part) -> re.Match[str] | None:
        """« tous les 3 ou 4 jours » is « tous les 3 à 4 jours »: the next number only."""
        led = _EVERY.search(self._low, max(0, part.number.start - 14), part.number.start)
        return _OR_NEXT.match(self._low, part.end) if led and part.bare else None

    def _second(self, part: Part, *, between: bool) -> Part | None:
        """The upper end of a range that starts with ``part``."""
        low = self._low
        join = (_AND.match(low, part.end) if between else None) or _RANGE.match(low, part.end)
        chosen = None if join else self._or_next(part)
        join = join or chosen
        if join is None or (part.end > 0 and low[part.end - 1 : part.end] == " "):
            return None
        if join.group().strip() == "a" and self._source[join.start() : join.end()].strip() not in {
            "à",
            "À",
            "a",
        }:
            return None
        at = join.end()
        number: Number | None
        if low[at : at + 1] == "-" and low[at + 1 : at + 2].isdigit():
            number = read_digits(low, at + 1)
            if number is not None and number.value is not None:
                number = replace(number, start=at, value=-number.value)
        elif low[at : at + 1].isalpha():
            number = read_words(low, at) if part.number.kind != "digits" or between else None
        else:
            number = read_digits(low, at)
        if number is None or number.value is None or number.kind in {"ordinal", "code"}:
            return None
        second = self._part(number)
        first_value = part.number.value
        if first_value is None or second.number.value is None or second.number.kind == "pair":
            return None
        if re.match(r"-\d", low[second.end : second.end + 2]) and join.group() == "-":
            return None
        if part.bare and second.unit is not None and second.unit.dimension == "gestation":
            first_value *= 7
        if part.bare or part.family == second.family:
            ahead = first_value * (second.factor if part.bare else part.factor)
            last = second.number.value * second.factor
            # « entre −1 et −2,5 »; a number that falls otherwise passes from one value to another
            if chosen and last != ahead + second.factor:
                return None
            downward = between or (first_value < 0 and second.number.value < 0)
            return second if ahead < last or (downward and ahead > last) else None
        shared = part.unit is not None and second.unit is not None and not part.per
        if shared and part.family[:2] == second.family[:2]:
            ahead = first_value * second.factor
            return second if ahead < second.number.value * second.factor * 10**6 else None
        return None
