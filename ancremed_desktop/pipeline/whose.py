"""Whose a sentence of a section is: of the patients asked about, of everybody, or of others."""

from __future__ import annotations

import re

from ancremed_desktop.domain.identifiers import SAFETY
from ancremed_desktop.domain.plans import Subject
from ancremed_desktop.pipeline.bearing import DOSE, LIMIT
from ancremed_desktop.pipeline.population import (
    DEFAULTS,
    Fit,
    ages,
    fit,
    groups,
    is_of_another_age,
)
from ancremed_desktop.pipeline.silences import DOSING
from ancremed_desktop.text.normalise import fold

_CHILD = "enfant"
_ADULT = "adulte"
DOSES = "posologie"
TREATING = DOSING | {
    "indication", "traitement", "première intention", "alternatives", "conduite à tenir",
    "dépistage et prévention",
}  # fmt: skip
"""What is given to everybody may be forbidden to a pregnant woman; what is done at once is shown,
with what it does not speak of: not to call for help is graver.
"""
DOSED = TREATING | {"antidote", "gestes immédiats"}
"""Where what is given to an adult is not shown for a child, nor the reverse."""
_COUNTED = re.compile(
    r"\d+ (?:morceaux|sucres|bouffees|ampoules?|sachets?|cuilleres?|gelules?|pulverisations?"
    r"|joules?|unites?|mmol|meq)\b(?! ?/)"
)
"""Amounts that are no weight and no volume: « 3 morceaux de sucre »."""
_NEWBORN = re.compile(
    r"\bnouveau[- ]?nes?\b|\bneonat\w*|(?<!accouchement )(?<!naissance )\bprematures?\b"
    r"|\b(?:j ?\d{1,2}|\d{1,2} jours?) de vie\b"
)
_NO_NEWBORN = re.compile(
    r"\b(?:hors|sauf|excepte|hormis|en dehors d\w*|a l.exception d\w*|apres)(?: chez| en)? ?"
    r"(?:la |le |les |l.|une? )?(?:period\w+ neonat\w*|nouveau[- ]?nes?|neonat\w*|prematures?)"
)
_INFANT = re.compile(r"\bnourrissons?\b")


def whose(
    text: str, context: frozenset[str], section: str, subject: Subject, *, newborn: bool
) -> Fit:
    """Stand of a sentence of a section under a title and heading of groups ``context``.

    An amount that says of nobody is an adult’s to a child in every section, unless it goes by
    weight or is a limit; « hors période néonatale » and « nourrisson » are not of a newborn.
    """
    asked, safe = subject.populations, section in SAFETY
    amount = not safe and gives_amount(text)
    said = groups(text)
    stand = fit(said, context, asked, dosing=section in DOSED or amount)
    if _CHILD in asked and not safe and _ADULT in said and _CHILD not in said:
        return Fit.OTHER  # « chez l’adulte, une perfusion est mise en relais »
    if section in DOSING and is_of_another_age(text, subject.ages):
        return Fit.OTHER
    if newborn and amount and leaves_newborn_out(text):
        return Fit.OTHER
    if stand is not Fit.GENERAL:
        return stand
    folded = fold(text)
    if not subject.ages.isdisjoint(ages(text)):
        return Fit.NAMED  # « ≥ 14 ans : 3 doses »
    if _CHILD in asked and "/kg" in folded:
        return Fit.NAMED  # a dose by weight is a child's as well
    if _CHILD in asked and amount and not (LIMIT.search(folded) or ages(text)):
        return Fit.OTHER
    return stand


def suits(
    text: str, context: frozenset[str], section: str, subject: Subject, *, newborn: bool
) -> bool:
    """Whether a sentence may be told of the patients asked about where no section is asked: it
    names them, or neither it nor the question is of special ones.
    """
    stand = whose(text, context, section, subject, newborn=newborn)
    special = bool(subject.populations - DEFAULTS)
    return stand is Fit.NAMED or (stand is Fit.GENERAL and not special)


def gives_amount(text: str) -> bool:
    """Whether a sentence says how much of something is given."""
    folded = fold(text)
    return "/kg" in folded or bool(DOSE.search(folded) or _COUNTED.search(folded))


def is_of_newborn(text: str) -> bool:
    """Whether a question or a sentence is of newborns; « hors période néonatale » is not."""
    return _NEWBORN.search(_NO_NEWBORN.sub(" ", fold(text))) is not None


def leaves_newborn_out(text: str) -> bool:
    """Whether a sentence says that it is not of newborns, or names infants and not them."""
    folded = fold(text)
    if _NO_NEWBORN.search(folded):
        return True
    return _INFANT.search(folded) is not None and not is_of_newborn(text)
