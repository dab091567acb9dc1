"""What a word cut short may stand for (« salbu », « bilat »): asked, never taken for granted."""

from __future__ import annotations

from ancremed_desktop.pipeline.french_words import begun_by
from ancremed_desktop.pipeline.lexicon import PlanningLexicon
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import stem

_LETTERS = range(3, 9)
_CUT = 2
"""Letters that must be missing: one is a plural or a slip."""
_OFFERED = 3


def completions(key: str, index: PassageIndex, lexicon: PlanningLexicon) -> tuple[str, ...]:
    """Drugs, then words of the corpus, that a folded word begins, one wording of each."""
    if len(key) not in _LETTERS:
        return ()
    drugs = [
        name
        for folded, name in lexicon.drug_labels.items()
        if folded.startswith(key) and len(folded) >= len(key) + _CUT
    ]
    words = [w for w in begun_by(key) if len(w) >= len(key) + _CUT]
    known = {fold(w): w for w in words if index.document_frequency(w)}
    ranked = sorted(known, key=lambda w: -index.document_frequency(w))
    one_of_each: dict[str, str] = {}
    for name in (*drugs, *(known[w] for w in ranked)):
        one_of_each.setdefault(stem(fold(name)), name)
    return tuple(one_of_each.values())[:_OFFERED]
