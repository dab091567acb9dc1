"""Queries that no search may stumble over."""

from __future__ import annotations

import random

WORDS = (
    "fièvre toux œdème β-bloquant CHA₂DS₂-VASc insuline vitamine D 10 000 UI dyspnée choc "
    "anémie ferritine rein foie cœur poumon enfant adulte dose voie orale"
).split()
PIECES = ('"', "'", "*", "^", ":", "(", ")", "NEAR(", "AND", "OR", "NOT", "\0", "\ud800", "%", "_",
          "\\", "{", "}", "+", "-", ";--", "\u200b", "\u0301", "ﬁ", "😀", "a" * 300)  # fmt: skip
_MOST_PARTS = 40
_LAST_CHARACTER = 0x10FFFF


def hostile(drawn: random.Random) -> str:
    """Up to forty words, operators and strings of any characters."""
    parts = []
    for _ in range(drawn.randint(0, _MOST_PARTS)):
        match drawn.randrange(3):
            case 0:
                parts.append(drawn.choice(WORDS))
            case 1:
                parts.append(drawn.choice(PIECES))
            case _:
                parts.append("".join(_character(drawn) for _ in range(drawn.randint(0, 20))))
    return " ".join(parts)


def _character(drawn: random.Random) -> str:
    """Any character, each of the small planes as often as all the others."""
    return chr(drawn.randint(0, drawn.choice((0x7F, 0x24F, 0xFFFF, _LAST_CHARACTER))))
