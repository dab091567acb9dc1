"""What a ranked search looks for: each word of a query with all that may stand for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ancremed_desktop.domain.evidence import Meaning
from ancremed_desktop.index.match_query import (
    APART,
    Group,
    Phrase,
    Variants,
    all_tokens,
    expand,
    phrase_group,
    query_words,
)
from ancremed_desktop.text.normalise import fold


@dataclass(frozen=True, slots=True, kw_only=True)
class Concept:
    """``wordings``: the user's own words first, then their meanings, as tokens of the index."""

    wordings: tuple[Group, ...]

    @property
    def phrases(self) -> Group:
        """Every phrase that may stand for the concept."""
        return tuple(dict.fromkeys(phrase for group in self.wordings for phrase in group))


def concepts_of(query: str, meanings: Sequence[Meaning], variants: Variants) -> tuple[Concept, ...]:
    """Concepts of a query: its longest pieces that have a meaning, then its other words."""
    found: list[Concept] = []
    single: dict[str, tuple[str, ...]] = {}
    for meaning in sorted(meanings, key=lambda m: -len(m.words)):
        tokens = all_tokens(meaning.words)
        if len(tokens) == 1:
            key = fold(tokens[0])
            single[key] = (*single.get(key, ()), *meaning.others)
        elif tokens and meaning.words in query:
            # The comma keeps the words on both sides from being read as one.
            query = query.replace(meaning.words, ", ", 1)
            own = phrase_group(tokens, variants)
            found.append(Concept(wordings=(own, *_groups(meaning.others, variants))))
    for word in query_words(APART.sub(r"\1-", query)):
        others = single.get(fold("".join(word)), ()) or single.get(fold("-".join(word)), ())
        if len(word) > 1 and not others:
            others = _telling_part(word)
        found.append(Concept(wordings=(expand(word, variants), *_groups(others, variants))))
    return tuple(found)


def _telling_part(word: Phrase) -> tuple[str, ...]:
    """The longest part of a compound, should no passage hold the whole; no part of a number."""
    longest = max(word, key=len)
    return (longest,) if longest.isalpha() else ()


def _groups(wordings: Sequence[str], variants: Variants) -> tuple[Group, ...]:
    cut = (all_tokens(wording) for wording in wordings)
    return tuple(phrase_group(tokens, variants) for tokens in cut if tokens)
