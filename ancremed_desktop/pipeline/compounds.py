"""Names of a question typed without the hyphen the corpus writes."""

from __future__ import annotations

from collections.abc import Sequence

from ancremed_desktop.pipeline.french_words import is_french
from ancremed_desktop.ports import PassageIndex
from ancremed_desktop.text.normalise import fold


def joined_names(
    found: Sequence[tuple[str, int]], text: str, index: PassageIndex
) -> list[tuple[str, int]]:
    """Words with their offsets, two that the corpus writes with a hyphen as one: « gayet wernicke »
    is neither word alone. No everyday words are joined, and no two drugs: a question on both asks
    what they do together.
    """
    joined: list[tuple[str, int]] = []
    for word, start in found:
        if joined:
            last, at = joined[-1]
            apart = text[at + len(last) : start] == " "
            names = apart and not (is_french(fold(last)) or is_french(fold(word)))
            drugs = names and _is_drug(last, index) and _is_drug(word, index)
            if names and not drugs and index.document_frequency(f"{last}-{word}"):
                joined[-1] = f"{last}-{word}", at
                continue
        joined.append((word, start))
    return joined


def _is_drug(word: str, index: PassageIndex) -> bool:
    return any(m.is_drug for m in index.mentions(word))
