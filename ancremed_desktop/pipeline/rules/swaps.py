"""The source's own words in another order: comparisons turned round, words that changed places."""

from __future__ import annotations

from itertools import pairwise

from ancremed_desktop.domain.spans import DropReason
from ancremed_desktop.pipeline.rules.align import Source
from ancremed_desktop.pipeline.rules.model import Finding, Statement
from ancremed_desktop.pipeline.rules.parse import FUNCTION_WORDS
from ancremed_desktop.text.clauses import Role
from ancremed_desktop.text.lexicon import stem

_MORE = ("plus", "davantage", "superieur", "mieux", "majeur")
_LESS = ("moins", "inferieur", "moindre")
_PIVOTS = frozenset({"que", "qu", "celui", "celle", "ceux", "celles"})
_REACH = 12
_NEAR_VERBATIM = 0.85
"""Share of words, both ways, above which a sentence is rewritten word for word."""
_PARALLEL = frozenset(
    "est sont que qu avant apres puis pour premier premiere second seconde deuxieme".split()
)
"""Words of two parallel statements, not of one list."""
_ADVERBS = frozenset(map(stem, "mieux bien moins souvent toujours rarement parfois aussi".split()))
"""Words that stand before or after their verb as they please."""
_SHORT = 4
"""Fewer content words than this hold no two halves that could trade anything."""


def turned(assertion: Statement, source: Source) -> Finding | None:
    """« plus chez l'enfant que chez l'adulte » turned round."""
    for sign, left, right in _comparisons(assertion):
        for other, before, after in _comparisons(source.cited):
            crossed = left & (after - before) and right & (before - after)
            straight = left & (before - after) and right & (after - before)
            if (crossed and sign == other) or (straight and sign != other):
                return Finding(DropReason.ORDER, "La comparaison est inversée.")
    return None


def _comparisons(
    statement: Statement,
) -> list[tuple[int, frozenset[str], frozenset[str]]]:
    """(+1 more or -1 less, concepts before the pivot, concepts after it)."""
    found = []
    for index, key in enumerate(statement.keys):
        sign = 1 if key.startswith(_MORE) else -1 if key.startswith(_LESS) else 0
        clause = next((c for c in statement.clauses if c.start <= index < c.end), None)
        if not sign or clause is None or clause.only >= 0:
            continue
        stop = min(clause.end, index + _REACH)
        pivot = next((i for i in range(index + 1, stop) if statement.keys[i] in _PIVOTS), -1)
        if pivot > 0:
            left = _concepts(statement, clause.start, pivot)
            right = _concepts(statement, pivot, min(clause.end, pivot + 5))
            found.append((sign, left, right))
    return found


def _concepts(statement: Statement, start: int, end: int) -> frozenset[str]:
    return frozenset(
        c for m in statement.every if start <= m.first < end and not m.neutral for c in m.concepts
    )


def changed_places(assertion: Statement, source: Source) -> Finding | None:
    """Near-verbatim words of one sentence of which two traded places.

    « la première discute, la seconde valide » said as « la première valide, la seconde discute ».
    A phrase moved as one block, or the members of a list said in another order, are no trade.
    """
    cited = source.cited
    if "defaut" in assertion.keys:
        return None  # « B à défaut de A » for « A ou, à défaut, B »: a question of roles
    for sentence in {c.sentence for c in cited.clauses}:
        words = [c for c in cited.clauses if c.sentence == sentence]
        start, end = words[0].start, words[-1].end
        keys = [stem(k) for k in cited.keys[start:end]]
        ours = [stem(k) for k in assertion.keys]
        if sum(k in keys for k in ours) < _NEAR_VERBATIM * len(ours):
            continue
        places = [
            start + keys.index(k)
            for k in ours
            if ours.count(k) == keys.count(k) == 1 and k not in FUNCTION_WORDS and k not in _ADVERBS
        ]
        moved = [p for p in places if cited.roles[p] is Role.CONDITION]
        if moved == sorted(moved):
            places = [p for p in places if p not in moved]  # a condition told first or last
        if len(places) < _SHORT:
            continue
        stretch = [stem(k) for k in cited.keys[min(places) : max(places) + 1]]
        if sum(k in ours for k in stretch) < _NEAR_VERBATIM * len(stretch):
            continue  # « X contre-indique Y » for « Y est contre-indiqué en cas de X »
        falls = [(a, b) for a, b in pairwise(places) if b < a]
        if (
            len(falls) > 1
            and len(places) >= _SHORT
            and not _one_list(cited, min(b for _, b in falls), max(places))
        ):
            return Finding(DropReason.ORDER, "Des mots de la source ont changé de place.")
    return None


def _one_list(cited: Statement, first: int, last: int) -> bool:
    """Whether words ``first`` to ``last`` are members of one list and nothing else."""
    joined = sum(
        "," in cited.gaps[i] or cited.keys[i] in {"et", "ou", "ni"} for i in range(first + 1, last)
    )
    return joined > 0 and not _PARALLEL & set(cited.keys[first : last + 1])
