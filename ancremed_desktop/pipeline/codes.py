"""Questions that are a code alone: a CIS, a CIP, an ATC or CIM-10 code, an EDN item."""

from __future__ import annotations

import re

from ancremed_desktop.ports import EntityMention, PassageIndex
from ancremed_desktop.text.normalise import fold

_ABOUT_CODE = re.compile(
    r"\b(?:quel\w*|est|sont|le|la|les|l'|du|de|des|d'|code|codes|cis|cip|atc|cim|medicament\w*|"
    r"correspond\w*|signifie|veut|dire|que|a|quoi|c'|ce)\b|[\W_]"
)


def lone_code(text: str, index: PassageIndex) -> EntityMention | None:
    """The code a text is made of, whatever asks what it is; ``None`` for any other text."""
    for mention in index.mentions(text):
        rest = text[: mention.start] + text[mention.end :]
        is_code = any(char.isdigit() for char in mention.label)
        if is_code and not _ABOUT_CODE.sub("", fold(rest)):
            return mention
    return None
