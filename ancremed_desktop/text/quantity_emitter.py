"""From numerals with their units to quantities: ranges, proportions, frames, lists."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, replace
from fractions import Fraction

from ancremed_desktop.text import comparators, labels
from ancremed_desktop.text.numbers import NUMERALS, read_digits, read_words
from ancremed_desktop.text.quantity import Quantity
from ancremed_desktop.text.quantity_parts import NO_UNIT, Part, PartReader
from ancremed_desktop.text.units import Unit, read_unit

_LIST = re.compile(
    r"[ \n]?(?:,? ?(?:ou|et|puis|voire)(?: (?:de|a|d'))?|/)[ \n]"
    r"|(?P<comma>[ \n]?,[ \n])|[ \n]?/[ \n]?"
)
ON = re.compile(
    r"[ \n](?:(?P<what>[a-z]+)[ \n](?:[a-z]+[ \n])?"
    r"|(?P<who>(?:enfant|patient|malade|femme|homme|adulte|personne|sujet|nourrisson|cas)e?s?)"
    r"[ \n](?:(?!(?:une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix)\b)[a-z]+[ \n]){2,5}?)?sur[ \n](?=[\da-z])"
)
_TIMES_MORE = re.compile(r"[ \n](?:plus|superieure?s?|moins|inferieure?s?)\b(?! (?:de|d') ?\d)")
_TIMES = re.compile(r" ?[x×]? ?")
_CROSS = re.compile(r" ?[x×] ?")
_SPACE = re.compile(r"[ \n]{0,2}")
_NEAR = re.compile(r"[ \n]pres\b(?! d[e'u])")
_EXACT = "mass volume time calendar amount UI percent pressure length charge".split()
_BARE_KINDS = frozenset({"digits", "integer", "words"})
_PER_DIMENSION = {"kg": "mass", "g": "mass", "mg": "mass", "L": "volume", "jour": "time",
                  "heure": "time",                   "minute": "time", "seconde": "time",
                  "semaine": "time", "m²": "area"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Frame:
    """What was read before a number: comparator ``sign``, ``shape`` (entre, tous, ×, ÷), span."""

    sign: str
    shape: str
    start: int
    end: int


class QuantityEmitter(PartReader):
    """Builds the quantities of one text, in order."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._pos = 0
        self._frame: Frame | None = None
        self._found: list[Quantity] = []
        self._parts: dict[int, Part] = {}

    def _quantity(self, part: Part) -> None:
        """Emit a number, or the range, proportion or frequency that it opens."""
        frame = self._take_frame(part.number.start)
        if self._proportion(part, frame):
            return
        if part.number.value is not None and part.number.kind != "pair":
            second = self._second(part, between=frame is not None and frame.shape == "entre")
            if second is not None:
                self._range(part, second, frame)
                return
        self._single(part, frame)

    def _range(self, first: Part, second: Part, frame: Frame | None) -> None:
        assert first.number.value is not None
        assert second.number.value is not None
        scale = second.factor
        if not first.bare and first.unit is not None and second.unit is not None:
            scale = (
                first.factor
                if first.per == second.per
                else first.unit.factor * second.factor / second.unit.factor
            )
        first_value = first.number.value
        weeks = first.bare and second.unit is not None and second.unit.dimension == "gestation"
        low = first_value * (7 if weeks else scale)
        high = second.number.value * second.factor
        if first.number.kind == second.number.kind == "fraction" and second.bare:
            low, high = low * 100, high * 100
        low, high = min(low, high), max(low, high)
        years = [labels.is_year(self._low, p.number.start, p.number.end) for p in (first, second)]
        if all(years) and second.bare:
            self._emit_framed(
                frame, first.number.start, second.end, low * 10000, high * 10000, second, "date"
            )
            return
        kind = "percent" if first.number.kind == "fraction" and second.bare else ""
        self._emit_framed(frame, first.number.start, second.end, low, high, second, kind)

    def _single(self, part: Part, frame: Frame | None) -> None:
        number = part.number
        start = number.start
        if number.value is None:
            raw = re.sub(r"\s", "", self._low[number.start : number.end])
            base = part.unit.base if part.unit else ""
            unit = f"{raw}·{part.factor}·{base}"
            self._emit_framed(frame, start, part.end, None, None, part, unit=unit)
        elif number.kind == "pair":
            self._pair(part, frame)
        elif number.kind == "fraction" and part.bare:
            value = number.value * 100
            self._emit_framed(frame, start, part.end, value, value, part, "percent")
        elif (
            part.bare and number.kind == "integer" and labels.is_year(self._low, start, number.end)
        ):
            value = number.value * 10000
            self._emit_framed(frame, start, part.end, value, value, part, "date")
        else:
            value = number.value * part.factor
            if part.bare and number.kind in _BARE_KINDS:
                self._parts[len(self._found)] = part
            self._emit_framed(frame, start, part.end, value, value, part)

    def _pair(self, part: Part, frame: Frame | None) -> None:
        """135/85: the two numbers stay side by side; a blood pressure is one without its unit."""
        first, second = part.number.value, part.number.second
        assert first is not None
        assert second is not None
        unit = part.unit or NO_UNIT
        if part.bare and 60 <= first <= 300 and 30 <= second <= 200:
            unit = Unit("pressure", Fraction(1), "mmHg")
        self._emit_framed(
            frame, part.number.start, part.end, first * unit.factor, second * unit.factor,
            replace(part, unit=unit), "ratio",
        )  # fmt: skip

    def _proportion(self, part: Part, frame: Frame | None) -> bool:
        """« un sur dix », « 1 patient sur 10 », « 4 fois sur 5 », « un jour sur deux »."""
        number = part.number
        day = part.unit is not None and part.unit.dimension in {"time", "calendar"} and not part.per
        times = part.unit is not None and part.unit.base == "fois" and not part.per
        if number.value is None or number.kind in {"pair", "fraction"}:
            return False
        if not (part.bare or day or times):
            return False
        found = ON.match(self._low, part.end)
        if not found or (day and (found["what"] or number.value != 1)):
            return False
        at = found.end()
        other = read_digits(self._low, at) if self._low[at].isdigit() else read_words(self._low, at)
        if (
            other is None
            or not other.value
            or other.kind not in _BARE_KINDS
            or other.value < number.value
        ):
            return False
        if read_unit(self._text, self._low, other.end) and not day:
            return False
        if day:
            value = other.value * part.factor
            self._emit_framed(frame, number.start, other.end, value, value, part, "interval")
        else:
            value = number.value / other.value * 100
            self._emit_framed(frame, number.start, other.end, value, value, part, "percent")
        return True

    def _take_frame(self, start: int) -> Frame | None:
        frame, self._frame = self._frame, None
        if frame and comparators.gap_end(self._low, frame.end) >= start >= frame.end:
            return frame
        return None

    def _emit_framed(
        self, frame: Frame | None, start: int, end: int,
        low: Fraction | None, high: Fraction | None,
        part: Part, dimension: str = "", unit: str = "",
    ) -> None:  # fmt: skip
        """Emit with the comparator that stands before or after the number."""
        sign, shape = (frame.sign, frame.shape) if frame else ("", "")
        start = frame.start if frame else start
        base, per = unit, part.per
        if not dimension:
            dimension, base = _dimension(part, unit)
        elif dimension in {"percent", "ratio", "interval"}:
            base = "%" if dimension == "percent" else part.unit.base if part.unit else ""
            per = per if dimension == "ratio" else ()
        if shape == "tous" and dimension in {"time", "calendar"}:
            dimension = "interval"
        near = self._near(start, end)
        if shape == "±" or near:
            dimension, end = f"±{dimension}", near or end
        times = self._times(shape, dimension, base, per, end)
        if times:
            less, end = times
            dimension, base, per = "factor", "×", ()
            if less and low and high:
                low, high = 1 / high, 1 / low
        if part.number.kind == "about" and not sign:
            sign = "≈"
        suffix = None if sign else comparators.read_suffix(self._low, end)
        if suffix and not self._number_follows(suffix[1]):
            sign, end = suffix
        self._emit(start, end, low, high, dimension, base, per, sign)

    def _near(self, start: int, end: int) -> int:
        """Where « 48 heures, à 12 heures près » ends; 0 when the amount is no margin."""
        if not self._found or not self._low[:start].endswith(" a "):
            return 0
        found = _NEAR.match(self._low, end)
        return found.end() if found else 0

    def _times(
        self, shape: str, dimension: str, base: str, per: tuple[str, ...], end: int
    ) -> tuple[bool, int] | None:
        """(divides, end) of « multiplié par 2 », « deux fois plus », « 3 fois moins »."""
        if shape in {"×", "÷"}:
            return shape == "÷", end
        if dimension == "count" and base == "fois" and not per:
            more = _TIMES_MORE.match(self._low, end)
            if more:
                return more.group().strip()[0] in "mi", more.end()
        return None

    def _number_follows(self, at: int) -> bool:
        rest = self._low[at : at + 14].lstrip(" \n").removeprefix("de ").removeprefix("d'")
        word = re.match(r"[a-z]+", rest)
        return rest[:1].isdigit() or bool(word and word.group() in NUMERALS)

    def _emit(
        self, start: int, end: int, low: Fraction | None, high: Fraction | None,
        dimension: str, unit: str, per: tuple[str, ...], sign: str = "",
    ) -> None:  # fmt: skip
        self._found.append(
            Quantity(
                start=start, end=end, low=low, high=high, comparator=sign, dimension=dimension,
                unit=unit, per=per, text=self._source[start:end],
            )
        )  # fmt: skip
        self._pos = self._last_end = end
        self._frame = None

    def _share_units(self) -> None:
        """« 5, 10 ou 20 mg »: a bare number takes the unit of the one it is listed with."""
        shared = False
        for index in range(len(self._found) - 2, -1, -1):
            part, after = self._parts.get(index), self._found[index + 1]
            quantity = self._found[index]
            join = _LIST.fullmatch(self._low, quantity.end, after.start) if part else None
            margin = after.dimension.startswith("±")
            if part and margin:
                join = _SPACE.fullmatch(self._low, quantity.end, after.start)
            dimension = after.dimension.removeprefix("±")
            kind = dimension.split("/")[0]
            listed = join is not None and (margin or shared or not join["comma"])
            ok = listed and kind in _EXACT
            value = part.number.value if part else None
            source = self._parts.get(index + 1) if shared else None
            factor = source.factor if source else self._factor_of(index + 1)
            if not ok or value is None or factor is None or part is None:
                shared = False
                continue
            bound = value * factor
            self._found[index] = replace(
                quantity, dimension=dimension, unit=after.unit, per=after.per,
                low=bound, high=bound,
            )  # fmt: skip
            self._parts[index] = replace(part, factor=factor)
            shared = True

    def _spread_times(self) -> None:
        """« 2 × 500 mg/j » is 500 mg, twice a day; « 80 < x < 100 mL/min » has one unit."""
        for index, (one, two) in enumerate(itertools.pairwise(self._found)):
            gap = self._low[one.end : two.start]
            if one.comparator in {">", ">="} and two.comparator in {"<", "<="}:
                part = self._parts.get(index)
                if part and part.number.value is not None and self._text[one.end - 1] in "<≤=":
                    factor = self._factor_of(index + 1) or Fraction(1)
                    value = part.number.value * factor
                    self._found[index] = replace(
                        one, low=value, high=value, dimension=two.dimension, unit=two.unit,
                        per=two.per,
                    )  # fmt: skip
                continue
            spoken = (one.dimension, one.unit) == ("count", "fois")
            crossed = _TIMES.fullmatch(gap) if spoken else _CROSS.fullmatch(gap)
            plain = spoken or (not one.dimension and not one.per)
            repeated = crossed and plain and (one.low or 0) > 1
            if repeated and two.dimension.endswith("/time") and not two.comparator:
                self._found[index] = replace(one, dimension="frequency", unit="", per=two.per[-1:])
                self._found[index + 1] = replace(
                    two, dimension=two.dimension.removesuffix("/time"), per=two.per[:-1]
                )

    def _factor_of(self, index: int) -> Fraction | None:
        quantity = self._found[index]
        written = re.search(
            r"(?:^|[\d\s]|(?<=[a-z]) )([%‰°]|[a-zA-Zµ][^\d]*)$",
            self._text[quantity.start : quantity.end],
        )
        if not written:
            return None
        reading = read_unit(self._text, self._low, quantity.start + written.start(1))
        return reading.factor if reading else None


def _dimension(part: Part, unit: str) -> tuple[str, str]:
    """(dimension, canonical unit) of a number with its unit."""
    kind, base, per = part.family
    time_only = len(per) == 1 and per[0].split()[-1] in {
        "jour", "heure", "minute", "seconde", "semaine", "mois", "an", "nuit",
        "trimestre", "semestre",
    }  # fmt: skip
    occasions = kind == "count" and (
        base in {"fois", "battement"} or (base in {"prise"} and per == ("jour",))
    )
    if time_only and (kind == "" or occasions):
        return "frequency", unit
    if per == ("L",) and (
        kind in {"", "giga"} or (kind == "count" and base in {"cellule", "globule"})
    ):
        return "count/volume", unit
    return "/".join([kind, *(_PER_DIMENSION.get(p.split()[-1], p) for p in per)]), unit or base
