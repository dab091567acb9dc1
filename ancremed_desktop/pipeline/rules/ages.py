"""How old somebody is, against how long something lasts."""

from __future__ import annotations

import re

from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.quantities import Quantity

_AGED = re.compile(
    r"(?:\bages?\b|\bagee?s?\b|\b(?:enfants?|nourrissons?|patient\w*|sujets?|adultes?|femmes?|hommes?"
    r"|personnes?|filles?|garcons?|adolescent\w*|celles?|ceux|celui)\b)(?: (?:est|sont))?"
    r"(?: (?:de|d'|a|entre|partir|jusqu'a))* ?$"
)
_SINCE_AGE = re.compile(r"(?:^|[.;:(,]|\bet|\bchez l\w* \w+) ?(?:avant|apres|des|entre|de)? ?$")
_OLD = re.compile(r" ?(?:et|ou) (?:plus|au-dela)\b| ?revolus\b|\s*(?:$|[,.;:)])")
_YEARS = ("ans", "plus", "ans revolus")


def is_age(text: str, quantity: Quantity) -> bool:
    """« 65 ans et plus », « un enfant de 2 ans », « À partir de 50 ans, »; never « depuis 2 ans »."""
    if quantity.dimension != "calendar" or not fold(quantity.text).rstrip().endswith(_YEARS):
        return False
    before = fold(text[max(0, quantity.start - 40) : quantity.start])
    if _AGED.search(before):
        return True
    after = fold(text[quantity.end : quantity.end + 14])
    older = quantity.comparator == ">=" and not before.endswith(("depuis ", "pendant "))
    return bool(_OLD.match(after)) and (bool(_SINCE_AGE.search(before)) or older)
