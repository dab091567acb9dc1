"""Finds names of persons in a text: by what announces them, by an age, by a first name.

A text is read word by word. How sure an announcement is decides what may follow it: after a title
(« Mme ») or a label (« Nom : ») almost any word is a name; after « patient » or « enfant » a
capital letter is needed and words of medicine are left. Where a whole line is in capitals, capitals
say nothing and its words are taken as small letters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum

from ancremed_desktop.observability.introductions import (
    CARERS,
    GAP,
    LABELS,
    NAMING,
    RELATIVES,
    TITLES,
)
from ancremed_desktop.observability.people_text import Word, read_words
from ancremed_desktop.observability.people_words import people_words

_SPACE = re.compile(rf"{GAP}*")
_SPACE_ONLY = re.compile(rf"{GAP}+")
_COLON = re.compile(rf"(?:\(e\))?{GAP}*[:=|]{GAP}*")
_NEXT_LINE = re.compile(rf"{GAP}*[:=|]?{GAP}*(?:\r?\n{GAP}*){{1,2}}")
_COMMA = re.compile(rf"{GAP}*,{GAP}*")
_AND = re.compile(rf"{GAP}*,?{GAP}+(?:et|ou|&){GAP}+", re.I)
_OPEN = re.compile(rf"\.?{GAP}*[(«\"“]{GAP}*")
_AGE = re.compile(rf"{GAP}*[,(]?{GAP}*\d{{1,3}}{GAP}*(?:ans|mois)\b", re.I)
_BORN = re.compile(rf"{GAP}*[,(]?{GAP}*(?:n[ée]e?{GAP}+le{GAP}+)?\[DATE", re.I)
"""Dates are masked before names are looked for."""
_DOSE = re.compile(rf"{GAP}*\d[\d ,.]*{GAP}*(?:mg|g|µg|mcg|UI|ml|%)(?!\w)", re.I)
_AFTER_NUMBER = re.compile(r"\d[ \u00a0\u202f]?$")
_CLOSES = re.compile(r"[^\n()»\"”]{1,60}[)»\"”]")
_JOINED = re.compile(rf"{GAP}*")

_PARTICLES = frozenset("de du des le la les d' l' van von der den el al ben bin da dos di".split())
_PLURAL = frozenset("mm mmes mlles melles messieurs mesdames drs docteurs docteures".split())
_OF_CARERS = frozenset("traitant traitante referent referente correspondant correspondante".split())
_OF_LABELS = frozenset(
    "de d' naissance famille jeune fille usage marital complet et nom noms prenom prenoms".split()
)
_SHORT = frozenset("prof pte mlle mme".split())
_DETERMINERS = frozenset("l' d' le la cet cette mon ma son sa notre votre leur un une".split())
_FIELDS = frozenset(
    "nom noms prenom prenoms date ne nee ddn sexe age tel telephone adresse ipp nip nda iep ins nir "
    "dossier poids taille motif mail courriel medecin service numero".split()
)
_NOT_NAMING = frozenset({"ne", "nes", "pr", "me"})
"""Without an accent or a capital they are other words: « il ne Boit pas »."""
_MOST_WORDS = 8


class _Sure(IntEnum):
    """How far an announcement is trusted."""

    LABEL = 4
    TITLE = 3
    NAMING = 2
    KIN = 1
    FIRST = 0
    """Only a first name is one: « fils : michel », not « Enfant : Posologie »."""


@dataclass(frozen=True, slots=True)
class _Announced:
    """What stands before a name: ``first``: place of the first word after it."""

    sure: _Sure
    first: int
    plural: bool = False


def names_in(text: str) -> tuple[tuple[int, int], ...]:
    """Ranges of the text that name persons, in order, never overlapping."""
    return _Reader(text).names()


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._known = people_words()
        self._words = read_words(text)
        self._found: list[tuple[int, int]] = []
        self._taken: set[int] = set()

    def names(self) -> tuple[tuple[int, int], ...]:
        place = 0
        while place < len(self._words):
            announced = self._announced(place)
            place = self._announced_names(announced) if announced else place + 1
        self._unannounced()
        return tuple(sorted(self._found))

    # What announces a name.

    def _announced(self, place: int) -> _Announced | None:
        word = self._words[place]
        if word.folded in LABELS and (found := self._label(place)):
            return found
        if self._is_title(word):
            return self._title(place)
        if word.text == "Me" or (word.folded in NAMING and word.text not in _NOT_NAMING):
            return self._after(place, _Sure.NAMING)
        if word.folded in RELATIVES:
            # In capitals it may be of the name of a drug (« X ENFANT »), unless determined.
            loud = word.text.isupper()
            if loud and not (place and self._words[place - 1].folded in _DETERMINERS):
                return None
            near = self._after(place, _Sure.KIN, colon=False)
            return near or self._after(place, _Sure.FIRST)
        if word.folded in CARERS:
            if place + 1 < len(self._words) and self._words[place + 1].folded in _OF_CARERS:
                place += 1
            return self._after(place, _Sure.KIN)
        return None

    def _is_title(self, word: Word) -> bool:
        follows = self._text[word.end : word.end + 1]
        if word.folded in {"m", "mm"}:
            if follows != ".":
                return word.text == "M" and not word.shouted
            after_number = _AFTER_NUMBER.search(self._text[max(0, word.start - 3) : word.start])
            return word.text[0] == "M" or not after_number
        return word.folded in TITLES

    def _title(self, place: int) -> _Announced | None:
        word = self._words[place]
        dotted = self._text.startswith(".", word.end)
        start = word.end + dotted
        if place + 1 >= len(self._words):
            return None
        following = self._words[place + 1]
        gap = self._text[start : following.start]
        colon = _COLON.fullmatch(gap)
        if not (colon or _SPACE.fullmatch(gap)) or (not gap and not dotted):
            return None
        if word.text == "M" and not dotted and not following.capital:
            return None
        if dotted and word.text == "M" and following.text in self._known.species:
            return None
        return _Announced(_Sure.TITLE, place + 1, plural=word.folded in _PLURAL)

    def _label(self, place: int) -> _Announced | None:
        """« Nom de naissance : », « Prénom » alone on its line: the name may be on the next one."""
        alone = not place or "\n" in self._gap(place - 1)
        while place + 1 < len(self._words) and self._words[place + 1].folded in _OF_LABELS:
            place += 1
        if place + 1 >= len(self._words):
            return None
        gap = self._gap(place)
        if _COLON.fullmatch(gap) or (_NEXT_LINE.fullmatch(gap) and (alone or ":" in gap)):
            return _Announced(_Sure.LABEL, place + 1)
        return None

    def _after(self, place: int, sure: _Sure, *, colon: bool = True) -> _Announced | None:
        if place + 1 >= len(self._words):
            return None
        gap = self._gap(place)
        if self._near(place) or re.fullmatch(rf"\(e\){GAP}+", gap):
            plural = self._words[place].folded in {"patients", "patientes"}
            kind = _Sure.KIN if plural else sure
            return _Announced(kind, place + 1, plural=plural)
        if colon and (_COLON.fullmatch(gap) or (":" in gap and _NEXT_LINE.fullmatch(gap))):
            return _Announced(sure, place + 1)
        return None

    # The name itself.

    def _announced_names(self, announced: _Announced) -> int:
        """Take what follows; returns the place to read on from."""
        place = announced.first
        end = self._name(place, announced.sure)
        if end == place:
            return place
        self._take(place, end)
        while (found := self._next_of(end, announced)) is not None:
            end = found
        return end

    def _next_of(self, place: int, announced: _Announced) -> int | None:
        """Place after a further name of one announcement: listed, after « et », in brackets."""
        if place >= len(self._words):
            return None
        gap, sure = self._gap(place - 1), announced.sure if announced.plural else _Sure.KIN
        if place + 1 < len(self._words) and _AND.fullmatch(
            self._text, self._words[place - 1].end, self._words[place + 1].start
        ):
            place += 1
        elif not (announced.plural and _COMMA.fullmatch(gap)):
            inside = _OPEN.fullmatch(gap) and _CLOSES.match(self._text, self._words[place].start)
            if not inside:
                return None
        if self._announced(place):
            return None
        end = self._name(place, sure)
        if end == place:
            return None
        self._take(place, end)
        return end

    def _name(self, place: int, sure: _Sure) -> int:
        """Place after the name that begins here; ``place`` when none does."""
        first = self._past_particles(place)
        if not self._begins(first, sure):
            return place
        end = first + 1
        while end < len(self._words) and end - place < _MOST_WORDS:
            core = self._past_particles(end)
            if not (self._near(end - 1) and self._goes_on(core, sure)):
                break
            end = core + 1
        return end

    def _begins(self, place: int, sure: _Sure) -> bool:
        if place >= len(self._words) or self._is_field(place):
            return False
        word, known = self._words[place], self._known
        if sure is _Sure.FIRST:
            return self._first_name(place)
        if self._is_title(word):
            return False
        if sure is _Sure.TITLE and (
            self._is_initial(place) or (word.capital and len(word.text) == 1)
        ):
            return True  # « M. D. », « dr a. petit »
        if word.folded in known.function or (not word.capital and word.folded in known.followers):
            return False
        if sure is _Sure.LABEL:
            return True
        if sure is _Sure.TITLE:
            return word.capital or not (known.clinical(word.text) or known.is_plain(word.text))
        if sure is _Sure.KIN and (len(word.text.strip(".")) == 1 or self._is_short_form(word)):
            return False
        if not word.capital and not word.shouted:
            return sure is _Sure.NAMING and self._paired(place)
        plain = known.is_plain(word.text) if word.shouted else word.folded in known.followers
        return not (plain or self._clinical(place))

    def _is_short_form(self, word: Word) -> bool:
        """« un père AB », « les patients ICD »: initials of a thing more than of a person."""
        short = len(word.text) <= 3 and word.text.isupper() and not word.shouted
        return short and not self._known.is_plain_name(word.text)

    def _goes_on(self, place: int, sure: _Sure) -> bool:
        """Whether a word is of the name before it."""
        if place >= len(self._words) or self._is_field(place) or self._clinical(place):
            return False
        word, known = self._words[place], self._known
        if word.folded in known.function or self._is_title(word) or word.folded in NAMING:
            return False
        if word.capital:
            return True
        if known.is_plain(word.text):
            return False
        loud_label = word.shouted and sure is _Sure.LABEL
        aged = _AGE.match(self._text, word.end)
        after = self._first_name(place - 1) or (sure is _Sure.TITLE and self._is_initial(place - 1))
        return loud_label or bool(aged) or self._paired(place) or after

    def _is_initial(self, place: int) -> bool:
        word = self._words[place]
        return len(word.text) == 1 and self._text.startswith(".", word.end)

    def _past_particles(self, place: int) -> int:
        """Place of the word that particles (« de la », « Van der ») lead to; else ``place``."""
        for at in range(place, min(place + 4, len(self._words))):
            if self._words[at].folded not in _PARTICLES:
                return at
            if at + 1 >= len(self._words) or not _JOINED.fullmatch(self._gap(at)):
                return place
        return place

    def _is_field(self, place: int) -> bool:
        word = self._words[place]
        return word.folded in _FIELDS and bool(_COLON.match(self._text, word.end))

    def _first_name(self, place: int) -> bool:
        word = self._words[place]
        return self._known.is_first_name(word.folded if word.shouted else word.text)

    def _paired(self, place: int) -> bool:
        """A first name, or a word before one."""
        if self._first_name(place):
            return True
        following = place + 1
        return following < len(self._words) and self._near(place) and self._first_name(following)

    def _clinical(self, place: int) -> bool:
        word = self._words[place]
        return self._known.clinical(word.text) or bool(_DOSE.match(self._text, word.end))

    # Names that nothing announces.

    def _unannounced(self) -> None:
        """Words with a capital before an age, or with a first name; in small letters, both."""
        place = 0
        while place < len(self._words):
            run, end = self._run(place)
            if listed := self._listed(run, end):
                end = listed
            if listed or self._names_somebody(run):
                self._take(place, end)
                place = end
            else:
                place += 1

    def _run(self, place: int) -> tuple[list[int], int]:
        """Places of the words from here that may be of one name, and the place after them."""
        run: list[int] = []
        end = place
        while end < len(self._words) and len(run) < _MOST_WORDS:
            core = end
            if run and (self._words[end].capital or self._first_name(run[-1])):
                core = self._past_particles(end)
            near = not run or self._near(end - 1)
            if core >= len(self._words) or not near or core in self._taken:
                break
            if not self._may_name(core):
                break
            run.append(core)
            end = core + 1
        return run, end

    def _listed(self, run: list[int], end: int) -> int:
        """Place after « Durand, Jean » before an age or a date, as lists of patients write it; or 0."""
        if len(run) != 1 or not self._words[run[0]].text[0].isupper() or end >= len(self._words):
            return 0
        if not (_COMMA.fullmatch(self._gap(end - 1)) and self._first_name(end)):
            return 0
        first = self._words[end]
        told = any(sign.match(self._text, first.end) for sign in (_AGE, _BORN))
        return end + 1 if told and first.text[0].isupper() else 0

    def _may_name(self, place: int) -> bool:
        word, known = self._words[place], self._known
        other = word.folded in known.followers or word.folded in known.function
        return not (other or self._is_title(word) or self._clinical(place))

    def _names_somebody(self, run: list[int]) -> bool:
        words = [self._words[at] for at in run]
        if not words:
            return False
        aged = bool(_AGE.match(self._text, words[-1].end))
        if not all(word.capital for word in words):
            # « vu emma rousseau, 45 ans »: the two words before the age.
            return aged and len(words) == 2 and any(map(self._first_name, run))
        if len(words) < 2:
            before = self._words[run[0] - 1].folded if run[0] else ""
            return aged and before in self._known.persons
        if aged:
            return True
        # In capitals alone it is as often a laboratory (« PIERRE FABRE »), and with initials an
        # author (« Vincent JL »).
        named = any(self._first_name(at) and not self._words[at].text.isupper() for at in run[:2])
        return named and all(len(w.text) > 2 for w in words) and not self._is_eponym(run[0])

    def _is_eponym(self, place: int) -> bool:
        """Whether what bears physicians' names stands just before (« syndrome de »)."""
        before = self._words[max(0, place - 3) : place]
        return any(word.folded in self._known.eponyms for word in before)

    def _near(self, place: int) -> bool:
        """Whether the next word stands beside this one, after the full stop of a short form too."""
        gap = self._gap(place)
        short = len(self._words[place].text.strip(".")) <= 2 or self._words[place].folded in _SHORT
        return bool(_SPACE_ONLY.fullmatch(gap[1:] if short and gap[:1] == "." else gap))

    def _gap(self, place: int) -> str:
        """Text between a word and the next."""
        return self._text[self._words[place].end : self._words[place + 1].start]

    def _take(self, first: int, end: int) -> None:
        self._taken.update(range(first, end))
        self._found.append((self._words[first].start, self._words[end - 1].end))
