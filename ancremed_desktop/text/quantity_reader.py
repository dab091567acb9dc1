"""Read the quantities of a text from left to right, in one pass."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from ancremed_desktop.text import comparators, labels
from ancremed_desktop.text.fixed_names import is_fixed_name
from ancremed_desktop.text.numbers import NUMERALS, ORDINALS, Number, read_digits, read_words
from ancremed_desktop.text.quantity import COMPARATORS, Quantity
from ancremed_desktop.text.quantity_emitter import ON, Frame, QuantityEmitter
from ancremed_desktop.text.quantity_parts import Part
from ancremed_desktop.text.units import Unit, read_unit

_LETTER = r"[^\W\d_⁰¹²³⁴-⁹₀-₉¼½¾⅐-⅞]"
_TOKEN = re.compile(rf"(?P<word>{_LETTER}+)|(?P<digit>[\d¼½¾⅐-⅞])|(?P<sign>[<>≤≥≈~≃±]|=[<>]|\+/-)")
_NAME_NEXT = re.compile(r"[-.]?(?: ?\d|[₀-₉])|(?:-[a-z]{1,12}){1,3}-?\d|\. ?\d|[ -]?\d")
# « 1-0-1 »: morning, noon, evening.
_SCHEDULE = re.compile(r"\d{1,2}(?:-\d{1,2}){2,5}(?![\d-])")
_METRE_EXPONENT = re.compile(r"[ /cdm]m[23](?![\w.,])")
_WEEKS_PLUS = re.compile(r"(\d{1,2}) ?\+ ?([0-6]) ?(?:sa\b|semaines? d'amenorrhee)")
_DAILY = re.compile(
    r"matin,?(?P<noon>(?: et)? midi,?)? et (?:le )?soir|matin, (?P<noon2>midi,?) (?:et"
    r" )?(?:le )?soir"
)
_RHYTHM = re.compile(r"(?:\bchaque|\bpar|\btou(?:te)?s les)[ \n]$")
_WITHIN_THE = re.compile(r"\bdans l'$")
_HALF_OF = re.compile(r"(?:demi|demie)[- ](?=[a-z])")
_THIRD = re.compile(r"(tiers|quarts?)(?=[ \n](?:de|des|du|a|au)\b|[ \n]d'|\s*(?:$|[.;),]))")
_QUARTER_HOUR = re.compile(r"(?:un |trois )?quarts? d'heure")
_DOUBLE = re.compile(r"(doubl|tripl|quadrupl|quintupl|decupl)(?:er|ee|ees|es|ent|ement|ant|e)\b")
_DOUBLE_NOUN = re.compile(
    r"(?:double|triple|quadruple)(?=[ \n](?:de|du|des|dose)\b|[ \n]d'|\s*(?:$|[.;),]))"
)
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_BETWEEN_SIGNS = re.compile(r" ?[a-z][a-z+ ]{0,24}[<>≤≥]")
_MULTIPLES = {"doubl": 2, "tripl": 3, "quadrupl": 4, "quintupl": 5, "decupl": 10}
_OR = re.compile(r"[ \n]ou[ \n]")
_NINE_NOUN = re.compile(
    r"[ \n](?!et\b|ou\b|a\b|de\b|des?\b|"
    r"qui\b|pour\b(?! (?:cent|mille|100))|en\b|dans\b|est\b)[a-zµ%\d]"
)
_SECOND_NOUN = re.compile(r" (?!apres|plus|avant|par|et\b|ou\b|a\b|environ|de\b|d'|suffi)[a-z]")
_COUNTS_ALONE = frozenset({"comprime", "gelule", "capsule", "ampoule", "flacon", "sachet", "goutte",
                           "bouffee",                            "suppositoire", "fois",
                           "cuilleree", "cuillere", "unidose", "cigarette",
                           "verre"})  # fmt: skip


class QuantityReader(QuantityEmitter):
    """One reading of one text; ``read`` returns its quantities in order."""

    def read(self) -> tuple[Quantity, ...]:
        """All quantities, in order, not overlapping."""
        low = self._low
        tokens = _TOKEN.finditer(low)
        while (token := next(tokens, None)) is not None:
            start, end = token.span()
            self._pos = end
            kind = token.lastgroup
            if kind == "word":
                word = token.group()
                after = low[end : end + 1]
                if word in _TELLING or after in {"-", "."} or after.isdigit():
                    self._on_word(word, start, end)
            elif kind == "digit":
                self._on_digit(start)
            else:
                self._on_sign(start)
            if self._pos > end:  # more was read than the token
                tokens = _TOKEN.finditer(low, self._pos)
        self._share_units()
        self._spread_times()
        return tuple(self._found)

    def _on_sign(self, start: int) -> None:
        found = comparators.read_sign(self._low, start)
        if found and not self._bounds_last(found[0], start, found[1]):
            self._set_frame(found[0], start, found[1])

    def _bounds_last(self, sign: str, start: int, end: int) -> bool:
        """« 4 ≤ INR < 6 »: the first sign bounds the number before it, turned round."""
        turned = _MIRRORED.get(sign)
        if (
            not turned
            or not self._follows_number(start)
            or not _BETWEEN_SIGNS.match(self._low, end)
        ):
            return False
        last = self._found[-1]
        if last.comparator or last.low is None:
            return False
        self._found[-1] = replace(
            last, comparator=turned, end=end, text=self._source[last.start : end]
        )
        self._pos = self._last_end = end
        return True

    def _follows_number(self, start: int) -> bool:
        return bool(self._found) and not self._low[self._found[-1].end : start].strip()

    def _set_frame(self, sign: str, start: int, end: int) -> None:
        if sign == "±" and not self._follows_number(start):
            sign = "≈"  # « plus ou moins 12 heures » of no other number
        shape = "" if sign in COMPARATORS else sign
        sign = "" if shape else sign
        last = self._frame
        if last and comparators.gap_end(self._low, last.end) >= start:
            # « au moins environ 3 », « jusqu'à un maximum de 3 »: the first comparator rules.
            sign, shape, start = last.sign or sign, shape or last.shape, last.start
        self._frame = Frame(sign, shape, start, end)
        self._pos = end

    def _on_word(self, word: str, start: int, end: int) -> None:
        low = self._low
        if word in labels.STAGE_WORDS and self._stages(word, end):
            return
        if end < len(low) and (low[end].isdigit() or low[end] in "-.₀₁₂₃₄₅₆₇₈₉ "):
            if word in labels.RANK_WORDS and not _RHYTHM.search(low, max(0, start - 9), start):
                # « chaque jour 5 mg » is no fifth day
                if self._add_labels(labels.read_ranks(low, word, end)):
                    return
            if word in labels.REFERENCE_WORDS and self._references(end):
                return
            if low[end] != " " and self._name(word, start):
                return
        if word in labels.MONTH_WORDS:
            date = labels.read_date(low, start)
            if date:
                self._add_labels([date])
                return
        handler = _HANDLERS.get(word)
        if handler:
            handler(self, start, end)
        elif word in NUMERALS:
            self._numeral_words(word, start)
        elif word in ORDINALS:
            self._ordinal_word(word, start, end)
        elif word in comparators.FIRST_WORDS:
            found = comparators.read_phrase(low, start)
            if found:
                self._set_frame(found[0], start, found[1])
        elif word == "des" and self._source[start + 1] in "èÈ":
            self._set_frame(">=", start, end)

    def _on_digit(self, start: int) -> None:
        low = self._low
        if _METRE_EXPONENT.match(low, max(0, start - 2)) and is_fixed_name(
            self._source, start, start + 1
        ):
            return
        date = labels.read_date(low, start)
        if date:
            self._add_labels([date])
            return
        weeks = _WEEKS_PLUS.match(low, start)
        if weeks:
            value = Fraction(int(weeks[1]) * 7 + int(weeks[2]))
            self._emit(start, weeks.end(), value, value, "gestation", "j SA", ())
            return
        chain = _SCHEDULE.match(low, start)
        if chain:
            self._emit(start, chain.end(), None, None, "schedule", chain.group(), ())
            return
        number = read_digits(low, start)
        if number is None:
            return
        number = self._signed(number)
        if number.value is None and number.kind == "code":
            self._emit(start, number.end, None, None, "reference", low[start : number.end], ())
            return
        if number.kind == "ordinal":
            self._ordinal(number)
            return
        part = self._part(number)
        if part.bare and number.kind == "integer" and self._leading_name(part):
            return
        self._quantity(part)

    def _numeral_words(self, word: str, start: int) -> None:
        number = read_words(self._low, start)
        if number is None:
            return
        if word == "neuf" and number.end == start + 4 and not self._nine(start, number.end):
            return
        if number.kind == "fraction" and self._low[max(0, start - 10) : start].endswith(
            ("demande d'", "par ")
        ):
            self._pos = number.end
            return
        part = self._part(number)
        if number.kind == "article" and not self._counts(part):
            return
        self._quantity(part)

    def _nine(self, start: int, end: int) -> bool:
        """« neuf » counts before a noun or after a comparator; elsewhere it means new."""
        framed = self._frame and comparators.gap_end(self._low, self._frame.end) >= start
        return bool(framed or _NINE_NOUN.match(self._low, end))

    def _counts(self, part: Part) -> bool:
        """Whether « un », « une » is the number one here and not the article."""
        if part.bare:
            return self._opens_a_pair(part)
        if part.unit is None:
            return True
        kind, base = part.unit.dimension, part.unit.base
        if kind == "count":
            return bool(part.per) or base in _COUNTS_ALONE
        written = self._low[part.number.end : part.end].strip()
        if written.startswith("seconde") and _SECOND_NOUN.match(self._low, part.end):
            return False
        return kind not in {"UI", "angle", "charge", "osmole", "normal", "", "deviation"} or (
            "internationale" in written or bool(part.per)
        )

    def _opens_a_pair(self, part: Part) -> bool:
        """« une à deux fois », « un ou deux », « un sur dix »; « un ou une » counts nothing."""
        low, end = self._low, part.number.end
        if self._second(part, between=False) is not None:
            return True
        link = ON.match(low, end) or _OR.match(low, end)
        if link is None or link.end() >= len(low):
            return False
        following = read_words(low, link.end())
        counts = following is not None and following.kind != "article"
        return low[link.end()].isdigit() or counts

    def _leading_name(self, part: Part) -> bool:
        end = part.number.end
        after = self._low[end : end + 2]
        glued = after[:1].isalpha() and after[:1].isascii() and after[:1] != "x"
        hyphen = (
            after[:1] == "-"
            and after[1:].isalpha()
            and not read_unit(self._text, self._low, end + 1)
        )
        if not (glued or hyphen):
            return False
        label = labels.read_leading_name(self._text, part.number.start)
        return bool(label and self._add_labels([label]))

    def _add_labels(self, found: list[labels.Label]) -> bool:
        for label in found:
            frame = self._take_frame(label.start)
            if label.dimension:
                sign = frame.sign if frame else ""
                start = frame.start if frame and sign else label.start
                self._emit(
                    start, label.end, label.low, label.high, label.dimension, label.unit, (), sign
                )
            self._pos = self._last_end = label.end
        return bool(found)

    def _stages(self, word: str, end: int) -> bool:
        return self._add_labels(labels.read_stages(self._text, self._low, word, end))

    def _references(self, end: int) -> bool:
        return self._add_labels(labels.read_references(self._text, end))

    def _name(self, word: str, start: int) -> bool:
        if not _NAME_NEXT.match(self._low, start + len(word)):
            return False
        label = labels.read_name(self._text, start, self._text[start : start + len(word)])
        return bool(label and self._add_labels([label]))

    def _ordinal(self, number: Number) -> None:
        assert number.value is not None
        stage = labels.read_ordinal_stage(self._low, number.value, number.end)
        if stage:
            self._emit(number.start, stage[0], number.value, number.value, "stage", stage[1], ())
            return
        rank = labels.read_ordinal_rank(self._low, number.end)
        end, kind, unit = (rank[0], "rank", rank[1]) if rank else (number.end, "ordinal", "")
        self._emit(number.start, end, number.value, number.value, kind, unit, ())

    def _ordinal_word(self, word: str, start: int, end: int) -> None:
        if word in {"second", "secondes"}:
            return
        self._ordinal(Number(start, end, Fraction(ORDINALS[word]), "ordinal"))

    def _daily(self, start: int, _end: int) -> None:
        found = _DAILY.match(self._low, start)
        if found:
            times = Fraction(3 if found["noon"] or found["noon2"] else 2)
            self._emit(start, found.end(), times, times, "frequency", "", ("jour",))

    def _twice_daily(self, start: int, end: int) -> None:
        self._emit(start, end, Fraction(2), Fraction(2), "frequency", "", ("jour",))

    def _hour(self, start: int, end: int) -> None:
        """« dans l'heure » lasts one hour."""
        if _WITHIN_THE.search(self._low, max(0, start - 8), start):
            self._emit(start, end, Fraction(1), Fraction(1), "time", "h", ())

    def _half(self, start: int, end: int) -> None:
        self._proportion_word(start, end, Fraction(50))

    def _proportion_word(self, start: int, end: int, value: Fraction) -> None:
        part = Part(Number(start, end, value, "words"), None, (), Fraction(1), end)
        self._emit_framed(self._take_frame(start), start, end, value, value, part, "percent")

    def _third(self, start: int, end: int) -> None:
        hour = _QUARTER_HOUR.match(self._low, start)
        if hour:
            part = Part(
                Number(start, hour.end(), Fraction(1, 4), "words"),
                Unit("time", Fraction(1), "h"),
                (),
                Fraction(1),
                hour.end(),
            )
            self._emit_framed(
                self._take_frame(start), start, hour.end(), Fraction(1, 4), Fraction(1, 4), part
            )
            return
        before = self._low[max(0, start - 10) : start]
        if (
            _THIRD.match(self._low, start)
            and re.search(r"\b(?:le|du|au|d'un)[ \n]$", before)
            and "demande" not in before
        ):
            self._proportion_word(start, end, Fraction(100, 3 if self._low[start] == "t" else 4))

    def _demi(self, start: int, end: int) -> None:
        found = _HALF_OF.match(self._low, start)
        if not found:
            return
        if self._low.startswith("dose", found.end()):
            self._proportion_word(start, found.end() + 4, Fraction(50))
            return
        reading = read_unit(self._text, self._low, found.end())
        if reading and reading.unit.dimension in {"time", "count", "volume", "calendar"}:
            number = Number(start, end, Fraction(1, 2), "words")
            self._quantity(Part(number, reading.unit, reading.per, reading.factor, reading.end))

    def _double(self, start: int, _end: int) -> None:
        found = _DOUBLE.match(self._low, start)
        if found and (
            found.group() not in {"double", "triple", "quadruple"}
            or _DOUBLE_NOUN.match(self._low, start)
        ):
            value = Fraction(_MULTIPLES[found[1]])
            self._emit(start, found.end(), value, value, "factor", "×", ())


_HANDLERS: Mapping[str, Callable[[QuantityReader, int, int], None]] = {
    "matin": QuantityReader._daily,
    "biquotidien": QuantityReader._twice_daily,
    "biquotidienne": QuantityReader._twice_daily,
    "heure": QuantityReader._hour,
    "moitie": QuantityReader._half,
    "tiers": QuantityReader._third,
    "quart": QuantityReader._third,
    "quarts": QuantityReader._third,
    "demi": QuantityReader._demi,
} | {
    stem + ending: QuantityReader._double
    for stem in _MULTIPLES
    for ending in ("e", "er", "es", "ee", "ees", "ent", "ement", "ant")
}  # fmt: skip
_TELLING = (
    labels.STAGE_WORDS
    | labels.RANK_WORDS
    | labels.REFERENCE_WORDS
    | labels.MONTH_WORDS
    | comparators.FIRST_WORDS
    | {*_HANDLERS, *NUMERALS, *ORDINALS, "des"}
)
"""Words that may belong to a quantity; others do where a digit or dash of a name follows."""
