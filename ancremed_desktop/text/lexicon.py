"""Synonym families and exclusive axes, matched on folded words (resources/lexicons)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import NamedTuple

from ancremed_desktop.errors import BugError
from ancremed_desktop.text.conjugations import infinitive
from ancremed_desktop.text.normalise import fold

_WORD = re.compile(r"[^\W_]+\*?")
LINK_WORDS = frozenset({"l", "le", "la", "les", "d", "de", "du", "des"})
"""Words that may stand between the words of a form, and are not part of it."""
_SHORTEST_REST = 4


class Hit(NamedTuple):
    """A form found at ``words[start:end]``; ``families`` and ``axes`` (axis, member)."""

    start: int
    end: int
    families: frozenset[str]
    axes: frozenset[tuple[str, str]]


@dataclass(slots=True)
class _Node:
    """Node of the trie of forms: by whole word, by word in any inflection, by word start.

    What a node does not hold is None: most hold one thing, and there are many of them.
    """

    words: dict[str, _Node] | None = None
    lemmas: dict[str, _Node] | None = None
    starts: dict[str, _Node] | None = None
    families: set[str] | None = None
    axes: set[tuple[str, str]] | None = None


@dataclass(frozen=True, slots=True)
class Pieces:
    """Learned roots: ``starts`` the longest first, ``ends`` whole endings, with their families."""

    starts: tuple[tuple[str, str], ...]
    ends: Mapping[str, str]


class Lexicon:
    """Families, axes and neutral words of ``resources/lexicons``, ready for look-up.

    ``classes``: families that name a class of substances; ``substances``: those that name one;
    ``light``: those whose phrases of plain words add nothing; ``loose``: axes whose members hold
    more than synonyms; ``things``: families that name a thing, with their forms.
    """

    def __init__(
        self,
        families: Mapping[str, Sequence[str]],
        broader: Mapping[str, Sequence[str]],
        axes: Mapping[tuple[str, str], Sequence[str]],
        neutral: frozenset[str],
        classes: frozenset[str],
        substances: frozenset[str],
        light: frozenset[str],
        loose: frozenset[str],
        pieces: Pieces,
        things: Collection[str] = (),
    ) -> None:
        self.classes = classes
        self.substances = substances
        self.light = light
        self.loose = loose
        self.things = {name: tuple(families[name]) for name in things}
        self._pieces = pieces
        self._neutral = neutral | {inflected(w) for w in neutral}
        self._root = _Node()
        self._first = lru_cache(maxsize=65536)(partial(_begun, self._root))
        closure = {name: _closure(name, broader) for name in families}
        for name, forms in families.items():
            for form in forms:
                node = self._insert(form)
                if node.families is None:
                    node.families = set()
                node.families.add(name)
        for member, forms in axes.items():
            for form in forms:
                node = self._insert(form, exact=True)
                if node.axes is None:
                    node.axes = set()
                node.axes.add(member)
        self.broader = {name: frozenset(wider) for name, wider in closure.items()}

    def neutral(self, word: str) -> bool:
        """Whether a folded word adds no clinical fact (in any of its inflections)."""
        return word in self._neutral or inflected(word) in self._neutral

    def pieces(self, word: str) -> tuple[frozenset[str], ...]:
        """Families of the learned pieces of a folded word (« onycho », « mycose »), or none."""
        for start, family in self._pieces.starts:
            if not word.startswith(start) or len(word) - len(start) < _SHORTEST_REST:
                continue
            rest = word[len(start) :]
            hits = (f for hit in self.hits((rest,)) for f in hit.families)
            found = {f for f in hits if not f.startswith("of:")}  # « ostéo-myélite »
            if rest in self._pieces.ends:
                found.add(self._pieces.ends[rest])
            if found:
                return frozenset({family}), frozenset(found)
        return ()

    def _insert(self, form: str, *, exact: bool = False) -> _Node:
        """Node of a form; ``exact``: « patiente » is not « patient »."""
        node = self._root
        words = _WORD.findall(form if form.isascii() and form.islower() else fold(form))
        for place, word in enumerate(words, 1):
            if word in LINK_WORDS and not (place == len(words) and len(word) == 1):
                continue  # « vitamine d » keeps its letter
            if word.endswith("*"):
                children, key = node.starts, word.rstrip("*")
                if children is None:
                    children = node.starts = {}
            elif exact:
                children, key = node.words, word
                if children is None:
                    children = node.words = {}
            else:
                children, key = node.lemmas, inflected(word)
                if children is None:
                    children = node.lemmas = {}
            known = children.get(key)
            if known is None:
                known = children[key] = _Node()
            node = known
        if node is self._root:
            raise BugError(f"lexicon form without a word: {form!r}")
        return node

    def hits(self, words: Sequence[str]) -> tuple[Hit, ...]:
        """Every form that occurs in folded ``words``, longest first at each position."""
        found: list[Hit] = []
        for start, word in enumerate(words):
            if word in LINK_WORDS:
                continue
            families, axes, further = self._first(word)
            if further:
                ends: dict[int, tuple[set[str], set[tuple[str, str]]]] = {}
                for node in further:
                    self._walk(node, words, start + 1, ends)
                found.extend(
                    Hit(start, end, frozenset(f), frozenset(a))
                    for end, (f, a) in sorted(ends.items(), reverse=True)
                )
            if families or axes:
                found.append(Hit(start, start + 1, families, axes))
        return tuple(found)

    def _walk(
        self,
        node: _Node,
        words: Sequence[str],
        at: int,
        ends: dict[int, tuple[set[str], set[tuple[str, str]]]],
    ) -> None:
        while at < len(words) and words[at] in LINK_WORDS:
            self._step(node, words, at, ends)  # a letter that ends a form
            at += 1
            if words[at : at + 1] == ["a"] or words[at : at + 1] == ("a",):
                return  # « vitamine D à forte dose »: « à », no letter of a form
        if at < len(words):
            self._step(node, words, at, ends)

    def _step(
        self,
        node: _Node,
        words: Sequence[str],
        at: int,
        ends: dict[int, tuple[set[str], set[tuple[str, str]]]],
    ) -> None:
        for child in _following(node, words[at]):
            if child.families or child.axes:
                families, axes = ends.setdefault(at + 1, (set(), set()))
                families |= child.families or set()
                axes |= child.axes or set()
            if child.words or child.lemmas or child.starts:
                self._walk(child, words, at + 1, ends)


def _begun(
    root: _Node, word: str
) -> tuple[frozenset[str], frozenset[tuple[str, str]], tuple[_Node, ...]]:
    """(families, axes, nodes of longer forms) of a folded word that begins a form."""
    reached = _following(root, word)
    families = frozenset[str]().union(*(n.families for n in reached if n.families))
    axes = frozenset[tuple[str, str]]().union(*(n.axes for n in reached if n.axes))
    return families, axes, tuple(n for n in reached if n.words or n.lemmas or n.starts)


def _following(node: _Node, word: str) -> tuple[_Node, ...]:
    """Nodes reached from ``node`` by a folded word."""
    found = [node.words[word]] if node.words and word in node.words else []
    known = node.lemmas.get(inflected(word)) if node.lemmas else None
    if known is not None:
        found.append(known)
    if node.starts:
        found += [
            node.starts[word[:size]]
            for size in range(2, len(word) + 1)
            if word[:size] in node.starts
        ]
    return tuple(found)


def _closure(name: str, broader: Mapping[str, Sequence[str]]) -> frozenset[str]:
    reached: set[str] = set()
    waiting = list(broader.get(name, ()))
    while waiting:
        current = waiting.pop()
        if current not in reached:
            reached.add(current)
            waiting += broader.get(current, ())
    return frozenset(reached)


_INFLECTIONS = frozenset(
    "ees ee es er ent ente entes ents ant ante antes ants ait aient era eront erait ez e s x "
    "ir it is ie ies issent issant ira iront".split()
)
_GENDERS = {
    "aux": "al",
    "ives": "if",
    "ive": "if",
    "ifs": "if",
    "euses": "eu",
    "euse": "eu",
    "eux": "eu",
    "elles": "el",
    "elle": "el",
    "els": "el",
    "ennes": "en",
    "enne": "en",
    "ens": "en",
    "ieres": "ier",
    "iere": "ier",
    "iers": "ier",
    "trices": "teur",
    "trice": "teur",
    "teurs": "teur",
}
_LONGEST_GENDER, _LONGEST_INFLECTION = (max(map(len, e)) for e in (_GENDERS, _INFLECTIONS))
_SHORTEST_WORD = 5


@lru_cache(maxsize=65536)
def inflected(word: str) -> str:
    """What a folded word shares with its plural, feminine and conjugated forms, no derived word.

    « élevée » and « élever » meet, « attente » and « attention » do not.
    """
    word = infinitive(word)
    size = len(word)
    if size < _SHORTEST_WORD or (not word.isalpha() and any(c.isdigit() for c in word)):
        return word
    for length in range(min(_LONGEST_GENDER, size - _SHORTEST_REST + 1), 0, -1):
        if word[-length:] in _GENDERS:
            return word[:-length] + _GENDERS[word[-length:]]
    for length in range(min(_LONGEST_INFLECTION, size - _SHORTEST_REST), 0, -1):
        if word[-length:] in _INFLECTIONS:
            return word[:-length]
    return word


_SUFFIXES = tuple(
    sorted(
        "issements issement ations ation itions ition ements ement ments ment atrices atrice "
        "ateurs ateur antes ante "
        "ants ant ees ee es er erent aient ait ent ions ion ives ive ifs if euses euse eurs eur "
        "ables able ibles ible "
        "aires aire iques ique aux ales ale al elles elle els el iennes ienne iens ien eraient "
        "erait era eront irait iraient "
        "ira iront is it ies ie i e s x ir re ites ite ures ure".split(),
        key=len,
        reverse=True,
    )
)
_KEEP = re.compile(r"(?:ite|ose|emie|urie|ine|one|ol|ase|ide|ate|ique|ome|pathie|penie|algie)s?$")


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Light French stem of a folded word; at least four letters are kept.

    Names of diseases and substances (``-ite``, ``-émie``, ``-ine``…) lose only their plural:
    « hépatite » is not « hépatique », « prednisone » is not « prednisolone ».
    """
    word = infinitive(word)
    if len(word) < 5 or any(c.isdigit() for c in word):
        return word
    if _KEEP.search(word):
        return word.rstrip("s")
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 4:
            return word[: -len(suffix)]
    return word
