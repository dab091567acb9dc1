"""Tells a page whose text layer is faithful from one whose figures cannot be trusted."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ancremed_desktop.corpus.pdf.layout import PageLayout

_TOKEN = re.compile(r"[^\W_]+")
_UNREADABLE_FIGURE = re.compile(r"\d[ \u00a0]?\ufffd|\ufffd[ \u00a0]?\d")
_MIN_DOUBLED = 2
_MIN_OVERLAPS = 4
_MAX_UNREADABLE = 0.02
_ONE_LETTER_WORDS = frozenset("aàyôoxn")
_ONE_LETTER_UNITS = frozenset("gLlmhjsVWJKNAC")
_MIN_SINGLE = 2
_SINGLE_SHARE = 0.3
"""« C OMMIS S ION » has two lone letters in four pieces; a sentence has one in twenty."""


def distrust(page: PageLayout, texts: Sequence[str]) -> str:
    """French reason why a page must not be indexed, empty when its text can be trusted.

    ``texts``: the page's lines as text. Checked: glyphs drawn or stored twice (« 2200 mmgg »
    for 20 mg), text laid over text, letters spaced apart as words, unreadable characters.
    """
    doubled = [token for text in texts for token in _TOKEN.findall(text) if _is_doubled(token)]
    if len(doubled) >= _MIN_DOUBLED:
        return f"caractères doublés (« {doubled[0]} ») : les nombres ne sont pas fiables"
    if page.overlaps >= _MIN_OVERLAPS:
        return "textes superposés ou découpés en bandes : les nombres ne sont pas fiables"
    spaced = [text for text in texts if is_spaced_out(text)]
    if len(spaced) > 2 or any(char.isdigit() for text in spaced for char in text):
        return f"lettres espacées (« {spaced[0][:30].strip()} ») : les nombres ne sont pas fiables"
    if any(_UNREADABLE_FIGURE.search(text) for text in texts):
        return "caractère illisible contre un nombre : les valeurs ne sont pas fiables"
    count = sum(len(text) for text in texts)
    if count and sum(text.count("\ufffd") for text in texts) > _MAX_UNREADABLE * count:
        return "trop de caractères illisibles (police sans table de correspondance)"
    return ""


def is_spaced_out(text: str) -> bool:
    """Whether the letters of a line stand apart (« C OMMIS S ION », « c h i r u r g i e »).

    Single letters that are words, units after a number or signs of a formula do not count.
    """
    tokens = text.split()
    single = 0
    for before, token in zip(["", *tokens], tokens, strict=False):
        if len(token) == 1 and token.isalpha() and token.lower() not in _ONE_LETTER_WORDS:
            single += not (before[-1:].isdigit() and token in _ONE_LETTER_UNITS)
    return single >= _MIN_SINGLE and single >= _SINGLE_SHARE * len(tokens)


def _is_doubled(token: str) -> bool:
    """« mmiissssiioonn »: at least three letters, each written twice."""
    if len(token) < 6 or len(token) % 2 or token.isdigit():
        return False
    return token[0::2] == token[1::2] and len(set(token)) > 1
