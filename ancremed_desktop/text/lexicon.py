"""Synonym families and exclusive axes, matched on folded words (resources/lexicons)."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ancremed_desktop.errors import BugError
from ancremed_desktop.text.normalise import fold

_WORD = re.compile(r"[^\W_]+\*?")
LINK_WORDS = frozenset({"l", "le", "la", "les", "d", "de", "du", "des"})
"""Words that may stand between the words of a form, and are not part of it."""
MAX_FORM_WORDS = 6


class Hit(NamedTuple):
    """A form found at ``words[start:end]``; ``families`` and ``axes`` (axis, member)."""

    start: int
    end: int
    families: frozenset[str]
    axes: frozenset[tuple[str, str]]


@dataclass(slots=True)
class _Node:
    """Node of the trie of forms: by whole word, and by word start."""

    words: dict[str, _Node]
    starts: dict[str, _Node]
    families: set[str]
    axes: set[tuple[str, str]]


def _node() -> _Node:
    return _Node({}, {}, set(), set())


class Lexicon:
    """Families, axes and neutral words of ``resources/lexicons``, ready for look-up.

    ``classes``: families that name a class of substances; ``substances``: those that name one.
    """

    def __init__(
        self,
        families: Mapping[str, Sequence[str]],
        broader: Mapping[str, Sequence[str]],
        axes: Mapping[tuple[str, str], Sequence[str]],
        neutral: frozenset[str],
        classes: frozenset[str],
        substances: frozenset[str],
    ) -> None:
        self.classes = classes
        self.substances = substances
        self._neutral = neutral | {s for w in neutral if len(s := stem(w)) >= 5}
        self._root = _node()
        closure = {name: _closure(name, broader) for name in families}
        for name, forms in families.items():
            for form in forms:
                self._insert(form).families.add(name)
        for member, forms in axes.items():
            for form in forms:
                self._insert(form).axes.add(member)
        self.broader = {name: frozenset(wider) for name, wider in closure.items()}

    def neutral(self, word: str) -> bool:
        """Whether a folded word adds no clinical fact (in any of its inflections)."""
        return word in self._neutral or stem(word) in self._neutral

    def _insert(self, form: str) -> _Node:
        node = self._root
        for word in _WORD.findall(fold(form)):
            if word in LINK_WORDS:
                continue
            table = node.starts if word.endswith("*") else node.words
            node = table.setdefault(word.rstrip("*"), _node())
        if node is self._root:
            raise BugError(f"lexicon form without a word: {form!r}")
        return node

    def hits(self, words: Sequence[str]) -> tuple[Hit, ...]:
        """Every form that occurs in folded ``words``, longest first at each position."""
        found: list[Hit] = []
        for start in range(len(words)):
            if words[start] in LINK_WORDS:
                continue
            ends: dict[int, tuple[set[str], set[tuple[str, str]]]] = {}
            self._walk(self._root, words, start, ends)
            found.extend(
                Hit(start, end, frozenset(f), frozenset(a))
                for end, (f, a) in sorted(ends.items(), reverse=True)
            )
        return tuple(found)

    def _walk(
        self,
        node: _Node,
        words: Sequence[str],
        at: int,
        ends: dict[int, tuple[set[str], set[tuple[str, str]]]],
    ) -> None:
        while node is not self._root and at < len(words) and words[at] in LINK_WORDS:
            at += 1
        if at >= len(words):
            return
        word = words[at]
        following = [node.words[word]] if word in node.words else []
        if node.starts:
            following += [
                node.starts[word[:size]]
                for size in range(2, len(word) + 1)
                if word[:size] in node.starts
            ]
        for child in following:
            if child.families or child.axes:
                families, axes = ends.setdefault(at + 1, (set(), set()))
                families |= child.families
                axes |= child.axes
            if child.words or child.starts:
                self._walk(child, words, at + 1, ends)


def _closure(name: str, broader: Mapping[str, Sequence[str]]) -> frozenset[str]:
    reached: set[str] = set()
    waiting = list(broader.get(name, ()))
    while waiting:
        current = waiting.pop()
        if current not in reached:
            reached.add(current)
            waiting += broader.get(current, ())
    return frozenset(reached)


@lru_cache(maxsize=4)
def load_lexicon(folder: Path) -> Lexicon:
    """Read ``synonyms.toml``, ``acronyms.json``, ``axes.toml`` and ``neutral.toml``.

    Raises:
        BugError: a family without a reason or without forms, or an unknown broader family.

    """
    file = tomllib.loads((folder / "synonyms.toml").read_text("utf-8"))
    neutral = tomllib.loads((folder / "neutral.toml").read_text("utf-8"))["words"]
    common = frozenset(fold(neutral).split()) | LINK_WORDS
    synonyms = {**_dictionary(folder, common), **file["family"], **_members(file["members"])}
    axes = tomllib.loads((folder / "axes.toml").read_text("utf-8"))["axis"]
    for name, entry in {**synonyms, **axes}.items():
        if not entry.get("reason"):
            raise BugError(f"lexicon entry without a reason: {name}")
    broader = {name: tuple(e.get("broader", ())) for name, e in synonyms.items()}
    unknown = {b for wider in broader.values() for b in wider} - set(synonyms)
    if unknown:
        raise BugError(f"lexicon names unknown broader families: {sorted(unknown)}")
    return Lexicon(
        families={name: tuple(e["forms"]) for name, e in synonyms.items()},
        broader=broader,
        axes={(a, m): tuple(f) for a, e in axes.items() for m, f in e["members"].items()},
        neutral=frozenset(fold(neutral).split()),
        classes=frozenset(file["members"]) - {"reason", "body_site"},
        substances=frozenset(file["substances"]["families"]),
    )


def _dictionary(folder: Path, common: frozenset[str]) -> dict[str, dict[str, str | Sequence[str]]]:
    """Families of the search dictionary: acronyms, everyday words and brands of one meaning.

    An acronym of several meanings, or one that is also a common word, proves nothing here.
    """
    words = json.loads((folder / "acronyms.json").read_text("utf-8"))
    found: dict[str, dict[str, str | Sequence[str]]] = {}
    for entry in words["acronymes"]:
        if len(entry["expansions"]) == 1 and "garde" not in entry and entry["cle"] not in common:
            forms = [entry["acronyme"], *entry["expansions"]]
            found[f"acronym:{entry['cle']}"] = {"reason": "One meaning.", "forms": forms}
    for entry in words["synonymes"]:
        if len(entry["medical"]) == 1:
            forms = [entry["profane"], *entry["medical"]]
            found[f"everyday:{entry['profane']}"] = {"reason": "One meaning.", "forms": forms}
    for entry in words["marques"]:
        forms = [entry["dci"], entry["marque"]]
        found[f"brand:{entry['marque']}"] = {"reason": "One substance.", "forms": forms}
    return found


def _members(
    classes: Mapping[str, str | Sequence[str]],
) -> dict[str, dict[str, str | Sequence[str]]]:
    """One family for each substance, which implies its classes and no other member of them."""
    reason = classes["reason"]
    wider: dict[str, list[str]] = {}
    for family, names in classes.items():
        if family != "reason":
            for name in names:
                wider.setdefault(name, []).append(family)
    return {
        f"only:{name}": {"reason": reason, "forms": [name, f"{name}s"], "broader": families}
        for name, families in wider.items()
    }


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
    if len(word) < 5 or any(c.isdigit() for c in word):
        return word
    if _KEEP.search(word):
        return word.rstrip("s")
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 4:
            return word[: -len(suffix)]
    return word
