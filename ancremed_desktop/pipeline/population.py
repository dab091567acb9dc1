"""Whom a question or a sentence is about: an adult's dose must not answer for a child."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache

from ancremed_desktop.text.normalise import fold
from ancremed_desktop.text.words import content_words

_GROUPS = {
    "enfant": (
        r"\b(enfants?|nourrissons?|nouveau[- ]nes?|bebes?"
        r"|(?<!accouchement )(?<!naissance )prematures?|pediatri\w*|adolesc\w*)\b"
    ),
    "adulte": r"\b(adultes?)\b",
    "homme": r"\b(hommes?|masculine?s?)\b",
    "femme": r"\b((?:femmes?|patientes?)(?! (?:enceinte|allaitante)s?\b)|feminine?s?)\b",
    "sujet âgé": (
        r"\b(sujets? ages?|personnes? agees?|patients? ages?|geriatri\w*|vieux|vieilles?|"
        r"(?:6[5-9]|[789]\d) ans)\b"
    ),
    "grossesse": (
        r"\b(enceintes?|grossesses?|gravidiques?|gestation\w*|amenorrhee|trimestres?|"
        r"(?:pre-?)?eclamp\w*)\b"
    ),
    "allaitement": r"\b(allait\w*)\b",
    "fonction rénale": (
        r"\b(renale?s?|renaux|clairance|clcr|dfg|dialys\w*|creatinin\w*|filtration glomerulaire"
        r"|irc)\b"
    ),
    "immunodépression": r"\b(immunodepri\w*|immunodeficien\w*|immunosuppr\w*)\b",
    "fonction hépatique": r"\b(hepati(?!te)\w*|hepatocellulaires?|cirrho\w*|child(?:[- ]?pugh)?)\b",
}
_PATTERNS = {name: re.compile(pattern) for name, pattern in _GROUPS.items()}
_FAILING_ORGAN = re.compile(
    r"\b(?:(?:insuffisan\w+|insuff?|atteinte|defaillance|fonction) (?:renale?s?|renaux|hepatiques?)"
    r"|clairance(?: de la creatinine)?|clcr|dfg|irc?t?|cirrho\w*|dialys\w*"
    r"|child(?:[- ]?pugh)?(?: [abc]\b)?)(?!\w)"
    r"(?:,? (?:severes?|moderee?s?|legere?s?|terminale?s?|terminaux|chroniques?|aigue?s?|avancee?s?"
    r"|graves?)\b)*"
)
"""How far it fails orders the answer too: a rubric names its own degrees."""
_CHILD_YEARS = 15
_AGE = re.compile(r"\b(\d{1,2}) ?(ans|mois)\b")
_FROM_AGE = re.compile(
    r"(?:\ba partir de|\bdes(?: l.age de)?|\bplus de|≥|>) ?(\d{1,2}) ?(ans?|mois)\b"
)
_TO_AGE = re.compile(
    r"(?:\bavant(?: l.age de)?|\bmoins de|\bjusqu.a|<|≤) ?(\d{1,2}) ?(ans?|mois)\b"
)
_FORBIDDING = re.compile(r"\bcontre-indi|\baucune?\b|\bjamais\b|\bn(?:e |'|’)\w+(?: \w+)? pas\b")
_CHILD_KILOGRAMS = 25
_INFANT = re.compile(r"\b(?:nourrissons?|bebes?|nouveau[- ]?nes?)\b")
_INFANT_MONTHS = 24
WEIGHT = re.compile(
    r"(?<!perdu )(?<!pris )(?<!perte de )(?<!prise de )(?<!plus de )"
    r"\b(\d{1,3})(?:[.,]\d+)? ?kg\b(?! (?:de|d'|en)\b)"
)
"""Of a patient; not « 3 kg de plus », « perte de 3 kg »."""
_SEXES = frozenset({"homme", "femme"})
DEFAULTS = _SEXES | {"adulte"}
"""Whom a source speaks of when it says nothing."""
RESTRICTING = frozenset({"enfant", "grossesse", "allaitement"})
"""Groups for which what holds of everybody may not hold: a source about them alone says so."""
_FRAIL = frozenset({"fonction rénale", "fonction hépatique", "sujet âgé", "immunodépression"})
_NORMAL = re.compile(r"\bfonctions? (?:renale|hepatique)s? normales?\b")
EXPECTING = frozenset({"grossesse", "allaitement"})
"""To whom what is given to everybody may be forbidden."""


@lru_cache(4096)
def groups(text: str) -> frozenset[str]:
    """Groups named in a text."""
    folded = fold(text)
    return frozenset(name for name, pattern in _PATTERNS.items() if pattern.search(folded))


def without_age_group(folded: str) -> str:
    """A folded name less the child or adult it is of (« fièvre du nourrisson »); empty if it names
    none. Whom a question is about is held by its groups, not by each sentence.
    """
    left = folded
    for group in ("enfant", "adulte"):
        left = _PATTERNS[group].sub(" ", left)
    return " ".join(content_words(left)) if left != folded else ""


def without_failing_organ(folded: str) -> str:
    """A folded text with « insuffisance rénale » and its like blanked, its length unchanged."""
    return _FAILING_ORGAN.sub(lambda match: " " * len(match[0]), folded)


def asked_groups(question: str) -> frozenset[str]:
    """Groups a question asks about, ages in years or months included."""
    found = set(groups(question))
    for number, unit in _AGE.findall(fold(question)):
        in_months = unit == "mois"
        if "grossesse" not in found if in_months else int(number) <= _CHILD_YEARS:
            found.add("enfant")
    if "grossesse" not in found and any(k <= _CHILD_KILOGRAMS for k in weights(question)):
        found.add("enfant")
    return frozenset(found)


def weights(text: str) -> tuple[int, ...]:
    """Weights of patients named in a text, in whole kilograms."""
    return tuple(int(kilograms) for kilograms in WEIGHT.findall(fold(text)))


def ages(text: str) -> frozenset[str]:
    """Ages named in a text, folded, with one space: « 14 ans », « 6 mois »."""
    return frozenset(f"{number} {unit}" for number, unit in _AGE.findall(fold(text)))


def is_of_another_age(text: str, asked: frozenset[str]) -> bool:
    """Whether a sentence is of children older or younger than the ages asked (« 6 mois »).

    « À partir de 1 an : 0,2 mg/kg » is no dose at 6 months; what forbids is kept at any age.
    """
    folded = fold(text)
    months = [_months(number, unit) for age in asked for number, unit in _AGE.findall(age)]
    months = [m for m in months if m <= 12 * _CHILD_YEARS]
    if not months or _FORBIDDING.search(folded):
        return False
    from_age = [_months(*found) for found in _FROM_AGE.findall(folded)]
    to_age = [_months(*found) for found in _TO_AGE.findall(folded)]
    younger = bool(from_age) and not to_age and max(months) < min(from_age)
    older = bool(to_age) and not from_age and min(months) >= max(to_age)
    return younger or older


def is_of_the_youngest(text: str) -> bool:
    """Whether a sentence is of the children before an age of at most two years."""
    return any(_months(*found) <= _INFANT_MONTHS for found in _TO_AGE.findall(fold(text)))


def is_of_infants(question: str) -> bool:
    """Whether a question is about an infant whose age it does not say."""
    return _INFANT.search(fold(question)) is not None and not ages(question)


def _months(number: str, unit: str) -> int:
    return int(number) * (1 if unit == "mois" else 12)


class Fit(Enum):
    """How a sentence stands to the patients a question asks about."""

    NAMED = "named"
    """It, or the title or heading over it, names them."""
    GENERAL = "general"
    """It speaks of everybody, or of other patients beside whom it may be read."""
    OTHER = "other"
    """It answers for patients the question excludes."""


def is_of_narrower(text: str, asked: frozenset[str]) -> bool:
    """Whether a sentence is of the old or of a failing organ where nothing says so of the patient;
    « à fonction rénale normale » is of everybody.
    """
    return bool(groups(text) & _FRAIL - asked) and _NORMAL.search(fold(text)) is None


def fit(
    sentence: frozenset[str], context: frozenset[str], asked: frozenset[str], *, dosing: bool
) -> Fit:
    """Stand of a sentence (groups it names) under a title and heading (``context``).

    A limit for one group (« si la clairance… ») is never hidden from a question about another:
    only a source about other patients, and the dose of an adult for a child or the reverse, are.
    """
    if not asked:
        return Fit.GENERAL
    sexes = sentence & _SEXES
    if dosing and sexes and asked & _SEXES and not sexes & asked:
        return Fit.OTHER
    if sentence & asked:
        return Fit.NAMED
    if context & {"adulte"} and "enfant" in asked:
        return Fit.OTHER
    named = bool(context & asked)  # « filles, femmes et femmes enceintes » is of any of them
    if context & RESTRICTING - asked and not named:
        return Fit.OTHER
    if dosing and "enfant" in asked and sentence & {"adulte", "sujet âgé"}:
        return Fit.OTHER
    if asked & DEFAULTS and sentence and sentence <= RESTRICTING and not named:
        return Fit.OTHER
    return Fit.NAMED if not sentence and named else Fit.GENERAL
