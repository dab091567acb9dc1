"""Text of the thesaurus put back in whole lines; no word, number or sign of it is changed.

The JSON files keep each text twice: once with the words of two lines run together
(« del'alcool »), once with the line breaks of the page. Only the second is read, so that a space
is put where the page had a line end, and nowhere else.
"""

from __future__ import annotations

import re

from ancremed_desktop.text.normalise import nfc

FURNITURE = "Interactions médicamenteuses - Thésaurus"
LOST = "\ufffd"
"""A character the extraction lost; it may have been « ≥ »."""

_ITEM = re.compile(r"^(?:[-–•]|\d{1,2}[.)])\s")
_LEVEL = re.compile(
    r"(?:Contre-indication|CONTRE-INDICATION|Associations? d[ée]conseill|Précautions? d'emploi"
    r"|[AÀ] prendre en compte)"
)
"""A line that opens so says another level: it must not run on from the one above."""
_HYPHEN_END = re.compile(r"\w-$")
_ENDED = (".", ":", ";", "!", "?", ")")


def join_lines(text: str) -> str:
    """Lines of a page as paragraphs and list items, one a line; page furniture left out."""
    paragraphs: list[str] = []
    after_gap = False
    for raw in nfc(text.replace(FURNITURE, "")).split("\n"):
        line = " ".join(raw.split())
        if not line:
            after_gap = True
            continue
        if not paragraphs or _begins(line, paragraphs[-1], after_gap=after_gap):
            paragraphs.append(line)
        elif _HYPHEN_END.search(paragraphs[-1]):
            paragraphs[-1] += line
        else:
            paragraphs[-1] += f" {line}"
        after_gap = False
    return "\n".join(paragraphs)


def _begins(line: str, before: str, *, after_gap: bool) -> bool:
    """Whether a line begins a paragraph rather than going on with the one before."""
    if _ITEM.match(line) or _LEVEL.match(line):
        return True
    if not line[0].isupper():
        return False  # a gap of the page layout inside a sentence
    return after_gap or (bool(_ITEM.match(before)) and before.endswith(_ENDED))


def squeezed(text: str) -> str:
    """A text without white space and page furniture, to compare two extractions of it."""
    return "".join(nfc(text.replace(FURNITURE, "")).split())


def cut_squeezed(text: str, size: int) -> int:
    """Offset in ``text`` after its first ``size`` characters that are no white space."""
    seen = 0
    for offset, char in enumerate(text):
        if seen == size:
            return offset
        seen += not char.isspace()
    return len(text)
