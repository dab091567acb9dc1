"""What says the same as some words of a question, by the lexicon sentences are compared with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from ancremed_desktop.pipeline.filler import says_nothing
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.settings.paths import RESOURCES
from ancremed_desktop.text.lexicon import LINK_WORDS
from ancremed_desktop.text.lexicon_files import load_lexicon
from ancremed_desktop.text.normalise import fold

_WORD = re.compile(r"[^\W_]+")
_ENDS = ("", "e", "s", "es", "que", "re", "ie", "ee", "on", "tion", "ique", "eux", "euse", "ite")
"""Ends of words of which the lexicon writes the beginning alone (« lombalgi* »)."""
_MOST_WORDS = 5


def of_one_sense(wording: str, index: PassageIndex) -> tuple[str, ...]:
    """Folded wordings that say the same as a whole one, each of words the corpus holds."""
    found = (
        f for form in _forms(tuple(_WORD.findall(fold(wording)))) for f in _written(form, index)
    )
    return tuple(dict.fromkeys(f for f in found if f != wording))


def spans_of_one_sense(folded: str) -> tuple[str, ...]:
    """Wordings of several words in a folded text of which the lexicon knows the sense, the longest
    first; none within another.
    """
    words = list(_WORD.finditer(folded))
    lexicon = load_lexicon(RESOURCES / "lexicons")
    hits = [h for h in lexicon.hits([m[0] for m in words]) if h.families & lexicon.things.keys()]
    found: list[tuple[int, int]] = []
    for hit in sorted(hits, key=lambda h: h.start - h.end):
        telling = [m[0] for m in words[hit.start : hit.end] if m[0] not in LINK_WORDS]
        several = len(telling) > 1 and not all(map(says_nothing, telling))
        start, end = words[hit.start].start(), words[hit.end - 1].end()
        if several and "  " not in folded[start:end] and not any(s <= start < e for s, e in found):
            found.append((start, end))
    return tuple(folded[start:end] for start, end in found)


@lru_cache(maxsize=1_024)
def _forms(words: tuple[str, ...]) -> tuple[str, ...]:
    lexicon = load_lexicon(RESOURCES / "lexicons")
    named = sorted(
        family
        for hit in lexicon.hits(words)
        if (hit.start, hit.end) == (0, len(words))
        for family in hit.families & lexicon.things.keys()
    )
    return tuple(dict.fromkeys(form for family in named for form in lexicon.things[family]))


def _written(form: str, index: PassageIndex) -> Iterator[str]:
    """A form as the corpus writes it, with each end it has there where only a beginning is told."""
    words = fold(form).split()
    if len(words) > _MOST_WORDS or any("*" in word for word in words[:-1]):
        return
    if not all(_held(word, index) for word in words[:-1]):
        return
    last = words[-1]
    ends: Sequence[str] = _ENDS if last.endswith("*") else ("",)
    for end in ends:
        if _held(word := f"{last.rstrip('*')}{end}", index):
            yield " ".join((*words[:-1], word))


def _held(word: str, index: PassageIndex) -> bool:
    return word in LINK_WORDS or index.document_frequency(word) > 0
