"""Whom the words of a sentence belong to, where several values or drugs stand side by side.

« 5 mg chez l'adulte, 2 mg chez l'enfant »: each condition belongs to the value before it. The
words between two items are cut at their strongest, last delimiter; what stands before the first
item is shared as long as the next ones have no such words of their own.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ancremed_desktop.pipeline.rules.model import Statement
from ancremed_desktop.text.clauses import Role

_THEN = frozenset({"puis", "ensuite"})
_AGAINST = frozenset({"mais", "tandis", "versus", "contre"})
_AMONG = frozenset({"plus", "moins", "davantage", "au"})
_EQUALS = ("correspond", "equiva", "vaut", "valent")
_LINKS = frozenset("et ou puis ensuite".split())
_LEADS_ON = frozenset("a au aux en par pour dans sur tous toutes jusqu jusque".split())
_AGREES = ("ee", "ees", "ie", "ies", "ue", "ues")
"""Ends of participles that agree with a subject said before."""
_LIST = frozenset("et ou a au aux le la les l de du d".split())
_OF = frozenset("de d du des l la le les un une".split())
_VERBS = frozenset(
    "est sont doit doivent peut peuvent etre sera seront dure durent a ont recoit recoivent prend "
    "prennent donne donnent associe associent comporte comportent necessite impose imposent "
    "permet permettent expose exposent augmente augmentent diminue diminuent provoque entraine "
    "repose consiste comprend utilise attribue correspond releve relevent debute commence devient "
    "reste survient apparait majore double protege neutralise contient apporte represente traduit "
    "temoigne definit fait font".split()
)
_LEADING = frozenset("en chez pour dans sous si lors apres avant au a entre devant selon".split())
_PRONOUNS = frozenset("il ils elle elles celui celle ceux celles".split())
_RECORDS = re.compile(r"[;.\n•]")
_RECORD, _THEN_RANK, _COMMA, _COLON, _JOIN = 5, 4, 3, 2, 1


@dataclass(frozen=True, slots=True)
class Owners:
    """``of[i]``: which items word ``start + i`` may belong to; ``then``: items after a « puis »."""

    start: int
    of: tuple[frozenset[int], ...]
    then: frozenset[int]

    def owns(self, item: int, word: int) -> bool:
        """Whether ``word`` may belong to ``item``; words of other sentences may."""
        at = word - self.start
        return not 0 <= at < len(self.of) or item in self.of[at]


def owners(
    statement: Statement,
    items: tuple[tuple[int, int], ...],
    sentence: int,
    *,
    strict: bool = False,
    amounts: bool = True,
) -> Owners:
    """Owners of the words of a sentence among ``items``, word ranges (first, last) in order.

    ``strict``, for what an assertion claims: what follows the last item is its own whatever the
    others have, and of words that nothing cuts only the one that leads to an item is its own.
    ``amounts``: whether a value beside an item says something of it.
    """
    start, end = _sentence(statement, sentence)
    cuts = [_cut(statement, a[1] + 1, b[0]) for a, b in itertools.pairwise(items)]
    every = frozenset(range(len(items)))
    of = [every] * (end - start)
    own = _Layout(statement, items, cuts, start, end, strict, amounts)
    for item in range(len(items)):
        for word in own.pre(item):
            of[word - start] = own.pre_owners(item, word)
        _fill(of, start, range(items[item][0], items[item][1] + 1), frozenset({item}))
        for word in own.post(item):
            of[word - start] = own.post_owners(item, word)
    if strict:
        for item, cut in enumerate(cuts):
            if cut is None:
                between = range(items[item][1] + 1, items[item + 1][0])
                _fill(of, start, between, frozenset())
                _fill(of, start, _led(statement, between), frozenset({item + 1}))
    for word in own.head():
        of[word - start] = own.head_owners(word)
    then = frozenset(
        i + 1
        for i, cut in enumerate(cuts)
        if cut is not None and statement.keys[cut] in _THEN | {"relais"}
    )
    later = frozenset(range(min(then), len(items))) if then else then
    return Owners(start, tuple(of), later)


def _led(statement: Statement, between: range) -> range:
    """The word that leads to an item with nothing but « de »: « gluconate de calcium »."""
    for word in reversed(between):
        if statement.keys[word] not in _OF:
            return range(word, word + 1)
    return range(0)


def stretch(statement: Statement, word: int) -> range:
    """Words from the last delimiter to ``word``."""
    start = word
    while start > 0 and not _rank(statement, start):
        start -= 1
    return range(start, word)


def _fill(of: list[frozenset[int]], start: int, words: range, owned: frozenset[int]) -> None:
    for word in words:
        of[word - start] = owned


def _sentence(statement: Statement, sentence: int) -> tuple[int, int]:
    inside = [c for c in statement.clauses if c.sentence == sentence]
    return inside[0].start, inside[-1].end


def _rank(statement: Statement, word: int) -> int:
    """How strongly the gap before ``word``, or the word itself, sets apart what follows."""
    after = statement.keys[word + 1] if word + 1 < len(statement.keys) else ""
    if after.isdigit() and statement.keys[max(0, word - 3) : word - 1] in _EVERY:
        return 0  # « tous les 3 ou 4 jours » is one rhythm
    return _ranked(statement.gaps[word], statement.keys[word], after)


_EVERY = (("tous", "les"), ("toutes", "les"))


@lru_cache(maxsize=65536)
def _ranked(gap: str, key: str, after: str) -> int:
    if _RECORDS.search(gap):
        return _RECORD
    if key in _THEN or key in _AGAINST:
        return _THEN_RANK
    if "," in gap:
        return _COMMA
    if ":" in gap:
        return _COLON
    if key in {"et", "ou"} and after not in _AMONG:
        return _JOIN
    return _JOIN if ")" in gap or key.startswith(_EQUALS) else 0


def _cut(statement: Statement, first: int, last: int) -> int | None:
    """First word of what belongs to the item at ``last``; None when nothing cuts the gap."""
    best, at = 0, None
    for word in range(first, last + 1):
        rank = _rank(statement, word)
        if rank and rank >= best:
            best, at = rank, word
    return at


@dataclass(frozen=True, slots=True)
class _Layout:
    """Parts of one sentence around its items."""

    statement: Statement
    items: Sequence[tuple[int, int]]
    cuts: Sequence[int | None]
    start: int
    end: int
    strict: bool
    amounts: bool

    def pre(self, item: int) -> range:
        """Words before an item that lead to it."""
        if item:
            cut = self.cuts[item - 1]
            return range(0) if cut is None else range(cut, self.items[item][0])
        return range(self._lead(), self.items[0][0])

    def _lead(self) -> int:
        word = self.items[0][0]
        while word > self.start and _rank(self.statement, word) < _COLON:
            if self._opens_condition(word):
                break
            word -= 1
        return word

    def _opens_condition(self, word: int) -> bool:
        """« est donné lorsque la systolique atteint … »: what is given is said of all."""
        roles = self.statement.roles
        return roles[word] is Role.CONDITION and roles[word - 1] is Role.CORE

    def post(self, item: int) -> range:
        """Words after an item that follow from it."""
        begin = self.items[item][1] + 1
        if item + 1 < len(self.items):
            cut = self.cuts[item]
            return range(0) if cut is None else range(begin, self._first_comma(begin, cut))
        stop, limit = begin, _COLON
        if begin < self.end and "," in self.statement.gaps[begin] and self._opens(item):
            limit = _RECORD  # « ; de 30 à 65 ans, test … »: the item leads its record
        while stop < self.end and _rank(self.statement, stop) < limit:
            stop += 1
        return range(begin, stop)

    def _opens(self, item: int) -> bool:
        cut = self.cuts[item - 1] if item else None
        return cut is not None and _rank(self.statement, cut) == _RECORD

    def _first_comma(self, begin: int, cut: int) -> int:
        """Where the words next to an item end: a condition set apart may lead to the next one."""
        for word in range(begin, cut):
            apart = "," in self.statement.gaps[word]
            if apart and self.statement.roles[word] is not Role.CORE:
                return word
        return cut

    def head(self) -> range:
        """Words before what leads to the first item."""
        return range(self.start, self._lead())

    def _says(self, words: range) -> bool:
        """Whether some words say something of their item."""
        inside = any(
            m.first in words and (self.strict or not m.neutral) for m in self.statement.mentions
        )
        return inside or (self.amounts and any(v.first in words for v in self.statement.values))

    def _new_record(self, item: int) -> bool:
        """Whether an item opens a record of its own (« ; pieds : 3 mois », « ; en ville, 2 g »)."""
        cut = self.cuts[item - 1]
        if cut is None or _rank(self.statement, cut) < _COMMA:
            return False
        return any(":" in self.statement.gaps[w] for w in range(cut + 1, self.items[item][0] + 1))

    def _goes_on(self, words: range) -> bool:
        """« …, poursuivie pendant … »: a participle goes on about the subject before."""
        content = [w for w in words if self.statement.keys[w] not in _LINKS]
        first = self.statement.keys[content[0]] if content else ""
        if any(self.statement.keys[w] in _PRONOUNS for w in words):
            return True
        return first[:1].isdigit() or first in _LEADS_ON or first.endswith(_AGREES)

    def _explained(self, item: int) -> bool:
        """« contrôlé à J4 et J7 : une baisse entre J4 et J7 »: the subject stays the same."""
        cut = self.cuts[item - 1]
        return cut is not None and _rank(self.statement, cut) == _COLON

    def _has_verb(self, words: range) -> bool:
        return any(
            self.statement.keys[w] in _VERBS and self.statement.roles[w] is Role.CORE for w in words
        )

    def pre_owners(self, item: int, word: int) -> frozenset[int]:
        """The item and those after it that nothing else leads to.

        A verb that the next ones leave out is theirs too (« A est arrêté 5 jours avant, B 7 »).
        """
        last = item + 1
        while last < len(self.items) and not (self.strict and self.cuts[last - 1] is None):
            before = self.pre(last)
            gapped = not self._has_verb(before) and self._has_verb(
                range(self.pre(item).start, word + 1)
            )
            subject = self._has_verb(range(word, self.items[item][0]))
            shared = gapped or (subject and self._goes_on(before)) or self._explained(last)
            if self._says(before) and not shared:
                break
            last += 1
        return frozenset(range(item, last))

    def post_owners(self, item: int, word: int) -> frozenset[int]:
        """The item alone, unless it is the last one and speaks for all.

        A subject that the next item leaves out is its own too (« dans le type 2, l'examen est
        fait au diagnostic ; dans le type 1, trois ans après »).
        """
        owned = {item}
        if item and (self._bracketed(item, word) or self._equated(item, word)):
            return frozenset(owned)
        rest = range(max(word - 1, self.post(item).start), self.post(item).stop)
        if item + 1 < len(self.items) and self._has_verb(rest):
            following = (self.pre(item + 1), self.post(item + 1))
            if not any(map(self._has_verb, following)):
                owned.add(item + 1)
        for later in range(item + 1, len(self.items)):
            near = (*self.pre(later), *self.post(later))
            if not any(self.statement.keys[w] in _PRONOUNS for w in near):
                break
            owned.add(later)  # « 3 jours si les critères sont réunis, 5 jours s'ils … »
        if item + 1 < len(self.items) or self.strict or self._apart():
            return frozenset(owned)
        return frozenset(range(len(self.items)))

    def _bracketed(self, item: int, word: int) -> bool:
        """« INR < 1,5 (< 1,2 en cas de neurochirurgie) »: the case is that of the second only."""
        first, last = self.items[item]
        if "(" not in self.statement.gaps[first]:
            return False
        return not any(")" in self.statement.gaps[w] for w in range(last + 1, word + 1))

    def _equated(self, item: int, word: int) -> bool:
        """« 220 mg, soit 110 mg deux fois par jour »: twice a day is the second, the case is both."""
        cut = self.cuts[item - 1]
        told = cut is not None and self.statement.keys[cut] == "soit"
        return told and self.statement.roles[word] is Role.CORE

    def _apart(self) -> bool:
        """Whether what follows the last item is its own: others have words of their own."""
        earlier = [
            [self.statement.keys[w] for w in self.post(i)] for i in range(len(self.items) - 1)
        ]
        if earlier and all(keys in (["avant"], ["apres"]) for keys in earlier):
            return False  # « 1 heure avant ou 2 heures après le repas »
        if any(self._says(self.post(i)) for i in range(len(self.items) - 1)):
            return True
        if len(self.items) > 1 and self._listed(len(self.items) - 1):
            return False
        cut = self.cuts[-1] if self.cuts else None
        return cut is not None and (
            self.statement.keys[cut] == "ou" or _rank(self.statement, cut) == _RECORD
        )

    def _listed(self, item: int) -> bool:
        """« du deuxième ou troisième degré non appareillé »: two members of one list."""
        between = range(self.items[item - 1][1] + 1, self.items[item][0])
        return all(self.statement.keys[w] in _LIST for w in between)

    def head_owners(self, word: int) -> frozenset[int]:
        """All items up to one that opens a record, or that has a rival of this word before it."""
        listed = any(":" in self.statement.gaps[w] for w in range(word + 1, self._lead() + 1))
        owned = {0}
        for item in range(1, len(self.items)):
            if self._new_record(item) or self._rivalled(item, word):
                break
            if not listed and self._parallel(item):
                break
            owned.add(item)
        return frozenset(owned)

    def _parallel(self, item: int) -> bool:
        """« En automesure, 135/85 ; en ambulatoire, 130/80 »: each lead has its own value."""
        cut = self.cuts[item - 1]
        return (
            cut is not None
            and _rank(self.statement, cut) == _RECORD
            and self.statement.keys[cut] in _LEADING
            and self.statement.keys[self.start] in _LEADING
        )

    def _rivalled(self, item: int, word: int) -> bool:
        before = self.pre(item)
        roles = self.statement.roles
        if roles[word] is Role.CONDITION and any(
            roles[w] is Role.CONDITION and self.statement.keys[w] in _LEADING for w in before[:2]
        ):
            return True
        axes = {a for m in self.statement.every if m.first == word for a in m.axes}
        kinds = {a for a, _ in axes}
        return any(
            a in kinds and (a, m) not in axes
            for mention in self.statement.mentions
            if mention.first in before
            for a, m in mention.axes
        )
