"""More against less, first against last, of one and the same thing."""

from __future__ import annotations

from collections import defaultdict

from ancremed_desktop.domain.spans import DropReason
from ancremed_desktop.pipeline.rules.align import Source
from ancremed_desktop.pipeline.rules.model import Finding, Statement
from ancremed_desktop.pipeline.rules.parse import FUNCTION_WORDS
from ancremed_desktop.text.derivation import root

_MORE = frozenset("mieux plus davantage meilleur meilleure meilleurs meilleures".split())
_LESS = frozenset("moins pire pires moindre moindres".split())
_SIDES = frozenset({"mieux", "davantage", "meilleur", "meilleure", "meilleurs", "meilleures"})
"""Words of degree that may follow what they compare (« s'absorbe mieux »)."""
_MANNER = frozenset({"bien", "mal", "bon", "bonne", "souvent", "frequemment"})
_AMOUNTS = frozenset("au de d en du ou et pas ne n des tant".split())
"""« au moins 3 », « ou plus », « pas plus »: bounds and denials, no degrees."""
_ENDS = {"premi": 1, "derni": -1}
_END_LETTERS = 5
_REACH = 3


def opposite_degree(assertion: Statement, source: Source) -> Finding | None:
    """« moins bien absorbé » of what is « mieux absorbé », « le dernier signe » of the first one."""
    for of in (_degrees, _places):
        theirs = of(source.cited)
        for thing, (sign, index) in of(assertion).items():
            known = theirs.get(thing)
            if known and known[0] != sign:
                return Finding(
                    DropReason.ORDER,
                    f"La source dit l’inverse de « {_word(assertion, index)} ».",
                    (assertion.offsets[index],),
                )
    return None


def _word(statement: Statement, index: int) -> str:
    return statement.text[slice(*statement.offsets[index])]


def _degrees(statement: Statement) -> dict[str, tuple[int, int]]:
    """(+1 more or -1 less, word) of each thing compared to nothing named, by its root.

    Comparisons with « que » and things told both ways are left to other rules.
    """
    found: dict[str, tuple[int, int]] = {}
    told: dict[str, set[int]] = defaultdict(set)
    for index, key in enumerate(statement.keys):
        sign = 1 if key in _MORE else -1 if key in _LESS else 0
        before = statement.keys[index - 1] if index else ""
        after = statement.keys[index + 1 : index + 8]
        if not sign or index in statement.marks or before in _AMOUNTS:
            continue
        if after[:1] in (("de",), ("d",)) or {"que", "qu"} & set(after):
            continue
        clause = next(c for c in statement.clauses if c.start <= index < c.end)
        for thing in _compared(statement, index):
            found[thing] = (sign * clause.sign, index)
            told[thing].add(sign * clause.sign)
    return {thing: entry for thing, entry in found.items() if len(told[thing]) == 1}


def _compared(statement: Statement, index: int) -> list[str]:
    """Roots of the word compared at ``index``."""
    ahead = [
        k
        for k in statement.keys[index + 1 : index + 1 + _REACH]
        if k not in _MANNER and k not in FUNCTION_WORDS
    ][:1]
    behind = statement.keys[index - 1 : index] if statement.keys[index] in _SIDES else ()
    less_well = statement.keys[index + 1 : index + 2] in (("bien",), ("bon",), ("souvent",))
    if less_well and index:
        behind = statement.keys[index - 1 : index]
    return [root(k) for k in (*ahead, *behind) if k not in FUNCTION_WORDS]


def _places(statement: Statement) -> dict[str, tuple[int, int]]:
    """(+1 first or -1 last, word) of each noun, by its root; none that is told both ways."""
    found: dict[str, tuple[int, int]] = {}
    told: dict[str, set[int]] = defaultdict(set)
    for index, key in enumerate(statement.keys[:-1]):
        sign = _ENDS.get(key[:_END_LETTERS], 0)
        noun = statement.keys[index + 1]
        if sign and noun not in FUNCTION_WORDS:
            found[root(noun)] = (sign, index)
            told[root(noun)].add(sign)
    return {noun: entry for noun, entry in found.items() if len(told[noun]) == 1}
